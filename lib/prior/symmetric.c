/* SPDX-License-Identifier: MIT */
#include "prior/symmetric.h"

#include <math.h>
#include <stddef.h>

#include "numeric/vectors.h"
#include "posse_extend.h"

bool symmetric_root(double *matrix, int size) {
    for (int i = 0; i < size; i++) {
        double *row = matrix + (size_t)i * (size_t)size;
        for (int j = 0; j < i; j++) {
            const double *before = matrix + (size_t)j * (size_t)size;
            row[j] = (row[j] - dot(row, before, j)) / before[j];
        }
        double left = row[i] - dot(row, row, i);
        if (!(left > 0.0)) return false;
        row[i] = sqrt(left);
    }
    return true;
}

double symmetric_log_determinant(const double *root, int size) {
    double sum = 0.0;
    for (int i = 0; i < size; i++) sum += posse_log(root[(size_t)i * (size_t)size + (size_t)i]);
    return 2.0 * sum;
}

void symmetric_solve(const double *root, int size, double *x) {
    for (int i = 0; i < size; i++) {
        const double *row = root + (size_t)i * (size_t)size;
        x[i] = (x[i] - dot(row, x, i)) / row[i];
    }
}

double symmetric_trace_ratio(const double *of, const double *root, int size, double *scratch) {
    double sum = 0.0;
    for (int column = 0; column < size; column++) {
        for (int i = 0; i < size; i++) scratch[i] = i < column ? 0.0 : of[(size_t)i * (size_t)size + (size_t)column];
        symmetric_solve(root, size, scratch);
        sum += dot(scratch, scratch, size);
    }
    return sum;
}
