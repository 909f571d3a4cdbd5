/* SPDX-License-Identifier: MIT */
/*
 * The weights of products of features, with more features than fill a vector. Every kernel set gives the bits of plain
 * loops in the order that numeric/kernels.h fixes, and these sums are right.
 */
#include <math.h>
#include <string.h>

#include "belief/products.h"
#include "menagerie.h"
#include "numeric/kernels.h"

#define DIM 27
#define ROOM (DIM * (DIM + KERNEL_LANES))

/* Weights in rows, and features with zeros behind them. */
typedef struct table {
    int dim, numbers;
    double means[ROOM], variances[ROOM], x[DIM + KERNEL_LANES], squares[DIM + KERNEL_LANES];
} table;

static int row_length(int i) {
    return (i / KERNEL_LANES + 1) * KERNEL_LANES;
}

static void table_fill(table *t, int dim, uint64_t *source) {
    memset(t, 0, sizeof *t);
    t->dim = dim;
    for (int i = 0; i < dim; t->numbers += row_length(i++))
        for (int j = 0; j <= i; j++) {
            t->means[t->numbers + j] = 2.0 * random_uniform(source) - 1.0;
            t->variances[t->numbers + j] = random_uniform(source);
        }
    for (int j = 0; j < dim; j++) {
        t->x[j] = 2.0 * random_uniform(source) - 1.0;
        t->squares[j] = t->x[j] * t->x[j];
    }
}

static double plain_sum(const double *rows, int dim, const double *x) {
    double lanes[KERNEL_LANES] = {0.0}, total = 0.0;
    for (int i = 0; i < dim; rows += row_length(i++))
        for (int l = 0; l < KERNEL_LANES; l++) {
            double sum = 0.0;
            for (int j = l; j < row_length(i); j += KERNEL_LANES) sum = sum + rows[j] * x[j];
            lanes[l] = lanes[l] + sum * x[i];
        }
    for (int l = 0; l < KERNEL_LANES; l++) total += lanes[l];
    return total;
}

static long double true_sum(const double *rows, int dim, const double *x) {
    long double sum = 0.0L;
    for (int i = 0; i < dim; rows += row_length(i++))
        for (int j = 0; j <= i; j++) sum += (long double)rows[j] * x[i] * x[j];
    return sum;
}

static void plain_learn(table *t, double gain, double factor, double least) {
    double *mean = t->means, *variance = t->variances;
    for (int i = 0; i < t->dim; i++)
        for (int j = 0; j < row_length(i); j++, mean++, variance++) {
            double z = t->x[j] * t->x[i], change = *variance * z, left = 1.0 - change * z * factor;
            *mean = *mean + change * gain;
            *variance = *variance * (left > least ? left : least);
        }
}

static void kernels_are_plain(int dim) {
    static table t, u;
    uint64_t source = 7;
    for (int n = 0; n < 5; n++) {
        table_fill(&t, dim, &source);
        double sum = kernels_active()->sum_products(t.means, (size_t)dim, t.x);
        assert_true(sum == plain_sum(t.means, dim, t.x));
        assert_close(sum, (double)true_sum(t.means, dim, t.x), 1e-13 * dim * dim);
        double spread = kernels_active()->sum_products(t.variances, (size_t)dim, t.squares);
        u = t;
        kernels_active()->learn_products(t.means, t.variances, (size_t)dim, t.x, 0.3, 1.0 / (1.0 + spread), 0.9);
        plain_learn(&u, 0.3, 1.0 / (1.0 + spread), 0.9);
        assert_memory_equal(&t, &u, sizeof t);
    }
}

LAW(kernels_of_products_are_plain_loops) {
    const char *before = kernels_active()->name;
    for (const char *const *name = kernels_names(); *name != NULL; name++)
        for (int dim = 1; kernels_use(*name) && dim <= DIM; dim++) kernels_are_plain(dim);
    assert_true(kernels_use(before));
}

/* Values do not depend on the scale of the features, and features that are all 0 have none. */
LAW(products_have_no_scale) {
    enum { FEATURES = 11, ROWS = (8 + 2 * 3) * KERNEL_LANES };
    const products p = {.dim = FEATURES, .count = 1, .each = ROWS, .precision = 66.0};
    double weights[2 * ROWS], x[FEATURES], large[FEATURES], none[FEATURES] = {0.0};
    uint64_t source = 9;
    products_row features;
    assert_int_equal(products_size(&p), sizeof weights);
    products_start(&p, weights);
    for (int n = 0; n < 20; n++) {
        for (int j = 0; j < FEATURES; j++) x[j] = 2.0 * random_uniform(&source) - 1.0, large[j] = 0x1p12 * x[j];
        products_logistic_learn(&p, weights, 0, x, random_uniform(&source), -1.0);
        products_see(&p, x, &features);
        double value = products_value(&p, weights, 0, &features);
        products_see(&p, large, &features);
        assert_true(value != 0.0 && products_value(&p, weights, 0, &features) == value);
        products_see(&p, none, &features);
        assert_true(products_value(&p, weights, 0, &features) == 0.0);
    }
}

/* A reward is a product of two features, which no linear model can follow, of one arm; the other arm pays nothing. */
static double share_of_best(bool multiplies) {
    posse_def def = posse_default_def();
    posse_part learner = {.kind = "linear-ucb", .options = {NUMBER("products", multiplies)}};
    def.arms = 2;
    def.context = 10;
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    uint64_t source = 3;
    int best = 0;
    for (int n = 0; n < 4000; n++) {
        double x[10];
        posse_decision d;
        for (int j = 0; j < 10; j++) x[j] = 4.0 * random_uniform(&source) - 2.0;
        posse_context context = {.shared = x};
        assert_int_equal(posse_decide(p, &context, &d), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, d.arm == 0 ? x[2] * x[9] : 0.0), POSSE_OK);
        best += n >= 2000 && (d.arm == 0) == (x[2] * x[9] > 0.0);
    }
    posse_free(p);
    return best / 2000.0;
}

LAW(products_find_what_no_linear_model_can) {
    assert_true(share_of_best(false) < 0.55);
    assert_true(share_of_best(true) > 0.65);
}
