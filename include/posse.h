/*
 * posse: Bayesian online model selection.
 *
 * A bandit learner picks arms and learns from rewards. Given several learners, a posse plays them as one: each
 * round its selector picks a learner, the learner picks an arm, and the reward teaches both.
 *
 * This header is ordered by reader:
 *   1. hello       create, decide, learn, free
 *   2. the object  late rewards, saving, adding and retiring learners and arms, looking inside
 *   3. options     what kinds there are and what they can be told
 *   4. simulation  environments that draw instances and pay rewards (posse_abreast.h plays many runs at once)
 *   5. extension   learners, beliefs, selectors and environments of your own
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

/* ================================================ 1. hello ===================================================== */

/* The result of a call. The values are pinned: they never change meaning. */
typedef enum posse_error {
    POSSE_OK = 0,
    POSSE_ERROR_ARGUMENT = 1, /* a null pointer, or a number that makes no sense there */
    POSSE_ERROR_KIND = 2,     /* no kind of that name */
    POSSE_ERROR_OPTION = 3,   /* an unknown option, or a value of the wrong type or out of range */
    POSSE_ERROR_FIT = 4,      /* parts that do not fit each other or these arms */
    POSSE_ERROR_MEMORY = 5,   /* the allocator has no memory left */
    POSSE_ERROR_REWARD = 6,   /* not finite, beyond 1e100, or outside of what can be learned from, as [0, 1] is */
    POSSE_ERROR_UNKNOWN = 7,  /* no decision that this posse knows has that id */
    POSSE_ERROR_SETTLED = 8,  /* that decision already has its reward, or was forgotten */
    POSSE_ERROR_LEARNER = 9,  /* no such learner, or one that cannot be retired */
    POSSE_ERROR_NAME = 10,    /* a name that is taken, empty or not UTF-8 */
    POSSE_ERROR_BUFFER = 11,  /* the buffer is too small; the length needed was written */
    POSSE_ERROR_DAMAGED = 12, /* not a saved posse, or one that was cut short or altered */
    POSSE_ERROR_VERSION = 13, /* a saved posse or an extension of another version */
    POSSE_ERROR_ABSENT = 14,  /* this selector has no such quantity, or there is no such way to play */
    POSSE_ERROR_FULL = 15,    /* no room for another registered kind */
    POSSE_ERROR_ARM = 16,     /* no such arm, or one that cannot be retired */
    POSSE_ERROR_UNTOLD = 17,  /* that decision's learner is external and has not said what it played (posse_acted) */
    POSSE_ERROR_CONTEXT = 18  /* a context that this posse cannot decide in, or none where it needs one */
} posse_error;

/* The name of an error ("POSSE_ERROR_REWARD") and one sentence about it. Never NULL, not to be freed. */
POSSE_API const char *posse_error_name(posse_error error);
POSSE_API const char *posse_error_text(posse_error error);

/* The library's version, "MAJOR.MINOR.PATCH". */
POSSE_API const char *posse_version(void);

/*
 * The name of the inner loops that the library runs: "scalar", "baseline", "avx2" or "avx512". They are the fastest
 * that the processor has, unless the environment variable POSSE_ISA names others before the library is first used.
 * NULL: POSSE_ISA names loops that do not exist or that the processor cannot run; then nothing can be created. Results
 * are the same bits with all of them.
 */
POSSE_API const char *posse_kernels(void);

typedef struct posse_part posse_part;

/*
 * One option of a part. The option's declared type (section 3) says which fields are read:
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
    const char *name; /* learners: UTF-8, unique in a posse, the seed of its randomness; NULL: made from the kind */
    posse_option options[POSSE_OPTIONS_MAX];
};

/*
 * Memory. `resize` behaves like realloc; `size` 0 frees, and then it must return NULL. All memory of an object comes
 * from it. Only lookup tables, which equal learners, beliefs and selectors share in all objects of a process, come from
 * the C heap: some 10 to 40 KB for each that differs, at most 512 of them. They are freed with the last object that
 * uses them.
 */
typedef struct posse_allocator {
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} posse_allocator;

/*
 * A place in a description: a step, and the steps that lead to it. learners[1].belief.sd is the step "sd" in the step
 * "belief" in the step "learners" of index 1. Options with a dot in their name are one step: "prior.mean".
 */
typedef struct posse_place {
    const struct posse_place *outer; /* NULL: this is the first step */
    const char *name;                /* of a part or an option */
    int index;                       /* of an entry in a list, from 0; -1: the step is no entry of a list */
} posse_place;

/* Writes a place as text, "learners[1].belief.sd", cut to size bytes with its end; returns its full length. */
POSSE_API size_t posse_place_text(const posse_place *place, char *text, size_t size);

/*
 * Receives a message for each error: what is wrong, what would be right, and where. The message does not repeat the
 * place, which is NULL where there is no particular one; both are valid only during the call.
 */
typedef struct posse_logger {
    void (*write)(void *context, const posse_place *place, const char *message);
    void *context;
} posse_logger;

/* What the application lends the library. Both may be left zero: then the C heap is used, and nothing is logged. */
typedef struct posse_host {
    posse_allocator allocator;
    posse_logger log;
} posse_host;

/*
 * What a posse is made of. Start from posse_default_def() and fill in the rest; posse_create copies all of it.
 * Arms are independent (arms > 0, dim 0), points in R^dim whose mean rewards are linear in them (arms > 0, dim > 0,
 * points), or every point of the unit ball of R^dim (arms 0, dim > 0). Without any (arms 0, dim 0) there are only
 * learners and their rewards: learners are external then, and the selector one that needs no belief.
 *
 * Or every round brings features (posse_decide_in): `dim` numbers for each arm (arms > 0, dim > 0, no points),
 * `context` numbers that hold for all arms, or both. Then arms are those that there ever are; a round may have fewer.
 */
typedef struct posse_def {
    int arms;
    int dim;
    const double *points;       /* arms x dim, row by row */
    int context;                /* default 0 */
    posse_part prior;           /* the belief that selector and learners start from unless they bring their own */
    posse_part selector;        /* default: bms-plus (below). kind NULL: none, for a learner alone */
    const posse_part *learners; /* at least one */
    int learner_count;
    uint64_t seed;   /* default 1; nothing is ever seeded from the clock */
    uint32_t run;    /* which replication of that seed; default 0 */
    uint64_t rounds; /* the horizon, for selectors that need one; default 0: not known */

    /* What becomes of decisions that stay without a reward (posse_expire). */
    uint64_t expire_after; /* they expire when so many later decisions have been made; default 0: never */
    bool expire_learns;    /* as if expire_reward had come; otherwise they are forgotten */
    double expire_reward;

    uint32_t propensity_draws; /* default 0; above it, at most 10000: decisions have a propensity, estimated so */
    posse_host host;
} posse_def;

