/* SPDX-License-Identifier: MIT */
/*
 * The zero and the unit in which a linear model sees rewards, so that it plays alike whatever their scale. The zero is
 * the mean of what is left of each reward beside <theta, x>, the present reward included. The unit is the noise: with
 * `off` the error of an expectation, and alpha = 1 + x^T Sigma x,
 *
 *     noise^2 = (sum of off^2 / alpha) / (number of rewards).
 *
 * Where older rewards fade by a factor, their terms in the sums do.
 */
#ifndef POSSE_LEARNER_REWARD_UNITS_H
#define POSSE_LEARNER_REWARD_UNITS_H

#include <stdbool.h>

/* Numbers of a state, which start as 0. */
typedef struct reward_units {
    double rewards; /* their number, each counted as far as it has not faded */
    double zero, misfit;
} reward_units;

/* Counts a reward, after older ones have faded by the factor `forget`. Returns the zero. */
double reward_units_see(reward_units *u, double forget, double left);

/* Adds how far that reward was off. */
void reward_units_miss(reward_units *u, double off, double alpha);

/* 0 if no reward was off. */
double reward_units_noise(const reward_units *u);

bool reward_units_sane(const reward_units *u);

#endif
