/* SPDX-License-Identifier: MIT */
#include "selector/means.h"

#include <math.h>
#include <string.h>

static const tally closed = {.mean = -INFINITY, .due = INFINITY};

static int places_of(const void *plan) {
    return ((const means_plan *)plan)->places;
}

size_t means_state_size(const void *plan) {
    return sizeof(means) + (size_t)places_of(plan) * sizeof(tally);
}

void means_start(const void *plan, void *state) {
    *(means *)state = (means){0};
    for (int i = 0; i < places_of(plan); i++) means_tallies(state)[i] = closed;
}

bool means_sane(const void *plan, const void *state) {
    const means *m = state;
    double learners = 0.0, learned = 0.0;
    for (int i = 0; i < places_of(plan); i++) {
        const tally *t = &means_tallies(state)[i];
        learners += t->due < INFINITY;
        learned += t->count;
    }
    return tallies_sane(means_tallies(state), places_of(plan)) && learners > 0.0 && learners == m->learners &&
           learned == m->learned;
}

void means_admit(const void *plan, void *state, int learner) {
    (void)plan;
    ((means *)state)->learners += 1.0;
    tallies_start(&means_tallies(state)[learner], 1);
}

void means_retire(const void *plan, void *state, int learner) {
    (void)plan;
    means *m = state;
    m->learners -= 1.0;
    m->learned -= means_tallies(state)[learner].count;
    means_tallies(state)[learner] = closed;
}

/* A tally counts rewards, not plays. */
void means_played(const void *plan, void *state, int learner, int arm, const double *point) {
    (void)plan, (void)state, (void)learner, (void)arm, (void)point;
}

void means_learn(const void *plan, void *state, const posse_outcome *o) {
    (void)plan;
    tally *t = &means_tallies(state)[o->learner];
    if (t->due == INFINITY) return;
    tally_add(t, o->reward);
    ((means *)state)->learned += 1.0;
}

void means_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state) {
    (void)plan;
    memcpy(state, smaller_state, means_state_size(smaller_plan));
}

int means_try(const void *plan, void *state) {
    const means *m = state;
    return tallies_try(means_tallies(state), places_of(plan), m->learners, m->learned);
}