/* The arm of a decision whose learner is external: the application acts, and says so with posse_acted. */
#define POSSE_ARM_UNTOLD (-2)

typedef struct posse_decision {
    uint64_t id;         /* counts from 1; of a posse that was loaded, from elsewhere (posse_load) */
    int learner;         /* who decided, by place in the list of learners */
    int arm;             /* what to play; -1 on the continuous ball: play `point`; or POSSE_ARM_UNTOLD */
    double probability;  /* with which the selector chose this learner given what it had drawn, in (0, 1] */
    const double *point; /* the arm's coordinates, valid until the next call; NULL for independent arms */
    bool probe;          /* the selector named the arm itself, and no learner will learn from its reward */
    double propensity;   /* of the arm. With a floor (an option of every selector) it is exact, given what was drawn
                            before: 1 - floor + floor / K for the arm that the learner picked, floor / K for each other
                            of the K arms there are. Otherwise, if posse_def.propensity_draws asks for it, estimated:
                            this decision is counted as one more draw, so that it is never 0. Otherwise 0 */
    bool floor;          /* the floor drew the arm, and the learner would have picked another: no learner is charged for
                            the play, and all learn from its reward */
} posse_decision;

/*
 * What a round is like, where rounds bring features. It is read during the call and not kept.
 * The features of an arm are its own `dim` numbers and behind them the `context` shared ones.
 */
typedef struct posse_context {
    int count;            /* how many arms there are in this round; 0, and arms NULL: all that are not retired */
    const int *arms;      /* which these are, rising; NULL: 0 .. count-1 */
    const double *shared; /* posse_def.context numbers; NULL where that is 0 */
    const double *points; /* posse_def.dim numbers of each arm that is there, row by row; NULL where that is 0 */
} posse_context;

/* The object an application holds: a selector with its learners. */
typedef struct posse posse;

/*
 * Every field set to its default. The selector is `bms-plus`: `bms` with patience 40, commitment 0 and shared data as
 * its defaults. The paper's Algorithm 1 is `bms` without options.
 */
POSSE_API posse_def posse_default_def(void);

/* Makes a posse in *out, to be freed with posse_free. On an error *out is NULL and def->host.log was told why. */
POSSE_API posse_error posse_create(const posse_def *def, posse **out);

/*
 * Decides the next round. The decision stays pending until posse_learn or posse_forget is called with its id.
 * POSSE_ERROR_ARM: a learner that is an extension picked an arm that does not exist or is retired. Its stream has
 * advanced by what it drew, but no round was played.
 *
 * A decision that never gets its reward is one from which nothing is learned: say learn(id, 0) for what did not happen,
 * a visitor who did not click. Forget those of which nothing will ever be known.
 */
POSSE_API posse_error posse_decide(posse *p, posse_decision *decision);

/*
 * posse_decide where rounds bring features: there is no other way then, and only then is there this one.
 * POSSE_ERROR_CONTEXT: the log is told what is wrong with the context. (A learner that is an extension and knows
 * nothing of contexts needs every arm in every round: POSSE_ERROR_ARM otherwise.)
 */
POSSE_API posse_error posse_decide_in(posse *p, const posse_context *context, posse_decision *decision);

/* Gives a pending decision its reward. Rewards may come late and in any order, but only once for each decision. */
POSSE_API posse_error posse_learn(posse *p, uint64_t id, double reward);

/*
 * Says that a pending decision's reward will never come. The play itself still counts as made. (A learner treats an arm
 * without any reward as one it has not tried; ucb and epsilon-greedy try such an arm again, but less and less often.)
 */
POSSE_API posse_error posse_forget(posse *p, uint64_t id);

/* Frees everything. p may be NULL. */
POSSE_API void posse_free(posse *p);

/* ============================================== 2. the object ================================================== */

/*
 * What an external learner has played in a pending decision: to be said before posse_learn, and once. On the ball it is
 * a point. Until then the selector does not know of the play. The arm may be a retired one. POSSE_ERROR_SETTLED: its
 * arm is known already. POSSE_ERROR_ARM: there is no such arm. Where rounds bring features, the context is that of the
 * decision; POSSE_ERROR_CONTEXT: the arm is not in it.
 */
POSSE_API posse_error posse_acted(posse *p, uint64_t id, int arm);
POSSE_API posse_error posse_acted_at(posse *p, uint64_t id, const double *point);
POSSE_API posse_error posse_acted_in(posse *p, uint64_t id, const posse_context *context, int arm);

/*
 * Teaches a reward that no decision of this posse made: history, or another system's. All learners and the selector's
 * belief learn it; no learner is charged for the play. On the ball there is a point in place of the arm.
 */
POSSE_API posse_error posse_teach(posse *p, int arm, double reward);
POSSE_API posse_error posse_teach_at(posse *p, const double *point, double reward);
POSSE_API posse_error posse_teach_in(posse *p, const posse_context *context, int arm, double reward);

/* A decision without a reward so far. */
typedef struct posse_pending {
    uint64_t id;
    uint64_t age; /* how many decisions have been made since */
    int learner;
    int arm;             /* as in the decision */
    const double *point; /* the arm's coordinates, valid until the next call; NULL for independent arms */
    double probability;
    bool probe;
    double propensity;
    bool floor;
} posse_pending;

/* How many decisions have been made in all, and how many are pending. */
POSSE_API uint64_t posse_decisions(const posse *p);
POSSE_API size_t posse_pending_count(const posse *p);

/* The pending decision of an id. POSSE_ERROR_UNKNOWN, POSSE_ERROR_SETTLED: it is not pending. */
POSSE_API posse_error posse_pending_find(const posse *p, uint64_t id, posse_pending *out);

/* All of them, the oldest first. list: room for posse_pending_count entries. */
POSSE_API posse_error posse_pending_list(const posse *p, posse_pending *list);

/*
 * Makes room for so many more, so that as many decisions, if nothing is settled in between, do not want for memory
 * half-way. (With posse_def.propensity_draws each of them takes some for itself, and gives it back.) 0: gives back what
 * was reserved and is not needed.
 */
POSSE_API posse_error posse_pending_reserve(posse *p, size_t decisions);

/*
 * Lets those expire since which more than `age` decisions have been made, the oldest first: they are forgotten or,
 * where posse_def.expire_learns says so, learn posse_def.expire_reward (if an external learner has not said what it
 * played, they are forgotten in any case). *expired: how many; may be NULL.
 */
POSSE_API posse_error posse_expire(posse *p, uint64_t age, size_t *expired);

/*
 * Writes the whole posse, pending decisions included, into buffer (of *length bytes) and sets *length to the bytes
 * written. A NULL buffer only asks for the length. The format is versioned, checksummed and little-endian, the same
 * on every machine; a posse loaded from it makes the decisions this one would have made. Of two posses that know the
 * same, the bytes are the same. What a released version has saved, every later one loads.
 */
POSSE_API posse_error posse_save(const posse *p, void *buffer, size_t *length);

