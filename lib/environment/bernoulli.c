/* SPDX-License-Identifier: MIT */
/*
 * Bernoulli environment: independent arms, success probability of arm a ~ Beta(prior.alpha_a, prior.beta_a), rewards 0
 * and 1.
 */
#include "environment/environment.h"

enum { ARMS, PRIOR_ALPHA, PRIOR_BETA, MEANS };

static const posse_param params[] = {
    PARAMETER_ARMS,
    {.name = "prior.alpha",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1e15,
     .help = "prior successes: one for all arms, or a list"},
    {.name = "prior.beta",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1e15,
     .help = "prior failures: one for all arms, or a list"},
    {.name = "means",
     .type = POSSE_TYPE_REALS,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 0.0,
     .high = 1.0,
     .excludes = "prior.",
     .help = "instead of a prior: the success probability of each arm, one fixed instance"},
    PARAMETERS_END};

static posse_error bernoulli_prepare(const posse_setup *setup, void **out) {
    arms_prior *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    return arms_prior_read(setup, &setup->settings[MEANS], p);
}

static size_t bernoulli_state_size(const void *plan) {
    return independent_size(((const arms_prior *)plan)->arms);
}

static posse_arm_set bernoulli_arms(const void *plan) {
    return (posse_arm_set){.arms = ((const arms_prior *)plan)->arms};
}

static posse_part bernoulli_prior(const void *plan) {
    return arms_prior_part(plan, "beta", "alpha", "beta");
}

static void bernoulli_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const arms_prior *p = plan_;
    independent_arms *instance = instance_;
    for (int a = 0; a < p->arms; a++)
        instance->means[a] = p->fixed != NULL ? p->fixed[a] : posse_draw_beta(draw, p->first[a], p->second[a]);
    independent_finish(instance, p->arms);
}

static double bernoulli_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)plan_, (void)point;
    return posse_draw_uniform(noise) < ((const independent_arms *)instance)->means[arm] ? 1.0 : 0.0;
}

const posse_environment_ops environment_bernoulli = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "bernoulli",
             .help = "independent arms that succeed or fail",
             .params = params,
             .prepare = bernoulli_prepare,
             .state_size = bernoulli_state_size},
    .arms = bernoulli_arms,
    .prior = bernoulli_prior,
    .begin = bernoulli_begin,
    .reward = bernoulli_reward,
    .regret = independent_regret,
    .means = independent_means,
    .reward_kind = environment_pays_clicks,
};
