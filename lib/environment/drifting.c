/* SPDX-License-Identifier: MIT */
/*
 * Drifting environment: as the gaussian one, and from each round to the next the mean of every arm makes a normal step
 * of standard deviation `drift`, whichever arm is played. Its own prior is the gaussian belief with the same drift.
 */
#include "environment/normal_arms.h"

enum { MEANS = NORMAL_OPTIONS, NOISE, DRIFT };

static const posse_param params[] = {
    NORMAL_ARMS_PARAMETERS,
    NORMAL_MEANS_PARAMETER("instead of a prior: the mean reward of each arm in the first round"),
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
    {.name = "drift",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_REQUIRED,
     .low = 0.0,
     .high = SCALE_MAX,
     .help = "standard deviation of the step of each mean from one round to the next"},
    PARAMETERS_END};

typedef struct plan {
    normal_arms normal;
    double drift;
} plan;

/* The instance is the independent arms, and the number of rewards paid follows the means. */
static double *drifting_paid_of(const plan *p, independent_arms *instance) {
    return instance->means + p->normal.arms;
}

static posse_error drifting_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->drift = setup->settings[DRIFT].number;
    return normal_arms_prepare(setup, &setup->settings[NOISE], &setup->settings[MEANS], &p->normal);
}

static size_t drifting_state_size(const void *plan_) {
    return independent_size(((const plan *)plan_)->normal.arms + 1);
}

static posse_arm_set drifting_arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->normal.arms};
}

static posse_part drifting_prior(const void *plan_) {
    const plan *p = plan_;
    return normal_arms_prior(&p->normal, p->drift);
}

static void drifting_begin(const void *plan_, void *instance, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    normal_arms_draw(&p->normal, instance, draw);
    *drifting_paid_of(p, instance) = 0.0;
}

static void drifting_step(const plan *p, independent_arms *instance, posse_draw *noise) {
    for (int a = 0; a < p->normal.arms; a++) instance->means[a] += p->drift * draw_normal(noise);
    independent_finish(instance, p->normal.arms);
}

static double drifting_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    const plan *p = plan_;
    if (*drifting_paid_of(p, instance) > 0.0) drifting_step(p, instance, noise);
    *drifting_paid_of(p, instance) += 1.0;
    return normal_arms_reward(&p->normal, instance, arm, noise);
}

const posse_environment_ops environment_drifting = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "drifting",
             .help = "as gaussian, with means that make a small step from one round to the next",
             .params = params,
             .prepare = drifting_prepare,
             .state_size = drifting_state_size},
    .arms = drifting_arms,
    .prior = drifting_prior,
    .begin = drifting_begin,
    .reward = drifting_reward,
    .regret = independent_regret,
    .means = independent_means,
    .moves = true,
};
