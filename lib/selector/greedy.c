/* SPDX-License-Identifier: MIT */
/*
 * Greedy: the learner with the highest mean reward so far. Learners without rewards are played first, lowest index
 * first, and ties go to the lowest index. There is no guarantee: a learner that begins badly may never be chosen again.
 */
#include "selector/means.h"

static posse_error greedy_prepare(const posse_setup *setup, void **out) {
    means_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->places = setup->learners;
    *out = p;
    return POSSE_OK;
}

static int greedy_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)draw, (void)ties;
    const tally *tallies = means_tallies(state);
    *probability = 1.0;
    int untried = means_try(plan, state), best = 0;
    if (untried >= 0) return untried;
    for (int i = 1; i < ((const means_plan *)plan)->places; i++)
        if (tallies[i].mean > tallies[best].mean) best = i;
    return best;
}

const posse_selector_ops selector_greedy = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "greedy",
             .help = "the learner with the highest mean reward so far",
             .prepare = greedy_prepare,
             .state_size = means_state_size,
             .start = means_start,
             .sane = means_sane,
             .grow = means_adopt},
    .admit = means_admit,
    .retire = means_retire,
    .choose = greedy_choose,
    .played = means_played,
    .learn = means_learn,
    .adopt = means_adopt,
};
