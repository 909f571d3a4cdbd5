/* SPDX-License-Identifier: MIT */
/*
 * A distribution p over the learners that follows their losses by mirror descent with the log barrier. corral and
 * stochastic-corral share it. A learner is drawn from p, mixed with a little of the uniform distribution,
 * q = (1 - gamma) p + gamma / M. When a reward is learned, its learner has the loss (1 - x) / q_i, where x is the place
 * of the reward in the range, the other learners have loss 0, and p takes a step. A learner whose q falls below its
 * floor gets a larger learning rate, and half of that q as its new floor, so that its probability recovers quickly once
 * it does well.
 *
 * gamma = 1 / T, floors begin at 1 / (2 M), rates grow by exp(1 / ln T) (ln T at least 1). A learner that joins gets
 * probability 1 / M. The probabilities and floors of the others are scaled in proportion, and again when a learner
 * retires. Before the first play all learners have equal probabilities.
 */
#ifndef POSSE_SELECTOR_MIRROR_H
#define POSSE_SELECTOR_MIRROR_H

#include "selector/range.h"
#include "selector/selector.h"

extern const posse_param mirror_params[]; /* rate, range */

/*
 * A selector with more data has a plan that begins with a mirror_plan, and a state that begins with the state of a
 * mirror_plan.
 */
typedef struct mirror_plan {
    int places;
    range range;
    double rate, gamma, growth;
} mirror_plan;

/* Fills the plan from the settings of mirror_params. kind: the name of the selector, for error messages. */
posse_error mirror_prepare(const posse_setup *setup, const char *kind, mirror_plan *out);

size_t mirror_state_size(const void *plan);
bool mirror_sane(const void *plan, const void *state);
void mirror_admit(const void *plan, void *state, int learner);
void mirror_retire(const void *plan, void *state, int learner);
int mirror_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
void mirror_played(const void *plan, void *state, int learner, int arm, const double *point);
void mirror_learn(const void *plan, void *state, const posse_outcome *o);
void mirror_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
void mirror_probabilities(const void *plan, const void *state, int learners, double *out);
double mirror_clipped(const void *plan, const void *state);

/* Notes a reward that does not move the distribution, but counts as clipped if it is outside of the range. */
void mirror_notice(const mirror_plan *p, void *state, double reward);

/* Whether a place has a learner. */
bool mirror_has(const mirror_plan *p, const void *state, int place);

/* The probability that a learner had in the latest choice. */
double mirror_chance(const mirror_plan *p, const void *state, int learner);

/*
 * A step of mirror descent with the log barrier, where each learner has its own learning rate rate_j. out is the
 * distribution with
 *
 *     1 / out_j = 1 / p_j + rate_j (l_j - lambda),
 *
 * where l_j is `loss` for the loser and 0 for the others, and lambda in [0, loss] is such that out sums to 1, to within
 * 1e-12. If p_j is 0, so is out_j. out may be p.
 */
void mirror_step(const double *p, const double *rate, int count, int loser, double loss, double *out);

#endif
