/* SPDX-License-Identifier: MIT */
/*
 * Inside the engine: what its files share.
 */
#ifndef ENGINE_INSIDE_H
#define ENGINE_INSIDE_H

#include "engine/engine.h"

struct engine {
    serving serving; /* must be first. Its memory lasts until the commit: records point into it */
    store *store;
    uint32_t epoch;
    engine_limits limits;
    size_t memory; /* bytes of all posses */

    hosted **buckets; /* by name */
    hosted **list;    /* by number */
    size_t bucket_count, count, room;
    hosted *dirty_first, *dirty_last;

    engine_batch batch; /* since the latest commit */
    size_t held;        /* posses that a request in pieces has to itself */
    char *context;      /* in recovery: the context that was replayed last; later decisions of its request share it */
    int64_t context_posse;

    hosted *note_first, *note_last; /* posses that wait for a point of history, the longest first */
    int64_t now;                    /* of the latest engine_remember */

    double clock_ahead; /* engine_now minus the seconds since the machine was booted */

    int64_t event_seen, events_next; /* the last event that was looked at, and when the next round of them begins */
    bool drops;                      /* posses were dropped, and may have events */
    bool erased;                     /* there are decisions of units that were erased (store_is_erased) */
    bool checkpoints;                /* something was erased, and the write-ahead log may still have it */
    bool sweeps;                     /* records were deleted, and the index of settled decisions was not swept since */
    uint64_t trimmed;                /* the last record that was deleted from the log; 0: none was */
    int64_t last_posse;
    uint64_t lsn;
    uint64_t work; /* records and decisions so far */
    uint64_t snapshot_after;
    engine_counts counts;
    bool lost;
    char why[300];
};

/* --- names.c --- */

bool table_add(engine *e, hosted *h); /* false: no memory */
void table_remove(engine *e, hosted *h);
hosted *table_find_number(const engine *e, int64_t id);
hosted *hosted_make(engine *e, int64_t id, const char *name); /* not in the table yet; NULL: no memory */
void hosted_free(hosted *h);

/* --- engine.c --- */

/* The allocator of all posses, and their host: its log turns messages of the library into problems. */
posse_allocator engine_allocator(engine *e);
posse_host engine_host(engine *e);

/* Starts a request. False: the engine is lost, and SERVED_DOWN the answer. */
bool engine_enter(engine *e);

/* --- batch.c --- */

/* Frees the lists of a batch. */
void batch_free(engine_batch *b);

/* How operations on posses report what they change (served/served.h). */
extern const served_store batch_store;

/* Makes room in a list for `needed` entries of a size. False: no memory. */
bool batch_make_room(void **list, size_t *room, size_t needed, size_t size);

/* Announces that a posse is about to change, and makes room for `records` records about it. False: no memory. */
bool batch_touch(engine *e, hosted *h, size_t records);

/* A posse that was touched has something to erase (engine_erasure). False: no memory. */
bool batch_erase(engine *e, hosted *h, const char *unit);

/* Forgets those decisions of erased units that are not pending any more, within a transaction; owner 0: of all posses.
 */
bool batch_keep_erased(engine *e, int64_t owner);

/* Writes a snapshot of the present state of a posse, which includes all records of this batch. Within a transaction. */
bool batch_snapshot(engine *e, hosted *h);
void batch_forget_dirty(engine *e, hosted *h);

/* --- events.c --- */

/* An event of this batch; NULL: there is none. Writes those of the batch, within a transaction. */
const kept_event *events_find(const engine_batch *b, int64_t owner, const char *name);
bool events_write(engine *e);

/* Whether it is time to look at old events, and there is one. */
bool events_are_due(engine *e, int64_t now);

/* Deletes some events that are over, within a transaction. *more: there are others to look at; *some: one has gone. */
bool events_tidy(engine *e, int64_t now, bool *more, bool *some);

/* --- decisions.c --- */

/* Writes marks of the clock that are not on disk; within a transaction. */
bool clock_write(engine *e, const hosted *h);

/* --- history.c --- */

#define HISTORY_PLAYS 4400 /* bytes of the plays of 200 learners, as text */

/* Something happens to a posse. */
void history_touch(engine *e, hosted *h);
void history_forget(engine *e, hosted *h);

/* Writes the points of all posses that wait for one. If it fails, the next points include what has happened. */
void history_close(engine *e);

/* --- recovery.c --- */

bool recovery_run(engine *e);

/* Restores posses that were touched to their state at the latest commit. */
bool recovery_restore(engine *e, hosted **list, size_t count);

#endif
