/* SPDX-License-Identifier: MIT */
#include "belief/logistic_counts.h"

#include <math.h>
#include <string.h>

#include "belief/logistic_regression.h"
#include "numeric/elementary.h"

/* The square of Newton's step in units of the posterior's standard deviation, up to which no further step is needed. */
#define SETTLED 1e-3
#define STEPS_MAX 32

/* The largest relative change of a xi that needs no further sweep. */
#define STEADY 1e-3
#define SWEEPS_MAX 64

/*
 * The number of arms that are summed side by side: each addition waits for the one before, and the additions of other
 * arms fill the wait.
 */
#define ABREAST 4

posse_error logistic_counts_prepare(const posse_setup *setup, const char *what, logistic_counts *out) {
    const posse_space *space = setup->space;
    if (space->arms == 0 && space->dim > 0)
        return posse_setup_refuse(setup, NULL, -1, "%s needs separate arms, and the continuous ball has none", what);
    if (space->dim == 0)
        return posse_setup_refuse(
            setup, NULL, -1, "%s needs arms with coordinates or rounds with features, and these arms are independent",
            what);
    out->space = space;
    return regression_fits(setup, out->precision, 1.0);
}

/* --------------------------------------------------- the state ----------------------------------------------- */

static double *logistic_counts_plays_of(const double *state) {
    return (double *)(uintptr_t)state;
}

static double *logistic_sums_of(const logistic_counts *c, const double *state) {
    return (double *)(uintptr_t)state + c->space->arms;
}

static double *touching_of(const logistic_counts *c, const double *state) {
    return logistic_counts_normal(c, state) + regression_size(c->space->dim) / sizeof(double);
}

size_t logistic_counts_size(const logistic_counts *c) {
    return (size_t)c->space->arms * (c->variational ? 3 : 2) * sizeof(double) + regression_size(c->space->dim);
}

void logistic_counts_start(const logistic_counts *c, double *state) {
    memset(state, 0, logistic_counts_size(c));
    regression_start(logistic_counts_normal(c, state), c->space->dim, c->precision);
}

bool logistic_counts_sane(const logistic_counts *c, const double *state) {
    bool all = regression_sane(logistic_counts_normal(c, state), c->space->dim);
    for (int a = 0; a < c->space->arms && all; a++) {
        double plays = logistic_counts_plays_of(state)[a], sum = logistic_sums_of(c, state)[a];
        all = plays >= 0.0 && plays < 1e18 && sum >= 0.0 && sum <= plays;
        if (c->variational) all = all && touching_of(c, state)[a] >= 0.0 && touching_of(c, state)[a] <= 1e200;
    }
    return all;
}

void logistic_counts_grow(const logistic_counts *c, double *state, const logistic_counts *former,
                          const double *former_state) {
    int arms = c->space->arms, before = former->space->arms, dim = c->space->dim;
    copy_columns(state, arms, former_state, before, 2);
    memcpy(logistic_counts_normal(c, state), logistic_counts_normal(former, former_state), regression_size(dim));
    if (c->variational)
        memcpy(touching_of(c, state), touching_of(former, former_state), (size_t)before * sizeof(double));
}

/* ------------------------------------------------ sums over arms --------------------------------------------- */

/* The scores of ABREAST arms from `first` on, or of the arms that are left; returns their number. */
static inline int scores_from(const logistic_counts *c, const double *theta, int first, double scores[ABREAST]) {
    int dim = c->space->dim, left = c->space->arms - first;
    const double *x = space_point(c->space, first);
    if (left < ABREAST) {
        for (int i = 0; i < left; i++) scores[i] = dot(theta, x + (size_t)i * (size_t)dim, dim) + c->bias;
        return left;
    }
    double sums[ABREAST] = {0.0};
    for (int j = 0; j < dim; j++)
        for (int i = 0; i < ABREAST; i++) sums[i] += theta[j] * x[(size_t)i * (size_t)dim + (size_t)j];
    for (int i = 0; i < ABREAST; i++) scores[i] = sums[i] + c->bias;
    return ABREAST;
}

void logistic_counts_scores(const logistic_counts *c, const double *theta, double *scores) {
    for (int a = 0; a < c->space->arms; a += ABREAST) {
        double some[ABREAST];
        int count = scores_from(c, theta, a, some);
        memcpy(scores + a, some, (size_t)count * sizeof *some);
    }
}

/*
 * The derivative of an arm's log likelihood at a score, k - n q, and minus its second derivative, n q (1 - q). Both are
 * computed from the smaller of q and 1 - q.
 */
