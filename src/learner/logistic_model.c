/* SPDX-License-Identifier: MIT */
#include "learner/logistic_model.h"

#include "learner/learner.h"

enum { WIDTH, PRECISION, BIAS, MODEL };

const posse_param logistic_model_params[] = {
    {.name = "width",
     .type = POSSE_REAL,
     .fallback = 1.0,
     .low = 0.0,
     .high = SCALE_MAX,
     .help = "multiplies the standard deviation of an arm's score"},
    PARAMETER_PRECISION("precision", POSSE_INHERITED, "each weight has prior variance 1 / precision"),
    PARAMETER_BIAS(POSSE_INHERITED),
    PARAMETERS_OF_MODEL,
    PARAMETERS_END};

posse_error logistic_model_prepare(const posse_setup *setup, const char *kind, void **out) {
    posse_error error = learner_needs_contexts(setup, kind);
    if (error != POSSE_OK) return error;
    logistic_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    error = model_prepare(setup, setup->settings + MODEL, setup->settings[PRECISION].number, &p->model);
    p->model.logistic = true;
    p->model.bias = setup->settings[BIAS].number;
    p->width = setup->settings[WIDTH].number;
    return error;
}
