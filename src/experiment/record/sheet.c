#include "experiment/record/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/base/carve.h"
#include "experiment/base/series.h"
#include "experiment/record/curves.h"

/* ------------------------------------------------- sheets -------------------------------------------------- */

static double *take(const sheet *r, size_t *at, size_t count) {
    double *place = r->numbers != NULL ? r->numbers + *at : NULL;
    *at += count;
    return place;
}

/* Names the parts of the vector of numbers. */
static void divide(sheet *r, const agenda *a) {
    size_t competitors = (size_t)a->competitors, places = (size_t)a->selectors * (size_t)a->learners, at = 0;
    r->final_regret = take(r, &at, competitors);
    r->final_optimal = take(r, &at, competitors);
    r->plays = take(r, &at, places);
    r->inside = take(r, &at, places);
    r->coefficient = take(r, &at, places);
    r->best_coefficient = take(r, &at, (size_t)a->selectors);
    r->clipped = take(r, &at, a->ranges > 0 ? (size_t)a->selectors : 0);
    r->row_count = at;
    r->watched = take(r, &at, competitors * (size_t)a->watched_count);
    r->matching_best = take(r, &at, places * MATCHING_ROUNDS);
    r->matching_gap = take(r, &at, places * MATCHING_ROUNDS);
    r->head_count = at;
    r->pairs = take(r, &at, competitors * (competitors - 1) / 2);
    r->regret = take(r, &at, competitors * (size_t)a->point_count);
    r->number_count = at;
}

static void sheet_lay(sheet *r, const agenda *a, carving *c) {
    r->numbers = carve(c, r->number_count, sizeof *r->numbers);
    r->optimal = carve(c, (size_t)a->competitors * (size_t)a->point_count, sizeof *r->optimal);
    r->choice = carve(c, (size_t)a->selectors * (size_t)a->point_count, sizeof *r->choice);
    r->matching_choice = carve(c, (size_t)a->selectors * MATCHING_ROUNDS, sizeof *r->matching_choice);
}

bool sheet_open(sheet *r, const agenda *a) {
    *r = (sheet){0};
    divide(r, a);
    carving c = {0};
    sheet_lay(r, a, &c);
    r->memory = calloc(1, c.used);
    if (r->memory == NULL) return false;
    c = (carving){.base = r->memory};
    sheet_lay(r, a, &c);
    divide(r, a);
    return true;
}

void sheet_close(sheet *r) {
    free(r->memory);
    *r = (sheet){0};
}

/* In each run, the learner whose regret alone is smallest at T; the first of several. */
static void follow_best(sheet *r, const agenda *a) {
    int best = a->selectors, oracle = a->oracle;
    for (int c = best + 1; c < oracle; c++)
        if (r->final_regret[c] < r->final_regret[best]) best = c;
    size_t points = (size_t)a->point_count, watched = (size_t)a->watched_count;
    r->final_regret[oracle] = r->final_regret[best];
    r->final_optimal[oracle] = r->final_optimal[best];
    memcpy(r->regret + (size_t)oracle * points, r->regret + (size_t)best * points, points * sizeof *r->regret);
    memcpy(r->optimal + (size_t)oracle * points, r->optimal + (size_t)best * points, points * sizeof *r->optimal);
    memcpy(r->watched + (size_t)oracle * watched, r->watched + (size_t)best * watched, watched * sizeof *r->watched);
}

void sheet_finish(sheet *r, const agenda *a) {
    if (a->oracle >= 0) follow_best(r, a);
    double *pair = r->pairs;
    for (int i = 0; i < a->competitors; i++)
        for (int j = i + 1; j < a->competitors; j++) *pair++ = r->final_regret[i] - r->final_regret[j];
}

/* ------------------------------------------------- tallies ------------------------------------------------- */

static size_t optimal_size(const agenda *a) {
    return (size_t)a->competitors * (size_t)a->point_count;
}

static size_t share_size(const agenda *a) {
    return (size_t)a->selectors * (size_t)a->point_count * (size_t)a->learners;
}

static size_t matching_size(const agenda *a) {
    return (size_t)a->selectors * MATCHING_ROUNDS * (size_t)a->learners;
}

