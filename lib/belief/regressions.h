/* SPDX-License-Identifier: MIT */
/*
 * The regressions of a linear model in contexts (regression.h): one theta for all arms (joint), or one for each of them
 * (disjoint). Their states are beside one another, and their thetas make one long vector.
 */
#ifndef POSSE_BELIEF_REGRESSIONS_H
#define POSSE_BELIEF_REGRESSIONS_H

#include "belief/regression.h"

typedef struct regressions {
    bool disjoint;
    int count;        /* 1, or the number of arms */
    int dim;          /* of each theta */
    size_t each;      /* numbers in the state of each */
    double precision; /* of the prior */
} regressions;

/* Refuses a state of more than a gigabyte. */
posse_error regressions_prepare(const posse_setup *setup, bool disjoint, int dim, double precision, regressions *out);

/* The state of the k-th regression, and that of the regression of an arm. */
static inline double *regressions_at(const regressions *r, const double *state, int k) {
    return (double *)(uintptr_t)state + (size_t)k * r->each;
}

static inline double *regressions_of(const regressions *r, const double *state, int arm) {
    return regressions_at(r, state, r->disjoint ? arm : 0);
}

/* Draws a world, the long vector of all thetas, with `scale` times the root of their covariance. */
void regressions_draw_scaled(const regressions *r, const double *state, double scale, posse_draw *draw, double *world);

/* ---- for the table of a part whose plan begins with regressions, and whose state is theirs ---- */

size_t regressions_size(const void *plan);
void regressions_start(const void *plan, void *state);
bool regressions_sane(const void *plan, const void *state);
/* If each arm has a theta of its own, the thetas of added arms begin with the prior. */
void regressions_grow(const void *plan, void *state, const void *former_plan, const void *former_state);

posse_belief_shape regressions_shape(const void *plan);
void regressions_draw(const void *plan, const void *state, posse_draw *draw, double *world);
void regressions_add_mean(const void *plan, const void *state, double scale, double *world);

#endif
