/* SPDX-License-Identifier: MIT */
/*
 * Rivals of learners in contexts, which follow their formulas directly in long double: normal equations are solved anew
 * for every use, and modes are found by bisection.
 */
#ifndef FORMULA_RIVALS_H
#define FORMULA_RIVALS_H

#include "brought.h"

#define REWARDS_CAP 400

/* A standardised reward: its arm, what <mean, x> left of it, and its off^2 / alpha. */
typedef struct past_reward {
    int arm;
    long double left, misfit;
} past_reward;

/* A rival: its settings, a ridge for each theta, the counts of each arm, and the learner's stream. */
typedef struct rival {
    double width, epsilon, gamma, exponent, delta, precision, forget, bias;
    bool disjoint, logistic, diagonal, multiplies; /* multiplies: it has products of features */
    bool standardised;                             /* its rewards */
    int seen[WIDTH_CAP], dim;                      /* dim 0: all features */
    ridge thetas[ARMS_CAP], products[ARMS_CAP];
    long double counts[ARMS_CAP], sums[ARMS_CAP], learned;
    past_reward past[REWARDS_CAP];
    posse_draw draw;
    int close_calls;
} rival;

/* Returns the place to play. `played` is the learner's place, which decides between arms that differ by rounding
 * only. */
typedef int pick(rival *r, const brought *b, const double *state, int arms, int played);

pick bound_pick, greedy_pick, linear_thompson_pick, logistic_thompson_pick, square_cb_pick, ucb_pick;

/* The number of its products of two features. */
int products_of(const rival *r);
/* What it expects of the arm at a place of the round. */
long double value_of(rival *r, const brought *b, int place);
/* The probabilities of SquareCB. Returns the place of the best arm. */
int weigh(rival *r, const brought *b, long double *chances);
void rival_learn(rival *r, int arm, const double *features, double reward);

#endif
