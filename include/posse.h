/*
 * posse: Bayesian online model selection.
 *
 * A bandit learner picks arms and learns from rewards. Given several learners, a posse plays them as one: each
 * round its selector picks a learner, the learner picks an arm, and the reward teaches both.
 *
 * This header has what every application needs, the calls first and then their structs. The others build on it:
 *   posse_features.h  features by name, which the library turns into numbers
 *   posse_inside.h    add and retire learners and arms, pending decisions, beliefs, potentials, propensities
 *   posse_kinds.h     the kinds of beliefs, learners, selectors and environments, their options, priors from data
 *   posse_simulate.h  environments that draw instances and pay rewards; posse_abreast.h plays many runs at once
 *   posse_extend.h    learners, beliefs, selectors and environments of your own
 *   posse_all.h       all of them
 *
 * Every call that can fail returns a posse_error and, when it fails, changes nothing unless its comment says otherwise.
 * The library never prints, aborts or exits. An object belongs to one thread at a time; distinct objects are
 * independent.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_H
#define POSSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POSSE_VERSION_MAJOR 0
#define POSSE_VERSION_MINOR 3
#define POSSE_VERSION_PATCH 0

#if defined(__GNUC__)
#define POSSE_API __attribute__((visibility("default")))
#else
#define POSSE_API
#endif

/* The result of a call. The values are pinned: they never change meaning. */
typedef enum posse_error {
    POSSE_OK = 0,
    POSSE_ERROR_ARGUMENT = 1, /* a null pointer, a number that makes no sense, or a posse_def without its cookie */
    POSSE_ERROR_KIND = 2,     /* no kind of that name */
    POSSE_ERROR_OPTION = 3,   /* an unknown option, or a value of the wrong type or out of range */
    POSSE_ERROR_FIT = 4,      /* parts that do not fit each other or these arms */
    POSSE_ERROR_MEMORY = 5,   /* the allocator has no memory left */
    POSSE_ERROR_REWARD = 6,   /* not finite, beyond 1e100, or outside the range that can be learned, such as [0, 1] */
    POSSE_ERROR_UNKNOWN = 7,  /* this posse has no decision with that id */
    POSSE_ERROR_SETTLED = 8,  /* that decision already has its reward, or was forgotten */
    POSSE_ERROR_LEARNER = 9,  /* no such learner, or one that cannot be retired */
    POSSE_ERROR_NAME = 10,    /* a name that is taken, empty or not UTF-8 */
    POSSE_ERROR_BUFFER = 11,  /* the buffer is too small; the length needed was written */
    POSSE_ERROR_DAMAGED = 12, /* not a saved posse, or one that was cut short or altered */
    POSSE_ERROR_VERSION = 13, /* a saved posse or an extension of another version */
    POSSE_ERROR_ABSENT = 14,  /* this selector has no such quantity, or this way to play is not supported */
    POSSE_ERROR_FULL = 15,    /* no room for another registered kind */
    POSSE_ERROR_ARM = 16,     /* no such arm, or one that cannot be retired */
    POSSE_ERROR_UNTOLD = 17,  /* the decision's learner is external, and its play was not reported yet (posse_acted) */
    POSSE_ERROR_CONTEXT = 18  /* a context that does not fit this posse, or no context although rounds have features */
} posse_error;

/* ================================================== the calls ===================================================== */

/* The object an application holds: a selector with its learners. */
typedef struct posse posse;
typedef struct posse_def posse_def;
typedef struct posse_part posse_part;
typedef struct posse_host posse_host;
typedef struct posse_place posse_place; /* posse_kinds.h has its steps */
typedef struct posse_context posse_context;
typedef struct posse_decision posse_decision;
typedef struct posse_action posse_action;

/*
 * Creates a posse in *out, to be freed with posse_free, from a definition that begins as posse_default_def(). On an
 * error *out is NULL, and def->host.log gets the reason.
 */
POSSE_API posse_error posse_create(const posse_def *def, posse **out);

/*
 * Decides the next round. The decision stays pending until posse_learn or posse_forget is called with its id. If rounds
 * have features, give the context of the round, and NULL otherwise. POSSE_ERROR_CONTEXT: the context is missing or does
 * not fit, and the log gets the reason.
 *
 * POSSE_ERROR_ARM: a learner that is an extension picked an arm that is not available. (Without `act_in`, it does not
 * see the context.) POSSE_ERROR_LEARNER: a selector that is an extension chose no active learner, or a probability
 * outside [1e-30, 1]. Neither leaves a trace: the states and random streams of all parts are restored. With extensions,
 * each decision takes memory for this.
 *
 * Nothing is learned from a decision without a reward. If nothing happened, for example if a visitor did not click,
 * call posse_learn with a reward of 0. If the outcome will never be known, call posse_forget.
 */
