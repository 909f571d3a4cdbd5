/* SPDX-License-Identifier: MIT */
/*
 * BD3RB (A. Afshar, LLM_ModelSelection, a program, 2026): D3RB (balance.h) that is given the best mean reward.
 * It takes the place of what the other learners have earned. When a learner's coefficient cannot explain how far below
 * it the learner stays,
 *
 *     u_i / n_i + d_i / sqrt(n_i) + rad(i) < best,
 *
 * the coefficient doubles.
 */
#include "selector/balance.h"

enum { CONFIDENCE, DELTA, DMIN, BEST };

static const posse_param params[] = {PARAMETER_SCALED_CONFIDENCE, PARAMETER_DELTA(0.01), PARAMETER_DMIN, PARAMETER_BEST,
                                     PARAMETERS_END};

static posse_error bd3rb_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    return balance_read(setup, &given[CONFIDENCE], &given[DELTA], &given[DMIN], &given[BEST], sizeof(balance_plan),
                        out);
}

static void bd3rb_learn(const void *plan, void *state, const posse_outcome *o) {
    balance_learn(plan, state, o, balance_double);
}

const posse_selector_ops selector_bd3rb =
    BALANCE_OPS("bd3rb", "d3rb that is given the best mean reward: learners are judged by their distance to it", params,
                bd3rb_prepare, bd3rb_learn);
