/* SPDX-License-Identifier: MIT */
#include "belief/walk.h"

#include <math.h>

#include "numeric/vectors.h"
#include "random/stream.h"

/* Rounds are counted exactly up to this. */
#define ROUNDS_MOST 0x1p53

typedef struct view {
    double *round, *mean, *variance, *seen;
} view;

static view walk_view_of(const walk *w, const double *state) {
    double *numbers = (double *)(uintptr_t)state;
    size_t arms = (size_t)w->arms;
    return (view){numbers, numbers + 1, numbers + 1 + arms, numbers + 1 + 2 * arms};
}

size_t walk_size(const walk *w) {
    return (1 + 3 * (size_t)w->arms) * sizeof(double);
}

void walk_start(const walk *w, double *state) {
    view v = walk_view_of(w, state);
    *v.round = 0.0;
    for (int a = 0; a < w->arms; a++) {
        v.mean[a] = w->mean[a];
        v.variance[a] = w->sd[a] * w->sd[a];
        v.seen[a] = 0.0;
    }
}

/* With any rewards that are allowed, the numbers stay well within these bounds; beyond them, worlds could overflow. */
bool walk_sane(const walk *w, const double *state) {
    view v = walk_view_of(w, state);
    if (!(*v.round >= 0.0 && *v.round < ROUNDS_MOST && *v.round == floor(*v.round))) return false;
    for (int a = 0; a < w->arms; a++) {
        bool moments_are = fabs(v.mean[a]) <= 1e150 && v.variance[a] >= 0.0 && v.variance[a] <= 1e150;
        if (!moments_are || !(v.seen[a] >= 0.0 && v.seen[a] <= *v.round)) return false;
    }
    return true;
}

static double variance_now(const walk *w, view v, int arm) {
    return v.variance[arm] + w->step * (*v.round - v.seen[arm]);
}

void walk_grow(const walk *w, double *state, const walk *former, const double *former_state) {
    view to = walk_view_of(w, state), from = walk_view_of(former, former_state);
    *to.round = *from.round;
    copy_columns(to.mean, w->arms, from.mean, former->arms, 3);
    for (int a = former->arms; a < w->arms; a++) to.seen[a] = *to.round;
}

void walk_update(const walk *w, double *state, int arm, double reward) {
    view v = walk_view_of(w, state);
    double variance = variance_now(w, v, arm), total = variance + w->noise;
    v.mean[arm] += (reward - v.mean[arm]) * (variance / total);
    v.variance[arm] = variance * (w->noise / total);
    v.seen[arm] = *v.round;
    *v.round += 1.0;
}

void walk_draw(const walk *w, const double *state, posse_draw *draw, double *world) {
    view v = walk_view_of(w, state);
    const double *z = draw_normals(draw, world, (size_t)w->arms);
    for (int a = 0; a < w->arms; a++) world[a] = v.mean[a] + sqrt(variance_now(w, v, a)) * z[a];
}

const double *walk_means(const double *state) {
    return state + 1;
}

double walk_variance(const walk *w, const double *state, int arm) {
    return variance_now(w, walk_view_of(w, state), arm);
}
