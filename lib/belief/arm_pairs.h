/* SPDX-License-Identifier: MIT */
/*
 * Beliefs with two numbers for each arm, which a prior gives and rewards change: what beta (successes and failures) and
 * gamma (the sum and the number of rewards) have in common. A plan of such a kind begins with arm_pairs. The state is
 * the first number of every arm, and then the second of every arm.
 */
#ifndef POSSE_BELIEF_ARM_PAIRS_H
#define POSSE_BELIEF_ARM_PAIRS_H

#include "belief/belief.h"

/* Their first two options, each of type POSSE_TYPE_REALS. */
enum { PAIRS_FIRST, PAIRS_SECOND, PAIRS_OPTIONS };

typedef struct arm_pairs {
    int arms;
    const double *first, *second; /* as the prior has them */
} arm_pairs;

typedef struct arm_pair {
    double first, second;
} arm_pair;

/* The numbers of all arms in a state. */
typedef struct pairs_view {
    double *first, *second;
} pairs_view;

static inline pairs_view pairs_of(const void *plan, const void *state) {
    double *numbers = (double *)(uintptr_t)state;
    return (pairs_view){numbers, numbers + ((const arm_pairs *)plan)->arms};
}

/* Makes a plan of `size` bytes. who: the belief in words, for a refusal. */
posse_error pairs_prepare(const posse_setup *setup, const char *who, size_t size, void **out);

/* Functions of the table. */
size_t pairs_state_size(const void *plan);
void pairs_start(const void *plan, void *state);
void pairs_grow(const void *plan, void *state, const void *former_plan, const void *former_state);
posse_belief_shape pairs_shape(const void *plan);

/* `vary`, by a function that returns the variant of one arm. */
posse_error pairs_vary(const posse_setup *setup, int variant, posse_option *settings,
                       arm_pair (*varied)(arm_pair given, int variant));

#endif
