/*
 * A logarithmic axis: it holds what it is given, and has ticks at round numbers. Pictures and pages draw the same one.
 */
#ifndef REPORT_DRAW_AXIS_H
#define REPORT_DRAW_AXIS_H

#include "report/data/record.h"

enum { AXIS_TICKS_MAX = 8 };

typedef struct axis {
    double low, high; /* both 0 as long as it holds nothing */
    double ticks[AXIS_TICKS_MAX];
    size_t tick_count;
} axis;

/* Makes room for a mean and its interval; what is not above 0 has no place here. */
void axis_hold(axis *a, record_value value);

/* Leaves a margin around what it holds, as a share of its length, and sets the ticks: at least so many, up to five. */
void axis_finish(axis *a, double margin, size_t ticks);

/* The lower end of an interval, cut where it would leave the axis. */
double axis_lower_end(const axis *a, record_value value);

/* The ticks as gnuplot writes them: (10, 20, 50). */
void axis_put_ticks(const axis *a, FILE *out);

#endif
