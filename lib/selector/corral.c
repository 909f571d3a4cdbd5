/* SPDX-License-Identifier: MIT */
/*
 * CORRAL (Agarwal, Luo, Neyshabur, Schapire, Corralling a band of bandit algorithms, 2017): the learner of a round is
 * drawn from a distribution, which takes a step of mirror descent with every reward (mirror.h).
 */
#include "selector/mirror.h"

static posse_error corral_prepare(const posse_setup *setup, void **out) {
    mirror_plan *p = posse_setup_allocate(setup, sizeof *p);
    *out = p;
    return p != NULL ? mirror_prepare(setup, "corral", p) : POSSE_ERROR_MEMORY;
}

const posse_selector_ops selector_corral = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "corral",
             .help = "CORRAL: mirror descent on importance-weighted losses; learners that fall behind learn faster",
             .params = mirror_params,
             .prepare = corral_prepare,
             .state_size = mirror_state_size,
             .sane = mirror_sane,
             .grow = mirror_adopt},
    .admit = mirror_admit,
    .retire = mirror_retire,
    .choose = mirror_choose,
    .played = mirror_played,
    .learn = mirror_learn,
    .adopt = mirror_adopt,
    .probabilities = mirror_probabilities,
    .clipped = mirror_clipped,
};