typedef struct slope {
    double first, second;
} slope;

static inline slope slope_at(double plays, double sum, double score) {
    double e = posse_exp(-fabs(score)), smaller = e / (1.0 + e);
    double first = score < 0.0 ? sum - plays * smaller : (sum - plays) + plays * smaller;
    return (slope){first, plays * (smaller / (1.0 + e))};
}

static inline void add_scaled(double *to, double by, const double *x, int count) {
    for (int j = 0; j < count; j++) to[j] += by * x[j];
}

double logistic_counts_log_posterior(const logistic_counts *c, const double *state, const double *theta,
                                     double *gradient) {
    int dim = c->space->dim;
    const double *plays = logistic_counts_plays_of(state), *sums = logistic_sums_of(c, state);
    double value = -0.5 * c->precision * dot(theta, theta, dim), scores[ABREAST];
    for (int j = 0; j < dim && gradient != NULL; j++) gradient[j] = -c->precision * theta[j];
    for (int first = 0; first < c->space->arms; first += ABREAST) {
        int count = scores_from(c, theta, first, scores);
        for (int i = 0; i < count; i++) {
            int a = first + i;
            if (plays[a] == 0.0) continue;
            double s = scores[i], e = posse_exp(-fabs(s));
            /* k s - n max(s, 0), so that nothing cancels where q is near 0 or 1 */
            double chord = s > 0.0 ? (sums[a] - plays[a]) * s : sums[a] * s;
            value += chord - plays[a] * posse_log(1.0 + e);
            if (gradient != NULL)
                add_scaled(gradient, slope_at(plays[a], sums[a], s).first, space_point(c->space, a), dim);
        }
    }
    return value;
}

/* The lower triangle of a table, row by row, begins as precision I. */
static void start_table(const logistic_counts *c, double *table) {
    size_t dim = (size_t)c->space->dim;
    memset(table, 0, dim * dim * sizeof *table);
    for (size_t i = 0; i < dim; i++) table[i * dim + i] = c->precision;
}

static inline void add_square(double *table, int dim, double weight, const double *x) {
    for (int i = 0; i < dim; i++) add_scaled(table + (size_t)i * (size_t)dim, weight * x[i], x, i + 1);
}

/*
 * Computes row i of L from the rows before it; the diagonal is inverted. No pivot is below the precision, but for
 * rounding.
 */
static void factor_row(double *table, int dim, int i, double precision) {
    double *row = table + (size_t)i * (size_t)dim, pivot = row[i];
    for (int j = 0; j < i; j++) {
        const double *other = table + (size_t)j * (size_t)dim;
        row[j] = (row[j] - dot(row, other, j)) * other[j];
        pivot -= row[j] * row[j];
    }
    row[i] = 1.0 / sqrt(pivot > precision ? pivot : precision);
}

/* Computes row i of L^-1 from the rows of L^-1 before it. */
static void invert_row(double *table, int dim, int i) {
    double *row = table + (size_t)i * (size_t)dim, sums[DIM_MAX] = {0.0};
    for (int k = 0; k < i; k++) add_scaled(sums, row[k], table + (size_t)k * (size_t)dim, k + 1);
    for (int j = 0; j < i; j++) row[j] = -sums[j] * row[i];
}

/* Replaces the lower triangle of H by L^-1, whose rows are the columns of S. */
static void root_of_inverse(double *table, int dim, double precision) {
    for (int i = 0; i < dim; i++) factor_row(table, dim, i, precision);
    for (int i = 1; i < dim; i++) invert_row(table, dim, i);
}

/* -------------------------------------------------- Laplace's ------------------------------------------------ */

/* Writes S at the mean, and the gradient of the log posterior there. */
static void fit_curvature(const logistic_counts *c, double *state, double *gradient) {
    int dim = c->space->dim;
    const double *plays = logistic_counts_plays_of(state), *sums = logistic_sums_of(c, state);
    double *mean = logistic_counts_normal(c, state), *table = mean + dim, scores[ABREAST];
    start_table(c, table);
    for (int j = 0; j < dim; j++) gradient[j] = -c->precision * mean[j];
    for (int first = 0; first < c->space->arms; first += ABREAST) {
        int count = scores_from(c, mean, first, scores);
        for (int i = 0; i < count; i++) {
            int a = first + i;
            if (plays[a] == 0.0) continue;
            const double *x = space_point(c->space, a);
            slope s = slope_at(plays[a], sums[a], scores[i]);
            add_scaled(gradient, s.first, x, dim);
            add_square(table, dim, s.second, x);
        }
    }
    root_of_inverse(table, dim, c->precision);
}

