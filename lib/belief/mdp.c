/* SPDX-License-Identifier: MIT */
/*
 * The belief `mdp`: a Markov decision process whose transitions and rewards are unknown (mdp.h). Rounds are episodes,
 * arms are policies, and the values of a world are those of all policies in a process that is drawn from the posterior.
 * Thompson sampling with this belief is posterior sampling for reinforcement learning (Osband, Russo, Van Roy, More
 * efficient reinforcement learning via posterior sampling, 2013).
 *
 * The mean value of a policy has no closed form. In its place, `add_mean` adds the policy's value in the process of the
 * posterior means. The two differ where a state may be visited more than once in an episode.
 */
#include "belief/mdp.h"

#include <string.h>

#include "belief/belief.h"

static const posse_param params[] = {PARAMETERS_OF_MDP(POSSE_PARAM_INHERITED, POSSE_PARAM_INHERITED), PARAMETERS_END};

/* --------------------------------------------- the distribution --------------------------------------------- */

static posse_error mdp_refuse_count(const posse_setup *setup, const process_shape *shape) {
    return posse_setup_refuse(setup, "states", -1, "%d states with %d actions have more than %d policies",
                              shape->states, shape->actions, POLICIES_MAX);
}

static posse_error mdp_read_shape(const posse_setup *setup, process_shape *out) {
    const posse_option *settings = setup->settings;
    int states = (int)settings[MDP_STATES].number, actions = (int)settings[MDP_ACTIONS].number;
    *out = (process_shape){.states = states,
                           .actions = actions,
                           .policies = process_count_policies(states, actions),
                           .start = (int)settings[MDP_START].number,
                           .discount = settings[MDP_DISCOUNT].number};
    if (out->policies == 0) return mdp_refuse_count(setup, out);
    if (out->start >= states)
        return posse_setup_refuse(setup, "start", -1, "there is no state %d; they count from 0 to %d", out->start,
                                  states - 1);
    return POSSE_OK;
}

/* In the list, the row of each pair must have a transition that is possible. */
static posse_error mdp_check_transitions(const posse_setup *setup, const mdp *m) {
    int states = m->shape.states;
    for (int pair = 0; pair < process_pairs(&m->shape); pair++) {
        bool possible = false;
        for (int i = pair * states; i < (pair + 1) * states; i++) {
            possible = possible || m->transitions[i] > 0.0;
            if (m->transitions[i] > 0.0 && m->transitions[i] < TRANSITION_MIN)
                return posse_setup_refuse(setup, "transitions", setup->settings[MDP_TRANSITIONS].list != NULL ? i : -1,
                                          "%.12g is out of range; it must be 0, or at least %g", m->transitions[i],
                                          TRANSITION_MIN);
        }
        if (!possible)
            return posse_setup_refuse(
                setup, "transitions", -1,
                "state %d has no transition with action %d; one of its %d numbers must be above 0",
                pair / m->shape.actions, pair % m->shape.actions, states);
    }
    return POSSE_OK;
}

posse_error mdp_prepare(const posse_setup *setup, mdp *out) {
    posse_error error = mdp_read_shape(setup, &out->shape);
    if (error == POSSE_OK)
        error = posse_setup_numbers(setup, &setup->settings[MDP_TRANSITIONS], process_transitions(&out->shape),
                                    "transitions", &out->transitions);
    for (int i = MDP_REWARDS; i <= MDP_REWARDS_END && error == POSSE_OK; i++)
        error = posse_setup_numbers(setup, &setup->settings[i], process_pairs(&out->shape),
                                    "pairs of a state and an action", &out->rewards[i - MDP_REWARDS]);
    return error == POSSE_OK ? mdp_check_transitions(setup, out) : error;
}

posse_error mdp_check_space(const posse_setup *setup, const process_shape *shape, const char *what) {
    if (!setup->space->episodes)
        return posse_setup_refuse(setup, NULL, -1,
                                  "%s learns from the steps of episodes, which only an environment such as mdp reports",
                                  what);
    if (shape->policies == 0) return mdp_refuse_count(setup, shape);
    if (shape->policies != setup->space->arms)
        return posse_setup_refuse(setup, "states", -1,
                                  "%d states with %d actions have %d policies, and there are %d arms", shape->states,
                                  shape->actions, shape->policies, setup->space->arms);
    return POSSE_OK;
}

