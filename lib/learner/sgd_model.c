/* SPDX-License-Identifier: MIT */
#include "learner/sgd_model.h"

#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "learner/learner.h"

/* The numbers of a state: 4 gigabytes, or 16 where contexts are sparse and every slot is used. */
#define NUMBERS_MAX ((size_t)1 << 29)
#define NUMBERS_SPARSE_MAX ((size_t)1 << 31)

/* A feature below this counts as 0, and a squared gradient as at least this: their products do not underflow. */
#define VALUE_LEAST 1e-100
#define SQUARE_LEAST 1e-300

/*
 * The state is the rewards learned, the key, then N and T of each model, then a value for each arm, which is written in
 * each round, then the weights: for each slot, each theta and each model. The first slot is that of the constant.
 */
enum { LEARNED, KEY, HEAD };
enum { SUM_OF_NORMS, TOTAL, PER_MODEL };
enum { WEIGHT, SQUARES, SCALE, PER_WEIGHT };

static double *norms_of(const void *state, int model) {
    return (double *)(uintptr_t)state + HEAD + PER_MODEL * model;
}

static double *room_of(const sgd_model *m, const void *state) {
    return norms_of(state, m->models);
}

/* The numbers of all weights of a slot. */
static size_t slot_numbers(const sgd_model *m) {
    return (size_t)m->thetas * (size_t)m->models * PER_WEIGHT;
}

static double *weights_in(const sgd_model *m, const void *state) {
    return room_of(m, state) + m->space->arms;
}

/* The weights of a theta and a model in the slot of the constant. Those of the next slot are slot_numbers further. */
static double *weights_of_theta(const sgd_model *m, const void *state, int model, int arm) {
    size_t theta = m->thetas > 1 ? (size_t)arm : 0;
    return weights_in(m, state) + (theta * (size_t)m->models + (size_t)model) * PER_WEIGHT;
}

/* ------------------------------------------------- options ------------------------------------------------- */

posse_error sgd_prepare(const posse_setup *setup, const char *kind, const posse_option settings[SGD_OPTIONS],
                        int models, sgd_model *out) {
    bool disjoint = false;
    const posse_space *space = setup->space;
    *out = (sgd_model){.space = space, .models = models, .rate = settings[SGD_RATE].number};
    posse_error error = learner_needs_contexts(setup, kind);
    if (error == POSSE_OK) error = features_read(setup, &settings[SGD_FEATURES], &out->slots, &out->seen);
    if (error == POSSE_OK) error = features_model(setup, &settings[SGD_KIND], out->slots, out->seen, &disjoint);
    if (error != POSSE_OK) return error;
    bool sparse = space_is_sparse(space);
    size_t slots = (size_t)(sparse ? space->features : out->slots), most = sparse ? NUMBERS_SPARSE_MAX : NUMBERS_MAX;
    out->thetas = disjoint ? space->arms : 1;
    if (sparse) out->slots = space->slots;
    if (slots <= most / slot_numbers(out)) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "weights of %zu features for %d arms and %d models are too many; at most %zu numbers, "
                              "three for each weight",
                              slots, out->thetas, models, most);
}

/* --------------------------------------------- a learner's table ------------------------------------------- */

static size_t head_numbers(const sgd_model *m) {
    return HEAD + PER_MODEL * (size_t)m->models + (size_t)m->space->arms;
}

size_t sgd_state_size(const void *plan) {
    const sgd_model *m = plan;
    return (head_numbers(m) + ((size_t)m->slots + 1) * slot_numbers(m)) * sizeof(double);
}

bool sgd_sane(const void *plan, const void *state) {
    const sgd_model *m = plan;
    const double *numbers = state, *weights = weights_in(m, state);
    double learned = numbers[LEARNED], key = numbers[KEY];
    bool sane = learned >= 0.0 && learned < 0x1p53 && learned == floor(learned) && key >= 0.0 && key < 1.0;
    for (size_t i = HEAD; i < head_numbers(m); i++) sane = sane && fabs(numbers[i]) <= 1e250;
    size_t count = ((size_t)m->slots + 1) * slot_numbers(m);
    for (size_t i = 0; i < count && sane; i += PER_WEIGHT)
        sane = fabs(weights[i + WEIGHT]) <= 1e250 && weights[i + SQUARES] >= 0.0 && weights[i + SQUARES] <= 1e300 &&
               weights[i + SCALE] >= 0.0 && weights[i + SCALE] <= FEATURE_MAX;
    return sane;
}

void sgd_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    const sgd_model *m = plan, *n = former_plan;
    memcpy(state, former_state, (HEAD + PER_MODEL * (size_t)n->models) * sizeof(double));
    for (size_t j = 0; j <= (size_t)n->slots; j++)
        memcpy(weights_in(m, state) + j * slot_numbers(m), weights_in(n, former_state) + j * slot_numbers(n),
               slot_numbers(n) * sizeof(double));
}

double sgd_learned(const void *state) {
    return ((const double *)state)[LEARNED];
}

void sgd_count(void *state) {
    ((double *)state)[LEARNED] += 1.0;
}

double *sgd_key(void *state) {
    return (double *)state + KEY;
}

