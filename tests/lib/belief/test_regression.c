/* SPDX-License-Identifier: MIT */
/*
 * Tests of the linear regression that linear beliefs and learners use: every set of kernels computes the same bits as
 * plain loops.
 */
#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "menagerie.h"
#include "numeric/kernels.h"

/* ------------------------------------------- regression, to the bit -------------------------------------------- */

#define ROOT_MAX 100

typedef struct plain_regression {
    double mean[ROOT_MAX], root[ROOT_MAX][ROOT_MAX]; /* [j][i]: row i of column j */
} plain_regression;

/* The formulas of regression.h, each sum from 0 up. Returns alpha. */
static double plain_update(plain_regression *r, int dim, double noise, const double *x, double reward, double *v) {
    double u[ROOT_MAX], alpha = 0.0, predicted = 0.0;
    for (int j = 0; j < dim; j++) {
        u[j] = v[j] = 0.0;
        for (int i = 0; i < dim; i++) u[j] += r->root[j][i] * x[i];
        alpha += u[j] * u[j];
        predicted += x[j] * r->mean[j];
    }
    alpha = noise * noise + alpha;
    double gamma = 1.0 / (alpha + noise * sqrt(alpha)), gain = (reward - predicted) / alpha;
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) v[i] += u[j] * r->root[j][i];
        r->mean[i] += gain * v[i];
        for (int j = 0; j < dim; j++) r->root[j][i] -= gamma * u[j] * v[i];
    }
    return alpha;
}

static void assert_same(const char *what, int dim, const double *got, const double *expected) {
    assert_that(memcmp(got, expected, (size_t)dim * sizeof *got) == 0, "%s: %s of %d dimensions differs",
                kernels_active()->name, what, dim);
}

/* Several regressions at a time give the numbers of each by itself. */
static void moments_are_plain(const double *state, int dim, const double *x) {
    double other[ROOT_MAX], means[REGRESSIONS_ABREAST], variances[REGRESSIONS_ABREAST];
    for (int j = 0; j < dim; j++) other[j] = 0.5 - x[dim - 1 - j];
    const double *states[REGRESSIONS_ABREAST], *points[REGRESSIONS_ABREAST];
    for (int k = 0; k < REGRESSIONS_ABREAST; k++) {
        states[k] = state;
        points[k] = k % 2 == 0 ? x : other;
    }
    double alone[REGRESSIONS_ABREAST];
    regression_moments(states, dim, points, means, variances);
    regression_means(states, dim, points, alone);
    for (int k = 0; k < REGRESSIONS_ABREAST; k++) {
        assert_true(means[k] == dot(state, points[k], dim) && alone[k] == means[k]);
        assert_true(variances[k] == regression_variance(state, dim, points[k]));
    }
}

static void regression_is_plain(int dim) {
    static plain_regression r;
    static double state[ROOT_MAX * (ROOT_MAX + 1) + 1];
    double x[ROOT_MAX], v[ROOT_MAX + 1], expected[ROOT_MAX], theta[ROOT_MAX + 1], z[ROOT_MAX];
    uint64_t source = 71;
    posse_draw draw, again;
    draw_open(&draw, 5, 0, 1, 0);
    draw_open(&again, 5, 0, 1, 0);
    memset(&r, 0, sizeof r);
    for (int j = 0; j < dim; j++) r.root[j][j] = sqrt(1.0 / 0.5);
    regression_start(state, dim, 0.5);
    state[dim * (dim + 1)] = v[dim] = theta[dim] = -77.0;
    for (int n = 0; n < 30; n++) {
        for (int j = 0; j < dim; j++) x[j] = 2.0 * random_uniform(&source) - 1.0;
        double alpha = regression_update(state, dim, 0.7, x, 0.3 * n, v);
        assert_true(alpha == plain_update(&r, dim, 0.7, x, 0.3 * n, expected));
        assert_same("v", dim, v, expected);
        assert_same("the mean", dim, state, r.mean);
        for (int j = 0; j < dim; j++) assert_same("the root", dim, state + (j + 1) * dim, r.root[j]);
        regression_draw(state, dim, 1.7, &draw, theta);
        posse_draw_normals(&again, z, (size_t)dim);
        for (int i = 0; i < dim; i++) {
            expected[i] = r.mean[i];
            for (int j = 0; j < dim; j++) expected[i] += 1.7 * z[j] * r.root[j][i];
        }
        assert_same("a draw", dim, theta, expected);
        moments_are_plain(state, dim, x);
    }
    assert_true(state[dim * (dim + 1)] == -77.0 && v[dim] == -77.0 && theta[dim] == -77.0);
}

LAW(regressions_are_those_of_plain_loops) {
    const char *before = kernels_active()->name;
    for (const char *const *name = kernels_names(); *name != NULL; name++)
        for (int dim = 1; kernels_use(*name) && dim <= ROOT_MAX; dim++) regression_is_plain(dim);
    assert_true(kernels_use(before));
}
