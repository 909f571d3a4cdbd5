/* SPDX-License-Identifier: MIT */
/*
 * Weights of alternatives, learned by likelihood. The state is `count` log weights, the largest of which is 0, then the
 * weights themselves. They are relative to the largest, so that they can neither overflow nor all become 0.
 */
#ifndef POSSE_BELIEF_WEIGHTS_H
#define POSSE_BELIEF_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

size_t weights_size(int count);

/* Makes the state valid again after log weights were written. */
void weights_refresh(double *state, int count);

/*
 * Adds the log likelihood of a reward under each alternative to its weight. Nothing is learned if one is NaN or
 * infinitely large, or if no alternative is left.
 */
void weights_learn(double *state, int count, const double *evidence);

bool weights_sane(const double *state, int count);

static inline const double *weights_of(const void *state, int count) {
    return (const double *)state + count;
}

double weights_total(const void *state, int count);

/* The log of the weighted mean of likelihoods. Start from evidence_start, add the likelihood of each alternative, then
 * ask for the total. */
typedef struct evidence_sum {
    double top; /* the largest term so far; the sum is relative to it */
    double sum;
} evidence_sum;

evidence_sum evidence_start(void);
void evidence_add(evidence_sum *e, double log_weight, double log_likelihood);
double evidence_log(const evidence_sum *e, double total_weight);

#endif
