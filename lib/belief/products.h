/* SPDX-License-Identifier: MIT */
/*
 * What the products of two features add to a linear model. With d features x there are P = d (d + 1) / 2 products
 * y_i y_j, j <= i, squares among them, where y is x made sqrt(d) long. Every theta of the model (belief/regressions.h)
 * has a weight u_ij for each:
 *
 *     score = <theta, x> + sum over j <= i of u_ij y_i y_j,   y = sqrt(d) x / |x|
 *
 * The weights are independent, with mean 0 and variance 1 / P at first. So the sum has a prior variance of about 1
 * whatever the scale of the features: products of large features, unscaled, would drown the linear part. The weights
 * learn by the formulas of a diagonal covariance (belief/diagonal.h) what is left of a reward beside <mean, x>. The
 * linear part learns as if there were no products. So it stays the model that a belief may share, and the products
 * correct it.
 *
 * The state has, for each theta, the means and then the variances. Each of the two is in rows: row i has the weights
 * of y_i y_0 to y_i y_i, and is filled up with zeros to whole vectors, of KERNEL_LANES numbers.
 */
#ifndef POSSE_BELIEF_PRODUCTS_H
#define POSSE_BELIEF_PRODUCTS_H

#include "belief/regressions.h"
#include "numeric/kernels.h"

/* `products`, an option of every model in contexts. */
#define PARAMETER_PRODUCTS                                                                                             \
    {                                                                                                                  \
        .name = "products", .type = POSSE_TYPE_FLAG, .fallback = 0.0, .low = 0.0, .high = 1.0,                         \
        .help = "in contexts: also learn what products of two features add, each weight by itself"                     \
    }

/* A shorter x counts as 0, because the square of its length would be mostly rounding. */
#define PRODUCTS_SQUARE_LEAST 1e-200

typedef struct products {
    int dim; /* the features; 0: the model has no products */
    int count;
    bool disjoint; /* `count` thetas, one for each arm; else one for all */
    size_t each;   /* numbers in the rows of a theta */
    double precision;
} products;

/* For a setting of PARAMETER_PRODUCTS, and the regressions that the products are added to. Refuses sparse contexts. */
posse_error products_prepare(const posse_setup *setup, const posse_option *setting, const regressions *linear,
                             products *out);

static inline bool products_are_used(const products *p) {
    return p->dim > 0;
}

bool products_same(const products *p, const products *q);

size_t products_size(const products *p);
void products_start(const products *p, double *state);
bool products_sane(const products *p, const double *state);
/* The thetas of added arms begin with the prior. */
void products_grow(double *state, const products *former, const double *former_state);

/* The means of an arm's weights, in rows; their variances are behind. */
static inline double *products_means(const products *p, const double *state, int arm) {
    return (double *)(uintptr_t)state + (p->disjoint ? 2 * (size_t)arm * p->each : 0);
}

/* y of an arm's features, with zeros up to a whole vector. */
typedef struct products_row {
    double y[DIM_MAX + KERNEL_LANES];
} products_row;

/* ---- for a model that has products; x: the features of an arm in a round ---- */

void products_see(const products *p, const double *x, products_row *out);
double products_value(const products *p, const double *state, int arm, const products_row *features);

/* Learns a reward. beside: what the model expects without the products; with a logistic link, the score. */
void products_learn(const products *p, double *state, int arm, const double *x, double reward, double beside);
void products_logistic_learn(const products *p, double *state, int arm, const double *x, double reward, double beside);

#endif
