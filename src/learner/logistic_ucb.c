/* SPDX-License-Identifier: MIT */
/*
 * Logistic UCB, in contexts: plays the arm with the largest <mean, x> + width sqrt(x^T Sigma x), with mean and Sigma as
 * in logistic_thompson.c. The sigmoid of a larger score is larger, so it need not be computed. Ties go to the lowest
 * index.
 * Reference: Filippi, Cappe, Garivier, Szepesvari, Parametric bandits: the generalized linear case (2010).
 */
#include "learner/learner.h"
#include "learner/logistic_model.h"

static posse_error prepare(const posse_setup *setup, void **out) {
    return logistic_model_prepare(setup, "logistic-ucb", out);
}

static int act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    (void)draw;
    const logistic_plan *p = plan_;
    return model_largest_bound(&p->model, state, round, p->width);
}

const posse_learner_ops learner_logistic_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-ucb",
             .help = "in contexts: the largest upper confidence bound, for means that are a sigmoid of a linear score",
             .params = logistic_model_params,
             .prepare = prepare,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .unit_rewards = model_unit_rewards,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = act_in,
};
