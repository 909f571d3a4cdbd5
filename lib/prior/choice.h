/* SPDX-License-Identifier: MIT */
/*
 * Chooses the number of components of a mixture.
 */
#ifndef POSSE_PRIOR_CHOICE_H
#define POSSE_PRIOR_CHOICE_H

#include "prior/em.h"

#define CHOICE_CANDIDATES 7

typedef struct choice {
    const posse_fit *how;
    posse_allocator allocator;
    posse_fit_candidate tried[CHOICE_CANDIDATES];
    int tried_count;
    int components;
} choice;

/*
 * Fits mixtures of 1, 2, 3, 5, 8, 12 and 20 components to part of the rows and scores them on the rest: one fifth, or
 * every fifth in turn if there are not more than 2000 rows. More components are taken only if they gain more than 0.005
 * nats a row, or 0.02 sqrt(200 / rows) if that is more. The search ends after two candidates in a row without such a
 * gain. There are at least ten rows for each component. With fewer than five rows none are held out, nothing is tried,
 * and there is one component.
 */
posse_error choice_make(choice *c, const samples *s);

/* Fits from several starting points and keeps the best result. *out is in the arena. */
posse_error choice_fit(const posse_fit *how, const samples *s, int components, arena *memory, normals *out);

#endif
