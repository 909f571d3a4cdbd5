/* SPDX-License-Identifier: MIT */
/*
 * Linear UCB: plays the arm with the largest <mean, x> + width sqrt(x^T V^-1 x), with mean and V as in
 * linear_thompson.c. Ties go to the lowest index.
 *
 * The variances x^T V^-1 x of all arms are kept. A reward of point y changes V^-1 by -v v^T / alpha (v = V^-1 y), and
 * so the variance of x by -<x, v>^2 / alpha. That is one product per arm instead of a quadratic form. If nearly all of
 * a variance cancels, it is computed anew. In contexts x is the feature vector of an arm, and there is one V for all
 * arms or one for each (model.h). Variances are then computed when they are needed. Reference: Abbasi-Yadkori, Pal,
 * Szepesvari, Improved algorithms for linear stochastic bandits (2011).
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
                                      .fallback = 0.5,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "factor on the standard deviation of an arm's value"},
                                     PARAMETERS_OF_LINEAR_MODEL(""),
                                     PARAMETERS_END};

typedef struct plan {
    const posse_space *space;
    double width, precision, bias;
} plan;

/* The state is the regression's, followed by a variance per arm. */
static double *variances_of(const plan *p, const void *state) {
    return (double *)((char *)(uintptr_t)state + regression_size(p->space->dim));
}

static posse_error linear_ucb_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_points(setup, "linear-ucb");
    if (error == POSSE_OK) error = learner_needs_arms(setup, "linear-ucb");
    if (error == POSSE_OK) error = linear_model_refuse(setup, setup->settings + MODEL);
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *settings = setup->settings;
    *p = (plan){setup->space, settings[WIDTH].number,
                model_precision(&settings[MODEL + MODEL_PRECISION], setup->space->dim),
                settings[MODEL + MODEL_BIAS].number};
    *out = p;
    return regression_fits(setup, p->precision, 1.0);
}

static size_t linear_ucb_state_size(const void *plan_) {
    const plan *p = plan_;
    return regression_size(p->space->dim) + (size_t)p->space->arms * sizeof(double);
}

static void linear_ucb_start(const void *plan_, void *state) {
    const plan *p = plan_;
    int dim = p->space->dim;
    regression_start(state, dim, p->precision);
    for (int a = 0; a < p->space->arms; a++) {
        const double *x = space_point(p->space, a);
        variances_of(p, state)[a] = dot(x, x, dim) / p->precision;
    }
}

static bool linear_ucb_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    bool all = regression_sane(state, p->space->dim);
    for (int a = 0; a < p->space->arms; a++) all = all && isfinite(variances_of(p, state)[a]);
    return all;
}

/* The variance that linear_ucb_start wrote for a new arm is right if nothing was learned. */
static void linear_ucb_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    size_t size = regression_size(p->space->dim);
    bool learned = memcmp(state, former_state, size) != 0;
    memcpy(state, former_state, size);
    double *variances = variances_of(p, state);
    memcpy(variances, variances_of(q, former_state), (size_t)q->space->arms * sizeof *variances);
    for (int a = q->space->arms; a < p->space->arms && learned; a++)
        variances[a] = regression_variance(state, p->space->dim, space_point(p->space, a));
}

/* The arm with the largest bound among `count` active arms; active NULL: the first `count` arms. */
static inline int linear_ucb_largest_bound(const plan *p, const void *state, const int *active, int count) {
    const double *mean = state, *variances = variances_of(p, state);
    int best = active != NULL ? active[0] : 0;
    double bound = -INFINITY;
    for (int k = 0; k < count; k++) {
        int a = active != NULL ? active[k] : k;
        double value = dot(mean, space_point(p->space, a), p->space->dim) + p->width * sqrt(variances[a]);
        if (value > bound) {
            bound = value;
            best = a;
        }
    }
    return best;
}

static int linear_ucb_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    const posse_space *space = p->space;
    if (space->active == NULL) return linear_ucb_largest_bound(p, state, NULL, space->arms);
    return linear_ucb_largest_bound(p, state, space->active, space->active_count);
}

static void linear_ucb_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm;
    const plan *p = plan_;
    double v[DIM_MAX], *variances = variances_of(p, state);
    double alpha = regression_update(state, p->space->dim, 1.0, point, reward - p->bias, v);
    for (int a = 0; a < p->space->arms; a++) {
        double product = dot(v, space_point(p->space, a), p->space->dim);
        double left = variances[a] - product / alpha * product;
        bool cancelled = left < 1e-3 * variances[a];
        variances[a] = cancelled ? regression_variance(state, p->space->dim, space_point(p->space, a)) : left;
    }
}

/* ------------------------------------------------ in contexts ---------------------------------------------- */

typedef struct plan_in {
    model model;
    double width;
} plan_in;

static posse_error linear_ucb_prepare_in(const posse_setup *setup, void **out) {
    plan_in *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->width = setup->settings[WIDTH].number;
    posse_error error = linear_model_prepare(setup, setup->settings + MODEL, &p->model);
    p->model.asks = model_asks_for(&p->model, p->width, false);
    return error;
}

static int linear_ucb_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                             posse_estimates *estimates) {
    (void)draw;
    const plan_in *p = plan_;
    return model_largest_bound(&p->model, state, round, p->width, estimates);
}

static int linear_ucb_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return linear_ucb_act_by(plan_, state, draw, round, NULL);
}

static const posse_learner_ops in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear-ucb",
             .params = params,
             .prepare = linear_ucb_prepare_in,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = linear_ucb_act_in,
    .same_model = model_same,
    .act_by = linear_ucb_act_by,
    .estimate = model_estimate_rounds,
};

const posse_learner_ops learner_linear_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear-ucb",
             .help = "the arm with the largest upper confidence bound, for linear means",
             .params = params,
             .prepare = linear_ucb_prepare,
             .state_size = linear_ucb_state_size,
             .start = linear_ucb_start,
             .sane = linear_ucb_sane,
             .grow = linear_ucb_grow},
    .act = linear_ucb_act,
    .learn = linear_ucb_learn,
    .in_contexts = &in_contexts,
};
