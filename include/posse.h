/*
 * posse: Bayesian online model selection.
 *
 * A bandit learner picks arms and learns from rewards. Given several learners, a posse plays them as one: each
 * round its selector picks a learner, the learner picks an arm, and the reward teaches both.
 *
 * This header is ordered by reader:
 *   1. create, decide, learn  what every application needs
 *   2. the object             late rewards, saving, adding and retiring learners and arms, looking inside
 *   3. options                the kinds of beliefs, learners, selectors and environments, and their parameters
 *   4. simulation             environments that draw instances and pay rewards; posse_abreast.h plays many runs at once
 *   5. extension              learners, beliefs, selectors and environments of your own
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
#define POSSE_VERSION_MINOR 2
#define POSSE_VERSION_PATCH 0

#if defined(__GNUC__)
#define POSSE_API __attribute__((visibility("default")))
#else
#define POSSE_API
#endif

/* ========================================= 1. create, decide, learn ============================================ */

/* The result of a call. The values are pinned: they never change meaning. */
typedef enum posse_error {
    POSSE_OK = 0,
    POSSE_ERROR_ARGUMENT = 1, /* a null pointer, or a number that makes no sense there */
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

/* The name of an error ("POSSE_ERROR_REWARD") and one sentence about it. Never NULL, not to be freed. */
POSSE_API const char *posse_error_name(posse_error error);
POSSE_API const char *posse_error_text(posse_error error);

/* The library's version, "MAJOR.MINOR.PATCH". */
POSSE_API const char *posse_version(void);

/*
 * The name of the inner loops that the library runs: "scalar", "baseline", "avx2" or "avx512". They are the fastest
 * that the processor supports, unless the environment variable POSSE_ISA names others before the library is first used.
 * All of them give the same bits. NULL: POSSE_ISA names loops that do not exist or that the processor cannot run.
 * Nothing can be created then.
 */
POSSE_API const char *posse_kernels(void);

typedef struct posse_part posse_part;

/*
 * One option of a part. The option's declared type (section 3) determines which fields are read:
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
 */
struct posse_part {
    const char *kind;
    const char *name; /* of a learner: UTF-8, unique in its posse, names its random stream; NULL: made from the kind */
    posse_option options[POSSE_OPTIONS_MAX];
};

/*
 * An allocator. `resize` behaves like realloc; with `size` 0 it frees the block and must return NULL. All memory of an
 * object comes from its allocator, except lookup tables, which come from the C heap. Equal learners, beliefs and
 * selectors share a table, whichever objects of the process they belong to. A table takes some 10 to 40 KB, and there
 * are at most 512. Each is freed with the last object that uses it.
 */
typedef struct posse_allocator {
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} posse_allocator;

/*
 * A place in a description: a step, and the steps that lead to it. In learners[1].belief.sd, the step "sd" is inside
 * the step "belief", which is inside the step "learners" with index 1. An option with a dot in its name is a single
 * step, for example "prior.mean".
 */
typedef struct posse_place {
    const struct posse_place *outer; /* NULL: this is the first step */
    const char *name;                /* of a part or an option */
    int index;                       /* of an entry in a list, from 0; -1: the step is not an entry of a list */
} posse_place;

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
typedef struct posse_host {
    posse_allocator allocator;
    posse_logger log;
} posse_host;

/*
 * The definition of a posse. Start from posse_default_def() and fill in the rest. posse_create copies all of it. The
 * numbers of arms and dimensions decide what there is to play:
 *   independent arms  arms > 0, dim 0
 *   points in R^dim   arms > 0, dim > 0, points: mean rewards are linear in the points
 *   the ball          arms 0, dim > 0: every point of the unit ball of R^dim is an arm
 *   features          arms > 0, and dim > 0 without points, context > 0, or both: every round has its own
 *   no arms           arms 0, dim 0: there are only learners and their rewards
 *
 * Features (posse_decide_in) are `dim` numbers of each arm, `context` numbers that all arms share, or both. `arms`
 * counts all arms then, and a round may have fewer. Without arms, all learners must be external, and the selector must
 * be one that needs no belief.
 */
typedef struct posse_def {
    int arms;
    int dim;
    const double *points;       /* arms x dim, row by row */
    int context;                /* how many features all arms share; default 0 */
    posse_part prior;           /* the belief that selector and learners start from, unless they have their own */
    posse_part selector;        /* default: bms-plus (posse_default_def). kind NULL: none, for a single learner */
    const posse_part *learners; /* at least one */
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
    posse_host host;
} posse_def;

/* The arm of a decision whose learner is external: the application picks the arm, and reports it with posse_acted. */
#define POSSE_ARM_UNTOLD (-2)

typedef struct posse_decision {
    uint64_t id;         /* counts from 1; in a posse that was loaded, it contains an epoch (posse_load) */
    int learner;         /* the learner that was chosen, as its place in the list of learners */
    int arm;             /* the arm to play; -1 on the ball, where `point` is played, and without arms; or
                            POSSE_ARM_UNTOLD */
    double probability;  /* of this learner in the selector's choice, given what the selector had drawn; in (0, 1] */
    const double *point; /* the arm's coordinates or features, valid until the next call; NULL if it has none */
    bool probe;          /* the selector picked the arm itself, and no learner will learn from its reward */
    double propensity;   /* the probability of the arm. With a floor (an option of every selector) it is exact, given
                            what was drawn before: 1 - floor + floor / K for the arm that the learner picked, and
                            floor / K for the other arms, where K arms are available. Without a floor, it is an estimate
                            if posse_def.propensity_draws is above 0, and 0 otherwise. The estimate counts this decision
                            as one more draw, so it is never 0 */
    bool floor;          /* the floor drew the arm, and the learner had picked another: no learner is charged for the
                            play, and all learners learn from its reward */
} posse_decision;

/*
 * The arms and features of a round. It is read during the call and not kept. The features of an arm are its own
 * posse_def.dim numbers, followed by the posse_def.context numbers that all arms share.
 */
typedef struct posse_context {
    int count;            /* how many arms are available; 0 with arms NULL: all that are not retired */
    const int *arms;      /* the indices of these arms, rising; NULL with a count above 0: 0 .. count-1 */
    const double *shared; /* posse_def.context numbers; NULL if that is 0 */
    const double *points; /* posse_def.dim numbers of each available arm, row by row; NULL if that is 0 */
} posse_context;

/* The object an application holds: a selector with its learners. */
typedef struct posse posse;

/*
 * A definition with every field set to its default. The selector is `bms-plus`, which is `bms` with patience 40,
 * commitment 0 and shared data as its defaults. The paper's Algorithm 1 is `bms` without options.
 */
POSSE_API posse_def posse_default_def(void);

/* Creates a posse in *out, to be freed with posse_free. On an error *out is NULL, and def->host.log gets the reason. */
POSSE_API posse_error posse_create(const posse_def *def, posse **out);

/*
 * Decides the next round. The decision stays pending until posse_learn or posse_forget is called with its id.
 * POSSE_ERROR_ARM: a learner that is an extension picked an arm that does not exist or is retired. Its random stream
 * has advanced, but no round was played.
 *
 * Nothing is learned from a decision without a reward. If nothing happened, for example if a visitor did not click,
 * call posse_learn with a reward of 0. If the outcome will never be known, call posse_forget.
 */
POSSE_API posse_error posse_decide(posse *p, posse_decision *decision);

/*
 * posse_decide for rounds with features. Use this call if and only if rounds have features. POSSE_ERROR_CONTEXT: the
 * context does not fit, and the log gets the reason. POSSE_ERROR_ARM: a learner picked an arm that is not available. A
 * learner that is an extension without `act_in` does not see the context, so it needs every arm in every round.
 */
POSSE_API posse_error posse_decide_in(posse *p, const posse_context *context, posse_decision *decision);

/*
 * Makes a decision again that a log has, as posse_decide or, with a context, posse_decide_in. The propensity comes from
 * the log instead of posse_def.propensity_draws; 0: it is unknown. With a floor the argument is ignored.
 */
POSSE_API posse_error posse_decide_again(posse *p, const posse_context *context, double propensity,
                                         posse_decision *decision);

/* Gives a pending decision its reward. Rewards may come late and in any order, but only once for each decision. */
POSSE_API posse_error posse_learn(posse *p, uint64_t id, double reward);

/*
 * Settles a pending decision whose reward will never come. The play itself still counts as made. (A learner treats an
 * arm without any reward as one that it has not tried. ucb and epsilon-greedy try such an arm again, but less and less
 * often.)
 */
POSSE_API posse_error posse_forget(posse *p, uint64_t id);

/* Frees everything. p may be NULL. */
POSSE_API void posse_free(posse *p);

/* ============================================== 2. the object ================================================== */

/*
 * Reports what an external learner has played in a pending decision: once, and before posse_learn. On the ball, report
 * a point. If rounds have features, give the context of the decision. The selector does not count the play before it is
 * reported. The arm may be retired. POSSE_ERROR_SETTLED: the play was reported already, or the decision is settled.
 * POSSE_ERROR_ARM: there is no such arm. POSSE_ERROR_CONTEXT: the context does not fit, or the arm is not in it.
 */
POSSE_API posse_error posse_acted(posse *p, uint64_t id, int arm);
POSSE_API posse_error posse_acted_at(posse *p, uint64_t id, const double *point);
POSSE_API posse_error posse_acted_in(posse *p, uint64_t id, const posse_context *context, int arm);

/*
 * Teaches a reward that does not come from a decision of this posse, but from history or from another system. All
 * learners and the selector's belief learn it, and no learner is charged for the play. On the ball, give a point in
 * place of the arm. If rounds have features, give the context of the play.
 */
POSSE_API posse_error posse_teach(posse *p, int arm, double reward);
POSSE_API posse_error posse_teach_at(posse *p, const double *point, double reward);
POSSE_API posse_error posse_teach_in(posse *p, const posse_context *context, int arm, double reward);

/* A decision without a reward so far. */
typedef struct posse_pending {
    uint64_t id;
    uint64_t age; /* how many decisions have been made since this one */
    int learner;
    int arm;             /* as in the decision */
    const double *point; /* the arm's coordinates or features, valid until the next call; NULL if it has none */
    double probability;
    bool probe;
    double propensity;
    bool floor;
} posse_pending;

/* The number of decisions that have been made in all, and the number that are pending. */
POSSE_API uint64_t posse_decisions(const posse *p);
POSSE_API size_t posse_pending_count(const posse *p);

/* The pending decision with an id. POSSE_ERROR_UNKNOWN, POSSE_ERROR_SETTLED: it is not pending. */
POSSE_API posse_error posse_pending_find(const posse *p, uint64_t id, posse_pending *out);

/* All pending decisions, the oldest first. list: room for posse_pending_count entries. */
POSSE_API posse_error posse_pending_list(const posse *p, posse_pending *list);

/*
 * The oldest pending decision, which is the next one to expire. *reward is what it learns then, or NaN if it is
 * forgotten. POSSE_ERROR_ABSENT: no decision is pending.
 */
POSSE_API posse_error posse_pending_oldest(posse *p, posse_pending *out, double *reward);

/*
 * Reserves memory for this many more pending decisions, so that the next ones cannot fail with POSSE_ERROR_MEMORY. This
 * holds as long as no decision is settled or expires in between. With posse_def.propensity_draws, each decision also
 * takes memory of its own, which it frees again, and may still fail. 0: frees reserved memory that is not needed.
 */
POSSE_API posse_error posse_pending_reserve(posse *p, size_t decisions);

/*
 * Expires all pending decisions after which at least `age` decisions have been made, the oldest first. Age 0 expires
 * all of them, the newest too. They learn posse_def.expire_reward if posse_def.expire_learns is set, and are forgotten
 * otherwise. If the play of an external learner was not reported, its decision is forgotten in any case. The number of
 * expired decisions is written to *expired, unless expired is NULL.
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
 * Creates a posse from a saved one. A damaged one is rejected as a whole, and the log gets the reason. host may be
 * NULL.
 *
 * The original may have made more decisions after it was saved, and then been lost. Rewards for those decisions may
 * still arrive, and this posse must not mistake them for its own. So the ids of its new decisions belong to a new
 * *epoch*: an id is epoch * 2^32 + number of the decision. The epoch is a random number from the operating system. It
 * is the only thing in this library that does not follow from its input, and nothing else depends on it. Decisions that
 * were pending when the posse was saved are still pending. The ids of all other decisions of earlier epochs give
 * POSSE_ERROR_UNKNOWN, even if they had their rewards before the save. POSSE_ERROR_ABSENT: the system has no random
 * number.
 */
POSSE_API posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out);

