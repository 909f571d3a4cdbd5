/* SPDX-License-Identifier: MIT */
/*
 * The paper's lemma on the distribution of the potentials: with a belief that is right, B-MS chooses each learner as
 * often as that learner has the least regret in truth.
 */
#ifndef MATCHING_H
#define MATCHING_H

#include "helpers.h"

typedef struct matching {
    const posse_part *environment; /* with separate arms */
    const posse_part *learners;
    int count;
    int tasks; /* that are played before the one that is looked at */
} matching;

/*
 * The largest |z| over learners and rounds, of so many short runs of Algorithm 1. believed NULL: the environment's
 * prior. Given the past, chosen and share have the same law if the belief is right, so their differences have mean 0
 * and, runs being independent, the z scores are normal. A cell in which they hardly ever differ is left out: there the
 * normal law does not hold.
 */
double matching_worst(const matching *m, const posse_part *believed, uint32_t runs);

#endif
