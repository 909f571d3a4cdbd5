/* SPDX-License-Identifier: MIT */
/*
 * Symmetric matrices, row by row; of a triangular root only the lower half is used. Every sum has a fixed order, so
 * that results have the same bits everywhere.
 */
#ifndef POSSE_PRIOR_SYMMETRIC_H
#define POSSE_PRIOR_SYMMETRIC_H

#include <stdbool.h>

/* Replaces a matrix by its Cholesky root L, L L^T. False: it is not positive definite. */
bool symmetric_root(double *matrix, int size);

/* The log of the determinant of L L^T. */
double symmetric_log_determinant(const double *root, int size);

/* Replaces x by L^-1 x. */
void symmetric_solve(const double *root, int size, double *x);

/* The trace of R R^T (L L^T)^-1: the squares of L^-1 R, column by column. scratch: `size` numbers. */
double symmetric_trace_ratio(const double *of, const double *root, int size, double *scratch);

#endif
