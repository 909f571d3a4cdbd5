/* SPDX-License-Identifier: MIT */
/*
 * The range of rewards that a selector is given: x = clip((reward - low) / (high - low), 0, 1).
 */
#ifndef POSSE_SELECTOR_RANGE_H
#define POSSE_SELECTOR_RANGE_H

#include "model/parameter.h"

typedef struct range {
    double low, high;
} range;

static const double unit_range[] = {0.0, 1.0};

#define PARAMETER_RANGE                                                                                                \
    {                                                                                                                  \
        .name = "range", .type = POSSE_TYPE_RANGE, .fallbacks = unit_range, .low = -SCALE_MAX, .high = SCALE_MAX,      \
        .help = "range of the rewards; rewards outside it count as its nearest end"                                    \
    }

static inline range range_of(const posse_option *setting) {
    return (range){setting->list[0], setting->list[1]};
}

/* The place of a reward in the range, from 0 to 1; a reward outside of it is counted as clipped. */
static inline double range_part(const range *r, double reward, double *clipped) {
    bool under = reward<r->low, over = reward> r->high;
    *clipped += under || over;
    return under ? 0.0 : over ? 1.0 : (reward - r->low) / (r->high - r->low);
}

#endif