/*
 * Makes a posse from a saved one, which is rejected whole when it is damaged; the log is told why. host may be NULL.
 *
 * The posse that was saved may have gone on and then been lost, and rewards for decisions that only it knew may still
 * arrive. So ids of decisions made from now on are of a new *epoch*: an id is epoch * 2^32 + number of the decision.
 * The epoch is a random number of the operating system, the one thing in this library that is not determined by what it
 * is given; nothing else depends on it. Decisions that were pending when it was saved still are; for any other of an
 * earlier epoch there is POSSE_ERROR_UNKNOWN, also if it had its reward before. POSSE_ERROR_ABSENT: the system has no
 * random number.
 */
POSSE_API posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out);

/*
 * The same without a new epoch: ids go on as those of the saved posse would have. Only for a host that keeps a record
 * of every decision itself, and replays what came after: a server, a replica.
 */
POSSE_API posse_error posse_load_exact(const void *buffer, size_t length, const posse_host *host, posse **out);

/* The epoch, 0 for a posse that was created, and a new one, below 2^31, that no pending decision has. */
POSSE_API uint32_t posse_epoch(const posse *p);
POSSE_API posse_error posse_set_epoch(posse *p, uint32_t epoch);

/*
 * Adds a learner to a posse that is in use; its place in the list is written to *place, if that is not NULL. The rest
 * of the current batch is dropped. The selector decides when the new learner plays (docs/selectors.md): with B-MS it
 * plays next, after others that have not played yet. There may be 4096 learners in all, retired ones included.
 */
POSSE_API posse_error posse_learner_add(posse *p, const posse_part *learner, int *place);

/*
 * Retires a learner: it is never chosen again. Its place in the list and its name stay taken. The memory of a learner
 * that was added later is freed; learners that the posse was created (or loaded) with share its memory.
 * Rewards of its pending decisions still teach the belief of B-MS (other selectors ignore them) and, with shared data,
 * the other learners. The last active learner cannot be retired.
 */
POSSE_API posse_error posse_learner_retire(posse *p, int place);

/* How many learners there have been, retired ones included; the name at a place (NULL: no such place). */
POSSE_API int posse_learner_count(const posse *p);
POSSE_API const char *posse_learner_name(const posse *p, int place);
POSSE_API bool posse_learner_active(const posse *p, int place);

/*
 * Adds an arm to a posse that is in use; its index, which is posse_arms() before the call, is written to *arm, if that
 * is not NULL. point: its coordinates, NULL for independent arms and where rounds bring features. The rest of the
 * current batch is dropped. Beliefs and learners begin with what their prior says of it; all else that was learned
 * stays. POSSE_ERROR_FIT, and the log is told which part it is: the ball has all its points already, or a part cannot
 * go on, because its kind has no such thing or because an option lists a number for each arm, which says nothing of a
 * newcomer. A posse that was made without arms stays so. There may be 1000000 arms in all, retired ones included.
 */
POSSE_API posse_error posse_arm_add(posse *p, const double *point, int *arm);

/*
 * Retires an arm: it is never picked again, and its index stays taken. Rewards of its pending decisions still teach.
 * B-MS compares with the best arm there is left and still charges past plays of a retired arm by its value in the world
 * drawn, so that plays of an arm better than all that are left are a credit. The last active arm cannot be retired.
 * POSSE_ERROR_FIT: a part cannot go on without it, as told to the log; `fixed` learners that play it retire first.
 */
POSSE_API posse_error posse_arm_retire(posse *p, int arm);
POSSE_API bool posse_arm_active(const posse *p, int arm);

/*
 * Begins the next task: another instance, which is like those before. Beliefs that learn across tasks (`hierarchical`,
 * and a mixture with such a component) keep what they have learned of all tasks; all else, learners, selector and the
 * counts of plays, begins as if new, while random streams and ids go on. Decisions of the last task that have no reward
 * yet are forgotten, since what they would tell is about an instance that is gone: learn them, or let them expire,
 * before.
 */
POSSE_API posse_error posse_next_task(posse *p);

/* How many arms there have been, retired ones included, and the dimension of the space they are in. 0: as in posse_def.
 */
POSSE_API int posse_arms(const posse *p);
POSSE_API int posse_dim(const posse *p);

/* How many features an arm has in a round: posse_def.dim and posse_def.context together where rounds bring them; else
 * 0.
 */
POSSE_API int posse_features(const posse *p);
POSSE_API int posse_shared_features(const posse *p); /* posse_def.context */

/* Rewards from `low` to `high`, both included. */
typedef struct posse_rewards {
    double low, high;
} posse_rewards;

/* What it can learn from: all rewards up to 1e100 either way, or as learners and the selector's belief need it. */
POSSE_API posse_rewards posse_reward_range(const posse *p);

/* Whether it can only learn from rewards in [0, 1]. */
POSSE_API bool posse_unit_rewards(const posse *p);

/*
 * How often each learner has been chosen and has picked the arm, in this task: a decision whose arm the floor drew is
 * not counted. plays has posse_learner_count entries.
 */
POSSE_API posse_error posse_plays(const posse *p, uint64_t *plays);

/*
 * The selector's potential of each learner; it chooses the smallest. For B-MS, a potential is the regret that the
 * learner's past plays would have in the world drawn for the latest choice, divided as its patience says, which is
 * below 0 for many plays of a retired arm that was better; for d3rb,
 * ed2rb, balancing and dynamic-balancing, it is the regret bound that the learner has used up. It is infinite for
 * learners that are retired, that `balancing` has dropped, or that are not active in `dynamic-balancing`. potentials
 * has posse_learner_count entries. POSSE_ERROR_ABSENT: this selector has no potentials.
 */
POSSE_API posse_error posse_potentials(const posse *p, double *potentials);

/*
 * How the potentials of B-MS weigh plays, for those who compute them in another world: what a play counts if so many
 * rounds were played before it, and what the regret of a learner's plays is multiplied with, where `plays` is the sum
 * of what they count. After every play, what all plays so far count is multiplied by the discount. All three are 1 for
 * Algorithm 1 and for the other selectors; they hold while no learner is added or retired, and no arm is added.
 */
POSSE_API double posse_play_weight(const posse *p, double rounds);
POSSE_API double posse_charge_share(const posse *p, double rounds, double plays);
POSSE_API double posse_play_discount(const posse *p);

/*
 * The probability with which the latest choice could take each learner, given what the selector had drawn before: the
 * decision's own probability and those of the other learners, 0 for a learner that was added later. For corral,
 * stochastic-corral, exp3p and uniform these are the learners' propensities. The other selectors draw a world first, or
 * nothing, so that theirs are not. probabilities has posse_learner_count entries. POSSE_ERROR_ABSENT: no learner has
 * been chosen yet.
 */
POSSE_API posse_error posse_probabilities(const posse *p, double *probabilities);

