/* SPDX-License-Identifier: MIT */
/*
 * Linear belief: mean rewards linear in the arms' coordinates, <theta, x_a>, with theta ~ N(0, I / precision) and noise
 * that is known or has a prior itself. The posterior is kept in square-root form, see regression.h. Where theta drifts,
 * each of its coordinates makes a normal step of standard deviation `drift` from each round to the next: after every
 * reward the covariance grows by drift^2 I.
 */
#include "belief/linear.h"

#include <string.h>

#include "belief/regressions.h"
#include "belief/robust.h"
#include "belief/unknown_noise.h"
#include "numeric/density.h"

const posse_param linear_params[] = {
    PARAMETER_PRECISION("precision", 0, "lambda: each coordinate of theta has prior variance 1 / precision"),
    PARAMETER_NOISE_OR(LINEAR_NOISE_MIN, LINEAR_NOISE_MAX),
    PARAMETERS_UNKNOWN_NOISE,
    PARAMETER_DRIFT("each coordinate's", LINEAR_DRIFT_MAX),
    PARAMETER_MODEL,
    PARAMETER_COVARIANCE,
    PARAMETERS_END};

/* --------------------------------------------------- noise -------------------------------------------------- */

enum { SHAPE, SCALE, SPREAD };

static double number_or(const posse_option *setting, double otherwise) {
    return setting->key != NULL ? setting->number : otherwise;
}

posse_error linear_noise_prepare(const posse_setup *setup, linear_noise *out) {
    const posse_option *shape = &setup->settings[LINEAR_NOISE_SHAPE], *scale = &setup->settings[LINEAR_NOISE_SCALE];
    bool unknown = shape->key != NULL || scale->key != NULL;
    *out = (linear_noise){unknown ? 1.0 : setup->settings[LINEAR_NOISE].number, unknown,
                          number_or(shape, UNKNOWN_SHAPE), number_or(scale, UNKNOWN_SCALE)};
    if (!unknown || setup->settings[LINEAR_DRIFT].number == 0.0) return POSSE_OK;
    return posse_setup_refuse(setup, "drift", -1,
                              "a theta that drifts has no posterior in closed form where the noise is unknown: make it "
                              "0, or the noise a number");
}

size_t linear_noise_size(const linear_noise *n) {
    return n->unknown ? SPREAD * sizeof(double) : 0;
}

void linear_noise_start(const linear_noise *n, double *spread) {
    if (!n->unknown) return;
    spread[SHAPE] = n->shape;
    spread[SCALE] = n->scale;
}

bool linear_noise_sane(const linear_noise *n, const double *spread) {
    return !n->unknown || unknown_noise_sane(spread[SHAPE], spread[SCALE]);
}

void linear_noise_learn(const linear_noise *n, double *spread, double off, double alpha) {
    if (!n->unknown) return;
    spread[SHAPE] += 0.5;
    spread[SCALE] += 0.5 * off * off / alpha;
}

double linear_noise_evidence(const linear_noise *n, const double *spread, double mean, double variance, double reward) {
    double width = variance + n->sd * n->sd;
    if (!n->unknown) return log_normal_density(reward, mean, width);
    return log_student_density(reward, mean, width, spread[SHAPE], spread[SCALE]);
}

double linear_noise_variance(const linear_noise *n, const double *spread, double variance) {
    bool scaled = n->unknown && variance > 0.0;
    return scaled ? variance * unknown_noise_mean(spread[SHAPE], spread[SCALE]) : variance;
}

void linear_learn(const linear_noise *n, linear_view v, const double *x, double reward) {
    double product[DIM_MAX], off = n->unknown ? reward - dot(x, v.regression, v.dim) : 0.0;
    double alpha = regression_update(v.regression, v.dim, n->sd, x, reward, product);
    linear_noise_learn(n, v.spread, off, alpha);
}

double linear_evidence(const linear_noise *n, linear_view v, const double *x, double reward) {
    double variance = regression_variance(v.regression, v.dim, x);
    return linear_noise_evidence(n, v.spread, dot(x, v.regression, v.dim), variance, reward);
}

void linear_moments(const linear_noise *n, linear_view v, const double *x, double *mean, double *variance) {
    *mean = dot(x, v.regression, v.dim);
    *variance = linear_noise_variance(n, v.spread, regression_variance(v.regression, v.dim, x));
}

double linear_draw_scale(const linear_noise *n, const double *spread, posse_draw *draw) {
    return n->unknown ? unknown_noise_draw(draw, spread[SHAPE], spread[SCALE]) : 1.0;
}

/* ------------------------------------------------ without contexts ------------------------------------------- */

typedef struct plan {
    int dim;
    double precision, drift;
    linear_noise noise;
} plan;

static linear_view linear_view_of(const plan *p, const void *state) {
    double *numbers = (double *)(uintptr_t)state;
    return (linear_view){numbers, numbers + regression_size(p->dim) / sizeof(double), p->dim};
}

