/* SPDX-License-Identifier: MIT */
/*
 * Linear belief where rounds bring features x: mean rewards are <theta, x>, with one theta for all arms (joint) or one
 * for each (disjoint), each theta ~ N(0, I / precision), and noise that is the same for all arms. The posterior is that
 * of one regression, or of one for each arm (regression.h), and a world is theta, or the thetas of all arms one after
 * the other.
 */
#include <string.h>

#include "belief/linear.h"
#include "belief/regression.h"

typedef struct plan {
    bool disjoint;
    int width;   /* features */
    int thetas;  /* 1, or as many as arms */
    size_t each; /* numbers of a theta's state */
    double precision, drift;
    linear_noise noise;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    bool disjoint;
    posse_error error = regression_model(setup, &setup->settings[LINEAR_MODEL], &disjoint);
    if (error != POSSE_OK) return error;
    int width = setup->space->features;
    *p = (plan){.disjoint = disjoint,
                .width = width,
                .thetas = disjoint ? setup->space->arms : 1,
                .each = regression_size(width) / sizeof(double),
                .precision = setup->settings[LINEAR_PRECISION].number,
                .drift = setup->settings[LINEAR_DRIFT].number};
    *out = p;
    error = linear_noise_prepare(setup, &p->noise);
    if (error != POSSE_OK || p->drift == 0.0 || !disjoint) return error;
    return posse_setup_refuse(setup, "drift", -1,
                              "the weights of each arm would have to drift in every round, which the disjoint model "
                              "does not do: make it 0, or the model joint");
}

static size_t state_size(const void *plan_) {
    const plan *p = plan_;
    return (size_t)p->thetas * p->each * sizeof(double) + linear_noise_size(&p->noise);
}

/* The regression of theta k. */
static double *regression_at(const plan *p, const void *state, int k) {
    return (double *)(uintptr_t)state + (size_t)k * p->each;
}

/* What is known of the noise comes behind those of all thetas. */
static double *spread_of(const plan *p, const void *state) {
    return regression_at(p, state, p->thetas);
}

static linear_view view_of(const plan *p, const void *state, int arm) {
    return (linear_view){regression_at(p, state, p->disjoint ? arm : 0), spread_of(p, state), p->width};
}

static void start(const void *plan_, void *state) {
    const plan *p = plan_;
    for (int k = 0; k < p->thetas; k++) regression_start(regression_at(p, state, k), p->width, p->precision);
    linear_noise_start(&p->noise, spread_of(p, state));
}

static bool sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    bool all = linear_noise_sane(&p->noise, spread_of(p, state));
    for (int k = 0; k < p->thetas && all; k++) all = regression_sane(regression_at(p, state, k), p->width);
    return all;
}

/* Arms that come begin with the prior where each has a theta of its own. */
static void grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    memcpy(state, former_state, (size_t)q->thetas * q->each * sizeof(double));
    memcpy(spread_of(p, state), spread_of(q, former_state), linear_noise_size(&p->noise));
}

static posse_belief_shape shape(const void *plan_) {
    const plan *p = plan_;
    return (posse_belief_shape){.dim = p->thetas * p->width, .one_hot = false};
}

static posse_belief_model model(const void *plan_) {
    return (posse_belief_model){.disjoint = ((const plan *)plan_)->disjoint};
}

static void update(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    linear_learn(&p->noise, view_of(p, state, arm), point, reward);
    if (p->drift > 0.0) regression_widen(state, p->width, p->drift);
}

static void draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    double scale = linear_draw_scale(&p->noise, spread_of(p, state), draw);
    for (int k = 0; k < p->thetas; k++)
        regression_draw(regression_at(p, state, k), p->width, scale, draw, world + (size_t)k * (size_t)p->width);
}

static void add_mean(const void *plan_, const void *state, double scale, double *world) {
    const plan *p = plan_;
    for (int k = 0; k < p->thetas; k++) {
        const double *mean = regression_at(p, state, k);
        for (int j = 0; j < p->width; j++) world[(size_t)k * (size_t)p->width + (size_t)j] += scale * mean[j];
    }
}

static double evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    return linear_evidence(&p->noise, view_of(p, state, arm), point, reward);
}

static void moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                    double *variance) {
    const plan *p = plan_;
    linear_moments(&p->noise, view_of(p, state, arm), point, mean, variance);
}

const posse_belief_ops belief_linear_in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear",
             .help = "means linear in the features of a round",
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
    .model = model,
};
