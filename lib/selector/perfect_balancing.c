/* SPDX-License-Identifier: MIT */
/*
 * Perfect balancing (A. Afshar, LLM_ModelSelection, a program, 2026). It is given the best mean reward, so the
 * regret of a learner is known up to noise, and no coefficient has to be estimated. The potential of a learner is
 *
 *     phi_i = max( phi_i, n_i best - u_i + sign n_i rad(i) ),
 *
 * at first 0, and the smallest is chosen (balance.h). The sign is -1 in the mode `pessimistic`, which counts the regret
 * that is beyond doubt, 0 in `greedy`, and 1 in `optimistic`. n_i counts the rewards that have arrived.
 */
#include <string.h>

#include "selector/balance.h"

enum { CONFIDENCE, DELTA, BEST, MODE };

static const posse_param params[] = {
    PARAMETER_SCALED_CONFIDENCE,
    PARAMETER_DELTA(0.01),
    PARAMETER_BEST,
    {.name = "mode",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "pessimistic",
     .words = "pessimistic|greedy|optimistic",
     .help = "which regret is balanced: the least, the most likely, or the largest one that rewards allow"},
    PARAMETERS_END};

typedef struct plan {
    balance_plan balance; /* first, because the frame takes the plan for its own */
    double sign;
} plan;

static posse_error perfect_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    posse_error error = balance_read(setup, &given[CONFIDENCE], &given[DELTA], NULL, &given[BEST], sizeof(plan), out);
    if (error != POSSE_OK) return error;
    const char *mode = given[MODE].word;
    ((plan *)*out)->sign = strcmp(mode, "optimistic") == 0 ? 1.0 : strcmp(mode, "greedy") == 0 ? 0.0 : -1.0;
    return POSSE_OK;
}

static void perfect_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    balance_view v;
    if (!balance_hear(&p->balance, state, o, &v)) return;
    double regret = v.heard * p->balance.best - v.sum; /* exact for clicks against 1, so that ties are found */
    balance_raise(&p->balance, state, o->learner, regret + p->sign * v.heard * v.radius);
}

const posse_selector_ops selector_perfect_balancing = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "perfect-balancing",
             .help = "the learner with the least regret against the best mean reward, which it is given",
             .params = params,
             .prepare = perfect_prepare,
             .state_size = balance_state_size,
             .start = balance_start,
             .sane = balance_sane,
             .grow = balance_adopt},
    .admit = balance_admit,
    .retire = balance_retire,
    .choose = balance_choose,
    .played = balance_played,
    .learn = perfect_learn,
    .adopt = balance_adopt,
    .potentials = balance_potentials,
};