/* How many rewards lay outside the selector's `range` and were clipped to it. POSSE_ERROR_ABSENT: it has no range. */
POSSE_API posse_error posse_clipped(const posse *p, uint64_t *rewards);

/*
 * What the selector's belief expects of each arm (`arms` numbers), or, on the ball, of theta (`dim` numbers).
 * POSSE_ERROR_ABSENT: it has no belief.
 */
POSSE_API posse_error posse_means(const posse *p, double *means);

/*
 * The standard deviation of each arm's mean reward in the selector's belief. POSSE_ERROR_ABSENT: it has no belief, one
 * of a kind that cannot tell, or is on the ball.
 */
POSSE_API posse_error posse_deviations(const posse *p, double *deviations);

/* The same of the arms of a context: as many numbers as arms are in it. (Where rounds bring features, the calls without
 * one are POSSE_ERROR_CONTEXT.) */
POSSE_API posse_error posse_means_in(const posse *p, const posse_context *context, double *means);
POSSE_API posse_error posse_deviations_in(const posse *p, const posse_context *context, double *deviations);

/* The posterior weights of a mixture, if that (or a robust belief, which is one) is the selector's belief: how many
 * components there are, 0 for another belief, and the weight of each. Of a hierarchical belief, those of its spreads.
 * POSSE_ERROR_ABSENT: it is neither. */
POSSE_API int posse_component_count(const posse *p);
POSSE_API posse_error posse_weights(const posse *p, double *weights);

/*
 * The regret that each learner's past plays would have if the selector's belief were right in its mean; undivided,
 * whatever the patience. regrets has posse_learner_count entries. POSSE_ERROR_ABSENT: the selector keeps no plays.
 */
POSSE_API posse_error posse_regrets(const posse *p, double *regrets);

/*
 * The probability that an arm is best, as the share of so many worlds drawn from the selector's belief. They come from
 * a stream of their own: decisions stay what they are. POSSE_ERROR_ABSENT: it has no belief, or is on the ball.
 */
POSSE_API posse_error posse_best_probabilities(const posse *p, uint32_t draws, double *probabilities);

/*
 * Propensities: the probability with which each learner, and each arm, would be chosen next, estimated by playing the
 * next choice so many times from a stream of its own (decisions stay what they are). Arrays of posse_learner_count and
 * posse_arms numbers; any may be NULL. `..._error` are standard errors of the estimates. What external learners would
 * play is not known and not counted. POSSE_ERROR_ABSENT: arms are asked for, but there is only the ball.
 */
typedef struct posse_propensity {
    double *learners, *learner_errors;
    double *arms, *arm_errors;
} posse_propensity;
POSSE_API posse_error posse_propensities(const posse *p, uint32_t draws, const posse_propensity *out);
POSSE_API posse_error posse_propensities_in(const posse *p, const posse_context *context, uint32_t draws,
                                            const posse_propensity *out);

/* posse_def.propensity_draws, which a posse that was loaded has, too. */
POSSE_API uint32_t posse_propensity_draws(const posse *p);

/*
 * How far the rewards so far speak against the selector's belief: the log of their probability under the belief's
 * robust form less that under the belief as it is given, a log Bayes factor. Above 0 they speak against it: if the
 * belief is right, it ever exceeds log(20) = 3.0 with a probability of at most 1 in 20. It never falls below minus the
 * log of the number of components of the robust form (docs/beliefs.md). A robust belief knows it at no cost; another
 * one must be watched (option `watch` of bms). POSSE_ERROR_ABSENT: it is not watched, or the selector has no belief.
 */
POSSE_API posse_error posse_surprise(const posse *p, double *surprise);

/*
 * Where worlds of the selector's belief are drawn by a chain (logistic, inference langevin): the share of its steps
 * that were taken, over so many draws, which change no decision. Around 0.6 to 0.95 is usual; far below, the chain
 * hardly moves, and more steps are needed. POSSE_ERROR_ABSENT: there is no chain.
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
    POSSE_PART = 6,  /* a belief, or left out: the prior of the environment */
    POSSE_PARTS = 7, /* beliefs with a weight each */
    POSSE_RANGE = 8, /* [lowest, highest] */
    POSSE_TEXT = 9,  /* any text, in `word` */
    POSSE_NAMES = 10 /* names separated by commas, in `word`; in experiment files a list, or a single one */
} posse_type;

/* Flags of a parameter, beside its type and range. */
enum {
    POSSE_REQUIRED = 1,   /* there is no default */
    POSSE_OPTIONAL = 2,   /* may be absent; there is no default either */
    POSSE_ABOVE = 4,      /* `low` itself is excluded */
    POSSE_BELOW = 8,      /* `high` itself is excluded */
    POSSE_INHERITED = 16, /* the default is the prior's option of the same name, and `fallback` where it has none */
    POSSE_PATH = 32,      /* the text is the path of a file. In an experiment file it begins in that file's folder */
    POSSE_KEPT = 64       /* of a selector: a posse saves the default, too, because another version may have another */
};

/*
 * The one declaration of a parameter. Experiment files, `posse list`, the checks of posse_create and the docs all
 * come from it. A dot in the name is nesting in experiment files: `prior.mean` is written `prior: {mean: 0}`.
 */
typedef struct posse_param {
    const char *name; /* NULL ends a list of parameters */
    posse_type type;
    unsigned flags;
    double fallback;           /* the default of a number, count, flag or list */
    const char *fallback_word; /* the default of a word, text or names, or of a number or count that is a word */
    const double *fallbacks;   /* the default of a range: its two numbers */
    double low, high;          /* inclusive, and for each number of a list; both 0: without bounds */
    const char *words;         /* "ball|sphere": the words of a POSSE_WORD, or what a number or count may be instead */
    const char *excludes;      /* what the names that cannot be given beside it begin with, "sd|corr", or NULL */
    const char *help;
} posse_param;

/*
 * The default of a parameter, as an option with that value; for a POSSE_PART the word "environment". False: there is no
 * default. posse_part_resolve fills in defaults that are inherited.
 */
POSSE_API bool posse_param_default(const posse_param *param, posse_option *out);

/*
 * How many kinds a family has, registered ones included; the index of the kind of that name (-1: there is none); the
 * name, the help line and the own parameters of one.
 */
POSSE_API int posse_kind_count(posse_family family);
POSSE_API int posse_kind_find(posse_family family, const char *name);
POSSE_API const char *posse_kind_name(posse_family family, int index);
POSSE_API const char *posse_kind_help(posse_family family, int index);
POSSE_API const posse_param *posse_kind_params(posse_family family, int index);

