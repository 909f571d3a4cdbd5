/* SPDX-License-Identifier: MIT */
/*
 * Linear belief for rounds with features x: mean rewards are <theta, x>, with one theta for all arms (joint) or one for
 * each (disjoint), each theta ~ N(0, I / precision), and noise that is the same for all arms. The posterior is that of
 * one regression, or of one for each arm (regression.h), and a world is theta, or the thetas of all arms one after the
 * other.
 */
#include <math.h>
#include <string.h>

#include "belief/linear.h"
#include "belief/regressions.h"

typedef struct plan {
    regressions regressions;
    linear_noise noise;
    double drift;
} plan;

/* The state of the noise follows the regressions. */
static double *spread_of(const plan *p, const void *state) {
    return regressions_at(&p->regressions, state, p->regressions.count);
}

static linear_view linear_in_contexts_view_of(const plan *p, const void *state, int arm) {
    return (linear_view){regressions_of(&p->regressions, state, arm), spread_of(p, state), p->regressions.dim};
}

static posse_error linear_in_contexts_prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    bool disjoint;
    posse_error error = regression_model(setup, &settings[LINEAR_MODEL], &disjoint);
    if (error != POSSE_OK) return error;
    p->drift = settings[LINEAR_DRIFT].number;
    *out = p;
    if (p->drift > 0.0 && disjoint)
        return posse_setup_refuse(setup, "drift", -1,
                                  "the weights of each arm would have to drift in every round, which the disjoint "
                                  "model does not do: make it 0, or the model joint");
    error = linear_noise_prepare(setup, &p->noise);
    if (error != POSSE_OK) return error;
    return regressions_prepare(setup, disjoint, setup->space->features, settings[LINEAR_PRECISION].number,
                               &p->regressions);
}

static size_t linear_in_contexts_state_size(const void *plan_) {
    return regressions_size(plan_) + linear_noise_size(&((const plan *)plan_)->noise);
}

static void linear_in_contexts_start(const void *plan_, void *state) {
    const plan *p = plan_;
    regressions_start(p, state);
    linear_noise_start(&p->noise, spread_of(p, state));
}

static bool linear_in_contexts_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    return regressions_sane(p, state) && linear_noise_sane(&p->noise, spread_of(p, state));
}

static void linear_in_contexts_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_;
    regressions_grow(p, state, former_plan, former_state);
    memcpy(spread_of(p, state), spread_of(former_plan, former_state), linear_noise_size(&p->noise));
}

static posse_belief_model linear_in_contexts_model(const void *plan_) {
    return (posse_belief_model){.disjoint = ((const plan *)plan_)->regressions.disjoint};
}

static void linear_in_contexts_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    double sd = sqrt(1.0 / p->regressions.precision);
    linear_noise noise = p->noise;
    noise.sd = regression_noise(noise.sd, sd > p->drift ? sd : p->drift, point, p->regressions.dim);
    linear_learn(&noise, linear_in_contexts_view_of(p, state, arm), point, reward);
    if (p->drift > 0.0) regression_widen(state, p->regressions.dim, p->drift);
}

static void linear_in_contexts_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    regressions_draw_scaled(&p->regressions, state, linear_draw_scale(&p->noise, spread_of(p, state), draw), draw,
                            world);
}

static void linear_in_contexts_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                       double *variance) {
    const plan *p = plan_;
    linear_moments(&p->noise, linear_in_contexts_view_of(p, state, arm), point, mean, variance);
}

static double linear_in_contexts_evidence(const void *plan_, const void *state, int arm, const double *point,
                                          double reward) {
    const plan *p = plan_;
    return linear_evidence(&p->noise, linear_in_contexts_view_of(p, state, arm), point, reward);
}

const posse_belief_ops belief_linear_in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear",
             .help = "means linear in the features of a round",
             .params = linear_params,
             .prepare = linear_in_contexts_prepare,
             .state_size = linear_in_contexts_state_size,
             .start = linear_in_contexts_start,
             .sane = linear_in_contexts_sane,
             .grow = linear_in_contexts_grow},
    .shape = regressions_shape,
    .update = linear_in_contexts_update,
    .draw = linear_in_contexts_draw,
    .add_mean = regressions_add_mean,
    .evidence = linear_in_contexts_evidence,
    .variants = LINEAR_VARIANTS,
    .vary = linear_vary,
    .moments = linear_in_contexts_moments,
    .model = linear_in_contexts_model,
};
