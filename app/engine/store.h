/* SPDX-License-Identifier: MIT */
/*
 * What the engine keeps on disk: posses, their latest snapshots, the log of what happened to them, and a mark for each
 * posse with its number of decisions. It is also the audit trail, which people read with sqlite3 (docs/serving.md has
 * the tables), so its columns are words and numbers.
 *
 * Everything that is written belongs to a transaction, and is on disk once store_commit has returned true. A function
 * that returns false has failed, and store_why returns the reason.
 */
#ifndef ENGINE_STORE_H
#define ENGINE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "served/record.h"
#include "served/siphash.h"

typedef struct store store;

/* A posse as it is kept. In a callback, pointers are valid only during the call. */
typedef struct kept_posse {
    int64_t id;
    const char *name;
    uint8_t key[SIPHASH_KEY];
    const char *description;
    bool records;            /* each decision gets a record */
    uint64_t expire_seconds; /* 0: decisions do not expire by the clock */
    uint64_t decides;        /* the mark: decisions so far; those since the snapshot are of `epoch` */
    uint32_t epoch;
    uint64_t snapshot_lsn; /* records up to this are in the snapshot */
    const void *snapshot;
    size_t snapshot_length;
    uint64_t rewards; /* learned so far, also of expired decisions, and their sum; since format 4 */
    double reward_sum;
} kept_posse;

/* How far a posse has come. */
typedef struct kept_mark {
    int64_t posse;
    uint64_t decides;
    uint32_t epoch;
    uint64_t rewards;
    double reward_sum;
} kept_mark;

/* How far a posse had come at a time, for charts. */
typedef struct kept_point {
    int64_t posse, at; /* seconds since 1970 */
    uint64_t decisions, rewards;
    double reward_sum;
    double regret, best_mean; /* under the belief of that time; NaN: unknown */
    const char *plays;        /* of each learner: a list in JSON, empty if unknown */
} kept_point;

/* Contexts and units that are being erased from the log. */
typedef struct kept_erasure {
    int64_t posse;           /* 0: there is none */
    char unit[UNIT_MAX + 1]; /* "": those of all units */
    int64_t last, done;      /* up to which record, and how far that has come */
} kept_erasure;

/* How many decisions a posse had made at a time. */
typedef struct kept_time {
    int64_t posse;
    double at;
    uint64_t decides;
} kept_time;

/* A decision that a client has named, with the answer that it got. */
typedef struct kept_event {
    int64_t posse;
    const char *name;
    uint64_t lsn; /* of the record of its decision, or else of the last record before it */
    uint64_t decision;
    int arm;            /* as in the token of the decision */
    int played;         /* the arm that the client was asked to show */
    uint64_t request;   /* a hash of what was asked */
    const char *answer; /* "": it is not kept any more */
    bool shown;         /* it is in the store already, and its decision was just shown, so its time begins anew */
} kept_event;

/* What tidying looks at in an event. */
typedef struct kept_age {
    int64_t id, posse, at; /* seconds since 1970 */
    uint64_t decision, lsn;
} kept_age;

/* Opens a database, and creates it if there is none. NULL: `why` holds the reason. */
store *store_open(const char *path, char why[200]);
/* The same for reading only, also while another process serves it; the file must exist. */
store *store_open_to_read(const char *path, char why[200]);
void store_close(store *s);
const char *store_why(const store *s);

/* --- writing --- */

bool store_begin(store *s);
bool store_begin_reading(store *s); /* until store_rollback, every read sees the database as it is now */
bool store_commit(store *s);
void store_rollback(store *s);

bool store_add_posse(store *s, const kept_posse *p);
bool store_drop_posse(store *s, int64_t posse);
bool store_append(store *s, const record *records, size_t count); /* their lsns follow each other */
bool store_mark(store *s, const kept_mark *m);
/* Replaces the snapshot of a posse; one larger than STATE_LARGE is written in pieces. */
bool store_snapshot(store *s, int64_t posse, uint64_t lsn, const void *bytes, size_t length);
/* The same over several transactions: a number for the state, its pieces from place 0 on, and at last the snapshot. */
#define STATE_PIECE ((size_t)1 << 19) /* bytes; only the last piece is shorter */
#define STATE_LARGE (4 * STATE_PIECE)
bool store_new_state(store *s, int64_t *state);
bool store_add_piece(store *s, int64_t state, size_t place, const void *bytes, size_t length);
bool store_large_snapshot(store *s, int64_t posse, uint64_t lsn, int64_t state);
/* Contexts and units of a posse in records up to this one are to be erased: all (unit ""), or those of one unit. */
bool store_erase(store *s, int64_t posse, const char *unit, uint64_t last);
bool store_add_epoch(store *s, uint32_t epoch);
bool store_add_time(store *s, const kept_time *t);
bool store_drop_times(store *s, int64_t posse, uint64_t below); /* those of fewer decisions */

/* Adds an event, or if it was shown lets its time begin anew. */
bool store_add_event(store *s, const kept_event *e);

bool store_add_point(store *s, const kept_point *p);
/* The latest point before a time, once more at that time: nothing happened in between. */
bool store_repeat_point(store *s, int64_t posse, int64_t at);
/* Of the points before a time, keeps the first of all and the last of each `width` seconds. */
bool store_thin_points(store *s, int64_t posse, int64_t before, int64_t width);

