/* SPDX-License-Identifier: MIT */
/*
 * Thompson sampling: draws a world from its posterior and plays the best arm of that world.
 * Reference: Thompson, On the likelihood that one unknown probability exceeds another (1933); Russo et al., A tutorial
 * on Thompson sampling (2018).
 */
#include "belief/belief.h"
#include "learner/learner.h"
#include "model/abreast_form.h"

enum { BELIEF };

static const posse_param params[] = {PARAMETER_BELIEF, PARAMETERS_END};

typedef struct plan {
    posse_belief belief;
    int values; /* one per arm if rounds have features; else 0 */
} plan;

static const posse_belief *thompson_belief_of(const void *plan_) {
    return &((const plan *)plan_)->belief;
}

/*
 * The state is that of the belief, followed by the world drawn last and, in contexts, by the values of arms in that
 * world.
 */
static double *world_of(const plan *p, const void *state) {
    return (double *)((char *)(uintptr_t)state + p->belief.part.state_size);
}

static posse_error thompson_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->values = space_has_contexts(setup->space) ? setup->space->arms : 0;
    *out = p;
    return belief_of_setting(setup, &setup->settings[BELIEF], &p->belief);
}

static size_t thompson_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->belief.part.state_size + ((size_t)p->belief.shape.dim + (size_t)p->values) * sizeof(double);
}

static void forget_world(const plan *p, void *state) {
    for (int j = 0; j < p->belief.shape.dim + p->values; j++) world_of(p, state)[j] = 0.0;
}

static void thompson_start(const void *plan_, void *state) {
    const plan *p = plan_;
    part_start(&p->belief.part, state);
    forget_world(p, state);
}

static void thompson_next_task(const void *plan_, void *state, posse_draw *draw) {
    const plan *p = plan_;
    belief_next_task(&p->belief, state, draw);
    forget_world(p, state);
}

static bool thompson_sane(const void *plan_, const void *state) {
    return part_state_sane(&((const plan *)plan_)->belief.part, state);
}

static void thompson_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    part_grow(&p->belief.part, state, &q->belief.part, former_state);
    copy_columns(world_of(p, state), p->belief.shape.dim, world_of(q, former_state), q->belief.shape.dim, 1);
}

static posse_rewards thompson_rewards(const void *plan_) {
    return belief_rewards(&((const plan *)plan_)->belief);
}

static int thompson_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    const plan *p = plan_;
    double *world = world_of(p, state), value;
    const double *coordinates;
    belief_draw(&p->belief, state, draw, world);
    return belief_best(&p->belief, world, &value, &coordinates, point);
}

static int thompson_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    double *world = world_of(p, state);
    belief_draw(&p->belief, state, draw, world);
    return belief_values(&p->belief, world, round, world + p->belief.shape.dim);
}

static void thompson_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    belief_update(&((const plan *)plan_)->belief, state, arm, point, reward);
}

static const abreast_form abreast = {.belief = thompson_belief_of};

const posse_learner_ops learner_thompson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "thompson",
             .help = "the best arm of a world, which is one draw from its posterior",
             .params = params,
             .prepare = thompson_prepare,
             .state_size = thompson_state_size,
             .start = thompson_start,
             .sane = thompson_sane,
             .grow = thompson_grow,
             .reserved = &abreast},
    .act = thompson_act,
    .learn = thompson_learn,
    .act_in = thompson_act_in,
    .rewards = thompson_rewards,
    .next_task = thompson_next_task,
};
