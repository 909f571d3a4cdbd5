/* SPDX-License-Identifier: MIT */
/*
 * Selectors: they pick the learner of a round and learn from its reward. Their table, posse_selector_ops, is public
 * (posse_extend.h).
 */
#ifndef POSSE_SELECTOR_SELECTOR_H
#define POSSE_SELECTOR_SELECTOR_H

#include "model/part.h"

/* Parameters that every selector has; the posse itself acts on them. */
enum { SELECTOR_SHARE, SELECTOR_BATCH, SELECTOR_FLOOR };
extern const posse_param selector_params[];

/* A kind that shares data by default declares this parameter again, with that default. */
#define PARAMETER_SHARE(fallback_, flags_)                                                                             \
    {                                                                                                                  \
        .name = "share", .type = POSSE_TYPE_FLAG, .flags = flags_, .fallback = fallback_, .low = 0.0, .high = 1.0,     \
        .help = "every learner learns every reward, not only its own"                                                  \
    }

/* Refuses a setup without a number of rounds. */
posse_error selector_needs_rounds(const posse_setup *setup, const char *kind);

extern const posse_selector_ops selector_bms;
extern const posse_selector_ops selector_bms_plus;
extern const posse_selector_ops selector_d3rb;
extern const posse_selector_ops selector_ed2rb;
extern const posse_selector_ops selector_bd3rb;
extern const posse_selector_ops selector_perfect_balancing;
extern const posse_selector_ops selector_balancing;
extern const posse_selector_ops selector_dynamic_balancing;
extern const posse_selector_ops selector_corral;
extern const posse_selector_ops selector_stochastic_corral;
extern const posse_selector_ops selector_exp3p;
extern const posse_selector_ops selector_ucb;
extern const posse_selector_ops selector_thompson;
extern const posse_selector_ops selector_greedy;
extern const posse_selector_ops selector_uniform;

#endif
