/* SPDX-License-Identifier: MIT */
/*
 * Budgets: the regret that B-MS+ allows learners before it judges them by their rates.
 *
 * A learner with regret R after n plays is charged R / s, s = max(1, sqrt(n / b)) (patience.h). Learners whose regret
 * grows like sqrt(n) then take over. But if every learner keeps losing, as rules that never learn do, all charges
 * keep growing, and all learners are played for ever: their shares go like 1 / rate^2. So there is a budget,
 *
 *     due = factor * sqrt(b dim (v + g^2)) * max(1, t / (M b))^(1/4),
 *
 * with v the variance of all rewards so far, g the mean regret of a play when the first M b rounds are over, in the
 * world drawn then, t the number of plays, and M, b and dim as in patience.h. If every learner has played more than b
 * times and the least charge is above the budget, nobody is good, and the learner with the least rate is chosen,
 *
 *     rate = sum over l of l * regret of its l-th play / sum over l of l,
 *
 * in the world drawn: that is Thompson sampling among the learners' habits. Late plays count more, so that a learner
 * that has paid for what it knows is judged by what it does now. Of these rounds, 0.5 sqrt(t M b) choose by the charges
 * even so: a learner that was passed over shows there what it has become.
 *
 * The budget grows without end. So for every d, from some round on, the rule is that without a budget in all rounds in
 * which some learner's regret is below d sqrt(n). docs/theory.md has the theorems of both regimes.
 */
#ifndef POSSE_SELECTOR_BUDGET_H
#define POSSE_SELECTOR_BUDGET_H

#include "selector/patience.h"

/* A part of a state, made of 8-byte numbers. */
typedef struct budget {
    double rewards, mean, scatter; /* of all rewards: their number, their mean, their summed squares about it */
    double gap;                    /* g; negative until the first M b rounds are over */
    double fed;                    /* rounds above the budget that chose by the charges */
} budget;

enum { BUDGET_NUMBERS = sizeof(budget) / sizeof(double) };

/* The learners of a choice, by place: as in charges.h. */
typedef struct budget_team {
    const double *penalty, *plays, *share, *potential;
    int places;
    double learners, rounds; /* M, t */
} budget_team;

void budget_start(budget *b);
bool budget_sane(const budget *b);
void budget_learn(budget *b, double reward);

/* Whether rates decide: the least charge is above the budget, and it is not a round of feeding. */
bool budget_is_spent(budget *b, double factor, const patience *p, const budget_team *team, double least);

#endif
