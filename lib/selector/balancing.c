/* SPDX-License-Identifier: MIT */
/*
 * Regret bound balancing with elimination (Pacchiano, Dann, Gentile, Bartlett, Regret bound balancing and elimination
 * for model selection in bandits and RL, 2020). Each learner comes with a candidate for its regret bound,
 * U_i = d_i sqrt(n_i). The learner with the smallest U_i is chosen; ties go to the lowest index. A learner whose
 * candidate cannot explain how little it has earned,
 *
 *     u_i / n_i + U_i / n_i + rad(i) < max over j of u_j / n_j - rad(j),
 *
 * is dropped: it does not play again and no longer counts as a j. The last learner is never dropped.
 *
 * U counts plays when they are made, the test counts the rewards that have arrived. A new learner has the coefficient
 * given for all, or the largest one of a list, so that it is played least and dropped last. If all learners that are
 * left were dropped, because the others have retired, all of them are taken back.
 */
#include "selector/bounds.h"

enum { COEFFICIENTS, CONFIDENCE, DELTA };

static const posse_param params[] = {PARAMETER_COEFFICIENTS, PARAMETER_CONFIDENCE, PARAMETER_DELTA(0.01),
                                     PARAMETERS_END};

static posse_error balancing_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    const double *coefficients;
    posse_error error = bounds_numbers(setup, &given[COEFFICIENTS], &coefficients);
    if (error != POSSE_OK) return error;
    bounds_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (bounds_plan){.places = setup->learners,
                       .confidence = {given[CONFIDENCE].number, given[DELTA].number},
                       .coefficients = coefficients,
                       .slopes = coefficients};
    *out = p;
    return POSSE_OK;
}

/* If no active learner is left, takes back the learners that were dropped: they have a place, but are not active. */
static void balancing_retire(const void *plan, void *state, int learner) {
    const bounds_plan *p = plan;
    bounds_view v = bounds_of(p, state);
    bounds_retire(p, state, learner);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) active += v.earnings[i].active;
    for (int i = 0; i < p->places && active == 0.0; i++) v.earnings[i].active = v.there[i];
}

/* The learner with the largest lower bound is never dropped, so that at least one stays. */
static void drop_misfits(const bounds_plan *p, bounds_view v) {
    double low = earnings_low(v.earnings, p->places, 1.0);
    for (int i = 0; i < p->places; i++) {
        earnings *e = &v.earnings[i];
        if (e->active == 0.0 || e->heard == 0.0) continue;
        if (bounds_most(p, e, i) < low) e->active = 0.0;
    }
}

static void balancing_learn(const void *plan, void *state, const posse_outcome *o) {
    if (bounds_hear(plan, state, o)) drop_misfits(plan, bounds_of(plan, state));
}

const posse_selector_ops selector_balancing = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "balancing",
             .help =
                 "regret bound balancing: the learner with the least given bound; learners that exceed it are dropped",
             .params = params,
             .prepare = balancing_prepare,
             .state_size = bounds_state_size,
             .start = bounds_start,
             .sane = bounds_sane,
             .grow = bounds_adopt},
    .admit = bounds_admit,
    .retire = balancing_retire,
    .choose = bounds_choose,
    .played = bounds_played,
    .learn = balancing_learn,
    .adopt = bounds_adopt,
    .potentials = bounds_potentials,
};
