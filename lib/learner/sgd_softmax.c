/* SPDX-License-Identifier: MIT */
/*
 * Softmax over a linear model that learns by gradient steps (sgd_model.h), in contexts: arm a with a probability
 * proportional to exp(lambda value_a).
 */
#include "learner/learner.h"
#include "learner/sgd_model.h"

enum { LAMBDA, MODEL };

static const posse_param params[] = {{.name = "lambda",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 10.0,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "how strongly it prefers better arms; 0: not at all"},
                                     PARAMETERS_OF_SGD,
                                     PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double lambda;
} plan;

static posse_error sgd_softmax_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->lambda = setup->settings[LAMBDA].number;
    return sgd_prepare(setup, "sgd-softmax", setup->settings + MODEL, 1, &p->model);
}

/* Relative to the largest value, so that nothing overflows. */
static int sgd_softmax_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    double *values = sgd_values(&p->model, state, 0, round), top = largest_value(values, round->count);
    for (int k = 0; k < round->count; k++) values[k] = posse_exp(p->lambda * (values[k] - top));
    return (int)posse_draw_weighted(draw, values, (size_t)round->count);
}

const posse_learner_ops learner_sgd_softmax = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "sgd-softmax",
             .help =
                 "in contexts: arms by the exponential of their value in a linear model that learns by gradient steps",
             .params = params,
             .prepare = sgd_softmax_prepare,
             .state_size = sgd_state_size,
             .sane = sgd_sane,
             .grow = sgd_grow},
    .learn = sgd_learn,
    .act_in = sgd_softmax_act_in,
};
