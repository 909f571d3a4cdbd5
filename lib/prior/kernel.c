/* SPDX-License-Identifier: MIT */
/*
 * A kernel of width h makes of the rows x_j the density
 *
 *     p(x) = 1 / rows sum_j prod_a N(x_a; x_ja, h^2 variance_a)
 *
 * and its score is the mean of log p over rows, each of which is left out of its own sum. Not more than 1000 rows are
 * scored, evenly spread over the table; they are compared with all others.
 */
#include "prior/kernel.h"

#include <math.h>

#include "numeric/vectors.h"
#include "posse_extend.h"

#define SCORED_MAX 1000
#define LOG_TWO_PI 1.8378770664093454836
#define WIDTH_LEAST 0.0078125

/* Squared distances of a row from all rows, in units of the arms' variances. */
static void find_distances(const samples *s, size_t row, const double *variances, double *out) {
    const double *x = sample_row(s, row);
    for (size_t j = 0; j < s->rows; j++) {
        const double *y = sample_row(s, j);
        double sum = 0.0;
        for (int a = 0; a < s->arms; a++) sum += (x[a] - y[a]) * (x[a] - y[a]) / variances[a];
        out[j] = sum;
    }
}

/*
 * The log of the density of a row under the others, up to a term that does not depend on the width: sum_a log
 * variance_a.
 */
static double kernel_log_density(const samples *s, size_t row, const double *distances, double width) {
    double nearest = INFINITY, sum = 0.0, scale = 0.5 / (width * width);
    for (size_t j = 0; j < s->rows; j++)
        if (j != row && distances[j] < nearest) nearest = distances[j];
    for (size_t j = 0; j < s->rows; j++)
        if (j != row) sum += posse_exp((nearest - distances[j]) * scale);
    return posse_log(sum / (double)(s->rows - 1)) - nearest * scale - s->arms * (posse_log(width) + 0.5 * LOG_TWO_PI);
}

posse_error kernel_choose(const samples *s, arena *memory, posse_fit_candidate tried[KERNEL_WIDTHS], int *best) {
    double *means = arena_allocate(memory, 2 * (size_t)s->arms * sizeof *means), *variances = means + s->arms;
    double *distances = arena_allocate(memory, s->rows * sizeof *distances), logs = 0.0;
    if (means == NULL || distances == NULL) return POSSE_ERROR_MEMORY;
    samples_moments(s, 0.0, means, variances);
    for (int a = 0; a < s->arms; a++) logs += 0.5 * posse_log(variances[a]);
    for (int k = 0; k < KERNEL_WIDTHS; k++) {
        double width = k == 0 ? WIDTH_LEAST : tried[k - 1].size * sqrt(2.0);
        tried[k] = (posse_fit_candidate){.size = width};
    }
    size_t scored = s->rows < SCORED_MAX ? s->rows : SCORED_MAX;
    for (size_t i = 0; i < scored; i++) {
        size_t row = i * s->rows / scored;
        find_distances(s, row, variances, distances);
        for (int k = 0; k < KERNEL_WIDTHS; k++)
            tried[k].score += (kernel_log_density(s, row, distances, tried[k].size) - logs) / (double)scored;
    }
    *best = 0;
    for (int k = 1; k < KERNEL_WIDTHS; k++)
        if (tried[k].score > tried[*best].score) *best = k;
    return POSSE_OK;
}
