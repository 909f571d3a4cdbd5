/* SPDX-License-Identifier: MIT */
/*
 * SquareCB over a linear model that learns by gradient steps (sgd_model.h), in contexts: the rule of square_cb.c, with
 * gamma_t = gamma t^exponent in the t-th round that it learns.
 */
#include "learner/learner.h"
#include "learner/sgd_model.h"

enum { GAMMA, EXPONENT, MODEL };

static const posse_param params[] = {PARAMETER_GAMMA, PARAMETER_EXPONENT, PARAMETERS_OF_SGD, PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double gamma, exponent;
} plan;

static posse_error sgd_square_cb_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->gamma = setup->settings[GAMMA].number;
    p->exponent = setup->settings[EXPONENT].number;
    return sgd_prepare(setup, "sgd-square-cb", setup->settings + MODEL, 1, &p->model);
}

static int sgd_square_cb_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    const double *values = sgd_values(&p->model, state, 0, round);
    double gamma = p->gamma * posse_exp(p->exponent * posse_log(1.0 + sgd_learned(state)));
    int best = largest(values, round->count);
    double left = posse_draw_uniform(draw);
    for (int k = 0; k < round->count; k++) {
        if (k == best) continue;
        left -= 1.0 / (round->count + gamma * (values[best] - values[k]));
        if (left < 0.0) return k;
    }
    return best;
}

const posse_learner_ops learner_sgd_square_cb = {
    .kind =
        {.version = POSSE_EXTENSION_VERSION,
         .name = "sgd-square-cb",
         .help =
             "in contexts: the worse an arm is by a linear model that learns by gradient steps, the less often it is played",
         .params = params,
         .prepare = sgd_square_cb_prepare,
         .state_size = sgd_state_size,
         .sane = sgd_sane,
         .grow = sgd_grow},
    .learn = sgd_learn,
    .act_in = sgd_square_cb_act_in,
};
