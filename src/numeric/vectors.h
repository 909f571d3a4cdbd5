/* SPDX-License-Identifier: MIT */
/*
 * Small sums and searches over arrays. Each is done in one fixed order everywhere.
 */
#ifndef POSSE_NUMERIC_VECTORS_H
#define POSSE_NUMERIC_VECTORS_H

#include <stdbool.h>

/* The sum of a[j] b[j], from j = 0 up. */
static inline double dot(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* The index of the largest of count numbers, the first among equals. It selects rather than branches, because a branch
 * here could not be predicted. */
static inline int largest(const double *values, int count) {
    int best = 0;
    double top = values[0];
    for (int i = 1; i < count; i++) {
        bool more = values[i] > top;
        best = more ? i : best;
        top = more ? values[i] : top;
    }
    return best;
}

#endif