/*
 * The same without a new epoch: ids continue as those of the saved posse would have. Use it only if the application
 * records every decision itself and replays those made after the save, as a server or a replica does.
 */
POSSE_API posse_error posse_load_exact(const void *buffer, size_t length, const posse_host *host, posse **out);

/*
 * The epoch of new ids, which is 0 in a posse that was just created. posse_set_epoch begins another epoch, below 2^31,
 * which no pending decision may have.
 */
POSSE_API uint32_t posse_epoch(const posse *p);
POSSE_API posse_error posse_set_epoch(posse *p, uint32_t epoch);

/*
 * Adds a learner to a posse that is in use. Its place in the list is written to *place, unless place is NULL. The rest
 * of the current batch is dropped. The selector decides when the new learner plays (docs/selectors.md): with B-MS it
 * plays next, after other learners that have not played yet. There may be 4096 learners in all, retired ones included.
 */
POSSE_API posse_error posse_learner_add(posse *p, const posse_part *learner, int *place);

/*
 * Retires a learner: it is never chosen again. Its place in the list and its name stay taken. The memory of a learner
 * that was added later is freed; learners with which the posse was created or loaded share its memory. Rewards of the
 * learner's pending decisions still teach the belief of B-MS (other selectors ignore them) and, with shared data, the
 * other learners. The last active learner cannot be retired.
 */
POSSE_API posse_error posse_learner_retire(posse *p, int place);

/*
 * The number of learners, retired ones included; the name of the learner at a place (NULL: no such place); and whether
 * that learner is active, that is, not retired.
 */
POSSE_API int posse_learner_count(const posse *p);
POSSE_API const char *posse_learner_name(const posse *p, int place);
POSSE_API bool posse_learner_active(const posse *p, int place);

/*
 * Adds an arm to a posse that is in use. Its index, which is posse_arms() before the call, is written to *arm, unless
 * arm is NULL. point: its coordinates; NULL for independent arms, and if rounds have features. The rest of the current
 * batch is dropped. Beliefs and learners begin with their prior for the new arm, and keep everything else that they
 * have learned. There may be 1000000 arms in all, retired ones included.
 *
 * POSSE_ERROR_FIT: the posse plays the ball, which has all its points already, or was created without arms. Or a part
 * does not support a new arm, and the log names that part: its kind cannot add arms, or one of its options lists a
 * number for each arm and so has none for the new one.
 */
POSSE_API posse_error posse_arm_add(posse *p, const double *point, int *arm);

