/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/inside.h"
#include "served/cost.h"
#include "served/health.h"

#define WORK_MAX 50000

/* ------------------------------------------------ memory of posses ----------------------------------------------- */

/*
 * The C heap, with its bytes counted. While serving.bounded is set, an allocation beyond the limit fails as if there
 * were no memory left.
 */
static void *engine_resize(void *context, void *block, size_t size) {
    engine *e = context;
    size_t before = malloc_usable_size(block), memory = e->memory;
    size_t left = memory < e->limits.memory ? e->limits.memory - memory : 0;
    if (serving_here(&e->serving)->bounded && e->limits.memory > 0 && size > before && size - before > left)
        return NULL;
    if (size == 0) {
        free(block);
        e->memory -= before;
        return NULL;
    }
    void *resized = realloc(block, size);
    if (resized != NULL) e->memory += malloc_usable_size(resized) - before;
    return resized;
}

size_t engine_memory(const engine *e) {
    return e->memory;
}

/* --------------------------------------------------- requests ---------------------------------------------------- */

posse_allocator engine_allocator(engine *e) {
    return (posse_allocator){engine_resize, e};
}

posse_host engine_host(engine *e) {
    return (posse_host){.allocator = engine_allocator(e), .log = serving_logger(&e->serving)};
}

bool engine_enter(engine *e) {
    serving_begin(&e->serving);
    if (e->lost)
        serving_say(&e->serving, SERVED_DOWN, "", "the database cannot be read; the server has to be restarted");
    return !e->lost;
}

problems *engine_problems(engine *e) {
    return serving_problems(&e->serving);
}

unsigned engine_alarms(const engine *e, const hosted *h) {
    return health_alarms(&h->served, e->serving.now);
}

const char *engine_why(const engine *e) {
    return e->why;
}

/* ------------------------------------------------ opening and closing -------------------------------------------- */

void engine_snapshot_after(engine *e, uint64_t work) {
    e->snapshot_after = work;
}

uint32_t engine_epoch(const engine *e) {
    return e->epoch;
}

size_t engine_posses(const engine *e) {
    return e->count;
}

engine_counts engine_count(const engine *e) {
    engine_counts counts = e->counts;
    counts.served = e->serving.counts;
    return counts;
}

bool engine_is_lost(const engine *e) {
    return e->lost;
}

static void engine_discard(engine *e) {
    aside_end(e->aside);
    for (size_t i = 0; i < e->count; i++) hosted_free(e->list[i]);
    free(e->list);
    free(e->buckets);
    batch_free(&e->batch);
    free(e->context);
    serving_close(&e->serving);
    store_close(e->store);
    free(e);
}

engine *engine_open(const char *database, engine_limits limits, char why[300]) {
    char reason[200] = "no memory";
    engine *e = calloc(1, sizeof *e);
    if (e != NULL) {
        e->serving.store = &batch_store;
        e->serving.pending_max = limits.pending;
        e->serving.units_max = COST_REQUEST;
        e->limits = limits;
        e->snapshot_after = WORK_MAX;
        e->store = store_open(database, reason);
    }
    if (e != NULL && e->store != NULL && recovery_run(e)) return e;
    snprintf(why, 300, "%s", e != NULL && e->store != NULL ? e->why : reason);
    if (e != NULL) engine_discard(e);
    return NULL;
}

/* This only makes the next start faster: if it fails, that start replays the log. */
static void write_snapshots(engine *e) {
    bool fine = store_begin(e->store);
    for (hosted *h = e->dirty_first; fine && h != NULL; h = h->dirty_after) fine = batch_snapshot(e, h);
    if (!fine || !store_set_floor(e->store, e->lsn) || !store_commit(e->store)) store_rollback(e->store);
}

void engine_close(engine *e) {
    if (e == NULL) return;
    bool whole = !e->lost && !engine_has_changes(e) && e->held == 0;
    if (whole) history_close(e);
    if (whole && e->dirty_first != NULL) write_snapshots(e);
    engine_discard(e);
}
