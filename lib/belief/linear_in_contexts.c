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
    return (double *)((char *)(uintptr_t)state + regressions_size(&p->regressions));
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
    error = regressions_prepare(setup, &settings[LINEAR_COVARIANCE], disjoint, setup->space->features,
                                settings[LINEAR_PRECISION].number, &p->regressions);
    if (error != POSSE_OK || p->drift == 0.0 || !p->regressions.diagonal) return error;
    return posse_setup_refuse(setup, "drift", -1,
                              "every weight would drift in every round, which a diagonal covariance does not do: make "
                              "it 0, or the covariance full");
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
    const regressions *r = &p->regressions;
    double sd = sqrt(1.0 / r->precision),
           noise = regressions_noise(r, p->noise.sd, sd > p->drift ? sd : p->drift, point);
    double off = p->noise.unknown ? reward - regressions_mean(r, state, arm, point) : 0.0;
    double alpha = regressions_update(r, state, arm, noise, point, reward);
    linear_noise_learn(&p->noise, spread_of(p, state), off, alpha);
    if (p->drift > 0.0) regression_widen(state, r->dim, p->drift);
}

static void linear_in_contexts_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    regressions_draw_scaled(&p->regressions, state, linear_draw_scale(&p->noise, spread_of(p, state), draw), draw,
                            world);
}

static void linear_in_contexts_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                       double *variance) {
    const plan *p = plan_;
    *mean = regressions_mean(&p->regressions, state, arm, point);
    *variance =
        linear_noise_variance(&p->noise, spread_of(p, state), regressions_variance(&p->regressions, state, arm, point));
}

static double linear_in_contexts_evidence(const void *plan_, const void *state, int arm, const double *point,
                                          double reward) {
    const plan *p = plan_;
    return linear_noise_evidence(&p->noise, spread_of(p, state), regressions_mean(&p->regressions, state, arm, point),
                                 regressions_variance(&p->regressions, state, arm, point), reward);
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