/* What a kind can do that others of its family cannot; it follows from its table (section 5). */
enum {
    POSSE_BELIEVES = 1, /* selectors: it has a belief about the arms (posse_means) */
    POSSE_CLIPS = 2,    /* selectors: it has a range, and counts the rewards outside (posse_clipped) */
    POSSE_MOVES = 4,    /* environments: mean rewards may change from round to round */
    POSSE_EXTERNAL = 8, /* learners: the application acts (posse_acted) */
    POSSE_LOGGED = 16 /* environments: rounds are rows of a log, and there is value instead of regret (posse_replay) */
};
POSSE_API unsigned posse_kind_traits(posse_family family, int index);

/*
 * "environment", "belief", …; and the parameters that every kind of a family has (an empty list for most). A kind may
 * declare some of them itself, with another default: its own declaration holds then.
 */
POSSE_API const char *posse_family_name(posse_family family);
POSSE_API const posse_param *posse_family_params(posse_family family);

/* The parameter of that name as a kind has it: its own, or else its family's. NULL: there is none. */
POSSE_API const posse_param *posse_kind_param(posse_family family, int index, const char *name);

/*
 * Checks a part by itself: its kind, and its options against their declarations (their types and ranges, what is
 * missing, what cannot be given together), parts inside of it included. Every problem is told to the log, which may be
 * NULL, at its place in the part. Only posse_create can tell whether the part fits the arms.
 */
POSSE_API posse_error posse_part_check(posse_family family, const posse_part *part, const posse_logger *log);

/*
 * The part with all of its options: *out has them in the order of their declaration, the kind's own and then the
 * family's, with defaults filled in; inherited defaults come from the prior (NULL: there is none). An option is absent
 * only if it has no default, or if an option that was given excludes it. Parts inside are copied as they were given;
 * they can be resolved by calls of their own. What *out points to belongs to the part, the prior and the declarations.
 * out may be the part.
 */
POSSE_API posse_error posse_part_resolve(posse_family family, const posse_part *part, const posse_part *prior,
                                         const posse_logger *log, posse_part *out);

/* The option of that name among those of a part, and the first one of a type by the kind's declarations; or NULL. */
POSSE_API const posse_option *posse_part_option(const posse_part *part, const char *name);
POSSE_API const posse_option *posse_part_option_of_type(posse_family family, const posse_part *part, posse_type type);

/* ------------------------------------------- priors in files and from data ------------------------------------- */

/* A belief that was read from a file, or fitted to data. docs/priors.md */
typedef struct posse_prior posse_prior;

/*
 * Reads a prior from a file of YAML, as `posse prior fit` writes it: the kind of a belief and its options, in the words
 * of experiment files. *out is to be freed with posse_prior_free. POSSE_ERROR_FIT: it cannot be read, or is wrong; the
 * log was told "FILE:LINE:COLUMN: what is wrong". host may be NULL.
 */
POSSE_API posse_error posse_prior_read(const char *path, const posse_host *host, posse_prior **out);

/* The same from a text in memory; the path is for messages and for files that it names. */
POSSE_API posse_error posse_prior_read_text(const char *path, const char *text, size_t length, const posse_host *host,
                                            posse_prior **out);
POSSE_API void posse_prior_free(posse_prior *prior);

/* The belief, valid until posse_prior_free, to be given to whatever takes one: def.prior = *posse_prior_part(prior). */
POSSE_API const posse_part *posse_prior_part(const posse_prior *prior);

/* How many arms it is about; 0: as many as there are. */
POSSE_API int posse_prior_arms(const posse_prior *prior);

/* Writes the text that posse_prior_read reads, cut to size bytes with its end; returns its full length. */
POSSE_API size_t posse_prior_text(const posse_prior *prior, char *text, size_t size);

/* How a prior is fitted. Start from posse_default_fit(). */
typedef struct posse_fit {
    const char *kind; /* "gaussian", "mixture" (the default) or "particles" */
    int components;   /* of a mixture; 0, the default: as many as predict rows best that were held out */
    double noise;     /* standard deviation of a reward around its mean. 0, the default: with plays it is estimated,
                         else 1 */
    uint64_t seed;    /* of the rows held out and of where EM begins; default 1 */
    bool plays;       /* the file has a row for each reward (below); default: one for each instance */
    const char *task, *arm, *reward;               /* then, its columns; default "task", "arm" and "reward" */
    void (*progress)(void *context, double share); /* is told what share of the work is done; NULL: nobody is */
    void *context;
} posse_fit;

POSSE_API posse_fit posse_default_fit(void);

/*
 * Fits a prior to a file of CSV: a row for each past instance, with the mean reward of each arm in its column. Cells
 * may be empty, but for particles. With `plays`, a row for each reward of a past task, in any order; arms are numbers
 * from 0, or names, which are numbered in their order. The same file and settings give the same bits everywhere.
 * POSSE_ERROR_FIT: the file is wrong, as told to the log at its line and column. POSSE_ERROR_ARGUMENT: the settings
 * are, and the log was told why.
 */
POSSE_API posse_error posse_prior_fit(const char *path, const posse_fit *how, const posse_host *host,
                                      posse_prior **out);

/* What predicted the rows held out how well, in nats a row: mixtures of so many components, or kernels so wide. */
typedef struct posse_fit_candidate {
    double size;
    double score;
} posse_fit_candidate;

/* What a prior was fitted to and how well. What it points to is valid until posse_prior_free. */
typedef struct posse_fit_record {
    size_t rows;              /* instances, or tasks */
    const double *table;      /* rows x arms: the means that were seen, NaN where none was */
    const char *const *names; /* of the arms */
    uint64_t rewards;         /* in plays; else 0 */
    double noise;             /* that the prior has */
    double size;              /* the components, or the kernel, of the prior */
    double score;             /* the log-likelihood of a row on average, without penalties; NaN for particles */
    const posse_fit_candidate *candidates; /* that were tried */
    size_t candidate_count;
} posse_fit_record;

/* POSSE_ERROR_ABSENT: the prior was read from a file. */
POSSE_API posse_error posse_prior_record(const posse_prior *prior, posse_fit_record *out);

/* ============================================== 4. simulation ================================================== */

/* A family of bandit problems with a prior, and the instance of it that is being played. */
typedef struct posse_environment posse_environment;

/* Makes an environment, to be freed with posse_environment_free. Arms drawn at random come from the seed. */
POSSE_API posse_error posse_environment_create(const posse_part *part, uint64_t seed, const posse_host *host,
                                               posse_environment **out);
POSSE_API void posse_environment_free(posse_environment *e);

/* posse_default_def() with arms, points, prior, seed and host of this environment, which must outlive the definition.
 */
POSSE_API posse_def posse_environment_def(const posse_environment *e);

/* Draws the instance of a run and rewinds the reward noise. A new environment is at run 0. */
POSSE_API void posse_environment_begin(posse_environment *e, uint32_t run);

/*
 * Draws the instance of the run's next task, of which posse_environment_begin has drawn the first. What is unknown but
 * the same in all tasks of a run stays (`prior.mean-sd` of the environment `gaussian`); the noise goes on.
 * POSSE_ERROR_ABSENT: it is a log, whose rows are what they are.
 */
