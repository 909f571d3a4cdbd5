/* SPDX-License-Identifier: MIT */
#include "numeric/density.h"

#include "numeric/elementary.h"

double log_normal_density(double x, double mean, double variance) {
    const double two_pi = 6.283185307179586;
    double distance = x - mean;
    return -0.5 * (posse_log(two_pi * variance) + distance * distance / variance);
}

/*
 * Corrects the error of rounding 1 + x: with y = 1 + x rounded, log(y) / (y - 1) is a smooth function of y, which the
 * error of y hardly changes. D. Goldberg, What every computer scientist should know about floating-point arithmetic
 * (1991), theorem 4.
 */
double log_one_plus(double x) {
    double y = 1.0 + x;
    return y == 1.0 ? x : posse_log(y) * (x / (y - 1.0));
}

/* From here on Stirling's series is used, whose first three terms are right to 1e-15 there. */
#define LARGE 64.0

/*
 * Stirling's formula for both gamma functions, with the large terms subtracted by hand: with t = r / a,
 *     (a + r - 1/2) log(1 + t) + r (log a - 1) + rest(a + r) - rest(a).
 */
double log_rise(double a, double r) {
    if (a < LARGE) return posse_log_gamma(a + r) - posse_log_gamma(a);
    double sum = a + r, grown = (sum - 0.5) * log_one_plus(r / a) - r;
    return r * posse_log(a) + grown + (stirling_rest(sum) - stirling_rest(a));
}

double log_student_density(double x, double mean, double width, double shape, double scale) {
    const double two_pi = 6.283185307179586;
    double distance = x - mean, spread = scale * width;
    return log_rise(shape, 0.5) - 0.5 * posse_log(two_pi * spread) -
           (shape + 0.5) * log_one_plus(distance * distance / (2.0 * spread));
}
