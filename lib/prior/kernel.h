/* SPDX-License-Identifier: MIT */
/*
 * Chooses the width of the kernel of particles under which each row is most probable given the others.
 */
#ifndef POSSE_PRIOR_KERNEL_H
#define POSSE_PRIOR_KERNEL_H

#include "posse_kinds.h"
#include "prior/samples.h"

#define KERNEL_WIDTHS 17

/* Writes the widths that are tried and the score of each, in nats a row. *best is the index of the best width. */
posse_error kernel_choose(const samples *s, arena *memory, posse_fit_candidate tried[KERNEL_WIDTHS], int *best);

#endif
