/* SPDX-License-Identifier: MIT */
/*
 * Several rounds side by side: the features of an arm in POSSE_ROUNDS_ABREAST rounds, coordinate j of round r at
 * [j][r], and what regressions and products make of them. Each round gets the bits that it would get by itself
 * (regression_moments, products_value).
 */
#ifndef POSSE_BELIEF_ROUNDS_H
#define POSSE_BELIEF_ROUNDS_H

#include "belief/products.h"
#include "belief/regressions.h"
#include "model/round.h"

/* Writes the features of the arm at a place of each round. seen: the `dim` features that are used; NULL: the first. */
void rounds_turn(const posse_round *rounds, int count, int place, const int *seen, int dim, double *x);

/* The estimates of the arm with this state: a mean and a standard deviation per round. deviations NULL: means alone. */
void rounds_moments(const double *state, int dim, const double *x, double *means, double *deviations);

/* products_see for each round. y has room for the padding of products_row. */
void rounds_see(const products *p, const double *x, double *y);

/* Adds products_value of the arm to the mean of each round. */
void rounds_add_products(const products *p, const double *state, int arm, const double *y, double *means);

#endif
