/* SPDX-License-Identifier: MIT */
/*
 * A posse that is served to clients, and every operation that a client may ask for. `posse serve` and the module for
 * Redis are adapters: they turn requests into calls of these functions, and their results into answers. So tokens,
 * repeated requests, expiry, limits and messages are the same in both.
 *
 * This folder neither stores nor sends anything. What must be stored is reported through a table of functions
 * (served_store): the server writes it to its database, and Redis keeps it in the value of a key.
 *
 * An operation checks everything before it changes anything. If it returns another status than SERVED_DONE, the
 * problems are in serving.found.
 */
#ifndef SERVED_SERVED_H
#define SERVED_SERVED_H

#include <jansson.h>

#include "describe/problems.h"
#include "posse_inside.h"
#include "posse_modes.h"
#include "served/description.h"
#include "served/record.h"
#include "served/token.h"

/* The result of an operation. Of several problems, the last one in this list is the result. */
typedef enum served_status {
    SERVED_DONE,
    SERVED_WRONG,    /* the request is invalid, whatever the state */
    SERVED_TOKEN,    /* this is not the token of a decision of this posse */
    SERVED_REWARD,   /* a reward that the posse cannot learn */
    SERVED_ABSENT,   /* there is no such learner or arm */
    SERVED_CONFLICT, /* it contradicts the state: the name is taken, or the decision was settled in another way */
    SERVED_LOST,     /* the decision was lost in a crash */
    SERVED_CROWDED,  /* too many decisions are pending */
    SERVED_LARGE,    /* it would take too long */
    SERVED_DOWN      /* no memory, or the store cannot be read or written */
} served_status;

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

/* A served posse: the first member of what the adapter keeps for it. */
typedef struct served {
    posse *posse;
    uint8_t key[SIPHASH_KEY];  /* of its tokens */
    uint64_t expire_seconds;   /* 0: decisions do not expire by the clock */
    struct clock_marks *marks; /* NULL: there are none */
    uint64_t rewards;          /* learned since the start */
    double reward_sum;
} served;

typedef struct served_counts {
    uint64_t decisions, rewards, repeats, forgotten, expired, taught, refused;
} served_counts;

/* What became of a decision that is not pending. */
typedef enum served_past {
    PAST_LEARNED, /* with *reward */
    PAST_FORGOTTEN,
    PAST_SETTLED, /* in a way that is no longer stored: every repetition is accepted */
    PAST_EXPIRED, /* or, if `why` says so, something else that is no longer stored */
    PAST_LOST,
    PAST_UNREADABLE /* the store cannot be read; `why` is the reason */
} served_past;

typedef struct serving serving;

/* What the adapter does for this folder. */
typedef struct served_store {
    /*
     * A posse is about to change: at most `decisions` decisions and `records` records follow. Allocates everything that
     * they need. Another status than SERVED_DONE: a problem was added.
     */
    served_status (*prepare)(serving *s, served *p, size_t decisions, size_t records);
    /* Something has happened. */
    void (*note)(serving *s, served *p, const record *r);
    /* What became of a decision that is not pending. *why: a message for the client, or NULL for the usual one. */
    served_past (*find_past)(serving *s, const served *p, uint64_t id, double *reward, const char **why);
    bool writes; /* records need their bodies */
} served_store;

/* What all served posses of a process share. Requests are handled one after the other. */
struct serving {
    const served_store *store;
    size_t pending_max; /* decisions of a posse that wait for a reward */
    bool unlimited;     /* the request was accepted elsewhere and must be done here, whatever the limits are */

    problems found;         /* of the request */
    bool found_open;        /* the list of problems has memory */
    const node *described;  /* the description that messages of the library are about, or NULL */
    bool described_is_part; /* it describes a learner alone */
    pool *memory;           /* of the request, and of others until serving_forget; NULL: none is needed yet */
    bool changed;           /* the request has changed the posse, even if it failed later */
    bool bounded;           /* the adapter's limit on memory applies: the request makes a posse grow */
    const char **joining;   /* the names of arms that join with this request, in its memory */
    int joining_count;
    served_counts counts;
};

/* --- serving.c --- */

/* Starts a request: no problems so far. */
void serving_begin(serving *s);

/* Frees the memory of requests. */
void serving_forget(serving *s);
void serving_close(serving *s);

/* The memory of the request. NULL: there is not enough memory. */
pool *serving_memory(serving *s);

/* The list of problems of the request. */
problems *serving_problems(serving *s);

/* Messages of the library become problems of the request. */
posse_logger serving_logger(serving *s);

/* Adds a problem at a path, or "". Returns the status. */
__attribute__((format(printf, 4, 5))) served_status serving_say(serving *s, served_status status, const char *path,
                                                                const char *format, ...);
served_status serving_no_memory(serving *s);

/*
 * The status of an operation that the library has refused. If it logged no message, the text of the error becomes the
 * problem.
 */
served_status serving_refuse(serving *s, posse_error error, served_status status);

/* A value that a client sent, as JSON text in memory of the request. NULL: no memory. */
const char *serving_text(serving *s, const json_t *value);

/* --- decide.c --- */

typedef struct served_decision {
    char token[TOKEN_TEXT + 1];
    posse_decision decision; /* without its point */
    double *point;           /* in memory of the request; NULL: there is none */
} served_decision;

/* Whom a single decision is for, as a client sends it. */
typedef struct served_visit {
    const char *unit; /* NULL: none */
    uint64_t now;     /* seconds of a clock that continues across restarts */
    bool defer;       /* the decision is a suggestion */
} served_visit;

#define UNIT_MAX 256 /* bytes of the name of a unit */

/*
 * Makes decisions. source: the context of all of them, or NULL if rounds have no features. visit: whom a single one is
 * for, or NULL.
 */
