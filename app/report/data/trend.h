/* SPDX-License-Identifier: MIT */
/*
 * A straight line by weighted least squares. Points are added one at a time, each relative to the mean of those before,
 * so that no large numbers cancel.
 */
#ifndef REPORT_DATA_TREND_H
#define REPORT_DATA_TREND_H

#include <stddef.h>

typedef struct trend {
    size_t count;
    double weight, x, y;       /* the sum of the weights; the means of x and y */
    double spread, covariance; /* sums of weight (x - mean)^2 and weight (x - mean) (y - mean) */
} trend;

void trend_add(trend *t, double x, double y, double weight);

/* NaN with fewer than three points, or if all x are the same. */
double trend_slope(const trend *t);

/* The half-width of the slope's 95% interval, given that weights are the inverse variances of independent y. */
double trend_ci95(const trend *t);

#endif
