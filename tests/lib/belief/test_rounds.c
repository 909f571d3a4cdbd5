/* SPDX-License-Identifier: MIT */
/*
 * Tests of rounds side by side: every set of kernels gives each round the bits that plain loops give it.
 */
#include <math.h>
#include <string.h>

#include "belief/rounds.h"
#include "menagerie.h"
#include "numeric/kernels.h"

#define DIM 45
#define MANY POSSE_ROUNDS_ABREAST

/* A regression, weights of products in rows, and the features of an arm in all rounds. */
typedef struct table {
    double state[DIM * (DIM + 1)], rows[DIM * (DIM + KERNEL_LANES)], features[MANY][DIM];
    posse_round rounds[MANY];
} table;

static double number(uint64_t *source) {
    return random_below(source, 9) == 0 ? 0.0 : 2.0 * random_uniform(source) - 1.0;
}

static int row_length(int i) {
    return (i / KERNEL_LANES + 1) * KERNEL_LANES;
}

static void table_fill(table *t, int dim, uint64_t *source) {
    memset(t, 0, sizeof *t);
    for (int i = 0; i < dim * (dim + 1); i++) t->state[i] = number(source);
    double *weights = t->rows;
    for (int i = 0; i < dim; weights += row_length(i++))
        for (int j = 0; j <= i; j++) weights[j] = number(source);
    for (int r = 0; r < MANY; r++) {
        for (int j = 0; j < dim && r != 3; j++) t->features[r][j] = number(source); /* round 3 has zeros alone */
        t->rounds[r] = (posse_round){.count = 1, .width = dim, .features = t->features[r]};
    }
}

/* As plain_sum of test_products.c: lane by lane, with the zeros behind each row. */
static double plain_products(const double *weights, int dim, const double *x) {
    double y[DIM + KERNEL_LANES] = {0.0}, lanes[KERNEL_LANES] = {0.0}, square = 0.0, total = 0.0;
    for (int j = 0; j < dim; j++) square += x[j] * x[j];
    for (int j = 0; j < dim; j++) y[j] = (square > 1e-200 ? sqrt(dim / square) : 0.0) * x[j];
    for (int i = 0; i < dim; weights += row_length(i++))
        for (int l = 0; l < KERNEL_LANES; l++) {
            double sum = 0.0;
            for (int j = l; j < row_length(i); j += KERNEL_LANES) sum += weights[j] * y[j];
            lanes[l] += sum * y[i];
        }
    for (int l = 0; l < KERNEL_LANES; l++) total += lanes[l];
    return total;
}

static void assert_round(const table *t, int dim, int r, double mean, double deviation) {
    const double *x = t->features[r];
    double expected = 0.0, square = 0.0;
    for (int j = 0; j < dim; j++) expected += t->state[j] * x[j];
    for (int k = 1; k <= dim; k++) {
        double sum = 0.0;
        for (int j = 0; j < dim; j++) sum += t->state[k * dim + j] * x[j];
        square += sum * sum;
    }
    expected += plain_products(t->rows, dim, x);
    assert_that(mean == expected && deviation == sqrt(square), "%s: round %d of %d dimensions differs",
                kernels_active()->name, r, dim);
}

static void rounds_are_plain(int dim) {
    static table t;
    static double x[DIM * MANY], y[(DIM + KERNEL_LANES) * MANY];
    uint64_t source = 11;
    products p = {.dim = dim, .count = 1, .each = DIM * (DIM + KERNEL_LANES)};
    for (int n = 0; n < 3; n++) {
        double means[MANY], again[MANY], deviations[MANY];
        table_fill(&t, dim, &source);
        rounds_turn(t.rounds, MANY, 0, NULL, dim, x);
        rounds_see(&p, x, y);
        rounds_moments(t.state, dim, x, means, deviations);
        rounds_moments(t.state, dim, x, again, NULL);
        assert_memory_equal(means, again, sizeof means);
        rounds_add_products(&p, t.rows, 0, y, means);
        for (int r = 0; r < MANY; r++) assert_round(&t, dim, r, means[r], deviations[r]);
    }
}

LAW(rounds_side_by_side_are_those_of_plain_loops) {
    const char *before = kernels_active()->name;
    for (const char *const *name = kernels_names(); *name != NULL; name++)
        for (int dim = 1; kernels_use(*name) && dim <= DIM; dim++) rounds_are_plain(dim);
    assert_true(kernels_use(before));
}

/* A model that uses some features, in fewer rounds than fit side by side: the last round is repeated. */
LAW(rounds_are_turned_with_the_features_that_are_seen) {
    static const int seen[] = {4, 1};
    static table t;
    double x[2 * MANY];
    uint64_t source = 5;
    table_fill(&t, 6, &source);
    rounds_turn(t.rounds, 5, 0, seen, 2, x);
    for (int r = 0; r < MANY; r++)
        for (int j = 0; j < 2; j++) assert_true(x[j * MANY + r] == t.features[r < 5 ? r : 4][seen[j]]);
}
