/* SPDX-License-Identifier: MIT */
/*
 * Normal-gamma belief: independent arms with normal rewards whose noise is not known either. Arm a has a precision tau
 * of its own,
 *
 *     tau ~ Gamma(shape_a, rate scale_a),    mean reward | tau ~ N(mean_a, 1 / (weight_a tau))
 *
 * and rewards keep that form (normal_gamma.h). Before it is seen, a reward is Student's t with 2 shape degrees of
 * freedom. So is the mean of an arm, and its variance is infinite where shape <= 1.
 */
#include "belief/normal_gamma.h"

#include <string.h>

#include "belief/belief.h"
#include "belief/robust.h"

enum { MEAN, WEIGHT, SHAPE, SCALE, SETTINGS };

static const posse_param params[] = {
    PARAMETER_PRIOR_MEAN("mean"),
    {.name = "weight",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = 1e-12,
     .high = 1e12,
     .help = "number of rewards that the prior mean counts for: one for all arms, or a list"},
    {.name = "shape",
     .type = POSSE_TYPE_REALS,
     .fallback = UNKNOWN_SHAPE,
     .low = UNKNOWN_SHAPE_MIN,
     .high = UNKNOWN_SHAPE_MAX,
     .help = "of the prior of the noise, 1 / noise^2 ~ Gamma(shape, scale): one for all arms, or a list"},
    {.name = "scale",
     .type = POSSE_TYPE_REALS,
     .fallback = UNKNOWN_SCALE,
     .low = UNKNOWN_SCALE_MIN,
     .high = UNKNOWN_SCALE_MAX,
     .help = "rate of that Gamma: the prior mean of noise^2 is scale / (shape - 1)"},
    PARAMETERS_END};

typedef struct plan {
    int arms;
    const double *prior[SETTINGS];
} plan;

/* The state: an array for each setting, with a number per arm. */
static normal_gamma normal_gamma_of(const plan *p, const void *state) {
    return normal_gamma_at(state, p->arms);
}

static posse_error normal_gamma_prepare(const posse_setup *setup, void **out) {
    posse_error error = belief_needs_arms(setup, "a normal-gamma belief");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = setup->space->arms;
    *out = p;
    for (int i = 0; i < SETTINGS && error == POSSE_OK; i++)
        error = posse_setup_numbers(setup, &setup->settings[i], p->arms, "arms", &p->prior[i]);
    return error;
}

static size_t normal_gamma_state_size(const void *plan_) {
    return SETTINGS * (size_t)((const plan *)plan_)->arms * sizeof(double);
}

static void normal_gamma_start(const void *plan_, void *state) {
    const plan *p = plan_;
    for (int i = 0; i < SETTINGS; i++)
        memcpy((double *)state + (size_t)i * (size_t)p->arms, p->prior[i], (size_t)p->arms * sizeof(double));
}

static bool normal_gamma_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    for (int a = 0; a < p->arms; a++)
        if (!normal_gamma_is_sane(normal_gamma_of(p, state), a)) return false;
    return true;
}

static void normal_gamma_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    copy_columns(state, ((const plan *)plan_)->arms, former_state, ((const plan *)former_plan)->arms, SETTINGS);
}

static posse_belief_shape normal_gamma_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->arms, .one_hot = true};
}

static void normal_gamma_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    normal_gamma_learn(normal_gamma_of(plan_, state), arm, reward);
}

static void normal_gamma_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    normal_gamma g = normal_gamma_of(p, state);
    double noise;
    for (int a = 0; a < p->arms; a++) world[a] = normal_gamma_sample(g, a, draw, &noise);
}

static void normal_gamma_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const plan *p = plan_;
    const double *mean = normal_gamma_of(p, state).mean;
    for (int a = 0; a < p->arms; a++) world[a] += scale * mean[a];
}

static double normal_gamma_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)point;
    return normal_gamma_log_density(normal_gamma_of(plan_, state), arm, reward);
}

static void normal_gamma_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                 double *variance) {
    (void)point;
    normal_gamma g = normal_gamma_of(plan_, state);
    *mean = g.mean[arm];
    *variance = unknown_noise_mean(g.shape[arm], g.scale[arm]) / g.weight[arm];
}

/*
 * The means may vary more than the prior assumes. Variants with less or more noise change the weight too, so that the
 * variance of the means, noise^2 / weight, stays the same.
 */
static const robust_scaling variants[][2] = {{{WEIGHT, 1.0, 9.0}},
                                             {{WEIGHT, 1.0, 100.0}},
                                             {{SCALE, 1.0, 9.0}, {WEIGHT, 1.0, 9.0}},
                                             {{SCALE, 9.0, 1.0}, {WEIGHT, 9.0, 1.0}}};

static posse_error normal_gamma_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return robust_scale_all(setup, variants[variant], 2, settings);
}

const posse_belief_ops belief_normal_gamma = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "normal-gamma",
             .help = "independent normal means, and normal noise of unknown size",
             .params = params,
             .prepare = normal_gamma_prepare,
             .state_size = normal_gamma_state_size,
             .start = normal_gamma_start,
             .sane = normal_gamma_sane,
             .grow = normal_gamma_grow},
    .shape = normal_gamma_shape,
    .update = normal_gamma_update,
    .draw = normal_gamma_draw,
    .add_mean = normal_gamma_add_mean,
    .evidence = normal_gamma_evidence,
    .variants = sizeof variants / sizeof variants[0],
    .vary = normal_gamma_vary,
    .moments = normal_gamma_moments,
};
