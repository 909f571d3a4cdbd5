/* SPDX-License-Identifier: MIT */
/*
 * A straight line by weighted least squares. Points are added one at a time, each relative to the mean of those before,
 * so that no large numbers cancel.
 */
#ifndef REPORT_DATA_FIT_H
#define REPORT_DATA_FIT_H

#include <stddef.h>

typedef struct fit {
    size_t count;
    double weight, x, y;       /* the sum of the weights; the means of x and y */
    double spread, covariance; /* sums of weight (x - mean)^2 and weight (x - mean) (y - mean) */
} fit;

void fit_add(fit *f, double x, double y, double weight);

/* NaN with fewer than three points, or if all x are the same. */
double fit_slope(const fit *f);

/* The half-width of the slope's 95% interval, given that weights are the inverse variances of independent y. */
double fit_ci95(const fit *f);

#endif