POSSE_API posse_error posse_decide(posse *p, const posse_context *context, posse_decision *decision);

/* Gives a pending decision its reward. Rewards may come late and in any order, but only once for each decision. */
POSSE_API posse_error posse_learn(posse *p, uint64_t id, double reward);

/*
 * Settles a pending decision whose reward will never come. The play itself still counts as made. (A learner treats an
 * arm without any reward as one that it has not tried. ucb and epsilon-greedy try such an arm again, but less and less
 * often.)
 */
POSSE_API posse_error posse_forget(posse *p, uint64_t id);

/*
 * Reports what an external learner has played in a pending decision: once, and before posse_learn. The selector does
 * not count the play before it is reported. The arm may be retired. POSSE_ERROR_SETTLED: the play was reported already,
 * or the decision is settled. POSSE_ERROR_ARM: there is no such arm. POSSE_ERROR_CONTEXT: the context does not fit, or
 * the arm is not in it.
 *   posse_acted(p, d.id, &(posse_action){.arm = 3});
 */
POSSE_API posse_error posse_acted(posse *p, uint64_t id, const posse_action *action);

/*
 * Teaches a reward that does not come from a decision of this posse, but from history or from another system. All
 * learners and the selector's belief learn it, and no learner is charged for the play.
 *   posse_teach(p, &(posse_action){.arm = 3}, 1.0);
 */
POSSE_API posse_error posse_teach(posse *p, const posse_action *action, double reward);

/*
 * Expires all pending decisions after which at least `age` decisions have been made, the oldest first: with age 0 all,
 * but no deferred ones before they are shown. They learn posse_def.expire_reward if posse_def.expire_learns is set, and
 * are forgotten otherwise. If the play of an external learner was not reported, its decision is forgotten in any case.
 * The number of expired decisions is written to *expired, unless expired is NULL.
 */
POSSE_API posse_error posse_expire(posse *p, uint64_t age, size_t *expired);

/*
 * Writes the whole posse, pending decisions included, into buffer, which has *length bytes, and sets *length to the
 * number of bytes written. With a NULL buffer it only sets *length. The format is versioned, checksummed and
 * little-endian, the same on every machine. A posse loaded from it makes the decisions that this one would have made.
 * Posses with equal contents save equal bytes. Every version loads what earlier released versions have saved.
 * POSSE_ERROR_BUFFER: the buffer is too small, and *length is the number of bytes needed.
 */
POSSE_API posse_error posse_save(const posse *p, void *buffer, size_t *length);

/*
 * Creates a posse from a saved one. A damaged one is rejected, and the log gets the reason. host may be NULL.
 *
 * The original may have made more decisions after it was saved, and then been lost. Rewards for those decisions may
 * still arrive, and this posse must not mistake them for its own. So the ids of its new decisions belong to a new
 * *epoch*: an id is epoch * 2^32 + number of the decision. The epoch is a random number from the operating system, and
 * nothing else depends on it. Decisions that were pending when the posse was saved are still pending. The ids of all
 * other decisions of earlier epochs give POSSE_ERROR_UNKNOWN. POSSE_ERROR_ABSENT: the system has no random number.
 */
POSSE_API posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out);

/* Frees everything. p may be NULL. */
POSSE_API void posse_free(posse *p);

/* The name of an error ("POSSE_ERROR_REWARD") and one sentence about it. Never NULL, not to be freed. */
POSSE_API const char *posse_error_name(posse_error error);
POSSE_API const char *posse_error_text(posse_error error);

/* The library's version, "MAJOR.MINOR.PATCH". */
POSSE_API const char *posse_version(void);

/* ==================================================== parts ======================================================= */

/*
 * One option of a part. The option's declared type (posse_kinds.h) determines which fields are read:
 *   {"width", 0.5}                              a number, a count, or yes (1) and no (0)
 *   {"mean", .list = means, .count = 5}         a list of numbers
 *   {"belief", .part = &belief}                 another part
 *   {"set", .word = "ball"}                     a word, a text, or names with commas between them
 *   {"range", .list = range, .count = 2}        two numbers, lowest and highest
 *   {"components", .part = parts, .list = weights, .count = 2}
 */
