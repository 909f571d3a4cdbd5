/* SPDX-License-Identifier: MIT */
/*
 * Keeps the log to what it must have: records that recovery needs, and those that are young enough and fit. Everything
 * is done in small pieces, because requests wait meanwhile.
 */
#include <stdio.h>

#include "engine/inside.h"

#define TIDY_RECORDS 20000
#define DAY 86400

static bool tidy_trim(engine *e, int64_t now, bool *more) {
    uint64_t size = 0;
    *more = false;
    if (e->limits.log_days == 0 && e->limits.log_size == 0) return true;
    if (e->limits.log_size > 0 && !store_size(e->store, &size)) return false;
    bool large = e->limits.log_size > 0 && size > e->limits.log_size;
    int64_t before = e->limits.log_days > 0 ? now - (int64_t)e->limits.log_days * DAY : 0;
    return store_trim(e->store, large, before, TIDY_RECORDS, more);
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

/* *whole: an erasure is done. */
static bool tidy_erase(engine *e, bool *more, bool *whole) {
    kept_erasure which;
    *whole = false;
    if (!store_erasing(e->store, &which)) return false;
    if (which.posse == 0) return true;
    *more = true;
    *whole = which.done + TIDY_RECORDS >= which.last;
    return store_erase_some(e->store, &which, *whole ? which.last : which.done + TIDY_RECORDS);
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
    return e->limits.log_days == 0 && e->limits.log_size == 0 && !e->stale && !events_are_due(e, now) &&
           store_erasing(e->store, &which) && which.posse == 0;
}

bool engine_tidy(engine *e, int64_t now, bool *more) {
    bool trims = false, sweeps = false, erases = false, whole = false, looks = false, forgets = false, states = false;
    *more = false;
    if (e->lost || engine_has_changes(e) || tidy_is_idle(e, now)) return true;
    bool fine = store_begin(e->store) && tidy_trim(e, now, &trims) && tidy_sweep(e, trims, &sweeps) &&
                tidy_erase(e, &erases, &whole) && events_tidy(e, now, &looks, &forgets) && tidy_states(e, &states);
    bool some = trims || sweeps || erases || forgets || states;
    fine = fine && (!some || store_commit(e->store));
    if (!fine) snprintf(e->why, sizeof e->why, "%s", store_why(e->store));
    if (!fine || !some) store_rollback(e->store);
    if (fine && trims) fine = store_trimmed(e->store, &e->trimmed);
    if (fine && whole) store_checkpoint(e->store); /* the write-ahead log has them, too */
    *more = fine && (some || looks);
    return fine;
}
