/* SPDX-License-Identifier: MIT */
/*
 * The stage: rounds for posses with features, so that tests of the object can loop over posses with and without
 * features.
 */
#ifndef STAGE_H
#define STAGE_H

#include "posse_all.h"

#define STAGE_ARMS 64
#define STAGE_NUMBERS 2048 /* an arm has at most 1024 */

/* A context and what it points to. */
typedef struct staged {
    posse_context context;
    int arms[STAGE_ARMS];
    double shared[STAGE_NUMBERS], points[STAGE_NUMBERS];
} staged;

/* Round n of a posse depends on n and on the active arms alone. In every third round all arms are available, up to
 * the room in `out`. */
void stage_round(const posse *p, uint64_t n, staged *out);

/* posse_decide; with features, in the round whose number is that of the decisions so far. */
posse_error stage_decide(posse *p, posse_decision *d);

/* posse_acted for an external learner and the latest decision, with an arm that is available. */
posse_error stage_acted(posse *p, posse_decision *d);

/* posse_teach; with features, in the round of the latest decision. */
posse_error stage_teach(posse *p, int arm, double reward);

/* posse_propensities; with features, of the next round. */
posse_error stage_propensities(const posse *p, uint32_t draws, const posse_propensity *out);

#endif
