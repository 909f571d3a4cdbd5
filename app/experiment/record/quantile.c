/* SPDX-License-Identifier: MIT */
#include "experiment/record/quantile.h"

#include <math.h>
#include <stdlib.h>

/* floor(0.95 (R - 1)) in whole numbers: 0.95 is not a double. */
static uint64_t rank_of(uint32_t runs) {
    return (uint64_t)(runs - 1) * 19 / 20;
}

size_t quantile_capacity(uint32_t runs) {
    return (size_t)(runs - rank_of(runs));
}

void quantile_open(quantile *q, uint32_t runs, double *heap) {
    *q = (quantile){.runs = runs, .capacity = quantile_capacity(runs), .heap = heap};
}

static void quantile_swap(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_up(double *heap, size_t i) {
    for (; i > 0 && heap[i] < heap[(i - 1) / 2]; i = (i - 1) / 2) quantile_swap(&heap[i], &heap[(i - 1) / 2]);
}

static void sift_down(double *heap, size_t count, size_t i) {
    for (;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < count && heap[left] < heap[least]) least = left;
        if (right < count && heap[right] < heap[least]) least = right;
        if (least == i) return;
        quantile_swap(&heap[i], &heap[least]);
        i = least;
    }
}

void quantile_add(quantile *q, double value) {
    if (q->count < q->capacity) {
        q->heap[q->count] = value;
        sift_up(q->heap, q->count++);
    } else if (value > q->heap[0]) {
        q->heap[0] = value;
        sift_down(q->heap, q->count, 0);
    }
}

static int quantile_ascending(const void *a_, const void *b_) {
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

double quantile_value(quantile *q) {
    if (q->count < q->capacity) return NAN;
    qsort(q->heap, q->count, sizeof *q->heap, quantile_ascending);
    uint64_t twentieths = (uint64_t)(q->runs - 1) * 19 % 20;
    if (twentieths == 0 || q->count == 1) return q->heap[0];
    return q->heap[0] + (q->heap[1] - q->heap[0]) * ((double)twentieths / 20.0);
}

double quantile_largest(const quantile *q) {
    return q->count > 0 ? q->heap[q->count - 1] : NAN;
}
