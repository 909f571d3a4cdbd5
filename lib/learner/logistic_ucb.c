/* SPDX-License-Identifier: MIT */
/*
 * Logistic UCB: plays the arm with the largest <mean, x> + width sqrt(x^T Sigma x), with mean and Sigma as in
 * logistic_thompson.c, without contexts and in contexts. The sigmoid of a larger score is larger, so the sigmoid need
 * not be computed. Ties go to the lowest index. Reference: Filippi, Cappe, Garivier, Szepesvari, Parametric bandits:
 * the generalized linear case (2010).
 */
#include <math.h>

#include "learner/learner.h"
#include "learner/logistic_model.h"

static const posse_param params[] = {PARAMETERS_OF_LOGISTIC_MODEL(0.3), PARAMETERS_END};

static posse_error logistic_ucb_prepare(const posse_setup *setup, void **out) {
    return logistic_arms_prepare(setup, "logistic-ucb", out);
}

static int logistic_ucb_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const logistic_arms *p = plan_;
    const posse_space *space = p->counts.space;
    const double *normal = logistic_counts_normal(&p->counts, state);
    int best = -1;
    double top = -INFINITY;
    for (int a = 0; a < space->arms; a++) {
        if (!space_has(space, a)) continue;
        const double *x = space_point(space, a);
        double bound = dot(normal, x, space->dim) + p->width * sqrt(regression_variance(normal, space->dim, x));
        if (best >= 0 && !(bound > top)) continue;
        best = a;
        top = bound;
    }
    return best;
}

static int logistic_ucb_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                               posse_estimates *estimates) {
    (void)draw;
    const logistic_plan *p = plan_;
    return model_largest_bound(&p->model, state, round, p->width, estimates);
}

static int logistic_ucb_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return logistic_ucb_act_by(plan_, state, draw, round, NULL);
}

static const posse_learner_ops in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-ucb",
             .params = params,
             .prepare = logistic_model_prepare,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .unit_rewards = model_unit_rewards,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = logistic_ucb_act_in,
    .same_model = model_same,
    .act_by = logistic_ucb_act_by,
    .estimate = model_estimate_rounds,
    .as_belief = model_as_belief,
};

const posse_learner_ops learner_logistic_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic-ucb",
             .help = "the arm with the largest upper confidence bound, for means that are a sigmoid of a linear score",
             .params = params,
             .prepare = logistic_ucb_prepare,
             .state_size = logistic_arms_size,
             .start = logistic_arms_start,
             .sane = logistic_arms_sane,
             .unit_rewards = logistic_arms_unit_rewards,
             .grow = logistic_arms_grow},
    .act = logistic_ucb_act,
    .learn = logistic_arms_learn,
    .in_contexts = &in_contexts,
};
