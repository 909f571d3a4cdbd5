/* SPDX-License-Identifier: MIT */
/*
 * Keeps the log to what it must have: records that recovery needs, and those that are young enough and fit. Everything
 * is done in small pieces, because requests wait meanwhile.
 */
#include <stdio.h>

#include "engine/inside.h"

#define TIDY_RECORDS 20000
#define RECORD_BYTES 64 /* in the database, about */
#define DROPPED_EVENTS 5000
#define DAY 86400

/* A piece is at most an eighth of the log that may stay, so that little more goes than has to. */
static int tidy_most(const engine *e) {
    uint64_t most = e->limits.log_size / RECORD_BYTES / 8 + 1;
    return e->limits.log_size > 0 && most < TIDY_RECORDS ? (int)most : TIDY_RECORDS;
}

static bool tidy_trim(engine *e, int64_t now, bool *more) {
    uint64_t size = 0;
    *more = false;
    if (e->limits.log_days == 0 && e->limits.log_size == 0) return true;
    if (e->limits.log_size > 0 && !store_size(e->store, &size)) return false;
    bool large = e->limits.log_size > 0 && size > e->limits.log_size;
    int64_t before = e->limits.log_days > 0 ? now - (int64_t)e->limits.log_days * DAY : 0;
    return store_trim(e->store, large, before, tidy_most(e), more);
}

/* After records were deleted, the index of settled decisions is swept once. */
static bool tidy_sweep(engine *e, bool trims, bool *more) {
    bool end = false;
    *more = false;
    e->sweeps = e->sweeps || trims;
    if (!e->sweeps) return true;
    *more = true;
    if (!store_sweep(e->store, TIDY_RECORDS, &end)) return false;
    e->sweeps = !end;
    return true;
}

/*
 * The last piece of an erasure by unit. Plays that were reported since it began are erased, too, and then recovery
 * needs a snapshot. Reports that are still to come are met as they come (batch.c).
 */
static bool tidy_erase_unit(engine *e, const kept_erasure *which) {
    hosted *h = table_find_number(e, which->posse);
    bool fine = store_erase_some(e->store, which, (int64_t)e->lsn, true);
    if (fine && h != NULL && (uint64_t)which->last < e->lsn) fine = batch_snapshot(e, h);
    if (h != NULL) h->snapshotted = false;
    return fine && batch_keep_erased(e, which->posse);
}

/* *whole: an erasure is done. A posse that a request has to itself has to wait. */
static bool tidy_erase(engine *e, bool *more, bool *whole) {
    kept_erasure which;
    *whole = false;
    if (!store_erasing(e->store, &which)) return false;
    const hosted *h = table_find_number(e, which.posse);
    if (which.posse == 0 || (h != NULL && h->held)) return true;
    *more = true;
    *whole = which.done + TIDY_RECORDS >= which.last;
    if (*whole && which.unit[0] != '\0') return tidy_erase_unit(e, &which);
    return store_erase_some(e->store, &which, *whole ? which.last : which.done + TIDY_RECORDS, *whole);
}

/* Events of posses that were dropped. */
static bool tidy_drops(engine *e, bool *more) {
    *more = false;
    if (!e->drops) return true;
    bool fine = store_forget_dropped_events(e->store, DROPPED_EVENTS, more);
    e->drops = !fine || *more;
    return fine;
}

/* After an erasure. If another process reads what was erased, it is tried again with the next call. */
static bool tidy_checkpoint(engine *e) {
    bool whole = true;
    if (!e->checkpoints) return true;
    bool fine = store_checkpoint(e->store, &whole);
    e->checkpoints = !fine || !whole;
    return fine;
}

/* A piece of a state that no snapshot has any more. */
static bool tidy_states(engine *e, bool *more) {
    *more = false;
    if (e->stale && !store_forget_piece(e->store, carry_state(e), more)) return false;
    e->stale = *more;
    return true;
}

/* Whether there is anything to do, which is asked first, so that an idle server writes nothing. */
static bool tidy_is_idle(engine *e, int64_t now) {
    kept_erasure which;
    return e->limits.log_days == 0 && e->limits.log_size == 0 && !e->drops && !e->checkpoints && !e->stale &&
           !events_are_due(e, now) && store_erasing(e->store, &which) && which.posse == 0;
}

bool engine_tidy(engine *e, int64_t now, bool *more) {
    bool trims = false, sweeps = false, erases = false, whole = false, drops = false, looks = false, forgets = false,
         states = false;
    *more = false;
    if (e->lost || engine_has_changes(e) || tidy_is_idle(e, now)) return true;
    bool fine = store_begin(e->store) && tidy_trim(e, now, &trims) && tidy_sweep(e, trims, &sweeps) &&
                tidy_erase(e, &erases, &whole) && tidy_drops(e, &drops) && events_tidy(e, now, &looks, &forgets) &&
                tidy_states(e, &states);
    bool some = trims || sweeps || erases || drops || forgets || states;
    fine = fine && (!some || store_commit(e->store));
    if (!fine) snprintf(e->why, sizeof e->why, "%s", store_why(e->store));
    if (!fine || !some) store_rollback(e->store);
    if (fine && trims) fine = store_trimmed(e->store, &e->trimmed);
    if (trims) e->events_next = now; /* events end with their records */
    e->checkpoints = e->checkpoints || (fine && whole);
    fine = fine && tidy_checkpoint(e);
    *more = fine && (some || looks);
    return fine;
}
