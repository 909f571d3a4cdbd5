/* SPDX-License-Identifier: MIT */
/*
 * Requests in pieces. Such a request has a batch of its own, which takes the place of the engine's batch while a piece
 * is done, and again for its commit.
 */
#include "engine/inside.h"
#include "served/cost.h"

/* An arm that joins a large posse takes long. Whether one does is not known yet. */
bool engine_is_long(const hosted *h, size_t rewards, size_t decisions) {
    bool joins = decisions > 0 && carry_is_large(h) && posse_joins(h->served.posse) > 0;
    return joins || cost_is_long(h->served.posse, rewards, decisions);
}

bool engine_is_large(const hosted *h) {
    return carry_is_large(h);
}

void work_exchange(engine *e, engine_work *w) {
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

void work_hold(engine *e, engine_work *w, bool held) {
    if (w->hosted->held == held) return;
    w->hosted->held = held;
    e->held += held ? 1 : -1;
}

/* What takes longer than a piece cannot be cut: a decision among very many arms, and an arm that joins them. */
static bool work_is_for_thread(const engine_work *w) {
    const posse *p = w->hosted->served.posse;
    return carry_is_large(w->hosted) && w->asked.decision_count > 0 && (w->joining_count > 0 || cost_is_long(p, 0, 1));
}

static served_status work_begin_decisions(engine *e, engine_work *w) {
    work_exchange(e, w);
    served_status status = served_work_begin(&e->serving, &w->hosted->served, &w->asked);
    work_exchange(e, w);
    return status == SERVED_DONE && work_is_for_thread(w) ? carry_begin(e, w) : status;
}

served_status engine_work_begin(engine *e, engine_work *w) {
    if (!engine_enter(e)) return SERVED_DOWN;
    served_status status = w->reshape.kind == RESHAPE_NONE ? work_begin_decisions(e, w) : carry_begin(e, w);
    if (w->hosted != NULL) work_hold(e, w, status == SERVED_DONE);
    return status;
}

served_status engine_work_continue(engine *e, engine_work *w, bool *over) {
    bool done = false;
    if (w->carrying != NULL) return carry_continue(e, w, over);
    serving_begin(&e->serving); /* forgets the problems of other requests */
    work_exchange(e, w);
    served_status status = served_work_continue(&e->serving, &w->hosted->served, &w->asked, &done);
    work_exchange(e, w);
    *over = done || status != SERVED_DONE;
    return status;
}

void work_count(served_counts *all, const served_counts *some) {
    all->decisions += some->decisions;
    all->rewards += some->rewards;
    all->repeats += some->repeats;
    all->forgotten += some->forgotten;
    all->expired += some->expired;
    all->taught += some->taught;
    all->refused += some->refused;
}

void engine_work_finish(engine *e, engine_work *w) {
    if (w->hosted == NULL || w->reshape.kind == RESHAPE_SNAPSHOT) { /* a posse that was not made, or no change */
        engine_work_free(w);
        return;
    }
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
    carry_free(w);
    batch_free(&w->batch);
    pool_free(w->memory);
    w->memory = NULL;
}
