/* SPDX-License-Identifier: MIT */
#ifndef POSSE_NUMERIC_DENSITY_H
#define POSSE_NUMERIC_DENSITY_H

/* log of the density of N(mean, variance) at x. */
double log_normal_density(double x, double mean, double variance);

#endif
