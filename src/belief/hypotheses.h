/*
 * An exact posterior over finitely many hypotheses, each a table row with the mean reward of every arm; normal noise.
 *
 *     log weight_h -= (r - m_ha)^2 / (2 noise^2)
 */
#ifndef POSSE_BELIEF_HYPOTHESES_H
#define POSSE_BELIEF_HYPOTHESES_H

#include "belief/weights.h"
#include "core/part.h"

typedef struct hypotheses {
    int count, arms;
    double noise;
    const double *table; /* count x arms; NULL: those of an information lock, which need no table */
    const double *prior; /* log weights, or NULL: all alike */
} hypotheses;

/* The state is that of weights.h. */
void hypotheses_start(const hypotheses *h, void *state);
void hypotheses_update(const hypotheses *h, void *state, int arm, double reward);

/*
 * The hypotheses of an information lock of the space's arms: regular arm j of K is best (1, the others 1/2), and the
 * first log2 K arms, which are magic, have mean -bit n of j. Refused where the arms are not K + log2 K.
 */
posse_error hypotheses_of_lock(const posse_setup *setup, double noise, hypotheses *out);

/* The mean of an arm under hypothesis i. */
double hypotheses_mean(const hypotheses *h, int i, int arm);

/* K, the regular arms of a lock with so many arms in all; 0 where there is none. */
int lock_regular_arms(int arms);

/* The mean of an arm of a lock with `magic` magic arms whose best regular arm is `best`. */
double lock_mean(int magic, int best, int arm);

#endif
