/* SPDX-License-Identifier: MIT */
/*
 * The stage: rounds for posses of which rounds bring features, so that laws about the object can loop over them as over
 * any other.
 */
#ifndef STAGE_H
#define STAGE_H

#include "posse.h"

#define STAGE_ARMS 64
#define STAGE_NUMBERS 2048 /* of one arm there are 1024 at most */

/* A context and what it points to. */
typedef struct staged {
    posse_context context;
    int arms[STAGE_ARMS];
    double shared[STAGE_NUMBERS], points[STAGE_NUMBERS];
} staged;

/* Round n of a posse follows from n and from which arms are active. In every third round all arms are there, or as many
 * as there is room for. */
void stage_round(const posse *p, uint64_t n, staged *out);

/* posse_decide; where rounds bring features, in the round of the number of decisions so far. */
posse_error stage_decide(posse *p, posse_decision *d);

/* The same for an external learner in the decision made last: it has played an arm that is there. */
posse_error stage_acted(posse *p, posse_decision *d);

/* posse_teach; where rounds bring features, in the round of the decision made last. */
posse_error stage_teach(posse *p, int arm, double reward);

/* posse_propensities; where rounds bring features, of the round to come. */
posse_error stage_propensities(const posse *p, uint32_t draws, const posse_propensity *out);

#endif
