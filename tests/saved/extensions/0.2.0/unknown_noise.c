/* SPDX-License-Identifier: MIT */
/*
 * A belief of one's own, by posse.h alone: normal rewards whose noise is not known. Each arm has a precision tau of its
 * own, and before any reward
 *
 *     tau ~ Gamma(shape, rate scale),    mean | tau ~ N(mean, 1 / (weight tau)).
 *
 * A reward r keeps that form (the normal-gamma family):
 *
 *     shape += 1/2,  scale += weight (r - mean)^2 / (2 (weight + 1)),  mean = (weight mean + r) / (weight + 1),  weight
 * += 1.
 *
 * Before a reward is seen it is Student's t with 2 shape degrees of freedom around the mean, of scale^2 =
 * scale (weight + 1) / (shape weight).
 * Reference: Bernardo, Smith, Bayesian theory (1994), section 5.2 and appendix A.
 */
#include <math.h>
#include <posse.h>
#include <string.h>

enum { MEAN, WEIGHT, SHAPE, SCALE, PARAMS };

static const posse_param params[] = {
    {.name = "mean", .type = POSSE_REAL, .fallback = 0.0, .low = -1e50, .high = 1e50, .help = "of an arm's mean"},
    {.name = "weight",
     .type = POSSE_REAL,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1e6,
     .help = "rewards that the mean counts as"},
    {.name = "shape", .type = POSSE_REAL, .fallback = 2.0, .low = 0.1, .high = 1e6, .help = "of the precision"},
    {.name = "scale", .type = POSSE_REAL, .fallback = 2.0, .low = 1e-50, .high = 1e50, .help = "its rate"},
    {.name = NULL}};

typedef struct plan {
    int arms;
    double start[PARAMS];
} plan;

/* Four numbers for each arm. */
static double *arm_of(const void *state, int arm) {
    return (double *)(uintptr_t)state + PARAMS * arm;
}

static posse_error prepare(const posse_setup *setup, void **out) {
    int arms = posse_space_arms(setup->space);
    if (arms == 0) return posse_setup_refuse(setup, NULL, -1, "a belief in unknown noise needs separate arms");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = arms;
    for (int i = 0; i < PARAMS; i++) p->start[i] = setup->settings[i].number;
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return PARAMS * (size_t)((const plan *)plan_)->arms * sizeof(double);
}

static void start(const void *plan_, void *state) {
    const plan *p = plan_;
    for (int a = 0; a < p->arms; a++)
        for (int i = 0; i < PARAMS; i++) arm_of(state, a)[i] = p->start[i];
}

/* A state may come from a file. */
static bool sane(const void *plan_, const void *state) {
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) {
        const double *x = arm_of(state, a);
        bool positive = x[WEIGHT] > 0.0 && x[SHAPE] > 0.0 && x[SCALE] > 0.0;
        bool finite = fabs(x[MEAN]) <= 1e150 && x[WEIGHT] <= 1e18 && x[SHAPE] <= 1e18 && x[SCALE] <= 1e250;
        if (!positive || !finite) return false;
    }
    return true;
}

/* The arms of before are the first of these; those that came since are as before any reward. */
static void grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    (void)plan_;
    memcpy(state, former_state, state_size(former_plan));
}

/* A world is the mean reward of each arm: one coordinate each. */
static posse_belief_shape shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->arms, .one_hot = true};
}

static void update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)plan_, (void)point;
    double *x = arm_of(state, arm), distance = reward - x[MEAN], total = x[WEIGHT] + 1.0;
    x[SHAPE] += 0.5;
    x[SCALE] += 0.5 * distance * distance * x[WEIGHT] / total;
    x[MEAN] += distance / total;
    x[WEIGHT] = total;
}

static void draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) {
        const double *x = arm_of(state, a);
        double tau = posse_draw_gamma(draw, x[SHAPE]) / x[SCALE];
        world[a] = x[MEAN] + posse_draw_normal(draw) / sqrt(x[WEIGHT] * tau);
    }
}

static void add_mean(const void *plan_, const void *state, double scale, double *world) {
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) world[a] += scale * arm_of(state, a)[MEAN];
}

static double evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)plan_, (void)point;
    static const double pi = 3.14159265358979323846;
    const double *x = arm_of(state, arm);
    double freedom = 2.0 * x[SHAPE], square = x[SCALE] * (x[WEIGHT] + 1.0) / (x[SHAPE] * x[WEIGHT]);
    double distance = reward - x[MEAN];
    return posse_log_gamma(x[SHAPE] + 0.5) - posse_log_gamma(x[SHAPE]) - 0.5 * posse_log(freedom * pi * square) -
           (x[SHAPE] + 0.5) * posse_log(1.0 + distance * distance / (freedom * square));
}

static const posse_belief_ops unknown_noise = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "unknown-noise",
             .help = "independent arms with normal rewards of unknown noise",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .start = start,
             .sane = sane,
             .grow = grow},
    .shape = shape,
    .update = update,
    .draw = draw,
    .add_mean = add_mean,
    .evidence = evidence,
};

POSSE_API extern const posse_belief_ops *const posse_plugin_beliefs[];
const posse_belief_ops *const posse_plugin_beliefs[] = {&unknown_noise, NULL};
