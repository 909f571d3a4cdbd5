/* SPDX-License-Identifier: MIT */
/*
 * D3RB, doubling data-driven regret balancing (balance.h). When a learner's coefficient cannot explain how little it
 * has earned,
 *
 *     u_i / n_i + d_i / sqrt(n_i) + rad(i) < max over j of u_j / n_j - rad(j),
 *
 * the coefficient doubles.
 */
#include "selector/balance.h"

static void d3rb_learn(const void *plan, void *state, const posse_outcome *o) {
    balance_learn(plan, state, o, balance_double);
}

const posse_selector_ops selector_d3rb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "d3rb",
             .help = "doubling regret balancing: doubles the coefficient of a learner that earns less than it allows",
             .params = balance_params,
             .prepare = balance_prepare,
             .state_size = balance_state_size,
             .start = balance_start,
             .sane = balance_sane,
             .grow = balance_adopt},
    .admit = balance_admit,
    .retire = balance_retire,
    .choose = balance_choose,
    .played = balance_played,
    .learn = d3rb_learn,
    .adopt = balance_adopt,
    .potentials = balance_potentials,
};
