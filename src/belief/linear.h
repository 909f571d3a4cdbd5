/* SPDX-License-Identifier: MIT */
/*
 * What the linear belief has in common without contexts (linear.c) and in them (linear_in_contexts.c).
 */
#ifndef POSSE_BELIEF_LINEAR_H
#define POSSE_BELIEF_LINEAR_H

#include "belief/belief.h"

enum { LINEAR_PRECISION, LINEAR_NOISE, LINEAR_DRIFT, LINEAR_MODEL };
extern const posse_param linear_params[];

/* The variants of its robust form. */
#define LINEAR_VARIANTS 4
posse_error linear_vary(const posse_setup *setup, int variant, posse_option *settings);

extern const posse_belief_ops belief_linear_in_contexts;

#endif
