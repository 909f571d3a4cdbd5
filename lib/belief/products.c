/* SPDX-License-Identifier: MIT */
#include "belief/products.h"

#include <math.h>
#include <string.h>

#include "belief/logistic_regression.h"
#include "numeric/vectors.h"

/* Two gigabytes, so that products fit wherever a full covariance of a gigabyte does. */
#define PRODUCTS_NUMBERS_MAX ((size_t)1 << 28)

static size_t products_padding(size_t numbers) {
    return (numbers + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

static size_t products_in_rows(int dim) {
    size_t numbers = 0;
    for (int i = 0; i < dim; i++) numbers += products_padding((size_t)i + 1);
    return numbers;
}

static posse_error products_refuse_sparse(const posse_setup *setup) {
    return posse_setup_refuse(setup, "products", -1,
                              "given, but contexts are sparse: leave it out, and give the products that matter as "
                              "features");
}

posse_error products_prepare(const posse_setup *setup, const posse_option *setting, const regressions *linear,
                             products *out) {
    *out = (products){0};
    if (setting->number == 0.0) return POSSE_OK;
    if (space_is_sparse(setup->space)) return products_refuse_sparse(setup);
    double dim = linear->dim;
    *out = (products){linear->dim, linear->count, linear->disjoint, products_in_rows(linear->dim),
                      dim * (dim + 1.0) / 2.0};
    if (out->each <= PRODUCTS_NUMBERS_MAX / 2 / (size_t)out->count) return POSSE_OK;
    return posse_setup_refuse(setup, "products", -1,
                              "given, but those of %d features for each of %d arms are too many: leave it out",
                              out->dim, out->count);
}

bool products_same(const products *p, const products *q) {
    return p->dim == q->dim && p->count == q->count && p->disjoint == q->disjoint;
}

/* --------------------------------------------------- the state ------------------------------------------------- */

static size_t products_numbers(const products *p) {
    return 2 * (size_t)p->count * p->each;
}

size_t products_size(const products *p) {
    return products_numbers(p) * sizeof(double);
}

/* Behind the numbers of a row, all is 0: what has no variance learns nothing. */
static void products_start_rows(const products *p, double *variances) {
    for (size_t i = 0; i < (size_t)p->dim; i++) {
        for (size_t j = 0; j <= i; j++) variances[j] = 1.0 / p->precision;
        variances += products_padding(i + 1);
    }
}

void products_start(const products *p, double *state) {
    memset(state, 0, products_size(p));
    for (int k = 0; k < p->count; k++) products_start_rows(p, state + 2 * (size_t)k * p->each + p->each);
}

bool products_sane(const products *p, const double *state) {
    for (int k = 0; k < p->count; k++, state += 2 * p->each)
        for (size_t i = 0; i < p->each; i++) {
            double variance = state[p->each + i];
            if (!(fabs(state[i]) <= 1e200) || !(variance >= 0.0 && variance <= 1e200)) return false;
        }
    return true;
}

void products_grow(double *state, const products *former, const double *former_state) {
    memcpy(state, former_state, products_size(former));
}

/* ------------------------------------------------ values and rewards ------------------------------------------- */

void products_see(const products *p, const double *x, products_row *out) {
    size_t dim = (size_t)p->dim;
    double square = dot(x, x, p->dim), scale = square > PRODUCTS_SQUARE_LEAST ? sqrt(p->dim / square) : 0.0;
    for (size_t j = 0; j < dim; j++) out->y[j] = scale * x[j];
    memset(out->y + dim, 0, (products_padding(dim) - dim) * sizeof *x);
}

double products_value(const products *p, const double *state, int arm, const products_row *features) {
    return kernels_active()->sum_products(products_means(p, state, arm), (size_t)p->dim, features->y);
}

/* The products of a play: <mean, z> and the variance of <u, z>, where z are the products. */
typedef struct products_play {
    products_row features;
    double *means, *variances;
    double mean, variance;
} products_play;

static void products_open(const products *p, double *state, int arm, const double *x, products_play *out) {
    products_row squares;
    products_see(p, x, &out->features);
    for (size_t j = 0; j < products_padding((size_t)p->dim); j++)
        squares.y[j] = out->features.y[j] * out->features.y[j];
    out->means = products_means(p, state, arm);
    out->variances = out->means + p->each;
    out->mean = kernels_active()->sum_products(out->means, (size_t)p->dim, out->features.y);
    out->variance = kernels_active()->sum_products(out->variances, (size_t)p->dim, squares.y);
}

/* diagonal_step: each variance s is multiplied by (whole - factor s z^2) / whole, of which at least 1 / whole is left.
 */
static void products_step(const products *p, const products_play *play, double gain, double factor, double whole) {
    kernels_active()->learn_products(play->means, play->variances, (size_t)p->dim, play->features.y, gain,
                                     factor / whole, 1.0 / whole);
}

void products_learn(const products *p, double *state, int arm, const double *x, double reward, double beside) {
    products_play play;
    products_open(p, state, arm, x, &play);
    double alpha = 1.0 + play.variance;
    products_step(p, &play, (reward - beside - play.mean) / alpha, 1.0, alpha);
}

void products_logistic_learn(const products *p, double *state, int arm, const double *x, double reward, double beside) {
    products_play play;
    double gain, weight;
    products_open(p, state, arm, x, &play);
    logistic_step(play.mean, play.variance, beside, reward, &gain, &weight);
    products_step(p, &play, gain, weight, 1.0 + weight * play.variance);
}
