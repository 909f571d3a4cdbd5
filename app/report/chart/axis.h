/* SPDX-License-Identifier: MIT */
/*
 * An axis, as a rule logarithmic. It is long enough for all values that it was given, and has ticks at round numbers.
 * Pictures and pages draw the same axis.
 */
#ifndef REPORT_CHART_AXIS_H
#define REPORT_CHART_AXIS_H

#include "report/data/dossier.h"

enum { AXIS_TICKS_MAX = 10 };

typedef struct axis {
    double low, high; /* both are 0 until it is given a value */
    double ticks[AXIS_TICKS_MAX];
    size_t tick_count;
} axis;

/* Makes room for a mean and its interval. A mean that is not above 0 has no logarithm and is left out. */
void axis_hold(axis *a, dossier_value value);

/* Adds a margin at both ends, as a share of the length, and sets at least `ticks` ticks; `ticks` is at most 5. */
void axis_finish(axis *a, double margin, size_t ticks);

/* A linear axis from low to high, with up to `ticks` ticks at even steps. */
axis axis_even(double low, double high, size_t ticks);

/* The same with ticks at whole numbers, and at most `steps` steps, which may be a fraction. */
axis axis_whole(double low, double high, double steps);

/* The lower end of an interval, cut where it would leave an axis that begins at `low`. */
double axis_lower_end(double low, dossier_value value);

#endif
