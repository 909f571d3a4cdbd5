/* SPDX-License-Identifier: MIT */
#include "prior/em.h"

#include <math.h>
#include <string.h>

#include "numeric/vectors.h"
#include "prior/symmetric.h"

#define LOG_TWO_PI 1.8378770664093454836
#define KMEANS_STEPS 12

struct em {
    const samples *rows;
    bool complete;
    int arms, count_max;
    double *overall, *variances;      /* of each arm, over all rows */
    double *ballast, *ballast_root;   /* V */
    double *roots, *logs;             /* of each component: its root and the log of its determinant */
    double *shares, *parts;           /* of a row: the share of each component, and log weight + log density */
    double *expected, *spread;        /* of a row in each component: its means, arms x arms of covariance */
    double *totals, *sums, *products; /* of the M step, of each component */
    double noise_sum;
    double *block, *solved, *vector; /* of a row that is not complete: its root, L^-1 S_O:, L^-1 (y - m) */
    int *seen, seen_count;
    double *completed; /* rows x arms, where k-means begins */
    double *centres;   /* count x arms */
    double *distance;  /* of each row to the nearest centre */
    int *nearest;
};

static size_t em_square(int n) {
    return (size_t)n * (size_t)n;
}

posse_error normals_make(int count, int arms, arena *memory, normals *out) {
    size_t many = (size_t)count;
    *out = (normals){.count = count, .arms = arms};
    out->weights = arena_allocate(memory, many * sizeof(double));
    out->means = arena_allocate(memory, many * (size_t)arms * sizeof(double));
    out->covariances = arena_allocate(memory, many * em_square(arms) * sizeof(double));
    bool made = out->weights != NULL && out->means != NULL && out->covariances != NULL;
    return made ? POSSE_OK : POSSE_ERROR_MEMORY;
}

void normals_copy(const normals *from, normals *to) {
    size_t many = (size_t)from->count;
    memcpy(to->weights, from->weights, many * sizeof(double));
    memcpy(to->means, from->means, many * (size_t)from->arms * sizeof(double));
    memcpy(to->covariances, from->covariances, many * em_square(from->arms) * sizeof(double));
    to->count = from->count;
    to->noise = from->noise;
    to->likelihood = from->likelihood;
    to->objective = from->objective;
}

/* The next `count` numbers of a block. */
static double *em_carve(double **block, size_t count) {
    double *here = *block;
    *block += count;
    return here;
}

posse_error em_make(const samples *s, int count_max, arena *memory, em **out) {
    size_t arms = (size_t)s->arms, many = (size_t)count_max, area = em_square(s->arms);
    size_t numbers = 3 * arms + many * (3 * area + 3 * arms + 4) + 4 * area + s->rows * (arms + 1);
    em *e = arena_allocate(memory, sizeof *e);
    double *block = arena_allocate(memory, numbers * sizeof *block);
    int *whole = arena_allocate(memory, (arms + s->rows) * sizeof *whole);
    *out = e;
    if (e == NULL || block == NULL || whole == NULL) return POSSE_ERROR_MEMORY;
    *e = (em){.rows = s, .complete = samples_are_complete(s), .arms = s->arms, .count_max = count_max};
    e->overall = em_carve(&block, arms), e->variances = em_carve(&block, arms);
    e->ballast = em_carve(&block, area), e->ballast_root = em_carve(&block, area);
    e->roots = em_carve(&block, many * area), e->logs = em_carve(&block, many);
    e->shares = em_carve(&block, many), e->parts = em_carve(&block, many);
    e->expected = em_carve(&block, many * arms), e->spread = em_carve(&block, many * area);
    e->totals = em_carve(&block, many), e->sums = em_carve(&block, many * arms),
    e->products = em_carve(&block, many * area);
    e->centres = em_carve(&block, many * arms);
    e->block = em_carve(&block, area), e->solved = em_carve(&block, area), e->vector = em_carve(&block, arms);
    e->completed = em_carve(&block, s->rows * arms), e->distance = em_carve(&block, s->rows);
    e->seen = whole, e->nearest = whole + arms;
    samples_moments(s, s->counts != NULL ? samples_noise(s) : 0.0, e->overall, e->variances);
    return POSSE_OK;
}

/* Takes a covariance as V; NULL: the arms' variances, uncorrelated. */
static void set_ballast(em *e, const double *covariance) {
    for (int a = 0; a < e->arms; a++)
        for (int b = 0; b < e->arms; b++) {
            double alone = a == b ? e->variances[a] : 0.0;
            e->ballast[a * e->arms + b] = covariance != NULL ? covariance[a * e->arms + b] : alone;
        }
    memcpy(e->ballast_root, e->ballast, em_square(e->arms) * sizeof(double));
    symmetric_root(e->ballast_root, e->arms);
}

