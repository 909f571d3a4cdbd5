/* SPDX-License-Identifier: MIT */
#ifndef POSSE_NUMERIC_DENSITY_H
#define POSSE_NUMERIC_DENSITY_H

/* log of the density of N(mean, variance) at x. */
double log_normal_density(double x, double mean, double variance);

/*
 * log of the density at x of N(mean, width s2) with an unknown s2 ~ InverseGamma(shape, scale): Student's t with
 * 2 shape degrees of freedom.
 */
double log_student_density(double x, double mean, double width, double shape, double scale);

/* log of 1 + x, x > -1, to a few units in the last place where x is small too. */
double log_one_plus(double x);

/*
 * log of gamma(a + r) / gamma(a), a > 0 and r >= 0. For large a it is not computed as a difference of two large
 * logarithms.
 */
double log_rise(double a, double r);

#endif