static normal_gamma mdp_rewards(const mdp *m, const void *state) {
    return normal_gamma_at((const double *)state + process_transitions(&m->shape), process_pairs(&m->shape));
}

size_t mdp_state_size(const mdp *m) {
    int rewards = (MDP_REWARDS_END - MDP_REWARDS + 1) * process_pairs(&m->shape);
    return (size_t)(process_transitions(&m->shape) + rewards) * sizeof(double);
}

void mdp_start(const mdp *m, void *state) {
    size_t transitions = (size_t)process_transitions(&m->shape), pairs = (size_t)process_pairs(&m->shape);
    memcpy(state, m->transitions, transitions * sizeof(double));
    for (size_t i = 0; i <= MDP_REWARDS_END - MDP_REWARDS; i++)
        memcpy((double *)state + transitions + i * pairs, m->rewards[i], pairs * sizeof(double));
}

bool mdp_sane(const mdp *m, const void *state) {
    const double *transitions = state;
    for (int i = 0; i < process_transitions(&m->shape); i++)
        if (!(transitions[i] >= m->transitions[i] && transitions[i] <= 1e18)) return false;
    for (int pair = 0; pair < process_pairs(&m->shape); pair++)
        if (!normal_gamma_is_sane(mdp_rewards(m, state), pair)) return false;
    return true;
}

/* The row of a pair in a state, or in a process. */
static double *mdp_row(const mdp *m, const double *transitions, int pair) {
    return (double *)(uintptr_t)transitions + pair * m->shape.states;
}

static double mdp_total(const mdp *m, const double *row) {
    double total = 0.0;
    for (int s = 0; s < m->shape.states; s++) total += row[s];
    return total;
}

/* next: the state after this step, or -1 if it was the last. */
static void mdp_learn_step(const mdp *m, void *state, int pair, double reward, int next) {
    normal_gamma_learn(mdp_rewards(m, state), pair, reward);
    if (next >= 0) mdp_row(m, state, pair)[next] += 1.0;
}

static double mdp_step_evidence(const mdp *m, const void *state, int pair, double reward, int next) {
    const double *row = mdp_row(m, state, pair);
    double goes_on = m->shape.discount;
    double chance = next >= 0 ? goes_on * row[next] / mdp_total(m, row) : 1.0 - goes_on;
    return normal_gamma_log_density(mdp_rewards(m, state), pair, reward) +
           (chance > 0.0 ? posse_log(chance) : -INFINITY);
}

static int mdp_next(const double *episode, int step) {
    return step + 1 < posse_episode_steps(episode) ? posse_episode_state(episode, step + 1) : -1;
}

void mdp_learn(const mdp *m, void *state, int policy, const double *episode) {
    int pairs[STATES_MAX];
    if (!process_had(&m->shape, episode)) return;
    process_follow(&m->shape, policy, pairs);
    for (int k = 0; k < posse_episode_steps(episode); k++)
        mdp_learn_step(m, state, pairs[posse_episode_state(episode, k)], posse_episode_reward(episode, k),
                       mdp_next(episode, k));
}

/* Each step is weighed after the steps before it were learned. */
double mdp_evidence(const mdp *m, const void *state, int policy, const double *episode) {
    double sum = 0.0, learned[TRANSITIONS_MAX + 4 * PAIRS_MAX];
    int pairs[STATES_MAX];
    if (!process_had(&m->shape, episode)) return NAN;
    memcpy(learned, state, mdp_state_size(m));
    process_follow(&m->shape, policy, pairs);
    for (int k = 0; k < posse_episode_steps(episode); k++) {
        int pair = pairs[posse_episode_state(episode, k)], next = mdp_next(episode, k);
        double reward = posse_episode_reward(episode, k);
        sum += mdp_step_evidence(m, learned, pair, reward, next);
        mdp_learn_step(m, learned, pair, reward, next);
    }
    return sum;
}

