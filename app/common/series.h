/* SPDX-License-Identifier: MIT */
/*
 * Means and variances of many quantities at once, over runs.
 *
 * All numbers in the result files follow one rule. Runs are taken in blocks. Inside a block they are added in order, by
 * Welford's recursion
 *
 *     d = x - mean,  mean += d (1/n),  m2 += d (x - mean)
 *
 * and blocks are merged in order, by the formula of Chan, Golub and LeVeque (1979): d = mean_b - mean_a,
 * mean_a += d (n_b / n), m2_a += m2_b + d d (n_a n_b / n). Neither formula subtracts large numbers from each other, as
 * a sum of squares would. The order depends only on the experiment, not on threads or on the block that was finished
 * first. So the numbers can be computed again from the runs (results.h5), to the last digit.
 */
#ifndef POSSE_COMMON_SERIES_H
#define POSSE_COMMON_SERIES_H

#include <math.h>
#include <stddef.h>

/* Adds the n-th run. */
static inline void series_add(double *restrict mean, double *restrict m2, const double *restrict x, size_t count,
                              double n) {
    double weight = 1.0 / n;
    for (size_t i = 0; i < count; i++) {
        double d = x[i] - mean[i];
        mean[i] += d * weight;
        m2[i] += d * (x[i] - mean[i]);
    }
}

/* Adds the n_b runs of another series after the n_a runs of this one; n_a may be 0. */
static inline void series_merge(double *restrict mean, double *restrict m2, double n_a, const double *restrict mean_b,
                                const double *restrict m2_b, double n_b, size_t count) {
    double n = n_a + n_b, share = n_b / n, between = n_a * n_b / n;
    for (size_t i = 0; i < count; i++) {
        double d = mean_b[i] - mean[i];
        mean[i] += d * share;
        m2[i] += m2_b[i] + d * d * between;
    }
}

/*
 * The same for K = count quantities: K x K products of pairs, (x_j - mean_j) (x_k - mean_k), summed over runs. d has
 * the distance of each quantity from its mean so far, or the distance between the means of two series. `between` is (n
 * - 1) / n for the n-th run, and n_a n_b / n for two series. Two quantities that are equal in every run have equal
 * products.
 */
static inline void series_add_products(double *restrict products, const double *restrict d, size_t count,
                                       double between) {
    for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < count; k++) products[j * count + k] += d[j] * d[k] * between;
}

/* The half-width of a mean's 95% interval; NaN for one run, from which no spread can be estimated. */
static inline double series_ci95(double m2, double runs) {
    if (runs < 2.0) return NAN;
    double sd = sqrt(m2 / (runs - 1.0));
    return 1.96 * sd / sqrt(runs);
}

#endif
