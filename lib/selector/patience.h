/* SPDX-License-Identifier: MIT */
/*
 * Patience: how B-MS charges a learner the less for its regret the longer it has played, so that the posse commits.
 *
 *     b   = dim * max(2, patience / M)          plays that a learner may have before it is judged by its rate
 *     s   = max(1, sqrt(n / b))                 n its plays, M the learners there are, dim the belief's coordinates
 *     its regret is divided by  s (1 + commitment ln s).
 *
 * Where rounds bring features, dim is 1: every play tells of all weights that its features touch, and learners that
 * wait for so many plays of each weight are judged too late (measured: docs/contexts.md).
 *
 * A learner of sqrt(n)-regret becomes cheaper by playing; one of linear regret never does, as s (1 + ln s) / s^2 falls
 * from s = 1 on. Endless patience is the paper's rule. docs/theory.md has the theorem.
 *
 * With *forgetting*, plays of long ago count less: a play counts as much as all those before together do when the
 * rounds have quadrupled. It is the weight of new plays that grows,
 *
 *     omega = 1 for t <= M b,  then 2^floor((log2(t / (M b)) + 1) / 2),
 *
 * t the plays of all learners: powers of two, so that sums of plays stay exact. The divisor is max(1, n / (omega
 * b))^(3/4), n the sum of a learner's weights.
 */
#ifndef POSSE_SELECTOR_PATIENCE_H
#define POSSE_SELECTOR_PATIENCE_H

#include <stdbool.h>

typedef struct patience {
    double plays; /* infinite: endless */
    double commitment;
    bool forgets;
    int dim;
} patience;

static inline bool patience_ends(const patience *p) {
    return p->plays < __builtin_inf();
}

/* b, with so many learners. */
double patience_allowance(const patience *p, double learners);

/* omega after so many plays of all learners; 1 without forgetting. */
double patience_weight(const patience *p, double learners, double rounds);

/* What a learner's regret is multiplied with: 1 over the divisor. plays: the sum of their weights. */
double patience_share(const patience *p, double learners, double weight, double plays);

#endif
