/* SPDX-License-Identifier: MIT */
/*
 * The state of learners with the same model (posse_learner_ops.same_model). It has memory of its own, because it lives
 * until the last of these learners leaves.
 */
#ifndef POSSE_OBJECT_SHARED_STATE_H
#define POSSE_OBJECT_SHARED_STATE_H

#include <stddef.h>

#include "base/memory.h"
#include "posse_extend.h"

typedef struct shared_state {
    int users;
    posse_estimates estimates; /* of the round in which learners are asked */
    double numbers[];          /* the state, then the estimates */
} shared_state;

/* The shared state whose numbers are this state. */
static inline shared_state *shared_state_of(void *state) {
    return (shared_state *)((char *)state - offsetof(shared_state, numbers));
}

/* A state of `size` bytes for one learner, with estimates for that many arms. NULL: there is no memory left. */
shared_state *shared_state_make(const posse_allocator *allocator, size_t size, int arms);

/* One more learner uses it. */
static inline shared_state *shared_state_join(shared_state *s) {
    s->users++;
    return s;
}

/* One learner less uses it; the last one frees it. NULL: nothing happens. */
void shared_state_leave(shared_state *s, const posse_allocator *allocator);

/* To be called when a round begins, and when the state has changed. */
static inline void shared_state_forget_estimates(shared_state *s) {
    s->estimates.has_means = s->estimates.has_deviations = false;
}

#endif
