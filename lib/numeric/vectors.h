/* SPDX-License-Identifier: MIT */
/*
 * Small sums and searches over arrays. Each is done in one fixed order everywhere.
 */
#ifndef POSSE_NUMERIC_VECTORS_H
#define POSSE_NUMERIC_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* The largest of count numbers. */
static inline double largest_value(const double *values, int count) {
    double top = values[0];
    for (int i = 1; i < count; i++) top = values[i] > top ? values[i] : top;
    return top;
}

/*
 * Widens columns: copies `columns` adjacent arrays of `few` numbers each to the beginnings of adjacent arrays of `many`
 * numbers each.
 */
static inline void copy_columns(double *to, int many, const double *from, int few, int columns) {
    for (int i = 0; i < columns; i++)
        memcpy(to + (size_t)i * (size_t)many, from + (size_t)i * (size_t)few, (size_t)few * sizeof *to);
}

#endif
