/* SPDX-License-Identifier: MIT */
/*
 * B-MS with patience: settings of its rule that laws try, and its formulas, written out in long double and without the
 * library's help.
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

/* b, the plays that a learner may have before it is judged by its rate. */
long double allowance(patience_rule r, int dim, long double learners);

/* omega, what a play counts after so many rounds. */
long double play_weight(patience_rule r, int dim, long double learners, long double rounds);

/* What a regret is divided by. plays: the sum of what they count. */
long double patience_divisor(patience_rule r, int dim, long double learners, long double weight, long double plays);

#endif
