/* SPDX-License-Identifier: MIT */
#include "belief/regressions.h"

#include <math.h>
#include <string.h>

#include "belief/logistic_regression.h"

/* A state of a gigabyte. */
#define NUMBERS_MAX ((size_t)1 << 27)

/* Where contexts are sparse, a theta that uses every slot may have more numbers: 16 gigabytes. */
#define NUMBERS_SPARSE_MAX ((size_t)1 << 31)

bool regressions_are_diagonal(const posse_setup *setup, const posse_option *covariance) {
    if (covariance->key == NULL) return space_is_sparse(setup->space);
    return strcmp(covariance->word, "diagonal") == 0;
}

static posse_error diagonal_fits(const posse_setup *setup, const regressions *r) {
    size_t slots = (size_t)(space_is_sparse(setup->space) ? setup->space->features : r->dim);
    size_t most = space_is_sparse(setup->space) ? NUMBERS_SPARSE_MAX : NUMBERS_MAX;
    if (slots <= most / 2 / (size_t)r->count) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "weights of %zu features for each of %d arms are too many; at most %zu numbers, which "
                              "are twice the features, times arms",
                              slots, r->count, most);
}

posse_error regressions_prepare(const posse_setup *setup, const posse_option *covariance, bool disjoint, int dim,
                                double precision, regressions *out) {
    int count = disjoint ? setup->space->arms : 1;
    bool sparse = space_is_sparse(setup->space);
    *out = (regressions){disjoint,    count,
                         dim,         regression_size(dim) / sizeof(double),
                         precision,   regressions_are_diagonal(setup, covariance),
                         setup->space};
    if (sparse) out->dim = setup->space->slots;
    if (out->diagonal) return diagonal_fits(setup, out);
    if (sparse)
        return posse_setup_refuse(setup, covariance->key, -1,
                                  "full, but contexts are sparse, so that it would have %d rows: make it diagonal",
                                  setup->space->features);
    if (out->each <= NUMBERS_MAX / (size_t)count) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "weights of %d features for each of %d arms are too many; at most %zu numbers, which "
                              "are features squared, times arms",
                              dim, count, NUMBERS_MAX);
}

posse_error regressions_refuse_covariance(const posse_setup *setup, const posse_option *covariance) {
    if (covariance->key == NULL || strcmp(covariance->word, "full") == 0) return POSSE_OK;
    return posse_setup_refuse(setup, covariance->key, -1,
                              "given, but it is for rounds with features, and these have none");
}

/* ------------------------------------------------ for every x ----------------------------------------------- */

static diagonal diagonal_of(const regressions *r, const double *state, int arm) {
    return diagonal_at(state, r->count, r->disjoint ? arm : 0);
}

static row regressions_row_of(const regressions *r, const double *x, double *room) {
    return space_is_sparse(r->space) ? row_of_sparse(x) : row_of_dense(x, r->dim, room);
}

double regressions_mean(const regressions *r, const double *state, int arm, const double *x) {
    double room[ROW_ROOM];
    if (r->diagonal) return diagonal_mean(diagonal_of(r, state, arm), regressions_row_of(r, x, room));
    return dot(regressions_of(r, state, arm), x, r->dim);
}

double regressions_variance(const regressions *r, const double *state, int arm, const double *x) {
    double room[ROW_ROOM];
    if (r->diagonal) return diagonal_variance(diagonal_of(r, state, arm), regressions_row_of(r, x, room));
    return regression_variance(regressions_of(r, state, arm), r->dim, x);
}

double regressions_update(const regressions *r, double *state, int arm, double noise, const double *x, double reward) {
    double room[ROW_ROOM];
    if (r->diagonal) return diagonal_update(diagonal_of(r, state, arm), noise, regressions_row_of(r, x, room), reward);
    return regression_update(regressions_of(r, state, arm), r->dim, noise, x, reward, room);
}

void regressions_logistic_update(const regressions *r, double *state, int arm, double bias, const double *x,
                                 double reward) {
    double room[ROW_ROOM];
    if (r->diagonal)
        diagonal_logistic_update(diagonal_of(r, state, arm), bias, regressions_row_of(r, x, room), reward);
    else
        logistic_update(regressions_of(r, state, arm), r->dim, bias, x, reward);
}

double regressions_drawn(const regressions *r, const double *state, int arm, double scale, double key,
                         const double *x) {
    double room[ROW_ROOM];
    return diagonal_drawn(diagonal_of(r, state, arm), scale, (uint64_t)(key * 0x1p52), regressions_row_of(r, x, room));
}

