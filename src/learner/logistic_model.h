/* SPDX-License-Identifier: MIT */
/*
 * What the two learners with a logistic model have in common: their options, and a plan that begins with the model.
 */
#ifndef POSSE_LEARNER_LOGISTIC_MODEL_H
#define POSSE_LEARNER_LOGISTIC_MODEL_H

#include "learner/model.h"

extern const posse_param logistic_model_params[];

typedef struct logistic_plan {
    model model;
    double width;
} logistic_plan;

posse_error logistic_model_prepare(const posse_setup *setup, const char *kind, void **out);

#endif
