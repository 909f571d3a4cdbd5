/* SPDX-License-Identifier: MIT */
/*
 * Requests in pieces. Such a request has a batch of its own, which takes the place of the engine's batch while a piece
 * is done, and again for its commit.
 */
#include "engine/inside.h"
#include "served/cost.h"

bool engine_is_long(const hosted *h, size_t rewards, size_t decisions) {
    return cost_is_long(h->served.posse, rewards, decisions);
}

/* Exchanges what belongs to a request until its commit. The second time puts everything back. */
static void work_exchange(engine *e, engine_work *w) {
    serving *s = &e->serving;
    engine_batch outer = e->batch;
    pool *memory = s->memory;
    const char **joining = s->joining;
    int joining_count = s->joining_count;
    served_counts counts = s->counts;
    e->batch = w->batch;
    s->memory = w->memory;
    s->joining = w->joining;
    s->joining_count = w->joining_count;
    s->counts = w->counts;
    w->batch = outer;
    w->memory = memory;
    w->joining = joining;
    w->joining_count = joining_count;
    w->counts = counts;
}

static void work_hold(engine *e, engine_work *w, bool held) {
    if (w->hosted->held == held) return;
    w->hosted->held = held;
    e->held += held ? 1 : -1;
}

served_status engine_work_begin(engine *e, engine_work *w) {
    if (!engine_enter(e)) return SERVED_DOWN;
    work_exchange(e, w);
    served_status status = served_work_begin(&e->serving, &w->hosted->served, &w->asked);
    work_exchange(e, w);
    work_hold(e, w, status == SERVED_DONE);
    return status;
}

served_status engine_work_continue(engine *e, engine_work *w, bool *over) {
    bool done = false;
    work_exchange(e, w);
    served_status status = served_work_continue(&e->serving, &w->hosted->served, &w->asked, &done);
    work_exchange(e, w);
    *over = done || status != SERVED_DONE;
    return status;
}

static void work_count(served_counts *all, const served_counts *some) {
    all->decisions += some->decisions;
    all->rewards += some->rewards;
    all->repeats += some->repeats;
    all->forgotten += some->forgotten;
    all->expired += some->expired;
    all->taught += some->taught;
    all->refused += some->refused;
}

void engine_work_finish(engine *e, engine_work *w) {
    work_exchange(e, w);
    engine_counts before = e->counts;
    before.served = w->counts; /* those of the engine until now */
    e->batch.counts_before = before;
    work_count(&w->counts, &e->serving.counts);
    e->serving.counts = w->counts;
    work_hold(e, w, false);
    engine_work_free(w);
}

void engine_work_free(engine_work *w) {
    batch_free(&w->batch);
    pool_free(w->memory);
    w->memory = NULL;
}