/* A Dirichlet variable is a vector of gamma variables, divided by their sum. */
static void mdp_draw_row(const mdp *m, const double *numbers, posse_draw *draw, double *out) {
    for (int s = 0; s < m->shape.states; s++) out[s] = numbers[s] > 0.0 ? posse_draw_gamma(draw, numbers[s]) : 0.0;
    double total = mdp_total(m, out);
    for (int s = 0; s < m->shape.states; s++) out[s] /= total;
}

void mdp_draw(const mdp *m, const void *state, posse_draw *draw, process *out, double noise[PAIRS_MAX]) {
    normal_gamma rewards = mdp_rewards(m, state);
    for (int pair = 0; pair < process_pairs(&m->shape); pair++) {
        mdp_draw_row(m, mdp_row(m, state, pair), draw, mdp_row(m, out->transitions, pair));
        out->rewards[pair] = normal_gamma_sample(rewards, pair, draw, &noise[pair]);
    }
}

void mdp_mean(const mdp *m, const void *state, process *out) {
    for (int pair = 0; pair < process_pairs(&m->shape); pair++) {
        const double *numbers = mdp_row(m, state, pair);
        double *row = mdp_row(m, out->transitions, pair), total = mdp_total(m, numbers);
        for (int s = 0; s < m->shape.states; s++) row[s] = numbers[s] / total;
        out->rewards[pair] = mdp_rewards(m, state).mean[pair];
    }
}

double mdp_visits(const mdp *m, const void *state, int pair) {
    return mdp_rewards(m, state).weight[pair] - m->rewards[1][pair];
}

/* ------------------------------------------------- the belief ------------------------------------------------ */

const mdp *mdp_of_belief(const posse_belief *belief) {
    return belief->ops == &belief_mdp ? belief->part.plan : NULL;
}

static posse_error belief_mdp_prepare(const posse_setup *setup, void **out) {
    mdp *m = posse_setup_allocate(setup, sizeof *m);
    if (m == NULL) return POSSE_ERROR_MEMORY;
    *out = m;
    posse_error error = mdp_prepare(setup, m);
    return error == POSSE_OK ? mdp_check_space(setup, &m->shape, "an mdp belief") : error;
}

static size_t belief_mdp_state_size(const void *plan) {
    return mdp_state_size(plan);
}

static void belief_mdp_start(const void *plan, void *state) {
    mdp_start(plan, state);
}

static bool belief_mdp_sane(const void *plan, const void *state) {
    return mdp_sane(plan, state);
}

static posse_belief_shape belief_mdp_shape(const void *plan) {
    return (posse_belief_shape){.dim = ((const mdp *)plan)->shape.policies, .one_hot = true};
}

static void belief_mdp_update(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)reward; /* the sum of those of the steps */
    mdp_learn(plan, state, arm, point);
}

static void belief_mdp_draw(const void *plan, const void *state, posse_draw *draw, double *world) {
    process drawn;
    double noise[PAIRS_MAX];
    mdp_draw(plan, state, draw, &drawn, noise);
    process_values(&((const mdp *)plan)->shape, &drawn, world);
}

static void belief_mdp_add_mean(const void *plan, const void *state, double scale, double *world) {
    const mdp *m = plan;
    process mean;
    double values[POLICIES_MAX];
    mdp_mean(m, state, &mean);
    process_values(&m->shape, &mean, values);
    for (int i = 0; i < m->shape.policies; i++) world[i] += scale * values[i];
}

static double belief_mdp_evidence(const void *plan, const void *state, int arm, const double *point, double reward) {
    (void)reward;
    return mdp_evidence(plan, state, arm, point);
}

const posse_belief_ops belief_mdp = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "mdp",
             .help = "unknown transitions and rewards of a Markov decision process, whose policies are the arms",
             .params = params,
             .prepare = belief_mdp_prepare,
             .state_size = belief_mdp_state_size,
             .start = belief_mdp_start,
             .sane = belief_mdp_sane},
    .shape = belief_mdp_shape,
    .update = belief_mdp_update,
    .draw = belief_mdp_draw,
    .add_mean = belief_mdp_add_mean,
    .evidence = belief_mdp_evidence,
};
