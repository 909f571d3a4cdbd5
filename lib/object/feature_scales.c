/* SPDX-License-Identifier: MIT */
/*
 * The scales of numbers, declared and learned. A learned scale includes the numbers of the round that is being read, so
 * that of n numbers none is further than sqrt(n - 1) from 0, the first ones too.
 */
#include <math.h>
#include <string.h>

#include "base/feature_hash.h"
#include "object/object.h"

#define SCALES_LEAST 8

void feature_scales_release(feature_scales *f, int keep, const posse_allocator *allocator) {
    while (f->count > keep) memory_release(allocator, f->list[--f->count].name);
    f->committed = keep;
    if (keep > 0) return;
    memory_release(allocator, f->list);
    f->list = NULL;
    f->room = 0;
}

static posse_error scales_reserve(feature_scales *f, const posse_allocator *allocator) {
    if (f->count < f->room) return POSSE_OK;
    int room = f->room > 0 ? 2 * f->room : SCALES_LEAST;
    feature_scale *list = memory_grow(allocator, f->list, (size_t)room * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    f->list = list;
    f->room = room;
    return POSSE_OK;
}

posse_error feature_scales_add(feature_scales *f, const char *name, double mean, double sd,
                               const posse_allocator *allocator) {
    posse_error error = scales_reserve(f, allocator);
    char *copy = error == POSSE_OK ? memory_allocate(allocator, strlen(name) + 1) : NULL;
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    strcpy(copy, name);
    f->list[f->count++] = (feature_scale){.name = copy,
                                          .hash = feature_hash(feature_sum(FEATURE_SUM_START, name, strlen(name))),
                                          .sd = sd,
                                          .sums = {.mean = mean}};
    return POSSE_OK;
}

void feature_scales_begin(feature_scales *f, const posse_allocator *allocator) {
    while (f->count > f->committed) memory_release(allocator, f->list[--f->count].name);
    f->round++;
}

posse_error feature_scales_find(feature_scales *f, const char *full, const char *given, uint32_t hash,
                                const posse_allocator *allocator, int *out) {
    *out = -1;
    for (int i = 0; i < f->count && *out < 0; i++) {
        const feature_scale *s = &f->list[i];
        if (s->hash == hash && strcmp(s->name, full) == 0) *out = i;
        if (i < f->declared && strcmp(s->name, given) == 0) *out = i;
    }
    if (*out >= 0 || f->learn == 0) return POSSE_OK;
    if (f->count == POSSE_FEATURE_SCALES_MAX) return POSSE_ERROR_FULL;
    *out = f->count;
    return feature_scales_add(f, full, 0.0, 0.0, allocator);
}

/* A scale that was frozen before the round stays as it is. B. P. Welford, Technometrics 4 (1962). */
void feature_scales_see(feature_scales *f, int scale, double number) {
    feature_scale *s = &f->list[scale];
    if (scale < f->declared || s->sums.count >= f->learn) return;
    if (s->round != f->round) s->later = s->sums;
    s->round = f->round;
    s->later.count++;
    double before = number - s->later.mean;
    s->later.mean += before / (double)s->later.count;
    s->later.squares += before * (number - s->later.mean);
}

static double scales_sd(const feature_scale *s, const feature_sums *sums) {
    return s->sd > 0.0 ? s->sd : sums->count > 0 ? sqrt(sums->squares / (double)sums->count) : 0.0;
}

/* Numbers that were all equal have no scale, and are 0. */
double feature_scales_apply(const feature_scales *f, int scale, double number) {
    const feature_scale *s = &f->list[scale];
    const feature_sums *sums = s->round == f->round ? &s->later : &s->sums;
    double sd = scales_sd(s, sums);
    return sd > 0.0 ? (number - sums->mean) / sd : 0.0;
}

void feature_scales_commit(feature_scales *f) {
    for (int i = f->declared; i < f->count; i++)
        if (f->list[i].round == f->round) f->list[i].sums = f->list[i].later;
    f->committed = f->count;
}

posse_error feature_scales_keep(feature_scales *f, const posse_allocator *allocator) {
    f->kept_count = f->committed;
    f->kept = memory_allocate(allocator, ((size_t)f->kept_count + 1) * sizeof *f->kept);
    if (f->kept == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < f->kept_count; i++) f->kept[i] = f->list[i].sums;
    return POSSE_OK;
}

void feature_scales_drop(feature_scales *f, const posse_allocator *allocator) {
    memory_release(allocator, f->kept);
    f->kept = NULL;
}

void feature_scales_put_back(feature_scales *f, const posse_allocator *allocator) {
    for (int i = 0; i < f->kept_count; i++) f->list[i].sums = f->kept[i];
    while (f->count > f->kept_count) memory_release(allocator, f->list[--f->count].name);
    f->committed = f->kept_count;
    f->round++;
    feature_scales_drop(f, allocator);
}

int posse_feature_scales(const posse *p) {
    return p != NULL && p->map != NULL ? p->map->scales.committed : 0;
}

posse_error posse_feature_scale_at(const posse *p, int place, posse_feature_scale *out) {
    if (out == NULL || place < 0 || place >= posse_feature_scales(p)) return POSSE_ERROR_ARGUMENT;
    const feature_scale *s = &p->map->scales.list[place];
    *out = (posse_feature_scale){s->name, s->sums.mean, scales_sd(s, &s->sums), s->sums.count};
    return POSSE_OK;
}