served_status served_decide(serving *s, served *p, size_t count, const json_t *source, const served_visit *visit,
                            served_decision *out);

/* The decision that would be made now. It has no token, unless it is the pending one that the unit has. */
served_status served_peek(serving *s, served *p, const json_t *source, const served_visit *visit, served_decision *out);

/* --- settle.c --- */

/* A reward as a client sends it. */
typedef struct served_reward {
    const char *token;
    size_t token_length;
    double reward;
    char path[32];   /* in the request, for problems: "rewards[3]", or "" */
    bool path_whole; /* the path is that of the token itself, such as "tokens[3]", or the request has no other */
} served_reward;

/*
 * Learns all rewards of the list, or none if one of them is wrong. A reward that was learned before is not learned
 * again, but is no error, so clients may repeat a request if they are not sure that it arrived. *settled: how many were
 * not settled before.
 */
served_status served_learn(serving *s, served *p, const served_reward *list, size_t count, size_t *settled);
served_status served_forget(serving *s, served *p, const served_reward *list, size_t count, size_t *settled);

/* Learns and then decides, or does neither. */
served_status served_turn(serving *s, served *p, const served_reward *rewards, size_t learned, size_t decisions,
                          const json_t *source, served_decision *out, size_t *settled);

/* --- play.c --- */

/* What was played: an arm, or a point on the ball, or an arm in a context. */
typedef struct served_play {
    int arm;
    const json_t *point, *source; /* or NULL */
    const char *name;             /* of the arm; NULL: `arm` is its number */
} served_play;

/* Reports what an external learner has played. *again: the same was reported before. */
served_status served_acted(serving *s, served *p, const served_reward *which, const served_play *said, bool *again);

/* Teaches a reward that no decision of this posse made. reward_path: of the reward in the request. */
served_status served_teach(serving *s, served *p, const served_play *said, double reward, const char *reward_path);

/* --- modes.c --- */

/* Changes the modes that an object names (describe/modes_text.h). */
served_status served_set_modes(serving *s, served *p, const json_t *said);

/* A suggestion was played as it is. *again: that was reported before. */
served_status served_activate(serving *s, served *p, const served_reward *which, bool *again);

/* --- expire.c --- */

/*
 * Expires decisions that at least `age` later ones have followed, the oldest first, but no more than a request may.
 * *age becomes the age from which on all have expired.
 */
served_status served_expire(serving *s, served *p, uint64_t *age, size_t *expired);
#define EXPIRED_MAX 50000 /* at once, because other requests wait */

/*
 * Expires at most `most` decisions whose time is over. Returns their number. `now` is in seconds of a clock that
 * continues across restarts.
 */
size_t served_expire_by_clock(serving *s, served *p, double now, size_t most);

/* Notes that a decision has expired. If later decisions expired it, a replay of them expires it again. */
void served_note_expired(serving *s, served *p, const posse_pending *old, double reward);

/* Adds a mark of the clock at the end. False: no memory. */
bool clock_mark(served *p, double at, uint64_t decides);

/* Removes marks of decisions that were undone. */
void clock_undo(served *p);

/* --- shape.c --- */

/* Makes a posse from a description. Messages of the library are about its tree. memory: where it is allocated. */
served_status served_create(serving *s, const description *d, posse_allocator memory, posse **out);
served_status served_learner_add(serving *s, served *p, const char *text, size_t length, int *place);
served_status served_learner_retire(serving *s, served *p, const char *name, size_t length);
/* name NULL: none; point NULL: independent arms. */
served_status served_arm_add(serving *s, served *p, const char *name, const json_t *point, int *arm);
served_status served_arm_retire(serving *s, served *p, int arm);
served_status served_next_task(serving *s, served *p);

/* --- arms.c: arms by name --- */

/* The number of an arm that a text names: its name, or its number if arms have no names. */
served_status served_find_arm(serving *s, const served *p, const char *name, int *arm);

/* The control of a report: an arm, or a learner if there are no arms. name NULL: none, and *control is -1. */
served_status served_find_control(serving *s, const served *p, const char *name, int *control);

/*
 * The same, for an arm that may join. Then *arm is the number that it will have, and served_join adds it after
 * everything was checked. path: of the name in the request.
 */
served_status served_name_arm(serving *s, const served *p, const char *name, const char *path, int *arm);
served_status served_join(serving *s, served *p);

/* The body of the record of an arm that is added: its name and its point, or NULL for neither. False: no memory. */
bool served_arm_body(serving *s, const char *name, const json_t *point, const char **out);

/* --- for the files of this folder --- */

/* A record of something that is about to happen. Its `decides` is the number of decisions of the posse so far. */
record served_record(const served *p, record_kind kind);
void served_note(serving *s, served *p, const record *r);
void served_count_reward(serving *s, served *p, double reward);

/* Whether `count` more decisions may be pending after `settled` others are settled, and whether there is memory. */
served_status served_admit(serving *s, served *p, size_t count, size_t settled);

/* Reads the context of a round. If rounds have features there must be one. */
served_status served_read_context(serving *s, const served *p, const json_t *source, posse_context *out);

/* Decides after everything was admitted and `context` was read; source: its text, for the record. */
served_status served_decide_all(serving *s, served *p, size_t count, const json_t *source, const posse_context *context,
                                const served_visit *visit, served_decision *out);

/* The problem of a report about a decision that is not pending: it was settled, or lost. */
served_status served_refuse_past(serving *s, const served *p, const served_reward *which, uint64_t id);

/* Reads a token. say_at adds a problem at the token or the reward of an entry, and counts it as refused. */
served_status served_read_token(serving *s, const served *p, const served_reward *said, token *out);
served_status served_say_at(serving *s, served_status status, const served_reward *said, const char *key,
                            const char *message);

#endif