POSSE_API posse_error posse_environment_next_task(posse_environment *e);

/*
 * Brings the next round of an environment whose rounds have features: to be called before each decision. The context
 * is valid until the next call. POSSE_ERROR_ABSENT: its rounds bring none.
 */
POSSE_API posse_error posse_environment_round(posse_environment *e, posse_context *out);

/*
 * Plays a decision and returns its reward. The noise of the n-th call after posse_environment_begin is the same
 * whatever is played, so competitors that meet the same run can be compared in pairs.
 */
POSSE_API double posse_environment_reward(posse_environment *e, const posse_decision *decision);

/*
 * The regret of a decision: the best arm's mean reward minus that of the arm played. Optimal arms have regret exactly 0
 * where arms are separate; on the ball rounding may leave a little. For an arm that is not one of this environment,
 * both the reward and the regret are NaN.
 */
POSSE_API double posse_environment_regret(const posse_environment *e, const posse_decision *decision);

/*
 * The mean reward of each arm (`arms` numbers) or, on the ball, theta (`dim` numbers): the truth of this instance.
 * Where rounds bring features, of the round brought last, and NaN for arms that are not in it.
 */
POSSE_API void posse_environment_means(const posse_environment *e, double *means);

/*
 * What happened in each round of a stretch of play: arrays with an entry per round, any of which may be NULL. On the
 * ball every arm is -1. Optimal arms have regret exactly 0 where arms are separate.
 */
typedef struct posse_trace {
    int32_t *learners;
    int32_t *arms;
    double *regrets;
} posse_trace;

/* Puts a posse before the first round of another run of its seed. No decision stays pending, and ids go on counting. */
POSSE_API posse_error posse_restart(posse *p, uint32_t run);

/*
 * Plays `rounds` rounds of an environment, learning each reward at once: what posse_decide, posse_environment_reward
 * and posse_learn would do, without the bookkeeping of decisions (no ids are used up). It goes on where the last
 * stretch ended. trace may be NULL. POSSE_ERROR_FIT: the posse has other arms than this environment, or an
 * external learner.
 * POSSE_ERROR_REWARD: a reward was outside of posse_reward_range; the rounds before it have been played.
 */
POSSE_API posse_error posse_play(posse *p, posse_environment *e, size_t rounds, const posse_trace *trace);

/*
 * Logs: rounds that another policy has played, of which the reward of its own arm alone is known (the environment
 * `log`). What a posse is worth on one is estimated row by row:
 *   replay  it is the mean reward of the rows that the posse accepts (below): Li, Chu, Langford and Wang, WSDM 2011
 *   ips     rewards of rows where the posse names the logged arm, divided by its probability: unbiased, and wide
 *   snips   the same, divided by the sum of these weights in place of the number of rows
 *   dr      doubly robust: a regression that learns from the rows before expects a reward of the posse's arm, and where
 *           it is the logged one, what the reward differs by, divided by its probability, is added
 */
typedef enum posse_estimate { POSSE_REPLAY = 0, POSSE_IPS = 1, POSSE_SNIPS = 2, POSSE_DR = 3 } posse_estimate;

/* A log as a whole. */
typedef struct posse_logbook {
    uint64_t rows;
    double least_probability; /* of all rows */
    double least_reward, largest_reward;
    posse_estimate estimate; /* that was asked for */
} posse_logbook;

/* The log that an environment is. POSSE_ERROR_ABSENT: it is none. */
POSSE_API posse_error posse_environment_logbook(const posse_environment *e, posse_logbook *out);

/*
 * What each row adds to the estimate: arrays with an entry per row, any of which may be NULL. The value is the sum of
 * the terms divided by the sum of the weights, whatever the estimate; its standard error is
 * sqrt(sum (term - value weight)^2) / sum of weights, and the effective number of rows (sum of weights)^2 / sum of
 * squared weights.
 */
typedef struct posse_appraisal {
    int32_t *learners; /* who was asked */
    int32_t *arms;     /* what it would have played */
    double *terms;
    double *weights;
} posse_appraisal;

/*
 * Lets a posse decide in the next rows of a log. Where it names the arm that was logged, it accepts the row with
 * probability (least probability of the log) / (probability of this row), and learns its reward. Otherwise it is left
 * as if it had not been asked, but for the randomness that it has used up. So the accepted rows are rounds that the
 * posse could have played itself, and a posse that learns is judged, too: in all rows by the posse of that moment
 * (Dudik, Erhan, Langford and Li, UAI 2012). It goes on where the last stretch ended. out may be NULL.
 * POSSE_ERROR_ABSENT: the environment is no log. POSSE_ERROR_ARGUMENT: it has fewer rows left. POSSE_ERROR_FIT,
 * POSSE_ERROR_REWARD: as for posse_play, which refuses a log with POSSE_ERROR_FIT.
 */
POSSE_API posse_error posse_replay(posse *p, posse_environment *e, size_t rows, const posse_appraisal *out);

/* ============================================== 5. extension =================================================== */

/*
 * You can add kinds of your own to any family. They are used like those of the library: in applications, in experiment
 * files (as a plugin), in Python. A kind is a table: what all families have in common is posse_kind, and each family
 * adds its calls. docs/extending.md walks through one of each.
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
POSSE_API int posse_space_features(const posse_space *space); /* of an arm in a round; 0: rounds bring none */

/*
 * A round as parts see it, where rounds bring features. Arms are independent then (posse_space_dim is 0) for those who
 * do not look at features.
 */
typedef struct posse_round {
    int count;              /* arms that are there, at least 1 */
    const int *arms;        /* which these are, rising */
    int width;              /* features of an arm, posse_space_features */
    size_t stride;          /* from the features of one arm to those of the next; 0: all arms have the same ones */
    const double *features; /* those of the k-th arm that is there begin at k * stride */
} posse_round;

/* What a part is made from: its options and its surroundings. */
typedef struct posse_setup {
    const posse_option *settings; /* one per declared parameter, in that order, defaults filled in, ranges checked */
    const posse_space *space;     /* NULL for an environment, which brings the arms */
    const posse_part *prior;      /* the environment's own belief, or NULL */
    uint64_t seed;                /* of the experiment, for what is drawn once in it */
    uint64_t rounds;              /* the horizon, or 0 */
    int learners;                 /* for a selector: how many places to make room for */
    int founders;                 /* for a selector: how many learners it begins with; 0 where it is made again later */
    int arms_before;              /* how many arms there were, where it is made again since arms came or went; else 0 */
    void *owner;                  /* for the library's use */
    bool share;                   /* for a selector: every learner learns from every reward */
} posse_setup;

/* Zeroed memory for a plan. It lives as long as the part and is freed with it. NULL: there is no memory left. */
POSSE_API void *posse_setup_allocate(const posse_setup *setup, size_t size);

