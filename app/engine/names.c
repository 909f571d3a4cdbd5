/* SPDX-License-Identifier: MIT */
/*
 * The posses by their names, and in the order of their numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "common/fingerprint.h"
#include "engine/inside.h"
#include "served/health.h"

#define BUCKETS_MIN 64

static hosted **bucket_of(const engine *e, const char *name) {
    return &e->buckets[fingerprint_memory(FINGERPRINT_START, name, strlen(name)) & (e->bucket_count - 1)];
}

hosted *engine_find(const engine *e, const char *name) {
    if (e->bucket_count == 0) return NULL;
    hosted *h = *bucket_of(e, name);
    while (h != NULL && (h->dropped || strcmp(h->name, name) != 0)) h = h->next_by_name;
    return h;
}

static void names_enter_bucket(engine *e, hosted *h) {
    hosted **bucket = bucket_of(e, h->name);
    h->next_by_name = *bucket;
    *bucket = h;
}

static bool names_grow(engine *e) {
    size_t room = e->room > 0 ? 2 * e->room : BUCKETS_MIN;
    hosted **list = realloc(e->list, room * sizeof *list);
    if (list == NULL) return false;
    e->list = list;
    hosted **buckets = calloc(room, sizeof *buckets);
    if (buckets == NULL) return false;
    free(e->buckets);
    e->buckets = buckets;
    e->bucket_count = e->room = room;
    for (size_t i = 0; i < e->count; i++) names_enter_bucket(e, e->list[i]);
    return true;
}

bool table_add(engine *e, hosted *h) {
    if (e->count == e->room && !names_grow(e)) return false;
    e->list[e->count++] = h;
    names_enter_bucket(e, h);
    return true;
}

/* Where the posse of a number is, or would be. */
static size_t names_place_of(const engine *e, int64_t id) {
    size_t low = 0, high = e->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->list[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

hosted *table_find_number(const engine *e, int64_t id) {
    size_t place = names_place_of(e, id);
    return place < e->count && e->list[place]->id == id ? e->list[place] : NULL;
}

void table_remove(engine *e, hosted *h) {
    size_t place = names_place_of(e, h->id);
    if (place == e->count || e->list[place] != h) return;
    hosted **at = bucket_of(e, h->name);
    while (*at != h) at = &(*at)->next_by_name;
    *at = h->next_by_name;
    e->count--;
    memmove(e->list + place, e->list + place + 1, (e->count - place) * sizeof *e->list);
}

hosted *hosted_make(engine *e, int64_t id, const char *name) {
    hosted *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->engine = e;
    h->id = id;
    h->name = strdup(name);
    h->served.health = health_make();
    if (h->name != NULL && h->served.health != NULL) return h;
    hosted_free(h);
    return NULL;
}

void hosted_free(hosted *h) {
    if (h == NULL) return;
    posse_free(h->served.posse);
    free(h->served.marks);
    health_free(h->served.health);
    free(h->name);
    free(h);
}

void engine_each(const engine *e, void (*take)(void *context, hosted *h), void *context) {
    for (size_t i = 0; i < e->count; i++)
        if (!e->list[i]->dropped) take(context, e->list[i]);
}
