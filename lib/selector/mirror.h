/* SPDX-License-Identifier: MIT */
/*
 * A distribution p over the learners that follows their losses by mirror descent with the log barrier: what corral and
 * stochastic-corral have in common. A learner is drawn from p, mixed with a little of the uniform distribution,
 * q = (1 - gamma) p + gamma / M. A reward that is learned gives its learner the loss (1 - x) / q_i, x its place within
 * the range, and the others none, and p takes a step. A learner whose q falls below its floor gets a faster rate and
 * half of that q for its floor, so that it comes back quickly once it does well.
 *
 * gamma = 1 / T, floors begin at 1 / (2 M), rates grow by exp(1 / ln T) (ln T at least 1). A newcomer gets 1 / M of the
 * probability and the others keep theirs, and their floors, in proportion; so do those that are left when one retires.
 * Before the first play all are even.
 */
#ifndef POSSE_SELECTOR_MIRROR_H
#define POSSE_SELECTOR_MIRROR_H

#include "selector/range.h"
#include "selector/selector.h"

extern const posse_param mirror_params[]; /* rate, range */

/* A rule with more to remember has a plan that begins with this one, and a state that begins with this one's. */
typedef struct mirror_plan {
    int places;
    range range;
    double rate, gamma, growth;
} mirror_plan;

/* Fills the plan by the settings of mirror_params. kind: of the rule, for what is refused. */
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

/* A reward that moves nothing; it is counted where it lies outside of the range. */
void mirror_notice(const mirror_plan *p, void *state, double reward);

/* Whether a place has a learner. */
bool mirror_has(const mirror_plan *p, const void *state, int place);

/* With which probability the latest choice took a learner. */
double mirror_chance(const mirror_plan *p, const void *state, int learner);

/*
 * A step of mirror descent with the log barrier, learning rate rate_j each: out is the distribution with
 *
 *     1 / out_j = 1 / p_j + rate_j (l_j - lambda),
 *
 * l_j = loss for the loser and 0 for the others, and lambda in [0, loss] such that it sums to 1, to 1e-12. Where p_j is
 * 0 so is out_j; out may be p.
 */
void mirror_step(const double *p, const double *rate, int count, int loser, double loss, double *out);

#endif
