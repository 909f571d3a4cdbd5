/* SPDX-License-Identifier: MIT */
/*
 * Planner: the best policy of a Markov decision process that has the posterior means of its belief as transition
 * probabilities and mean rewards. The mean reward of a state and action that were tried n times is raised by
 *
 *     bonus / sqrt(1 + n)
 *
 * With a bonus of 0 it is greedy, and with a larger one it is optimistic about what it has seldom tried.
 * Reference: Strehl, Littman, An analysis of model-based interval estimation for Markov decision processes (2008).
 */
#include <math.h>

#include "belief/belief.h"
#include "belief/mdp.h"
#include "learner/learner.h"

enum { BELIEF, BONUS };

static const posse_param params[] = {
    PARAMETER_BELIEF,
    {.name = "bonus",
     .type = POSSE_TYPE_REAL,
     .fallback = 1.0,
     .low = 0.0,
     .high = SCALE_MAX,
     .help = "added to the mean reward of a state and action, divided by sqrt(1 + times tried)"},
    PARAMETERS_END};

typedef struct plan {
    posse_belief belief;
    const mdp *mdp;
    double bonus;
} plan;

static posse_error planner_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->bonus = setup->settings[BONUS].number;
    posse_error error = belief_of_setting(setup, &setup->settings[BELIEF], &p->belief);
    if (error != POSSE_OK) return error;
    p->mdp = mdp_of_belief(&p->belief);
    if (p->mdp != NULL) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1, "planner plans in a decision process: its belief must be of kind mdp");
}

/* The state is that of the belief, followed by the values of the policies when it planned last. */
static size_t planner_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->belief.part.state_size + (size_t)p->mdp->shape.policies * sizeof(double);
}

static double *planner_values(const plan *p, const void *state) {
    return (double *)((char *)(uintptr_t)state + p->belief.part.state_size);
}

static void planner_start(const void *plan_, void *state) {
    const plan *p = plan_;
    part_start(&p->belief.part, state);
    for (int i = 0; i < p->mdp->shape.policies; i++) planner_values(p, state)[i] = 0.0;
}

static bool planner_sane(const void *plan_, const void *state) {
    return part_state_sane(&((const plan *)plan_)->belief.part, state);
}

static int planner_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    const process_shape *shape = &p->mdp->shape;
    process model;
    mdp_mean(p->mdp, state, &model);
    for (int pair = 0; pair < process_pairs(shape); pair++)
        model.rewards[pair] += p->bonus / sqrt(1.0 + mdp_visits(p->mdp, state, pair));
    process_values(shape, &model, planner_values(p, state));
    return largest(planner_values(p, state), shape->policies);
}

static void planner_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    belief_update(&((const plan *)plan_)->belief, state, arm, point, reward);
}

const posse_learner_ops learner_planner = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "planner",
             .help = "in episodes: the best policy of its mean model, with a bonus for actions seldom tried",
             .params = params,
             .prepare = planner_prepare,
             .state_size = planner_state_size,
             .start = planner_start,
             .sane = planner_sane},
    .act = planner_act,
    .learn = planner_learn,
};
