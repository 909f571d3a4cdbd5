/* SPDX-License-Identifier: MIT */
/*
 * The beta distribution with shapes a and b:
 *
 *     p(x) = x^(a-1) (1-x)^(b-1) gamma(a+b) / (gamma(a) gamma(b)),   0 < x < 1
 *
 * Method: x / (x + y) with x and y gamma variables of shapes a and b. With a or b below 1 these may be too small for a
 * double, so their logarithms are used. With both shapes tiny every draw is 0 or 1 to within the precision of a double,
 * and 1 has probability a / (a + b).
 * Reference: L. Devroye, Non-Uniform Random Variate Generation, Springer (1986), IX.3.
 */
#include "random/gamma.h"

#include <float.h>

/* Below this sum of the shapes, a draw that is not 0 or 1 has a probability under 1e-190. */
#define MINUTE 1e-200

static double beta_through_logs(posse_draw *draw, double a, double b) {
    double log_x = draw_log_gamma(draw, a);
    double log_y = draw_log_gamma(draw, b);
    if (log_x < log_y) {
        double ratio = posse_exp(log_x - log_y);
        return ratio / (1.0 + ratio);
    }
    return 1.0 / (1.0 + posse_exp(log_y - log_x));
}

double posse_draw_beta(posse_draw *draw, double a, double b) {
    if (!(a > 0.0 && b > 0.0 && a <= DBL_MAX && b <= DBL_MAX)) return __builtin_nan("");
    if (a + b < MINUTE) return posse_draw_uniform(draw) < a / (a + b) ? 1.0 : 0.0;
    if (a < 1.0 || b < 1.0) return beta_through_logs(draw, a, b);
    double x = posse_draw_gamma(draw, a);
    double y = posse_draw_gamma(draw, b);
    return 0.5 * x / (0.5 * x + 0.5 * y); /* halves, because the sum of two huge numbers could overflow */
}
