/* SPDX-License-Identifier: MIT */
#include "belief/weights.h"

#include <math.h>

#include "base/assert.h"
#include "numeric/vectors.h"
#include "posse_extend.h"

size_t weights_size(int count) {
    return 2 * (size_t)count * sizeof(double);
}

void weights_refresh(double *state, int count) {
    double top = state[largest(state, count)];
    POSSE_ASSERT(count > 0 && top > -INFINITY && top < INFINITY); /* the largest weight becomes 1 */
    for (int i = 0; i < count; i++) {
        state[i] -= top;
        state[count + i] = posse_exp(state[i]);
    }
}

/* A belief that is an extension may return any evidence. */
void weights_learn(double *state, int count, const double *evidence) {
    bool some = false;
    for (int i = 0; i < count; i++) {
        if (!(evidence[i] < INFINITY)) return;
        some = some || state[i] + evidence[i] > -INFINITY;
    }
    if (!some) return;
    for (int i = 0; i < count; i++) state[i] += evidence[i];
    weights_refresh(state, count);
}

bool weights_sane(const double *state, int count) {
    bool some = false;
    for (int i = 0; i < count; i++) {
        double weight = state[count + i];
        if (!(state[i] <= 0.0) || !(weight >= 0.0 && weight <= 1.0)) return false;
        some = some || weight == 1.0;
    }
    return some;
}

double weights_total(const void *state, int count) {
    const double *weights = weights_of(state, count);
    double total = 0.0;
    for (int i = 0; i < count; i++) total += weights[i];
    return total;
}

evidence_sum evidence_start(void) {
    return (evidence_sum){.top = -INFINITY};
}

void evidence_add(evidence_sum *e, double log_weight, double log_likelihood) {
    double term = log_weight + log_likelihood;
    if (term == -INFINITY) return;
    if (term <= e->top) {
        e->sum += posse_exp(term - e->top);
        return;
    }
    e->sum = e->sum * posse_exp(e->top - term) + 1.0;
    e->top = term;
}

double evidence_log(const evidence_sum *e, double total_weight) {
    return e->top + posse_log(e->sum / total_weight);
}
