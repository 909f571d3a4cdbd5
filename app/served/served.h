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
#include "served/trail.h"

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
    uint64_t rewards;          /* learned so far; in Redis, since the key was loaded */
    double reward_sum;
    struct health *health; /* NULL: not looked at (served/health.h) */
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
    double now;         /* seconds of a clock, as the adapter has looked at it lately */
    size_t pending_max; /* decisions of a posse that wait for a reward */
    double units_max;   /* of the work of a request (served/cost.h) */
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
    serving *logs_to; /* of a thread beside: messages of posses that it makes go there later; else NULL */
};

/* --- serving.c --- */

/* This thread handles a request beside those of another one (NULL: no longer). Messages of the library, and limits on
 * memory, are those of its own request. */
void serving_beside(serving *own);

/* The one whose request this thread handles: s, unless it works beside. */
serving *serving_here(serving *s);

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

/* The problems so far are in an entry of a list. */
void serving_place(serving *s, const char *list, size_t entry);

/*
 * The status of an operation that the library has refused. If it logged no message, the text of the error becomes the
 * problem.
 */
served_status serving_refuse(serving *s, posse_error error, served_status status);

/* A value that a client sent, as JSON text in memory of the request. NULL: no memory. */
const char *serving_text(serving *s, const json_t *value);

/* --- work.c: decisions, rewards and expiry --- */

typedef struct served_decision {
    char token[TOKEN_TEXT + 1];
    posse_decision decision; /* without its point */
    double *point;           /* in memory of the request; NULL: there is none */
} served_decision;

/* The unit that a single decision is for, as a client sends it. */
typedef struct served_visit {
    const char *unit; /* NULL: none */
    uint64_t now;     /* seconds of a clock that continues across restarts */
    bool defer;       /* the decision is a suggestion */
    bool anew;        /* also if the unit has a pending decision */
} served_visit;

/* The decision that would be made now. It has no token, unless it is the pending one that the unit has. */
served_status served_peek(serving *s, served *p, const json_t *source, const served_visit *visit, served_decision *out);

/* A reward as a client sends it. */
typedef struct served_reward {
    const char *token;
    size_t token_length;
    double reward;
    char path[32];   /* in the request, for problems: "rewards[3]", or "" */
    bool path_whole; /* the path is that of the token itself, such as "tokens[3]", or the request has no other */
} served_reward;

/* An entry of a list of rewards, after its token was read. */
typedef struct settlement {
    const served_reward *said;
    uint64_t id;
    bool past; /* it is not pending any more */
} settlement;

/* A round to decide in. */
typedef struct served_round {
    const json_t *source; /* as a client sends it; NULL: rounds have no features */
    posse_context context;
    const char *body; /* the source as text, for the record of its first decision; NULL: none */
} served_round;

/*
 * Decisions to settle, and then decisions to make; a request may ask for either or both. Or decisions to expire. It is
 * begun, which checks everything and changes nothing, and then continued piece by piece until it is done. Between two
 * pieces other posses may be used, but not this one, and what the pieces have changed must not be stored or shown.
 *
 * All rewards of the list are learned, or none if one of them is wrong. A reward that was learned before is not learned
 * again, but is no error, so clients may repeat a request if they are not sure that it arrived.
 */
typedef struct served_work {
    const served_reward *rewards;
    size_t reward_count;
    bool forgets;     /* the rewards are tokens of decisions to forget */
    settlement *room; /* for 2 * reward_count entries */
    size_t decision_count;
    const json_t *source; /* the context of all decisions, or NULL if rounds have no features */
    const json_t *rounds; /* or a list with a round for each decision, [{"context": {..}}, ..]; else NULL */
    served_visit visit;   /* of a single decision */
    served_decision *decisions;
    bool estimates; /* the probability of each arm is wanted, in a single decision */
    uint32_t draws; /* that estimated it; 0: there were none */
    double *shares; /* these estimates, before the decision is made: in memory of the request */
    bool expires;   /* decisions that at least `age` later ones have followed, the oldest first */
    bool deferred;  /* of these, the deferred ones that were not shown, which nothing else expires */
    uint64_t age;   /* becomes the age from which on all have expired, because a request may not expire more */

    size_t settled; /* how many of the rewards were not settled before, or how many decisions have expired */

    /* How far it has come. */
    size_t rounds_done, rewards_done, decisions_done;
    served_round one;   /* the round of all decisions, */
    served_round *each; /* or that of each; else NULL */
} served_work;

served_status served_work_begin(serving *s, served *p, served_work *w);

/* The next piece: a round, a reward, a decision, or one that expires. *done: there is nothing left. */
served_status served_work_continue(serving *s, served *p, served_work *w, bool *done);

/* All of it at once, in room of its own. */
served_status served_work_do(serving *s, served *p, served_work *w);

/* --- rounds.c --- */

