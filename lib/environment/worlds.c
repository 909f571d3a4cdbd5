/* SPDX-License-Identifier: MIT */
/*
 * Worlds: the instance of a run, the mean reward of every arm, is drawn from a belief; reward = mean + noise z. So a
 * prior of any shape can be played: a mixture, a covariance over arms, or rows of a file, one a run (particles). The
 * belief is also the environment's own prior.
 */
#include "belief/belief.h"
#include "environment/environment.h"
#include "random/stream.h"

enum { ARMS, PRIOR, NOISE };

static const posse_param params[] = {
    PARAMETER_ARMS,
    {.name = "prior",
     .type = POSSE_TYPE_PART,
     .flags = POSSE_PARAM_REQUIRED,
     .help = "the belief that the mean rewards of an instance are drawn from"},
    {.name = "noise",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = SCALE_MIN,
     .high = SCALE_MAX,
     .help = "standard deviation of a reward around its arm's mean; default that of the prior, or 1 if it has none"},
    PARAMETERS_END};

typedef struct plan {
    int arms;
    double noise;
    posse_part description;
    posse_belief prior;
    const void *state; /* of the prior, before any reward */
} plan;

/* The noise that a belief has as an option, or that its first component has. */
static double worlds_noise_of(const posse_part *belief) {
    const posse_option *noise = posse_part_option(belief, "noise"),
                       *components = posse_part_option(belief, "components");
    if (noise != NULL && noise->list == NULL) return noise->number;
    return components != NULL ? worlds_noise_of(&components->part[0]) : 1.0;
}

/* The belief is made for the arms that this environment will offer. */
static posse_error make_prior(const posse_setup *setup, plan *p) {
    part_context inner = *(const part_context *)setup->reserved;
    posse_place where = {inner.where, "prior", -1};
    posse_space *space;
    space_def def = {.arms = p->arms};
    posse_error error = space_make(&def, inner.log, inner.memory, &space);
    inner.where = &where;
    inner.surroundings.space = space;
    return error == POSSE_OK ? belief_make_at(&inner, &p->description, &p->prior) : error;
}

static posse_error check_prior(const posse_setup *setup, const plan *p) {
    posse_rewards range = belief_rewards(&p->prior);
    if (!p->prior.shape.one_hot)
        return posse_setup_refuse(setup, "prior", -1, "a world of a %s belief is not the mean reward of every arm",
                                  p->description.kind);
    if (range.low > ALL_REWARDS.low || range.high < ALL_REWARDS.high)
        return posse_setup_refuse(setup, "prior", -1, "rewards are normal here, and a %s belief cannot learn from them",
                                  p->description.kind);
    return POSSE_OK;
}

static posse_error worlds_prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    if (settings[PRIOR].part == NULL)
        return posse_setup_refuse(setup, "prior", -1, "it must be a belief: this is the environment itself");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL || !part_keep(part_memory(setup), settings[PRIOR].part, &p->description)) return POSSE_ERROR_MEMORY;
    p->arms = (int)settings[ARMS].number;
    *out = p;
    posse_error error = make_prior(setup, p);
    if (error == POSSE_OK) error = check_prior(setup, p);
    if (error != POSSE_OK) return error;
    p->noise = settings[NOISE].key != NULL ? settings[NOISE].number : worlds_noise_of(&p->description);
    void *state = posse_setup_allocate(setup, p->prior.part.state_size);
    if (state == NULL) return POSSE_ERROR_MEMORY;
    part_start(&p->prior.part, state);
    p->state = state;
    return POSSE_OK;
}

static size_t worlds_state_size(const void *plan_) {
    return independent_size(((const plan *)plan_)->arms);
}

static posse_arm_set worlds_arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->arms};
}

static posse_part worlds_prior(const void *plan_) {
    return ((const plan *)plan_)->description;
}

static void worlds_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    independent_arms *instance = instance_;
    belief_draw(&p->prior, p->state, draw, instance->means);
    independent_finish(instance, p->arms);
}

static double worlds_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    return ((const independent_arms *)instance)->means[arm] + ((const plan *)plan_)->noise * draw_normal(noise);
}

const posse_environment_ops environment_worlds = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "worlds",
             .help = "mean rewards drawn from a belief of any kind, normal noise",
             .params = params,
             .prepare = worlds_prepare,
             .state_size = worlds_state_size},
    .arms = worlds_arms,
    .prior = worlds_prior,
    .begin = worlds_begin,
    .reward = worlds_reward,
    .regret = independent_regret,
    .means = independent_means,
    .reward_kind = environment_pays_unknown,
};
