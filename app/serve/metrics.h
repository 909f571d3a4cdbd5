/* SPDX-License-Identifier: MIT */
/*
 * What the server counts about itself, for Prometheus.
 */
#ifndef SERVE_METRICS_H
#define SERVE_METRICS_H

#include <stdint.h>

#define COMMIT_BOUNDS 9
#define STATUSES 12

typedef struct metrics {
    uint64_t requests;
    struct {
        int status;
        uint64_t count;
    } answers[STATUSES];
    uint64_t commits[COMMIT_BOUNDS + 1]; /* by duration; the last counts all longer ones */
    double commit_seconds;
    uint64_t batched; /* requests that waited for a commit */
} metrics;

extern const double commit_bounds[COMMIT_BOUNDS]; /* seconds */

void metrics_answer(metrics *m, int status);
void metrics_commit(metrics *m, double seconds, uint64_t batched);

#endif
