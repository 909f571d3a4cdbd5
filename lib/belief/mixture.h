/* SPDX-License-Identifier: MIT */
/*
 * What is asked of a mixture beside what every belief can do.
 */
#ifndef POSSE_BELIEF_MIXTURE_H
#define POSSE_BELIEF_MIXTURE_H

#include <stdbool.h>

/*
 * The log of the probability of all rewards so far under a mixture, less the same under its first component alone. It
 * follows from the weights: with prior share s, the first one's share is now s times the ratio of the two.
 */
double mixture_gain(const void *plan, const void *state);

/* How many components there are, and the posterior weight of each; they sum to 1. */
int mixture_count(const void *plan);
void mixture_weights(const void *plan, const void *state, double *weights);

/* Whether a component learns across tasks. */
bool mixture_carries(const void *plan);

#endif
