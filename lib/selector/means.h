/* SPDX-License-Identifier: MIT */
/*
 * The learners' mean rewards, for selectors that treat learners as arms. The state is a header, followed by a tally per
 * place (model/tally.h). A place is *closed* while no learner is there: it has no reward and is never due.
 */
#ifndef POSSE_SELECTOR_MEANS_H
#define POSSE_SELECTOR_MEANS_H

#include "model/tally.h"
#include "selector/selector.h"

typedef struct means {
    double learners; /* active learners */
    double learned;  /* rewards of all active learners */
} means;

static inline tally *means_tallies(const void *state) {
    return (tally *)((means *)(uintptr_t)state + 1);
}

/* The plan of such a selector, or the first member of it. */
typedef struct means_plan {
    int places;
} means_plan;

/* Functions for the table of such a selector. */
size_t means_state_size(const void *plan);
void means_start(const void *plan, void *state);
bool means_sane(const void *plan, const void *state);
void means_admit(const void *plan, void *state, int learner);
void means_retire(const void *plan, void *state, int learner);
void means_played(const void *plan, void *state, int learner, int arm, const double *point);
void means_learn(const void *plan, void *state, const posse_outcome *o);
void means_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);

/* The learner to try because it has no reward so far, or -1. */
int means_try(const void *plan, void *state);

#endif
