/* SPDX-License-Identifier: MIT */
/*
 * Bayesian regression with a diagonal covariance: the weights theta_j ~ N(m_j, s_j) are independent. A reward of x
 * makes the posterior's covariance full. Of that posterior the means and the variances of single weights are kept,
 * which takes a step for each feature that is not 0. With v = sum_j s_j x_j^2, the variance of <theta, x>, and a reward
 * r with noise of standard deviation `noise`:
 *
 *     alpha = noise^2 + v,   m_j += s_j x_j (r - <m, x>) / alpha,   s_j *= (alpha - s_j x_j^2) / alpha
 *
 * With a logistic link, q and w are those at the posterior's mode (logistic_regression.h):
 *
 *     m_j += s_j x_j (r - q),   s_j *= (1 + w (v - s_j x_j^2)) / (1 + w v)
 *
 * Reference: Graepel, Quinonero Candela, Borchert, Herbrich, Web-scale Bayesian click-through rate prediction for
 * sponsored search advertising (2010), which does this for a probit link.
 *
 * Several thetas are side by side: the state has, for each slot, the mean and the variance of each theta. So the
 * weights of all arms for one feature are neighbours.
 */
#ifndef POSSE_BELIEF_DIAGONAL_H
#define POSSE_BELIEF_DIAGONAL_H

#include "model/row.h"
#include "posse_extend.h"

/* The means and variances of one theta of `count`, which begin in the state at index 2 k. */
typedef struct diagonal {
    double *numbers;
    int count;
} diagonal;

static inline diagonal diagonal_at(const double *state, int count, int k) {
    return (diagonal){(double *)(uintptr_t)state + 2 * (size_t)k, count};
}

/* The mean of the weight in a slot. Its variance is the next number. */
static inline double *diagonal_slot(diagonal d, int slot) {
    return d.numbers + 2 * (size_t)slot * (size_t)d.count;
}

/* Writes the prior of `slots` slots from `first` on, for all `count` thetas. */
void diagonal_start(double *state, int count, int first, int slots, double precision);
bool diagonal_sane(const double *state, int count, int slots);

/* <m, x>, and the variance of <theta, x>. */
double diagonal_mean(diagonal d, row x);
double diagonal_variance(diagonal d, row x);

/* Learns a reward. The first one returns alpha. */
double diagonal_update(diagonal d, double noise, row x, double reward);
void diagonal_logistic_update(diagonal d, double bias, row x, double reward);

/*
 * <theta, x> in a draw of theta ~ N(m, scale^2 s), which the key determines: a weight is the same in every row. Only
 * the weights of this row are drawn.
 */
double diagonal_drawn(diagonal d, double scale, uint64_t key, row x);

#endif
