/* SPDX-License-Identifier: MIT */
/*
 * Reduces one point of the curves of a block of runs. Runs are added in order, by the rule of the results: d = x -
 * mean, mean += d (1/n), m2 += d (x - mean). Points, competitors and blocks are independent of each other, so a device
 * reduces them side by side, and the bits are those of a processor.
 */
#ifndef POSSE_ABREAST_DEVICE_REDUCE_H
#define POSSE_ABREAST_DEVICE_REDUCE_H

#include "abreast/device/job.h"

#include "numeric/wide.h"

/* The competitor whose curve a run has at this row: for the oracle, the learner alone with the least regret. */
WIDE size_t reduce_row(const device_plan *p, const double *slip, size_t competitor) {
    if (competitor < p->played) return competitor;
    size_t best = p->selectors;
    for (size_t c = best + 1; c < p->played; c++)
        if (slip[p->competitor[c].slip] < slip[p->competitor[best].slip]) best = c;
    return best;
}

/* slips: of all runs of the flight. out: of the block that begins with run `first` of the flight. */
WIDE void reduce_point(const device_plan *p, const device_curves *curves, const double *slips, size_t first,
                       size_t competitor, size_t point, const device_reduced *out) {
    const size_t left = curves->runs - first, runs = left < p->block_runs ? left : p->block_runs;
    const size_t to = competitor * p->point_count + point;
    double mean = 0.0, m2 = 0.0, n = 0.0;
    uint32_t optimal = 0;
    for (size_t run = first; run < first + runs; run++) {
        size_t row = reduce_row(p, slips + run * p->slip_count, competitor) * p->point_count + point;
        double x = curves->regrets[row * curves->runs + run], d = x - mean;
        n += 1.0;
        mean += d * (1.0 / n);
        m2 += d * (x - mean);
        optimal += curves->optimal[row * curves->runs + run];
    }
    out->mean[to] = mean;
    out->m2[to] = m2;
    out->optimal[to] = optimal;
    if (competitor >= p->selectors) return;
    for (size_t i = 0; i < p->learners; i++) out->shares[to * p->learners + i] = 0;
    for (size_t run = first; run < first + runs; run++)
        out->shares[to * p->learners + curves->choices[to * curves->runs + run]]++;
}

#endif
