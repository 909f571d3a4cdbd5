/* SPDX-License-Identifier: MIT */
/*
 * Choices from a finite set.
 *
 * posse_draw_index: p(i) = 1 / count. The index is the upper half of word * count; draws whose lower half would favour
 * some indices are rejected: D. Lemire, Fast random integer generation in an interval, ACM Trans. Model. Comput. Simul.
 * 29 (2019) 3:1-3:12.
 *
 * posse_draw_weighted: p(i) = weights[i] / sum of weights. The index is the first i at which the sum of the weights up
 * to i exceeds a uniform part of the total. This takes one draw, and a weight of zero is never chosen, as it adds
 * nothing to the sum.
 */
#include "random/stream.h"

__extension__ typedef unsigned __int128 uint128_t;

uint64_t posse_draw_index(posse_draw *draw, uint64_t count) {
    if (count == 0) return 0;
    uint128_t product = (uint128_t)draw_word(draw) * count;
    if ((uint64_t)product < count) {
        uint64_t unfair = (0 - count) % count;
        while ((uint64_t)product < unfair) product = (uint128_t)draw_word(draw) * count;
    }
    return (uint64_t)(product >> 64);
}

size_t posse_draw_weighted(posse_draw *draw, const double *weights, size_t count) {
    double total = 0.0;
    for (size_t i = 0; i < count; i++) total += weights[i];
    double target = posse_draw_uniform(draw) * total;
    if (!(total > 0.0)) return 0;
    double sum = 0.0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] > 0.0)) continue;
        sum += weights[i];
        last = i;
        if (target < sum) break;
    }
    return last; /* also where the total is so small, or infinite, that the target is not below it */
}
