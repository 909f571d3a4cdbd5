/* SPDX-License-Identifier: MIT */
#include "belief/regression.h"

#include <math.h>
#include <string.h>

#include "numeric/kernels.h"
#include "random/stream.h"

/* The least noise, relative to the standard deviation of <theta, x> under the prior. */
#define NOISE_LEAST 1e-7

posse_error regression_fits(const posse_setup *setup, double precision, double noise) {
    double ratio = noise * sqrt(precision) / (setup->space->reach * sqrt(setup->space->dim));
    if (ratio >= NOISE_LEAST || setup->space->reach == 0.0) return POSSE_OK;
    return posse_setup_refuse(
        setup, NULL, -1, "coordinates of up to %g are too large beside noise %g and precision %g: scale the arms down",
        setup->space->reach, noise, precision);
}

double regression_noise(double noise, double sd, const double *x, int dim) {
    double least = NOISE_LEAST * sd * sqrt(dot(x, x, dim));
    return noise >= least ? noise : least;
}

posse_error regression_model(const posse_setup *setup, const posse_option *setting, bool *disjoint) {
    const posse_space *space = setup->space;
    bool given = setting->key != NULL, one_vector = space->features == space->shared_features;
    if (given && !space_has_contexts(space))
        return posse_setup_refuse(setup, setting->key, -1,
                                  "%s, but rounds have no features, so that there is no model to choose: leave it out",
                                  setting->word);
    *disjoint = given ? strcmp(setting->word, "disjoint") == 0 : space_has_contexts(space) && one_vector;
    if (!given || *disjoint || !one_vector) return POSSE_OK;
    return posse_setup_refuse(
        setup, setting->key, -1,
        "joint, but the arms share all features, so that all would have the same mean: make it disjoint");
}

size_t regression_size(int dim) {
    return ((size_t)dim + (size_t)dim * (size_t)dim) * sizeof(double);
}

/* Column j of S. */
static double *regression_column(const double *state, int dim, int j) {
    return (double *)(uintptr_t)state + dim + (size_t)j * (size_t)dim;
}

void regression_start(double *state, int dim, double precision) {
    memset(state, 0, regression_size(dim));
    double sd = sqrt(1.0 / precision);
    for (int j = 0; j < dim; j++) regression_column(state, dim, j)[j] = sd;
}

bool regression_sane(const double *state, int dim) {
    size_t count = regression_size(dim) / sizeof(double);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(state[i]) <= 1e200)) return false;
    return true;
}

/* Whether a column fills a vector of every kernel set; plain loops are faster where it does not. */
static bool is_wide(int dim) {
    return dim >= KERNEL_LANES;
}

/* out = base + scale S u, column by column: entries are independent, so they can share a vector. */
static void regression_add_root(const double *state, int dim, double scale, const double *u, const double *base,
                                double *out) {
    if (is_wide(dim)) {
        kernels_active()->add_root(regression_column(state, dim, 0), (size_t)dim, scale, u, base, out);
        return;
    }
    for (int i = 0; i < dim; i++) {
        double sum = base[i];
        for (int j = 0; j < dim; j++) sum += scale * u[j] * regression_column(state, dim, j)[i];
        out[i] = sum;
    }
}

/* v = S u, mean += gain v, S -= gamma v u^T */
static inline void regression_learn(double *state, int dim, const double *u, double gain, double gamma, double *v) {
    if (is_wide(dim)) {
        kernels_active()->learn_root(state, (size_t)dim, u, gain, gamma, v);
        return;
    }
    const double zeros[KERNEL_LANES] = {0.0};
    regression_add_root(state, dim, 1.0, u, zeros, v);
    for (int i = 0; i < dim; i++) state[i] += gain * v[i];
    for (int j = 0; j < dim; j++)
        for (int i = 0; i < dim; i++) regression_column(state, dim, j)[i] -= gamma * u[j] * v[i];
}

/* w = (<mean, x>, S^T x) */
static void regression_project(const double *state, int dim, const double *x, double *w) {
    if (is_wide(dim)) {
        kernels_active()->spread_root(state, (size_t)dim, x, w);
        return;
    }
    int j = 0;
    do w[j] = dot(state + (size_t)j * (size_t)dim, x, dim);
    while (++j <= dim);
}

double regression_spread(const double *state, int dim, const double *x, double *w) {
    regression_project(state, dim, x, w);
    return dot(w + 1, w + 1, dim);
}

void regression_step(double *state, int dim, const double *u, double gain, double gamma, double *v) {
    regression_learn(state, dim, u, gain, gamma, v);
}

/* Learns a reward that is `off` above its expectation, for an x with u = S^T x and u.u = spread. */
static inline double regression_take_in(double *state, int dim, double noise, const double *u, double spread,
                                        double off, double *v) {
    double alpha = noise * noise + spread;
    double gamma = 1.0 / (alpha + noise * sqrt(alpha));
    regression_learn(state, dim, u, off / alpha, gamma, v);
    return alpha;
}

