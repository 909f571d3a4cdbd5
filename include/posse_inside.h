/*
 * A posse from the inside: its learners and arms, its pending decisions, its belief, and the probabilities of its
 * choices. An application that only decides and learns needs posse.h alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_INSIDE_H
#define POSSE_INSIDE_H

#include "posse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* =========================================== learners, arms and tasks ============================================= */

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

/* The kind of the selector, never POSSE_RECOMMENDED. NULL: there is none. */
POSSE_API const char *posse_selector(const posse *p);

/*
 * The number of learners, retired ones included; the name of the learner at a place (NULL: no such place); and whether
 * that learner is active, that is, not retired.
 */
POSSE_API int posse_learner_count(const posse *p);
POSSE_API const char *posse_learner_name(const posse *p, int place);
POSSE_API bool posse_learner_active(const posse *p, int place);

/*
 * Adds an arm to a posse that is in use. Its index, which is posse_arm_count() before the call, is written to *arm,
 * unless arm is NULL. point: its coordinates; NULL for independent arms, and if rounds have features. The rest of the
 * current batch is dropped. Beliefs and learners begin with their prior for the new arm, and keep everything else that
 * they have learned. There may be 1000000 arms in all, retired ones included.
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
 * Names of arms. The library plays by indices, and a name stands for an index: decisions are the same with names and
 * without. A name is UTF-8, has at most POSSE_ARM_NAME_MAX bytes, and stays taken when its arm is retired.
 *
 * posse_arm_name: the name of an arm; NULL: no such arm, or arms have no names. posse_arm_find: the index of the arm
 * with a name, also of a retired one; -1: there is none. Without names, the arms are called "0", "1", "2", ..
 */
#define POSSE_ARM_NAME_MAX 255
POSSE_API const char *posse_arm_name(const posse *p, int arm);
POSSE_API int posse_arm_find(const posse *p, const char *name);

/*
 * posse_arm_add with a name. If arms have no names yet, the others get their numbers as names. In a posse with names,
 * posse_arm_add gives the new arm its number. POSSE_ERROR_NAME: the name is taken, empty, too long or not UTF-8.
 */
POSSE_API posse_error posse_arm_add_named(posse *p, const char *name, const double *point, int *arm);

/*
 * The index of the arm with a name, for a name that comes from outside. If no arm has it, and fewer than
 * posse_def.joins arms are active, the arm is added. POSSE_ERROR_ARM: no arm has this name and none may join, or there
 * is no room. The log gets the reason.
 */
POSSE_API posse_error posse_arm_join(posse *p, const char *name, int *arm);

/* posse_def.joins, also in a posse that was loaded. */
POSSE_API int posse_joins(const posse *p);

/*
 * Begins the next task: another instance, similar to the earlier ones. Beliefs that learn across tasks (`hierarchical`,
 * and a mixture with such a component) keep what they have learned about all tasks. Everything else begins as if new:
 * learners, selector and counts of plays. Random streams and ids continue. Pending decisions of the last task are
 * forgotten, because their rewards would be about an instance that is gone. Learn them, or let them expire, before this
 * call.
 */
POSSE_API posse_error posse_next_task(posse *p);

/*
 * The definition of a posse as it is now: added learners and arms are included, and retired learners are left out.
 * Retired arms are counted, since their indices stay taken. Options have the values that were given, and those defaults
 * that the posse keeps. posse_part_resolve fills in the rest. learners: room for posse_learner_count parts, which
 * def->learners then leads to. The other pointers lead into the posse, and are valid until it changes. def->host is 0.
 */
POSSE_API posse_error posse_definition(const posse *p, posse_def *def, posse_part *learners);

/* ============================================== pending decisions ================================================= */

/* A decision without a reward so far. */
typedef struct posse_pending {
    uint64_t id;
    uint64_t age; /* how many decisions have been made since this one */
    int learner;
    int arm;             /* as in the decision */
    const double *point; /* as in the decision */
    double probability;
    bool probe;
    double propensity;
    bool floor;
    int mode;          /* as in the decision */
    bool waits;        /* it was deferred, and is not shown yet (posse_modes.h): until then, it does not expire */
    uint64_t elapsed;  /* for expiry: age, or how many decisions have been made since a deferred one was shown */
    uint64_t shown_at; /* when a deferred one was shown (posse_note_shown); 0: unknown */
} posse_pending;

/* The number of decisions that have been made in all, and the number that are pending. */
POSSE_API uint64_t posse_decision_count(const posse *p);
POSSE_API size_t posse_pending_count(const posse *p);

/* The pending decision with an id. POSSE_ERROR_UNKNOWN, POSSE_ERROR_SETTLED: it is not pending. */
POSSE_API posse_error posse_pending_find(const posse *p, uint64_t id, posse_pending *out);

/* All pending decisions, the oldest first. list: room for posse_pending_count entries. */
POSSE_API posse_error posse_pending_list(const posse *p, posse_pending *list);

