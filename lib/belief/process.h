/* SPDX-License-Identifier: MIT */
/*
 * Markov decision processes with few states and actions. An episode begins in the state `start`. Each step pays a
 * reward, whose mean depends on the state and the action. After it the episode continues with probability `discount`,
 * in a state that is drawn by the transition probabilities of the state and the action.
 *
 * A policy has an action for each state: that of state s is digit s of the policy's index in base `actions`. The value
 * of a policy is the expected sum of the rewards of an episode. Because episodes end by chance and not after a fixed
 * number of steps, one of these policies is optimal among all policies, including those that look at the past
 * (Puterman, Markov decision processes, 1994, theorem 6.2.7).
 */
#ifndef POSSE_BELIEF_PROCESS_H
#define POSSE_BELIEF_PROCESS_H

#include <stdbool.h>

#define STATES_MAX 12
#define ACTIONS_MAX 16
#define POLICIES_MAX 4096 /* 2^12, 4^6, 8^4, 16^3 */

/* The largest numbers of pairs of a state and an action, and of transitions, with POLICIES_MAX policies. */
#define PAIRS_MAX 48
#define TRANSITIONS_MAX 288

/* The largest discount, and the number of steps after which an episode ends in any case: a chance below 4e-12. */
#define DISCOUNT_MAX 0.95
#define STEPS_MAX 512

typedef struct process_shape {
    int states, actions, policies;
    int start;
    double discount;
} process_shape;

/* The mean reward of each pair, and its transition probabilities: a row for each pair. */
typedef struct process {
    double rewards[PAIRS_MAX];
    double transitions[TRANSITIONS_MAX];
} process;

/* The number of policies; 0: there are more than POLICIES_MAX. */
int process_count_policies(int states, int actions);

static inline int process_pair(const process_shape *shape, int state, int action) {
    return state * shape->actions + action;
}

static inline int process_pairs(const process_shape *shape) {
    return shape->states * shape->actions;
}

static inline int process_transitions(const process_shape *shape) {
    return process_pairs(shape) * shape->states;
}

/* The pair of each state under a policy. */
void process_follow(const process_shape *shape, int policy, int pairs[STATES_MAX]);

/* Whether an episode is one of a process of this shape. Those of extensions may not be. */
bool process_had(const process_shape *shape, const double *episode);

/* The value of every policy. */
void process_values(const process_shape *shape, const process *p, double *values);

#endif
