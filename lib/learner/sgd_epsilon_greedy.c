/* SPDX-License-Identifier: MIT */
/*
 * Epsilon-greedy over a linear model that learns by gradient steps (sgd_model.h), in contexts: with probability epsilon
 * an available arm at random, else the arm with the largest value.
 */
#include "learner/learner.h"
#include "learner/sgd_model.h"

enum { EPSILON, MODEL };

static const posse_param params[] = {PARAMETER_EPSILON(0.05), PARAMETERS_OF_SGD, PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double epsilon;
} plan;

static posse_error sgd_epsilon_greedy_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->epsilon = setup->settings[EPSILON].number;
    return sgd_prepare(setup, "sgd-epsilon-greedy", setup->settings + MODEL, 1, &p->model);
}

static int sgd_epsilon_greedy_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    if (posse_draw_uniform(draw) < p->epsilon) return (int)posse_draw_index(draw, (uint64_t)round->count);
    return sgd_best(&p->model, state, 0, round);
}

const posse_learner_ops learner_sgd_epsilon_greedy = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "sgd-epsilon-greedy",
             .help =
                 "in contexts: the best arm of a linear model that learns by gradient steps, or sometimes a random arm",
             .params = params,
             .prepare = sgd_epsilon_greedy_prepare,
             .state_size = sgd_state_size,
             .sane = sgd_sane,
             .grow = sgd_grow},
    .learn = sgd_learn,
    .act_in = sgd_epsilon_greedy_act_in,
};