double regression_update(double *state, int dim, double noise, const double *x, double reward, double *v) {
    double w[DIM_MAX + 1];
    double spread = regression_spread(state, dim, x, w);
    return regression_take_in(state, dim, noise, w + 1, spread, reward - w[0], v);
}

/* S^T of the j-th unit vector: row j of S. */
static double spread_of_coordinate(const double *state, int dim, int j, double *u) {
    int k = 0;
    do u[k] = regression_column(state, dim, k)[j];
    while (++k < dim);
    return dot(u, u, dim);
}

void regression_update_coordinate(double *state, int dim, double noise, int j, double reward) {
    double u[DIM_MAX], v[DIM_MAX];
    double spread = spread_of_coordinate(state, dim, j, u);
    regression_take_in(state, dim, noise, u, spread, reward - state[j], v);
}

double regression_coordinate_variance(const double *state, int dim, int j) {
    double u[DIM_MAX];
    return spread_of_coordinate(state, dim, j, u);
}

void regression_scale(double *state, int dim, double factor) {
    double *root = regression_column(state, dim, 0);
    for (size_t i = 0; i < (size_t)dim * (size_t)dim; i++) root[i] *= factor;
}

/* The entries of row k from column k on become (its length, 0, 0, ...) by a reflection of these columns (Householder).
 */
static void reflect_row(double *state, int dim, int k) {
    double normal[DIM_MAX], sums[DIM_MAX] = {0.0}, square = 0.0;
    for (int j = k; j < dim; j++) {
        normal[j] = regression_column(state, dim, j)[k];
        square += normal[j] * normal[j];
    }
    if (square == 0.0) return;
    double length = sqrt(square), first = normal[k];
    normal[k] += first < 0.0 ? -length : length;
    double scale = 1.0 / (length * fabs(normal[k]));
    for (int j = k; j < dim; j++)
        for (int i = k; i < dim; i++) sums[i] += normal[j] * regression_column(state, dim, j)[i];
    for (int j = k; j < dim; j++) {
        double by = scale * normal[j], *to = regression_column(state, dim, j);
        for (int i = k + 1; i < dim; i++) to[i] -= by * sums[i];
        to[k] = 0.0;
    }
    regression_column(state, dim, k)[k] = first < 0.0 ? length : -length;
}

/* Rotates the vector x, whose entries before `first` are 0, into the lower triangular S. */
static void rotate_in(double *state, int dim, int first, double *x) {
    for (int k = first; k < dim; k++) {
        double *to = regression_column(state, dim, k), length = sqrt(to[k] * to[k] + x[k] * x[k]);
        if (length == 0.0) continue;
        double cosine = to[k] / length, sine = x[k] / length;
        for (int i = k; i < dim; i++) {
            double before = to[i];
            to[i] = cosine * before + sine * x[i];
            x[i] = cosine * x[i] - sine * before;
        }
    }
}

void regression_widen(double *state, int dim, double width) {
    for (int k = 0; k < dim; k++) reflect_row(state, dim, k);
    for (int j = 0; j < dim; j++) {
        double x[DIM_MAX] = {0.0};
        x[j] = width;
        rotate_in(state, dim, j, x);
    }
}

double regression_variance(const double *state, int dim, const double *x) {
    double w[DIM_MAX + 1];
    return regression_spread(state, dim, x, w);
}

/*
 * The additions of one sum wait for one another, and those of the others fill the wait. A regression that repeats the
 * one before it shares the product S^T x, which takes the most time.
 */
void regression_moments(const double *const *states, int dim, const double *const *x, double *means,
                        double *variances) {
    double sums[REGRESSIONS_ABREAST] = {0.0}, room[REGRESSIONS_ABREAST][DIM_MAX + 1], *w[REGRESSIONS_ABREAST];
    for (int k = 0; k < REGRESSIONS_ABREAST; k++) {
        bool again = k > 0 && states[k] == states[k - 1] && x[k] == x[k - 1];
        w[k] = again ? w[k - 1] : room[k];
        if (!again) regression_project(states[k], dim, x[k], w[k]);
        means[k] = w[k][0];
    }
    for (int j = 1; j <= dim; j++)
        for (int k = 0; k < REGRESSIONS_ABREAST; k++) sums[k] += w[k][j] * w[k][j];
    memcpy(variances, sums, sizeof sums);
}

/* Sums abreast, as above. */
void regression_means(const double *const *states, int dim, const double *const *x, double *means) {
    double sums[REGRESSIONS_ABREAST] = {0.0};
    for (int j = 0; j < dim; j++)
        for (int k = 0; k < REGRESSIONS_ABREAST; k++) sums[k] += states[k][j] * x[k][j];
    memcpy(means, sums, sizeof sums);
}

void regression_point(const double *state, int dim, double scale, const double *z, double *theta) {
    regression_add_root(state, dim, scale, z, state, theta);
}

void regression_draw(const double *state, int dim, double scale, posse_draw *draw, double *theta) {
    if (scale == 0.0) {
        memcpy(theta, state, (size_t)dim * sizeof *theta);
        return;
    }
    double room[DIM_MAX];
    regression_point(state, dim, scale, draw_normals(draw, room, (size_t)dim), theta);
}
