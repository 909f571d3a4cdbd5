/* SPDX-License-Identifier: MIT */
/*
 * The robust form of a belief: a mixture (mixture.c) of the belief as it is given and of variants of it that expect
 * larger means, lower or higher rates, or more or less noise, all of equal weight. The table of each kind defines its
 * variants.
 */
#ifndef POSSE_BELIEF_ROBUST_H
#define POSSE_BELIEF_ROBUST_H

#include "belief/belief.h"

/*
 * Makes the robust form of a belief whose description was understood. Refuses the option `robust` if its kind has no
 * such form.
 */
posse_error robust_make(const part_context *context, const posse_part *description, const understanding *plain,
                        part *out);

/* A variant that differs in one setting: its number, or each number of its list, times `times` and divided by `over`.
 */
typedef struct robust_scaling {
    int setting;
    double times, over;
} robust_scaling;

posse_error robust_scale(const posse_setup *setup, const robust_scaling *by, posse_option *settings);

/* A variant that differs in several settings: `count` scalings, or those before the first one whose `times` is 0. */
posse_error robust_scale_all(const posse_setup *setup, const robust_scaling *by, int count, posse_option *settings);

#endif
