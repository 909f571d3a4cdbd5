/*
 * Simulation: environments that draw instances and pay rewards, and whole runs of a posse in them. Logs of another
 * policy are environments, too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_SIMULATE_H
#define POSSE_SIMULATE_H

#include "posse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================= environments =================================================== */

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

/* ===================================================== runs ======================================================= */

/*
 * The learner, the arm, the regret and the floor of each round that was played: arrays with an entry per round, any of
 * which may be NULL. On the ball every arm is -1. Optimal arms have regret exactly 0 if arms are separate.
 */
typedef struct posse_trace {
    int32_t *learners;
    int32_t *arms;
    double *regrets;
    bool *floors; /* whether the floor drew the arm; posse_abreast_play does not write it, as it plays without floors */
} posse_trace;

/* Puts a posse before the first round of another run of its seed. No decision stays pending, and ids continue. */
POSSE_API posse_error posse_restart(posse *p, uint32_t run);

/*
 * Plays `rounds` rounds of an environment and learns each reward at once, like posse_decide, posse_environment_reward
 * and posse_learn, but without the bookkeeping of decisions: it uses no ids. It continues where the last call ended.
 * trace may be NULL. POSSE_ERROR_FIT: the environment has other arms than the posse or is a log, or a learner is
 * external. POSSE_ERROR_REWARD: a reward was outside of posse_reward_range; the rounds before it have been played.
 * POSSE_ERROR_ARM, POSSE_ERROR_LEARNER, POSSE_ERROR_CONTEXT: an extension made a wrong choice or a wrong round, and the
 * posse is to be restarted (posse_restart).
 */
POSSE_API posse_error posse_play(posse *p, posse_environment *e, size_t rounds, const posse_trace *trace);

/* ===================================================== logs ======================================================= */

/*
 * A log has rounds that another policy has played, so only the reward of the logged arm is known (the environment
 * `log`). The value of a posse on a log is estimated row by row:
 *   replay  the mean reward of the rows that the posse accepts (posse_replay): Li, Chu, Langford and Wang, WSDM 2011
 *   ips     rewards of rows where the posse picks the logged arm, divided by its probability: unbiased, large variance
 *   snips   the same, divided by the sum of these weights instead of the number of rows
 *   dr      doubly robust: a regression on the earlier rows predicts the reward of the posse's arm. If that is the
 *           logged arm, the reward minus the prediction, divided by the arm's probability, is added
 */
typedef enum posse_estimate {
    POSSE_ESTIMATE_REPLAY = 0,
    POSSE_ESTIMATE_IPS = 1,
    POSSE_ESTIMATE_SNIPS = 2,
    POSSE_ESTIMATE_DR = 3
} posse_estimate;

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
    double *rewards; /* the logged ones, whose mean is the value of the policy that made the log */
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

#ifdef __cplusplus
}
#endif

#endif
