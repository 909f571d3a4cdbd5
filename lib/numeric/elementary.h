/* SPDX-License-Identifier: MIT */
/*
 * Elementary functions under the numeric rule (docs/numeric-rule.md): they use IEEE-754 + - * / sqrt only, in a fixed
 * order, so that they give the same bits everywhere. posse_log and posse_exp are in posse_extend.h. Error bounds: see
 * elementary.c.
 */
#ifndef POSSE_NUMERIC_ELEMENTARY_H
#define POSSE_NUMERIC_ELEMENTARY_H

#include "posse_extend.h"

/* x such that a standard normal is below x with probability p, for 0 < p < 1. */
double inverse_normal(double p);

/* 1 / (1 + exp(-x)), without overflow. */
static inline double sigmoid(double x) {
    double e = posse_exp(x < 0.0 ? x : -x);
    return x < 0.0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
}

/* log of the gamma function, for x > 0. */
double posse_log_gamma(double x);

/* The error of Stirling's formula, for x >= 8: log gamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + this. */
double stirling_rest(double x);

/* The uniform in (0, 1) that a random word gives: with k its upper 52 bits, (k + 1/2) / 2^52, exactly. */
static inline double word_uniform(uint64_t word) {
    return ((double)(word >> 12) + 0.5) * 0x1p-52;
}

#endif