void sgd_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    double room[ROW_ROOM];
    sgd_step(plan, state, 0, arm, sgd_row(plan, point, room), reward, 1.0);
    sgd_count(state);
}

/* ------------------------------------------------- weights ------------------------------------------------- */

row sgd_row(const sgd_model *m, const double *features, double *room) {
    if (space_is_sparse(m->space)) return row_of_sparse(features);
    double chosen[DIM_MAX];
    for (int j = 0; j < m->slots && m->seen != NULL; j++) chosen[j] = features[m->seen[j]];
    return row_of_dense(m->seen != NULL ? chosen : features, m->slots, room);
}

/* The i-th feature of a row to which the constant was added, as the last one, and its weight. */
typedef struct term {
    double value;
    double *weight;
} term;

static inline term sgd_term(double *weights, size_t each, row x, int i) {
    if (i == x.count) return (term){1.0, weights};
    return (term){row_value(x, i), weights + ((size_t)row_slot(x, i) + 1) * each};
}

double sgd_value(const sgd_model *m, const void *state, int model, int arm, row x) {
    double sum = 0.0, *weights = weights_of_theta(m, state, model, arm);
    size_t each = slot_numbers(m);
    for (int i = 0; i <= x.count; i++) {
        term t = sgd_term(weights, each, x, i);
        sum += t.weight[WEIGHT] * t.value;
    }
    return sum;
}

/* b_j, after a gradient was added. */
static double sgd_pace(double squares, double scale) {
    return 1.0 / (scale * sqrt(squares));
}

/* Adds a gradient to a weight, and returns (x_j / s_j)^2; or 0 if the feature counts as 0. */
static double sgd_prepare_weight(term t, double gradients) {
    double size = fabs(t.value), *w = t.weight;
    if (size < VALUE_LEAST) return 0.0;
    w[SQUARES] += gradients * t.value * t.value + SQUARE_LEAST;
    if (size > w[SCALE]) {
        w[WEIGHT] *= w[SCALE] / size;
        w[SCALE] = size;
    }
    return t.value / w[SCALE] * (t.value / w[SCALE]);
}

/* (1 - exp(-rate p)) / p, also where the difference would cancel. */
static double sgd_reach(double rate, double p) {
    double q = rate * p;
    return q < 1e-6 ? rate * (1.0 - 0.5 * q) : (1.0 - posse_exp(-q)) / p;
}

void sgd_step(const sgd_model *m, void *state, int model, int arm, row x, double reward, double weight) {
    double off = reward - sgd_value(m, state, model, arm, x), gradients = 4.0 * weight * off * off;
    if (off == 0.0 || weight == 0.0) return;
    double *weights = weights_of_theta(m, state, model, arm), *norms = norms_of(state, model), norm = 0.0, per = 0.0;
    size_t each = slot_numbers(m);
    for (int i = 0; i <= x.count; i++) {
        term t = sgd_term(weights, each, x, i);
        double share = sgd_prepare_weight(t, gradients);
        norm += share;
        if (share > 0.0) per += t.value * t.value * sgd_pace(t.weight[SQUARES], t.weight[SCALE]);
    }
    norms[SUM_OF_NORMS] += weight * norm;
    norms[TOTAL] += weight;
    double scale = sqrt(norms[TOTAL] / norms[SUM_OF_NORMS]);
    double step = scale * off * sgd_reach(2.0 * m->rate * weight, scale * per);
    for (int i = 0; i <= x.count; i++) {
        term t = sgd_term(weights, each, x, i);
        if (fabs(t.value) < VALUE_LEAST) continue;
        t.weight[WEIGHT] += step * t.value * sgd_pace(t.weight[SQUARES], t.weight[SCALE]);
    }
}

double sgd_sensitivity(const sgd_model *m, const void *state, int model, int arm, row x, double reward) {
    double off = reward - sgd_value(m, state, model, arm, x), gradients = 4.0 * off * off, norm = 0.0, per = 0.0;
    double *weights = weights_of_theta(m, state, model, arm);
    const double *norms = norms_of(state, model);
    size_t each = slot_numbers(m);
    for (int i = 0; i <= x.count; i++) {
        double copy[PER_WEIGHT];
        term t = sgd_term(weights, each, x, i);
        memcpy(copy, t.weight, sizeof copy);
        double share = sgd_prepare_weight((term){t.value, copy}, gradients);
        norm += share;
        if (share > 0.0) per += t.value * t.value * sgd_pace(copy[SQUARES], copy[SCALE]);
    }
    return m->rate * per * sqrt((norms[TOTAL] + 1.0) / (norms[SUM_OF_NORMS] + norm));
}

/* --------------------------------------------- values of arms ---------------------------------------------- */

double *sgd_values(const sgd_model *m, void *state, int model, const posse_round *round) {
    double room[ROW_ROOM], *values = room_of(m, state);
    row x = {0};
    for (int k = 0; k < round->count; k++) {
        if (k == 0 || round->stride > 0) x = sgd_row(m, round_features(round, k), room);
        values[k] = sgd_value(m, state, model, round->arms[k], x);
    }
    return values;
}

int sgd_best(const sgd_model *m, void *state, int model, const posse_round *round) {
    return largest(sgd_values(m, state, model, round), round->count);
}
