/* SPDX-License-Identifier: MIT */
/*
 * Elementary functions, one number at a time. Error bounds, in units of the last place of the true value, which
 * tests/lib/numeric/test_numeric.c checks against MPFR over the whole range of each function:
 *
 *     posse_log        0.9
 *     posse_exp        0.9, and in the subnormal range 0.9 of the spacing there
 *     inverse_normal   8
 *     posse_log_gamma  8, near its zeros 1 and 2 too
 *
 * The polynomials come from tools/fit_elementary.py.
 */
#define LANES 1
#include "numeric/elementary.h"

#include "numeric/elementary_wide.h"

#include <float.h>

#define INFINITE __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

double posse_log(double x) {
    if (x >= DBL_MIN && x <= DBL_MAX) return wide_log(x, 0.0);
    if (x == 0.0) return -INFINITE;
    if (x > DBL_MAX) return x;
    if (x > 0.0) return wide_log(x * 0x1p54, -54.0);
    return NOT_A_NUMBER;
}

/* 2^k for a normal result. */
static double power_of_two(int64_t k) {
    return wide_from_bits((uint64_t)(k + 1023) << 52);
}

/* y * 2^k for y near 1, rounded once: the first product is exact. */
static double elementary_scale(double y, int64_t k) {
    if (k > 1000) return y * power_of_two(k - 100) * 0x1p100;
    if (k < -1000) return y * power_of_two(k + 100) * 0x1p-100;
    return y * power_of_two(k);
}

/*
 * exp(x) = 2^k exp(r), k = x / ln 2 rounded to a whole number, so that |r| <= ln 2 / 2 about. r is kept as high - low,
 * where high is exact, and exp(r) = 1 + (high + (r^2 (1/2 + r p(r)) - low)): the last two sums make nearly all of the
 * error.
 */
double posse_exp(double x) {
    if (!(x <= 709.8)) return x > 709.8 ? INFINITE : NOT_A_NUMBER;
    if (x < -745.2) return 0.0;
    double k = (x * 0x1.71547652b82fep0 + 0x1.8p52) - 0x1.8p52;
    double high = x - k * LN2_HIGH;
    double low = k * LN2_LOW;
    double r = high - low;
    double p = r * 2.092568795309704e-09 + 2.511217833152704e-08;
    p = p * r + 2.7557238651612777e-07;
    p = p * r + 2.7557234441121853e-06;
    p = p * r + 2.4801587365125337e-05;
    p = p * r + 0.00019841269896815278;
    p = p * r + 0.001388888888886516;
    p = p * r + 0.00833333333331686;
    p = p * r + 0.0416666666666667;
    p = p * r + 0.16666666666666682;
    double y = 1.0 + (high + (r * r * (0.5 + r * p) - low));
    return elementary_scale(y, (int64_t)k);
}

double inverse_normal(double p) {
    if (!(p > 0.0 && p < 1.0)) return p <= 0.0 ? -INFINITE : p >= 1.0 ? INFINITE : NOT_A_NUMBER;
    double q = p - 0.5;
    if (wide_absolute(q) <= NORMAL_CENTRE) return wide_normal_centre(q);
    double x = wide_normal_tail(posse_log(q < 0.0 ? p : 1.0 - p));
    return q < 0.0 ? -x : x;
}

/* posse_log_gamma(2 + t) for |t| <= 1/2. */
static double log_gamma_near_two(double t) {
    static const double c[] = {
        0.42278433509846713,     0.3224670334241132,     -0.06735230105319814,    0.020580808427784925,
        -0.007385551028668397,   0.0028905103307136797,  -0.0011927539119910336,  0.0005096695256873312,
        -0.00022315475095058848, 9.945749519438603e-05,  -4.492634873148103e-05,  2.0507409013872866e-05,
        -9.438474813816926e-06,  4.373503413389983e-06,  -2.044856483333159e-06,  9.61053972497117e-07,
        -4.3049165515994434e-07, 1.9667203305326968e-07, -1.3400753333610817e-07, 6.916033613253266e-08,
    };
    size_t i = sizeof c / sizeof *c - 1;
    double p = c[i];
    while (i-- > 0) p = p * t + c[i];
    return t * p;
}

/* A polynomial in 1 / x^2, divided by x. */
double stirling_rest(double x) {
    double y = 1.0 / x;
    double z = y * y;
    double p = z * 0.005069264293872657 - 0.001890540663132458;
    p = p * z + 0.0008414728615304962;
    p = p * z - 0.0005952366070474651;
    p = p * z + 0.0007936507898351917;
    p = p * z - 0.0027777777777740994;
    p = p * z + 0.08333333333333333;
    return p * y;
}

/* Stirling's series, for x >= 8. */
static double log_gamma_large(double x) {
    return (x - 0.5) * (posse_log(x) - 1.0) + (0.4189385332046727 + stirling_rest(x));
}

/* gamma(x + 1) = x gamma(x) takes every x below 8 to within 1/2 of 2, and its sums never cancel by more than half. */
double posse_log_gamma(double x) {
    if (!(x > 0.0)) return x == 0.0 ? INFINITE : NOT_A_NUMBER;
    if (x < 0.5) return log_gamma_near_two(x) - posse_log(x * (1.0 + x));
    if (x < 1.5) return log_gamma_near_two(x - 1.0) - posse_log(x);
    if (x > DBL_MAX) return x;
    if (x >= 8.0) return log_gamma_large(x);
    double product = 1.0;
    while (x >= 2.5) product *= x -= 1.0;
    return log_gamma_near_two(x - 2.0) + posse_log(product);
}
