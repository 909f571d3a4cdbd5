/* SPDX-License-Identifier: MIT */
/*
 * Epsilon-greedy: with probability epsilon an arm at random, else the one with the highest mean reward so far. Arms
 * without rewards are played first, lowest index first (core/tally.h says what happens if the reward is late or never
 * comes); ties go to the lowest index.
 */
#include "learner/learner.h"

#include <string.h>

enum { EPSILON };

static const posse_param params[] = {{.name = "epsilon",
                                      .type = POSSE_REAL,
                                      .fallback = 0.1,
                                      .low = 0.0,
                                      .high = 1.0,
                                      .help = "how often it plays an arm at random"},
                                     PARAMETERS_END};

typedef struct plan {
    const posse_space *space;
    double epsilon;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "epsilon-greedy");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){setup->space, setup->settings[EPSILON].number};
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return (size_t)((const plan *)plan_)->space->arms * sizeof(tally);
}

static void start(const void *plan_, void *state) {
    const posse_space *space = ((const plan *)plan_)->space;
    tallies_start(state, space->arms);
    learner_retire_tallies(space, state);
}

static bool sane(const void *plan_, const void *state) {
    return tallies_sane(state, ((const plan *)plan_)->space->arms);
}

static void grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    memcpy(state, former_state, state_size(former_plan));
    learner_retire_tallies(((const plan *)plan_)->space, state);
}

static int best_active(const posse_space *space, const tally *tallies) {
    int best = space->active[0];
    for (int k = 1; k < space->active_count; k++)
        if (tallies[space->active[k]].mean > tallies[best].mean) best = space->active[k];
    return best;
}

static int greedy(const posse_space *space, tally *tallies) {
    double learned = 0.0;
    int best = 0, arms = space->arms;
    for (int a = 0; a < arms; a++) {
        learned += tallies[a].count;
        if (tallies[a].mean > tallies[best].mean) best = a;
    }
    if (space->active != NULL) best = best_active(space, tallies);
    int untried = tallies_try(tallies, arms, arms, learned);
    return untried >= 0 ? untried : best;
}

static int explore(const posse_space *space, posse_draw *draw) {
    int k = (int)posse_draw_index(draw, (uint64_t)space->active_count);
    return space->active != NULL ? space->active[k] : k;
}

static int act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)point;
    const plan *p = plan_;
    return posse_draw_uniform(draw) < p->epsilon ? explore(p->space, draw) : greedy(p->space, state);
}

static void learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)plan_, (void)point;
    tally_add(&((tally *)state)[arm], reward);
}

const posse_learner_ops learner_epsilon_greedy = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "epsilon-greedy",
             .help = "the arm with the highest mean so far, now and then one at random",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .start = start,
             .sane = sane,
             .grow = grow},
    .act = act,
    .learn = learn,
};
