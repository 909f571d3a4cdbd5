/* SPDX-License-Identifier: MIT */
/*
 * Intervals of mean rewards, for the report and for the comparisons of modes. report.c explains them.
 */
#ifndef POSSE_OBJECT_REPORT_H
#define POSSE_OBJECT_REPORT_H

#include "object/object.h"

#define CONFIDENCE 0.95

typedef struct interval {
    double low, high;
} interval;

/* steady: all rewards have the same mean. An end that is not known is infinite. */
interval report_interval(const posse *p, const reward_tally *t, bool steady, double alpha);

/* The same for rewards of this range. There is at least one. */
interval report_bounded(const reward_tally *t, posse_rewards range, double alpha);

/* Everything about a tally but what the belief and a control add. */
posse_finding report_finding(const posse *p, const reward_tally *t, bool steady);

/* The number itself, or NaN if it is infinite. */
double report_known(double x);

/* Whether rewards of this range have a least and a largest one. */
bool report_is_bounded(posse_rewards range);

#endif
