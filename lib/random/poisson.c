/* SPDX-License-Identifier: MIT */
/*
 * The Poisson distribution:
 *
 *     p(k) = mean^k exp(-mean) / k!,   k = 0, 1, 2, ...
 *
 * Method: for means below 10, inversion: the first k at which the sum of p up to k exceeds a uniform. For larger means,
 * transformed rejection: for uniforms u and v, k is an increasing function of u, whose density is a little larger than
 * p, and v decides whether k is accepted. It is in 8 cases of 10 or more.
 *
 * A count always takes two draws of the stream, so that later draws do not depend on the mean. If k is rejected, the
 * next u and v come from another stream, whose seed and name are these two draws. Reference: W. Hörmann, The
 * transformed rejection method for generating Poisson random variables, Insurance: Mathematics and Economics 12 (1993)
 * 39-45, algorithm PTRS; log p: C. Loader, Fast and accurate computation of binomial probabilities (2000).
 */
#include <math.h>

#include "numeric/density.h"
#include "numeric/elementary.h"
#include "random/stream.h"

#define SMALL 10.0

/* Later terms do not change a sum of about 1. */
#define NOTHING 1e-20

static double count_by_inversion(double mean, double u) {
    double k = 0.0, p = posse_exp(-mean), sum = p;
    while (u >= sum && (p > NOTHING || k < mean)) {
        k += 1.0;
        p *= mean / k;
        sum += p;
    }
    return k;
}

/* k log(k / mean) + mean - k, which is 0 at k = mean and has a minimum there. */
static double poisson_deviance(double k, double mean) {
    double off = k - mean, y = off / (k + mean);
    if (fabs(y) > 0.1) return k * posse_log(k / mean) - off;
    /* log(k / mean) = 2 (y + y^3 / 3 + y^5 / 5 + ...) */
    double sum = off * y, power = 2.0 * k * y, square = y * y;
    for (int i = 3; i < 40; i += 2) {
        power *= square;
        double next = sum + power / i;
        if (next == sum) break;
        sum = next;
    }
    return sum;
}

/* log p(k): Stirling's formula for k! leaves small terms only. */
static double log_probability(double k, double mean) {
    const double two_pi = 6.283185307179586;
    if (k < 8.0) return k * posse_log(mean) - mean - posse_log_gamma(k + 1.0);
    return -poisson_deviance(k, mean) - stirling_rest(k) - 0.5 * posse_log(two_pi * k);
}

/* The constants of the function of u, and of the rejection. */
typedef struct hat {
    double mean, a, b, squeeze, log_alpha;
} hat;

static hat hat_of(double mean) {
    double b = 0.931 + 2.53 * sqrt(mean);
    return (hat){mean, -0.059 + 0.02483 * b, b, 0.9277 - 3.6224 / (b - 2.0), posse_log(1.1239 + 1.1328 / (b - 3.4))};
}

/* Writes the count of u, and returns whether it is accepted. */
static bool count_stands(const hat *h, double u, double v, double *count) {
    double x = u - 0.5, edge = 0.5 - fabs(x), k = floor((2.0 * h->a / edge + h->b) * x + h->mean + 0.43);
    *count = k;
    if (edge >= 0.07 && v <= h->squeeze) return true;
    if (k < 0.0 || (edge < 0.013 && v > edge)) return false;
    double height = posse_log(v) + h->log_alpha - posse_log(h->a / (edge * edge) + h->b);
    return height <= log_probability(k, h->mean);
}

static double count_by_rejection(double mean, uint64_t first, uint64_t second) {
    hat h = hat_of(mean);
    double count;
    if (count_stands(&h, word_uniform(first), word_uniform(second), &count)) return count;
    posse_draw more = {.slots = 4};
    draw_start(&more, first, (uint32_t)second, second >> 16, 0);
    for (;;) {
        double u = posse_draw_uniform(&more), v = posse_draw_uniform(&more);
        if (count_stands(&h, u, v, &count)) return count;
    }
}

double posse_draw_poisson(posse_draw *draw, double mean) {
    uint64_t first = draw_word(draw), second = draw_word(draw);
    if (!(mean >= 0.0 && mean <= 1e100)) return NAN;
    return mean < SMALL ? count_by_inversion(mean, word_uniform(first)) : count_by_rejection(mean, first, second);
}
