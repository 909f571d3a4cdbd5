/* SPDX-License-Identifier: MIT */
/*
 * Linear environment: the mean reward of a point x is <theta, x>, theta ~ N(0, I / prior.precision) in R^dim, reward =
 * mean + noise z. The arms are given points, points drawn once per experiment from its seed, or the whole unit ball.
 *
 * Logistic environment: the same arms and theta, but rewards are clicks: 1 with probability sigmoid(<theta, x> + bias),
 * which is the mean reward, and else 0. The arms are points, not the ball.
 */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "numeric/elementary.h"
#include "random/stream.h"

enum { DIM, ARMS_SET, ARMS_COUNT, ARMS_POINTS, PRECISION, THETA, NOISE, BIAS = NOISE };

/* The options that both environments have before the noise or the bias. Only the linear one may have the whole ball. */
#define PARAMETERS_OF_POINTS(count_words, count_help)                                                                  \
    {.name = "dim",                                                                                                    \
     .type = POSSE_TYPE_COUNT,                                                                                         \
     .flags = POSSE_PARAM_REQUIRED,                                                                                    \
     .low = 1,                                                                                                         \
     .high = DIM_MAX,                                                                                                  \
     .help = "d, the dimension of the arms and of the weights theta"},                                                 \
        {.name = "arms.set",                                                                                           \
         .type = POSSE_TYPE_WORD,                                                                                      \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .words = "ball|sphere|cube",                                                                                  \
         .help =                                                                                                       \
             "arms are drawn uniformly in the unit ball, on its surface, or from the corners of the cube inside it"},  \
        {.name = "arms.count",                                                                                         \
         .type = POSSE_TYPE_COUNT,                                                                                     \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .low = 1,                                                                                                     \
         .high = ARMS_MAX,                                                                                             \
         .words = count_words,                                                                                         \
         .help = count_help},                                                                                          \
        {.name = "arms.points",                                                                                        \
         .type = POSSE_TYPE_TABLE,                                                                                     \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .low = -REAL_MAX,                                                                                             \
         .high = REAL_MAX,                                                                                             \
         .excludes = "arms.",                                                                                          \
         .help = "instead of a set: the coordinates of the arms, a row for each"},                                     \
        PARAMETER_PRECISION("prior.precision", 0, "lambda: each coordinate of theta has variance 1 / precision"), {    \
        .name = "theta", .type = POSSE_TYPE_REALS, .flags = POSSE_PARAM_OPTIONAL, .low = -REAL_MAX, .high = REAL_MAX,  \
        .excludes = "prior.", .help = "instead of a prior: the weights theta, one fixed instance"                      \
    }

static const posse_param params[] = {
    PARAMETERS_OF_POINTS("all", "number of arms to draw; `all` with `ball` for every point of the ball"),
    PARAMETER_NOISE(0, LINEAR_NOISE_MIN, LINEAR_NOISE_MAX), PARAMETERS_END};
static const posse_param logistic_params[] = {PARAMETERS_OF_POINTS(NULL, "number of arms to draw"), PARAMETER_BIAS(0),
                                              PARAMETERS_END};

typedef struct plan {
    int arms, dim;
    const double *points;
    double precision;
    double noise;        /* in the logistic environment, the bias */
    const double *fixed; /* theta of a fixed instance, or NULL */
} plan;

typedef struct instance {
    double best;
    double theta[];
} instance;

/* A normal vector, scaled to length 1, is uniform on the sphere; times the dim-th root of a uniform it is uniform in
 * the ball. */
static void draw_round(double *x, int dim, bool surface, posse_draw *draw) {
    double norm;
    do {
        posse_draw_normals(draw, x, (size_t)dim);
        norm = sqrt(dot(x, x, dim));
    } while (norm == 0.0);
    double radius = surface ? 1.0 : posse_exp(posse_log(posse_draw_uniform(draw)) / dim);
    for (int j = 0; j < dim; j++) x[j] *= radius / norm;
}

static void draw_corner(double *x, int dim, posse_draw *draw) {
    double side = 1.0 / sqrt(dim);
    for (int j = 0; j < dim; j++) x[j] = posse_draw_uniform(draw) < 0.5 ? -side : side;
}

static posse_error draw_points(const posse_setup *setup, const char *set, plan *p) {
    double *points = posse_setup_allocate(setup, (size_t)p->arms * (size_t)p->dim * sizeof *points);
    posse_draw *draw = posse_setup_allocate(setup, sizeof *draw);
    if (points == NULL || draw == NULL) return POSSE_ERROR_MEMORY;
    draw_open(draw, setup->seed, 0, stream_named(STREAM_ARMS, NULL), 0);
    for (int a = 0; a < p->arms; a++) {
        double *x = points + (size_t)a * (size_t)p->dim;
        if (strcmp(set, "cube") == 0)
            draw_corner(x, p->dim, draw);
        else
            draw_round(x, p->dim, strcmp(set, "sphere") == 0, draw);
    }
    p->points = points;
    return POSSE_OK;
}

