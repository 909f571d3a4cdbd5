/* SPDX-License-Identifier: MIT */
/*
 * The robust form of a belief: a mixture (mixture.c) of the belief as it is given and of variants of it that expect
 * larger means, lower or higher rates, or more or less noise, all of equal weight. Each kind says by its table what its
 * variants are.
 */
#ifndef POSSE_BELIEF_ROBUST_H
#define POSSE_BELIEF_ROBUST_H

#include "belief/belief.h"

/* Makes the robust form of a belief that was understood. Refused, at the option `robust`, where its kind has none. */
posse_error robust_make(const part_context *context, const posse_part *description, const understanding *plain,
                        part *out);

/* A variant that differs in one setting: its number, or each number of its list, times `times` and divided by `over`.
 */
typedef struct robust_scaling {
    int setting;
    double times, over;
} robust_scaling;

posse_error robust_scale(const posse_setup *setup, const robust_scaling *by, posse_option *settings);

/* A variant that differs in several; one whose `times` is 0 ends them before the count does. */
posse_error robust_scale_all(const posse_setup *setup, const robust_scaling *by, int count, posse_option *settings);

#endif