void tally_lay(tally *t, const agenda *a, const sheet *shape, carving *c) {
    t->mean = carve(c, shape->number_count, sizeof *t->mean);
    t->m2 = carve(c, shape->number_count, sizeof *t->m2);
    t->optimal = carve(c, optimal_size(a), sizeof *t->optimal);
    t->share = carve(c, share_size(a), sizeof *t->share);
    t->matching_chosen = carve(c, matching_size(a), sizeof *t->matching_chosen);
}

static void tally_clear(tally *t, const agenda *a, size_t number_count) {
    t->runs = 0.0;
    memset(t->mean, 0, number_count * sizeof *t->mean);
    memset(t->m2, 0, number_count * sizeof *t->m2);
    memset(t->optimal, 0, optimal_size(a) * sizeof *t->optimal);
    memset(t->share, 0, share_size(a) * sizeof *t->share);
    memset(t->matching_chosen, 0, matching_size(a) * sizeof *t->matching_chosen);
}

static void add_marks(uint32_t *restrict to, const uint8_t *restrict marks, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] += marks[i];
}

static void tally_add(tally *t, const agenda *a, const sheet *r) {
    t->runs += 1.0;
    series_add(t->mean, t->m2, r->numbers, r->number_count, t->runs);
    add_marks(t->optimal, r->optimal, optimal_size(a));
    size_t learners = (size_t)a->learners, points = (size_t)a->selectors * (size_t)a->point_count;
    for (size_t i = 0; i < points; i++) t->share[i * learners + r->choice[i]]++;
    for (size_t s = 0; s < (size_t)a->selectors; s++)
        for (size_t q = s * MATCHING_ROUNDS; q < s * MATCHING_ROUNDS + (size_t)a->matching_count[s]; q++)
            t->matching_chosen[q * learners + r->matching_choice[q]]++;
}

static void add_counts(uint32_t *to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] += from[i];
}

void tally_merge(tally *t, const agenda *a, const sheet *shape, const tally *other) {
    series_merge(t->mean, t->m2, t->runs, other->mean, other->m2, other->runs, shape->number_count);
    t->runs += other->runs;
    add_counts(t->optimal, other->optimal, optimal_size(a));
    add_counts(t->share, other->share, share_size(a));
    add_counts(t->matching_chosen, other->matching_chosen, matching_size(a));
}

/* -------------------------------------------------- blocks ------------------------------------------------- */

static void block_lay(block *b, const agenda *a, const sheet *shape, carving *c) {
    size_t runs = a->block_runs;
    tally_lay(&b->tally, a, shape, c);
    b->heads = carve(c, runs * shape->head_count, sizeof *b->heads);
    b->chunk_sizes = carve(c, curves_count(a), sizeof *b->chunk_sizes);
    b->chunks = carve(c, curves_room(a), sizeof *b->chunks);
}

bool block_open(block *b, const agenda *a, const sheet *shape) {
    carving c = {0};
    block_lay(b, a, shape, &c);
    b->memory = calloc(1, c.used);
    if (b->memory == NULL) return false;
    b->memory_size = c.used;
    c = (carving){.base = b->memory};
    block_lay(b, a, shape, &c);
    return true;
}

void block_close(block *b) {
    free(b->memory);
    *b = (block){0};
}

void block_begin(block *b, const agenda *a, uint32_t index) {
    b->first = agenda_block_first(a, index);
    b->count = 0;
    b->curves = b->first < a->curve_runs;
}

size_t block_packed(const block *b, const agenda *a) {
    size_t packed = 0, room = curves_room(a);
    for (size_t i = 0; i < curves_count(a); i++) packed += b->chunk_sizes[i];
    return packed <= room ? packed : SIZE_MAX;
}

/* The curves lie at the end. */
size_t block_size(const block *b, const agenda *a) {
    const char *end = b->curves ? (const char *)b->chunks + block_packed(b, a) : (const char *)b->chunk_sizes;
    return (size_t)(end - (const char *)b->memory);
}

void block_fill(block *b, const agenda *a, uint32_t index) {
    block_begin(b, a, index);
    b->count = agenda_block_count(a, index);
    b->tally.runs = b->count;
}

void block_add(block *b, const agenda *a, const sheet *r) {
    size_t at = b->count++;
    if (at == 0) tally_clear(&b->tally, a, r->number_count);
    tally_add(&b->tally, a, r);
    memcpy(b->heads + at * r->head_count, r->numbers, r->head_count * sizeof *b->heads);
}