typedef struct posse_option {
    const char *key;
    double number;
    const char *word;
    const double *list;
    const posse_part *part;
    size_t count;
} posse_option;

#define POSSE_OPTIONS_MAX 16

/*
 * A part: a belief, a learner, a selector or an environment, described by its kind and options. Options that are left
 * out have their defaults; the first option without a key ends the list.
 *   posse_part bold = {.kind = "ucb", .name = "bold", .options = {{"width", 2.0}}};
 *
 * A part has no cookie of its own. Its layout is that of 0.1.0, because tables of extensions return parts, and lists of
 * them. Initialise it as above: a part of zeros is refused, because its kind is missing.
 */
struct posse_part {
    const char *kind;
    const char *name; /* of a learner: UTF-8, unique in its posse, names its random stream; NULL: made from the kind */
    posse_option options[POSSE_OPTIONS_MAX];
};

/* ============================================= memory and messages ================================================ */

/*
 * An allocator. `resize` behaves like realloc; with `size` 0 it frees the block and must return NULL. All memory of an
 * object comes from its allocator, except lookup tables, which come from the C heap. Equal learners share a table,
 * whichever objects of the process they belong to. A table takes 8 KB, and there are at most 512. Each is freed with
 * the last object that uses it.
 */
typedef struct posse_allocator {
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} posse_allocator;

/*
 * Writes a place as text, such as "learners[1].belief.sd", cut to `size` bytes including the final zero. Returns the
 * length of the whole text, as snprintf does.
 */
POSSE_API size_t posse_place_text(const posse_place *place, char *text, size_t size);

/*
 * Receives a message for each error: what is wrong, what would be right, and where. The message does not repeat the
 * place. The place is NULL if the error has no particular one. Both are valid only during the call.
 */
typedef struct posse_logger {
    void (*write)(void *context, const posse_place *place, const char *message);
    void *context;
} posse_logger;

/* What the application provides. Both may be left zero: then the C heap is used, and nothing is logged. */
struct posse_host {
    posse_allocator allocator;
    posse_logger log;
};

/* ================================================= definitions ==================================================== */

/*
 * The definition of a posse. Start from posse_default_def() and fill in the rest. posse_create copies all of it. The
 * numbers of arms and dimensions decide what there is to play:
 *   independent arms  arms > 0, dim 0
 *   points in R^dim   arms > 0, dim > 0, points: mean rewards are linear in the points
 *   the ball          arms 0, dim > 0: every point of the unit ball of R^dim is an arm
 *   features          arms > 0, and dim > 0 without points, context > 0, or both: every round has its own
 *   no arms           arms 0, dim 0: there are only learners and their rewards
 *
 * Features (posse_decide) are `dim` numbers of each arm, `context` numbers that all arms share, or both. `arms`
 * counts all arms then, and a round may have fewer. Without arms, all learners must be external, and the selector must
 * be one that needs no belief.
 */
struct posse_def {
    uint64_t cookie; /* private: posse_default_def() sets it, with the size of this struct. Without it, the definition
                        is refused, because it is zeroed, uninitialised or of another version's layout */
    posse_host host; /* memory and messages; zero by default. Its place is the same in every later version */
    int arms;
    int dim;
    const double *points;     /* arms x dim, row by row */
    const char *const *names; /* of the arms, as many: UTF-8, unique; NULL: arms are called "0", "1", .. */
    int joins;                /* arms named for the first time join up to this many active ones; default 0: none do */
    int context;              /* how many features all arms share; default 0 */
    int nonzeros;             /* above 0: contexts are sparse, and an arm has at most this many features that are not
                                 0 in a round. There may be 16777216 features then, else 1024. Default 0 */
    const struct posse_feature_def *features; /* features have names (posse_features.h); NULL: they are numbers */
    posse_part prior;           /* the belief that selector and learners start from, unless they have their own */
    posse_part selector;        /* default: POSSE_RECOMMENDED. kind NULL: none, for a single learner */
    const posse_part *learners; /* NULL, with a prior: those of posse_recommend (posse_kinds.h) */
    int learner_count;
    uint64_t seed;   /* default 1; never taken from the clock, so posses with equal seeds draw equal numbers */
    uint32_t run;    /* the number of the replication with that seed; default 0 */
    uint64_t rounds; /* the horizon, for selectors that need one; default 0: not known */

