/* SPDX-License-Identifier: MIT */
/*
 * Work on posses whose states are large. What takes long and cannot be cut is done by the thread beside (aside.h):
 * making a posse, changing its arms, deciding among very many, and copying its state. The posse is held meanwhile, so
 * the thread has it to itself. A copy of the state is then written in pieces, each in a transaction of its own.
 *
 * Pieces mean nothing before a snapshot names them, which happens in one small transaction at the end. It is the commit
 * of the request, if the posse was made or changed. A crash before leaves the former snapshot, and all records
 * since. Pieces that no snapshot names are deleted later (tidy.c).
 *
 * For a snapshot alone, the posse is held only while its state is copied. Requests continue while the copy is written,
 * and their records come after the snapshot in the log.
 */
#include <stdlib.h>

#include "engine/inside.h"
#include "served/cost.h"

typedef enum carry_phase { CARRY_ACT, CARRY_SAVE, CARRY_WRITE, CARRY_OVER } carry_phase;

typedef struct carrying {
    serving own; /* must be first. The request, as the thread handles it */
    engine *engine;
    engine_work *work;
    carry_phase phase;
    aside_task task;
    bool posted; /* the thread has the task, and with it everything here */
    served_status status;
    uint64_t units; /* of work, for the engine's count */

    pool *memory; /* of the description of a posse to make */
    description description;
    posse *made; /* not in the table yet */

    int64_t posse;      /* its number, since it may be dropped while its state is written */
    uint64_t lsn, then; /* the last record that a snapshot includes, and the work of the engine by then */
    uint8_t *bytes;     /* the state; NULL: not copied */
    size_t length, written;
    int64_t state; /* its number on disk */
} carrying;

bool carry_is_large(const hosted *h) {
    return h->size > STATE_LARGE;
}

int64_t carry_state(const engine *e) {
    return e->writing != NULL ? e->writing->state : 0;
}

static aside *carry_thread(engine *e) {
    if (e->aside == NULL && !e->alone) e->aside = aside_make();
    e->alone = e->aside == NULL;
    return e->aside;
}

/* ------------------------------------------------- on the thread beside ------------------------------------------ */

/* The batch of the work is its own until it is finished. */
static served_status carry_prepare(serving *s, served *p, size_t decisions, size_t records) {
    (void)p, (void)decisions;
    engine_batch *b = &((carrying *)s)->work->batch;
    return batch_make_room((void **)&b->records, &b->record_room, b->record_count + records, sizeof *b->records)
               ? SERVED_DONE
               : serving_no_memory(s);
}

static void carry_note(serving *s, served *p, const record *r) {
    carrying *c = (carrying *)s;
    c->units += batch_put(&c->work->batch, (hosted *)p, r);
}

/* Settled decisions are looked up when the work begins, and not by the thread, which does not read the database. */
static served_past carry_find_past(serving *s, const served *p, uint64_t id, double *reward, const char **why) {
    (void)s, (void)p, (void)id, (void)reward;
    *why = "the database cannot be read here";
    return PAST_UNREADABLE;
}

static const served_store carry_store = {carry_prepare, carry_note, carry_find_past, true};

static served_status carry_make(carrying *c) {
    served_status status = served_create(&c->own, &c->description, engine_allocator(c->engine), &c->made);
    if (status == SERVED_DONE && posse_set_epoch(c->made, c->engine->epoch) != POSSE_OK)
        status = serving_no_memory(&c->own);
    return status;
}

static served_status carry_decide(carrying *c) {
    served_status status = SERVED_DONE;
    bool done = false;
    while (status == SERVED_DONE && !done)
        status = served_work_continue(&c->own, &c->work->hosted->served, &c->work->asked, &done);
    return status;
}

static const posse *carry_posse(const carrying *c) {
    return c->made != NULL ? c->made : c->work->hosted->served.posse;
}

static void carry_act(void *context) {
    carrying *c = context;
    engine_work *w = c->work;
    serving_beside(&c->own);
    c->status = w->reshape.kind == RESHAPE_CREATE ? carry_make(c)
                : w->reshape.kind == RESHAPE_NONE ? carry_decide(c)
                                                  : posses_reshape(&c->own, w->hosted, &w->reshape);
    if (c->status == SERVED_DONE && posse_save(carry_posse(c), NULL, &c->length) != POSSE_OK) c->length = 0;
    serving_beside(NULL);
}

static void carry_copy(void *context) {
    carrying *c = context;
    bool known = c->length > 0 || posse_save(carry_posse(c), NULL, &c->length) == POSSE_OK;
    c->bytes = known ? malloc(c->length) : NULL;
    if (c->bytes == NULL || posse_save(carry_posse(c), c->bytes, &c->length) == POSSE_OK) return;
    free(c->bytes);
    c->bytes = NULL;
}

