/* SPDX-License-Identifier: MIT */
/*
 * SquareCB, in contexts: inverse-gap weighting. With value_a = <mean, x_a> of a linear model (model.h), K available
 * arms and b the best of them, it plays
 *
 *     arm a with probability 1 / (K + gamma_t (value_b - value_a)),   and b with the rest,
 *
 * where gamma_t = gamma t^exponent, in the t-th round that it learns. The theorem has gamma_t of the order sqrt(K t)
 * for a linear model; Vowpal Wabbit uses 10 t^0.5, for rewards in [0, 1].
 * Reference: Foster, Rakhlin, Beyond UCB: optimal and efficient contextual bandits with regression oracles (2020).
 */
#include "learner/learner.h"
#include "learner/model.h"

enum { GAMMA, EXPONENT, MODEL };

static const posse_param params[] = {PARAMETER_GAMMA, PARAMETER_EXPONENT, PARAMETERS_OF_LINEAR_MODEL(""),
                                     PARAMETERS_END};

typedef struct plan {
    model model;
    double gamma, exponent;
} plan;

static posse_error square_cb_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_contexts(setup, "square-cb");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->gamma = setup->settings[GAMMA].number;
    p->exponent = setup->settings[EXPONENT].number;
    return linear_model_prepare(setup, setup->settings + MODEL, &p->model);
}

/*
 * Subtracts the probabilities of the other arms from a uniform, one by one, until it is negative. If it never is, the
 * best arm is played.
 */
static int square_cb_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                            posse_estimates *estimates) {
    const plan *p = plan_;
    int best = model_largest_value(&p->model, state, round, estimates);
    double left = posse_draw_uniform(draw), value = model_value(&p->model, state, round, best);
    double gamma = p->gamma / model_noise(&p->model, state, round->arms[best]) *
                   posse_exp(p->exponent * posse_log(1.0 + model_learned(state)));
    for (int k = 0; k < round->count; k++) {
        if (k == best) continue;
        left -= 1.0 / (round->count + gamma * (value - model_value(&p->model, state, round, k)));
        if (left < 0.0) return k;
    }
    return best;
}

static int square_cb_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return square_cb_act_by(plan_, state, draw, round, NULL);
}

const posse_learner_ops learner_square_cb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "square-cb",
             .help = "in contexts: the worse an arm is by a linear model, the less often it is played",
             .params = params,
             .prepare = square_cb_prepare,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = square_cb_act_in,
    .same_model = model_same,
    .act_by = square_cb_act_by,
    .estimate = model_estimate_rounds,
};
