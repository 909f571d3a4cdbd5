/* SPDX-License-Identifier: MIT */
/*
 * A distribution of Markov decision processes (process.h), for the belief `mdp` and for the environment whose instances
 * are drawn from it. Each pair of a state and an action has, independently of the others,
 *
 *     transition probabilities ~ Dirichlet(transitions),    mean and precision of rewards ~ normal-gamma
 *
 * and every step of an episode keeps that form: the transition that was seen adds 1 to its number, and the reward is
 * learned as in normal_gamma.h. A transition whose number is 0 is impossible. If it is seen all the same, it is
 * possible from then on. Reference: Strens, A Bayesian framework for reinforcement learning (2000).
 */
#ifndef POSSE_BELIEF_MDP_H
#define POSSE_BELIEF_MDP_H

#include "belief/normal_gamma.h"
#include "belief/process.h"
#include "model/part.h"

/* A number of a Dirichlet distribution is 0 or at least this; otherwise a whole row could be too small for a double. */
#define TRANSITION_MIN 0.1

/* The parameters of the belief and of the environment. */
enum { MDP_STATES, MDP_ACTIONS, MDP_DISCOUNT, MDP_START, MDP_TRANSITIONS, MDP_REWARDS, MDP_REWARDS_END = 8 };
#define PARAMETER_STATES(flags_)                                                                                       \
    {                                                                                                                  \
        .name = "states", .type = POSSE_TYPE_COUNT, .flags = flags_, .fallback = 1, .low = 1, .high = STATES_MAX,      \
        .help = "number of states"                                                                                     \
    }
#define PARAMETER_ACTIONS(flags_)                                                                                      \
    {                                                                                                                  \
        .name = "actions", .type = POSSE_TYPE_COUNT, .flags = flags_, .fallback = 1, .low = 1, .high = ACTIONS_MAX,    \
        .help = "number of actions in each state; every policy is an arm"                                              \
    }
#define PARAMETERS_OF_MDP(count_flags_, flags_)                                                                        \
    PARAMETER_STATES(count_flags_), PARAMETER_ACTIONS(count_flags_),                                                   \
        {.name = "discount",                                                                                           \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .flags = flags_,                                                                                              \
         .fallback = 0.9,                                                                                              \
         .low = 0.0,                                                                                                   \
         .high = DISCOUNT_MAX,                                                                                         \
         .help = "probability that an episode continues after a step"},                                                \
        {.name = "start",                                                                                              \
         .type = POSSE_TYPE_COUNT,                                                                                     \
         .flags = flags_,                                                                                              \
         .fallback = 0,                                                                                                \
         .low = 0,                                                                                                     \
         .high = STATES_MAX - 1,                                                                                       \
         .help = "state in which episodes begin, counted from 0"},                                                     \
        {.name = "transitions",                                                                                        \
         .type = POSSE_TYPE_REALS,                                                                                     \
         .fallback = 1.0,                                                                                              \
         .low = 0.0,                                                                                                   \
         .high = 1e12,                                                                                                 \
         .help = "prior of transitions, Dirichlet: one number, or a list by state, action and next state; 0: "         \
                 "impossible"},                                                                                        \
        {.name = "rewards.mean",                                                                                       \
         .type = POSSE_TYPE_REALS,                                                                                     \
         .fallback = 0.0,                                                                                              \
         .low = -REAL_MAX,                                                                                             \
         .high = REAL_MAX,                                                                                             \
         .help = "prior mean of the mean reward of a step: one number, or a list by state and action"},                \
        {.name = "rewards.weight",                                                                                     \
         .type = POSSE_TYPE_REALS,                                                                                     \
         .fallback = 1.0,                                                                                              \
         .low = 1e-12,                                                                                                 \
         .high = 1e12,                                                                                                 \
         .help = "number of rewards that the prior mean counts for: one number, or a list"},                           \
        {.name = "rewards.shape",                                                                                      \
         .type = POSSE_TYPE_REALS,                                                                                     \
         .fallback = UNKNOWN_SHAPE,                                                                                    \
         .low = UNKNOWN_SHAPE_MIN,                                                                                     \
         .high = UNKNOWN_SHAPE_MAX,                                                                                    \
         .help = "of the prior of the noise, 1 / noise^2 ~ Gamma(shape, scale): one number, or a list"},               \
    {                                                                                                                  \
        .name = "rewards.scale", .type = POSSE_TYPE_REALS, .fallback = UNKNOWN_SCALE, .low = UNKNOWN_SCALE_MIN,        \
        .high = UNKNOWN_SCALE_MAX, .help = "rate of that Gamma: one number, or a list"                                 \
    }

/* What is assumed before the first episode. */
typedef struct mdp {
    process_shape shape;
    const double *transitions;
    const double *rewards[MDP_REWARDS_END - MDP_REWARDS + 1]; /* mean, weight, shape, scale */
} mdp;

/* Reads and checks the settings of the parameters above. */
posse_error mdp_prepare(const posse_setup *setup, mdp *out);

/*
 * For a part that is made for a space: refuses rounds that are no episodes, and arms that are not all the policies of
 * this number of states and actions. `what` names the kind.
 */
posse_error mdp_check_space(const posse_setup *setup, const process_shape *shape, const char *what);

/* The state: the numbers of the transitions, then the arrays of normal_gamma.h with a number for each pair. */
size_t mdp_state_size(const mdp *m);
void mdp_start(const mdp *m, void *state);
bool mdp_sane(const mdp *m, const void *state);

/* Learns the steps of an episode in which a policy was played. */
void mdp_learn(const mdp *m, void *state, int policy, const double *episode);

/* The log of the probability of an episode before it is learned. */
double mdp_evidence(const mdp *m, const void *state, int policy, const double *episode);

/* Draws a process. noise: room for the standard deviation of the rewards of each pair. */
void mdp_draw(const mdp *m, const void *state, posse_draw *draw, process *out, double noise[PAIRS_MAX]);

/* The process whose numbers are the posterior means. */
void mdp_mean(const mdp *m, const void *state, process *out);

/* How many rewards of a pair were learned. */
double mdp_visits(const mdp *m, const void *state, int pair);

/* The distribution inside a belief of the kind `mdp`; NULL: the belief is of another kind. */
struct posse_belief;
const mdp *mdp_of_belief(const struct posse_belief *belief);

#endif
