/* SPDX-License-Identifier: MIT */
/*
 * What the linear belief without contexts (linear.c) shares with that in contexts (linear_in_contexts.c).
 */
#ifndef POSSE_BELIEF_LINEAR_H
#define POSSE_BELIEF_LINEAR_H

#include "belief/belief.h"

enum {
    LINEAR_PRECISION,
    LINEAR_NOISE,
    LINEAR_NOISE_SHAPE,
    LINEAR_NOISE_SCALE,
    LINEAR_DRIFT,
    LINEAR_MODEL,
    LINEAR_COVARIANCE
};
extern const posse_param linear_params[];

/*
 * The noise of rewards. Where it is unknown (unknown_noise.h), theta | noise ~ N(0, noise^2 I / precision): the
 * regression is that of unit noise, whose covariance is to be multiplied by noise^2, and beside it there are the shape
 * and the scale of noise^2. A reward r of x with alpha = 1 + x^T (covariance) x adds
 *
 *     shape += 1/2,   scale += (r - x.mean)^2 / (2 alpha)
 */
typedef struct linear_noise {
    double sd; /* 1 if it is unknown */
    bool unknown;
    double shape, scale; /* of the prior, if the noise is unknown */
} linear_noise;

/* Refuses unknown noise where theta drifts. */
posse_error linear_noise_prepare(const posse_setup *setup, linear_noise *out);

/* The state of the noise: shape and scale, or nothing. */
size_t linear_noise_size(const linear_noise *n);
void linear_noise_start(const linear_noise *n, double *spread);
bool linear_noise_sane(const linear_noise *n, const double *spread);

/* The state of one theta, in the form of regression.h, and that of the noise. */
typedef struct linear_view {
    double *regression;
    double *spread;
    int dim;
} linear_view;

void linear_learn(const linear_noise *n, linear_view v, const double *x, double reward);
double linear_evidence(const linear_noise *n, linear_view v, const double *x, double reward);
void linear_moments(const linear_noise *n, linear_view v, const double *x, double *mean, double *variance);

/*
 * The same for any regression, from <theta, x> ~ N(mean, variance) in unit noise. The first one learns how far a reward
 * was off its expectation. spread: the state of the noise.
 */
void linear_noise_learn(const linear_noise *n, double *spread, double off, double alpha);
double linear_noise_evidence(const linear_noise *n, const double *spread, double mean, double variance, double reward);
double linear_noise_variance(const linear_noise *n, const double *spread, double variance);

/* The factor on the root of the covariance in a draw: a drawn noise, or 1 if the noise is known. */
double linear_draw_scale(const linear_noise *n, const double *spread, posse_draw *draw);

/* The variants of its robust form. */
#define LINEAR_VARIANTS 4
posse_error linear_vary(const posse_setup *setup, int variant, posse_option *settings);

extern const posse_belief_ops belief_linear_in_contexts;

#endif