    /* What happens to decisions that do not get a reward (posse_expire). */
    uint64_t expire_after; /* they expire once this many later decisions were made; default 0: never */
    bool expire_learns;    /* they learn expire_reward when they expire; otherwise they are forgotten */
    double expire_reward;

    uint32_t propensity_draws; /* if above 0, each decision's propensity is estimated by this many draws, at most 10000;
                                  default 0 */
    bool report;               /* tallies rewards for the intervals of posse_report (posse_inside.h); default false */

    bool episodes; /* rounds are episodes of several steps; posse_environment_def sets it. Only posse_play plays such a
                      posse. Other calls that decide, teach or save return POSSE_ERROR_ABSENT */
};

/*
 * The kind of a selector that is left to the library, with or without options. posse_create takes `bms-plus`. If
 * nothing but rewards is known, because all learners are external and there is no prior, it takes `thompson`.
 * posse_selector (posse_inside.h) returns which. The paper's Algorithm 1 is `bms` without options.
 */
#define POSSE_RECOMMENDED "recommended"

/* A definition with every field set to its default. The selector is of kind POSSE_RECOMMENDED. */
POSSE_API posse_def posse_default_def(void);

/* ================================================== decisions ===================================================== */

/* The arm of a decision whose learner is external: the application picks the arm, and reports it with posse_acted. */
#define POSSE_ARM_UNTOLD (-2)

struct posse_decision {
    uint64_t id;         /* counts from 1; in a posse that was loaded, it contains an epoch (posse_load) */
    int learner;         /* the learner that was chosen, as its place in the list of learners */
    int arm;             /* to be played; -1 on the ball, where `point` is, and without arms; or POSSE_ARM_UNTOLD */
    double probability;  /* of this learner in the selector's choice, given what the selector had drawn; in (0, 1] */
    const double *point; /* the arm's coordinates or features, valid until the next call; NULL if it has none, and where
                            contexts are sparse */
    bool probe;          /* the selector picked the arm itself, and no learner will learn from its reward */
    double propensity;   /* the probability of the arm. With a floor (an option of every selector) it is exact, given
                            what was drawn before: 1 - floor + floor / K for the arm that the learner picked, and
                            floor / K for the other arms, where K arms are available. Without a floor, it is an estimate
                            if posse_def.propensity_draws is above 0, and 0 otherwise. The estimate counts this decision
                            as one more draw, so it is never 0. In shadow mode it is 0, because another rule plays */
    bool floor;          /* the floor drew the arm, and the learner had picked another: no learner is charged for the
                            play, and all learners learn from its reward */
    int mode;            /* a posse_mode: what else determined the arm (posse_modes.h); 0: nothing */
};

/*
 * The arms and features of a round. It is read during the call and not kept. The features of an arm are its own
 * posse_def.dim numbers, followed by the posse_def.context numbers that all arms share.
 */
typedef struct posse_sparse posse_sparse;
struct posse_context {
    int count;                         /* how many arms are available; 0 with arms NULL: all that are not retired */
    const int *arms;                   /* the indices of these arms, rising; NULL with a count above 0: 0 .. count-1 */
    const double *shared;              /* posse_def.context numbers; NULL if that is 0 */
    const double *points;              /* posse_def.dim numbers of each available arm, row by row; NULL if that is 0 */
    const posse_sparse *sparse_shared; /* the shared features, in place of `shared` */
    const posse_sparse *sparse_points; /* the features of each available arm, in place of `points` */
    const struct posse_named *named;   /* features by name, in place of all numbers (posse_features.h) */
};

/*
 * Features as pairs of an index and a value. Those that are not listed are 0. Every posse takes them, and decides as
 * for the same features in full. A posse whose contexts are sparse (posse_def.nonzeros) does a step for each pair.
 */
struct posse_sparse {
    int count;
    const int *indices;   /* rising, from 0 */
    const double *values; /* as many */
};

/* What was played, if the application picked it (posse_acted, posse_teach). */
struct posse_action {
    int arm;                      /* not read on the ball */
    const double *point;          /* on the ball, the point; NULL otherwise */
    const posse_context *context; /* if rounds have features, the context of the play; NULL otherwise */
};

#ifdef __cplusplus
}
#endif

#endif
