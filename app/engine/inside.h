/* SPDX-License-Identifier: MIT */
/*
 * Inside the engine: what its files share.
 */
#ifndef ENGINE_INSIDE_H
#define ENGINE_INSIDE_H

#include "engine/engine.h"

/* How many decisions a posse had made at some times, the oldest first. The decisions up to the latest mark that is old
 * enough expire. */
#define CLOCK_MARKS 32
typedef struct clock_marks {
    int count;
    uint64_t written; /* the decisions of the last mark that is on disk */
    struct {
        double at;
        uint64_t decides;
    } list[CLOCK_MARKS];
} clock_marks;

struct engine {
    store *store;
    pool *batch; /* memory until the commit, for bodies of records and points; NULL: none is needed yet */
    problems found;
    const node *described;  /* the description that messages of the library are about, or NULL */
    bool described_is_part; /* it describes a learner alone */
    uint32_t epoch;
    engine_limits limits;
    size_t memory; /* bytes of all posses */
    bool bounded;  /* limits.memory applies: set while a request makes posses grow, but not for accepted decisions */

    hosted **buckets; /* by name */
    hosted **list;    /* by number */
    size_t bucket_count, count, room;
    hosted *dirty_first, *dirty_last;

    record *records; /* of this batch */
    size_t record_count, record_room;
    uint32_t *settled; /* hash table: 1 + the place of the record that settles a decision in this batch, 0 is free */
    size_t settled_room, settled_count; /* a power of two; records that were entered or passed over */
    hosted **touched;
    size_t touched_count, touched_room;
    char *context; /* in recovery: the context that was replayed last; later decisions of its request share it */
    int64_t context_posse;

    double clock_ahead; /* engine_now minus the seconds since the machine was booted */

    int64_t last_posse;
    uint64_t lsn;
    uint64_t work; /* records and decisions so far */
    uint64_t snapshot_after;
    engine_counts counts, counts_before; /* before: at the start of this batch */
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

/* The host of all posses: its log turns messages of the library into problems. */
posse_host engine_host(engine *e);

/* Starts an operation: no problems so far. False: the engine is lost, and ENGINE_DOWN the answer. */
bool engine_enter(engine *e);

/* Adds a problem at a path. */
__attribute__((format(printf, 4, 5))) engine_status engine_say(engine *e, engine_status status, const char *path,
                                                               const char *format, ...);

/*
 * The status of an operation that the library has refused. If it logged no message, the text of the error becomes the
 * problem.
 */
engine_status engine_refuse(engine *e, posse_error error, engine_status status);

/* --- batch.c --- */

/* The memory of the batch. NULL: there is not enough memory. */
pool *batch_memory(engine *e);

/* Announces that a posse is about to change, and makes room for `records` records about it. False: no memory. */
bool batch_touch(engine *e, hosted *h, size_t records);

/* Adds a record of an event that is about to happen. Its `decides` is the number of decisions of the posse so far. */
record *batch_add(engine *e, hosted *h, record_kind kind);

/* The record by which a decision was settled in this batch; NULL: there is none. */
const record *batch_find_settled(engine *e, int64_t owner, uint64_t decision);

/* Writes a snapshot of the present state of a posse, which includes all records of this batch. Within a transaction. */
bool batch_snapshot(engine *e, hosted *h);
void batch_forget_dirty(engine *e, hosted *h);

/* A value that a client sent, as JSON text for a record. NULL: no memory. */
const char *body_of(engine *e, const json_t *value);

/* Read a context, or a list of `count` numbers, that a client sent, into memory of the batch (context.h). */
bool batch_read_context(engine *e, const posse *p, const json_t *source, posse_context *out);
double *batch_read_numbers(engine *e, const json_t *list, size_t count, const char *path);

/* --- decisions.c --- */

/* Adds a mark of the clock at the end. False: no memory. */
bool clock_mark(hosted *h, double at, uint64_t decides);

/* Writes marks that are not on disk; within a transaction. */
bool clock_write(engine *e, const hosted *h);

/* Forgets marks of decisions that were undone. */
void clock_undo(hosted *h);

/* --- recovery.c --- */

bool recovery_run(engine *e);

/* Restores posses that were touched to their state at the latest commit. */
bool recovery_restore(engine *e, hosted **list, size_t count);

#endif
