/* SPDX-License-Identifier: MIT */
/*
 * Gaussian environment: independent arms, mean of arm a ~ N(prior.mean_a, prior.sd_a^2), reward = mean + noise z.
 */
#include "core/abreast_form.h"
#include "environment/normal_arms.h"

enum { MEANS = NORMAL_OPTIONS, NOISE };

static const posse_param params[] = {
    NORMAL_ARMS_PARAMETERS,
    NORMAL_MEANS_PARAMETER("instead of a prior: the mean reward of each arm, one fixed instance"),
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX), PARAMETERS_END};

static posse_error prepare(const posse_setup *setup, void **out) {
    normal_arms *n = posse_setup_allocate(setup, sizeof *n);
    if (n == NULL) return POSSE_ERROR_MEMORY;
    *out = n;
    return normal_arms_prepare(setup, &setup->settings[NOISE], &setup->settings[MEANS], n);
}

static size_t state_size(const void *plan) {
    return independent_size(((const normal_arms *)plan)->arms);
}

static posse_arm_set arms(const void *plan) {
    return (posse_arm_set){.arms = ((const normal_arms *)plan)->arms};
}

static posse_part prior(const void *plan) {
    return normal_arms_prior(plan, 0.0);
}

static void begin(const void *plan, void *instance, const posse_space *space, posse_draw *draw) {
    (void)space;
    normal_arms_draw(plan, instance, draw);
}

static double reward(const void *plan, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    return normal_arms_reward(plan, instance, arm, noise);
}

static const double *prior_means(const void *plan) {
    const normal_arms *n = plan;
    return n->fixed != NULL ? n->fixed : n->mean;
}

static double noise(const void *plan) {
    return ((const normal_arms *)plan)->noise;
}

static const abreast_form abreast = {.means = prior_means, .noise = noise};

const posse_environment_ops environment_gaussian = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "gaussian",
             .help = "independent arms with normal means and normal noise",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .abreast = &abreast},
    .arms = arms,
    .prior = prior,
    .begin = begin,
    .reward = reward,
    .regret = independent_regret,
    .means = independent_means,
};
