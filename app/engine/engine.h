/* SPDX-License-Identifier: MIT */
/*
 * A table of posses that survives crashes. It does no networking. A server reads requests, calls the operations below
 * in the order in which the requests came, then calls engine_commit once, and only then answers any of them.
 *
 * An operation changes memory at once, and the disk with engine_commit. If the commit fails, everything since the
 * previous commit is undone. No client has been answered by then, so none relies on what was undone.
 *
 * Decisions follow from the state and the order of events, so the log need not hold each of them. A record of any other
 * event holds the number of decisions that were made before it, and each commit writes a mark with the number of
 * decisions of each posse that has changed, which covers the decisions after its last record. Recovery loads the newest
 * snapshot of each posse, replays the log, and begins a new epoch before any request is answered.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/store.h"
#include "served/served.h"

/* A posse in the table. */
typedef struct hosted {
    served served; /* must be first */
    int64_t id;
    char *name;
    bool records; /* each decision gets a record */

    /* The engine's own. */
    struct engine *engine;
    struct hosted *next_by_name;               /* of the same bucket */
    struct hosted *dirty_before, *dirty_after; /* in the queue of posses that are ahead of their snapshots */
    uint64_t snapshot_lsn, decides;            /* as they were read; for recovery */
    bool behind;                               /* in recovery: something has happened since its snapshot */
    bool dirty;
    uint64_t dirty_lsn;                      /* the highest lsn before it became dirty */
    uint64_t dirty_work;                     /* the work of the engine by then */
    bool unnoted;                            /* something has happened since its last point of history */
    int64_t active_since;                    /* seconds since 1970 when that began */
    struct hosted *note_before, *note_after; /* in the queue of posses that wait for a point */
    /* In this batch: */
    uint64_t rewards_before; /* at the latest commit; so is reward_sum_before */
    double reward_sum_before;
    bool touched, created, dropped;
    bool reshaped;    /* its learners, arms or task have changed, or something is to be erased */
    bool snapshotted; /* the commit in progress writes a snapshot of it */
    bool held;        /* a request in pieces has it: nobody else may use it, and no commit writes it */
    /* Of a large posse: */
    size_t size;                 /* bytes of its state, when it was last looked at */
    int64_t staged;              /* the state that this commit makes its snapshot, already in pieces on disk; 0: none */
    bool aside;                  /* the thread beside has it, so nobody may look at it */
    bool soon;                   /* its arms have changed since its last snapshot, which takes long to replay */
    bool unchanged;              /* since its state was copied for a snapshot */
    const char *description;     /* of a posse that was created */
    double rate_tokens, rate_at; /* for the server's limit on requests */
} hosted;

typedef struct engine_counts {
    served_counts served;
    uint64_t commits, failed_commits, records, snapshots;
} engine_counts;

typedef struct engine engine;

/* Contexts and units that are to be erased: all of a posse (unit ""), or those of one unit. */
typedef struct engine_erasure {
    const hosted *hosted;
    const char *unit;
} engine_erasure;

/* What happens between two commits. */
typedef struct engine_batch {
    record *records;
    size_t record_count, record_room;
    uint32_t *settled; /* hash table: 1 + the place of the record that settles a decision in this batch, 0 is free */
    size_t settled_room, settled_count; /* a power of two; records that were entered or passed over */
    hosted **touched;
    size_t touched_count, touched_room;
    engine_erasure *erasures;
    size_t erasure_count, erasure_room;
    kept_event *events;
    size_t event_count, event_room;
    engine_counts counts_before; /* at the start of this batch */
} engine_batch;

/* The limits that the server sets. */
typedef struct engine_limits {
    size_t pending; /* decisions of a posse that wait for a reward */
    size_t memory;  /* bytes of all posses; 0: no limit */
    /* What the log keeps, besides what recovery needs: */
    uint64_t log_days; /* the age of the oldest records, in days; 0: any */
    uint64_t log_size; /* bytes of the database that are in use; 0: no limit */
} engine_limits;

/* Opens a database and recovers its posses. NULL: `why` holds the reason. */
engine *engine_open(const char *database, engine_limits limits, char why[300]);

