/*
 * Data-driven regret balancing (Pacchiano, Dann, Gentile, Data-driven online model selection with regret guarantees,
 * 2024): every learner i has a regret coefficient d_i that is found on the way, and a potential
 *
 *     phi_i = clip( d_i sqrt(n_i), phi_i, 2 phi_i ),
 *
 * the regret that d_i allows it for its n_i plays; the smallest potential is chosen, ties to the lowest index. d3rb and
 * ed2rb are two ways to revise d_i once a reward is heard; all else they have in common is here.
 *
 * phi_i moves when i plays and again when d_i is revised, both times from where it stood before the play. With rewards
 * at once that is the rule as it is written; with late ones a learner that plays pays for it already.
 */
#ifndef POSSE_SELECTOR_BALANCE_H
#define POSSE_SELECTOR_BALANCE_H

#include "selector/earnings.h"
#include "selector/selector.h"

extern const posse_param balance_params[]; /* confidence, delta, dmin */

/* What a learner's coefficient is revised by. */
typedef struct balance_view {
    double heard, mean, radius; /* of the learner that was heard */
    double low;                 /* the largest lower bound of any */
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

/* revise: the new d_i. */
void balance_learn(const void *plan, void *state, const posse_outcome *o, double (*revise)(const balance_view *v));

#endif
