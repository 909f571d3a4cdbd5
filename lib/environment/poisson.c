/* SPDX-License-Identifier: MIT */
/*
 * Poisson environment: independent arms, mean of arm a ~ Gamma(prior.shape_a, rate prior.rate_a), rewards are counts,
 * Poisson with that mean.
 */
#include "environment/environment.h"

enum { ARMS, PRIOR_SHAPE, PRIOR_RATE, MEANS };

static const posse_param params[] = {PARAMETER_ARMS,
                                     {.name = "prior.shape",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = GAMMA_MIN,
                                      .high = GAMMA_MAX,
                                      .help = "prior sum of rewards: one for all arms, or a list"},
                                     {.name = "prior.rate",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = GAMMA_MIN,
                                      .high = GAMMA_MAX,
                                      .help = "prior number of rewards: one for all arms, or a list"},
                                     {.name = "means",
                                      .type = POSSE_TYPE_REALS,
                                      .flags = POSSE_PARAM_OPTIONAL,
                                      .low = 0.0,
                                      .high = GAMMA_MAX,
                                      .excludes = "prior.",
                                      .help = "instead of a prior: the mean reward of each arm, one fixed instance"},
                                     PARAMETERS_END};

static posse_error poisson_prepare(const posse_setup *setup, void **out) {
    arms_prior *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    return arms_prior_read(setup, &setup->settings[MEANS], p);
}

static size_t poisson_state_size(const void *plan) {
    return independent_size(((const arms_prior *)plan)->arms);
}

static posse_arm_set poisson_arms(const void *plan) {
    return (posse_arm_set){.arms = ((const arms_prior *)plan)->arms};
}

static posse_part poisson_prior(const void *plan) {
    return arms_prior_part(plan, "gamma", "shape", "rate");
}

static void poisson_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const arms_prior *p = plan_;
    independent_arms *instance = instance_;
    for (int a = 0; a < p->arms; a++)
        instance->means[a] = p->fixed != NULL ? p->fixed[a] : posse_draw_gamma(draw, p->first[a]) / p->second[a];
    independent_finish(instance, p->arms);
}

static double poisson_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)plan_, (void)point;
    return posse_draw_poisson(noise, ((const independent_arms *)instance)->means[arm]);
}

static posse_reward_kind poisson_reward_kind(const posse_part *given) {
    (void)given;
    return POSSE_REWARDS_COUNTS;
}

const posse_environment_ops environment_poisson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "poisson",
             .help = "independent arms whose rewards are counts",
             .params = params,
             .prepare = poisson_prepare,
             .state_size = poisson_state_size},
    .arms = poisson_arms,
    .prior = poisson_prior,
    .begin = poisson_begin,
    .reward = poisson_reward,
    .regret = independent_regret,
    .means = independent_means,
    .reward_kind = poisson_reward_kind,
};
