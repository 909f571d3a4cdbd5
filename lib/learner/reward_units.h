/* SPDX-License-Identifier: MIT */
/*
 * The zero and the unit in which a linear model sees rewards, so that it plays alike whatever their scale. The zero is
 * the mean of what is left of each reward beside <theta, x>, the present reward included. The unit is the noise: with
 * `off` the error of an expectation, and alpha = 1 + x^T Sigma x,
 *
 *     noise^2 = (sum of off^2 / alpha) / (number of rewards).
 *
 * A zero is of all rewards, a unit of all or of those of an arm. Where a reward fades with every later one, its terms
 * in the sums do, whichever arm the later one is of.
 */
#ifndef POSSE_LEARNER_REWARD_UNITS_H
#define POSSE_LEARNER_REWARD_UNITS_H

#include <stdbool.h>

/* Sums of a state, which start as 0. */
typedef struct reward_unit {
    double rewards; /* their number, each counted as far as it has not faded */
    double misfit;
} reward_unit;

void reward_unit_fade(reward_unit *u, double forget);

/* Counts a reward, and how far it was off. */
void reward_unit_learn(reward_unit *u, double off, double alpha);

/* 0 if no reward was off. */
double reward_unit_noise(const reward_unit *u);

bool reward_unit_sane(const reward_unit *u);

/* The zero after one more reward than those of the unit, which is of all. It starts as 0. */
double reward_zero_after(double zero, const reward_unit *all, double left);

bool reward_zero_sane(double zero);

#endif
