/* SPDX-License-Identifier: MIT */
/*
 * Logistic Thompson sampling: the mean reward of an arm with point x is sigmoid(<theta, x> + bias), and the posterior
 * of theta is N(mean, Sigma), by Laplace's approximation. It is fitted to all rewards (belief/logistic_counts.h) or, in
 * contexts, where x is the feature vector of an arm, updated reward by reward (belief/logistic_regression.h). The
 * learner draws theta ~ N(mean, width^2 Sigma) and plays the arm with the largest <theta, x>. Width 0 is greedy.
 * Reference: Chapelle, Li, An empirical evaluation of Thompson sampling (2011).
 */
#include "learner/learner.h"
#include "learner/logistic_model.h"

static const posse_param params[] = {PARAMETERS_OF_LOGISTIC_MODEL(0.1), PARAMETERS_END};

static posse_error logistic_thompson_prepare(const posse_setup *setup, void **out) {
    return logistic_arms_prepare(setup, "logistic-thompson", out);
}

static int logistic_thompson_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    const logistic_arms *p = plan_;
    const posse_space *space = p->counts.space;
    double theta[DIM_MAX], value;
    const double *coordinates;
    regression_draw(logistic_counts_normal(&p->counts, state), space->dim, p->width, draw, theta);
    return space_best(space, theta, &value, &coordinates, point);
}

static posse_error logistic_thompson_prepare_in(const posse_setup *setup, void **out) {
    posse_error error = logistic_model_prepare(setup, out);
    if (error != POSSE_OK) return error;
    logistic_plan *p = *out;
    p->model.asks = model_asks_for(&p->model, p->width, true);
    return POSSE_OK;
}

static int logistic_thompson_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                                    posse_estimates *estimates) {
    const logistic_plan *p = plan_;
    return model_largest_drawn(&p->model, state, round, p->width, draw, estimates);
}

static int logistic_thompson_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return logistic_thompson_act_by(plan_, state, draw, round, NULL);
}

static const posse_learner_ops in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-thompson",
             .params = params,
             .prepare = logistic_thompson_prepare_in,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .unit_rewards = model_unit_rewards,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = logistic_thompson_act_in,
    .same_model = model_same,
    .act_by = logistic_thompson_act_by,
    .estimate = model_estimate_rounds,
    .as_belief = model_as_belief,
};

const posse_learner_ops learner_logistic_thompson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-thompson",
             .help = "Thompson sampling for means that are a sigmoid of a linear score",
             .params = params,
             .prepare = logistic_thompson_prepare,
             .state_size = logistic_arms_size,
             .start = logistic_arms_start,
             .sane = logistic_arms_sane,
             .unit_rewards = logistic_arms_unit_rewards,
             .grow = logistic_arms_grow},
    .act = logistic_thompson_act,
    .learn = logistic_arms_learn,
    .in_contexts = &in_contexts,
};
