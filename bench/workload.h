/* SPDX-License-Identifier: MIT */
/*
 * Workloads, by name; they are taken from figures of the paper. Each is B-MS over its learners and every learner alone,
 * as `posse run` plays them. workload_describe writes a workload for the rivals.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdint.h>
#include <stdio.h>

#include "posse_all.h"

typedef struct workload {
    const char *name;
    posse_part environment;
    const posse_part *learners;
    int learner_count;
    uint32_t rounds; /* of a run */
} workload;

extern const workload workloads[];
extern const int workload_count;

/* NULL: no workload has that name. */
const workload *workload_named(const char *name);

/*
 * Writes the description that rivals read: first the line `kind NAME`, then lines of a key, a count and that many
 * numbers:
 *   rounds, arms, dim, learners, delta    one number each; dim is 0 if arms are independent
 *   prior_mean, prior_sd                  of the arms' means (arms numbers), or of theta (dim numbers)
 *   settings                              the width of each learner, or the prior means of each (arms numbers)
 *   points                                arms x dim, rounded to multiples of 2^-32, so that sums of them are exact and
 *                                         potentials that are equal on paper are equal in floating point
 * `rounds` 0 stands for the workload's own.
 */
void workload_describe(const workload *w, uint32_t rounds, FILE *out);

#endif
