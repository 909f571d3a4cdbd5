/*
 * Learners, beliefs, selectors and environments of your own.
 *
 * You can add kinds of your own to any family. They are used like those of the library: in applications, in experiment
 * files (as a plugin), in Python. A kind is a table of functions and constants. It begins with posse_kind, which all
 * families have in common, and continues with the functions of its family. docs/extending.md walks through one of each.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_EXTEND_H
#define POSSE_EXTEND_H

#include "posse_inside.h"
#include "posse_kinds.h"
#include "posse_simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* =================================== random numbers and elementary functions ====================================== */

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

/* =========================================== what a part is made from ============================================= */

/* The arms that a part is made for. */
typedef struct posse_space posse_space;

POSSE_API int posse_space_arms(const posse_space *space);                     /* 0: the continuous ball */
POSSE_API int posse_space_dim(const posse_space *space);                      /* 0: independent arms */
POSSE_API const double *posse_space_point(const posse_space *space, int arm); /* NULL for independent arms */
POSSE_API bool posse_space_active(const posse_space *space, int arm);         /* false: retired, or no arm at all */
POSSE_API int posse_space_features(const posse_space *space);  /* of an arm in a round; 0: rounds have no features */
POSSE_API bool posse_space_episodes(const posse_space *space); /* rounds are episodes of several steps */

/*
 * Where contexts are sparse, how many features of an arm can differ from 0 in a round; 0: they are not sparse. The
 * features of an arm are then a row of 1 + 2 posse_space_nonzeros numbers: how many pairs there are, and an index and a
 * value for each. Parts that are extensions cannot read rows so far, and are refused if they need features.
 */
POSSE_API int posse_space_nonzeros(const posse_space *space);

/*
 * A round with features, as parts see it. For parts that do not look at features, arms are independent then:
 * posse_space_dim is 0.
 */
typedef struct posse_round {
    int count;              /* how many arms are available, at least 1 */
    const int *arms;        /* the indices of these arms, rising */
    int width;              /* features of an arm, posse_space_features; or the numbers of its row, if contexts are
                               sparse */
    size_t stride;          /* numbers from the features of one arm to those of the next; 0: all arms have the same */
    const double *features; /* the features of the arm arms[k] begin at k * stride */
} posse_round;

/*
 * A round may be an episode of several steps, each with a state and a reward of its own. An arm is then a policy, and
 * the reward of the round is the sum over the steps. `learn`, `update` and `evidence` of parts get the episode as their
 * point: the number of steps, at least 1, and then the state and the reward of each.
 */
static inline int posse_episode_steps(const double *episode) {
    return (int)episode[0];
}

static inline int posse_episode_state(const double *episode, int step) {
    return (int)episode[1 + 2 * step];
}

static inline double posse_episode_reward(const double *episode, int step) {
    return episode[2 + 2 * step];
}

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
    void *reserved;
    bool share; /* for a selector: every learner learns from every reward */
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
 * The numbers of a POSSE_TYPE_REALS setting, `count` of them. A single number is repeated. A list must have `count`
 * numbers, or the part is refused with a message that calls them `what`, for example "arms". They live as long as the
 * plan.
 */
POSSE_API posse_error posse_setup_numbers(const posse_setup *setup, const posse_option *setting, int count,
                                          const char *what, const double **out);

/* ======================================== what all tables have in common ========================================== */

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
    const void *reserved; /* leave it NULL */
} posse_kind;

/*
 * Tables of version 2, from before contexts, and of version 3, from before episodes, are accepted too. Their fields end
 * at the comments "Version 2 ends here" and "Version 3 ends here".
 */
#define POSSE_EXTENSION_VERSION 4

/* ============================================== tables of learners ================================================ */

/* A belief inside another part, which declares an option of type POSSE_TYPE_PART for it. */
typedef struct posse_belief posse_belief;

/*
 * The estimates of a round with features: of the arm at each place, its mean and its standard deviation. Learners that
 * share a model share them too, so that only the first learner of a round computes them.
 */
typedef struct posse_estimates {
    double *means, *deviations; /* room for a number per arm */
    bool has_means, has_deviations;
    size_t stride; /* from the number of one place to that of the next */
} posse_estimates;