/*
 * Tells the log why the part cannot be made; returns POSSE_ERROR_FIT for `prepare` to return. option: the option that
 * the message is about, or NULL; entry: the index of its entry in a list, or -1. The message is printf-like.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
POSSE_API posse_error
posse_setup_refuse(const posse_setup *setup, const char *option, int entry, const char *format, ...);

/*
 * The numbers of a POSSE_REALS setting, one for each of count: a single number is repeated, and a list must have count
 * numbers, or the part is refused. `what` they are is for the message ("arms"). They live as long as the plan.
 */
POSSE_API posse_error posse_setup_numbers(const posse_setup *setup, const posse_option *setting, int count,
                                          const char *what, const double **out);

/*
 * What all kinds have in common. A part is a *plan*, which never changes while it runs (settings, tables), and a
 * *state*, which is all it has learned: plain data made of 8-byte numbers (double, int64_t, uint64_t), no pointers, so
 * that copying is memcpy and saving is writing.
 */
typedef struct posse_kind {
    int version;      /* POSSE_EXTENSION_VERSION */
    const char *name; /* as written in experiment files */
    const char *help; /* one line */
    /* Ended by a NULL name; NULL: none. With the family's at most POSSE_OPTIONS_MAX. A parameter of the family may be
     * declared again, with another default and help. */
    const posse_param *params;
    /* Makes the plan, with posse_setup_allocate. */
    posse_error (*prepare)(const posse_setup *setup, void **plan);
    /* The bytes of a state, a multiple of 8; may be 0. */
    size_t (*state_size)(const void *plan);
    /* Writes the whole state before the first round. NULL: zeros. */
    void (*start)(const void *plan, void *state);
    /* Whether this plan can go on from a state that was read from a file. NULL: it can from any. */
    bool (*sane)(const void *plan, const void *state);
    /* Whether it can only learn from rewards in [0, 1]. NULL: no. */
    bool (*unit_rewards)(const void *plan);
    /*
     * Where an arm comes or goes, every part is made again for the arms there are then. This takes over what the part
     * from before has learned: its arms were the first of these, and all of these before one retired. `state` is that
     * before the first round. Learners with it promise to pick no retired arm (posse_space_active). NULL: it cannot,
     * and while it is in use, arms can be neither added nor retired.
     */
    void (*grow)(const void *plan, void *state, const void *former_plan, const void *former_state);
    /* For the library's use: how runs of it are played abreast. NULL: runs are played one by one. */
    const struct abreast_form *abreast;
} posse_kind;

/* Version 2, which knows nothing of contexts, is taken too: its tables end where a comment below says so. */
#define POSSE_EXTENSION_VERSION 3

/* --- learners --- */

