/* SPDX-License-Identifier: MIT */
/*
 * Bayesian logistic regression over arms with points x_a: theta ~ N(0, I / precision), and a reward y in [0, 1] of arm
 * a has likelihood q^y (1 - q)^(1 - y), q = sigmoid(<theta, x_a> + bias). The numbers n_a and sums k_a of the arms'
 * rewards are sufficient, so that the posterior can be fitted to all rewards after each of them. With s_a = <theta,
 * x_a> + bias,
 *
 *     log posterior = sum of k_a s_a - n_a log(1 + exp(s_a)) over arms - precision |theta|^2 / 2
 *
 * It is approximated by N(m, S S^T), in the form of regression.h, in one of two ways:
 *
 *   Laplace's     m is its mode, and (S S^T)^-1 = H = precision I + sum of n_a q_a (1 - q_a) x_a x_a^T there. A reward
 *                 first moves m as the online step does (logistic_regression.h), which is exact for that reward. Then
 *                 Newton's step S S^T gradient accounts for the change in the other arms' curvature. If that step is
 *                 longer than a small part of a standard deviation, it is halved until the log posterior does not fall,
 *                 and another step follows.
 *   variational   the likelihood of arm a is bounded from below by a normal one that touches it at the scores +- xi_a,
 *                 and xi_a^2 = E(s_a^2) makes the bound as high as possible: with c_a = tanh(xi_a / 2) / (2 xi_a),
 *                 H = precision I + sum of n_a c_a x_a x_a^T and H m = sum of (k_a - n_a / 2 - n_a c_a bias) x_a.
 *
 * H = L L^T gives S = L^-T, upper triangular.
 *
 * Reference: Jaakkola, Jordan, Bayesian parameter estimation via variational methods (2000); MacKay, The evidence
 * framework applied to classification networks (1992).
 */
#ifndef POSSE_BELIEF_LOGISTIC_COUNTS_H
#define POSSE_BELIEF_LOGISTIC_COUNTS_H

#include "belief/regression.h"

typedef struct logistic_counts {
    const posse_space *space;
    double precision, bias;
    bool variational;
} logistic_counts;

/* Refuses arms without points, the ball, and points that are too large (regression_fits). `what` names the kind. */
posse_error logistic_counts_prepare(const posse_setup *setup, const char *what, logistic_counts *out);

/* The state: n_a, then k_a, then the normal posterior, then xi_a if the approximation is variational. */
size_t logistic_counts_size(const logistic_counts *c);
void logistic_counts_start(const logistic_counts *c, double *state);
bool logistic_counts_sane(const logistic_counts *c, const double *state);
void logistic_counts_grow(const logistic_counts *c, double *state, const logistic_counts *former,
                          const double *former_state);

/* Learns a reward, in O(dim^3 + arms dim^2). */
void logistic_counts_learn(const logistic_counts *c, double *state, int arm, double reward);

/* The normal posterior of theta, for the functions of regression.h. */
static inline double *logistic_counts_normal(const logistic_counts *c, const double *state) {
    return (double *)(uintptr_t)state + 2 * (size_t)c->space->arms;
}

/* The log posterior at theta, up to a constant, and its gradient where that is not NULL. */
double logistic_counts_log_posterior(const logistic_counts *c, const double *state, const double *theta,
                                     double *gradient);

/* The scores of all arms at theta. */
void logistic_counts_scores(const logistic_counts *c, const double *theta, double *scores);

/*
 * Draws of theta that are better than those of the normal posterior.
 *
 * Resampled: the candidates are m + S z, where z has a spherical Student distribution with 8 degrees of freedom. One of
 * them is taken, with a probability proportional to the ratio of the posterior to the density of the candidates.
 *
 * By a chain: a draw of the normal posterior is followed by `steps` steps of Langevin's diffusion in units of S, each
 * accepted or rejected by the rule of Metropolis and Hastings. Writes the number of accepted steps to *taken.
 *
 * Reference: Rubin, The calculation of posterior distributions by data augmentation: comment (1987); Roberts, Tweedie,
 * Exponential convergence of Langevin distributions (1996).
 */
void logistic_counts_resample(const logistic_counts *c, const double *state, int candidates, posse_draw *draw,
                              double *theta);
void logistic_counts_walk(const logistic_counts *c, const double *state, int steps, posse_draw *draw, double *theta,
                          int *taken);

#endif
