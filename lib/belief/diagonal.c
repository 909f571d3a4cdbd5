/* SPDX-License-Identifier: MIT */
#include "belief/diagonal.h"

#include <math.h>

#include "belief/logistic_regression.h"
#include "numeric/elementary.h"
#include "random/philox.h"

void diagonal_start(double *state, int count, int first, int slots, double precision) {
    double variance = 1.0 / precision;
    size_t weights = (size_t)count * (size_t)slots;
    state += 2 * (size_t)count * (size_t)first;
    for (size_t i = 0; i < weights; i++) {
        state[2 * i] = 0.0;
        state[2 * i + 1] = variance;
    }
}

bool diagonal_sane(const double *state, int count, int slots) {
    size_t weights = (size_t)count * (size_t)slots;
    for (size_t i = 0; i < weights; i++)
        if (!(fabs(state[2 * i]) <= 1e200) || !(state[2 * i + 1] >= 0.0 && state[2 * i + 1] <= 1e200)) return false;
    return true;
}

double diagonal_mean(diagonal d, row x) {
    double sum = 0.0;
    for (int i = 0; i < x.count; i++) sum += diagonal_slot(d, row_slot(x, i))[0] * row_value(x, i);
    return sum;
}

double diagonal_variance(diagonal d, row x) {
    double sum = 0.0;
    for (int i = 0; i < x.count; i++) sum += diagonal_slot(d, row_slot(x, i))[1] * row_value(x, i) * row_value(x, i);
    return sum;
}

/* m_j += gain s_j x_j, s_j *= (whole - factor s_j x_j^2) / whole, whose numerator is at least `least` but for rounding.
 */
static void diagonal_step(diagonal d, row x, double gain, double factor, double whole, double least) {
    for (int i = 0; i < x.count; i++) {
        double *weight = diagonal_slot(d, row_slot(x, i)), value = row_value(x, i), variance = weight[1];
        double left = whole - factor * variance * value * value;
        weight[0] += gain * variance * value;
        weight[1] = variance * ((left > least ? left : least) / whole);
    }
}

double diagonal_update(diagonal d, double noise, row x, double reward) {
    double off = reward - diagonal_mean(d, x), alpha = noise * noise + diagonal_variance(d, x);
    diagonal_step(d, x, off / alpha, 1.0, alpha, noise * noise);
    return alpha;
}

void diagonal_logistic_update(diagonal d, double bias, row x, double reward) {
    double gain, weight, mean = diagonal_mean(d, x), variance = diagonal_variance(d, x);
    logistic_step(mean, variance, bias, reward, &gain, &weight);
    diagonal_step(d, x, gain, weight, 1.0 + weight * variance, 1.0);
}

/* The normal that a key and a slot give. */
static double diagonal_normal(uint64_t key, int slot) {
    const uint32_t counter[4] = {(uint32_t)slot, 0, 0, 0};
    uint32_t words[4];
    philox(key, counter, words);
    return inverse_normal(word_uniform((uint64_t)words[1] << 32 | words[0]));
}

double diagonal_drawn(diagonal d, double scale, uint64_t key, row x) {
    double sum = 0.0;
    for (int i = 0; i < x.count; i++) {
        const double *weight = diagonal_slot(d, row_slot(x, i));
        double drawn = weight[0] + scale * sqrt(weight[1]) * diagonal_normal(key, row_slot(x, i));
        sum += drawn * row_value(x, i);
    }
    return sum;
}