/*
 * Retires an arm: it is never picked again, and its index stays taken. Rewards of its pending decisions are still
 * learned. B-MS compares with the best of the remaining arms, and still charges past plays of a retired arm by its
 * value in the world drawn. So plays of an arm that was better than all remaining ones count as a credit. The last
 * active arm cannot be retired. POSSE_ERROR_FIT: a part does not support this, and the log names that part. A `fixed`
 * learner that plays the arm must be retired first.
 */
POSSE_API posse_error posse_arm_retire(posse *p, int arm);
POSSE_API bool posse_arm_active(const posse *p, int arm);

/*
 * Begins the next task: another instance, similar to the earlier ones. Beliefs that learn across tasks (`hierarchical`,
 * and a mixture with such a component) keep what they have learned about all tasks. Everything else begins as if new:
 * learners, selector and counts of plays. Random streams and ids continue. Pending decisions of the last task are
 * forgotten, because their rewards would be about an instance that is gone. Learn them, or let them expire, before this
 * call.
 */
POSSE_API posse_error posse_next_task(posse *p);

/* The number of arms, retired ones included, and the dimension, both with the meaning that they have in posse_def. */
POSSE_API int posse_arms(const posse *p);
POSSE_API int posse_dim(const posse *p);

/* The number of features of an arm in a round, posse_def.dim + posse_def.context; 0 if rounds have no features. */
POSSE_API int posse_features(const posse *p);
POSSE_API int posse_shared_features(const posse *p); /* posse_def.context */

/* Rewards from `low` to `high`, both included. */
typedef struct posse_rewards {
    double low, high;
} posse_rewards;

/*
 * The rewards that the posse can learn from: -1e100 to 1e100, or a smaller range that a learner or the selector's
 * belief needs.
 */
POSSE_API posse_rewards posse_reward_range(const posse *p);

/* Whether the posse can only learn from rewards in [0, 1]. */
POSSE_API bool posse_unit_rewards(const posse *p);

/*
 * How often each learner has been chosen in this task. Decisions in which the floor drew another arm than the learner's
 * (posse_decision.floor) are not counted. plays has posse_learner_count entries.
 */
POSSE_API posse_error posse_plays(const posse *p, uint64_t *plays);

/*
 * The selector's potential of each learner. The selector chooses the learner with the smallest potential. For B-MS, it
 * is the regret that the learner's past plays would have in the world drawn for the latest choice, divided as the
 * option `patience` requires. It may be below 0 after many plays of a retired arm that was better than the remaining
 * ones. For d3rb, ed2rb, balancing and dynamic-balancing, it is the regret bound that the learner has used up. It is
 * infinite for learners that are retired, that `balancing` has dropped, or that are not active in `dynamic-balancing`.
 * potentials has posse_learner_count entries. POSSE_ERROR_ABSENT: this selector has no potentials.
 */
POSSE_API posse_error posse_potentials(const posse *p, double *potentials);

/*
 * How the potentials of B-MS weigh plays, for applications that compute potentials in another world. posse_play_weight
 * is the weight of a play with `rounds` rounds before it. posse_charge_share is the factor by which the regret of a
 * learner's plays is multiplied, where `plays` is the sum of their weights. After every play, the weights of all plays
 * so far are multiplied by posse_play_discount. All three are 1 for Algorithm 1 and for the other selectors. They are
 * valid while no learner is added or retired, and no arm is added.
 */
POSSE_API double posse_play_weight(const posse *p, double rounds);
POSSE_API double posse_charge_share(const posse *p, double rounds, double plays);
POSSE_API double posse_play_discount(const posse *p);

/*
 * The probability of each learner in the latest choice, given what the selector had drawn before. For the chosen
 * learner it is the decision's own probability, and for a learner that was added later it is 0. For corral,
 * stochastic-corral, exp3p and uniform these are the learners' propensities. The other selectors draw a world first, or
 * nothing, so theirs are not propensities. probabilities has posse_learner_count entries. POSSE_ERROR_ABSENT: no
 * learner has been chosen yet.
 */
POSSE_API posse_error posse_probabilities(const posse *p, double *probabilities);

/* How many rewards were outside the selector's `range` and were clipped to it. POSSE_ERROR_ABSENT: it has no range. */
POSSE_API posse_error posse_clipped(const posse *p, uint64_t *rewards);

/*
 * The posterior mean of each arm's mean reward in the selector's belief (`arms` numbers) or, on the ball, the posterior
 * mean of theta (`dim` numbers). POSSE_ERROR_ABSENT: the selector has no belief.
 */
POSSE_API posse_error posse_means(const posse *p, double *means);

/*
 * The posterior standard deviation of each arm's mean reward in the selector's belief. POSSE_ERROR_ABSENT: the selector
 * has no belief, the belief's kind does not compute deviations, or the posse has no separate arms, as on the ball.
 */
POSSE_API posse_error posse_deviations(const posse *p, double *deviations);

/*
 * The same for the arms of a context, one number for each of them. (If rounds have features, posse_means and
 * posse_deviations return POSSE_ERROR_CONTEXT.)
 */
POSSE_API posse_error posse_means_in(const posse *p, const posse_context *context, double *means);
POSSE_API posse_error posse_deviations_in(const posse *p, const posse_context *context, double *deviations);

/*
 * The number of components of the selector's belief, and the posterior weight of each, if the belief is a mixture. A
 * robust belief is a mixture, and the components of a hierarchical belief are its spreads. For another belief the
 * number is 0, and posse_weights returns POSSE_ERROR_ABSENT.
 */
POSSE_API int posse_component_count(const posse *p);
POSSE_API posse_error posse_weights(const posse *p, double *weights);

/*
 * The regret that each learner's past plays would have if the posterior means of the selector's belief were right. It
 * is not divided, whatever the patience is. regrets has posse_learner_count entries. POSSE_ERROR_ABSENT: the selector
 * has no belief, or does not store plays.
 */
POSSE_API posse_error posse_regrets(const posse *p, double *regrets);

/*
 * The probability that each arm is the best one: its share of `draws` worlds drawn from the selector's belief. The
 * draws come from a stream of their own, so decisions stay the same. POSSE_ERROR_ABSENT: the selector has no belief, or
 * the posse has no separate arms, as on the ball.
 */
POSSE_API posse_error posse_best_probabilities(const posse *p, uint32_t draws, double *probabilities);

/*
 * Propensities: the probability that each learner, and each arm, would be chosen next. They are estimated by simulating
 * the next choice `draws` times from a stream of its own, so decisions stay the same. The arrays have
 * posse_learner_count and posse_arms numbers; any may be NULL. learner_errors and arm_errors are standard errors of the
 * estimates. The arms that external learners would play are unknown and not counted. POSSE_ERROR_ABSENT: propensities
 * of arms are requested, but there are no separate arms, as on the ball.
 */
typedef struct posse_propensity {
    double *learners, *learner_errors;
    double *arms, *arm_errors;
} posse_propensity;
POSSE_API posse_error posse_propensities(const posse *p, uint32_t draws, const posse_propensity *out);
POSSE_API posse_error posse_propensities_in(const posse *p, const posse_context *context, uint32_t draws,
                                            const posse_propensity *out);

/* posse_def.propensity_draws, also in a posse that was loaded. */
POSSE_API uint32_t posse_propensity_draws(const posse *p);

/*
 * The surprise measures how far the rewards so far contradict the selector's belief. It is a log Bayes factor: the log
 * of their probability under the belief's robust form, minus the log of their probability under the belief as given.
 * Values above 0 contradict the belief. If the belief is right, the surprise ever exceeds log(20) = 3.0 with a
 * probability of at most 1 in 20. It never falls below minus the log of the number of components of the robust form
 * (docs/beliefs.md). A robust belief has its surprise at no cost. For another belief, set the option `watch` of `bms`
 * or `bms-plus`. POSSE_ERROR_ABSENT: the belief is neither robust nor watched, or the selector has no belief.
 */
