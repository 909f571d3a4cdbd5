/* SPDX-License-Identifier: MIT */
/*
 * The paper's lemma on the distribution of the potentials: with a belief that is right, B-MS chooses each learner as
 * often as that learner has the least regret in truth.
 */
#ifndef MATCHING_H
#define MATCHING_H

#include "helpers.h"

/* When rewards arrive: at once; up to 8 rounds late, by chance; or at once if above 0, and 8 rounds late if not. */
typedef enum matching_delay { AT_ONCE, LATE_BY_CHANCE, LATE_BY_VALUE } matching_delay;

typedef struct matching {
    const posse_part *environment; /* with separate arms */
    const posse_part *learners;
    int count;
    int tasks; /* played before the one that is measured */
    matching_delay delay;
} matching;

/*
 * The largest |z| over learners and rounds, in this number of short runs of Algorithm 1. believed NULL: the
 * environment's prior. If the belief is right then, given the past, chosen and share have the same mean. So their
 * differences have mean 0, and because runs are independent the z scores are normal. Cells in which they rarely differ
 * are left out, because the normal approximation does not hold there.
 */
double matching_worst(const matching *m, const posse_part *believed, uint32_t runs);

#endif
