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

size_t regressions_size(const regressions *r) {
    return (size_t)r->count * r->each * sizeof(double);
}

void regressions_start(const regressions *r, double *state) {
    for (int k = 0; k < r->count; k++) regression_start(regressions_at(r, state, k), r->dim, r->precision);
}

bool regressions_sane(const regressions *r, const double *state) {
    bool all = true;
    for (int k = 0; k < r->count && all; k++) all = regression_sane(regressions_at(r, state, k), r->dim);
    return all;
}

void regressions_grow(double *state, const regressions *former, const double *former_state) {
    memcpy(state, former_state, regressions_size(former));
}

int regressions_dim(const regressions *r) {
    return r->count * r->dim;
}

void regressions_draw(const regressions *r, const double *state, posse_draw *draw, double *world) {
    for (int k = 0; k < r->count; k++)
        regression_draw(regressions_at(r, state, k), r->dim, 1.0, draw, world + (size_t)k * (size_t)r->dim);
}

void regressions_add_mean(const regressions *r, const double *state, double scale, double *world) {
    for (int k = 0; k < r->count; k++) {
        const double *mean = regressions_at(r, state, k);
        for (int j = 0; j < r->dim; j++) *world++ += scale * mean[j];
    }
}
