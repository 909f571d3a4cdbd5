/* SPDX-License-Identifier: MIT */
#include "belief/regressions.h"

#include <string.h>

/* A state of a gigabyte. */
#define NUMBERS_MAX ((size_t)1 << 27)

posse_error regressions_prepare(const posse_setup *setup, bool disjoint, int dim, double precision, regressions *out) {
    int count = disjoint ? setup->space->arms : 1;
    *out = (regressions){disjoint, count, dim, regression_size(dim) / sizeof(double), precision};
    if (out->each <= NUMBERS_MAX / (size_t)count) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "weights of %d features for each of %d arms are too many; at most %zu numbers, which "
                              "are features squared, times arms",
                              dim, count, NUMBERS_MAX);
}

size_t regressions_size(const void *plan) {
    const regressions *r = plan;
    return (size_t)r->count * r->each * sizeof(double);
}

void regressions_start(const void *plan, void *state) {
    const regressions *r = plan;
    for (int k = 0; k < r->count; k++) regression_start(regressions_at(r, state, k), r->dim, r->precision);
}

bool regressions_sane(const void *plan, const void *state) {
    const regressions *r = plan;
    bool all = true;
    for (int k = 0; k < r->count && all; k++) all = regression_sane(regressions_at(r, state, k), r->dim);
    return all;
}

void regressions_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    (void)plan;
    memcpy(state, former_state, regressions_size(former_plan));
}

posse_belief_shape regressions_shape(const void *plan) {
    const regressions *r = plan;
    return (posse_belief_shape){.dim = r->count * r->dim, .one_hot = false};
}

void regressions_draw_scaled(const regressions *r, const double *state, double scale, posse_draw *draw, double *world) {
    for (int k = 0; k < r->count; k++)
        regression_draw(regressions_at(r, state, k), r->dim, scale, draw, world + (size_t)k * (size_t)r->dim);
}

void regressions_draw(const void *plan, const void *state, posse_draw *draw, double *world) {
    regressions_draw_scaled(plan, state, 1.0, draw, world);
}

void regressions_add_mean(const void *plan, const void *state, double scale, double *world) {
    const regressions *r = plan;
    for (int k = 0; k < r->count; k++) {
        const double *mean = regressions_at(r, state, k);
        for (int j = 0; j < r->dim; j++) *world++ += scale * mean[j];
    }
}
