/* SPDX-License-Identifier: MIT */
/*
 * The code that the two learners with a logistic model share: their options, and a plan. It begins with the model of
 * features (model.h) or, for arms with points, with the model of counts (belief/logistic_counts.h).
 */
#ifndef POSSE_LEARNER_LOGISTIC_MODEL_H
#define POSSE_LEARNER_LOGISTIC_MODEL_H

#include "belief/logistic_counts.h"
#include "learner/model.h"

/* The options of both learners; their default widths differ. */
#define PARAMETERS_OF_LOGISTIC_MODEL(width_)                                                                           \
    {.name = "width",                                                                                                  \
     .type = POSSE_TYPE_REAL,                                                                                          \
     .flags = POSSE_PARAM_KEPT,                                                                                        \
     .fallback = width_,                                                                                               \
     .low = 0.0,                                                                                                       \
     .high = SCALE_MAX,                                                                                                \
     .help = "factor on the standard deviation of an arm's score"},                                                    \
        PARAMETERS_OF_MODEL("", PARAMETER_BIAS(POSSE_PARAM_INHERITED))

typedef struct logistic_plan {
    model model;
    double width;
} logistic_plan;

posse_error logistic_model_prepare(const posse_setup *setup, void **out);

/* ---- for the table of a learner of arms with points, whose state is that of the counts ---- */

typedef struct logistic_arms {
    logistic_counts counts;
    double width;
} logistic_arms;

posse_error logistic_arms_prepare(const posse_setup *setup, const char *kind, void **out);
size_t logistic_arms_size(const void *plan);
void logistic_arms_start(const void *plan, void *state);
bool logistic_arms_sane(const void *plan, const void *state);
bool logistic_arms_unit_rewards(const void *plan);
void logistic_arms_grow(const void *plan, void *state, const void *former_plan, const void *former_state);
void logistic_arms_learn(const void *plan, void *state, int arm, const double *point, double reward);

#endif
