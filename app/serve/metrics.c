/* SPDX-License-Identifier: MIT */
#include "serve/metrics.h"

const double commit_bounds[COMMIT_BOUNDS] = {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0};

void metrics_answer(metrics *m, int status) {
    int i = 0;
    while (i < STATUSES - 1 && m->answers[i].status != 0 && m->answers[i].status != status) i++;
    m->answers[i].status = status;
    m->answers[i].count++;
}

void metrics_commit(metrics *m, double seconds, uint64_t batched) {
    int i = 0;
    while (i < COMMIT_BOUNDS && seconds > commit_bounds[i]) i++;
    m->commits[i]++;
    m->commit_seconds += seconds;
    m->batched += batched;
}