/* What is freed: to return hundreds of megabytes to the system takes long, too. */
typedef struct burden {
    aside_task task;
    posse *posse;
    void *bytes;
} burden;

static void carry_drop(void *context) {
    burden *b = context;
    posse_free(b->posse);
    free(b->bytes);
    free(b);
}

static void carry_release(engine *e, posse *p, void *bytes) {
    burden *b = p != NULL || bytes != NULL ? malloc(sizeof *b) : NULL;
    if (b == NULL) {
        posse_free(p);
        free(bytes);
        return;
    }
    *b = (burden){.task = {.run = carry_drop, .context = b, .frees = true}, .posse = p, .bytes = bytes};
    aside_post(carry_thread(e), &b->task);
}

void carry_away(engine *e, posse *p) {
    carry_release(e, p, NULL);
}

/* --------------------------------------------------- its beginning ----------------------------------------------- */

static carrying *carry_new(engine *e, engine_work *w) {
    carrying *c = w->carrying = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->engine = e;
    c->work = w;
    c->own = (serving){.store = &carry_store,
                       .pending_max = e->serving.pending_max,
                       .units_max = e->serving.units_max,
                       .now = e->serving.now,
                       .logs_to = &e->serving};
    return c;
}

served_status engine_describe(engine *e, const char *text, size_t length, engine_work *w) {
    w->reshape = (reshape){.kind = RESHAPE_CREATE, .text = text, .length = length};
    if (!engine_enter(e)) return SERVED_DOWN;
    carrying *c = carry_new(e, w);
    if (c == NULL || (c->memory = pool_create(NULL)) == NULL) return serving_no_memory(&e->serving);
    served_status status = posses_describe(e, text, length, c->memory, &c->description);
    w->reshape.name = c->description.name;
    return status;
}

served_status engine_create_later(engine *e, engine_work *w, hosted **out) {
    const description *d = &w->carrying->description;
    *out = NULL;
    return cost_is_large(&d->def) ? SERVED_DONE : posses_make(e, d, w->reshape.text, w->reshape.length, out);
}

/* A change of a posse is announced in the batch of the work. */
static served_status carry_announce(engine *e, carrying *c) {
    engine_work *w = c->work;
    c->posse = w->hosted->id;
    if (w->reshape.kind == RESHAPE_SNAPSHOT) {
        c->phase = CARRY_SAVE;
        e->due = NULL;
        return SERVED_DONE;
    }
    work_exchange(e, w);
    served_status status = posses_announce(e, w->hosted, &w->reshape);
    work_exchange(e, w);
    return status;
}

served_status carry_begin(engine *e, engine_work *w) {
    if (w->reshape.kind == RESHAPE_CREATE) return posses_check_name(e, w->carrying->description.name);
    carrying *c = carry_new(e, w);
    return c != NULL ? carry_announce(e, c) : serving_no_memory(&e->serving);
}

/* ---------------------------------------------- between the two threads ------------------------------------------ */

static void carry_post(engine *e, carrying *c, void (*run)(void *context)) {
    engine_work *w = c->work;
    c->own.memory = w->memory;
    c->own.joining = w->joining;
    c->own.joining_count = w->joining_count;
    w->memory = NULL;
    if (w->hosted != NULL) w->hosted->aside = true;
    c->task = (aside_task){.run = run, .context = c};
    c->posted = true;
    aside_post(carry_thread(e), &c->task);
}

/* Takes everything back from the thread, which has done its task. */
static void carry_collect(engine *e, carrying *c) {
    engine_work *w = c->work;
    c->posted = false;
    if (w->hosted != NULL) w->hosted->aside = false;
    w->memory = c->own.memory;
    w->joining_count = c->own.joining_count;
    c->own.memory = NULL;
    work_count(&w->counts, &c->own.counts);
    c->own.counts = (served_counts){0};
    e->work += c->units;
    c->units = 0;
    if (c->own.found.count == 0) return;
    serving_begin(&e->serving);
    problems none = e->serving.found; /* the answer to this request has the problems of this request */
    bool open = e->serving.found_open;
    e->serving.found = c->own.found;
    e->serving.found_open = c->own.found_open;
    c->own.found = none;
    c->own.found_open = open;
}

/* ------------------------------------------------------ its phases ----------------------------------------------- */

static bool carry_is_snapshot(const carrying *c) {
    return c->work->reshape.kind == RESHAPE_SNAPSHOT;
}

/* After the posse was made or changed: whether its state must be written before the commit, and is large. */
static void carry_acted(carrying *c) {
    const hosted *h = c->work->hosted;
    bool whole = h == NULL || h->reshaped;
    c->phase = c->status == SERVED_DONE && whole && c->length > STATE_LARGE ? CARRY_SAVE : CARRY_OVER;
}

