/* SPDX-License-Identifier: MIT */
/*
 * Collects what happens between two commits, writes it in one transaction, and undoes it if that fails.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/inside.h"
#include "posse_inside.h"

#define SNAPSHOTS_MAX 64 /* in one commit, so that it does not take long */

bool engine_has_changes(const engine *e) {
    return e->batch.touched_count > 0;
}

void batch_free(engine_batch *b) {
    free(b->records);
    free(b->settled);
    free(b->touched);
    free(b->erasures);
    free(b->events);
    *b = (engine_batch){0};
}

/* ---------------------------------------------------- collecting ------------------------------------------------- */

bool batch_make_room(void **list, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return true;
    size_t wanted = 2 * *room > needed ? 2 * *room : needed + 64;
    void *larger = realloc(*list, wanted * size);
    if (larger == NULL) return false;
    *list = larger;
    *room = wanted;
    return true;
}

/* Keeps the order of the queue, in which both numbers grow. Nearly always its end is the place. */
static void enter_dirty(engine *e, hosted *h, uint64_t lsn, uint64_t work) {
    hosted *before = e->dirty_last;
    while (before != NULL && (before->dirty_lsn > lsn || (before->dirty_lsn == lsn && before->dirty_work > work)))
        before = before->dirty_before;
    hosted *after = before != NULL ? before->dirty_after : e->dirty_first;
    h->dirty = true;
    h->dirty_lsn = lsn;
    h->dirty_work = work;
    h->dirty_before = before;
    h->dirty_after = after;
    *(before != NULL ? &before->dirty_after : &e->dirty_first) = h;
    *(after != NULL ? &after->dirty_before : &e->dirty_last) = h;
}

void batch_forget_dirty(engine *e, hosted *h) {
    if (!h->dirty) return;
    h->dirty = false;
    if (h->dirty_before != NULL)
        h->dirty_before->dirty_after = h->dirty_after;
    else
        e->dirty_first = h->dirty_after;
    if (h->dirty_after != NULL)
        h->dirty_after->dirty_before = h->dirty_before;
    else
        e->dirty_last = h->dirty_before;
}

void batch_clean(engine *e, hosted *h, uint64_t lsn, uint64_t work) {
    batch_forget_dirty(e, h);
    if (!h->unchanged) enter_dirty(e, h, lsn, work);
    e->floor_due = e->stale = true;
    e->counts.snapshots++;
}

bool batch_touch(engine *e, hosted *h, size_t records) {
    if (!batch_make_room((void **)&e->batch.records, &e->batch.record_room, e->batch.record_count + records,
                         sizeof *e->batch.records) ||
        !batch_make_room((void **)&e->batch.touched, &e->batch.touched_room, e->batch.touched_count + 1,
                         sizeof(hosted *)))
        return false;
    if (e->batch.touched_count == 0) {
        e->batch.counts_before = e->counts;
        e->batch.counts_before.served = e->serving.counts;
    }
    if (!h->touched) {
        e->batch.touched[e->batch.touched_count++] = h;
        h->rewards_before = h->served.rewards;
        h->reward_sum_before = h->served.reward_sum;
    }
    h->touched = true;
    h->unchanged = false;
    if (!h->dirty) enter_dirty(e, h, e->lsn, e->work);
    history_touch(e, h);
    return true;
}

/* A snapshot is written with it, so recovery needs none of these contexts. */
bool batch_erase(engine *e, hosted *h, const char *unit) {
    engine_batch *b = &e->batch;
    if (!batch_make_room((void **)&b->erasures, &b->erasure_room, b->erasure_count + 1, sizeof *b->erasures))
        return false;
    b->erasures[b->erasure_count++] = (engine_erasure){h, unit};
    h->reshaped = true;
    return true;
}

static served_status batch_prepare(serving *s, served *p, size_t decisions, size_t records) {
    (void)decisions;
    engine *e = (engine *)s;
    hosted *h = (hosted *)p;
    return batch_touch(e, h, records) ? SERVED_DONE : serving_no_memory(s);
}

/* Whether the log has a record of each decision. Otherwise replaying makes them again from their number. */
static bool records_decisions(const hosted *h) {
    return h->records || posse_feature_count(h->served.posse) > 0 || posse_propensity_draws(h->served.posse) > 0;
}

/* A posse whose learners, arms, task or modes have changed gets a snapshot, and these records are not replayed. */
static bool is_reshaping(record_kind kind) {
    return kind == RECORD_ADD_LEARNER || kind == RECORD_RETIRE_LEARNER || kind == RECORD_ADD_ARM ||
           kind == RECORD_RETIRE_ARM || kind == RECORD_NEXT_TASK || kind == RECORD_MODES;
}

