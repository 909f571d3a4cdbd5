/* SPDX-License-Identifier: MIT */
/*
 * Patience: the longer a learner has played, the smaller is the share of its regret that B-MS charges, so that the
 * posse commits.
 *
 *     b   = dim * max(2, patience / M)          plays that a learner may have before it is judged by its rate
 *     s   = max(1, sqrt(n / b))                 n its plays, M the number of learners, dim the belief's coordinates
 *     its regret is divided by  s (1 + commitment ln s).
 *
 * If rounds have features, dim is 1. Every play is then informative about all weights that its features touch. If b
 * grew with the number of weights, learners would be judged too late (measured: docs/contexts.md).
 *
 * A learner with regret of order sqrt(n) becomes cheaper by playing. A learner with linear regret never does, because
 * s (1 + ln s) / s^2 falls from s = 1 on. Endless patience is the paper's rule. docs/theory.md has the theorem.
 *
 * With *forgetting*, old plays count less: the weight of a play, relative to that of new plays, halves each time that
 * the number of rounds quadruples. It is the weight of new plays that grows,
 *
 *     omega = 1 for t <= M b,  then 2^floor((log2(t / (M b)) + 1) / 2),
 *
 * where t is the number of plays of all learners. Weights are powers of two, so that sums of plays stay exact. The
 * divisor is max(1, n / (omega b))^(3/4), where n is the sum of the weights of a learner's plays.
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

/* b, for this number of learners. */
double patience_allowance(const patience *p, double learners);

/* omega after `rounds` plays of all learners; 1 without forgetting. */
double patience_weight(const patience *p, double learners, double rounds);

/* The factor on a learner's regret: 1 over the divisor. plays: the sum of the weights of its plays. */
double patience_share(const patience *p, double learners, double weight, double plays);

#endif
