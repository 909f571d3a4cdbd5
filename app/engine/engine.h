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
    uint64_t dirty_lsn;  /* the highest lsn before it became dirty */
    uint64_t dirty_work; /* the work of the engine by then */
    /* In this batch: */
    uint64_t rewards_before; /* at the latest commit; so is reward_sum_before */
    double reward_sum_before;
    bool touched, created, dropped;
    bool reshaped;               /* its learners, arms or task have changed, or its contexts are to be erased */
    bool erased;                 /* its contexts are to be erased */
    bool snapshotted;            /* the commit in progress writes a snapshot of it */
    const char *description;     /* of a posse that was created */
    double rate_tokens, rate_at; /* for the server's limit on requests */
} hosted;

typedef struct engine_counts {
    served_counts served;
    uint64_t commits, failed_commits, records, snapshots;
} engine_counts;

typedef struct engine engine;

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
served_status engine_learner_add(engine *e, hosted *h, const char *text, size_t length, int *place);
served_status engine_learner_retire(engine *e, hosted *h, const char *name);
/* name NULL: none; point NULL: independent arms. */
served_status engine_arm_add(engine *e, hosted *h, const char *name, const json_t *point, int *arm);
served_status engine_arm_retire(engine *e, hosted *h, const char *name, int *arm); /* name: or number */

/* The control of a report (served/served.h). */
served_status engine_control(engine *e, const hosted *h, const char *name, int *control);

served_status engine_set_modes(engine *e, hosted *h, const json_t *said);

/* Erases the contexts of all requests so far from the log, little by little (engine_tidy). */
served_status engine_erase(engine *e, hosted *h);

/* --- decisions (served/served.h has what they do) --- */

served_status engine_decide(engine *e, hosted *h, size_t count, const json_t *source, const served_visit *visit,
                            served_decision *out);
served_status engine_peek(engine *e, hosted *h, const json_t *source, const served_visit *visit, served_decision *out);
served_status engine_activate(engine *e, hosted *h, const served_reward *which);
served_status engine_learn(engine *e, hosted *h, const served_reward *list, size_t count);
served_status engine_turn(engine *e, hosted *h, const served_reward *rewards, size_t learned, size_t count,
                          const json_t *source, served_decision *out);
served_status engine_forget(engine *e, hosted *h, const served_reward *list, size_t count);
served_status engine_acted(engine *e, hosted *h, const served_reward *which, const served_play *play);
served_status engine_teach(engine *e, hosted *h, const served_play *play, double reward);
served_status engine_expire_older(engine *e, hosted *h, uint64_t age, size_t *expired);
served_status engine_next_task(engine *e, hosted *h);

/*
 * Seconds of a clock that continues across restarts. Until the machine boots again, it ignores jumps of the machine's
 * time. After a boot it begins with the machine's time.
 */
double engine_now(const engine *e);

/* Expires decisions whose time is over, a limited number in each call. To be called now and then; `now` is in seconds
 * of a clock that continues across restarts (engine_now). */
void engine_expire(engine *e, double now);

/*
 * Deletes records that the log need not keep, and erases contexts, a limited number in each call. To be called now and
 * then, without uncommitted changes. `now`: seconds since 1970. *more: there is more to do, soon. False: the database
 * cannot be written.
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
