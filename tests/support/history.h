/* SPDX-License-Identifier: MIT */
/*
 * Histories of docs/theory.md, on which the tests of its proofs compute every step from scratch. The worlds of a
 * history need not be posterior samples: the steps about a single history hold for any worlds.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "divisor.h"

#define ROUNDS_CAP 300
#define TEAM_CAP 5
#define ARMS_CAP 4

/* For each round t, counted from 0, the world drawn, the learner, its arm and its reward. */
typedef struct history {
    int rounds, learners, arms;
    double truth[ARMS_CAP];
    int learner[ROUNDS_CAP], arm[ROUNDS_CAP];
    double reward[ROUNDS_CAP], world[ROUNDS_CAP][ARMS_CAP];
} history;

double best_of(const history *h, const double *world);
double worst_of(const history *h, const double *world);

/* n_i(t), the plays of a learner before round t. */
int plays(const history *h, int i, int t);

/* R_i^w(t), the regret in a world of the plays of a learner before round t. */
double regret(const history *h, const double *world, int i, int t);

/* phi_t, the regret of the learner of round t in the world drawn. */
double charged(const history *h, int t);

/* The least R_j / sqrt(n_j), and the least R_j / g(n_j), in a world. */
double least_coefficient(const history *h, const double *world, int t);
double least_charge(const history *h, const rule *g, const double *world, int t);

/* The learner of round t: first each learner once, then the first of those with the least charge. */
int chosen(const history *h, const rule *g, int t);

/* V, whose mean is the regret: the best of the world drawn (in the first `forced` rounds, of the truth) less the arm
 * played. */
double value_missed(const history *h, int forced);

/*
 * A history that is made up. Its worlds are the truth with random changes, and its learners are of any quality. Rewards
 * are 0 and 1, or the means themselves, or always better than the means. A part of the rounds is chosen by `choose`,
 * which may do other things than `chosen`.
 */
typedef int history_chooser(const history *h, const void *context, int t);
void make_up_by(history *h, history_chooser *choose, const void *context, uint32_t run);
void make_up(history *h, const rule *g, uint32_t run);

/*
 * G(w, t): the rewards of each learner's first k plays are within rho sqrt(k) of their means in w, for every k up to
 * its plays before round t.
 */
bool is_near(const history *h, const double *world, int t, double rho);

#endif
