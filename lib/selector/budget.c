/* SPDX-License-Identifier: MIT */
#include "selector/budget.h"

#include <math.h>

/* Chosen with the default of `budget` by the tournament of seed 4242 (docs/comparison.md). */
#define FEEDING 0.5

void budget_start(budget *b) {
    *b = (budget){.gap = -1.0};
}

bool budget_sane(const budget *b) {
    return b->rewards >= 0.0 && b->rewards < 1e18 && fabs(b->mean) <= 1e120 && b->scatter >= 0.0 &&
           b->scatter <= 1e250 && (b->gap == -1.0 || (b->gap >= 0.0 && b->gap <= 1e120)) && b->fed >= 0.0 &&
           b->fed < 1e18;
}

void budget_learn(budget *b, double reward) {
    double distance = reward - b->mean;
    b->rewards += 1.0;
    b->mean += distance / b->rewards;
    b->scatter += distance * (reward - b->mean);
}

/* The mean regret of a play of the active learners in the world drawn. It may be negative after arms have retired. */
static double budget_mean_regret(const budget_team *t) {
    double regret = 0.0, plays = 0.0;
    for (int i = 0; i < t->places; i++) {
        if (t->penalty[i] != 0.0) continue;
        regret += t->potential[i] / t->share[i];
        plays += t->plays[i];
    }
    return regret > 0.0 ? regret / plays : 0.0;
}

/* due^2. The fourth root is two square roots, and one of them is saved by the square. */
static double budget_due_squared(const budget *b, double factor, const patience *p, const budget_team *t) {
    double allowance = patience_allowance(p, t->learners), growth = t->rounds / (t->learners * allowance);
    double variance = b->rewards > 0.0 ? b->scatter / b->rewards : 0.0;
    double once = factor * factor * allowance * p->dim * (variance + b->gap * b->gap);
    return growth > 1.0 ? once * sqrt(growth) : once;
}

static bool budget_feeds(budget *b, const patience *p, const budget_team *t) {
    double allowed = FEEDING * FEEDING * t->rounds * t->learners * patience_allowance(p, t->learners);
    if (b->fed * b->fed >= allowed) return false;
    b->fed += 1.0;
    return true;
}

/* Whether all active learners have played more than b times, so that they are charged by their coefficients. */
static bool budget_all_judged(const patience *p, const budget_team *t) {
    double allowance = patience_allowance(p, t->learners);
    for (int i = 0; i < t->places; i++)
        if (t->penalty[i] == 0.0 && t->plays[i] <= allowance) return false;
    return true;
}

bool budget_is_spent(budget *b, double factor, const patience *p, const budget_team *team, double least) {
    if (team->rounds < team->learners * patience_allowance(p, team->learners)) return false;
    if (b->gap < 0.0) b->gap = budget_mean_regret(team);
    if (!(least > 0.0) || least * least <= budget_due_squared(b, factor, p, team)) return false;
    return budget_all_judged(p, team) && !budget_feeds(b, p, team);
}