POSSE_API posse_error posse_surprise(const posse *p, double *surprise);

/*
 * The acceptance rate, if worlds of the selector's belief are drawn by a Markov chain (logistic, inference langevin):
 * the share of its steps that were accepted, over `draws` draws, which change no decision. Around 0.6 to 0.95 is usual.
 * Far below that the chain hardly moves, and more steps are needed. POSSE_ERROR_ABSENT: there is no chain.
 */
POSSE_API posse_error posse_acceptance(const posse *p, uint32_t draws, double *acceptance);

/* =============================================== 3. options ==================================================== */

typedef enum posse_family {
    POSSE_ENVIRONMENT = 0,
    POSSE_BELIEF = 1,
    POSSE_LEARNER = 2,
    POSSE_SELECTOR = 3
} posse_family;
#define POSSE_FAMILIES 4

typedef enum posse_type {
    POSSE_REAL = 0,  /* a number */
    POSSE_COUNT = 1, /* a whole number */
    POSSE_FLAG = 2,  /* yes (1) or no (0) */
    POSSE_WORD = 3,  /* one of `words` */
    POSSE_REALS = 4, /* a number for all, or a list with one number each */
    POSSE_TABLE = 5, /* rows of numbers, given as one list, row by row */
    POSSE_PART = 6,  /* a belief; if it is left out, the prior of the environment */
    POSSE_PARTS = 7, /* beliefs with a weight each */
    POSSE_RANGE = 8, /* [lowest, highest] */
    POSSE_TEXT = 9,  /* any text, in `word` */
    POSSE_NAMES = 10 /* names separated by commas, in `word`; in experiment files a list, or a single one */
} posse_type;

/* Flags of a parameter, beside its type and range. */
enum {
    POSSE_REQUIRED = 1,   /* there is no default */
    POSSE_OPTIONAL = 2,   /* may be left out, and has no default */
    POSSE_ABOVE = 4,      /* `low` itself is excluded */
    POSSE_BELOW = 8,      /* `high` itself is excluded */
    POSSE_INHERITED = 16, /* the default is the prior's option of the same name, or `fallback` if the prior has none */
    POSSE_PATH = 32,      /* the text is the path of a file; in an experiment file, relative to that file's folder */
    POSSE_KEPT = 64       /* of a selector: a posse saves the default, too, because another version may have another */
};

/*
 * The declaration of a parameter. The keys of experiment files, `posse list`, the checks of posse_create and the docs
 * are derived from it. In experiment files, a dot in the name is nesting: `prior.mean` is written `prior: {mean: 0}`.
 */
typedef struct posse_param {
    const char *name; /* NULL ends a list of parameters */
    posse_type type;
    unsigned flags;
    double fallback;           /* the default of a number, count, flag or list */
    const char *fallback_word; /* the default of a word, text or names, or of a number or count if it is a word */
    const double *fallbacks;   /* the default of a range: its two numbers */
    double low, high;          /* inclusive, and for each number of a list; both 0: no bounds */
    const char *words;         /* "ball|sphere": the words of a POSSE_WORD, or words that a number or count may be */
    const char *excludes;      /* prefixes of the parameters that cannot be given beside it, "sd|corr"; or NULL */
    const char *help;
} posse_param;

/*
 * The default of a parameter, as an option with that value; for a POSSE_PART the word "environment". False: there is no
 * default. posse_part_resolve fills in defaults that are inherited.
 */
POSSE_API bool posse_param_default(const posse_param *param, posse_option *out);

/*
 * The number of kinds in a family, registered ones included; the index of the kind with that name (-1: there is none);
 * and the name, the help line and the own parameters of the kind at an index.
 */
POSSE_API int posse_kind_count(posse_family family);
POSSE_API int posse_kind_find(posse_family family, const char *name);
POSSE_API const char *posse_kind_name(posse_family family, int index);
POSSE_API const char *posse_kind_help(posse_family family, int index);
POSSE_API const posse_param *posse_kind_params(posse_family family, int index);

/* Traits: properties that only some kinds of a family have. They follow from a kind's table (section 5). */
enum {
    POSSE_BELIEVES = 1, /* selectors: it has a belief about the arms (posse_means) */
    POSSE_CLIPS = 2,    /* selectors: it has a range, and counts the rewards outside (posse_clipped) */
    POSSE_MOVES = 4,    /* environments: mean rewards may change from round to round */
    POSSE_EXTERNAL = 8, /* learners: the application picks the arm (posse_acted) */
    POSSE_LOGGED = 16   /* environments: rounds are rows of a log, with a value instead of regret (posse_replay) */
};
POSSE_API unsigned posse_kind_traits(posse_family family, int index);

/*
 * The name of a family, "environment", "belief", "learner" or "selector"; and the parameters that every kind of the
 * family has (an empty list for most). A kind may declare some of them again with another default, and then its own
 * declaration counts.
 */
POSSE_API const char *posse_family_name(posse_family family);
POSSE_API const posse_param *posse_family_params(posse_family family);

/* The parameter of a kind with that name: its own declaration, or else its family's. NULL: there is none. */
POSSE_API const posse_param *posse_kind_param(posse_family family, int index, const char *name);

/*
 * Checks a part by itself, including parts inside it: its kind, and its options against their declarations (types,
 * ranges, missing options, and options that exclude each other). Every problem is written to the log, which may be
 * NULL, with its place in the part. Only posse_create can check whether the part fits the arms.
 */
POSSE_API posse_error posse_part_check(posse_family family, const posse_part *part, const posse_logger *log);

/*
 * The part with all of its options: *out has them in the order of their declaration, first the kind's own and then the
 * family's, with defaults filled in. Inherited defaults come from the prior (NULL: there is none). An option is absent
 * only if it has no default, or if an option that was given excludes it. Parts inside are copied as they were given,
 * and can be resolved by calls of their own. The pointers in *out lead to memory of the part, the prior and the
 * declarations. out may be equal to part.
 */
POSSE_API posse_error posse_part_resolve(posse_family family, const posse_part *part, const posse_part *prior,
                                         const posse_logger *log, posse_part *out);

/*
 * Copies a part, with everything that it points to, to `memory`, which is aligned for a double. The copy begins there:
 * posse_part *copy = memory. Returns the bytes that it takes, as snprintf does, and writes nothing if `size` is less.
 * 0: parts are inside parts too deep, so that the part may contain itself.
 */
POSSE_API size_t posse_part_copy(const posse_part *part, void *memory, size_t size);

/* The option of a part with that name, and the one for the first parameter of a type; NULL: it was not given. */
POSSE_API const posse_option *posse_part_option(const posse_part *part, const char *name);
POSSE_API const posse_option *posse_part_option_of_type(posse_family family, const posse_part *part, posse_type type);

/* ------------------------------------------- priors as text and from data -------------------------------------- */

/* A belief with the memory that it needs: made from a part, read from a text, or fitted to data (docs/priors.md). */
typedef struct posse_prior posse_prior;

/*
 * Makes a prior of a belief, which is copied with everything that it points to. arms: the number of arms that the prior
 * is about; 0: as many as its lists have numbers. The belief is checked (posse_part_check) and, if the number of arms
 * is known, made once for them. *out is to be freed with posse_prior_free. host may be NULL.
 */
POSSE_API posse_error posse_prior_make(const posse_part *belief, int arms, const posse_host *host, posse_prior **out);

/*
 * The same from a text of JSON: the kind of a belief and its options, in the words of experiment files, as
 * posse_prior_text writes it. POSSE_ERROR_FIT: the text is wrong; the log gets the reason. The library reads no YAML:
 * `posse prior fit -o prior.json` writes JSON.
 */
