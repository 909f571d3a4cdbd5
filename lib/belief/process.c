/* SPDX-License-Identifier: MIT */
/*
 * The values of all policies come from eliminating one state after the other, `start` last. With action a in state k,
 *
 *     v_k = (r_ka + g sum over j other than k of P_kaj v_j) / (1 - g P_kak),     g = discount,
 *
 * which is put into the equations of all pairs of the states that are left. The rest is a process with one state
 * less. A tree with a branch for each action thus has all policies as its leaves, and policies that agree in the states
 * that were eliminated first share that work. Nothing is subtracted but g P from 1, so rounding errors stay small.
 *
 * If a policy never gets to a state, the weights of that state are exactly 0 in all rows that it does get to. So
 * policies that differ only in such states have the same value, to the bit.
 */
#include "belief/process.h"

#include <string.h>

#include "base/assert.h"
#include "posse_extend.h"

int process_count_policies(int states, int actions) {
    int policies = 1;
    for (int s = 0; s < states && policies > 0; s++)
        policies = policies <= POLICIES_MAX / actions ? policies * actions : 0;
    return policies;
}

void process_follow(const process_shape *shape, int policy, int pairs[STATES_MAX]) {
    for (int s = 0; s < shape->states; s++, policy /= shape->actions)
        pairs[s] = process_pair(shape, s, policy % shape->actions);
}

bool process_had(const process_shape *shape, const double *episode) {
    if (episode == NULL || !(episode[0] >= 1.0 && episode[0] <= STEPS_MAX)) return false;
    for (int k = 0; k < posse_episode_steps(episode); k++)
        if (posse_episode_state(episode, k) < 0 || posse_episode_state(episode, k) >= shape->states) return false;
    return true;
}

/* The states in the order in which they are eliminated, and what a step of each adds to the index of a policy. */
typedef struct elimination {
    const process_shape *shape;
    double *values;
    int states[STATES_MAX];
    int digits[STATES_MAX]; /* actions^state */
} elimination;

/* Copies the numbers that there are; a whole process is much larger, and there is one for each branch. */
static void process_copy(const process_shape *shape, const process *from, process *to) {
    memcpy(to->rewards, from->rewards, (size_t)process_pairs(shape) * sizeof(double));
    memcpy(to->transitions, from->transitions, (size_t)process_transitions(shape) * sizeof(double));
}

/* Puts the equation of a pair of state k into those of a pair that is left. */
static void process_put(const elimination *e, int depth, process *p, int from, int k, int pair) {
    int states = e->shape->states;
    const double *source = p->transitions + from * states;
    double *target = p->transitions + pair * states;
    double share = target[k] / (1.0 - source[k]);
    p->rewards[pair] += share * p->rewards[from];
    for (int i = depth + 1; i < states; i++) target[e->states[i]] += share * source[e->states[i]];
}

/* p: transition probabilities times the discount, of the states that are left. policy: the actions so far. */
static void process_eliminate(const elimination *e, int depth, const process *p, int policy) {
    const process_shape *shape = e->shape;
    int k = e->states[depth];
    for (int a = 0; a < shape->actions; a++, policy += e->digits[depth]) {
        int from = process_pair(shape, k, a);
        if (depth == shape->states - 1) {
            e->values[policy] = p->rewards[from] / (1.0 - p->transitions[from * shape->states + k]);
            continue;
        }
        process left;
        process_copy(shape, p, &left);
        for (int i = depth + 1; i < shape->states; i++)
            for (int b = 0; b < shape->actions; b++)
                process_put(e, depth, &left, from, k, process_pair(shape, e->states[i], b));
        process_eliminate(e, depth + 1, &left, policy);
    }
}

void process_values(const process_shape *shape, const process *p, double *values) {
    elimination e = {.shape = shape, .values = values};
    process discounted;
    int digit = 1, at = 0;
    POSSE_ASSERT(shape->states <= STATES_MAX && process_transitions(shape) <= TRANSITIONS_MAX);
    process_copy(shape, p, &discounted);
    for (int s = 0; s < shape->states; s++, digit *= shape->actions) {
        int place = s == shape->start ? shape->states - 1 : at++;
        e.states[place] = s;
        e.digits[place] = digit;
    }
    for (int i = 0; i < process_transitions(shape); i++) discounted.transitions[i] *= shape->discount;
    process_eliminate(&e, 0, &discounted, 0);
}
