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
    int count;        /* 1, or as many as arms */
    int dim;          /* of each theta */
    size_t each;      /* numbers in the state of each */
    double precision; /* of the prior */
} regressions;

/* Refuses more numbers than a state should have. */
posse_error regressions_prepare(const posse_setup *setup, bool disjoint, int dim, double precision, regressions *out);

/* The k-th of them, and the one that is about an arm. */
static inline double *regressions_at(const regressions *r, const double *state, int k) {
    return (double *)(uintptr_t)state + (size_t)k * r->each;
}

static inline double *regressions_of(const regressions *r, const double *state, int arm) {
    return regressions_at(r, state, r->disjoint ? arm : 0);
}

/* Draws a world, the long vector of all thetas, with so many times the root of their covariance. */
void regressions_draw_scaled(const regressions *r, const double *state, double scale, posse_draw *draw, double *world);

/* ---- for the table of a part whose plan begins with regressions, and whose state is theirs ---- */

size_t regressions_size(const void *plan);
void regressions_start(const void *plan, void *state);
bool regressions_sane(const void *plan, const void *state);
/* Arms that come begin with the prior where each has a theta of its own. */
void regressions_grow(const void *plan, void *state, const void *former_plan, const void *former_state);

posse_belief_shape regressions_shape(const void *plan);
void regressions_draw(const void *plan, const void *state, posse_draw *draw, double *world);
void regressions_add_mean(const void *plan, const void *state, double scale, double *world);

#endif
