/* SPDX-License-Identifier: MIT */
#include "experiment/record/aggregate.h"

#include <string.h>

#include "common/series.h"

static size_t optimal_size(const agenda *a) {
    return (size_t)a->competitors * (size_t)a->point_count;
}

static size_t share_size(const agenda *a) {
    return (size_t)a->selectors * (size_t)a->point_count * (size_t)a->learners;
}

static size_t matching_size(const agenda *a) {
    return (size_t)a->selectors * MATCHING_ROUNDS * (size_t)a->learners;
}

void aggregate_lay(aggregate *g, const agenda *a, const sheet *shape, carving *c) {
    g->mean = carve(c, shape->number_count, sizeof *g->mean);
    g->m2 = carve(c, shape->number_count, sizeof *g->m2);
    g->optimal = carve(c, optimal_size(a), sizeof *g->optimal);
    g->share = carve(c, share_size(a), sizeof *g->share);
    g->matching_chosen = carve(c, matching_size(a), sizeof *g->matching_chosen);
}

void aggregate_clear(aggregate *g, const agenda *a, const sheet *shape) {
    g->runs = 0.0;
    memset(g->mean, 0, shape->number_count * sizeof *g->mean);
    memset(g->m2, 0, shape->number_count * sizeof *g->m2);
    memset(g->optimal, 0, optimal_size(a) * sizeof *g->optimal);
    memset(g->share, 0, share_size(a) * sizeof *g->share);
    memset(g->matching_chosen, 0, matching_size(a) * sizeof *g->matching_chosen);
}

static void count_matching(aggregate *g, const agenda *a, const sheet *r) {
    size_t learners = (size_t)a->learners;
    for (size_t s = 0; s < (size_t)a->selectors; s++)
        for (size_t q = s * MATCHING_ROUNDS; q < s * MATCHING_ROUNDS + (size_t)a->matching_count[s]; q++)
            g->matching_chosen[q * learners + r->matching_choice[q]]++;
}

static void add_marks(uint32_t *restrict to, const uint8_t *restrict marks, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] += marks[i];
}

void aggregate_add(aggregate *g, const agenda *a, const sheet *r) {
    g->runs += 1.0;
    series_add(g->mean, g->m2, r->numbers, r->number_count, g->runs);
    add_marks(g->optimal, r->optimal, optimal_size(a));
    size_t learners = (size_t)a->learners, points = (size_t)a->selectors * (size_t)a->point_count;
    for (size_t i = 0; i < points; i++) g->share[i * learners + r->choice[i]]++;
    count_matching(g, a, r);
}

void aggregate_add_head(aggregate *g, const agenda *a, const sheet *r) {
    g->runs += 1.0;
    series_add(g->mean, g->m2, r->numbers, (size_t)(r->regret - r->numbers), g->runs);
    count_matching(g, a, r);
}

void aggregate_put_curves(aggregate *g, const agenda *a, const sheet *shape, const aggregate_curves *curves) {
    size_t head = (size_t)(shape->regret - shape->numbers);
    memcpy(g->mean + head, curves->mean, optimal_size(a) * sizeof *g->mean);
    memcpy(g->m2 + head, curves->m2, optimal_size(a) * sizeof *g->m2);
    memcpy(g->optimal, curves->optimal, optimal_size(a) * sizeof *g->optimal);
    memcpy(g->share, curves->share, share_size(a) * sizeof *g->share);
}

static void add_counts(uint32_t *to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] += from[i];
}

/* What a part has of `count` places: from the first to before the last. */
typedef struct stretch {
    size_t first, count;
} stretch;

static stretch stretch_of(size_t count, size_t part) {
    const size_t parts = AGGREGATE_PARTS - 1, first = count * (part - 1) / parts;
    return (stretch){first, count * part / parts - first};
}

static void merge_numbers(aggregate *g, const aggregate *other, double before, stretch of) {
    series_merge(g->mean + of.first, g->m2 + of.first, before, other->mean + of.first, other->m2 + of.first,
                 other->runs, of.count);
}

void aggregate_merge(aggregate *g, const agenda *a, const sheet *shape, const aggregate *other, double before,
                     size_t part) {
    const size_t head = (size_t)(shape->regret - shape->numbers);
    if (part == 0) {
        merge_numbers(g, other, before, (stretch){0, head});
        add_counts(g->matching_chosen, other->matching_chosen, matching_size(a));
        return;
    }
    stretch curves = stretch_of(shape->number_count - head, part), optimal = stretch_of(optimal_size(a), part),
            share = stretch_of(share_size(a), part);
    merge_numbers(g, other, before, (stretch){head + curves.first, curves.count});
    add_counts(g->optimal + optimal.first, other->optimal + optimal.first, optimal.count);
    add_counts(g->share + share.first, other->share + share.first, share.count);
}