double regressions_noise(const regressions *r, double noise, double sd, const double *x) {
    return r->diagonal ? noise : regression_noise(noise, sd, x, r->dim);
}

/* ---------------------------------------------- for a part's table ------------------------------------------- */

/* The numbers of all slots from 0 to `slots`, of a diagonal covariance. */
static size_t diagonal_numbers(const regressions *r, int slots) {
    return 2 * (size_t)r->count * (size_t)slots;
}

size_t regressions_size(const void *plan) {
    const regressions *r = plan;
    return (r->diagonal ? diagonal_numbers(r, r->dim) : (size_t)r->count * r->each) * sizeof(double);
}

void regressions_start(const void *plan, void *state) {
    const regressions *r = plan;
    if (r->diagonal) diagonal_start(state, r->count, 0, r->dim, r->precision);
    for (int k = 0; k < r->count && !r->diagonal; k++)
        regression_start(regressions_at(r, state, k), r->dim, r->precision);
}

bool regressions_sane(const void *plan, const void *state) {
    const regressions *r = plan;
    if (r->diagonal) return diagonal_sane(state, r->count, r->dim);
    bool all = true;
    for (int k = 0; k < r->count && all; k++) all = regression_sane(regressions_at(r, state, k), r->dim);
    return all;
}

/* Slots are added behind the others, and the thetas of added arms behind those of each slot. */
static void diagonal_grow(const regressions *r, double *state, const regressions *former, const double *former_state) {
    for (int j = 0; j < former->dim; j++)
        memcpy(state + diagonal_numbers(r, j), former_state + diagonal_numbers(former, j),
               diagonal_numbers(former, 1) * sizeof *state);
}

void regressions_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    const regressions *r = plan;
    if (r->diagonal)
        diagonal_grow(r, state, former_plan, former_state);
    else
        memcpy(state, former_state, regressions_size(former_plan));
}

posse_belief_shape regressions_shape(const void *plan) {
    const regressions *r = plan;
    return (posse_belief_shape){.dim = r->count * r->dim, .one_hot = false};
}

/* Where a world has the weight of a slot in the k-th theta. */
static double *weight_in(const regressions *r, double *world, int slot, int k) {
    if (space_is_sparse(r->space)) return world + (size_t)slot * (size_t)r->count + k;
    return world + (size_t)k * (size_t)r->dim + slot;
}

/* The slots of a theta that are in use. The weights of the others are in no row yet. */
static int slots_known(const regressions *r) {
    return space_is_sparse(r->space) ? r->space->known : r->dim;
}

#define NORMALS_FEW 256

static void draw_diagonal(const regressions *r, const double *state, double scale, posse_draw *draw, double *world) {
    double normals[NORMALS_FEW];
    size_t count = (size_t)r->count, weights = count * (size_t)slots_known(r);
    for (size_t i = 0; i < weights; i++) {
        if (i % NORMALS_FEW == 0)
            posse_draw_normals(draw, normals, weights - i < NORMALS_FEW ? weights - i : NORMALS_FEW);
        *weight_in(r, world, (int)(i / count), (int)(i % count)) =
            state[2 * i] + scale * sqrt(state[2 * i + 1]) * normals[i % NORMALS_FEW];
    }
}

void regressions_draw_scaled(const regressions *r, const double *state, double scale, posse_draw *draw, double *world) {
    if (r->diagonal) draw_diagonal(r, state, scale, draw, world);
    for (int k = 0; k < r->count && !r->diagonal; k++)
        regression_draw(regressions_at(r, state, k), r->dim, scale, draw, world + (size_t)k * (size_t)r->dim);
}

void regressions_draw(const void *plan, const void *state, posse_draw *draw, double *world) {
    regressions_draw_scaled(plan, state, 1.0, draw, world);
}

void regressions_add_mean(const void *plan, const void *state, double scale, double *world) {
    const regressions *r = plan;
    const double *numbers = state;
    size_t count = (size_t)r->count, weights = r->diagonal ? count * (size_t)slots_known(r) : 0;
    for (size_t i = 0; i < weights; i++)
        *weight_in(r, world, (int)(i / count), (int)(i % count)) += scale * numbers[2 * i];
    for (int k = 0; k < r->count && !r->diagonal; k++) {
        const double *mean = regressions_at(r, state, k);
        for (int j = 0; j < r->dim; j++) *world++ += scale * mean[j];
    }
}
