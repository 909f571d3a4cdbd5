/* SPDX-License-Identifier: MIT */
/*
 * External: the application has a model of its own (a service, a file of weights, a person). A decision returns the
 * learner. The application then acts, and reports the arm it played (posse_acted). Learning from the reward is up to
 * the application.
 */
#include "learner/learner.h"

static posse_error external_prepare(const posse_setup *setup, void **out) {
    (void)setup;
    *out = NULL;
    return POSSE_OK;
}

static size_t external_state_size(const void *plan) {
    (void)plan;
    return 0;
}

static void external_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    (void)plan, (void)state, (void)former_plan, (void)former_state;
}

static void external_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

const posse_learner_ops learner_external = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "external",
             .help = "a model of the application, which reports the arm that it played",
             .prepare = external_prepare,
             .state_size = external_state_size,
             .grow = external_grow},
    .learn = external_learn,
};
