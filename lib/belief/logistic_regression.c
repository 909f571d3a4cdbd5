/* SPDX-License-Identifier: MIT */
#include "belief/logistic_regression.h"

#include <math.h>

#include "numeric/elementary.h"

/* Steps of Newton's method. For variances from 1e-13 to 1e26, at most 9 are needed. */
#define STEPS_MAX 16

/*
 * The root of F(z) = z - c + v sigmoid(z), where F(0) >= 0. F rises, and is convex up to 0, where the root is: so
 * Newton's method, begun where F >= 0, falls to the root, and has found it when rounding stops its fall. It begins at
 * the least of 0, c, where F is v sigmoid(c), and for a large v
 *
 *     z = log(2 (max(c, 0) + log v) / v),   where F(z) >= z - c + v exp(z) / 2 >= z + log v >= 0.
 *
 * From 0 it would take log v steps.
 */
static double root_below(double c, double v) {
    double z = c < 0.0 ? c : 0.0;
    if (v > 4.0) {
        double log_v = posse_log(v), start = posse_log(2.0 * ((c > 0.0 ? c : 0.0) + log_v) / v);
        if (start < z) z = start;
    }
    for (int n = 0; n < STEPS_MAX; n++) {
        double e = posse_exp(z), q = e / (1.0 + e);
        double next = z - (z - c + v * q) / (1.0 + v * q / (1.0 + e));
        if (!(next < z)) break;
        z = next;
    }
    return z;
}

/*
 * In z = s + bias the equation is z = c - v sigmoid(z). A root above 0 is minus the root of the mirrored equation,
 * which has the reward 1 - y and the opposite score.
 */
double logistic_mode(double mean, double variance, double bias, double reward) {
    double before = mean + bias, c = before + variance * reward, opposite = variance * (1.0 - reward) - before;
    double z = c <= opposite ? root_below(c, variance) : -root_below(opposite, variance);
    return z - bias;
}

void logistic_step(double mean, double variance, double bias, double reward, double *gain, double *weight) {
    double mode = logistic_mode(mean, variance, bias, reward);
    double e = posse_exp(-fabs(mode + bias));
    *weight = e / ((1.0 + e) * (1.0 + e));
    /* reward - q is (mode - mean) / variance; each cancels where the other does not. */
    *gain = variance > 1.0 ? (mode - mean) / variance : reward - sigmoid(mode + bias);
}

void logistic_update(double *state, int dim, double bias, const double *x, double reward) {
    double w[DIM_MAX + 1], v[DIM_MAX], gain, weight;
    double variance = regression_spread(state, dim, x, w), mean = w[0];
    logistic_step(mean, variance, bias, reward, &gain, &weight);
    double grown = 1.0 + weight * variance;
    regression_step(state, dim, w + 1, gain, weight / (grown + sqrt(grown)), v);
}

/* The width of a step in standard deviations, and how many of them reach 8 standard deviations, beyond which there is
 * less than 1e-15. */
static double step_for(double deviation, int *reach) {
    double step = 0.5;
    *reach = 16;
    while (step * deviation > 0.75 && *reach < 1024) {
        step *= 0.5;
        *reach *= 2;
    }
    return step;
}

void logistic_moments(double mean, double variance, double bias, double *value, double *spread) {
    int reach;
    double deviation = sqrt(variance), step = step_for(deviation, &reach), total = 0.0, first = 0.0, second = 0.0;
    for (int k = -reach; k <= reach; k++) {
        double z = k * step, density = posse_exp(-0.5 * z * z), q = sigmoid(mean + bias + deviation * z);
        total += density;
        first += density * q;
        second += density * q * q;
    }
    *value = first / total;
    double left = second / total - *value * *value;
    *spread = left > 0.0 ? left : 0.0;
}

/* log of the likelihood of a reward at a score: y s - log(1 + exp(s)) */
static double log_likelihood(double score, double reward) {
    double size = fabs(score), above = score > 0.0 ? score : 0.0;
    return reward * score - above - posse_log(1.0 + posse_exp(-size));
}

/*
 * The integrand is the likelihood times the density, both of which are log-concave. The sum is centred at the maximum
 * of the integrand, from which it falls no slower than the density does.
 */
double logistic_evidence(double mean, double variance, double bias, double reward) {
    const double root_two_pi = 2.5066282746310002;
    if (variance == 0.0) return log_likelihood(mean + bias, reward);
    double deviation = sqrt(variance), mode = logistic_mode(mean, variance, bias, reward);
    double off = (mode - mean) / deviation, top = log_likelihood(mode + bias, reward) - 0.5 * off * off, sum = 0.0;
    int reach;
    double step = step_for(deviation, &reach);
    for (int k = -reach; k <= reach; k++) {
        double z = off + k * step, score = mode + bias + deviation * (k * step);
        sum += posse_exp(log_likelihood(score, reward) - 0.5 * z * z - top);
    }
    return top + posse_log(sum * step / root_two_pi);
}
