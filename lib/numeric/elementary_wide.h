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

/* word_uniform: (k + 1/2) / 2^52, where k is the upper 52 bits. With the exponent of 1 they are 1 + k / 2^52. */
WIDE wide wide_uniform(wide_word word) {
    return wide_from_bits((word >> 12) | 0x3ff0000000000000) - (1.0 - 0x1p-53);
}

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
    wide odd = z2 * (z2 * 0.15314035930557793 + 0.2222219856357437) + 0.39999999999414326;
    wide even = z2 * (z2 * (z2 * 0.14796104597094842 + 0.18183564862555743) + 0.285714287424738) + 0.6666666666666734;
    wide r = z * (z * odd + even);
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

WIDE wide wide_normal_centre(wide q) {
    wide r = 0.180625 - q * q;
    wide a = 2.5090809287301226727e3 * r + 3.3430575583588128105e4;
    a = a * r + 6.7265770927008700853e4;
    a = a * r + 4.5921953931549871457e4;
    a = a * r + 1.3731693765509461125e4;
    a = a * r + 1.9715909503065514427e3;
    a = a * r + 1.3314166789178437745e2;
    a = a * r + 3.3871328727963666080;
    wide b = 5.2264952788528545610e3 * r + 2.8729085735721942674e4;
    b = b * r + 3.9307895800092710610e4;
    b = b * r + 2.1213794301586595867e4;
    b = b * r + 5.3941960214247511077e3;
    b = b * r + 6.8718700749205790830e2;
    b = b * r + 4.2313330701600911252e1;
    b = b * r + 1.0;
    return wide_divide(q * a, b);
}

WIDE wide wide_normal_near(wide t) {
    wide r = t - 1.6;
    wide a = 7.74545014278341407640e-4 * r + 2.27238449892691845833e-2;
    a = a * r + 2.41780725177450611770e-1;
    a = a * r + 1.27045825245236838258;
    a = a * r + 3.64784832476320460504;
    a = a * r + 5.76949722146069140550;
    a = a * r + 4.63033784615654529590;
    a = a * r + 1.42343711074968357734;
    wide b = 1.05075007164441684324e-9 * r + 5.47593808499534494600e-4;
    b = b * r + 1.51986665636164571966e-2;
    b = b * r + 1.48103976427480074590e-1;
    b = b * r + 6.89767334985100004550e-1;
    b = b * r + 1.67638483018380384940;
    b = b * r + 2.05319162663775882187;
    b = b * r + 1.0;
    return wide_divide(a, b);
}

WIDE wide wide_normal_far(wide t) {
    wide r = t - 5.0;
    wide a = 2.01033439929228813265e-7 * r + 2.71155556874348757815e-5;
    a = a * r + 1.24266094738807843860e-3;
    a = a * r + 2.65321895265761230930e-2;
    a = a * r + 2.96560571828504891230e-1;
    a = a * r + 1.78482653991729133580;
    a = a * r + 5.46378491116411436990;
    a = a * r + 6.65790464350110377720;
    wide b = 2.04426310338993978564e-15 * r + 1.42151175831644588870e-7;
    b = b * r + 1.84631831751005468180e-5;
    b = b * r + 7.86869131145613259100e-4;
    b = b * r + 1.48753612908506148525e-2;
    b = b * r + 1.36929880922735805310e-1;
    b = b * r + 5.99832206555887937690e-1;
    b = b * r + 1.0;
    return wide_divide(a, b);
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