/* ------------------------------------------------ the E step --------------------------------------------------- */

static double *em_covariance_of(const normals *n, int c) {
    return n->covariances + (size_t)c * em_square(n->arms);
}

/* The roots of all covariances, which are positive definite because each contains V. */
static void find_roots(em *e, const normals *n) {
    for (int c = 0; c < n->count; c++) {
        double *root = e->roots + (size_t)c * em_square(e->arms);
        memcpy(root, em_covariance_of(n, c), em_square(e->arms) * sizeof *root);
        bool definite = symmetric_root(root, e->arms);
        e->logs[c] = definite ? symmetric_log_determinant(root, e->arms) : INFINITY;
    }
}

/* Whether a row has all means, and without noise. */
static bool row_is_complete(const double *values, const double *counts, int arms) {
    bool all = counts == NULL;
    for (int a = 0; a < arms && all; a++) all = !isnan(values[a]);
    return all;
}

/* The log density of a complete row in component c. */
static double density_complete(em *e, const normals *n, const double *values, int c) {
    int arms = e->arms;
    const double *mean = n->means + (size_t)c * (size_t)arms;
    for (int a = 0; a < arms; a++) e->vector[a] = values[a] - mean[a];
    symmetric_solve(e->roots + (size_t)c * em_square(arms), arms, e->vector);
    return -0.5 * (arms * LOG_TWO_PI + e->logs[c] + dot(e->vector, e->vector, arms));
}

static void find_seen(em *e, const double *values) {
    e->seen_count = 0;
    for (int a = 0; a < e->arms; a++)
        if (!isnan(values[a])) e->seen[e->seen_count++] = a;
}

/*
 * The log density of a row with holes or noise in component c. Afterwards e->block and e->vector are L and L^-1 (y -
 * m_O).
 */
static double density_partial(em *e, const normals *n, const double *values, const double *counts, int c) {
    const double *mean = n->means + (size_t)c * (size_t)e->arms, *s = em_covariance_of(n, c);
    find_seen(e, values);
    int count = e->seen_count;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) e->block[i * count + j] = s[e->seen[i] * e->arms + e->seen[j]];
        if (counts != NULL) e->block[i * count + i] += n->noise / counts[e->seen[i]];
        e->vector[i] = values[e->seen[i]] - mean[e->seen[i]];
    }
    if (!symmetric_root(e->block, count)) return -INFINITY;
    symmetric_solve(e->block, count, e->vector);
    double determinant = symmetric_log_determinant(e->block, count);
    return -0.5 * (count * LOG_TWO_PI + determinant + dot(e->vector, e->vector, count));
}

/*
 * After density_partial: the expected means of all arms given such a row, and their covariance. With w_a = L^-1 S_Oa
 * these are m_a + w_a.(L^-1 (y - m_O)) and S_ab - w_a.w_b.
 */
static void explain_partial(em *e, const normals *n, int c) {
    int arms = e->arms, count = e->seen_count;
    const double *mean = n->means + (size_t)c * (size_t)arms, *s = em_covariance_of(n, c);
    double *expected = e->expected + (size_t)c * (size_t)arms, *spread = e->spread + (size_t)c * em_square(arms);
    for (int a = 0; a < arms; a++) {
        double *w = e->solved + a * count;
        for (int i = 0; i < count; i++) w[i] = s[e->seen[i] * arms + a];
        symmetric_solve(e->block, count, w);
        expected[a] = mean[a] + dot(w, e->vector, count);
        for (int b = 0; b <= a; b++) spread[a * arms + b] = s[a * arms + b] - dot(w, e->solved + b * count, count);
    }
}

/* The log density of a row in all components together. e->shares become the shares of the components in the row. */
static double em_weigh(em *e, const normals *n, const double *values, const double *counts, bool explain) {
    bool complete = row_is_complete(values, counts, e->arms);
    for (int c = 0; c < n->count; c++) {
        double density = complete ? density_complete(e, n, values, c) : density_partial(e, n, values, counts, c);
        if (explain && !complete) explain_partial(e, n, c);
        e->parts[c] = posse_log(n->weights[c]) + density;
    }
    double top = largest_value(e->parts, n->count), total = 0.0;
    for (int c = 0; c < n->count; c++) total += e->shares[c] = posse_exp(e->parts[c] - top);
    for (int c = 0; c < n->count; c++) e->shares[c] /= total;
    return top + posse_log(total);
}

/* For plays: the part of a row's log-likelihood that comes from the distances of rewards from their averages. */
static double repeats_likelihood(const samples *s, size_t row, double noise) {
    const double *counts = sample_counts(s, row);
    double sum = -s->squares[row] / (2.0 * noise), log_noise = posse_log(noise);
    for (int a = 0; a < s->arms; a++)
        if (counts[a] > 0.0) sum -= 0.5 * ((counts[a] - 1.0) * (LOG_TWO_PI + log_noise) + posse_log(counts[a]));
    return sum;
}