static posse_error linear_prepare(const posse_setup *setup, void **out) {
    bool disjoint;
    posse_error error = regression_model(setup, &setup->settings[LINEAR_MODEL], &disjoint);
    if (error != POSSE_OK) return error;
    error = regressions_refuse_covariance(setup, &setup->settings[LINEAR_COVARIANCE]);
    if (error != POSSE_OK) return error;
    if (setup->space->dim == 0)
        return posse_setup_refuse(setup, NULL, -1,
                                  "a linear belief needs arms with coordinates, and these arms are independent");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){.dim = setup->space->dim,
                .precision = setup->settings[LINEAR_PRECISION].number,
                .drift = setup->settings[LINEAR_DRIFT].number};
    *out = p;
    error = linear_noise_prepare(setup, &p->noise);
    if (error == POSSE_OK) error = regression_fits(setup, p->precision, p->noise.sd);
    if (error != POSSE_OK || p->drift == 0.0) return error;
    return regression_fits(setup, 1.0 / (p->drift * p->drift), p->noise.sd);
}

static size_t linear_state_size(const void *plan_) {
    const plan *p = plan_;
    return regression_size(p->dim) + linear_noise_size(&p->noise);
}

static void linear_start(const void *plan_, void *state) {
    const plan *p = plan_;
    regression_start(state, p->dim, p->precision);
    linear_noise_start(&p->noise, linear_view_of(p, state).spread);
}

static bool linear_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    return regression_sane(state, p->dim) && linear_noise_sane(&p->noise, linear_view_of(p, state).spread);
}

/* The posterior of theta holds for added arms too. */
static void linear_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    (void)former_plan;
    memcpy(state, former_state, linear_state_size(plan_));
}

static posse_belief_shape linear_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->dim, .one_hot = false};
}

static void linear_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm;
    const plan *p = plan_;
    linear_learn(&p->noise, linear_view_of(p, state), point, reward);
    if (p->drift > 0.0) regression_widen(state, p->dim, p->drift);
}

static void linear_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    regression_draw(state, p->dim, linear_draw_scale(&p->noise, linear_view_of(p, state).spread, draw), draw, world);
}

static void linear_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const double *mean = state;
    for (int j = 0; j < ((const plan *)plan_)->dim; j++) world[j] += scale * mean[j];
}

static double linear_belief_evidence(const void *plan_, const void *state, int arm, const double *point,
                                     double reward) {
    (void)arm;
    const plan *p = plan_;
    return linear_evidence(&p->noise, linear_view_of(p, state), point, reward);
}

static void linear_belief_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                  double *variance) {
    (void)arm;
    const plan *p = plan_;
    linear_moments(&p->noise, linear_view_of(p, state), point, mean, variance);
}

/* theta may be 3 or 10 times as large as the prior assumes, and the noise may be smaller or larger. */
static const robust_scaling variants[LINEAR_VARIANTS] = {
    {LINEAR_PRECISION, 1.0, 9.0}, {LINEAR_PRECISION, 1.0, 100.0}, {LINEAR_NOISE, 1.0, 3.0}, {LINEAR_NOISE, 3.0, 1.0}};

/*
 * If the noise is unknown, variants of it change the precision too, so that the variance of theta, noise^2 / precision,
 * stays the same.
 */
static const robust_scaling unknown_variants[LINEAR_VARIANTS][2] = {
    {{LINEAR_PRECISION, 1.0, 9.0}},
    {{LINEAR_PRECISION, 1.0, 100.0}},
    {{LINEAR_NOISE_SCALE, 1.0, 9.0}, {LINEAR_PRECISION, 1.0, 9.0}},
    {{LINEAR_NOISE_SCALE, 9.0, 1.0}, {LINEAR_PRECISION, 9.0, 1.0}}};

posse_error linear_vary(const posse_setup *setup, int variant, posse_option *settings) {
    posse_option *shape_ = &settings[LINEAR_NOISE_SHAPE], *scale = &settings[LINEAR_NOISE_SCALE];
    if (shape_->key == NULL && scale->key == NULL) return robust_scale(setup, &variants[variant], settings);
    if (scale->key == NULL) *scale = (posse_option){.key = "noise.scale", .number = UNKNOWN_SCALE};
    return robust_scale_all(setup, unknown_variants[variant], 2, settings);
}

const posse_belief_ops belief_linear = {
    .kind =
        {.version = POSSE_EXTENSION_VERSION,
         .name = "linear",
         .help =
             "means linear in the arms' coordinates, normal weights, which may drift, and normal noise, known or not",
         .params = linear_params,
         .prepare = linear_prepare,
         .state_size = linear_state_size,
         .start = linear_start,
         .sane = linear_sane,
         .grow = linear_grow},
    .shape = linear_shape,
    .update = linear_update,
    .draw = linear_draw,
    .add_mean = linear_add_mean,
    .evidence = linear_belief_evidence,
    .variants = LINEAR_VARIANTS,
    .vary = linear_vary,
    .moments = linear_belief_moments,
    .in_contexts = &belief_linear_in_contexts,
};