/* Bytes that all posses take now, without tables that they share. */
size_t engine_memory(const engine *e);

/*
 * Writes snapshots, so that the next start has nothing to replay, and frees everything. Uncommitted changes are lost.
 */
void engine_close(engine *e);

/*
 * A posse gets a new snapshot when the engine has done `work` pieces of work, decisions and records of all posses
 * together, since the posse was first ahead of its latest snapshot. The default is 50000. A start has not much more
 * than that to replay.
 */
void engine_snapshot_after(engine *e, uint64_t work);

uint32_t engine_epoch(const engine *e);
size_t engine_posses(const engine *e);
engine_counts engine_count(const engine *e);
hosted *engine_find(const engine *e, const char *name);

/* Calls `take` for each posse, in the order of their ids. */
void engine_each(const engine *e, void (*take)(void *context, hosted *h), void *context);

/* The problems of the latest operation that failed, and the reason why the latest commit failed. */
problems *engine_problems(engine *e);
const char *engine_why(const engine *e);

/* --- posses --- */

served_status engine_create(engine *e, const char *text, size_t length, hosted **out);
served_status engine_drop(engine *e, hosted *h);

typedef enum reshape_kind {
    RESHAPE_NONE,
    RESHAPE_CREATE,      /* text, name; only in pieces (engine_create_later) */
    RESHAPE_SNAPSHOT,    /* only in pieces (engine_due) */
    RESHAPE_ADD_LEARNER, /* text; place */
    RESHAPE_RETIRE_LEARNER,
    RESHAPE_ADD_ARM,    /* name, or NULL: none; value: its point, or NULL if arms are independent; place */
    RESHAPE_RETIRE_ARM, /* name, or number as a text; place */
    RESHAPE_NEXT_TASK,
    RESHAPE_MODES, /* value */
    /*
     * Erases contexts and units from the log, little by little (engine_tidy): all so far (name NULL), or those of the
     * unit of that name. The posse forgets that unit at once; known: it was remembered.
     */
    RESHAPE_ERASE
} reshape_kind;

/* A change of what a posse is made of. Texts last as long as the request. */
typedef struct reshape {
    reshape_kind kind;
    const char *text, *name;
    size_t length; /* of the text */
    const json_t *value;
    int place; /* of the learner or arm */
    bool known;
} reshape;

served_status engine_reshape(engine *e, hosted *h, reshape *asked);

/* The control of a report (served/served.h). */
served_status engine_control(engine *e, const hosted *h, const char *name, int *control);

/* --- decisions (served/served.h has what they do) --- */

/* Settles, makes or expires decisions, all at once. */
served_status engine_do(engine *e, hosted *h, served_work *w);
served_status engine_peek(engine *e, hosted *h, const json_t *source, const served_visit *visit, served_decision *out);
served_status engine_activate(engine *e, hosted *h, const served_reward *which);
served_status engine_acted(engine *e, hosted *h, const served_reward *which, const served_play *play);
served_status engine_teach(engine *e, hosted *h, const served_play *play, double reward);
served_status engine_teach_list(engine *e, hosted *h, const json_t *list);

/* --- events: decisions by names that clients give them --- */

#define EVENT_NAME_MAX 256 /* bytes */

/* The event with this name; *found false: there is none. Its texts are in memory of the request. */
served_status engine_event_find(engine *e, hosted *h, const char *name, bool *found, kept_event *out);

/* Makes the decision of an event (served/served.h), which engine_event_add remembers with the answer to it. If the
 * answer cannot be made, engine_rank_undo forgets the decision; engine_event_add does so if it fails. */
served_status engine_rank(engine *e, hosted *h, served_rank *r);
void engine_rank_undo(engine *e, hosted *h, const served_rank *r);
served_status engine_event_add(engine *e, hosted *h, const char *name, const served_rank *made, uint64_t request,
                               const char *answer, size_t length);

/* SERVED_ABSENT: there is no such event. */
served_status engine_event_reward(engine *e, hosted *h, const char *name, double reward);
served_status engine_event_activate(engine *e, hosted *h, const char *name);

/*
 * The same in pieces, for requests that take long. From its begin to its finish the work holds its posse. Operations on
 * other posses and commits may happen meanwhile. No commit has any of it, so a crash leaves nothing of it.
 */
