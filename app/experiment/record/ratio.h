/* SPDX-License-Identifier: MIT */
/*
 * The ratio of two sums, sum of terms / sum of weights, updated row by row. Every estimate of a value on a log has this
 * form (posse_appraisal, posse_simulate.h). Its error is linearised,
 *
 *     value - truth  =  sum (term - truth weight) / sum weight
 *     variance       =  n / (n - 1) sum (term - value weight)^2 / (sum weight)^2
 *
 * where n counts the rows that have a weight. If all weights are 1, it is the mean with its usual standard error.
 */
#ifndef POSSE_EXPERIMENT_RECORD_RATIO_H
#define POSSE_EXPERIMENT_RECORD_RATIO_H

#include <stdbool.h>

/*
 * The sums are of term - centre weight, where the centre is the ratio of the first row. So if all ratios are equal, the
 * variance is exactly 0.
 */
typedef struct ratio {
    double centre;
    double count; /* rows with a weight */
    double weights, weights_2;
    double rests, rests_2, crossed; /* of term - centre weight, its square, and its product with the weight */
} ratio;

void ratio_add(ratio *r, double term, double weight);

/* NaN: no row had a weight. The variance is NaN for a single row, too. */
double ratio_value(const ratio *r);
double ratio_variance(const ratio *r);

/* How many rows of equal weights would have the same precision: (sum of weights)^2 / sum of squares. 0 for no rows. */
double ratio_effective(const ratio *r);

#endif
