/* SPDX-License-Identifier: MIT */
#include "learner/logistic_model.h"

#include "learner/learner.h"

enum { WIDTH, MODEL };

posse_error logistic_model_prepare(const posse_setup *setup, void **out) {
    logistic_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    posse_error error = model_prepare(setup, setup->settings + MODEL, &p->model);
    p->model.logistic = true;
    p->width = setup->settings[WIDTH].number;
    p->model.asks = model_asks_for(&p->model, p->width, false);
    return error;
}

/* ------------------------------------------------ without contexts ------------------------------------------- */

posse_error logistic_arms_prepare(const posse_setup *setup, const char *kind, void **out) {
    logistic_arms *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    const posse_option *settings = setup->settings;
    p->counts.precision = model_precision(&settings[MODEL + MODEL_PRECISION], setup->space->dim);
    p->counts.bias = settings[MODEL + MODEL_BIAS].number;
    p->width = settings[WIDTH].number;
    posse_error error = logistic_counts_prepare(setup, kind, &p->counts);
    return error == POSSE_OK ? model_refuse(setup, setup->settings + MODEL) : error;
}

size_t logistic_arms_size(const void *plan) {
    return logistic_counts_size(&((const logistic_arms *)plan)->counts);
}

void logistic_arms_start(const void *plan, void *state) {
    logistic_counts_start(&((const logistic_arms *)plan)->counts, state);
}

bool logistic_arms_sane(const void *plan, const void *state) {
    return logistic_counts_sane(&((const logistic_arms *)plan)->counts, state);
}

bool logistic_arms_unit_rewards(const void *plan) {
    (void)plan;
    return true;
}

void logistic_arms_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    const logistic_arms *p = plan, *q = former_plan;
    logistic_counts_grow(&p->counts, state, &q->counts, former_state);
}

void logistic_arms_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)point;
    logistic_counts_learn(&((const logistic_arms *)plan)->counts, state, arm, reward);
}
