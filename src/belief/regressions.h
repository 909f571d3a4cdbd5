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

size_t regressions_size(const regressions *r);
void regressions_start(const regressions *r, double *state);
bool regressions_sane(const regressions *r, const double *state);

/* Arms that came begin with the prior where each has a theta of its own. */
void regressions_grow(double *state, const regressions *former, const double *former_state);

/* The k-th of them, and the one that is about an arm. */
static inline double *regressions_at(const regressions *r, const double *state, int k) {
    return (double *)(uintptr_t)state + (size_t)k * r->each;
}

static inline double *regressions_of(const regressions *r, const double *state, int arm) {
    return regressions_at(r, state, r->disjoint ? arm : 0);
}

/* Of the long vector of all thetas: how long it is, a draw of it, and its mean times scale, added to `world`. */
int regressions_dim(const regressions *r);
void regressions_draw(const regressions *r, const double *state, posse_draw *draw, double *world);
void regressions_add_mean(const regressions *r, const double *state, double scale, double *world);

#endif