typedef struct posse_learner_ops {
    posse_kind kind;
    /*
     * Picks an arm that is not retired, 0 .. arms-1. On the continuous ball: writes the point and returns -1. NULL: the
     * learner is external, and the application says what it played (posse_acted).
     */
    int (*act)(const void *plan, void *state, posse_draw *draw, double *point);
    /* Learns from one reward; with shared data also from arms it did not pick. point: the arm's coordinates or NULL. */
    void (*learn)(const void *plan, void *state, int arm, const double *point, double reward);
    /* (Version 2 ends here.) */
    /*
     * Where rounds bring features: picks one of the arms that are there, 0 .. round->count-1. `learn` is then given the
     * arm's features as its point. NULL: it is asked by `act` and told no features, and a pick that is not there is an
     * error.
     */
    int (*act_in)(const void *plan, void *state, posse_draw *draw, const posse_round *round);
    /* The table that takes its place where rounds bring features, with the same parameters. NULL: this one does. */
    const struct posse_learner_ops *in_contexts;
    /* The rewards that it can learn from, where unit_rewards of its kind does not say it. NULL: all. */
    posse_rewards (*rewards)(const void *plan);
    /*
     * A task begins, the first one too (posse_next_task): what holds for all tasks is kept, and what was learned of the
     * instance of the last one is forgotten. `draw` is its stream. A part that holds a belief calls
     * posse_belief_next_task. NULL: the next task finds the state as before the first round.
     */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_learner_ops;

/* --- beliefs --- */

/*
 * A belief lives in R^dim: arm a has coordinates x_a, a *world* is a vector w drawn from the posterior, and the value
 * of arm a in it is <w, x_a>. A one-hot belief has a coordinate for each arm, so that w holds the values themselves;
 * otherwise the coordinates are those of the arms' points.
 */
typedef struct posse_belief_shape {
    int dim;
    bool one_hot;
} posse_belief_shape;

/*
 * Where rounds bring features x, the value of arm a is <w, x>; with a weight vector for each arm (disjoint) <w_a, x>,
 * w_a being the numbers of w from a times the number of features on. With a logistic link it is the sigmoid of that and
 * the bias.
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
    /* log of the probability (density) of a reward under the posterior predictive: what a mixture learns from. */
    double (*evidence)(const void *plan, const void *state, int arm, const double *point, double reward);
    /*
     * What the option `robust` makes of it: an equal mixture of the belief as it is given and of so many variants
     * (docs/beliefs.md). `vary` writes the settings of variant 0 .. variants-1 over `settings`, a copy of
     * setup->settings, with lists from posse_setup_allocate; numbers that leave their range are moved to its end.
     * NULL and 0: it has no robust form, and the option is refused.
     */
    int variants;
    posse_error (*vary)(const posse_setup *setup, int variant, posse_option *settings);
    /* The posterior mean and variance of an arm's mean reward. NULL: it cannot tell. */
    void (*moments)(const void *plan, const void *state, int arm, const double *point, double *mean, double *variance);
    /* (Version 2 ends here.) */
    /* How values follow from a world, where that is not as posse_belief_shape says. NULL: it is. */
    posse_belief_model (*model)(const void *plan);
    /* As for learners. A belief that is not one-hot has the features of an arm as its coordinates then. */
    const struct posse_belief_ops *in_contexts;
    /* As for learners. */
    posse_rewards (*rewards)(const void *plan);
    /* As for learners. The stream is that of the part that holds the belief; NULL: nothing can be drawn. */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
    /* Where a draw is the end of a chain whose steps may be refused: draws a world, and writes the share of its steps
     * that were taken. False, or NULL: there is no chain. */
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
POSSE_API bool posse_belief_unit_rewards(const posse_belief *belief); /* only those in [0, 1] */
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
 * The best arm of a world among those not retired, and its value; on the ball -1, and the best point is written to
 * `point`, else unused.
 */
POSSE_API int posse_belief_best(const posse_belief *belief, const double *world, double *value, double *point);

/* The value of each arm that is there in a round, in a world; and the place of the largest, the first among equals. */
POSSE_API int posse_belief_values(const posse_belief *belief, const double *world, const posse_round *round,
                                  double *values);

/* --- selectors --- */

/* The outcome of a round. */
typedef struct posse_outcome {
    int learner;
    int arm;             /* -1 on the continuous ball */
    const double *point; /* the arm's coordinates, NULL for independent arms */
    double reward;
    double probability; /* with which `choose` chose the learner in that round: what importance weights divide by */
    bool probe;         /* the selector named the arm itself (`probe`), and no learner learns from this reward */
} posse_outcome;

/*
 * A selector has a fixed number of *places* (posse_setup.learners). Learners are admitted to places 0, 1, 2, … and may
 * be retired, after which they must not be chosen again. When no place is free, the posse makes a larger selector,
 * which adopts what this one knows.
 */
typedef struct posse_selector_ops {
    posse_kind kind;
    /* A learner takes the next free place. */
    void (*admit)(const void *plan, void *state, int learner);
    /* A learner leaves. At least one other is left. */
    void (*retire)(const void *plan, void *state, int learner);
    /*
     * Picks one of the active learners. `draw` is the selector's stream and `ties` a stream for breaking ties; writes
     * the probability of this choice given what was drawn, in (0, 1].
     */
    int (*choose)(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
    /* The chosen learner has picked an arm; the reward may come later, or never. */
    void (*played)(const void *plan, void *state, int learner, int arm, const double *point);
    /* Learns the reward of a round. Rewards come in any order. */
    void (*learn)(const void *plan, void *state, const posse_outcome *outcome);
    /* Takes over all that a smaller selector of the same options knows, its learners included. */
    void (*adopt)(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
    /* The latest potentials of the first `learners` places. NULL: it has none. */
    void (*potentials)(const void *plan, const void *state, int learners, double *out);
    /* posse_play_weight and posse_charge_share, with so many learners. NULL: always 1. */
    double (*play_weight)(const void *plan, double learners, double rounds);
    double (*charge_share)(const void *plan, double learners, double rounds, double plays);
    /* posse_play_discount. NULL: 1. */
    double (*play_discount)(const void *plan);
    /* The probability with which the latest choice could take each of the first `learners` places. NULL: the rule draws
     * nothing. */
    void (*probabilities)(const void *plan, const void *state, int learners, double *out);
    /* How many rewards lay outside its range, the option of type POSSE_RANGE. NULL: it has no range. */
    double (*clipped)(const void *plan, const void *state);
    /* The belief that it decides by, and where its state is. NULL: it has none. */
    const posse_belief *(*belief)(const void *plan, const void *state, const void **belief_state);
    /* Its belief learns a reward that no learner is charged for. NULL: it learns nothing from such a reward. */
    void (*teach)(const void *plan, void *state, int arm, const double *point, double reward);
    /* The regret of each learner's past plays in a world of its belief. NULL: it keeps no plays. */
    void (*regrets)(const void *plan, const void *state, const double *world, int learners, double *out);
    /*
     * Is asked in every round, before the learner chosen is: names the arm in its stead, one that is not retired, or
     * returns -1 for the learner to be asked. Such a round is a probe of the selector's own: it counts as a play of the
     * learner, but no learner learns from its reward, not even with shared data. NULL: learners are always asked.
     */
    int (*probe)(const void *plan, void *state, int learner, posse_draw *draw);
    /* How far the rewards speak against its belief (posse_surprise). False, or NULL: it does not know. */
    bool (*surprise)(const void *plan, const void *state, double *out);
    /* (Version 2 ends here.) */
    /* `played` where rounds bring features: the arm at `place` of the round. NULL: `played`, without features. */
    void (*played_in)(const void *plan, void *state, int learner, const posse_round *round, int place,
                      posse_draw *draw);
    /* Whether it wants to know what every learner would play, where rounds bring features. NULL: no, the chosen one
     * alone is asked. */
    bool (*considers)(const void *plan);
    /* `played_in` where it does: learner i picks the arm at picks[i] of the round, or was not asked (-1). */
    void (*considered)(const void *plan, void *state, const posse_round *round, const int *picks, posse_draw *draw);
    /* As for learners. */
    const struct posse_selector_ops *in_contexts;
    posse_rewards (*rewards)(const void *plan);
    /* As for learners. The learners that there are take their places again afterwards, by `admit` and `retire`. */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_selector_ops;

/* --- environments --- */

/* The arms that an environment offers, with the meaning of the fields of posse_def. */
typedef struct posse_arm_set {
    int arms, dim;
    const double *points;
} posse_arm_set;

/* What is known of a row of a log. */
typedef struct posse_logged {
    int arm; /* one of those there are in the row */
    double reward;
    double probability; /* of the arm, above 0 */
} posse_logged;

/* The plan is the family of problems, the state one instance of it. */
typedef struct posse_environment_ops {
    posse_kind kind;
    posse_arm_set (*arms)(const void *plan);
    /* The belief that is this environment's own prior; kind NULL where there is none, as for one fixed instance. */
    posse_part (*prior)(const void *plan);
    /* Draws an instance. space has the arms. */
    void (*begin)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
    /*
     * The reward of a round. It takes the same number of draws of the noise whatever is played, so that competitors
     * meet the same noise. An environment whose means change changes them here, before it pays, by draws that do not
     * depend on the arm.
     */
    double (*reward)(const void *plan, void *instance, int arm, const double *point, posse_draw *noise);
    /* The best arm's mean minus this one's, in the round whose reward was paid last. */
    double (*regret)(const void *plan, const void *instance, int arm, const double *point);
    /* The mean of each arm, or theta on the ball. */
    void (*means)(const void *plan, const void *instance, const posse_space *space, double *out);
    bool moves; /* mean rewards may change from round to round */
    /* (Version 2 ends here.) */
    /*
     * Rounds bring features: `arms` has no points then, and dim is how many there are. Draws those of the next round
     * and keeps them in the instance, to which the round points. `reward` and `regret` are of this round, with the
     * features of the arm as its point. NULL: they bring none.
     */
    void (*bring)(const void *plan, void *instance, posse_draw *draw, posse_round *round);
    /* Whether the features are one vector that all arms share, as the stride of its rounds says; else each arm has its
     * own. */
    bool (*shares)(const void *plan);
    /* Rounds are rows of a log, `bring` brings the next one, and `reward` is that of the logged arm. NULL: it is none.
     */
    posse_logbook (*logbook)(const void *plan);
    posse_logged (*logged)(const void *plan, const void *instance); /* of the row brought last */
    /* What a regression on the rows before this one expects of an arm of it. Asked where the estimate is POSSE_DR. */
    double (*expected)(const void *plan, const void *instance, int arm, const double *point);
    /*
     * Draws the instance of the next task (posse_environment_next_task): what `begin` has drawn for all tasks of the
     * run stays. NULL: `begin` draws it, and tasks have nothing in common but the prior.
     */
    void (*next_task)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
} posse_environment_ops;

/*
 * Each call adds a kind for the whole process. The table is not copied: it must outlive every use. Register before
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