/*
 * A play of a unit that was erased: its context is not written. The commit writes a snapshot, so that recovery does not
 * need it.
 */
static bool batch_is_erased(engine *e, const hosted *h, const record *r) {
    bool erased = false;
    if (r->kind != RECORD_ACTED || r->body == NULL || !e->erased) return false;
    return store_is_erased(e->store, h->id, r->decision, &erased) && erased;
}

static bool batch_keeps(void *context, int64_t owner, uint64_t decision) {
    engine *e = context;
    const hosted *h = table_find_number(e, owner);
    posse_pending pending;
    bool kept = h != NULL && posse_pending_find(h->served.posse, decision, &pending) == POSSE_OK;
    e->erased = e->erased || kept;
    return kept;
}

bool batch_keep_erased(engine *e, int64_t owner) {
    return store_each_erased(e->store, owner, batch_keeps, e);
}

/* Arms of a large posse change without a snapshot, which would take seconds. It gets one soon. */
static void batch_note_shape(hosted *h, record_kind kind) {
    if (!is_reshaping(kind)) return;
    if (carry_is_large(h) && (kind == RECORD_ADD_ARM || kind == RECORD_RETIRE_ARM))
        h->soon = true;
    else
        h->reshaped = true;
}

uint64_t batch_put(engine_batch *b, hosted *h, const record *r) {
    bool plain = r->unit == NULL && !r->deferred;
    if (r->kind == RECORD_DECIDE && plain && !records_decisions(h)) return 1;
    batch_note_shape(h, r->kind);
    record *added = &b->records[b->record_count++];
    *added = *r;
    added->posse = h->id;
    return r->kind == RECORD_DECIDE ? 2 : 1; /* the decision, and its record */
}

static void batch_note(serving *s, served *p, const record *r) {
    engine *e = (engine *)s;
    hosted *h = (hosted *)p;
    e->work += batch_put(&e->batch, h, r);
    if (!batch_is_erased(e, h, r)) return;
    e->batch.records[e->batch.record_count - 1].body = "";
    h->reshaped = true;
}

/* ------------------------------------------------ what was settled ----------------------------------------------- */

static bool is_settling(const record *r) {
    return r->kind == RECORD_LEARN || r->kind == RECORD_FORGET;
}

