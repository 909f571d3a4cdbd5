/* SPDX-License-Identifier: MIT */
/*
 * Tests of the Poisson sampler against its probabilities, for small and for huge means.
 */
#include <math.h>
#include <stdlib.h>

#include "helpers.h"
#include "random/stream.h"

#define DRAWS 5000000
#define BINS 60

/* The probability of each count around the mean, in long double, computed from the mode outwards. Less than 1e-30 is
 * beyond 12 standard deviations. */
typedef struct counts {
    long first, length;
    long double *probability;
} counts;

static counts counts_of(double mean) {
    double reach = 12.0 * sqrt(mean) + 40.0;
    long first = mean > reach ? (long)(mean - reach) : 0, last = (long)(mean + reach), mode = (long)mean;
    counts c = {first, last - first + 1, calloc((size_t)(last - first + 1), sizeof(long double))};
    assert_non_null(c.probability);
    long double *at_mode = &c.probability[mode - first], total = 1.0L;
    *at_mode = 1.0L;
    for (long k = mode + 1; k <= last; k++)
        total += c.probability[k - first] = c.probability[k - 1 - first] * mean / (long double)k;
    for (long k = mode - 1; k >= first; k--)
        total += c.probability[k - first] =
            mean > 0.0 ? c.probability[k + 1 - first] * (long double)(k + 1) / mean : 0.0L;
    for (long i = 0; i < c.length; i++) c.probability[i] /= total;
    return c;
}

/* Makes bins that are about equally probable. `edges` are their last counts. Returns the number of bins. */
static int cut(const counts *c, double edges[BINS], double chances[BINS]) {
    int bins = 0;
    long double sum = 0.0L;
    for (long i = 0; i < c->length; i++) {
        sum += c->probability[i];
        bool full = sum >= 1.0L / BINS && bins < BINS - 1;
        if (!full && i < c->length - 1) continue;
        edges[bins] = full ? (double)(c->first + i) : INFINITY;
        chances[bins++] = (double)sum;
        sum = 0.0L;
    }
    return bins;
}

static int bin_of(const double *edges, double x) {
    int bin = 0;
    while (x > edges[bin]) bin++;
    return bin;
}

static double chi_square_z_of(double mean) {
    static posse_draw draw;
    draw_open(&draw, 5, 6, 7, 0);
    counts c = counts_of(mean);
    double edges[BINS] = {0}, chances[BINS], seen[BINS] = {0}, chi_square = 0.0;
    int bins = cut(&c, edges, chances);
    if (bins > 1 && chances[bins - 1] * DRAWS < 10.0) { /* too rare for chi-square: merged with the bin before */
        chances[bins - 2] += chances[bins - 1];
        edges[--bins - 1] = INFINITY;
    }
    for (int n = 0; n < DRAWS; n++) {
        double x = posse_draw_poisson(&draw, mean);
        assert_true(x >= 0.0 && x == floor(x));
        seen[bin_of(edges, x)] += 1.0;
    }
    assert_true(draw.position == 2 * DRAWS);
    for (int b = 0; b < bins; b++) {
        double off = seen[b] - DRAWS * chances[b];
        chi_square += off * off / (DRAWS * chances[b]);
    }
    free(c.probability);
    return bins > 1 ? chi_square_z(chi_square, bins - 1) : 0.0;
}

LAW(counts_have_their_probabilities) {
    static const double means[] = {1e-3, 0.1,  0.9, 3.0,     9.99, 10.0,       10.5, 14.2,
                                   23.0, 77.7, 1e3, 12345.6, 1e6,  98765432.1, 1e10};
    for (int i = 0; i < LENGTH(means); i++) {
        double z = chi_square_z_of(means[i]);
        assert_that(fabs(z) < 5.0, "Poisson of mean %g: %.1f sigmas", means[i], z);
    }
}

/* Means that are too large for bins: mean and variance, up to means at which doubles cannot represent single counts. */
LAW(huge_counts_have_their_moments) {
    static const double means[] = {1e12, 1e15, 1e17, 1e25, 1e80};
    static posse_draw draw;
    draw_open(&draw, 8, 9, 10, 0);
    for (int i = 0; i < LENGTH(means); i++) {
        moments first = {0}, second = {0};
        for (int n = 0; n < 100000; n++) {
            double z = (posse_draw_poisson(&draw, means[i]) - means[i]) / sqrt(means[i]);
            moments_add(&first, z);
            moments_add(&second, z * z);
        }
        if (means[i] > 1e17) { /* a unit in the last place exceeds a standard deviation */
            assert_true(fabs(moments_mean(&first)) * sqrt(means[i]) <= 1e-15 * means[i]);
            continue;
        }
        assert_mean(&first, 0.0);
        assert_mean(&second, 1.0);
    }
}

LAW(counts_know_their_edges) {
    static posse_draw draw;
    draw_open(&draw, 1, 2, 3, 0);
    for (int n = 0; n < 1000; n++) assert_true(posse_draw_poisson(&draw, 0.0) == 0.0);
    static const double wrong[] = {-1.0, -1e-300, NAN, INFINITY};
    for (int i = 0; i < LENGTH(wrong); i++) assert_true(isnan(posse_draw_poisson(&draw, wrong[i])));
    assert_true(draw.position == 2 * 1004);
}

/* With the same noise, a larger mean has a larger count in most cases. So arms that are compared have correlated
 * rewards. */
LAW(counts_of_one_noise_go_together) {
    static posse_draw draw;
    static const double means[] = {2.0, 9.0, 11.0, 40.0, 45.0};
    int below = 0, rounds = 20000;
    for (int n = 0; n < rounds; n++) {
        double last = -1.0;
        bool rising = true;
        for (int i = 0; i < LENGTH(means); i++) {
            draw_open(&draw, 4, 5, 6, 2 * (uint64_t)n);
            double count = posse_draw_poisson(&draw, means[i]);
            rising = rising && count >= last;
            last = count;
        }
        below += !rising;
    }
    assert_that(below < rounds / 3, "%d of %d", below, rounds);
}
