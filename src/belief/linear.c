/* SPDX-License-Identifier: MIT */
/*
 * Linear belief: mean rewards linear in the arms' coordinates, <theta, x_a>, with theta ~ N(0, I / precision) and known
 * noise. The posterior is kept in square-root form, see regression.h. Where theta drifts, each of its coordinates makes
 * a normal step of standard deviation `drift` from each round to the next: after every reward the covariance grows by
 * drift^2 I.
 */
#include "belief/linear.h"

#include <string.h>

#include "belief/regression.h"
#include "belief/robust.h"
#include "numeric/density.h"

const posse_param linear_params[] = {
    PARAMETER_PRECISION("precision", 0, "lambda: each coordinate of theta has prior variance 1 / precision"),
    PARAMETER_NOISE(0, LINEAR_NOISE_MIN, LINEAR_NOISE_MAX), PARAMETER_DRIFT("each coordinate's", LINEAR_DRIFT_MAX),
    PARAMETER_MODEL, PARAMETERS_END};

typedef struct plan {
    int dim;
    double precision, noise, drift;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    bool disjoint;
    posse_error error = regression_model(setup, &setup->settings[LINEAR_MODEL], &disjoint);
    if (error != POSSE_OK) return error;
    if (setup->space->dim == 0)
        return posse_setup_refuse(setup, NULL, -1,
                                  "a linear belief needs arms with coordinates, and these arms are independent");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){setup->space->dim, setup->settings[LINEAR_PRECISION].number, setup->settings[LINEAR_NOISE].number,
                setup->settings[LINEAR_DRIFT].number};
    *out = p;
    error = regression_fits(setup, p->precision, p->noise);
    return error == POSSE_OK && p->drift > 0.0 ? regression_fits(setup, 1.0 / (p->drift * p->drift), p->noise) : error;
}

static size_t state_size(const void *plan_) {
    return regression_size(((const plan *)plan_)->dim);
}

static void start(const void *plan_, void *state) {
    const plan *p = plan_;
    regression_start(state, p->dim, p->precision);
}

static bool sane(const void *plan_, const void *state) {
    return regression_sane(state, ((const plan *)plan_)->dim);
}

/* What is known of theta says what is expected of a newcomer. */
static void grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    (void)former_plan;
    memcpy(state, former_state, state_size(plan_));
}

static posse_belief_shape shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->dim, .one_hot = false};
}

static void update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm;
    const plan *p = plan_;
    double v[DIM_MAX];
    regression_update(state, p->dim, p->noise, point, reward, v);
    if (p->drift > 0.0) regression_widen(state, p->dim, p->drift);
}

static void draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    regression_draw(state, ((const plan *)plan_)->dim, 1.0, draw, world);
}

static void add_mean(const void *plan_, const void *state, double scale, double *world) {
    const double *mean = state;
    for (int j = 0; j < ((const plan *)plan_)->dim; j++) world[j] += scale * mean[j];
}

static double evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)arm;
    const plan *p = plan_;
    double variance = regression_variance(state, p->dim, point) + p->noise * p->noise;
    return log_normal_density(reward, dot(point, state, p->dim), variance);
}

static void moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                    double *variance) {
    (void)arm;
    int dim = ((const plan *)plan_)->dim;
    *mean = dot(point, state, dim);
    *variance = regression_variance(state, dim, point);
}

/* theta may be 3 or 10 times as large as the prior has it, and the noise may be smaller or larger. */
static const robust_scaling variants[LINEAR_VARIANTS] = {
    {LINEAR_PRECISION, 1.0, 9.0}, {LINEAR_PRECISION, 1.0, 100.0}, {LINEAR_NOISE, 1.0, 3.0}, {LINEAR_NOISE, 3.0, 1.0}};

posse_error linear_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return robust_scale(setup, &variants[variant], settings);
}

const posse_belief_ops belief_linear = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear",
             .help = "means linear in the arms' coordinates, normal theta, which may drift, and known normal noise",
             .params = linear_params,
             .prepare = prepare,
             .state_size = state_size,
             .start = start,
             .sane = sane,
             .grow = grow},
    .shape = shape,
    .update = update,
    .draw = draw,
    .add_mean = add_mean,
    .evidence = evidence,
    .variants = LINEAR_VARIANTS,
    .vary = linear_vary,
    .moments = moments,
    .in_contexts = &belief_linear_in_contexts,
};
