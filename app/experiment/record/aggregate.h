/* SPDX-License-Identifier: MIT */
/*
 * An aggregate: many runs taken together, by the rule of common/series.h.
 */
#ifndef POSSE_EXPERIMENT_RECORD_AGGREGATE_H
#define POSSE_EXPERIMENT_RECORD_AGGREGATE_H

#include "common/carve.h"
#include "experiment/record/sheet.h"

/* The arrays of whole numbers count runs. */
typedef struct aggregate {
    double runs;
    double *mean, *m2;         /* of the numbers of a sheet */
    uint32_t *optimal;         /* C x P */
    uint32_t *share;           /* S x P x M */
    uint32_t *matching_chosen; /* S x Q x M */
} aggregate;

/* Places the arrays. shape: any sheet of this agenda, opened. */
void aggregate_lay(aggregate *g, const agenda *a, const sheet *shape, carving *c);

/*
 * aggregate_clear empties an aggregate, aggregate_add adds a run, and aggregate_merge adds another aggregate, whose
 * runs come after those of the first. It does so in AGGREGATE_PARTS parts, which threads may do side by side: the first
 * has all but the curves. `before` is the number of runs of the first, which the caller then sets.
 */
#define AGGREGATE_PARTS 9
void aggregate_clear(aggregate *g, const agenda *a, const sheet *shape);
void aggregate_add(aggregate *g, const agenda *a, const sheet *r);
void aggregate_merge(aggregate *g, const agenda *a, const sheet *shape, const aggregate *other, double before,
                     size_t part);

/*
 * In two parts, where a device has already taken the curves of all runs together: aggregate_add_head adds a run without
 * its curves, and aggregate_put_curves puts in those of all runs.
 */
typedef struct aggregate_curves {
    const double *mean, *m2;         /* C x P */
    const uint32_t *optimal, *share; /* C x P; S x P x M */
} aggregate_curves;

void aggregate_add_head(aggregate *g, const agenda *a, const sheet *r);
void aggregate_put_curves(aggregate *g, const agenda *a, const sheet *shape, const aggregate_curves *curves);

#endif
