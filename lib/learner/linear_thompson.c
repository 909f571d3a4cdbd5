/* SPDX-License-Identifier: MIT */
/*
 * Linear Thompson sampling: draws theta ~ N(mean, width^2 d V^-1) and plays the best arm for this theta, with
 *
 *     V = precision I + sum x x^T,    mean = V^-1 sum x r
 *
 * over the rewards r of points x it has learned. V^-1 is kept as a square root, see belief/regression.h. Width 0 is
 * greedy. In contexts x is the feature vector of an arm, d is the number of features that the learner uses, and there
 * is one V for all arms or one for each (model.h). Reference: Abeille, Lazaric, Linear Thompson sampling revisited
 * (2017).
 */
#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "learner/learner.h"
#include "learner/model.h"

enum { WIDTH, MODEL };

static const posse_param params[] = {{.name = "width",
                                      .type = POSSE_TYPE_REAL,
                                      .flags = POSSE_PARAM_KEPT,
                                      .fallback = 0.05,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "c: weights are drawn from N(theta, c^2 d V^-1)"},
                                     PARAMETERS_OF_LINEAR_MODEL(""),
                                     PARAMETERS_END};

typedef struct plan {
    const posse_space *space;
    double precision, bias;
    double scale; /* width sqrt(d) */
} plan;

static posse_error linear_thompson_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_points(setup, "linear-thompson");
    if (error == POSSE_OK) error = linear_model_refuse(setup, setup->settings + MODEL);
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *settings = setup->settings;
    *p = (plan){setup->space, model_precision(&settings[MODEL + MODEL_PRECISION], setup->space->dim),
                settings[MODEL + MODEL_BIAS].number, settings[WIDTH].number * sqrt(setup->space->dim)};
    *out = p;
    return regression_fits(setup, p->precision, 1.0);
}

static size_t linear_thompson_state_size(const void *plan_) {
    return regression_size(((const plan *)plan_)->space->dim);
}

static void linear_thompson_start(const void *plan_, void *state) {
    const plan *p = plan_;
    regression_start(state, p->space->dim, p->precision);
}

static bool linear_thompson_sane(const void *plan_, const void *state) {
    return regression_sane(state, ((const plan *)plan_)->space->dim);
}

static void linear_thompson_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    (void)former_plan;
    memcpy(state, former_state, linear_thompson_state_size(plan_));
}

static int linear_thompson_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    const plan *p = plan_;
    double theta[DIM_MAX], value;
    const double *coordinates;
    regression_draw(state, p->space->dim, p->scale, draw, theta);
    return space_best(p->space, theta, &value, &coordinates, point);
}

static void linear_thompson_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm;
    const plan *p = plan_;
    double v[DIM_MAX];
    regression_update(state, p->space->dim, 1.0, point, reward - p->bias, v);
}

/* ------------------------------------------------ in contexts ---------------------------------------------- */

typedef struct plan_in {
    model model;
    double scale; /* width sqrt(d) */
} plan_in;

static posse_error linear_thompson_prepare_in(const posse_setup *setup, void **out) {
    plan_in *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    posse_error error = linear_model_prepare(setup, setup->settings + MODEL, &p->model);
    if (error == POSSE_OK) p->scale = setup->settings[WIDTH].number * sqrt(model_dim(&p->model));
    p->model.asks = model_asks_for(&p->model, p->scale, true);
    return error;
}

static int linear_thompson_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                                  posse_estimates *estimates) {
    const plan_in *p = plan_;
    return model_largest_drawn(&p->model, state, round, p->scale, draw, estimates);
}

static int linear_thompson_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return linear_thompson_act_by(plan_, state, draw, round, NULL);
}

static const posse_learner_ops in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear-thompson",
             .params = params,
             .prepare = linear_thompson_prepare_in,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = linear_thompson_act_in,
    .same_model = model_same,
    .act_by = linear_thompson_act_by,
    .estimate = model_estimate_rounds,
};

const posse_learner_ops learner_linear_thompson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear-thompson",
             .help = "Thompson sampling for linear means, with a given width",
             .params = params,
             .prepare = linear_thompson_prepare,
             .state_size = linear_thompson_state_size,
             .start = linear_thompson_start,
             .sane = linear_thompson_sane,
             .grow = linear_thompson_grow},
    .act = linear_thompson_act,
    .learn = linear_thompson_learn,
    .in_contexts = &in_contexts,
};