static posse_error take_set(const posse_setup *setup, plan *p) {
    const posse_option *set = &setup->settings[ARMS_SET], *count = &setup->settings[ARMS_COUNT];
    if (set->key == NULL || count->key == NULL)
        return posse_setup_refuse(setup, "arms", -1,
                                  "either a set and a count (arms.set, arms.count) or points (arms.points) are needed");
    if (count->word != NULL) {
        if (strcmp(set->word, "ball") == 0) return POSSE_OK;
        return posse_setup_refuse(setup, "arms.count", -1, "`all` goes with the set `ball`, not with `%s`", set->word);
    }
    p->arms = (int)count->number;
    return draw_points(setup, set->word, p);
}

static posse_error linear_take_points(const posse_setup *setup, plan *p) {
    const posse_option *points = &setup->settings[ARMS_POINTS];
    size_t dim = (size_t)p->dim;
    if (points->count % dim != 0 || points->count / dim > ARMS_MAX)
        return posse_setup_refuse(setup, "arms.points", -1, "%zu numbers do not make rows of %zu coordinates",
                                  points->count, dim);
    p->arms = (int)(points->count / dim);
    return posse_setup_numbers(setup, points, (int)points->count, "coordinates", &p->points);
}

static posse_error linear_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *settings = setup->settings;
    p->dim = (int)settings[DIM].number;
    p->precision = settings[PRECISION].number;
    p->noise = settings[NOISE].number;
    *out = p;
    posse_error error = settings[ARMS_POINTS].key != NULL ? linear_take_points(setup, p) : take_set(setup, p);
    if (error != POSSE_OK || settings[THETA].key == NULL) return error;
    return posse_setup_numbers(setup, &settings[THETA], p->dim, "dimensions", &p->fixed);
}

static size_t linear_state_size(const void *plan_) {
    return sizeof(instance) + (size_t)((const plan *)plan_)->dim * sizeof(double);
}

static posse_arm_set linear_arms(const void *plan_) {
    const plan *p = plan_;
    return (posse_arm_set){p->arms, p->dim, p->points};
}

static posse_part linear_prior(const void *plan_) {
    const plan *p = plan_;
    if (p->fixed != NULL) return (posse_part){0};
    return (posse_part){
        .kind = "linear",
        .options = {{.key = "precision", .number = p->precision}, {.key = "noise", .number = p->noise}}};
}

static void linear_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    const plan *p = plan_;
    instance *at = instance_;
    double sd = sqrt(1.0 / p->precision), point[DIM_MAX];
    const double *coordinates;
    for (int j = 0; j < p->dim; j++) at->theta[j] = p->fixed != NULL ? p->fixed[j] : sd * posse_draw_normal(draw);
    space_best(space, at->theta, &at->best, &coordinates, point);
}

static double linear_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)arm;
    const plan *p = plan_;
    return dot(((const instance *)instance_)->theta, point, p->dim) + p->noise * draw_normal(noise);
}

/* On the ball, rounding may make a point slightly better than the best one; its regret is 0. */
static double linear_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)arm;
    const instance *at = instance_;
    double gap = at->best - dot(at->theta, point, ((const plan *)plan_)->dim);
    return gap > 0.0 ? gap : 0.0;
}

static void linear_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    const plan *p = plan_;
    const instance *at = instance_;
    if (p->arms == 0) memcpy(out, at->theta, (size_t)p->dim * sizeof *out);
    for (int a = 0; a < p->arms; a++) out[a] = dot(at->theta, space_point(space, a), p->dim);
}

/* --------------------------------------------------- clicks -------------------------------------------------- */

static posse_part prior_logistic(const void *plan_) {
    const plan *p = plan_;
    if (p->fixed != NULL) return (posse_part){0};
    return (posse_part){.kind = "logistic",
                        .options = {{.key = "precision", .number = p->precision}, {.key = "bias", .number = p->noise}}};
}

static double click_probability(const plan *p, const instance *at, const double *point) {
    return sigmoid(dot(at->theta, point, p->dim) + p->noise);
}

/* The arm with the largest score is the best one, because the sigmoid rises. */
static void begin_logistic(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    linear_begin(plan_, instance_, space, draw);
    instance *at = instance_;
    at->best = sigmoid(at->best + ((const plan *)plan_)->noise);
}

static double reward_logistic(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)arm;
    return posse_draw_uniform(noise) < click_probability(plan_, instance_, point) ? 1.0 : 0.0;
}

static double regret_logistic(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)arm;
    const instance *at = instance_;
    double gap = at->best - click_probability(plan_, at, point);
    return gap > 0.0 ? gap : 0.0;
}

static void means_logistic(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    const plan *p = plan_;
    for (int a = 0; a < p->arms; a++) out[a] = click_probability(p, instance_, space_point(space, a));
}

const posse_environment_ops environment_logistic = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic",
             .help = "arms with coordinates, clicks whose log odds are linear in them",
             .params = logistic_params,
             .prepare = linear_prepare,
             .state_size = linear_state_size},
    .arms = linear_arms,
    .prior = prior_logistic,
    .begin = begin_logistic,
    .reward = reward_logistic,
    .regret = regret_logistic,
    .means = means_logistic,
    .reward_kind = environment_pays_clicks,
};

const posse_environment_ops environment_linear = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear",
             .help = "arms with coordinates, means linear in them",
             .params = params,
             .prepare = linear_prepare,
             .state_size = linear_state_size},
    .arms = linear_arms,
    .prior = linear_prior,
    .begin = linear_begin,
    .reward = linear_reward,
    .regret = linear_regret,
    .means = linear_means,
};
