/* SPDX-License-Identifier: MIT */
/*
 * Q-learning in a Markov decision process whose rounds are episodes and whose arms are policies (belief/process.h). It
 * has a value Q(s, a) for each state and action, and learns it from every step of an episode, in order:
 *
 *     Q(s, a) += alpha (r + max over b of Q(s', b) - Q(s, a)),     alpha = step / n^power,
 *
 * where n counts the steps with this state and action. After the last step of an episode there is no state s', and the
 * target is r alone. The policy of an episode has the action with the largest value in each state, the lowest among
 * equals. With probability epsilon, independently in each state, it has a random action instead.
 * Reference: Watkins, Dayan, Q-learning (1992); Even-Dar, Mansour, Learning rates for Q-learning (2003).
 */
#include <math.h>

#include "belief/mdp.h"
#include "learner/learner.h"

enum { STATES, ACTIONS, STEP, POWER, EPSILON, INITIAL };

static const posse_param params[] = {
    PARAMETER_STATES(POSSE_PARAM_INHERITED),
    PARAMETER_ACTIONS(POSSE_PARAM_INHERITED),
    {.name = "step",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_ABOVE,
     .fallback = 0.1,
     .low = 0.0,
     .high = 1.0,
     .help = "step size: share of the way to the target that a value moves"},
    {.name = "power",
     .type = POSSE_TYPE_REAL,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1.0,
     .help = "the n-th step size of a state and action is step / n^power; 0: all are the same"},
    {.name = "epsilon",
     .type = POSSE_TYPE_REAL,
     .fallback = 0.1,
     .low = 0.0,
     .high = 1.0,
     .help = "probability of a random action in each state, for a whole episode"},
    {.name = "initial",
     .type = POSSE_TYPE_REAL,
     .fallback = 0.0,
     .low = -1e6,
     .high = 1e6,
     .help = "value of every action before the first reward; a high one makes it try all actions"},
    PARAMETERS_END};

typedef struct plan {
    process_shape shape;
    double step, power, epsilon, initial;
} plan;

/* The state: the values of the pairs, and the counts of the pairs. */
static double *q_counts_of(const plan *p, const void *state) {
    return (double *)(uintptr_t)state + process_pairs(&p->shape);
}

static posse_error q_learning_prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    int states = (int)settings[STATES].number, actions = (int)settings[ACTIONS].number;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){.shape = {.states = states, .actions = actions, .policies = process_count_policies(states, actions)},
                .step = settings[STEP].number,
                .power = settings[POWER].number,
                .epsilon = settings[EPSILON].number,
                .initial = settings[INITIAL].number};
    *out = p;
    return mdp_check_space(setup, &p->shape, "q-learning");
}

static size_t q_learning_state_size(const void *plan_) {
    return 2 * (size_t)process_pairs(&((const plan *)plan_)->shape) * sizeof(double);
}

static void q_learning_start(const void *plan_, void *state) {
    const plan *p = plan_;
    for (int pair = 0; pair < process_pairs(&p->shape); pair++) {
        ((double *)state)[pair] = p->initial;
        q_counts_of(p, state)[pair] = 0.0;
    }
}

static bool q_learning_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    const double *values = state, *counts = q_counts_of(p, state);
    for (int pair = 0; pair < process_pairs(&p->shape); pair++)
        if (!(fabs(values[pair]) <= 1e150 && counts[pair] >= 0.0 && counts[pair] < 1e18)) return false;
    return true;
}

static int best_action(const plan *p, const double *values, int state) {
    return largest(values + process_pair(&p->shape, state, 0), p->shape.actions);
}

static int q_learning_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)point;
    const plan *p = plan_;
    int policy = 0;
    for (int s = p->shape.states - 1; s >= 0; s--) {
        bool explores = posse_draw_uniform(draw) < p->epsilon;
        int action = explores ? (int)posse_draw_index(draw, (uint64_t)p->shape.actions) : best_action(p, state, s);
        policy = policy * p->shape.actions + action;
    }
    return policy;
}

static double q_learning_step(const plan *p, double count) {
    return p->power > 0.0 ? p->step * posse_exp(-p->power * posse_log(count)) : p->step;
}

static void q_learning_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)reward;
    const plan *p = plan_;
    double *values = state, *counts = q_counts_of(p, state);
    int pairs[STATES_MAX];
    if (!process_had(&p->shape, point)) return;
    process_follow(&p->shape, arm, pairs);
    for (int k = 0, steps = posse_episode_steps(point); k < steps; k++) {
        int pair = pairs[posse_episode_state(point, k)];
        double target = posse_episode_reward(point, k);
        if (k + 1 < steps) {
            int next = posse_episode_state(point, k + 1);
            target += values[process_pair(&p->shape, next, best_action(p, values, next))];
        }
        counts[pair] += 1.0;
        values[pair] += q_learning_step(p, counts[pair]) * (target - values[pair]);
    }
}

const posse_learner_ops learner_q_learning = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "q-learning",
             .help = "in episodes: the policy with the largest learned value in each state, or random actions",
             .params = params,
             .prepare = q_learning_prepare,
             .state_size = q_learning_state_size,
             .start = q_learning_start,
             .sane = q_learning_sane},
    .act = q_learning_act,
    .learn = q_learning_learn,
};