/* There is one copy of a state at a time, because it may take much memory. */
static void carry_save(engine *e, carrying *c) {
    if (e->writing != NULL) return;
    e->writing = c;
    c->lsn = e->lsn;
    c->then = e->work;
    if (carry_is_snapshot(c)) {
        c->work->hosted->unchanged = true;
        c->work->hosted->soon = false;
    }
    carry_post(e, c, carry_copy);
}

/* If the state could not be copied, the commit has to write it at once. */
static void carry_saved(engine *e, carrying *c) {
    hosted *h = c->work->hosted;
    if (h != NULL) h->size = c->length;
    if (carry_is_snapshot(c)) {
        work_hold(e, c->work, false);
        c->work->hosted = NULL;
    }
    bool fine = c->bytes != NULL && store_new_state(e->store, &c->state);
    c->phase = fine ? CARRY_WRITE : CARRY_OVER;
    if (!fine) c->state = 0;
}

static bool carry_write_piece(engine *e, carrying *c) {
    size_t left = c->length - c->written, some = left < STATE_PIECE ? left : STATE_PIECE;
    bool fine = store_begin(e->store) &&
                store_add_piece(e->store, c->state, c->written / STATE_PIECE, c->bytes + c->written, some) &&
                store_commit(e->store);
    if (!fine) store_rollback(e->store);
    c->written += some;
    return fine;
}

/* If a piece cannot be written, the commit tries to write all of the state, and if it fails, it is undone as usual. */
static void carry_write(engine *e, carrying *c) {
    bool fine = carry_write_piece(e, c);
    e->stale = true;
    if (!fine) c->state = 0;
    if (!fine || c->written == c->length) c->phase = CARRY_OVER;
}

/* The copy becomes the snapshot of its posse, unless that was dropped meanwhile. If it fails, the old one stays. */
static void carry_replace(engine *e, carrying *c) {
    hosted *h = table_find_number(e, c->posse);
    if (c->state == 0 || h == NULL || h->dropped) return;
    bool fine =
        store_begin(e->store) && store_large_snapshot(e->store, c->posse, c->lsn, c->state) && store_commit(e->store);
    if (!fine) store_rollback(e->store);
    if (fine) batch_clean(e, h, c->lsn, c->then);
}

/* A posse of that name may have come first. */
static served_status carry_host(engine *e, carrying *c) {
    engine_work *w = c->work;
    served_status status = posses_check_name(e, c->description.name);
    if (status != SERVED_DONE) return status;
    work_exchange(e, w);
    status = posses_host(e, &c->description, c->made, w->reshape.text, w->reshape.length, &w->hosted);
    work_exchange(e, w);
    c->made = NULL;
    if (status == SERVED_DONE) work_hold(e, w, true);
    return status;
}

static served_status carry_end(engine *e, carrying *c) {
    engine_work *w = c->work;
    if (c->status == SERVED_DONE && w->reshape.kind == RESHAPE_CREATE) c->status = carry_host(e, c);
    if (carry_is_snapshot(c))
        carry_replace(e, c);
    else if (c->status == SERVED_DONE) {
        w->hosted->staged = c->state;
        w->hosted->size = c->length;
    }
    return c->status;
}

static void carry_go_on(engine *e, carrying *c) {
    if (c->phase == CARRY_ACT)
        carry_post(e, c, carry_act);
    else if (c->phase == CARRY_SAVE)
        carry_save(e, c);
    else
        carry_write(e, c);
}

served_status carry_continue(engine *e, engine_work *w, bool *over) {
    carrying *c = w->carrying;
    w->waits = false;
    if (c->posted && aside_is_done(e->aside, &c->task)) {
        carry_collect(e, c);
        if (c->phase == CARRY_ACT)
            carry_acted(c);
        else
            carry_saved(e, c);
    } else if (!c->posted && c->phase != CARRY_OVER)
        carry_go_on(e, c);
    *over = !c->posted && c->phase == CARRY_OVER;
    w->waits = c->posted || (c->phase == CARRY_SAVE && e->writing != c && e->writing != NULL);
    return *over ? carry_end(e, c) : SERVED_DONE;
}

void carry_free(engine_work *w) {
    carrying *c = w->carrying;
    if (c == NULL) return;
    engine *e = c->engine;
    if (c->posted) {
        aside_wait(e->aside, &c->task);
        carry_collect(e, c);
    }
    if (carry_is_snapshot(c) && c->phase == CARRY_SAVE) work_hold(e, w, false);
    if (e->writing == c) e->writing = NULL;
    carry_release(e, c->made, c->bytes);
    serving_close(&c->own);
    pool_free(c->memory);
    free(c);
    w->carrying = NULL;
}

hosted *engine_due(const engine *e) {
    bool fine = e->due != NULL && e->writing == NULL && !e->due->held && !e->due->touched && !e->lost;
    return fine ? e->due : NULL;
}
