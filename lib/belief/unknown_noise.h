/* SPDX-License-Identifier: MIT */
/*
 * Noise that is not known: the variance of rewards has the prior noise^2 ~ InverseGamma(shape, scale), that is
 * 1 / noise^2 ~ Gamma(shape, rate scale), and so it has its posterior.
 */
#ifndef POSSE_BELIEF_UNKNOWN_NOISE_H
#define POSSE_BELIEF_UNKNOWN_NOISE_H

#include <math.h>

#include "model/parameter.h"

/* Whether they may be those of a posterior. Every reward adds 1/2 to the shape, and only rewards make the scale huge.
 */
static inline bool unknown_noise_sane(double shape, double scale) {
    double most = shape >= UNKNOWN_SHAPE_MIN + 0.5 ? 1e250 : UNKNOWN_SCALE_MAX;
    return shape >= UNKNOWN_SHAPE_MIN && shape <= 1e18 && scale >= UNKNOWN_SCALE_MIN && scale <= most;
}

/* A standard deviation of rewards, drawn. */
static inline double unknown_noise_draw(posse_draw *draw, double shape, double scale) {
    return sqrt(scale / posse_draw_gamma(draw, shape));
}

/* What is expected of the variance: infinite up to shape 1. */
static inline double unknown_noise_mean(double shape, double scale) {
    return shape > 1.0 ? scale / (shape - 1.0) : INFINITY;
}

#endif
