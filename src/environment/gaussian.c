/* SPDX-License-Identifier: MIT */
/*
 * Gaussian environment: independent arms, mean of arm a ~ N(prior.mean_a, prior.sd_a^2), reward = mean + noise z.
 */
#include <string.h>

#include "core/abreast_form.h"
#include "environment/environment.h"
#include "random/stream.h"

enum { ARMS, PRIOR_MEAN, PRIOR_SD, MEANS, NOISE };

static const posse_param params[] = {
    {.name = "arms", .type = POSSE_COUNT, .flags = POSSE_REQUIRED, .low = 1, .high = ARMS_MAX, .help = "how many"},
    {.name = "prior.mean",
     .type = POSSE_REALS,
     .fallback = 0.0,
     .low = -REAL_MAX,
     .high = REAL_MAX,
     .help = "mean of an arm's mean reward: one for all arms, or a list"},
    {.name = "prior.sd",
     .type = POSSE_REALS,
     .fallback = 1.0,
     .low = SCALE_MIN,
     .high = SCALE_MAX,
     .help = "its standard deviation: one for all arms, or a list"},
    {.name = "means",
     .type = POSSE_REALS,
     .flags = POSSE_OPTIONAL,
     .low = -REAL_MAX,
     .high = REAL_MAX,
     .excludes = "prior.",
     .help = "instead of a prior: the mean reward of each arm, one fixed instance"},
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
    PARAMETERS_END};

typedef struct plan {
    int arms;
    double noise;
    const double *mean, *sd;
    const double *fixed; /* the means of a fixed instance, or NULL */
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *settings = setup->settings;
    p->arms = (int)settings[ARMS].number;
    p->noise = settings[NOISE].number;
    *out = p;
    if (settings[MEANS].key != NULL) return posse_setup_numbers(setup, &settings[MEANS], p->arms, "arms", &p->fixed);
    posse_error error = posse_setup_numbers(setup, &settings[PRIOR_MEAN], p->arms, "arms", &p->mean);
    return error == POSSE_OK ? posse_setup_numbers(setup, &settings[PRIOR_SD], p->arms, "arms", &p->sd) : error;
}

static size_t state_size(const void *plan_) {
    return independent_size(((const plan *)plan_)->arms);
}

static posse_arm_set arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->arms};
}

static posse_part prior(const void *plan_) {
    const plan *p = plan_;
    if (p->fixed != NULL) return (posse_part){0};
    size_t count = (size_t)p->arms;
    return (posse_part){.kind = "gaussian",
                        .options = {{.key = "mean", .list = p->mean, .count = count},
                                    {.key = "sd", .list = p->sd, .count = count},
                                    {.key = "noise", .number = p->noise}}};
}

static void begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    independent_arms *instance = instance_;
    if (p->fixed != NULL)
        memcpy(instance->means, p->fixed, (size_t)p->arms * sizeof(double));
    else
        for (int a = 0; a < p->arms; a++) instance->means[a] = p->mean[a] + p->sd[a] * posse_draw_normal(draw);
    independent_finish(instance, p->arms);
}

static double reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    return ((const independent_arms *)instance)->means[arm] + ((const plan *)plan_)->noise * draw_normal(noise);
}

static const double *prior_means(const void *plan_) {
    const plan *p = plan_;
    return p->fixed != NULL ? p->fixed : p->mean;
}

static double noise(const void *plan_) {
    return ((const plan *)plan_)->noise;
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
