/* SPDX-License-Identifier: MIT */
/*
 * An exact posterior over finitely many hypotheses, each a table row with the mean reward of every arm; normal noise.
 *
 *     log weight_h -= (r - m_ha)^2 / (2 noise^2)
 *
 * With a kernel, the mean reward of arm a is N(x_ha, H_a) under hypothesis h, independent of the others': particles
 * that are smoothed. With n_a and sum_a the number and the sum of the rewards of arm a, it is
 *
 *     N(m_ha, v_a),   v_a = 1 / (1 / H_a + n_a / noise^2),   m_ha = v_a (x_ha / H_a + sum_a / noise^2)
 *
 * afterwards, and log weight_h -= (r - m_ha)^2 / (2 (v_a + noise^2)) for each reward: v_a is the same in all rows.
 */
#ifndef POSSE_BELIEF_HYPOTHESES_H
#define POSSE_BELIEF_HYPOTHESES_H

#include "belief/weights.h"
#include "model/part.h"

typedef struct hypotheses {
    int count, arms;
    double noise;
    const double *table; /* count x arms; NULL: the hypotheses of an information lock, which need no table */
    const double *prior; /* log weights, or NULL: all are equal */
    const double *tight; /* 1 / H of each arm, infinite where its means are the same in all rows; NULL: no kernel */
    uint64_t print;      /* hash of the table if it comes from a file; else 0 */
} hypotheses;

/*
 * The state begins as in weights.h. With a kernel, n_a / noise^2 of each arm and then sum_a / noise^2 follow. With a
 * file, its print is last, so that a saved state is only accepted together with the same table.
 */
size_t hypotheses_size(const hypotheses *h);
void hypotheses_start(const hypotheses *h, void *state);
void hypotheses_update(const hypotheses *h, void *state, int arm, double reward);

/*
 * The hypotheses of an information lock with the space's arms. Under hypothesis j, regular arm j of K has mean 1 and
 * the others 1/2; the first log2 K arms are magic, and magic arm n has mean -(bit n of j). Refused where the number of
 * arms is not K + log2 K, and where an arm has been added.
 */
posse_error hypotheses_of_lock(const posse_setup *setup, double noise, hypotheses *out);

/* The mean of an arm in row i, before any reward. */
double hypotheses_mean(const hypotheses *h, int i, int arm);

/* K, the number of regular arms of a lock with `arms` arms in all; 0 where there is no such lock. */
int lock_regular_arms(int arms);

/* The mean of an arm of a lock with `magic` magic arms whose best regular arm is `best`. */
double lock_mean(int magic, int best, int arm);

#endif
