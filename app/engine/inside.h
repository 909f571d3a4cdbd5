/* SPDX-License-Identifier: MIT */
/*
 * Inside the engine: what its files share.
 */
#ifndef ENGINE_INSIDE_H
#define ENGINE_INSIDE_H

#include "engine/aside.h"
#include "engine/engine.h"

struct engine {
    serving serving; /* must be first. Its memory lasts until the commit: records point into it */
    store *store;
    uint32_t epoch;
    engine_limits limits;
    _Atomic size_t memory; /* bytes of all posses */

    hosted **buckets; /* by name */
    hosted **list;    /* by number */
    size_t bucket_count, count, room;
    hosted *dirty_first, *dirty_last;

    engine_batch batch; /* since the latest commit */
    size_t held;        /* posses that a request in pieces has to itself */

    struct aside *aside;      /* the thread beside; NULL: not needed so far, or there is none */
    bool alone;               /* that thread cannot be made */
    struct carrying *writing; /* the work that writes the state of a large posse, one at a time; NULL: none */
    hosted *due;              /* a large posse that is to get a snapshot; NULL: none */
    bool stale;               /* there may be pieces of states that no snapshot has */
    bool floor_due;           /* a snapshot was written since the floor was */

    char *context; /* in recovery: the context that was replayed last; later decisions of its request share it */
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

/* Enters a record into a batch. Returns how much work it is. */
uint64_t batch_put(engine_batch *b, hosted *h, const record *r);

/* A snapshot of the state that a posse had at a record, with the work of the engine by then, is on disk. */
void batch_clean(engine *e, hosted *h, uint64_t lsn, uint64_t work);

/* --- posses.c --- */

/* Reads the description of a posse, whose name must be free. */
served_status posses_describe(engine *e, const char *text, size_t length, pool *memory, description *out);
served_status posses_check_name(engine *e, const char *name);

/* Makes the posse of a description at once. */
served_status posses_make(engine *e, const description *d, const char *text, size_t length, hosted **out);

/* Puts a posse that was made from a description into the table, or frees it. */
served_status posses_host(engine *e, const description *d, posse *made, const char *text, size_t length, hosted **out);

/* Enters a posse that is about to be changed into the batch, with what is to be erased; and changes it. */
served_status posses_announce(engine *e, hosted *h, const reshape *asked);
served_status posses_reshape(serving *s, hosted *h, reshape *asked);

/* --- carry.c --- */

/* Whether the state of a posse is written in pieces. */
bool carry_is_large(const hosted *h);

/* Lets the thread beside do the work, which was begun. Another status than SERVED_DONE: no memory. */
served_status carry_begin(engine *e, engine_work *w);
served_status carry_continue(engine *e, engine_work *w, bool *over);

/* Frees what carries the work, after the thread has let go of it. */
void carry_free(engine_work *w);

/* The state that is being written; 0: none. */
int64_t carry_state(const engine *e);

/* Frees a posse beside, because it may be large. */
void carry_away(engine *e, posse *p);

/* --- work.c --- */

/* Exchanges what belongs to a request until its commit. The second time puts everything back. */
void work_exchange(engine *e, engine_work *w);
void work_hold(engine *e, engine_work *w, bool held);
void work_count(served_counts *all, const served_counts *some);

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
