/* SPDX-License-Identifier: MIT */
/*
 * What a hierarchical belief offers beyond the functions of every belief.
 */
#ifndef POSSE_BELIEF_HIERARCHICAL_H
#define POSSE_BELIEF_HIERARCHICAL_H

/* How many spreads are possible, and the posterior probability of each; they sum to 1. */
int hierarchical_count(const void *plan);
void hierarchical_weights(const void *plan, const void *state, double *weights);

#endif
