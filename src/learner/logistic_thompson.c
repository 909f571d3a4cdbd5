/* SPDX-License-Identifier: MIT */
/*
 * Logistic Thompson sampling, in contexts: the mean reward of an arm with features x is sigmoid(<theta, x> + bias), and
 * what is known of theta is N(mean, Sigma), learned by Laplace's approximation (belief/logistic_regression.h). It draws
 * theta ~ N(mean, width^2 Sigma) and plays the arm with the largest <theta, x>. Width 0 is greedy.
 * Reference: Chapelle, Li, An empirical evaluation of Thompson sampling (2011).
 */
#include "learner/learner.h"
#include "learner/logistic_model.h"

static posse_error prepare(const posse_setup *setup, void **out) {
    return logistic_model_prepare(setup, "logistic-thompson", out);
}

static int act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const logistic_plan *p = plan_;
    return model_largest_drawn(&p->model, state, round, p->width, draw);
}

const posse_learner_ops learner_logistic_thompson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-thompson",
             .help = "in contexts: Thompson sampling for means that are a sigmoid of a linear score",
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
