/* SPDX-License-Identifier: MIT */
/*
 * Linear belief where rounds bring features x: mean rewards are <theta, x>, with one theta for all arms (joint) or one
 * for each (disjoint), each theta ~ N(0, I / precision), and known noise. The posterior is that of one regression, or
 * of one for each arm (regression.h), and a world is theta, or the thetas of all arms one after the other.
 */
#include "belief/linear.h"
#include "belief/regressions.h"
#include "numeric/density.h"

typedef struct plan {
    regressions regressions;
    double noise, drift;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    bool disjoint;
    posse_error error = regression_model(setup, &settings[LINEAR_MODEL], &disjoint);
    if (error != POSSE_OK) return error;
    p->noise = settings[LINEAR_NOISE].number;
    p->drift = settings[LINEAR_DRIFT].number;
    *out = p;
    if (p->drift > 0.0 && disjoint)
        return posse_setup_refuse(setup, "drift", -1,
                                  "the weights of each arm would have to drift in every round, which the disjoint "
                                  "model does not do: make it 0, or the model joint");
    return regressions_prepare(setup, disjoint, setup->space->features, settings[LINEAR_PRECISION].number,
                               &p->regressions);
}

static posse_belief_model model(const void *plan_) {
    return (posse_belief_model){.disjoint = ((const plan *)plan_)->regressions.disjoint};
}

static void update(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    const regressions *r = &p->regressions;
    double v[DIM_MAX];
    regression_update(regressions_of(r, state, arm), r->dim, p->noise, point, reward, v);
    if (p->drift > 0.0) regression_widen(state, r->dim, p->drift);
}

static void moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                    double *variance) {
    const regressions *r = &((const plan *)plan_)->regressions;
    const double *of_arm = regressions_of(r, state, arm);
    *mean = dot(point, of_arm, r->dim);
    *variance = regression_variance(of_arm, r->dim, point);
}

static double evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    double mean, variance;
    moments(p, state, arm, point, &mean, &variance);
    return log_normal_density(reward, mean, variance + p->noise * p->noise);
}

const posse_belief_ops belief_linear_in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "linear",
             .help = "means linear in the features of a round",
             .params = linear_params,
             .prepare = prepare,
             .state_size = regressions_size,
             .start = regressions_start,
             .sane = regressions_sane,
             .grow = regressions_grow},
    .shape = regressions_shape,
    .update = update,
    .draw = regressions_draw,
    .add_mean = regressions_add_mean,
    .evidence = evidence,
    .variants = LINEAR_VARIANTS,
    .vary = linear_vary,
    .moments = moments,
    .model = model,
};
