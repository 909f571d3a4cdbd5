/* SPDX-License-Identifier: MIT */
/*
 * Epsilon-greedy: with probability epsilon an arm at random, else the one with the highest mean reward so far. Arms
 * without rewards are played first, lowest index first (core/tally.h says what happens if the reward is late or never
 * comes); ties go to the lowest index.
 */
#include "learner/learner.h"

enum { EPSILON };

static const posse_param params[] = {{.name = "epsilon",
                                      .type = POSSE_REAL,
                                      .fallback = 0.1,
                                      .low = 0.0,
                                      .high = 1.0,
                                      .help = "how often it plays an arm at random"},
                                     PARAMETERS_END};

typedef struct plan {
    int arms;
    double epsilon;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "epsilon-greedy");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){setup->space->arms, setup->settings[EPSILON].number};
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return (size_t)((const plan *)plan_)->arms * sizeof(tally);
}

static void start(const void *plan_, void *state) {
    tallies_start(state, ((const plan *)plan_)->arms);
}

static bool sane(const void *plan_, const void *state) {
    return tallies_sane(state, ((const plan *)plan_)->arms);
}

static int greedy(tally *tallies, int arms) {
    double learned = 0.0;
    int best = 0;
    for (int a = 0; a < arms; a++) {
        learned += tallies[a].count;
        if (tallies[a].mean > tallies[best].mean) best = a;
    }
    int untried = tallies_try(tallies, arms, arms, learned);
    return untried >= 0 ? untried : best;
}

static int act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)point;
    const plan *p = plan_;
    if (posse_draw_uniform(draw) < p->epsilon) return (int)posse_draw_index(draw, (uint64_t)p->arms);
    return greedy(state, p->arms);
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
             .sane = sane},
    .act = act,
    .learn = learn,
};
