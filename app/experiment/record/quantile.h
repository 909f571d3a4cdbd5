/* SPDX-License-Identifier: MIT */
/*
 * The 0.95 quantile of one number per run. Only the largest twentieth of the numbers is kept, in a heap with the least
 * on top: a million runs take 400 kB, and the order in which they come does not matter.
 */
#ifndef POSSE_EXPERIMENT_RECORD_QUANTILE_H
#define POSSE_EXPERIMENT_RECORD_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct quantile {
    uint32_t runs; /* how many numbers there will be */
    size_t capacity, count;
    double *heap;
} quantile;

/* How many numbers have to be kept. */
size_t quantile_capacity(uint32_t runs);

/* heap: quantile_capacity numbers of room. */
void quantile_open(quantile *q, uint32_t runs, double *heap);
void quantile_add(quantile *q, double value);

/*
 * The quantile, once all runs are in: with h = 0.95 (R - 1), the value between the floor(h)-th number and the next,
 * counted from 0 in ascending order and interpolated linearly, as NumPy does by default. Sorts the numbers kept.
 */
double quantile_value(quantile *q);

/* The largest number of all; to be called after quantile_value. */
double quantile_largest(const quantile *q);

#endif
