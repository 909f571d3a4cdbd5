/* SPDX-License-Identifier: MIT */
/*
 * Bayesian logistic regression by Laplace's approximation, one reward at a time: theta ~ N(m, Sigma), and a reward y in
 * [0, 1] of x has likelihood q^y (1 - q)^(1 - y), q = sigmoid(<theta, x> + bias). The state is that of a regression,
 * Sigma = S S^T (regression.h). The posterior's mode lies on the line m + r Sigma x, and its score s = <mode, x> solves
 * one equation in one unknown:
 *
 *     v = x^T Sigma x,   s = <m, x> + v (y - sigmoid(s + bias)),   q = sigmoid(s + bias)
 *     m += Sigma x (y - q),   Sigma^-1 += w x x^T,   w = q (1 - q)
 *
 * The mode is exact for every v, so w needs no lower bound. A single Newton step from <m, x> would need one, because it
 * overshoots after a surprise, where w is tiny. In square-root form, with u = S^T x:
 *
 *     S -= gamma (S u) u^T,   gamma = w / (1 + w v + sqrt(1 + w v))
 *
 * Reference: Spiegelhalter, Lauritzen, Sequential updating of conditional probabilities on directed graphical
 * structures (1990); Chapelle, Li, An empirical evaluation of Thompson sampling (2011).
 */
#ifndef POSSE_BELIEF_LOGISTIC_REGRESSION_H
#define POSSE_BELIEF_LOGISTIC_REGRESSION_H

#include "belief/regression.h"

/* The score s of the mode, less the bias, where <theta, x> ~ N(mean, variance) before the reward. */
double logistic_mode(double mean, double variance, double bias, double reward);

/* What a reward changes by: the gain y - q, and w, at the mode. */
void logistic_step(double mean, double variance, double bias, double reward, double *gain, double *weight);

/* Learns a reward. */
void logistic_update(double *state, int dim, double bias, const double *x, double reward);

/*
 * Where <theta, x> ~ N(mean, variance): the mean and variance of sigmoid(<theta, x> + bias), and the log of the mean
 * likelihood of a reward. Both are sums over equal steps (the trapezoidal rule), which converges exponentially for such
 * integrands: steps of at most half a standard deviation, and of at most 3/4 in <theta, x> unless the standard
 * deviation is above 96, leave errors below 1e-9.
 */
void logistic_moments(double mean, double variance, double bias, double *value, double *spread);
double logistic_evidence(double mean, double variance, double bias, double reward);

#endif
