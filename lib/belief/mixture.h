/* SPDX-License-Identifier: MIT */
/*
 * What a mixture offers beyond the functions of every belief.
 */
#ifndef POSSE_BELIEF_MIXTURE_H
#define POSSE_BELIEF_MIXTURE_H

#include <stdbool.h>

/*
 * The log of the probability of all rewards so far under a mixture, less the same under its first component alone. It
 * follows from the weights, because the share of the first component has been divided by the ratio of these two.
 */
double mixture_gain(const void *plan, const void *state);

/* How many components there are, and the posterior weight of each; they sum to 1. */
int mixture_count(const void *plan);
void mixture_weights(const void *plan, const void *state, double *weights);

/* Whether all components have moments, and so the mixture. */
bool mixture_has_moments(const void *plan);

/* Whether a component learns across tasks. */
bool mixture_carries(const void *plan);

#endif