/*
 * The next pending decision to expire, which has the largest `elapsed`. *reward is what it learns then, or NaN if it is
 * forgotten. POSSE_ERROR_ABSENT: no decision is pending, or only deferred ones that wait.
 */
POSSE_API posse_error posse_pending_oldest(posse *p, posse_pending *out, double *reward);

/*
 * The decisions that will expire with the next decision (posse_def.expire_after), in this order. There is at most one,
 * unless deferred ones were shown. `count` becomes their number; up to `room` of them are written.
 */
typedef struct posse_expiring {
    posse_pending *list;
    double *rewards; /* what each learns then, or NaN if it is forgotten */
    size_t room, count;
} posse_expiring;
POSSE_API posse_error posse_expiring_next(posse *p, posse_expiring *out);

/*
 * Reserves memory for this many more pending decisions, so that the next ones cannot fail with POSSE_ERROR_MEMORY. This
 * holds as long as no decision is settled or expires in between. With posse_def.propensity_draws or with extensions,
 * each decision also takes memory of its own, which it frees again, and may still fail. 0: frees reserved memory that
 * is not needed.
 */
POSSE_API posse_error posse_pending_reserve(posse *p, size_t decisions);

/* ================================================ many calls ====================================================== */

/*
 * Makes `count` decisions, in the order of their contexts, as that many calls of posse_decide would, to the last bit.
 * It is faster where rounds have features: nothing is learned in between, so models are read once for several rounds.
 * contexts: one for each decision, or NULL if rounds have no features. points: NULL, or room for the coordinates or
 * features of every arm that is decided on, posse_feature_count or else posse_dim numbers each. The `point` of a
 * decision is there, or NULL. It stops at the first decision that fails and returns its error. *made is the number of
 * decisions before it, which are pending, unless made is NULL. posse_check_decide finds contexts that
 * do not fit beforehand.
 */
POSSE_API posse_error posse_decide_many(posse *p, const posse_context *contexts, size_t count,
                                        posse_decision *decisions, double *points, size_t *made);

/*
 * What posse_decide, posse_learn and posse_teach would return for these arguments, except for lack of memory and for
 * failures of extensions. They change nothing, so all calls of a batch can be checked before the first one is made. The
 * log gets the reason of an error.
 */
POSSE_API posse_error posse_check_decide(const posse *p, const posse_context *context);
POSSE_API posse_error posse_check_learn(const posse *p, uint64_t id, double reward);
POSSE_API posse_error posse_check_teach(const posse *p, const posse_action *action, double reward);

/*
 * The map of features by name learns names and scales from every round, and a scale decides whether a number is too
 * large. Between these two calls, each of posse_check_decide, posse_check_teach and posse_named_write teaches the map
 * what a decision in that round would. So each sees the map as the rounds before would leave it. keep: what the map has
 * learned stays; otherwise it is as before. No other call with features by name may come in between.
 */
POSSE_API posse_error posse_trial_begin(posse *p);
POSSE_API void posse_trial_end(posse *p, bool keep);

/* ======================================== decisions that are made again =========================================== */

/*
 * Makes a decision again that a log has, like posse_decide. The propensity comes from
 * the log instead of posse_def.propensity_draws; 0: it is unknown. With a floor the argument is ignored.
 */
POSSE_API posse_error posse_decide_again(posse *p, const posse_context *context, double propensity,
                                         posse_decision *decision);

/*
 * The same without a new epoch: ids continue as those of the saved posse would have. Use it only if the application
 * records every decision itself and replays those made after the save, as a server or a replica does. Until
 * posse_set_epoch is called, learners are added even if an option has no effect, because earlier versions added them.
 */
POSSE_API posse_error posse_load_exact(const void *buffer, size_t length, const posse_host *host, posse **out);

/*
 * The epoch of new ids, which is 0 in a posse that was just created. posse_set_epoch begins another epoch, below 2^31,
 * which no pending decision may have.
 */
POSSE_API uint32_t posse_epoch(const posse *p);
POSSE_API posse_error posse_set_epoch(posse *p, uint32_t epoch);

/* ===================================== beliefs, potentials and propensities ======================================= */

/* The number of arms, retired ones included, and the dimension, both with the meaning that they have in posse_def. */
POSSE_API int posse_arm_count(const posse *p);
POSSE_API int posse_dim(const posse *p);

/* The number of features of an arm in a round, posse_def.dim + posse_def.context; 0 if rounds have no features. */
POSSE_API int posse_feature_count(const posse *p);
POSSE_API int posse_shared_feature_count(const posse *p); /* posse_def.context */
POSSE_API int posse_nonzeros(const posse *p);             /* posse_def.nonzeros */
POSSE_API int posse_known_features(const posse *p);       /* how many features sparse contexts have had so far */

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
 * ones. For d3rb, ed2rb, bd3rb, balancing and dynamic-balancing, it is the regret bound that the learner has used up,
 * and for perfect-balancing its regret against the best mean reward. It is infinite for learners that are retired, that
 * `balancing` has dropped, or that are not active in `dynamic-balancing`. potentials has posse_learner_count entries.
 * POSSE_ERROR_ABSENT: this selector has no potentials.
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
 * mean of theta (`dim` numbers). If rounds have features, give a context: there is one number for each of its arms. The
 * context is NULL otherwise. POSSE_ERROR_ABSENT: the selector has no belief.
 */