/* Halves the step S u until the log posterior does not fall; returns the factor. */
static double part_of_step(const logistic_counts *c, const double *state, const double *u) {
    const double *normal = logistic_counts_normal(c, state);
    double before = logistic_counts_log_posterior(c, state, normal, NULL), scale = 2.0, next[DIM_MAX];
    do {
        scale *= 0.5;
        regression_point(normal, c->space->dim, scale, u, next);
    } while (scale > 1e-9 && logistic_counts_log_posterior(c, state, next, NULL) < before);
    return scale;
}

static void logistic_counts_climb(const logistic_counts *c, double *state) {
    int dim = c->space->dim;
    double *normal = logistic_counts_normal(c, state), gradient[DIM_MAX], w[DIM_MAX + 1], next[DIM_MAX];
    for (int step = 0; step < STEPS_MAX; step++) {
        fit_curvature(c, state, gradient);
        bool settled = regression_spread(normal, dim, gradient, w) <= SETTLED;
        regression_point(normal, dim, settled ? 1.0 : part_of_step(c, state, w + 1), w + 1, next);
        memcpy(normal, next, (size_t)dim * sizeof *next);
        if (settled) return;
    }
}

/* ------------------------------------------------- variational ----------------------------------------------- */

/* tanh(xi / 2) / (2 xi), by its series where 1 - exp(-xi) would cancel. */
static double curvature_between(double xi) {
    double square = 0.25 * xi * xi, e = posse_exp(-xi);
    if (xi < 0.01) return 0.25 * (1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0)));
    return (1.0 - e) / (2.0 * xi * (1.0 + e));
}

/* The root of E(s_a^2) under the posterior. */
static double touching_point(const logistic_counts *c, const double *state, int arm) {
    const double *normal = logistic_counts_normal(c, state), *x = space_point(c->space, arm);
    double score = dot(normal, x, c->space->dim) + c->bias;
    return sqrt(regression_variance(normal, c->space->dim, x) + score * score);
}

/* Fits the posterior to the bounds that touch at the present xi. */
static void fit_bounds(const logistic_counts *c, double *state) {
    int dim = c->space->dim;
    const double *plays = logistic_counts_plays_of(state), *sums = logistic_sums_of(c, state),
                 *touching = touching_of(c, state);
    double *mean = logistic_counts_normal(c, state), *table = mean + dim, pull[DIM_MAX] = {0.0}, w[DIM_MAX + 1];
    start_table(c, table);
    for (int a = 0; a < c->space->arms; a++) {
        if (plays[a] == 0.0) continue;
        const double *x = space_point(c->space, a);
        double weight = plays[a] * curvature_between(touching[a]);
        add_scaled(pull, sums[a] - 0.5 * plays[a] - weight * c->bias, x, dim);
        add_square(table, dim, weight, x);
    }
    root_of_inverse(table, dim, c->precision);
    regression_spread(mean, dim, pull, w);
    memset(mean, 0, (size_t)dim * sizeof *mean);
    regression_point(mean, dim, 1.0, w + 1, pull);
    memcpy(mean, pull, (size_t)dim * sizeof *mean);
}

/* Moves the bounds to the xi of the present posterior, and returns the largest relative change. */
static double touch_anew(const logistic_counts *c, double *state) {
    double *touching = touching_of(c, state), most = 0.0;
    for (int a = 0; a < c->space->arms; a++) {
        if (logistic_counts_plays_of(state)[a] == 0.0) continue;
        double now = touching_point(c, state, a), change = fabs(now - touching[a]);
        if (change > most * now) most = change / now;
        touching[a] = now;
    }
    return most;
}

static void raise_bounds(const logistic_counts *c, double *state) {
    int sweeps = 0;
    do fit_bounds(c, state);
    while (touch_anew(c, state) > STEADY && ++sweeps < SWEEPS_MAX);
}

void logistic_counts_learn(const logistic_counts *c, double *state, int arm, double reward) {
    bool first = logistic_counts_plays_of(state)[arm] == 0.0;
    logistic_counts_plays_of(state)[arm] += 1.0;
    logistic_sums_of(c, state)[arm] += reward;
    if (c->variational) {
        if (first) touching_of(c, state)[arm] = touching_point(c, state, arm);
        raise_bounds(c, state);
        return;
    }
    logistic_update(logistic_counts_normal(c, state), c->space->dim, c->bias, space_point(c->space, arm), reward);
    logistic_counts_climb(c, state);
}