/* How many rounds are estimated at a time, at most (posse_learner_ops.estimate). */
#define POSSE_ROUNDS_ABREAST 16

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
    /*
     * The table that replaces this one if rounds have features. Its parameters are the first ones of this table, and it
     * is not replaced in its turn. NULL: none does.
     */
    const struct posse_learner_ops *in_contexts;
    /* The rewards that the learner can learn from, further limited by unit_rewards of its kind. NULL: all. */
    posse_rewards (*rewards)(const void *plan);
    /*
     * Begins a task, the first one included (posse_next_task): keeps what holds for all tasks, and forgets what was
     * learned about the last instance. `draw` is the part's stream. A part that holds a belief calls
     * posse_belief_next_task. NULL: every task begins with the state as before the first round.
     */
    void (*next_task)(const void *plan, void *state, posse_draw *draw);
    /* (Version 3 ends here.) */
    /*
     * For learners in rounds with features whose state is a model of the rewards, which `act_in` does not change.
     * same_model: whether two plans, each of a table with this function, have the same model: as long as both learn the
     * same rewards, their states are equal. If rewards are shared, such learners have one state, and `learn` of only
     * one of them is called. NULL: every learner has a state of its own.
     */
    bool (*same_model)(const void *plan, const void *other);
    /* Like `act_in`, for learners that share a state: reads the estimates, or computes those that are missing. */
    int (*act_by)(const void *plan, const void *state, posse_draw *draw, const posse_round *round,
                  posse_estimates *estimates);
    /*
     * The part of the state that is the state of this belief, as long as both learn the same rewards. NULL, or a NULL
     * table entry: the belief is another model.
     */
    const void *(*as_belief)(const void *plan, const void *state, const posse_belief *belief);
    /*
     * For posse_decide_many: computes the estimates of `count` rounds with the same arms at a time, with the bits that
     * `act_by` would compute in each. The numbers of the arm at place k in round r are at k * stride + r, and the
     * stride is POSSE_ROUNDS_ABREAST. room: for 2 (width + 8) POSSE_ROUNDS_ABREAST numbers. It sets has_means and
     * has_deviations, or leaves both false. NULL: `act_by` computes them round by round.
     */
    void (*estimate)(const void *plan, const void *state, const posse_round *rounds, int count, double *room,
                     posse_estimates *estimates);
} posse_learner_ops;

/* ============================================== tables of beliefs ================================================= */

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
    /*
     * The log of a reward's probability (density) under the posterior predictive, from which a mixture learns. If it is
     * NaN or +infinity, the weights of the mixture stay as they are.
     */
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
    /* (Version 3 ends here.) */
    /* What the rewards are that it is about, for which posse_recommend then finds learners. 0: any numbers. */
    posse_reward_kind reward_kind;
} posse_belief_ops;

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

/* ============================================= tables of selectors ================================================ */

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
     * Picks one of the active learners, and writes the probability of this choice given what was drawn, 1e-30 to 1.
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
    /* How many rewards were outside its range, the option of type POSSE_TYPE_RANGE. NULL: it has no range. */
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
     * NULL: `played` is called, with the arm's features as its point. A selector with `played_in` and no `played` is
     * refused where rounds have no features (POSSE_ERROR_FIT).
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
    /* (Version 3 ends here.) */
    /*
     * Like `learn`, if a learner has the model of the selector's belief (as_belief) and has learned the reward. `model`
     * is that learner's part of the state, from which the belief copies what the reward has changed. NULL: `learn` is
     * called.
     */
    void (*learn_by)(const void *plan, void *state, const posse_outcome *outcome, const void *model);
    /* If `considers` is true: whether the picks of all learners are needed in this round. NULL: in every round. */
    bool (*asks)(const void *plan, const void *state);
    /*
     * Draws the mean reward of each of the first `learners` places from the posterior that it chooses by; NaN for a
     * retired one. False: too little is known for that so far. NULL: it has no posterior of a learner's mean.
     */
    bool (*draw_means)(const void *plan, const void *state, int learners, posse_draw *draw, double *out);
} posse_selector_ops;

/* ============================================ tables of environments ============================================== */

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
    /* What a regression on the earlier rows predicts for an arm of this row. Called if the estimate is
     * POSSE_ESTIMATE_DR. */
    double (*expected)(const void *plan, const void *instance, int arm, const double *point);
    /*
     * Draws the instance of the next task (posse_environment_next_task), and keeps what `begin` has drawn for all tasks
     * of the run. NULL: `begin` draws the instance, and tasks have nothing in common but the prior.
     */
    void (*next_task)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
    /* (Version 3 ends here.) */
    /* For rounds that are episodes: the latest one, which `reward` has played. NULL: rounds are no episodes. */
    const double *(*episode)(const void *plan, const void *instance);
    /*
     * For sparse contexts: how many features of an arm can differ from 0 in a round. `bring` then writes rows
     * (posse_space_nonzeros) with rising indices, and `reward` and `regret` get NULL as the point. 0, or NULL: contexts
     * are not sparse.
     */
    int (*nonzeros)(const void *plan);
    /* What its rewards are, by the options that were given (posse_part_option). NULL: any numbers. */
    posse_reward_kind (*reward_kind)(const posse_part *given);
} posse_environment_ops;

/* ================================================= registering ==================================================== */

/*
 * Each call adds a kind for the whole process. The table is copied; the functions, texts, parameters and tables that it
 * points to must outlive every use. Register before other threads use the library. POSSE_ERROR_VERSION: the version is
 * unknown. POSSE_ERROR_ARGUMENT: a required function is missing, here or in the table in `in_contexts`, or a parameter
 * is declared wrongly. POSSE_ERROR_OPTION: there are too many parameters. POSSE_ERROR_NAME: a kind has that name.
 * POSSE_ERROR_FULL: there are 256 registered kinds already.
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
