/* SPDX-License-Identifier: MIT */
/*
 * Epsilon-greedy: with probability epsilon an arm at random, else the arm with the highest mean reward so far. Arms
 * without rewards are played first, lowest index first (model/tally.h explains what happens if the reward is late or
 * never arrives); ties go to the lowest index. With a window or a discount, the means are weighted means of the rewards
 * that are remembered (fading.h).
 *
 * In contexts it draws among the available arms, and otherwise plays the arm with the largest <mean, x>, where mean is
 * that of a linear model (model.h). Arms are not tried first there, because the model has a value for every arm.
 */
#include <string.h>

#include "learner/fading.h"
#include "learner/learner.h"
#include "learner/model.h"

enum { EPSILON, WINDOW, DISCOUNT, MODEL };

static const posse_param params[] = {PARAMETER_EPSILON(0.1), PARAMETER_WINDOW, PARAMETER_DISCOUNT,
                                     PARAMETERS_OF_LINEAR_MODEL("in contexts: "), PARAMETERS_END};

typedef struct plan {
    const posse_space *space;
    double epsilon;
    const fading *fading; /* NULL: nothing is forgotten */
} plan;

/* The state is a tally per arm, followed by the state of fading.h. */
static void *epsilon_greedy_fading_of(const plan *p, const void *state) {
    return (tally *)(uintptr_t)state + p->space->arms;
}

static posse_error epsilon_greedy_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "epsilon-greedy");
    if (error == POSSE_OK) error = linear_model_refuse(setup, setup->settings + MODEL);
    for (int i = MODEL + MODEL_PRECISION; i <= MODEL + MODEL_BIAS && error == POSSE_OK; i++)
        error = part_refuse_idle(setup, i, "it is for rounds with features, and these have none");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){.space = setup->space, .epsilon = setup->settings[EPSILON].number};
    *out = p;
    return fading_prepare(setup, &setup->settings[WINDOW], &setup->settings[DISCOUNT], &p->fading);
}

static bool epsilon_greedy_forgets(const plan *p) {
    return p->fading != NULL;
}

static size_t epsilon_greedy_state_size(const void *plan_) {
    const plan *p = plan_;
    return (size_t)p->space->arms * sizeof(tally) + fading_size(p->fading);
}

static void epsilon_greedy_start(const void *plan_, void *state) {
    const plan *p = plan_;
    memset(state, 0, epsilon_greedy_state_size(p));
    tallies_start(state, p->space->arms);
    learner_retire_tallies(p->space, state);
}

static bool epsilon_greedy_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    if (!tallies_sane(state, p->space->arms)) return false;
    return !epsilon_greedy_forgets(p) || fading_sane(p->fading, epsilon_greedy_fading_of(p, state), state);
}

static void epsilon_greedy_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    memcpy(state, former_state, (size_t)q->space->arms * sizeof(tally));
    memcpy(epsilon_greedy_fading_of(p, state), epsilon_greedy_fading_of(q, former_state), fading_size(p->fading));
    learner_retire_tallies(p->space, state);
}

static int best_active(const posse_space *space, const tally *tallies) {
    int best = space->active[0];
    for (int k = 1; k < space->active_count; k++)
        if (tallies[space->active[k]].mean > tallies[best].mean) best = space->active[k];
    return best;
}

static double learned_so_far(const plan *p, const void *state) {
    if (epsilon_greedy_forgets(p)) return fading_learned(epsilon_greedy_fading_of(p, state));
    double learned = 0.0;
    for (int a = 0; a < p->space->arms; a++) learned += ((const tally *)state)[a].count;
    return learned;
}

/* Nearly always all arms have rewards, and then there is none to try. */
static int epsilon_greedy_greedy(const plan *p, void *state) {
    tally *tallies = state;
    int best = 0, arms = p->space->arms;
    bool some_untried = false;
    for (int a = 0; a < arms; a++) {
        if (tallies[a].mean > tallies[best].mean) best = a;
        some_untried |= tallies[a].count == 0.0;
    }
    if (p->space->active != NULL) best = best_active(p->space, tallies);
    int untried = some_untried ? tallies_try(tallies, arms, arms, learned_so_far(p, state)) : -1;
    return untried >= 0 ? untried : best;
}

static int epsilon_greedy_explore(const posse_space *space, posse_draw *draw) {
    int k = (int)posse_draw_index(draw, (uint64_t)space->active_count);
    return space->active != NULL ? space->active[k] : k;
}

static int epsilon_greedy_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)point;
    const plan *p = plan_;
    return posse_draw_uniform(draw) < p->epsilon ? epsilon_greedy_explore(p->space, draw)
                                                 : epsilon_greedy_greedy(p, state);
}

static void epsilon_greedy_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    if (epsilon_greedy_forgets(p))
        fading_learn(p->fading, epsilon_greedy_fading_of(p, state), state, arm, reward);
    else
        tally_add(&((tally *)state)[arm], reward);
}

/* ------------------------------------------------ in contexts ---------------------------------------------- */

typedef struct plan_in {
    model model;
    double epsilon;
} plan_in;

static posse_error epsilon_greedy_refuse_fading(const posse_setup *setup) {
    const posse_option *window = &setup->settings[WINDOW], *discount = &setup->settings[DISCOUNT];
    if (window->number == 0.0 && discount->number == 1.0) return POSSE_OK;
    return posse_setup_refuse(setup, window->number > 0.0 ? window->key : discount->key, -1,
                              "given, but rounds have features: a learner then forgets by the option `forget`");
}

static posse_error epsilon_greedy_prepare_in(const posse_setup *setup, void **out) {
    plan_in *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->epsilon = setup->settings[EPSILON].number;
    posse_error error = epsilon_greedy_refuse_fading(setup);
    if (error != POSSE_OK) return error;
    return linear_model_prepare(setup, setup->settings + MODEL, &p->model);
}

static int epsilon_greedy_act_by(const void *plan_, const void *state, posse_draw *draw, const posse_round *round,
                                 posse_estimates *estimates) {
    const plan_in *p = plan_;
    if (posse_draw_uniform(draw) < p->epsilon) return (int)posse_draw_index(draw, (uint64_t)round->count);
    return model_largest_value(&p->model, state, round, estimates);
}

static int epsilon_greedy_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    return epsilon_greedy_act_by(plan_, state, draw, round, NULL);
}

static const posse_learner_ops in_contexts = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "epsilon-greedy",
             .params = params,
             .prepare = epsilon_greedy_prepare_in,
             .state_size = model_state_size,
             .start = model_start,
             .sane = model_sane,
             .grow = model_grow},
    .learn = model_learn,
    .act_in = epsilon_greedy_act_in,
    .same_model = model_same,
    .act_by = epsilon_greedy_act_by,
    .estimate = model_estimate_rounds,
};

const posse_learner_ops learner_epsilon_greedy = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "epsilon-greedy",
             .help = "the arm with the highest mean so far, or sometimes a random arm",
             .params = params,
             .prepare = epsilon_greedy_prepare,
             .state_size = epsilon_greedy_state_size,
             .start = epsilon_greedy_start,
             .sane = epsilon_greedy_sane,
             .grow = epsilon_greedy_grow},
    .act = epsilon_greedy_act,
    .learn = epsilon_greedy_learn,
    .in_contexts = &in_contexts,
};