POSSE_API posse_error posse_prior_read_text(const char *text, size_t length, const posse_host *host, posse_prior **out);
POSSE_API void posse_prior_free(posse_prior *prior);

/* The belief, valid until posse_prior_free. Use it wherever a part takes one: def.prior = *posse_prior_part(prior). */
POSSE_API const posse_part *posse_prior_part(const posse_prior *prior);

/* The number of arms that the prior is about; 0: any number. */
POSSE_API int posse_prior_arms(const posse_prior *prior);

/*
 * Writes the text that posse_prior_read_text reads, cut to `size` bytes including the final zero. Returns the length of
 * the whole text, as snprintf does.
 */
POSSE_API size_t posse_prior_text(const posse_prior *prior, char *text, size_t size);

/* How a prior is fitted. Start from posse_default_fit(). */
typedef struct posse_fit {
    const char *kind; /* "gaussian", "mixture" (the default) or "particles" */
    int components;   /* of a mixture; 0, the default: the number that predicts held-out rows best */
    double noise;     /* standard deviation of a reward around its mean; 0, the default: estimated with plays, else 1 */
    uint64_t seed;    /* for the choice of held-out rows and the start of EM; default 1 */
    bool plays;       /* the file has a row for each reward (posse_prior_fit); default: a row for each instance */
    const char *task, *arm, *reward;               /* its columns with plays; default "task", "arm" and "reward" */
    void (*progress)(void *context, double share); /* called with the share of the work that is done; may be NULL */
    void *context;
} posse_fit;

POSSE_API posse_fit posse_default_fit(void);

/*
 * Fits a prior to a file of CSV, which has a row for each past instance, with the mean reward of each arm in its
 * column. Cells may be empty, except for particles. With `plays`, it has a row for each reward of a past task, in any
 * order. Arms are then numbers from 0, or names, which are sorted byte by byte and numbered in that order. The same
 * file and settings give the same bits everywhere. POSSE_ERROR_FIT: the file is wrong, and the log gets the line and
 * column. POSSE_ERROR_ARGUMENT: the settings are wrong, and the log gets the reason.
 */
POSSE_API posse_error posse_prior_fit(const char *path, const posse_fit *how, const posse_host *host,
                                      posse_prior **out);

/* A mixture or a kernel that was tried, and how well it predicted the held-out rows. */
typedef struct posse_fit_candidate {
    double size;  /* the number of components, or the width of the kernel */
    double score; /* in nats a row */
} posse_fit_candidate;

/* The data that a prior was fitted to, and how well it fits. Its pointers are valid until posse_prior_free. */
typedef struct posse_fit_record {
    size_t rows;              /* instances, or tasks */
    const double *table;      /* rows x arms: the observed means, NaN where there is none */
    const char *const *names; /* of the arms */
    uint64_t rewards;         /* how many there were, with plays; else 0 */
    double noise;             /* of the prior */
    double size;              /* the number of components, or the width of the kernel, of the prior */
    double score;             /* the log-likelihood of a row on average, without penalties; NaN for particles */
    const posse_fit_candidate *candidates; /* all that were tried */
    size_t candidate_count;
} posse_fit_record;

/* How a prior was fitted. POSSE_ERROR_ABSENT: it was not fitted, but made or read. */
POSSE_API posse_error posse_prior_record(const posse_prior *prior, posse_fit_record *out);

/* ============================================== 4. simulation ================================================== */

/* A family of bandit problems with a prior, and the instance of it that is being played. */
typedef struct posse_environment posse_environment;

/* Creates an environment, to be freed with posse_environment_free. Arms that are drawn at random depend on the seed. */
POSSE_API posse_error posse_environment_create(const posse_part *part, uint64_t seed, const posse_host *host,
                                               posse_environment **out);
POSSE_API void posse_environment_free(posse_environment *e);

/*
 * posse_default_def() with the arms, dimensions, points, features, prior, seed and host of this environment, which must
 * outlive the definition.
 */
POSSE_API posse_def posse_environment_def(const posse_environment *e);

/* Draws the instance of a run and resets the reward noise. A new environment is at run 0. */
POSSE_API void posse_environment_begin(posse_environment *e, uint32_t run);

/*
 * Draws the instance of the run's next task; posse_environment_begin has drawn that of the first task. Quantities that
 * are unknown but equal in all tasks of a run stay the same (`prior.mean-sd` of the environment `gaussian`), and the
 * noise continues. POSSE_ERROR_ABSENT: the environment is a log, whose rows are fixed.
 */
POSSE_API posse_error posse_environment_next_task(posse_environment *e);

/*
 * Begins the next round of an environment whose rounds have features, and writes its context. Call it before each
 * decision. The context is valid until the next call. POSSE_ERROR_ABSENT: its rounds have no features.
 */
POSSE_API posse_error posse_environment_round(posse_environment *e, posse_context *out);

/*
 * Plays a decision and returns its reward. The noise of the n-th call after posse_environment_begin is the same
 * whatever is played, so competitors that play the same run can be compared in pairs.
 */
POSSE_API double posse_environment_reward(posse_environment *e, const posse_decision *decision);

/*
 * The regret of a decision: the best arm's mean reward minus that of the arm played. Optimal arms have regret exactly 0
 * if arms are separate; on the ball, rounding errors may remain. If the environment does not have the arm, both the
 * reward and the regret are NaN.
 */
POSSE_API double posse_environment_regret(const posse_environment *e, const posse_decision *decision);

/*
 * The true mean reward of each arm in this instance (`arms` numbers) or, on the ball, theta (`dim` numbers). If rounds
 * have features, they are the means in the latest round, and NaN for arms that are not available in it.
 */
POSSE_API void posse_environment_means(const posse_environment *e, double *means);

/*
 * The learner, the arm and the regret of each round that was played: arrays with an entry per round, any of which may
 * be NULL. On the ball every arm is -1. Optimal arms have regret exactly 0 if arms are separate.
 */
typedef struct posse_trace {
    int32_t *learners;
    int32_t *arms;
    double *regrets;
} posse_trace;

/* Puts a posse before the first round of another run of its seed. No decision stays pending, and ids continue. */
POSSE_API posse_error posse_restart(posse *p, uint32_t run);

/*
 * Plays `rounds` rounds of an environment and learns each reward at once, like posse_decide, posse_environment_reward
 * and posse_learn, but without the bookkeeping of decisions: it uses no ids. It continues where the last call ended.
 * trace may be NULL. POSSE_ERROR_FIT: the environment has other arms than the posse or is a log, or a learner is
 * external. POSSE_ERROR_REWARD: a reward was outside of posse_reward_range; the rounds before it have been played.
 */
POSSE_API posse_error posse_play(posse *p, posse_environment *e, size_t rounds, const posse_trace *trace);

/*
 * A log has rounds that another policy has played, so only the reward of the logged arm is known (the environment
 * `log`). The value of a posse on a log is estimated row by row:
 *   replay  the mean reward of the rows that the posse accepts (posse_replay): Li, Chu, Langford and Wang, WSDM 2011
 *   ips     rewards of rows where the posse picks the logged arm, divided by its probability: unbiased, large variance
 *   snips   the same, divided by the sum of these weights instead of the number of rows
 *   dr      doubly robust: a regression on the earlier rows predicts the reward of the posse's arm. If that is the
 *           logged arm, the reward minus the prediction, divided by the arm's probability, is added
 */
typedef enum posse_estimate { POSSE_REPLAY = 0, POSSE_IPS = 1, POSSE_SNIPS = 2, POSSE_DR = 3 } posse_estimate;

/* The properties of a whole log. */
typedef struct posse_logbook {
    uint64_t rows;
    double least_probability; /* the smallest probability of a logged arm in any row */
    double least_reward, largest_reward;
    posse_estimate estimate; /* the option `estimate` of the environment */
} posse_logbook;

