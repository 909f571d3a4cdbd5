/* SPDX-License-Identifier: MIT */
/*
 * Data-driven regret balancing (Pacchiano, Dann, Gentile, Data-driven online model selection with regret guarantees,
 * 2024): every learner i has a regret coefficient d_i that is estimated while it plays, and a potential
 *
 *     phi_i = clip( d_i sqrt(n_i), phi_i, 2 phi_i ),
 *
 * the regret that d_i allows it for its n_i plays. The learner with the smallest potential is chosen; ties go to the
 * lowest index. d3rb and ed2rb are two ways to revise d_i when a reward arrives. This file has everything else.
 *
 * The radius of a mean reward and the least coefficient, dmin, are in the unit of rewards. With the word `auto`, which
 * is the default, the unit is the standard deviation of all rewards so far: confidence is that number, and so is dmin.
 * The rule then does not depend on the unit of rewards. While all rewards are equal, the unit is 1.
 *
 * phi_i changes when i plays and again when d_i is revised, both times from its value before the play. If rewards
 * arrive at once, this is the rule as written above. If they arrive late, a learner is charged for a play before its
 * reward arrives.
 */
#ifndef POSSE_SELECTOR_BALANCE_H
#define POSSE_SELECTOR_BALANCE_H

#include "selector/earnings.h"
#include "selector/selector.h"

extern const posse_param balance_params[]; /* confidence, delta, dmin */

/* The numbers from which a learner's coefficient is revised, in the unit of coefficients. */
typedef struct balance_view {
    double heard, mean, radius; /* of the learner whose reward arrived */
    double low;                 /* the largest lower bound of all learners */
    double coefficient;         /* d_i so far */
    double smallest;            /* dmin */
} balance_view;

posse_error balance_prepare(const posse_setup *setup, void **out);
size_t balance_state_size(const void *plan);
void balance_start(const void *plan, void *state);
bool balance_sane(const void *plan, const void *state);
void balance_admit(const void *plan, void *state, int learner);
void balance_retire(const void *plan, void *state, int learner);
int balance_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
void balance_played(const void *plan, void *state, int learner, int arm, const double *point);
void balance_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
void balance_potentials(const void *plan, const void *state, int learners, double *out);

/* revise returns the new d_i. */
void balance_learn(const void *plan, void *state, const posse_outcome *o, double (*revise)(const balance_view *v));

#endif