typedef struct engine_work {
    served_work asked;
    reshape reshape; /* what is asked for instead, unless its kind is RESHAPE_NONE */
    hosted *hosted;
    bool waits; /* the next piece has nothing to do before the thread beside is done */

    /* The engine's own: what a request has from its beginning to its commit. */
    engine_batch batch;
    pool *memory;
    const char **joining;
    int joining_count;
    served_counts counts;
    struct carrying *carrying; /* of work for the thread beside (carry.c); NULL: it is not needed */
} engine_work;

/* Whether a request for this many rewards and decisions should be done in pieces; and one that changes the posse. */
bool engine_is_long(const hosted *h, size_t rewards, size_t decisions);
bool engine_is_large(const hosted *h);

/*
 * Reads the description of a posse that is to be created, for engine_create_later. The text must last as long as the
 * work, whose reshape has the name of the posse then, or NULL if the description is so wrong that there is none.
 */
served_status engine_describe(engine *e, const char *text, size_t length, engine_work *w);

/*
 * Creates the posse that was described, as engine_create does, unless it may be large. *out NULL: then it is not
 * created yet, but by the work, whose `hosted` is the new posse when it is over.
 */
served_status engine_create_later(engine *e, engine_work *w, hosted **out);

/* A large posse that is to get a snapshot, by work of the kind RESHAPE_SNAPSHOT. NULL: there is none now. That work
 * lets go of the posse before it is over. */
hosted *engine_due(const engine *e);

/* The posse must have no uncommitted changes. Another status than SERVED_DONE: it is over, and the posse is free. */
served_status engine_work_begin(engine *e, engine_work *w);

/* A piece. *over: it is done, or has failed with the status that is returned; then it must be finished. */
served_status engine_work_continue(engine *e, engine_work *w, bool *over);

/* Makes the work the batch of the next commit. There must be no uncommitted changes. */
void engine_work_finish(engine *e, engine_work *w);

/* Frees work that was not finished; its posse stays held, because it has changed. */
void engine_work_free(engine_work *w);

/*
 * Seconds of a clock that continues across restarts. Until the machine boots again, it ignores jumps of the machine's
 * time. After a boot it begins with the machine's time.
 */
double engine_now(const engine *e);

/*
 * Expires decisions whose time is over, as many as others can wait for. To be called now and then; `now` is in seconds
 * of a clock that continues across restarts (engine_now). True: there may be more to expire, soon.
 */
bool engine_expire(engine *e, double now);

/*
 * Writes points of history that are due, for a limited time. To be called once a second, without uncommitted changes;
 * `now` as in engine_expire. *more: there is more to do, soon. False: the database cannot be written.
 */
bool engine_remember(engine *e, double now, bool *more);

/*
 * How far a posse had come, from `span` seconds ago (0: from the beginning) until now: at most about 130 points, the
 * first of which may be earlier. False: the database cannot be read.
 */
bool engine_history(engine *e, const hosted *h, int64_t span, void (*take)(void *context, const kept_point *p),
                    void *context);

/* The alarms of a posse (served/health.h). */
unsigned engine_alarms(const engine *e, const hosted *h);

/* Adds an arm once more, as the body of its record in the log has it. */
posse_error hosted_add_arm(posse *p, const char *body);

/* The largest of the means of active arms; NaN: there is none. */
double hosted_best_mean(const posse *p, const double *means);

/*
 * Deletes records that the log need not keep and events that are over, and erases contexts, a limited number in each
 * call. To be called now and then, without uncommitted changes. `now`: seconds since 1970. *more: there is more to do,
 * soon. False: the database cannot be written.
 */
bool engine_tidy(engine *e, int64_t now, bool *more);

/* --- batches --- */

/* Whether there is something to commit. */
bool engine_has_changes(const engine *e);

/*
 * Writes everything since the latest commit to disk. False: it is undone or, if that fails too, engine_is_lost is true.
 */
bool engine_commit(engine *e);

/* Memory and disk differ, and only a restart helps. Every operation is refused. */
bool engine_is_lost(const engine *e);

#endif