/* The log of an environment. POSSE_ERROR_ABSENT: the environment is not a log. */
POSSE_API posse_error posse_environment_logbook(const posse_environment *e, posse_logbook *out);

/*
 * What each row adds to the estimate: arrays with an entry per row, any of which may be NULL. The value is the sum of
 * the terms divided by the sum of the weights, whatever the estimate; its standard error is
 * sqrt(sum (term - value weight)^2) / sum of weights, and the effective number of rows (sum of weights)^2 / sum of
 * squared weights.
 */
typedef struct posse_appraisal {
    int32_t *learners; /* the learner that was chosen */
    int32_t *arms;     /* the arm that the posse would have played */
    double *terms;
    double *weights;
} posse_appraisal;

/*
 * Lets a posse decide in the next rows of a log. If it picks the logged arm, it accepts the row with probability (least
 * probability of the log) / (probability of this row), and learns its reward. Otherwise its state is restored, as if it
 * had not decided, except for the random numbers that it has used. So the accepted rows are rounds that the posse could
 * have played itself. A posse that learns can be evaluated, too: every row is decided by the posse as it is at that row
 * (Dudik, Erhan, Langford and Li, UAI 2012). It continues where the last call ended. out may be NULL.
 * POSSE_ERROR_ABSENT: the environment is not a log. POSSE_ERROR_ARGUMENT: the log has fewer rows left. POSSE_ERROR_FIT,
 * POSSE_ERROR_REWARD: as for posse_play, which refuses a log with POSSE_ERROR_FIT.
 */
POSSE_API posse_error posse_replay(posse *p, posse_environment *e, size_t rows, const posse_appraisal *out);

/* ============================================== 5. extension =================================================== */

/*
 * You can add kinds of your own to any family. They are used like those of the library: in applications, in experiment
 * files (as a plugin), in Python. A kind is a table of functions and constants. It begins with posse_kind, which all
 * families have in common, and continues with the functions of its family. docs/extending.md walks through one of each.
 */

/* A source of randomness that belongs to one part: the n-th draw is a pure function of seed, run, name and n. */
typedef struct posse_draw posse_draw;

POSSE_API double posse_draw_uniform(posse_draw *draw); /* in (0, 1), never 0 or 1 */
POSSE_API double posse_draw_normal(posse_draw *draw);
POSSE_API void posse_draw_normals(posse_draw *draw, double *out, size_t count);
POSSE_API double posse_draw_gamma(posse_draw *draw, double shape);      /* scale 1; shape > 0 */
POSSE_API double posse_draw_beta(posse_draw *draw, double a, double b); /* a, b > 0 */
POSSE_API double posse_draw_poisson(posse_draw *draw, double mean);    /* a count; takes two draws, whatever the mean */
POSSE_API uint64_t posse_draw_index(posse_draw *draw, uint64_t count); /* 0 .. count-1, equally likely */
POSSE_API size_t posse_draw_weighted(posse_draw *draw, const double *weights, size_t count); /* by weights >= 0 */

/* Elementary functions that give the same bits on every machine (docs/numeric-rule.md). */
POSSE_API double posse_log(double x);
POSSE_API double posse_exp(double x);
POSSE_API double posse_log_gamma(double x); /* log of the gamma function, x > 0 */

/* The arms that a part is made for. */
typedef struct posse_space posse_space;

POSSE_API int posse_space_arms(const posse_space *space);                     /* 0: the continuous ball */
POSSE_API int posse_space_dim(const posse_space *space);                      /* 0: independent arms */
POSSE_API const double *posse_space_point(const posse_space *space, int arm); /* NULL for independent arms */
POSSE_API bool posse_space_active(const posse_space *space, int arm);         /* false: retired, or no arm at all */
POSSE_API int posse_space_features(const posse_space *space); /* of an arm in a round; 0: rounds have no features */

/*
 * A round with features, as parts see it. For parts that do not look at features, arms are independent then:
 * posse_space_dim is 0.
 */
typedef struct posse_round {
    int count;              /* how many arms are available, at least 1 */
    const int *arms;        /* the indices of these arms, rising */
    int width;              /* features of an arm, posse_space_features */
    size_t stride;          /* numbers from the features of one arm to those of the next; 0: all arms have the same */
    const double *features; /* the features of the arm arms[k] begin at k * stride */
} posse_round;

/* What a part is made from: its options and its surroundings. */
typedef struct posse_setup {
    const posse_option *settings; /* one per declared parameter, in that order, defaults filled in, ranges checked */
    const posse_space *space;     /* NULL for an environment, which defines the arms */
    const posse_part *prior;      /* the environment's own belief, or NULL */
    uint64_t seed;                /* of the experiment, for quantities that are drawn once in it */
    uint64_t rounds;              /* the horizon, or 0 */
    int learners;                 /* for a selector: the number of its places for learners */
    int founders;                 /* for a selector: how many learners it begins with; 0 if it is made again later */
    int arms_before;              /* the number of arms before, if the part is made again because an arm was added or
                                     retired; else 0 */
    void *owner;                  /* for the library's use */
    bool share;                   /* for a selector: every learner learns from every reward */
} posse_setup;

/* Zeroed memory for a plan. It lives as long as the part and is freed with it. NULL: there is no memory left. */
POSSE_API void *posse_setup_allocate(const posse_setup *setup, size_t size);

/*
 * Writes to the log why the part cannot be made, and returns POSSE_ERROR_FIT, which `prepare` then returns. option: the
 * option that the message is about, or NULL; entry: the index of its entry in a list, or -1. The message has the format
 * of printf.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
POSSE_API posse_error
posse_setup_refuse(const posse_setup *setup, const char *option, int entry, const char *format, ...);

/*
 * The numbers of a POSSE_REALS setting, `count` of them. A single number is repeated. A list must have `count` numbers,
 * or the part is refused with a message that calls them `what`, for example "arms". They live as long as the plan.
 */
POSSE_API posse_error posse_setup_numbers(const posse_setup *setup, const posse_option *setting, int count,
                                          const char *what, const double **out);

/*
 * What all kinds have in common. A part consists of a *plan*, which never changes while the part runs (settings,
 * tables), and a *state*, which is everything that it has learned. A state is plain data made of 8-byte numbers
 * (double, int64_t, uint64_t) without pointers, so memcpy copies it, and writing its bytes saves it.
 */
typedef struct posse_kind {
    int version;      /* POSSE_EXTENSION_VERSION */
    const char *name; /* as written in experiment files */
    const char *help; /* one line */
    /*
     * A list that ends with a NULL name; NULL: no parameters. There are at most POSSE_OPTIONS_MAX together with those
     * of the family. A parameter of the family may be declared again, with another default and help.
     */
    const posse_param *params;
    /* Makes the plan, with posse_setup_allocate. */
    posse_error (*prepare)(const posse_setup *setup, void **plan);
    /* The bytes of a state, a multiple of 8; may be 0. */
    size_t (*state_size)(const void *plan);
    /* Writes the whole state before the first round. NULL: zeros. */
    void (*start)(const void *plan, void *state);
    /* Whether a state that was read from a file is valid for this plan. NULL: every state is. */
    bool (*sane)(const void *plan, const void *state);
    /* Whether the part can only learn from rewards in [0, 1]. NULL: no. */
    bool (*unit_rewards)(const void *plan);
    /*
     * When an arm is added or retired, every part is made again for the new set of arms. `grow` then takes over what
     * the former part has learned. Arms keep their indices, and a new arm comes last. `state` is given as before the
     * first round. A learner with `grow` promises to pick no retired arm (posse_space_active). NULL: while the part is
     * in use, arms can be neither added nor retired.
     */
    void (*grow)(const void *plan, void *state, const void *former_plan, const void *former_state);
    /* For the library's use: how runs of the part are played abreast. NULL: runs are played one by one. */
    const struct abreast_form *abreast;
} posse_kind;

