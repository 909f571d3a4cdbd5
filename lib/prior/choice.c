/* SPDX-License-Identifier: MIT */
#include "prior/choice.h"

#include <math.h>

#define FOLDS 5
#define ROWS_OF_FOLDS 2000
#define ROWS_PER_COMPONENT 10
#define BEGINNINGS 4
#define FIRST_STEPS 20
#define SINGLE_STEPS 5000
#define STEPS 500

static const int sizes[CHOICE_CANDIDATES] = {1, 2, 3, 5, 8, 12, 20};

/* There are many small fits. Each has an arena and a random stream of its own. */
static void open_stream(posse_draw *draw, uint64_t seed, int which) {
    draw_open(draw, seed, (uint32_t)which, stream_named(STREAM_INSIGHT, "prior fit"), 0);
}

static posse_error fit_single(em *e, const posse_fit *how, const samples *s, normals *out) {
    bool known = how->noise > 0.0;
    const em_course course = {.noise_known = known, .steps_max = SINGLE_STEPS, .enough = 1e-9};
    double noise = s->counts == NULL ? 0.0 : known ? how->noise * how->noise : samples_noise(s);
    em_start_single(e, noise, out);
    em_climb(e, &course, out);
    return POSSE_OK;
}

/* Starts several times, and continues the attempt with the highest objective after the first steps. */
static posse_error fit_several(em *e, const posse_fit *how, const normals *single, arena *memory, normals *out) {
    bool known = how->noise > 0.0;
    const em_course first = {.noise_known = known, .steps_max = FIRST_STEPS, .enough = 1e-6},
                    rest = {.noise_known = known, .steps_max = STEPS, .enough = 1e-6};
    normals attempt;
    posse_error error = normals_make(out->count, out->arms, memory, &attempt);
    posse_draw *draw = arena_allocate(memory, sizeof *draw);
    if (error != POSSE_OK || draw == NULL) return POSSE_ERROR_MEMORY;
    open_stream(draw, how->seed, out->count);
    for (int i = 0; i < BEGINNINGS; i++) {
        em_start(e, single, draw, &attempt);
        em_climb(e, &first, &attempt);
        if (i == 0 || attempt.objective > out->objective) normals_copy(&attempt, out);
    }
    em_climb(e, &rest, out);
    return POSSE_OK;
}

static posse_error fit_with(em *e, const posse_fit *how, const samples *s, int components, arena *memory,
                            normals *out) {
    normals single;
    posse_error error = normals_make(1, s->arms, memory, &single);
    if (error == POSSE_OK) error = normals_make(components, s->arms, memory, out);
    if (error == POSSE_OK) error = fit_single(e, how, s, components == 1 ? out : &single);
    return error == POSSE_OK && components > 1 ? fit_several(e, how, &single, memory, out) : error;
}

posse_error choice_fit(const posse_fit *how, const samples *s, int components, arena *memory, normals *out) {
    em *e;
    posse_error error = em_make(s, components, memory, &e);
    return error == POSSE_OK ? fit_with(e, how, s, components, memory, out) : error;
}

/* ----------------------------------------------- holding out --------------------------------------------------- */

/* A random order of the rows. */
static void choice_shuffle(size_t *order, size_t rows, posse_draw *draw) {
    for (size_t i = 0; i < rows; i++) {
        size_t j = (size_t)posse_draw_index(draw, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Fits to the rows outside of a fold and scores those inside. */
static posse_error score_fold(const choice *c, const samples *s, const size_t *order, int fold, int components,
                              arena *memory, double *score) {
    size_t *in = arena_allocate(memory, s->rows * sizeof *in), *held = arena_allocate(memory, s->rows * sizeof *held);
    if (in == NULL || held == NULL) return POSSE_ERROR_MEMORY;
    size_t in_count = 0, held_count = 0;
    for (size_t i = 0; i < s->rows; i++) {
        bool inside = i % FOLDS == (size_t)fold;
        if (inside)
            held[held_count++] = order[i];
        else
            in[in_count++] = order[i];
    }
    samples training, rest;
    normals fitted;
    em *e;
    posse_error error = samples_pick(s, in, in_count, memory, &training);
    if (error == POSSE_OK) error = samples_pick(s, held, held_count, memory, &rest);
    if (error == POSSE_OK) error = em_make(&training, components, memory, &e);
    if (error == POSSE_OK) error = fit_with(e, c->how, &training, components, memory, &fitted);
    if (error == POSSE_OK) *score += em_score(e, &rest, &fitted) * (double)held_count;
    return error;
}

/* The mean score of the rows that are held out, with this number of components. */
static posse_error choice_score(const choice *c, const samples *s, const size_t *order, int components, double *out) {
    int folds = s->rows <= ROWS_OF_FOLDS ? FOLDS : 1;
    posse_error error = POSSE_OK;
    size_t scored = 0;
    *out = 0.0;
    for (int fold = 0; fold < folds && error == POSSE_OK; fold++) {
        arena memory = {.allocator = c->allocator};
        error = score_fold(c, s, order, fold, components, &memory, out);
        arena_release(&memory);
        scored += (s->rows + FOLDS - 1 - (size_t)fold) / FOLDS;
    }
    *out /= (double)scored;
    return error;
}

static double least_gain(size_t rows) {
    double few = 0.02 * sqrt(200.0 / (double)rows);
    return few > 0.005 ? few : 0.005;
}

/* Reports progress. Work is counted in components, because time is about proportional to their number. */
static void choice_tell(const choice *c, int next) {
    int done = 0, all = 0;
    for (int k = 0; k < CHOICE_CANDIDATES; k++) {
        all += sizes[k];
        if (k < next) done += sizes[k];
    }
    if (c->how->progress != NULL) c->how->progress(c->how->context, 0.9 * done / all);
}

static posse_error choice_choose(choice *c, const samples *s, const size_t *order) {
    posse_error error = POSSE_OK;
    double best = 0.0;
    int idle = 0;
    for (int k = 0; k < CHOICE_CANDIDATES && idle < 2 && error == POSSE_OK; k++) {
        if (k > 0 && (size_t)sizes[k] * ROWS_PER_COMPONENT > s->rows) break;
        double found;
        choice_tell(c, k);
        error = choice_score(c, s, order, sizes[k], &found);
        c->tried[c->tried_count++] = (posse_fit_candidate){sizes[k], found};
        bool better = k == 0 || found > best + least_gain(s->rows);
        idle = better ? 0 : idle + 1;
        if (better) best = found, c->components = sizes[k];
    }
    return error;
}

posse_error choice_make(choice *c, const samples *s) {
    arena memory = {.allocator = c->allocator};
    size_t *order = arena_allocate(&memory, s->rows * sizeof *order);
    posse_draw *draw = arena_allocate(&memory, sizeof *draw);
    posse_error error = order != NULL && draw != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    c->tried_count = 0;
    c->components = 1;
    if (error == POSSE_OK && s->rows >= FOLDS) { /* with fewer, a fold would have no rows to score */
        open_stream(draw, c->how->seed, 0);
        choice_shuffle(order, s->rows, draw);
        error = choice_choose(c, s, order);
    }
    arena_release(&memory);
    return error;
}