POSSE_API posse_error posse_means(const posse *p, const posse_context *context, double *means);

/*
 * The posterior standard deviations of the same mean rewards. POSSE_ERROR_ABSENT: the selector has no belief, the
 * belief's kind does not compute deviations, or the posse has no separate arms, as on the ball.
 */
POSSE_API posse_error posse_deviations(const posse *p, const posse_context *context, double *deviations);

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
 * Propensities: the probability that each learner, and each arm, would be chosen next, in this context if rounds have
 * features. They are estimated by simulating
 * the next choice `draws` times from a stream of its own, so decisions stay the same. The arrays have
 * posse_learner_count and posse_arm_count numbers; any may be NULL. learner_errors and arm_errors are standard errors
 * of the estimates. The arms that external learners would play are unknown and not counted. POSSE_ERROR_ABSENT:
 * propensities of arms are requested, but there are no separate arms, as on the ball.
 */
typedef struct posse_propensity {
    double *learners, *learner_errors;
    double *arms, *arm_errors;
} posse_propensity;
POSSE_API posse_error posse_propensities(const posse *p, const posse_context *context, uint32_t draws,
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
 * A surprise above this contradicts the belief. For several independent `runs` it is the limit of the sum of their
 * surprises. It is log(20), and 10 more for each run with a logistic belief in rounds with features, whose evidence is
 * approximate: 13.0 in one run.
 */
POSSE_API double posse_surprise_limit(const posse *p, uint32_t runs);

/*
 * The acceptance rate, if worlds of the selector's belief are drawn by a Markov chain (logistic, inference langevin):
 * the share of its steps that were accepted, over `draws` draws, which change no decision. Around 0.6 to 0.95 is usual.
 * Far below that the chain hardly moves, and more steps are needed. POSSE_ERROR_ABSENT: there is no chain.
 */
POSSE_API posse_error posse_acceptance(const posse *p, uint32_t draws, double *acceptance);

/* ================================================== the report ==================================================== */

/* What is known about the mean reward of an arm, or about the mean of the expected rewards of a learner's plays. A
 * number that is not known is NaN. */
typedef struct posse_finding {
    uint64_t rewards;                 /* how many decisions have their reward */
    double mean;                      /* of these rewards */
    double low, high;                 /* a confidence sequence: with probability `confidence`, the interval has
                                         the mean at all times, however often one looks */
    double belief_mean;               /* the posterior mean of the selector's belief or, of a learner if there are no
                                         arms, of a selector that samples means of learners; */
    double belief_low, belief_high;   /* and its interval of that probability */
    double best;                      /* the posterior probability of being the best */
    double lift, lift_low, lift_high; /* the mean minus that of the control, and its confidence sequence */
} posse_finding;

typedef enum posse_verdict { POSSE_NOT_YET = 0, POSSE_DECIDED = 1, POSSE_CANNOT_TELL = 2 } posse_verdict;

typedef struct posse_report {
    int control;             /* in: an arm, or a learner if there are no arms; -1: that of posse_modes.h, or none */
    uint32_t draws;          /* in: worlds or means drawn from the posterior; 0: nothing is asked of it */
    posse_finding *arms;     /* in: room for posse_arm_count entries; may be NULL */
    posse_finding *learners; /* in: room for posse_learner_count entries; may be NULL */
    double confidence;       /* 0.95 */
    posse_verdict verdict;
    int best;         /* the one with the largest mean: an arm, or a learner if there are no arms; -1: none */
    double regret;    /* expected by the posterior, in each round, of playing the arm (or learner) with the largest
                         posterior mean from now on; NaN: unknown */
    double more;      /* how many more rewards would decide it if means and shares stay as they are; NaN: unknown */
    char reason[240]; /* a sentence: why this is the verdict */
} posse_report;

/*
 * Reports by when one will know. The verdict is POSSE_DECIDED if one arm (or learner, if there are no arms) is better
 * than all others by intervals that hold for all of them together: it is wrong with a probability of at most
 * 1 - confidence, however often one asks. POSSE_CANNOT_TELL: waiting does not help, and `reason` says why. Intervals
 * need posse_def.report. docs/report.md explains them, and what they assume. Decisions stay the same.
 */
POSSE_API posse_error posse_report_make(const posse *p, posse_report *report);

/* Whether rewards are tallied: posse_def.report, also in a posse that was loaded. */
POSSE_API bool posse_reports(const posse *p);

/* ================================================= the library ==================================================== */

/*
 * The name of the inner loops that the library runs: "scalar", "baseline", "avx2" or "avx512". They are the fastest
 * that the processor supports, unless the environment variable POSSE_ISA names others before the library is first used.
 * All of them give the same bits. NULL: POSSE_ISA names loops that do not exist or that the processor cannot run.
 * Nothing can be created then.
 */
POSSE_API const char *posse_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