/* ------------------------------------------------ the M step --------------------------------------------------- */

static void clear_sums(em *e) {
    size_t many = (size_t)e->count_max;
    memset(e->totals, 0, many * sizeof(double));
    memset(e->sums, 0, many * (size_t)e->arms * sizeof(double));
    memset(e->products, 0, many * em_square(e->arms) * sizeof(double));
    e->noise_sum = 0.0;
}

/*
 * Adds a row's share to the sums of a component, as distances from its present mean, so that large means cancel
 * nothing.
 */
static void add_share(em *e, const normals *n, const double *theta, const double *spread, double share, int c) {
    int arms = e->arms;
    const double *mean = n->means + (size_t)c * (size_t)arms;
    double *sums = e->sums + (size_t)c * (size_t)arms, *products = e->products + (size_t)c * em_square(arms);
    e->totals[c] += share;
    for (int a = 0; a < arms; a++) {
        double off = theta[a] - mean[a], *row = products + (size_t)a * (size_t)arms;
        e->vector[a] = off;
        sums[a] += share * off;
        for (int b = 0; b <= a; b++) row[b] += share * off * e->vector[b];
        for (int b = 0; b <= a && spread != NULL; b++) row[b] += share * spread[a * arms + b];
    }
}

/* Adds the part of the noise that the averages of a row contribute. */
static void add_noise(em *e, const double *values, const double *counts, double share, int c) {
    const double *expected = e->expected + (size_t)c * (size_t)e->arms,
                 *spread = e->spread + (size_t)c * em_square(e->arms);
    for (int a = 0; a < e->arms; a++) {
        if (isnan(values[a])) continue;
        double off = values[a] - expected[a];
        e->noise_sum += share * counts[a] * (off * off + spread[a * e->arms + a]);
    }
}

static void em_add_row(em *e, const normals *n, size_t row) {
    const double *values = sample_row(e->rows, row), *counts = sample_counts(e->rows, row);
    bool complete = row_is_complete(values, counts, e->arms);
    for (int c = 0; c < n->count; c++) {
        if (e->shares[c] < 1e-12) continue;
        const double *expected = e->expected + (size_t)c * (size_t)e->arms;
        const double *spread = e->spread + (size_t)c * em_square(e->arms);
        add_share(e, n, complete ? values : expected, complete ? NULL : spread, e->shares[c], c);
        if (counts != NULL) add_noise(e, values, counts, e->shares[c], c);
    }
}

static void finish_component(em *e, normals *n, int c) {
    int arms = e->arms;
    double total = e->totals[c], *mean = n->means + (size_t)c * (size_t)arms, *s = em_covariance_of(n, c);
    const double *products = e->products + (size_t)c * em_square(arms);
    double *shift = e->sums + (size_t)c * (size_t)arms;
    n->weights[c] = (total + 1.0) / ((double)e->rows->rows + n->count);
    for (int a = 0; a < arms; a++) shift[a] = total > 0.0 ? shift[a] / total : 0.0;
    for (int a = 0; a < arms; a++)
        for (int b = 0; b <= a; b++) {
            double all = products[a * arms + b] - total * shift[a] * shift[b] + e->ballast[a * arms + b];
            s[a * arms + b] = s[b * arms + a] = all / (total + 1.0);
        }
    for (int a = 0; a < arms; a++) mean[a] += shift[a];
}

static void em_finish(em *e, bool noise_known, normals *n) {
    for (int c = 0; c < n->count; c++) finish_component(e, n, c);
    if (e->rows->counts == NULL || noise_known) return;
    double squares = 0.0;
    for (size_t i = 0; i < e->rows->rows; i++) squares += e->rows->squares[i];
    n->noise = (squares + e->noise_sum) / e->rows->rewards;
}

/* ------------------------------------------------- climbing ---------------------------------------------------- */

/* Weighs all rows and adds them up for the next M step. */
static void em_look(em *e, normals *n) {
    find_roots(e, n);
    clear_sums(e);
    n->likelihood = 0.0;
    for (size_t i = 0; i < e->rows->rows; i++) {
        n->likelihood += em_weigh(e, n, sample_row(e->rows, i), sample_counts(e->rows, i), true);
        if (e->rows->counts != NULL) n->likelihood += repeats_likelihood(e->rows, i, n->noise);
        em_add_row(e, n, i);
    }
    n->objective = n->likelihood;
    for (int c = 0; c < n->count; c++) {
        double trace =
            symmetric_trace_ratio(e->ballast_root, e->roots + (size_t)c * em_square(e->arms), e->arms, e->vector);
        n->objective += posse_log(n->weights[c]) - 0.5 * (e->logs[c] + trace);
    }
}

