/* SPDX-License-Identifier: MIT */
/*
 * What the logistic belief without contexts (logistic.c) shares with that in contexts (logistic_in_contexts.c).
 */
#ifndef POSSE_BELIEF_LOGISTIC_H
#define POSSE_BELIEF_LOGISTIC_H

#include "belief/belief.h"

enum {
    LOGISTIC_PRECISION,
    LOGISTIC_BIAS,
    LOGISTIC_INFERENCE,
    LOGISTIC_CANDIDATES,
    LOGISTIC_STEPS,
    LOGISTIC_MODEL,
    LOGISTIC_COVARIANCE
};
extern const posse_param logistic_params[];

/* Refuses `candidates` and `steps` if the inference does not use them. */
posse_error logistic_check_inference(const posse_setup *setup);

/* The variants of its robust form. */
#define LOGISTIC_VARIANTS 2
posse_error logistic_vary(const posse_setup *setup, int variant, posse_option *settings);

extern const posse_belief_ops belief_logistic_in_contexts;

/* Whether a plan of belief_logistic_in_contexts has a diagonal covariance. */
bool logistic_is_diagonal(const void *plan);

#endif
