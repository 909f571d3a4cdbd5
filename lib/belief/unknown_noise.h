/* SPDX-License-Identifier: MIT */
/*
 * Unknown noise: the variance of rewards has the prior noise^2 ~ InverseGamma(shape, scale), that is 1 / noise^2 ~
 * Gamma(shape, rate scale), and its posterior has the same form.
 */
#ifndef POSSE_BELIEF_UNKNOWN_NOISE_H
#define POSSE_BELIEF_UNKNOWN_NOISE_H

#include <math.h>

#include "model/parameter.h"
#include "posse_extend.h"

/*
 * Whether shape and scale may be those of a posterior. Every reward adds 1/2 to the shape, and only rewards make the
 * scale huge.
 */
static inline bool unknown_noise_sane(double shape, double scale) {
    double most = shape >= UNKNOWN_SHAPE_MIN + 0.5 ? 1e250 : UNKNOWN_SCALE_MAX;
    return shape >= UNKNOWN_SHAPE_MIN && shape <= 1e18 && scale >= UNKNOWN_SCALE_MIN && scale <= most;
}

/* A drawn standard deviation of rewards. */
static inline double unknown_noise_draw(posse_draw *draw, double shape, double scale) {
    return sqrt(scale / posse_draw_gamma(draw, shape));
}

/* The expected variance of rewards, which is infinite up to shape 1. */
static inline double unknown_noise_mean(double shape, double scale) {
    return shape > 1.0 ? scale / (shape - 1.0) : INFINITY;
}

#endif
