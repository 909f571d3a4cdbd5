/* SPDX-License-Identifier: MIT */
/* A learner that plays the first arm, as an extension of 0.1.0. */
#include <posse.h>

static posse_error prepare(const posse_setup *setup, void **plan) {
    (void)setup;
    *plan = 0;
    return POSSE_OK;
}

static size_t state_size(const void *plan) {
    (void)plan;
    return 0;
}

static int act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)draw, (void)point;
    return 0;
}

static void learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

static const posse_learner_ops first_arm = {
    .version = POSSE_EXTENSION_VERSION,
    .kind = {.name = "first-arm", .help = "plays the first arm", .prepare = prepare, .state_size = state_size},
    .act = act,
    .learn = learn,
};

const posse_learner_ops *const posse_plugin_learners[] = {&first_arm, 0};
