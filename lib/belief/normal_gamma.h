/* SPDX-License-Identifier: MIT */
/*
 * A normal-gamma distribution of a mean and a precision: tau ~ Gamma(shape, rate scale), mean | tau ~ N(mean, 1 /
 * (weight tau)). A reward r keeps that form:
 *
 *     scale += weight (r - mean)^2 / (2 (weight + 1)),  mean += (r - mean) / (weight + 1),  weight += 1,  shape += 1/2
 *
 * Reference: Bernardo, Smith, Bayesian Theory (1994), section 5.2 and appendix A.
 */
#ifndef POSSE_BELIEF_NORMAL_GAMMA_H
#define POSSE_BELIEF_NORMAL_GAMMA_H

#include "belief/unknown_noise.h"
#include "numeric/density.h"

/* Arrays with a number for each arm, or whatever else has rewards. */
typedef struct normal_gamma {
    double *mean, *weight, *shape, *scale;
} normal_gamma;

/* The arrays of `count` numbers that follow one another in a state. */
static inline normal_gamma normal_gamma_at(const void *state, int count) {
    double *numbers = (double *)(uintptr_t)state;
    return (normal_gamma){numbers, numbers + count, numbers + 2 * (size_t)count, numbers + 3 * (size_t)count};
}

/* With any rewards that are allowed, the numbers stay well within these bounds; beyond them, worlds could overflow. */
static inline bool normal_gamma_is_sane(normal_gamma g, int i) {
    bool mean_is = fabs(g.mean[i]) <= 1e150 && g.weight[i] >= 1e-12 && g.weight[i] <= 1e18;
    return mean_is && unknown_noise_sane(g.shape[i], g.scale[i]);
}

static inline void normal_gamma_learn(normal_gamma g, int i, double reward) {
    double distance = reward - g.mean[i], weight = g.weight[i], total = weight + 1.0;
    g.scale[i] += 0.5 * distance * distance * (weight / total);
    g.mean[i] += distance / total;
    g.weight[i] = total;
    g.shape[i] += 0.5;
}

/* Draws a mean, and writes the standard deviation of rewards that was drawn for it. */
static inline double normal_gamma_sample(normal_gamma g, int i, posse_draw *draw, double *noise) {
    *noise = unknown_noise_draw(draw, g.shape[i], g.scale[i]);
    return g.mean[i] + *noise / sqrt(g.weight[i]) * posse_draw_normal(draw);
}

/* The log of the density of a reward before it is learned. */
static inline double normal_gamma_log_density(normal_gamma g, int i, double reward) {
    return log_student_density(reward, g.mean[i], 1.0 + 1.0 / g.weight[i], g.shape[i], g.scale[i]);
}

#endif
