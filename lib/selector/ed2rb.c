/* SPDX-License-Identifier: MIT */
/*
 * ED2RB, estimating data-driven regret balancing (balance.h). The coefficient is the smallest that explains how little
 * a learner has earned,
 *
 *     d_i = max( dmin, sqrt(n_i) ( max over j of (u_j / n_j - rad(j)) - u_i / n_i - rad(i) ) ).
 */
#include <math.h>

#include "selector/balance.h"

static double ed2rb_revise(const balance_view *v) {
    double needed = sqrt(v->heard) * (v->low - v->mean - v->radius);
    return needed > v->smallest ? needed : v->smallest;
}

static void ed2rb_learn(const void *plan, void *state, const posse_outcome *o) {
    balance_learn(plan, state, o, ed2rb_revise);
}

const posse_selector_ops selector_ed2rb = BALANCE_OPS(
    "ed2rb", "estimating regret balancing: the coefficient of a learner is the smallest one that explains its rewards",
    balance_params, balance_prepare, ed2rb_learn);