/* Room for a list of rounds; the next piece, which reads and checks one of them; and, after all, their bodies. */
served_status served_rounds_begin(serving *s, served_work *w);
served_status served_rounds_next(serving *s, served *p, served_work *w);
served_status served_rounds_write(serving *s, served_work *w);

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

/*
 * Teaches many, [{"arm": 2, "reward": 1, "context": {..}}, ..]: all, or none if one of them is wrong. The path of a
 * problem begins with plays[17]. No arm joins. SERVED_LARGE: it would take too long.
 */
served_status served_teach_list(serving *s, served *p, const json_t *list);

/* --- rank.c --- */

/*
 * A decision of which the client wants the probability of every arm. In shadow mode, and if the learner is external,
 * the client's present rule plays, and its arm is known from the beginning.
 */
typedef struct served_rank {
    const json_t *source; /* the round; NULL: rounds have no features */
    const char *first;    /* the name of the arm that the present rule plays */
    served_visit visit;   /* deferred: nothing is played until it is shown */

    served_decision decision;
    int played;            /* the arm to show */
    double *probabilities; /* of each arm, to be shown in this round: in memory of the request */
} served_rank;

served_status served_rank_do(serving *s, served *p, served_rank *r);

/* The answer to a rank cannot be made, for lack of memory: its decision, which nobody will hear of, is forgotten. */
void served_rank_undo(serving *s, served *p, const served_rank *r);

/* The decision of a rank was shown: `played` in its round. source: that round, or NULL. */
served_status served_show(serving *s, served *p, const served_reward *which, int played, const json_t *source);

/* Learns the reward of a rank, which must have been shown. */
served_status served_reward_shown(serving *s, served *p, const served_reward *said);

/* --- modes.c --- */

/* Changes the modes that an object names (describe/modes_text.h). */
served_status served_set_modes(serving *s, served *p, const json_t *said);

/* A suggestion was played as it is. *again: that was reported before. */
served_status served_activate(serving *s, served *p, const served_reward *which, bool *again);

/* --- expire.c --- */

#define EXPIRED_MAX 50000 /* in a request */

/*
 * Expires decisions whose time is over, as long as *units of work are left, from which it subtracts its own. `now` is
 * in seconds of a clock that continues across restarts.
 */
void served_expire_by_clock(serving *s, served *p, double now, double *units);

/* The next piece of work that expires decisions. */
served_status served_expire_next(serving *s, served *p, served_work *w, bool *done);

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
 * everything was checked. where: the name in the request.
 */
served_status served_name_arm(serving *s, const served *p, const char *name, const trail *where, int *arm);
served_status served_join(serving *s, served *p);

/* SERVED_WRONG, with the reason, if a name is too short or too long for an arm. where: in the request. */
served_status served_check_arm_name(serving *s, const trail *where, const char *name);

/* The body of the record of an arm that is added: its name and its point, or NULL for neither. False: no memory. */
bool served_arm_body(serving *s, const char *name, const json_t *point, const char **out);

/* --- for the files of this folder --- */

/* A record of something that is about to happen. Its `decides` is the number of decisions of the posse so far. */
record served_record(const served *p, record_kind kind);
void served_note(serving *s, served *p, const record *r);
void served_count_reward(serving *s, served *p, double reward);

/* Whether the decisions of a request may be pending after its rewards, and whether there is memory. */
served_status served_admit(serving *s, served *p, const served_work *w);

/* Reads the context of a round. If rounds have features there must be one. */
served_status served_read_context(serving *s, const served *p, const json_t *source, posse_context *out);

/* Copies the name of a unit, because records last longer than the request. */
served_status served_keep_unit(serving *s, served_visit *visit);

/* Makes room for decisions after they were admitted, and makes the next of those that are left. body: of its record, or
 * NULL. */
served_status served_prepare_decisions(serving *s, served *p, size_t count, served_decision *out);
posse_error served_decide_next(serving *s, served *p, const posse_context *context, const served_visit *visit,
                               const char *body, size_t left, served_decision *out);

/* A deferred decision was just shown: notes when, if decisions expire by the clock. Returns the time, for its record;
 * 0: it is not needed. */
uint64_t served_note_shown(serving *s, served *p, uint64_t id);

/* The problem of a report about a decision that is not pending: it was settled, or lost. */
served_status served_refuse_past(serving *s, const served *p, const served_reward *which, uint64_t id);

/*
 * Reads a list of rewards and checks all of it; the result is the gravest status. room: for 2 * count entries, of which
 * the first `count` are those of the list. *open: the number of pending decisions among them, each counted once.
 */
served_status served_check_rewards(serving *s, const served *p, const served_reward *list, size_t count,
                                   record_kind kind, settlement *room, size_t *open);
void served_settle_one(serving *s, served *p, const settlement *one, record_kind kind);

/* Reads a token. say_at adds a problem at the token or the reward of an entry, and counts it as refused. */
served_status served_read_token(serving *s, const served *p, const served_reward *said, token *out);
served_status served_say_at(serving *s, const served *p, served_status status, const served_reward *said,
                            const char *key, const char *message);

#endif
