/* SPDX-License-Identifier: MIT */
/*
 * Elementary functions on wide numbers. The scalar functions (elementary.c) and the vector kernels (kernel/) share
 * them, so that they use the same operations and agree to the last bit.
 */
#ifndef POSSE_NUMERIC_ELEMENTARY_WIDE_H
#define POSSE_NUMERIC_ELEMENTARY_WIDE_H

#include "numeric/wide.h"

/* ln 2 in two parts: products of the first with whole numbers below 2^20 are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33

/*
 * Coefficients of a polynomial, the highest power first. An instruction of a GPU can take a number from the memory of
 * constants; for a number in the source it would need two instructions more.
 */
#if defined(__CUDACC__)
#define COEFFICIENTS static __constant__ double
#else
#define COEFFICIENTS static const double __attribute__((unused))
#endif

#define POLYNOMIAL(coefficients, x) wide_polynomial(coefficients, sizeof(coefficients) / sizeof(double), x)

/* By Horner's rule, for two coefficients or more. */
WIDE wide wide_polynomial(const double *coefficients, size_t count, wide x) {
    wide sum = coefficients[0] * x + coefficients[1];
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 8
#endif
    for (size_t i = 2; i < count; i++) sum = sum * x + coefficients[i];
    return sum;
}

/* word_uniform: (k + 1/2) / 2^52, where k is the upper 52 bits. With the exponent of 1 they are 1 + k / 2^52. */
WIDE wide wide_uniform(wide_word word) {
    return wide_from_bits((word >> 12) | 0x3ff0000000000000) - (1.0 - 0x1p-53);
}

COEFFICIENTS log_odd[] = {0.15314035930557793, 0.2222219856357437, 0.39999999999414326};
COEFFICIENTS log_even[] = {0.14796104597094842, 0.18183564862555743, 0.285714287424738, 0.6666666666666734};

/*
 * log(x * 2^scale) for positive normal x. With x = 2^k m, sqrt(1/2) <= m < sqrt(2), f = m - 1, s = f / (2 + f):
 *     log m = 2 s + s r,  r = z p(z), z = s^2           (an odd series in s; p from tools/fit_elementary.py)
 *           = f - (h - s (h + r)),  h = f^2 / 2         (as 2 s = f - s f): the large term f is exact
 */
WIDE wide wide_log(wide x, double scale) {
    wide_word bits = wide_bits(x);
    /* The biased exponent that leaves a mantissa from sqrt(1/2) to sqrt(2). */
    wide_word exponent = (bits + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd)) >> 52;
    wide k = wide_from_bits(exponent | 0x4330000000000000) - (0x1p52 + 1023.0) + scale;
    wide f = wide_from_bits(bits - (exponent << 52) + 0x3ff0000000000000) - 1.0;
    wide s = wide_divide(f, f + 2.0);
    wide z = s * s;
    wide z2 = z * z;
    wide r = z * (z * POLYNOMIAL(log_odd, z2) + POLYNOMIAL(log_even, z2));
    wide h = f * f * 0.5;
    return k * LN2_HIGH - ((h - (s * (h + r) + k * LN2_LOW)) - f);
}

/*
 * The inverse normal distribution function: M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988)
 * 477-484. Three ratios of polynomials: in q = p - 1/2 at the centre, and in t = sqrt(-log p) for the near and the
 * far tail.
 */
#define NORMAL_CENTRE 0.425 /* |q| up to here is the centre */
#define NORMAL_FAR 5.0      /* t beyond here is the far tail */

COEFFICIENTS centre_above[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                               4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                               1.3314166789178437745e2, 3.3871328727963666080};
COEFFICIENTS centre_below[] = {
    5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0};

WIDE wide wide_normal_centre(wide q) {
    wide r = 0.180625 - q * q;
    return wide_divide(q * POLYNOMIAL(centre_above, r), POLYNOMIAL(centre_below, r));
}

COEFFICIENTS near_above[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                             1.27045825245236838258,    3.64784832476320460504,    5.76949722146069140550,
                             4.63033784615654529590,    1.42343711074968357734};
COEFFICIENTS near_below[] = {
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
    6.89767334985100004550e-1, 1.67638483018380384940,    2.05319162663775882187,    1.0};

WIDE wide wide_normal_near(wide t) {
    wide r = t - 1.6;
    return wide_divide(POLYNOMIAL(near_above, r), POLYNOMIAL(near_below, r));
}

/* Hardly ever needed, so its coefficients are here: a GPU would fetch those of tables in each round. */
WIDE wide wide_normal_far(wide t) {
    const double above[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                            2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580,
                            5.46378491116411436990,    6.65790464350110377720};
    const double below[] = {
        2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};
    wide r = t - 5.0;
    return wide_divide(POLYNOMIAL(above, r), POLYNOMIAL(below, r));
}

/* The absolute value of the normal whose tail has this log probability. */
WIDE wide wide_normal_tail(wide log_p) {
    wide t = wide_sqrt(-log_p);
    wide_mask far = wide_above(t, wide_all(NORMAL_FAR));
    wide x = wide_normal_near(t);
    if (wide_mask_bits(far)) x = wide_select(far, wide_normal_far(t), x);
    return x;
}

#endif
