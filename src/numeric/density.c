/* SPDX-License-Identifier: MIT */
#include "numeric/density.h"

#include "posse.h"

double log_normal_density(double x, double mean, double variance) {
    const double two_pi = 6.283185307179586;
    double distance = x - mean;
    return -0.5 * (posse_log(two_pi * variance) + distance * distance / variance);
}