/* Version 2 tables, from before contexts, are accepted too. Their fields end at the comment "Version 2 ends here". */
#define POSSE_EXTENSION_VERSION 3

/* --- learners --- */

typedef struct posse_learner_ops {
    posse_kind kind;
    /*
     * Picks an arm that is not retired, 0 .. arms-1. On the continuous ball, writes the point and returns -1. NULL: the
     * learner is external, and the application reports what it played (posse_acted). NULL beside an `act_in`: it plays
     * only where rounds have features, and is refused elsewhere (POSSE_ERROR_FIT).
     */
    int (*act)(const void *plan, void *state, posse_draw *draw, double *point);
    /* Learns from one reward; with shared data also from arms it did not pick. point: the arm's coordinates or NULL. */
    void (*learn)(const void *plan, void *state, int arm, const double *point, double reward);
    /* (Version 2 ends here.) */
    /*
     * Picks one of the available arms if rounds have features, as its place in the round, 0 .. round->count-1. `learn`
     * is then given the arm's features as its point. NULL: `act` is called instead, `learn` gets no features, and
     * picking an arm that is not available is an error.
     */
    int (*act_in)(const void *plan, void *state, posse_draw *draw, const posse_round *round);
    /* The table that replaces this one if rounds have features, with the same parameters. NULL: none does. */
    const struct posse_learner_ops *in_contexts;
    /* The rewards that the learner can learn from, further limited by unit_rewards of its kind. NULL: all. */
    posse_rewards (*rewards)(const void *plan);
    /*
     * Begins a task, the first one included (posse_next_task): keeps what holds for all tasks, and forgets what was
     * learned about the last instance. `draw` is the part's stream. A part that holds a belief calls
     * posse_belief_next_task. NULL: every task begins with the state as before the first round.
     */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_learner_ops;

/* --- beliefs --- */

/*
 * A belief is a distribution over vectors in R^dim. Arm a has coordinates x_a, a *world* is a posterior sample w, and
 * the value of arm a in it, its mean reward, is <w, x_a>. A one-hot belief has a coordinate for each arm, so w holds
 * the values themselves. Otherwise the coordinates are those of the arms' points.
 */
typedef struct posse_belief_shape {
    int dim;
    bool one_hot;
} posse_belief_shape;

/*
 * How a belief values an arm that has features x in a round. With one weight vector for all arms, the value of arm a is
 * <w, x>. With a weight vector for each arm (disjoint), it is <w_a, x>, where w_a begins in w at index a times the
 * number of features. With a logistic link, it is the sigmoid of that product plus the bias.
 */
typedef struct posse_belief_model {
    bool disjoint;
    bool logistic;
    double bias;
} posse_belief_model;

typedef struct posse_belief_ops {
    posse_kind kind;
    posse_belief_shape (*shape)(const void *plan);
    /* Learns one reward. point: the arm's coordinates, NULL for independent arms. */
    void (*update)(const void *plan, void *state, int arm, const double *point, double reward);
    /* Draws a world from the posterior. */
    void (*draw)(const void *plan, const void *state, posse_draw *draw, double *world);
    /* Adds scale times the posterior mean of a world to `world`. */
    void (*add_mean)(const void *plan, const void *state, double scale, double *world);
    /* The log of a reward's probability (density) under the posterior predictive, from which a mixture learns. */
    double (*evidence)(const void *plan, const void *state, int arm, const double *point, double reward);
    /*
     * For the option `robust`, which makes an equal mixture of the belief as given and this many variants
     * (docs/beliefs.md). `vary` writes the settings of variant 0 .. variants-1 over `settings`, a copy of
     * setup->settings, with lists from posse_setup_allocate. Numbers outside their range are then moved to its nearest
     * end. 0 and NULL: the belief has no robust form, and the option is refused.
     */
    int variants;
    posse_error (*vary)(const posse_setup *setup, int variant, posse_option *settings);
    /* The posterior mean and variance of an arm's mean reward. NULL: the belief cannot compute them. */
    void (*moments)(const void *plan, const void *state, int arm, const double *point, double *mean, double *variance);
    /* (Version 2 ends here.) */
    /* How values follow from a world, if not as described for posse_belief_shape. NULL: as described there. */
    posse_belief_model (*model)(const void *plan);
    /* As for learners. If the belief is not one-hot, the coordinates of an arm are then its features. */
    const struct posse_belief_ops *in_contexts;
    /* As for learners. */
    posse_rewards (*rewards)(const void *plan);
    /* As for learners. `draw` is the stream of the part that holds the belief; NULL: nothing can be drawn. */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
    /*
     * If a draw is the end of a Markov chain whose steps may be rejected: draws a world, and writes the share of the
     * steps that were accepted. False, or NULL: there is no chain.
     */
    bool (*acceptance)(const void *plan, const void *state, posse_draw *draw, double *out);
} posse_belief_ops;

/* A belief inside another part, which declares an option of type POSSE_PART for it. */
typedef struct posse_belief posse_belief;

/*
 * Makes the belief that a setting asks for: the part that was given or, if it was left out, the prior of the
 * environment. Call it within `prepare` and keep the result in the plan. The belief's state is posse_belief_state_size
 * bytes in the state of the part that holds it. That part's `start`, `sane`, `rewards`, `grow` and `next_task` call
 * posse_belief_start, posse_belief_sane, posse_belief_rewards, posse_belief_grow and posse_belief_next_task.
 */
POSSE_API posse_error posse_setup_belief(const posse_setup *setup, const posse_option *setting,
                                         const posse_belief **out);
POSSE_API size_t posse_belief_state_size(const posse_belief *belief);
POSSE_API void posse_belief_start(const posse_belief *belief, void *state);
POSSE_API bool posse_belief_sane(const posse_belief *belief, const void *state);
POSSE_API posse_rewards posse_belief_rewards(const posse_belief *belief);
POSSE_API bool posse_belief_unit_rewards(const posse_belief *belief); /* whether they are all in [0, 1] */
POSSE_API void posse_belief_grow(const posse_belief *belief, void *state, const posse_belief *former,
                                 const void *former_state);
POSSE_API void posse_belief_next_task(const posse_belief *belief, void *state, posse_draw *draw);
POSSE_API posse_belief_shape posse_belief_get_shape(const posse_belief *belief);
POSSE_API void posse_belief_update(const posse_belief *belief, void *state, int arm, const double *point,
                                   double reward);
POSSE_API void posse_belief_draw(const posse_belief *belief, const void *state, posse_draw *draw, double *world);
POSSE_API void posse_belief_add_mean(const posse_belief *belief, const void *state, double scale, double *world);
POSSE_API double posse_belief_evidence(const posse_belief *belief, const void *state, int arm, const double *point,
                                       double reward);

/*
 * Returns the best arm in a world among those not retired, and writes its value. On the ball it returns -1 and writes
 * the best point to `point`, which is not used otherwise.
 */
POSSE_API int posse_belief_best(const posse_belief *belief, const double *world, double *value, double *point);

/*
 * Writes the value in a world of each arm that is available in a round. Returns the place in the round of the largest
 * value, the first among equals.
 */
POSSE_API int posse_belief_values(const posse_belief *belief, const double *world, const posse_round *round,
                                  double *values);

/* --- selectors --- */

/* The outcome of a round. */
typedef struct posse_outcome {
    int learner;
    int arm;             /* -1 on the continuous ball */
    const double *point; /* the arm's coordinates or features; NULL if it has none */
    double reward;
    double probability; /* with which `choose` chose the learner in that round; importance weights divide by it */
    bool probe;         /* the selector picked the arm itself (`probe`), and no learner learns from this reward */
} posse_outcome;

/*
 * A selector has a fixed number of *places* (posse_setup.learners). Learners are admitted to places 0, 1, 2, … and may
 * be retired, after which they must not be chosen again. When no place is free, the posse makes a larger selector,
 * which adopts the state of this one.
 */
typedef struct posse_selector_ops {
    posse_kind kind;
    /* A learner takes the next free place. */
    void (*admit)(const void *plan, void *state, int learner);
    /* A learner is retired. At least one other is left. */
    void (*retire)(const void *plan, void *state, int learner);
    /*
     * Picks one of the active learners, and writes the probability of this choice given what was drawn, in (0, 1].
     * `draw` is the selector's stream, and `ties` a stream for breaking ties.
     */
    int (*choose)(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
    /* Notes that the chosen learner has picked an arm. The reward may come later, or never. */
    void (*played)(const void *plan, void *state, int learner, int arm, const double *point);
    /* Learns the reward of a round. Rewards come in any order. */
    void (*learn)(const void *plan, void *state, const posse_outcome *outcome);
    /* Takes over the whole state of a smaller selector with the same options, its learners included. */
    void (*adopt)(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
    /* The latest potentials of the first `learners` places. NULL: it has none. */
    void (*potentials)(const void *plan, const void *state, int learners, double *out);
    /* posse_play_weight and posse_charge_share, with this number of active learners. NULL: always 1. */
    double (*play_weight)(const void *plan, double learners, double rounds);
    double (*charge_share)(const void *plan, double learners, double rounds, double plays);
    /* posse_play_discount. NULL: 1. */
    double (*play_discount)(const void *plan);
    /* The probability of each of the first `learners` places in the latest choice. NULL: the rule draws nothing. */
    void (*probabilities)(const void *plan, const void *state, int learners, double *out);
    /* How many rewards were outside its range, the option of type POSSE_RANGE. NULL: it has no range. */
    double (*clipped)(const void *plan, const void *state);
    /* The belief that it decides by, and the address of the belief's state. NULL: it has none. */
    const posse_belief *(*belief)(const void *plan, const void *state, const void **belief_state);
    /* Its belief learns a reward that no learner is charged for. NULL: it learns nothing from such a reward. */
    void (*teach)(const void *plan, void *state, int arm, const double *point, double reward);
    /* The regret of each learner's past plays in a world of its belief. NULL: it does not store plays. */
    void (*regrets)(const void *plan, const void *state, const double *world, int learners, double *out);
    /*
     * Called in every round before the chosen learner acts. Returns the arm to play instead of the learner's, which
     * must not be retired, or -1 to let the learner pick. A round with such an arm is a probe: it counts as a play of
     * the learner, but no learner learns from its reward, not even with shared data. NULL: learners always pick.
     */
    int (*probe)(const void *plan, void *state, int learner, posse_draw *draw);
    /* How far the rewards contradict its belief (posse_surprise). False, or NULL: it has no such measure. */
    bool (*surprise)(const void *plan, const void *state, double *out);
    /* (Version 2 ends here.) */
    /*
     * Takes the place of `played` if rounds have features: the learner has picked the arm at `place` of the round.
     * NULL: `played` is called, with the arm's features as its point.
     */
    void (*played_in)(const void *plan, void *state, int learner, const posse_round *round, int place,
                      posse_draw *draw);
    /*
     * Whether the selector needs the picks of all learners, if rounds have features. NULL: no, only the chosen learner
     * is asked.
     */
    bool (*considers)(const void *plan);
    /*
     * Takes the place of `played_in` if `considers` is true: learner i picks the arm at picks[i] of the round, or was
     * not asked (-1).
     */
    void (*considered)(const void *plan, void *state, const posse_round *round, const int *picks, posse_draw *draw);
    /* As for learners. */
    const struct posse_selector_ops *in_contexts;
    posse_rewards (*rewards)(const void *plan);
    /* As for learners. Afterwards all learners of the posse take their places again, by `admit` and `retire`. */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_selector_ops;

/* --- environments --- */

/* The arms of an environment. The fields have the same meaning as in posse_def. */
typedef struct posse_arm_set {
    int arms, dim;
    const double *points;
} posse_arm_set;

/* What was logged in a row of a log. */
typedef struct posse_logged {
    int arm; /* one of the arms that are available in the row */
    double reward;
    double probability; /* of the arm, above 0 */
} posse_logged;

/* The plan is the family of problems, the state one instance of it. */
typedef struct posse_environment_ops {
    posse_kind kind;
    posse_arm_set (*arms)(const void *plan);
    /* The belief that is this environment's own prior; kind NULL: there is none, as for a single fixed instance. */
    posse_part (*prior)(const void *plan);
    /* Draws an instance. space has the arms. */
    void (*begin)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
    /*
     * The reward of a round. It takes the same number of draws of the noise whatever is played, so that all competitors
     * get the same noise. If means change over time, they change here, before the reward is drawn, by draws that do not
     * depend on the arm.
     */
    double (*reward)(const void *plan, void *instance, int arm, const double *point, posse_draw *noise);
    /* The best arm's mean minus this one's, in the round of the latest reward. */
    double (*regret)(const void *plan, const void *instance, int arm, const double *point);
    /* The mean of each arm, or theta on the ball. */
    void (*means)(const void *plan, const void *instance, const posse_space *space, double *out);
    bool moves; /* mean rewards may change from round to round */
    /* (Version 2 ends here.) */
    /*
     * For rounds with features: `arms` then has no points, and its dim is the number of features. Draws the features of
     * the next round and stores them in the instance, to which the round points. `reward` and `regret` are those of
     * this round, with the features of the arm as its point. NULL: rounds have no features.
     */
    void (*bring)(const void *plan, void *instance, posse_draw *draw, posse_round *round);
    /*
     * Whether the features are one vector that all arms share, in which case the stride of rounds is 0. False, or NULL:
     * each arm has its own.
     */
    bool (*shares)(const void *plan);
    /*
     * For logs: rounds are rows, `bring` moves to the next row, and `reward` is that of the logged arm. NULL: the
     * environment is not a log.
     */
    posse_logbook (*logbook)(const void *plan);
    posse_logged (*logged)(const void *plan, const void *instance); /* the latest row */
    /* What a regression on the earlier rows predicts for an arm of this row. Called if the estimate is POSSE_DR. */
    double (*expected)(const void *plan, const void *instance, int arm, const double *point);
    /*
     * Draws the instance of the next task (posse_environment_next_task), and keeps what `begin` has drawn for all tasks
     * of the run. NULL: `begin` draws the instance, and tasks have nothing in common but the prior.
     */
    void (*next_task)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
} posse_environment_ops;

/*
 * Each call adds a kind for the whole process. The table is not copied, so it must outlive every use. Register before
 * other threads use the library.
 */
POSSE_API posse_error posse_learner_register(const posse_learner_ops *ops);
POSSE_API posse_error posse_belief_register(const posse_belief_ops *ops);
POSSE_API posse_error posse_selector_register(const posse_selector_ops *ops);
POSSE_API posse_error posse_environment_register(const posse_environment_ops *ops);

/*
 * A plugin of the program (--plugin FILE.so) exports one or more of these lists, each ended by NULL:
 *     const posse_learner_ops *const posse_plugin_learners[];
 *     const posse_belief_ops *const posse_plugin_beliefs[];
 *     const posse_selector_ops *const posse_plugin_selectors[];
 *     const posse_environment_ops *const posse_plugin_environments[];
 */

#ifdef __cplusplus
}
#endif

#endif
