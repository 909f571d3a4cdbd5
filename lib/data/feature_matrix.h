/* SPDX-License-Identifier: MIT */
/* The features of all rows of a table, and what can be made of them. */
#ifndef POSSE_DATA_FEATURE_MATRIX_H
#define POSSE_DATA_FEATURE_MATRIX_H

#include "base/memory.h"

/* Standardised features are clipped to it, so that a rare value does not outweigh all others. */
#define FEATURE_CLIP 10.0

typedef struct feature_matrix {
    int64_t rows;
    int dim;
    double *numbers; /* row by row */
} feature_matrix;

/* The matrix comes from the allocator and is released by memory_release. */
posse_error feature_matrix_open(feature_matrix *m, int64_t rows, int dim, const posse_allocator *allocator);

/*
 * Gives every feature from `first` on mean 0 and standard deviation 1 over the rows, and clips it. Features that are
 * the same in all rows are left out.
 */
void feature_matrix_standardise(feature_matrix *m, int first);

/* Appends the products of all pairs of features, and their squares: (0,0), (0,1), ..., (1,1), (1,2), ... */
posse_error feature_matrix_multiply(feature_matrix *m, const posse_allocator *allocator);

/* The number of features after feature_matrix_multiply. */
int64_t feature_matrix_products(int dim);

#endif
