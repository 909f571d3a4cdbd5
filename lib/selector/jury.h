/* SPDX-License-Identifier: MIT */
/*
 * A jury: the KERNEL_JURY worlds that were drawn last. They decide which arms of a play are stored, because an arm that
 * is best in none of them is seldom best in a world drawn later. The worlds are interleaved, coordinate by coordinate
 * (numeric/kernels.h).
 */
#ifndef POSSE_SELECTOR_JURY_H
#define POSSE_SELECTOR_JURY_H

#include "belief/belief.h"
#include "numeric/kernels.h"

/* The number of doubles in a jury of worlds with `dim` coordinates. */
static inline size_t jury_size(int dim) {
    return (size_t)dim * KERNEL_JURY;
}

/* Stores the n-th world drawn, from n = 0 on, in place of the world drawn KERNEL_JURY draws before it. */
void jury_seat(double *jury, int dim, uint64_t n, const double *world);

/* The place of the arm that is best in each world of a jury. */
typedef struct verdict {
    uint64_t best[KERNEL_JURY];
} verdict;

void jury_vote(const posse_belief *b, const double *jury, const posse_round *round, verdict *out);

/*
 * Writes the places of the arms of a round to keep, at most `most` of them: first the arm played, then the best arm in
 * the world drawn last, which is the n-th, then the arms that are best in most worlds, the lowest place first among
 * equals. Returns the number of places.
 */
int jury_pick(const verdict *v, uint64_t n, int played, int most, int *places);

#endif
