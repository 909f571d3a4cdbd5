/* SPDX-License-Identifier: MIT */
/*
 * What the server counts about itself, for Prometheus.
 */
#ifndef SERVE_METRICS_H
#define SERVE_METRICS_H

#include <stdint.h>

#include "serve/json_out.h"

#define HISTOGRAM_BOUNDS 9
#define STATUSES 16
#define ROUTES_MAX 64

/* Durations, by the bounds 0.1 ms, 0.3 ms, 1 ms, .. 1 s. */
typedef struct histogram {
    uint64_t counts[HISTOGRAM_BOUNDS + 1]; /* the last counts all longer ones */
    double seconds;
} histogram;

typedef struct metrics {
    uint64_t requests;
    struct {
        int status;
        uint64_t count;
    } answers[STATUSES];
    histogram commits;
    histogram routes[ROUTES_MAX + 1]; /* by the number of the route (request.h); the last is for requests without one */
    uint64_t batched;                 /* requests that waited for a commit */
} metrics;

/* seconds: from the time when the request was read to its answer. */
void metrics_answer(metrics *m, int status, int route, double seconds);
void metrics_commit(metrics *m, double seconds, uint64_t batched);

/* --- in the format of Prometheus --- */

/* The two lines before the samples of a metric. */
void metrics_head(json_out *out, const char *name, const char *type, const char *help);

void metrics_put_counter(json_out *out, const char *name, const char *help, uint64_t value);
void metrics_put_gauge(json_out *out, const char *name, const char *help, double value);

/* The samples of a histogram. labels: such as route="/metrics", or "" for none. */
void metrics_put_histogram(json_out *out, const char *name, const char *labels, const histogram *h);

#endif
