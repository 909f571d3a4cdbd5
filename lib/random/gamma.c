/* SPDX-License-Identifier: MIT */
/*
 * The gamma distribution with shape a and scale 1:
 *
 *     p(x) = x^(a-1) exp(-x) / gamma(a),   x > 0
 *
 * Method: for a >= 1, d v with d = a - 1/3, v = (1 + z / sqrt(9 d))^3 and z normal, accepted with the probability that
 * makes it exact, min(1, exp(z^2 / 2 + d (1 - v + log v))): over 95%. For a < 1, a draw of shape a + 1 times u^(1/a).
 * Reference: G. Marsaglia, W. W. Tsang, A simple method for generating gamma variables, ACM Trans. Math. Softw. 26
 * (2000) 363-372.
 */
#include "random/gamma.h"

#include "random/stream.h"

/*
 * For larger d, d v is always accepted, whatever u is. The exponent above is about -z^4 / (108 d), under 1e-8 in
 * absolute value for every z that occurs in practice, while its rounding error grows with d.
 */
#define LARGE 1e9

/* For a >= 1. */
static double gamma_above_one(posse_draw *draw, double a) {
    double d = a - 1.0 / 3.0;
    double c = 1.0 / __builtin_sqrt(9.0 * d);
    for (;;) {
        double z = draw_normal(draw);
        double u = posse_draw_uniform(draw);
        double v = 1.0 + c * z;
        if (v <= 0.0) continue;
        v = v * v * v;
        double z2 = z * z;
        if (u < 1.0 - 0.0331 * (z2 * z2) || d > LARGE) return d * v;
        if (posse_log(u) < 0.5 * z2 + d * (1.0 - v + posse_log(v))) return d * v;
    }
}

double posse_draw_gamma(posse_draw *draw, double shape) {
    if (!(shape > 0.0)) return __builtin_nan("");
    if (shape >= 1.0) return gamma_above_one(draw, shape);
    double above = gamma_above_one(draw, shape + 1.0);
    return above * posse_exp(posse_log(posse_draw_uniform(draw)) / shape);
}

double draw_log_gamma(posse_draw *draw, double shape) {
    if (shape >= 1.0) return posse_log(gamma_above_one(draw, shape));
    double above = gamma_above_one(draw, shape + 1.0);
    return posse_log(above) + posse_log(posse_draw_uniform(draw)) / shape;
}
