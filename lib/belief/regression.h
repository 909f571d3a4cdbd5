/* SPDX-License-Identifier: MIT */
/*
 * Bayesian linear regression, theta ~ N(0, I / precision), rewards <theta, x> + noise z, in Potter's square-root form:
 * the posterior's mean and a square root S of its covariance S S^T. For a reward r of x
 *
 *     u = S^T x,  v = S u,  alpha = noise^2 + u.u,  gamma = 1 / (alpha + noise sqrt(alpha))
 *     mean += v (r - x.mean) / alpha,   S -= gamma v u^T
 *
 * This takes one square root and two rank-one updates, and solves no system; rounding cannot make S S^T indefinite. A
 * draw is mean + S z.
 * Reference: J. E. Potter, in R. H. Battin, Astronautical Guidance (1964); Bierman, Factorization Methods for Discrete
 * Sequential Estimation (1977), chapter II.
 */
#ifndef POSSE_BELIEF_REGRESSION_H
#define POSSE_BELIEF_REGRESSION_H

#include "model/space.h"

/*
 * Refuses arms so large, or a prior so wide relative to the noise, that noise^2 would be lost to rounding beside
 * x^T x / precision: the first reward would leave no variance at all.
 */
posse_error regression_fits(const posse_setup *setup, double precision, double noise);

/*
 * The noise with which a reward of x is learned, if x is not known beforehand: the given one or, if regression_fits
 * would refuse x, the least that it accepts. The posterior is then wider than the exact one, and never a false
 * certainty. sd: of a coordinate of theta.
 */
double regression_noise(double noise, double sd, const double *x, int dim);

/*
 * Whether a setting of PARAMETER_MODEL asks for weights of each arm, in rounds with features. These are the default if
 * the features of a round are one vector that all arms share. Weights that all arms share are refused then, because all
 * arms would have the same mean. Without contexts, any model is refused.
 */
posse_error regression_model(const posse_setup *setup, const posse_option *setting, bool *disjoint);

/* The state is dim numbers of mean, then S column by column. */
size_t regression_size(int dim);
void regression_start(double *state, int dim, double precision);
bool regression_sane(const double *state, int dim);

/* Learns a reward. Returns alpha and writes v = (covariance before) x, of dim numbers. */
double regression_update(double *state, int dim, double noise, const double *x, double reward, double *v);

/*
 * The same if x is the j-th unit vector, and the variance of that coordinate. S^T x is row j of S, which takes O(dim)
 * instead of O(dim^2).
 */
void regression_update_coordinate(double *state, int dim, double noise, int j, double reward);
double regression_coordinate_variance(const double *state, int dim, int j);

/*
 * The two halves of any such step. The first one writes dim + 1 numbers to w: <mean, x>, then u = S^T x. It returns
 * u.u, the variance of <theta, x>. The second one writes v = S u, and then computes mean += gain v and
 * S -= gamma v u^T.
 */
double regression_spread(const double *state, int dim, const double *x, double *w);
void regression_step(double *state, int dim, const double *u, double gain, double gamma, double *v);

/* S becomes factor S. */
void regression_scale(double *state, int dim, double factor);

/*
 * The covariance grows by width^2 I, in O(dim^3): S is turned until it is lower triangular, which leaves S S^T as it
 * is, and takes in width e_1, width e_2, ... by plane rotations.
 */
void regression_widen(double *state, int dim, double width);

/* x^T (covariance) x */
double regression_variance(const double *state, int dim, const double *x);

/* <mean, x> and x^T (covariance) x of REGRESSIONS_ABREAST regressions, each with its own x; and the means alone. */
#define REGRESSIONS_ABREAST 4
void regression_moments(const double *const *states, int dim, const double *const *x, double *means, double *variances);
void regression_means(const double *const *states, int dim, const double *const *x, double *means);

/* Writes mean + scale S z to theta, which must not overlap the state or z. */
void regression_point(const double *state, int dim, double scale, const double *z, double *theta);

/* The same with standard normal z. With a scale of 0 nothing is drawn. */
void regression_draw(const double *state, int dim, double scale, posse_draw *draw, double *theta);

#endif
