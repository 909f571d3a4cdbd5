/* SPDX-License-Identifier: MIT */
/*
 * B-MS with patience: settings of its rule for tests, and its formulas in long double, without the library's code.
 */
#ifndef PATIENCE_H
#define PATIENCE_H

#include "helpers.h"

typedef struct patience_rule {
    double patience, commitment;
    bool forgets;
} patience_rule;

#define PATIENCE_RULES 12
extern const patience_rule patience_rules[PATIENCE_RULES];

/* The selector with these options. */
posse_part bms_with(patience_rule r);

/* b, the number of plays of a learner before its regret is divided. */
long double allowance(patience_rule r, int dim, long double learners);

/* omega, the weight of a play after this number of rounds. */
long double play_weight(patience_rule r, int dim, long double learners, long double rounds);

/* The divisor of a regret. plays: the sum of the weights of plays. */
long double patience_divisor(patience_rule r, int dim, long double learners, long double weight, long double plays);

#endif
