/* SPDX-License-Identifier: MIT */
/*
 * Logistic belief for rounds with features x: the mean reward of an arm is sigmoid(<theta, x> + bias), with one theta
 * for all arms (joint) or one for each (disjoint), each theta ~ N(0, I / precision). Rewards are in [0, 1]: 1 with that
 * probability and else 0, and a reward in between counts as that fraction of a 1. The posterior is kept as a normal one
 * by Laplace's approximation, reward by reward (logistic_regression.h). A world is theta, or the thetas of all arms one
 * after the other.
 */
#include "belief/logistic.h"

#include <string.h>

#include "belief/logistic_regression.h"
#include "belief/regressions.h"

typedef struct plan {
    regressions regressions;
    double bias;
} plan;

static posse_error logistic_in_contexts_prepare(const posse_setup *setup, void **out) {
    bool disjoint;
    const posse_option *inference = &setup->settings[LOGISTIC_INFERENCE];
    if (strcmp(inference->word, "laplace") != 0)
        return posse_setup_refuse(
            setup, "inference", -1,
            "`%s` counts the rewards of each arm, but these rounds have features, which differ every time: "
            "leave it out",
            inference->word);
    posse_error error = regression_model(setup, &setup->settings[LOGISTIC_MODEL], &disjoint);
    if (error == POSSE_OK) error = logistic_check_inference(setup);
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->bias = setup->settings[LOGISTIC_BIAS].number;
    *out = p;
    return regressions_prepare(setup, &setup->settings[LOGISTIC_COVARIANCE], disjoint, setup->space->features,
                               setup->settings[LOGISTIC_PRECISION].number, &p->regressions);
}

bool logistic_is_diagonal(const void *plan_) {
    return ((const plan *)plan_)->regressions.diagonal;
}

static bool logistic_in_contexts_unit_rewards(const void *plan_) {
    (void)plan_;
    return true;
}

static posse_belief_model logistic_in_contexts_model(const void *plan_) {
    const plan *p = plan_;
    return (posse_belief_model){.disjoint = p->regressions.disjoint, .logistic = true, .bias = p->bias};
}

static void logistic_in_contexts_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    regressions_logistic_update(&p->regressions, state, arm, p->bias, point, reward);
}

static double logistic_in_contexts_evidence(const void *plan_, const void *state, int arm, const double *point,
                                            double reward) {
    const plan *p = plan_;
    const regressions *r = &p->regressions;
    return logistic_evidence(regressions_mean(r, state, arm, point), regressions_variance(r, state, arm, point),
                             p->bias, reward);
}

static void logistic_in_contexts_moments(const void *plan_, const void *state, int arm, const double *point,
                                         double *mean, double *variance) {
    const plan *p = plan_;
    const regressions *r = &p->regressions;
    logistic_moments(regressions_mean(r, state, arm, point), regressions_variance(r, state, arm, point), p->bias, mean,
                     variance);
}

const posse_belief_ops belief_logistic_in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic",
             .params = logistic_params,
             .prepare = logistic_in_contexts_prepare,
             .state_size = regressions_size,
             .start = regressions_start,
             .sane = regressions_sane,
             .unit_rewards = logistic_in_contexts_unit_rewards,
             .grow = regressions_grow},
    .shape = regressions_shape,
    .update = logistic_in_contexts_update,
    .draw = regressions_draw,
    .add_mean = regressions_add_mean,
    .evidence = logistic_in_contexts_evidence,
    .variants = LOGISTIC_VARIANTS,
    .vary = logistic_vary,
    .moments = logistic_in_contexts_moments,
    .model = logistic_in_contexts_model,
};
