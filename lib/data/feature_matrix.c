/* SPDX-License-Identifier: MIT */
#include "data/feature_matrix.h"

#include <math.h>
#include <string.h>

static double *matrix_row_of(const feature_matrix *m, int64_t row) {
    return m->numbers + row * m->dim;
}

posse_error feature_matrix_open(feature_matrix *m, int64_t rows, int dim, const posse_allocator *allocator) {
    *m = (feature_matrix){.rows = rows, .dim = dim};
    m->numbers = memory_allocate(allocator, (size_t)rows * (size_t)dim * sizeof(double));
    return m->numbers != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* ---------------------------------------------- standardised columns ------------------------------------------- */

static double matrix_mean_of(const feature_matrix *m, int j) {
    double sum = 0.0;
    for (int64_t row = 0; row < m->rows; row++) sum += matrix_row_of(m, row)[j];
    return sum / (double)m->rows;
}

static double deviation_of(const feature_matrix *m, int j, double mean) {
    double sum = 0.0;
    for (int64_t row = 0; row < m->rows; row++) {
        double difference = matrix_row_of(m, row)[j] - mean;
        sum += difference * difference;
    }
    return sqrt(sum / (double)m->rows);
}

static bool is_constant(const feature_matrix *m, int j) {
    for (int64_t row = 1; row < m->rows; row++)
        if (matrix_row_of(m, row)[j] != m->numbers[j]) return false;
    return true;
}

static void standardise_column(const feature_matrix *m, int j, int to) {
    double mean = matrix_mean_of(m, j), deviation = deviation_of(m, j, mean);
    for (int64_t row = 0; row < m->rows; row++) {
        double x = (matrix_row_of(m, row)[j] - mean) / deviation;
        matrix_row_of(m, row)[to] = fmin(FEATURE_CLIP, fmax(-FEATURE_CLIP, x));
    }
}

/* Keeps the first `dim` numbers of each row. */
static void matrix_narrow(feature_matrix *m, int dim) {
    for (int64_t row = 0; row < m->rows; row++)
        memmove(m->numbers + row * dim, matrix_row_of(m, row), (size_t)dim * sizeof(double));
    m->dim = dim;
}

void feature_matrix_standardise(feature_matrix *m, int first) {
    int kept = first;
    for (int j = first; j < m->dim; j++)
        if (!is_constant(m, j)) standardise_column(m, j, kept++);
    matrix_narrow(m, kept);
}

/* -------------------------------------------------- products --------------------------------------------------- */

int64_t feature_matrix_products(int dim) {
    return dim + (int64_t)dim * (dim + 1) / 2;
}

posse_error feature_matrix_multiply(feature_matrix *m, const posse_allocator *allocator) {
    feature_matrix more;
    posse_error error = feature_matrix_open(&more, m->rows, (int)feature_matrix_products(m->dim), allocator);
    if (error != POSSE_OK) return error;
    for (int64_t row = 0; row < m->rows; row++) {
        const double *x = matrix_row_of(m, row);
        double *out = matrix_row_of(&more, row);
        memcpy(out, x, (size_t)m->dim * sizeof *x);
        out += m->dim;
        for (int i = 0; i < m->dim; i++)
            for (int j = i; j < m->dim; j++) *out++ = x[i] * x[j];
    }
    memory_release(allocator, m->numbers);
    *m = more;
    return POSSE_OK;
}
