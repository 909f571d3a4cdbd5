/* SPDX-License-Identifier: MIT */
/*
 * A table of posses that survives crashes. It knows nothing of networks: a server reads requests, calls the operations
 * below in the order in which they came, then engine_commit once, and only then answers any of them.
 *
 * What an operation does is in memory at once and on disk after engine_commit. If that fails, everything since the
 * commit before is undone: what was not answered has not happened.
 *
 * Decisions follow from their order, so that the log need not hold each: a record of what else happened carries how
 * many decisions were made before it, and a mark for each posse and commit covers those behind its last record.
 * Recovery loads the newest snapshot of each posse, replays the log, and begins a new epoch before anyone is answered.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <jansson.h>

#include "describe/problems.h"
#include "engine/store.h"
#include "engine/token.h"
#include "posse.h"

typedef enum engine_status {
    ENGINE_DONE,
    ENGINE_WRONG,    /* the request can never be right */
    ENGINE_ABSENT,   /* there is no such posse, learner or arm */
    ENGINE_CONFLICT, /* it does not fit what is there: a name that is taken, a decision that was lost or settled */
    ENGINE_CROWDED,  /* too many decisions are pending */
    ENGINE_LARGE,    /* it would take too long */
    ENGINE_DOWN      /* no memory, or the database cannot be written */
} engine_status;

/* A posse in the table. */
typedef struct hosted {
    int64_t id;
    char *name;
    uint8_t key[SIPHASH_KEY];
    posse *posse;
    bool records;
    uint64_t expire_seconds;
    uint64_t rewards; /* learned since the start */
    double reward_sum;

    /* The engine's own. */
    struct engine *engine;
    struct hosted *next_by_name;               /* of the same bucket */
    struct hosted *dirty_before, *dirty_after; /* in the queue of those that are ahead of their snapshots */
    uint64_t snapshot_lsn, decides;            /* as they were read; for recovery */
    bool behind;                               /* in recovery: its snapshot is not all that has happened */
    bool dirty;
    uint64_t dirty_lsn;  /* the highest lsn before it was */
    uint64_t dirty_work; /* what the engine had done by then */
    /* In this batch: */
    uint64_t rewards_before; /* as it was at the commit */
    double reward_sum_before;
    bool touched, created, dropped;
    bool reshaped;               /* its learners or arms have changed */
    bool snapshotted;            /* a snapshot is among what is being committed */
    const char *description;     /* of one that was created */
    struct clock_marks *marks;   /* NULL: its decisions do not expire by the clock */
    double rate_tokens, rate_at; /* for the server's limit on requests */
} hosted;

typedef struct engine_counts {
    uint64_t decisions, rewards, repeats, forgotten, expired, refused;
    uint64_t commits, failed_commits, records, snapshots;
} engine_counts;

typedef struct engine engine;

/* How much there may be. */
typedef struct engine_limits {
    size_t pending; /* decisions of a posse that wait for a reward */
    size_t memory;  /* bytes of all posses; 0: as many as there are */
} engine_limits;

/* Opens a database and recovers what it holds. NULL: `why` says why not. */
engine *engine_open(const char *database, engine_limits limits, char why[300]);

/* Bytes that all posses take now, without tables that they share. */
size_t engine_memory(const engine *e);

/* Writes snapshots, so that the next start has nothing to replay, and frees everything. What is not committed is lost.
 */
void engine_close(engine *e);

/*
 * A posse gets a new snapshot when the engine has done so much, decisions and records together, since the posse was
 * first ahead of its last one: 50000 unless this says otherwise. A start has not much more than that to replay.
 */
void engine_snapshot_after(engine *e, uint64_t work);

uint32_t engine_epoch(const engine *e);
size_t engine_posses(const engine *e);
engine_counts engine_count(const engine *e);
hosted *engine_find(const engine *e, const char *name);

/* Calls for each posse, in the order of their numbers. */
void engine_each(const engine *e, void (*take)(void *context, hosted *h), void *context);

/* What is wrong with the latest operation that was not done; why the latest commit failed. */
problems *engine_problems(engine *e);
const char *engine_why(const engine *e);

/* --- posses --- */

engine_status engine_create(engine *e, const char *text, size_t length, hosted **out);
engine_status engine_drop(engine *e, hosted *h);
engine_status engine_learner_add(engine *e, hosted *h, const char *text, size_t length, int *place);
engine_status engine_learner_retire(engine *e, hosted *h, const char *name);
engine_status engine_arm_add(engine *e, hosted *h, const json_t *point, int *arm); /* NULL: independent arms */
engine_status engine_arm_retire(engine *e, hosted *h, int arm);

/* --- decisions --- */

typedef struct engine_decision {
    char token[TOKEN_TEXT + 1];
    posse_decision decision; /* without its point */
    double *point;           /* in memory of the engine until the next commit; NULL: there is none */
} engine_decision;

/* `out` has room for `count`. source: the context of all of them; NULL where rounds bring no features. */
engine_status engine_decide(engine *e, hosted *h, size_t count, const json_t *source, engine_decision *out);

/* A reward as a client says it. */
typedef struct engine_reward {
    const char *token;
    size_t token_length;
    double reward;
    char path[32];   /* in the request, for problems: "rewards[3]", or "" */
    bool token_only; /* the path is that of the token itself: "tokens[3]" */
} engine_reward;

/*
 * Learns all of them, or none where something is wrong with one. A reward that is known already is not learned again,
 * and counts: clients may repeat what they are not sure of.
 */
engine_status engine_learn(engine *e, hosted *h, const engine_reward *list, size_t count);

/* Learns and then decides, or does neither. */
engine_status engine_turn(engine *e, hosted *h, const engine_reward *rewards, size_t learned, size_t count,
                          const json_t *source, engine_decision *out);
engine_status engine_forget(engine *e, hosted *h, const engine_reward *list, size_t count);

/* What an external learner has played: an arm, or a point on the ball, or an arm in a context. */
engine_status engine_acted(engine *e, hosted *h, const engine_reward *which, int arm, const json_t *point,
                           const json_t *source);

/* Lets decisions expire whose time has come. To be called now and then, with seconds that never go back. */
void engine_expire(engine *e, double now);

/* --- batches --- */

/* Whether there is something to commit. */
bool engine_has_changes(const engine *e);

/* Makes all that was done since the latest commit last. False: it is undone, or, if that fails, engine_is_lost. */
bool engine_commit(engine *e);

/* What is in memory is no longer what is on disk: only a restart helps. Every operation is refused. */
bool engine_is_lost(const engine *e);

#endif