/* Where a decision is in the hash table, or the free place that ends the search. */
static uint32_t *settled_place(engine *e, int64_t owner, uint64_t decision) {
    size_t at = (size_t)((decision ^ (uint64_t)owner << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; at++) {
        uint32_t *place = &e->batch.settled[at & (e->batch.settled_room - 1)];
        const record *r = *place > 0 ? &e->batch.records[*place - 1] : NULL;
        if (r == NULL || (r->decision == decision && r->posse == owner)) return place;
    }
}

/* Makes room for twice the number of records, and has all of them entered again. False: no memory. */
static bool settled_grow(engine *e) {
    size_t room = 64;
    while (room < 4 * e->batch.record_count) room *= 2;
    uint32_t *larger = calloc(room, sizeof *larger);
    if (larger == NULL) return false;
    free(e->batch.settled);
    e->batch.settled = larger;
    e->batch.settled_room = room;
    e->batch.settled_count = 0;
    return true;
}

/* Without memory for the table, all records are searched. */
static const record *search_settled(const engine *e, int64_t owner, uint64_t decision) {
    for (size_t i = e->batch.record_count; i-- > 0;)
        if (is_settling(&e->batch.records[i]) && e->batch.records[i].posse == owner &&
            e->batch.records[i].decision == decision)
            return &e->batch.records[i];
    return NULL;
}

/*
 * The record by which a decision was settled in this batch; NULL: there is none. Records are entered into the table
 * when one is looked for, which most batches never do.
 */
static const record *batch_find_settled(engine *e, int64_t owner, uint64_t decision) {
    if (e->batch.record_count == 0) return NULL;
    if (2 * e->batch.record_count > e->batch.settled_room && !settled_grow(e))
        return search_settled(e, owner, decision);
    for (; e->batch.settled_count < e->batch.record_count; e->batch.settled_count++) {
        const record *r = &e->batch.records[e->batch.settled_count];
        if (is_settling(r)) *settled_place(e, r->posse, r->decision) = (uint32_t)e->batch.settled_count + 1;
    }
    uint32_t place = *settled_place(e, owner, decision);
    return place > 0 ? &e->batch.records[place - 1] : NULL;
}

/* How a decision was settled, in this batch or before. */
static served_past batch_find_past(serving *s, const served *p, uint64_t id, double *reward, const char **why) {
    engine *e = (engine *)s;
    const hosted *h = (const hosted *)p;
    record_kind kind = RECORD_LEARN;
    const record *r = batch_find_settled(e, h->id, id);
    bool found = r != NULL;
    if (found) {
        kind = r->kind;
        *reward = r->reward;
    } else if (!store_find_settled(e->store, h->id, id, &found, &kind, reward)) {
        *why = store_why(e->store);
        return PAST_UNREADABLE;
    }
    if (found) return kind == RECORD_FORGET ? PAST_FORGOTTEN : PAST_LEARNED;
    if (e->trimmed > 0) {
        *why = "this decision has expired, was lost, or was settled so long ago that the log does not have it any more";
        return PAST_EXPIRED;
    }
    if (id >> 32 != e->epoch)
        *why = "this decision has expired, or it is of another epoch: it was made before a restart of the server, and "
               "was lost";
    return PAST_EXPIRED;
}

const served_store batch_store = {batch_prepare, batch_note, batch_find_past, true};

static void settled_clear(engine *e) {
    free(e->batch.settled);
    e->batch.settled = NULL;
    e->batch.settled_room = e->batch.settled_count = 0;
}

/* ----------------------------------------------------- writing --------------------------------------------------- */

/* Copies the store's reason for a failure. Returns false. */
static bool store_failed(engine *e) {
    snprintf(e->why, sizeof e->why, "%s", store_why(e->store));
    return false;
}

bool batch_snapshot(engine *e, hosted *h) {
    size_t length = 0;
    if (posse_save(h->served.posse, NULL, &length) != POSSE_OK) return false;
    void *bytes = malloc(length);
    bool fine = bytes != NULL && posse_save(h->served.posse, bytes, &length) == POSSE_OK &&
                store_snapshot(e->store, h->id, e->lsn + e->batch.record_count, bytes, length);
    free(bytes);
    h->size = length;
    e->stale = e->stale || carry_is_large(h);
    if (fine) e->counts.snapshots++;
    h->snapshotted = fine;
    return fine;
}

/* The state of a large posse may be on disk already. */
static bool batch_write_shape(engine *e, hosted *h) {
    if (h->staged == 0) return batch_snapshot(e, h);
    h->snapshotted = store_large_snapshot(e->store, h->id, e->lsn + e->batch.record_count, h->staged);
    if (h->snapshotted) e->counts.snapshots++;
    e->stale = true;
    return h->snapshotted;
}

static bool write_posse(engine *e, hosted *h) {
    if (!h->created) return true;
    kept_posse kept = {.id = h->id,
                       .name = h->name,
                       .description = h->description,
                       .records = h->records,
                       .expire_seconds = h->served.expire_seconds};
    for (int i = 0; i < SIPHASH_KEY; i++) kept.key[i] = h->served.key[i];
    return store_add_posse(e->store, &kept);
}

static bool write_records(engine *e) {
    for (size_t i = 0; i < e->batch.record_count; i++) e->batch.records[i].lsn = e->lsn + 1 + i;
    return store_append(e->store, e->batch.records, e->batch.record_count);
}

/*
 * A posse that was created or reshaped is written whole: records of such changes are for people, and are not replayed.
 * Those of the arms of large posses are.
 */
static bool batch_write_state(engine *e, hosted *h) {
    if (h->dropped) return store_drop_posse(e->store, h->id);
    return store_mark(e->store, &(kept_mark){h->id, posse_decision_count(h->served.posse), posse_epoch(h->served.posse),
                                             h->served.rewards, h->served.reward_sum}) &&
           clock_write(e, h) && (!(h->created || h->reshaped) || batch_write_shape(e, h));
}

static bool write_erasures(engine *e) {
    bool fine = true;
    for (size_t i = 0; fine && i < e->batch.erasure_count; i++) {
        const engine_erasure *one = &e->batch.erasures[i];
        fine = store_erase(e->store, one->hosted->id, one->unit, e->lsn + e->batch.record_count);
    }
    return fine;
}

static bool is_due(const engine *e, const hosted *h) {
    return e->work - h->dirty_work >= e->snapshot_after;
}

static bool write_due_snapshots(engine *e) {
    int count = 0;
    for (hosted *h = e->dirty_first; h != NULL && count < SNAPSHOTS_MAX; h = h->dirty_after) {
        if (!is_due(e, h)) break;
        if (h->snapshotted || h->dropped || h->held) continue;
        if (posse_save(h->served.posse, NULL, &h->size) == POSSE_OK && carry_is_large(h)) {
            e->due = h;
            continue;
        }
        if (!batch_snapshot(e, h)) return false;
        count++;
    }
    return true;
}

/* The records that recovery needs begin after the oldest state that is not in a snapshot. */
static bool write_floor(engine *e) {
    const hosted *h = e->dirty_first;
    while (h != NULL && (h->snapshotted || h->dropped)) h = h->dirty_after;
    if (h == e->dirty_first && h != NULL && !e->floor_due) return true;
    return store_set_floor(e->store, h != NULL ? h->dirty_lsn : e->lsn + e->batch.record_count);
}

static bool write_batch(engine *e) {
    bool fine = store_begin(e->store);
    for (size_t i = 0; fine && i < e->batch.touched_count; i++) fine = write_posse(e, e->batch.touched[i]);
    fine = fine && write_records(e);
    for (size_t i = 0; fine && i < e->batch.touched_count; i++) fine = batch_write_state(e, e->batch.touched[i]);
    return fine && events_write(e) && write_erasures(e) && write_due_snapshots(e) && write_floor(e) &&
           store_commit(e->store);
}

/* ------------------------------------------------- after the writing --------------------------------------------- */

static void close_batch(engine *e) {
    e->batch.record_count = 0;
    e->batch.touched_count = 0;
    e->batch.erasure_count = 0;
    e->batch.event_count = 0;
    settled_clear(e);
    serving_forget(&e->serving);
}

static void batch_rest(hosted *h) {
    h->touched = h->created = h->reshaped = false;
    h->staged = 0;
    h->description = NULL;
}

static void batch_leave(engine *e, hosted *h) {
    e->drops = true;
    batch_forget_dirty(e, h);
    history_forget(e, h);
    table_remove(e, h);
    if (e->due == h) e->due = NULL;
    if (carry_is_large(h)) {
        e->stale = true;
        carry_away(e, h->served.posse);
        h->served.posse = NULL;
    }
    hosted_free(h);
}

static void batch_finish(engine *e) {
    hosted *after;
    for (hosted *h = e->dirty_first; h != NULL && is_due(e, h); h = after) {
        after = h->dirty_after;
        if (h->snapshotted) batch_forget_dirty(e, h);
        h->snapshotted = false;
    }
    e->lsn += e->batch.record_count;
    e->floor_due = false;
    e->counts.commits++;
    e->counts.records += e->batch.record_count;
    for (size_t i = 0; i < e->batch.touched_count; i++) {
        hosted *h = e->batch.touched[i];
        batch_rest(h);
        if (h->served.marks != NULL && h->served.marks->count > 0)
            h->served.marks->written = h->served.marks->list[h->served.marks->count - 1].decides;
        if (h->snapshotted) batch_forget_dirty(e, h);
        h->snapshotted = false;
        if (h->soon) e->due = h;
        if (h->dropped) batch_leave(e, h);
    }
    close_batch(e);
}

/* No client has been answered yet, so every posse that was touched returns to its state at the last commit. */
static void batch_undo(engine *e) {
    store_rollback(e->store);
    for (hosted *h = e->dirty_first; h != NULL; h = h->dirty_after) h->snapshotted = false;
    uint64_t failed = e->counts.failed_commits + 1;
    e->counts = e->batch.counts_before;
    e->serving.counts = e->batch.counts_before.served;
    e->counts.failed_commits = failed;
    size_t kept = 0; /* those that were there before */
    for (size_t i = 0; i < e->batch.touched_count; i++) {
        hosted *h = e->batch.touched[i];
        bool created = h->created;
        batch_rest(h);
        h->dropped = false;
        h->served.rewards = h->rewards_before;
        h->served.reward_sum = h->reward_sum_before;
        if (created)
            batch_leave(e, h);
        else
            e->batch.touched[kept++] = h;
    }
    if (!e->lost && !recovery_restore(e, e->batch.touched, kept)) e->lost = true;
    for (size_t i = 0; i < kept; i++) clock_undo(&e->batch.touched[i]->served);
    close_batch(e);
}

bool engine_commit(engine *e) {
    if (!engine_has_changes(e)) {
        close_batch(e); /* requests that were refused have left their contexts in its memory */
        return true;
    }
    bool fine = write_batch(e);
    if (!fine) store_failed(e);
    if (fine)
        batch_finish(e);
    else
        batch_undo(e);
    return fine;
}
