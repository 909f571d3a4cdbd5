/* SPDX-License-Identifier: MIT */
/*
 * Independent arms with normal means and normal noise: what the kinds gaussian, drifting and shifting have in common.
 */
#ifndef POSSE_ENVIRONMENT_NORMAL_ARMS_H
#define POSSE_ENVIRONMENT_NORMAL_ARMS_H

#include "environment/environment.h"
#include "random/stream.h"

/* Their first options, in the order in which NORMAL_ARMS_PARAMETERS declares them; those of a kind follow. */
enum { NORMAL_ARMS, NORMAL_PRIOR_MEAN, NORMAL_PRIOR_SD, NORMAL_OPTIONS };

#define NORMAL_ARMS_PARAMETERS                                                                                         \
    PARAMETER_ARMS, PARAMETER_PRIOR_MEAN("prior.mean"), {                                                              \
        .name = "prior.sd", .type = POSSE_TYPE_REALS, .fallback = 1.0, .low = SCALE_MIN, .high = SCALE_MAX,            \
        .help = "prior standard deviation of an arm's mean reward: one for all arms, or a list"                        \
    }

/* Means that may be given instead of a prior. */
#define NORMAL_MEANS_PARAMETER(help_)                                                                                  \
    {                                                                                                                  \
        .name = "means", .type = POSSE_TYPE_REALS, .flags = POSSE_PARAM_OPTIONAL, .low = -REAL_MAX, .high = REAL_MAX,  \
        .excludes = "prior.", .help = help_                                                                            \
    }

typedef struct normal_arms {
    int arms;
    double noise;
    const double *mean, *sd;
    const double *fixed; /* the means of a fixed instance, or NULL */
} normal_arms;

/* noise: its setting; means: that of NORMAL_MEANS_PARAMETER, or NULL where a kind has none. */
posse_error normal_arms_prepare(const posse_setup *setup, const posse_option *noise, const posse_option *means,
                                normal_arms *out);

/* Where there is no fixed instance, the belief that has this prior, noise and drift; else none. */
posse_part normal_arms_prior(const normal_arms *n, double drift);

/* Draws the means, or copies those of the fixed instance. */
void normal_arms_draw(const normal_arms *n, independent_arms *instance, posse_draw *draw);

static inline double normal_arms_reward(const normal_arms *n, const independent_arms *instance, int arm,
                                        posse_draw *noise) {
    return instance->means[arm] + n->noise * draw_normal(noise);
}

#endif
