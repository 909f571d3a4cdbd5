/* SPDX-License-Identifier: MIT */
/*
 * A jury: the worlds that were drawn last, which say what arms of a play are worth keeping. An arm that is best in none
 * of them is seldom best in a world drawn later. Numbers of a world are side by side with those of the others, as
 * numeric/kernels.h says.
 */
#ifndef POSSE_SELECTOR_JURY_H
#define POSSE_SELECTOR_JURY_H

#include "belief/belief.h"
#include "numeric/kernels.h"

/* The numbers of a jury over worlds of so many. */
static inline size_t jury_size(int dim) {
    return (size_t)dim * KERNEL_JURY;
}

/* The n-th world drawn, from n = 0 on, takes the seat of the one drawn KERNEL_JURY worlds before. */
void jury_seat(double *jury, int dim, uint64_t n, const double *world);

/* The place of the arm that is best in each world of a jury. */
typedef struct verdict {
    uint64_t best[KERNEL_JURY];
} verdict;

void jury_vote(const posse_belief *b, const double *jury, const posse_round *round, verdict *out);

/*
 * The places of a round to keep, `most` at most: first the arm played, then the best of the world drawn last, the n-th,
 * then those that are best in most worlds, of equals the lowest place. Returns how many there are.
 */
int jury_pick(const verdict *v, uint64_t n, int played, int most, int *places);

#endif
