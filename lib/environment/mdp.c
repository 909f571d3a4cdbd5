/* SPDX-License-Identifier: MIT */
/*
 * A Markov decision process, drawn for each run from the distribution of belief/mdp.h, which is also the environment's
 * own prior. A round is an episode, in which a policy is played, and its reward is the sum of the rewards of all steps.
 * The reward of a step is normal around the mean of its state and action.
 *
 * Each step draws its reward, whether the episode continues, and the next state. When an episode ends does not depend
 * on the policy. So all competitors get the same noise, although they visit other states.
 */
#include "belief/mdp.h"

#include "environment/environment.h"
#include "random/stream.h"

static const posse_param params[] = {PARAMETERS_OF_MDP(POSSE_PARAM_REQUIRED, 0), PARAMETERS_END};

typedef struct plan {
    mdp mdp;
    const void *prior; /* the state of mdp.h before any episode */
} plan;

/* The instance: a process, the latest episode, and the values of the policies in `arms`. */
typedef struct instance {
    process process;
    double noise[PAIRS_MAX];
    double episode[1 + 2 * STEPS_MAX];
    independent_arms arms;
} instance;

static posse_error environment_mdp_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    posse_error error = mdp_prepare(setup, &p->mdp);
    if (error != POSSE_OK) return error;
    void *prior = posse_setup_allocate(setup, mdp_state_size(&p->mdp));
    if (prior == NULL) return POSSE_ERROR_MEMORY;
    mdp_start(&p->mdp, prior);
    p->prior = prior;
    return POSSE_OK;
}

static size_t environment_mdp_state_size(const void *plan_) {
    return offsetof(instance, arms) + independent_size(((const plan *)plan_)->mdp.shape.policies);
}

static posse_arm_set environment_mdp_arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->mdp.shape.policies};
}

static posse_part environment_mdp_prior(const void *plan_) {
    const mdp *m = &((const plan *)plan_)->mdp;
    posse_part prior = {.kind = "mdp",
                        .options = {[MDP_STATES] = {.key = "states", .number = m->shape.states},
                                    [MDP_ACTIONS] = {.key = "actions", .number = m->shape.actions},
                                    [MDP_DISCOUNT] = {.key = "discount", .number = m->shape.discount},
                                    [MDP_START] = {.key = "start", .number = m->shape.start},
                                    [MDP_TRANSITIONS] = {.key = "transitions",
                                                         .list = m->transitions,
                                                         .count = (size_t)process_transitions(&m->shape)}}};
    for (int i = MDP_REWARDS; i <= MDP_REWARDS_END; i++)
        prior.options[i] = (posse_option){
            .key = params[i].name, .list = m->rewards[i - MDP_REWARDS], .count = (size_t)process_pairs(&m->shape)};
    return prior;
}

static void environment_mdp_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    instance *i = instance_;
    mdp_draw(&p->mdp, p->prior, draw, &i->process, i->noise);
    process_values(&p->mdp.shape, &i->process, i->arms.means);
    independent_finish(&i->arms, p->mdp.shape.policies);
    i->episode[0] = 0.0;
}

static double environment_mdp_reward(const void *plan_, void *instance_, int arm, const double *point,
                                     posse_draw *noise) {
    (void)point;
    const process_shape *shape = &((const plan *)plan_)->mdp.shape;
    instance *i = instance_;
    int pairs[STATES_MAX], state = shape->start, steps = 0;
    double sum = 0.0;
    process_follow(shape, arm, pairs);
    for (bool goes_on = true; goes_on && steps < STEPS_MAX; steps++) {
        int pair = pairs[state];
        double reward = i->process.rewards[pair] + i->noise[pair] * draw_normal(noise);
        i->episode[1 + 2 * steps] = state;
        i->episode[2 + 2 * steps] = reward;
        sum += reward;
        goes_on = posse_draw_uniform(noise) < shape->discount;
        state = (int)posse_draw_weighted(noise, i->process.transitions + pair * shape->states, (size_t)shape->states);
    }
    i->episode[0] = steps;
    return sum;
}

static double environment_mdp_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    return independent_regret(plan_, &((const instance *)instance_)->arms, arm, point);
}

static void environment_mdp_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    independent_means(plan_, &((const instance *)instance_)->arms, space, out);
}

static const double *environment_mdp_episode(const void *plan_, const void *instance_) {
    (void)plan_;
    return ((const instance *)instance_)->episode;
}

const posse_environment_ops environment_mdp = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "mdp",
             .help = "a Markov decision process; a round is an episode, and the arms are policies",
             .params = params,
             .prepare = environment_mdp_prepare,
             .state_size = environment_mdp_state_size},
    .arms = environment_mdp_arms,
    .prior = environment_mdp_prior,
    .begin = environment_mdp_begin,
    .reward = environment_mdp_reward,
    .regret = environment_mdp_regret,
    .means = environment_mdp_means,
    .episode = environment_mdp_episode,
};
