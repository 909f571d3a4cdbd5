/* SPDX-License-Identifier: MIT */
/*
 * Draws from the posterior of a logistic regression, by way of its normal approximation (logistic_counts.h).
 */
#include <math.h>
#include <string.h>

#include "belief/logistic_counts.h"
#include "random/stream.h"

#define FREEDOM 8.0 /* of the Student candidates, whose tails are heavier than the posterior's; some are wasted */

/* A Student vector, and the log of its density up to a constant. */
static double draw_student(posse_draw *draw, int dim, double *z) {
    double room[DIM_MAX], scale = 1.0 / sqrt(2.0 * posse_draw_gamma(draw, 0.5 * FREEDOM) / FREEDOM);
    const double *normal = draw_normals(draw, room, (size_t)dim);
    for (int j = 0; j < dim; j++) z[j] = scale * normal[j];
    return -0.5 * (FREEDOM + dim) * posse_log(1.0 + dot(z, z, dim) / FREEDOM);
}

/*
 * Keeps one of the candidates so far. Each new candidate replaces it with a probability that is its share of all their
 * weights. Weights are relative to the largest.
 */
void logistic_counts_resample(const logistic_counts *c, const double *state, int candidates, posse_draw *draw,
                              double *theta) {
    int dim = c->space->dim;
    const double *normal = logistic_counts_normal(c, state);
    double z[DIM_MAX], candidate[DIM_MAX], top = -INFINITY, total = 0.0;
    for (int i = 0; i < candidates; i++) {
        double density = draw_student(draw, dim, z);
        regression_point(normal, dim, 1.0, z, candidate);
        double log_weight = logistic_counts_log_posterior(c, state, candidate, NULL) - density;
        if (log_weight > top) {
            total *= posse_exp(top - log_weight);
            top = log_weight;
        }
        double weight = posse_exp(log_weight - top);
        total += weight;
        if (posse_draw_uniform(draw) * total < weight) memcpy(theta, candidate, (size_t)dim * sizeof *theta);
    }
}

/* ------------------------------------------------- Langevin's ------------------------------------------------ */

/* A point of a chain: z with theta = m + S z, the log posterior there, and the mean of a step from there. */
typedef struct chain_point {
    double z[DIM_MAX], theta[DIM_MAX], aim[DIM_MAX], value;
} chain_point;

/* The variance of a step in units of S: 1.65^2 dim^(-1/3) is best for long vectors (Roberts, Rosenthal 1998). */
static double step_variance(int dim) {
    double best = 1.65 * 1.65 * posse_exp(posse_log(dim) / -3.0);
    return best < 1.0 ? best : 1.0;
}

static void logistic_draws_look_around(const logistic_counts *c, const double *state, double variance, chain_point *p) {
    int dim = c->space->dim;
    const double *normal = logistic_counts_normal(c, state);
    double gradient[DIM_MAX], w[DIM_MAX + 1];
    regression_point(normal, dim, 1.0, p->z, p->theta);
    p->value = logistic_counts_log_posterior(c, state, p->theta, gradient);
    regression_spread(normal, dim, gradient, w);
    for (int j = 0; j < dim; j++) p->aim[j] = p->z[j] + 0.5 * variance * w[1 + j];
}

static double logistic_draws_distance(const double *a, const double *b, int dim) {
    double sum = 0.0;
    for (int j = 0; j < dim; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

void logistic_counts_walk(const logistic_counts *c, const double *state, int steps, posse_draw *draw, double *theta,
                          int *taken) {
    int dim = c->space->dim;
    double variance = step_variance(dim), deviation = sqrt(variance);
    chain_point here, there;
    posse_draw_normals(draw, here.z, (size_t)dim);
    logistic_draws_look_around(c, state, variance, &here);
    *taken = 0;
    for (int i = 0; i < steps; i++) {
        posse_draw_normals(draw, there.z, (size_t)dim);
        for (int j = 0; j < dim; j++) there.z[j] = here.aim[j] + deviation * there.z[j];
        logistic_draws_look_around(c, state, variance, &there);
        double forth = logistic_draws_distance(there.z, here.aim, dim),
               back = logistic_draws_distance(here.z, there.aim, dim);
        double gain = there.value - here.value + 0.5 * (forth - back) / variance;
        if (posse_draw_uniform(draw) >= posse_exp(gain < 0.0 ? gain : 0.0)) continue;
        here = there;
        ++*taken;
    }
    memcpy(theta, here.theta, (size_t)dim * sizeof *theta);
}