/* The boot of the machine in which the database was last served, and engine_now minus the seconds since that boot. */
bool store_clock(store *s, char boot[40], double *ahead);
bool store_set_clock(store *s, const char *boot, double ahead);

/* Every snapshot includes the records up to the floor, so recovery reads the log from there. */
bool store_set_floor(store *s, uint64_t lsn);

/* --- reading: each calls `take` for every entry, in order, until `take` returns false --- */

bool store_each_posse(store *s, bool (*take)(void *context, const kept_posse *p), void *context);
bool store_read_posse(store *s, int64_t posse, bool (*take)(void *context, const kept_posse *p), void *context);

/* The log above an lsn: of one posse, or of all (0). */
bool store_each_record(store *s, uint64_t above, int64_t posse, bool (*take)(void *context, const record *r),
                       void *context);

bool store_each_time(store *s, bool (*take)(void *context, const kept_time *t), void *context);

/* The points of a posse from a time on, the last of each `width` seconds, after the last one before that time. */
bool store_each_point(store *s, int64_t posse, int64_t from, int64_t width,
                      void (*take)(void *context, const kept_point *p), void *context);
/* When the points of a posse begin and end; 0: there are none. */
bool store_point_ends(store *s, int64_t posse, int64_t *first, int64_t *last);

/* How a decision was settled: by a learn or a forget record. *found false: there is no such record. */
bool store_find_settled(store *s, int64_t posse, uint64_t decision, bool *found, record_kind *kind, double *reward);

/* The event of a posse with this name, if there is one. */
bool store_find_event(store *s, int64_t posse, const char *name, void (*take)(void *context, const kept_event *e),
                      void *context);
/* The body of the record of an event's decision, to be freed; NULL: it has none, or is not in the log any more. */
bool store_body_of(store *s, const kept_event *e, char **body);

/* The floor, the highest lsn, and the highest number of a posse. */
bool store_ends(store *s, uint64_t *floor, uint64_t *lsn, int64_t *posse);
bool store_has_epoch(store *s, uint32_t epoch, bool *has);

/* --- tidying: each does a limited piece of work, in a transaction --- */

/* Bytes of the database that are in use. */
bool store_size(store *s, uint64_t *bytes);

/*
 * Deletes at most `most` of the oldest records that no recovery needs: those from before a time, in seconds since 1970,
 * or if `large` whatever their time is. *more: there were some.
 */
bool store_trim(store *s, bool large, int64_t before, int most, bool *more);

/* Deletes entries of `settled` whose records are gone, of the next `most` entries. *end: these were the last. */
bool store_sweep(store *s, int most, bool *end);

/* Deletes a piece of a state that no snapshot has, unless it is the state `except`. *more: there was one. */
bool store_forget_piece(store *s, int64_t except, bool *more);

/* The next events after an id, at most `most`, the oldest first. *count: how many there were. */
bool store_oldest_events(store *s, int64_t above, int most, kept_age *list, int *count);
bool store_forget_event(store *s, int64_t id);

/* Deletes at most `most` events of posses that were dropped. *more: there were some. */
bool store_forget_dropped_events(store *s, int most, bool *more);

/* Empties the answer of an event. *some: it was not empty. */
bool store_empty_answer(store *s, int64_t id, bool *some);

/*
 * An erasure that is not whole; and its next piece, up to a record. After the last piece, the decisions of an erased
 * unit stay noted until store_forget_erased, because the play of one that is pending may still be reported.
 */
bool store_erasing(store *s, kept_erasure *out);
bool store_erase_some(store *s, const kept_erasure *which, int64_t to, bool whole);

/* Whether a decision belongs to a unit that was erased; and all of those of a posse, or all (0), which `take` may keep
 * by returning true. */
bool store_is_erased(store *s, int64_t posse, uint64_t decision, bool *erased);
bool store_each_erased(store *s, int64_t posse, bool (*keep)(void *context, int64_t posse, uint64_t decision),
                       void *context);

/* Moves what is in the write-ahead log into the database, and empties that log. Outside of transactions. *whole: false
 * if another process reads what is in it. */
bool store_checkpoint(store *s, bool *whole);

/* The last record that was deleted; 0: none was. */
bool store_trimmed(store *s, uint64_t *lsn);

/* --- for people --- */

/* The description of the posse with that name, to be freed, and when the log of all posses begins. NULL: none. */
bool store_describe(store *s, const char *name, char **description, char begins[24]);

/* A line of the log. */
typedef struct store_row {
    const char *at; /* UTC */
    const char *kind;
    uint64_t decision;
    const char *learner;
    int arm; /* or RECORD_NO_ARM */
    double propensity, reward;
    const char *body;
    const char *mode, *unit; /* or NULL */
    uint64_t decides;        /* how many decisions the posse had made before */
} store_row;

/* The rows of the posse with that name, or of the latest one if there were several. */
bool store_each_row(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                    void *context);

/* Its arms that were added and retired. */
bool store_each_arm(store *s, const char *name, void (*take)(void *context, const store_row *row), void *context);

/* The rewards of the same posse, those of expired decisions too, in the order in which they were learned; `body` is the
 * context of the decision. */
bool store_each_reward(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                       void *context);

#endif
