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

const posse_selector_ops selector_d3rb = BALANCE_OPS(
    "d3rb", "doubling regret balancing: doubles the coefficient of a learner that earns less than it allows",
    balance_params, balance_prepare, d3rb_learn);