int em_climb(em *e, const em_course *course, normals *n) {
    double before = -INFINITY, enough = course->enough * (double)e->rows->rows;
    int steps = 0;
    for (em_look(e, n); steps < course->steps_max && n->objective - before > enough; steps++) {
        before = n->objective;
        em_finish(e, course->noise_known, n);
        em_look(e, n);
    }
    return steps;
}

double em_score(em *e, const samples *s, const normals *n) {
    double sum = 0.0;
    find_roots(e, n);
    for (size_t i = 0; i < s->rows; i++) sum += em_weigh(e, n, sample_row(s, i), sample_counts(s, i), false);
    return sum / (double)s->rows;
}

void em_complete(em *e, const normals *n, size_t row, double *means) {
    const double *values = sample_row(e->rows, row), *counts = sample_counts(e->rows, row);
    size_t arms = (size_t)e->arms;
    if (row_is_complete(values, counts, e->arms)) {
        memcpy(means, values, arms * sizeof *means);
        return;
    }
    em_weigh(e, n, values, counts, true);
    memset(means, 0, arms * sizeof *means);
    for (int c = 0; c < n->count; c++)
        for (int a = 0; a < e->arms; a++) means[a] += e->shares[c] * e->expected[(size_t)c * arms + (size_t)a];
}

/* ------------------------------------------------- beginnings -------------------------------------------------- */

void em_start_single(em *e, double noise, normals *out) {
    set_ballast(e, NULL);
    out->count = 1;
    out->weights[0] = 1.0;
    out->noise = noise;
    memcpy(out->means, e->overall, (size_t)e->arms * sizeof *out->means);
    memcpy(out->covariances, e->ballast, em_square(e->arms) * sizeof(double));
}

/* The squared distance of a row from a centre, in units of the arms' overall variances. */
static double em_distance(const em *e, size_t row, int centre) {
    const double *x = e->completed + row * (size_t)e->arms, *y = e->centres + (size_t)centre * (size_t)e->arms;
    double sum = 0.0;
    for (int a = 0; a < e->arms; a++) sum += (x[a] - y[a]) * (x[a] - y[a]) / e->variances[a];
    return sum;
}

/* Finds the nearest of the first `count` centres for each row. */
static void find_nearest(em *e, int count) {
    for (size_t i = 0; i < e->rows->rows; i++) {
        e->distance[i] = INFINITY;
        for (int c = 0; c < count; c++) {
            double d = em_distance(e, i, c);
            if (!(d < e->distance[i])) continue;
            e->distance[i] = d;
            e->nearest[i] = c;
        }
    }
}

/*
 * k-means++ (Arthur and Vassilvitskii 2007): each centre is a row, drawn in proportion to its squared distance from the
 * nearest centre before.
 */
static void draw_centres(em *e, int count, posse_draw *draw) {
    size_t arms = (size_t)e->arms, rows = e->rows->rows;
    for (int c = 0; c < count; c++) {
        double total = 0.0;
        for (size_t i = 0; c > 0 && i < rows; i++) total += e->distance[i];
        size_t row = total > 0.0 ? posse_draw_weighted(draw, e->distance, rows) : posse_draw_index(draw, rows);
        memcpy(e->centres + (size_t)c * arms, e->completed + row * arms, arms * sizeof(double));
        find_nearest(e, c + 1);
    }
}

static void move_centres(em *e, int count) {
    size_t arms = (size_t)e->arms;
    clear_sums(e);
    for (size_t i = 0; i < e->rows->rows; i++) {
        size_t c = (size_t)e->nearest[i];
        e->totals[c] += 1.0;
        for (size_t a = 0; a < arms; a++) e->sums[c * arms + a] += e->completed[i * arms + a];
    }
    for (size_t c = 0; c < (size_t)count; c++)
        for (size_t a = 0; a < arms && e->totals[c] > 0.0; a++)
            e->centres[c * arms + a] = e->sums[c * arms + a] / e->totals[c];
}

void em_start(em *e, const normals *single, posse_draw *draw, normals *out) {
    size_t arms = (size_t)e->arms;
    set_ballast(e, single->covariances);
    find_roots(e, single);
    for (size_t i = 0; i < e->rows->rows; i++) em_complete(e, single, i, e->completed + i * arms);
    draw_centres(e, out->count, draw);
    for (int step = 0; step < KMEANS_STEPS; step++) {
        move_centres(e, out->count);
        find_nearest(e, out->count);
    }
    memcpy(out->means, e->centres, (size_t)out->count * arms * sizeof(double));
    clear_sums(e);
    for (size_t i = 0; i < e->rows->rows; i++) add_share(e, out, e->completed + i * arms, NULL, 1.0, e->nearest[i]);
    out->noise = single->noise;
    for (int c = 0; c < out->count; c++) finish_component(e, out, c);
}
