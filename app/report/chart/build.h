/* SPDX-License-Identifier: MIT */
/*
 * What the makers of charts share. Series are in the order of competitors or learners; these functions derive the order
 * in which they are drawn and that of the key.
 */
#ifndef REPORT_CHART_BUILD_H
#define REPORT_CHART_BUILD_H

#include "report/chart/chart.h"

/* Gives a chart room for its panels, and a panel room for its series over `count` values of x. */
void build_panels(chart *c, size_t count);
void build_series(chart_panel *p, size_t series, size_t count);

/* Sets the layers: series in grey, then the others but the first `top`, and these on top. */
void build_layers(chart_panel *p, size_t top);

/* Sets the key: the series of all panels that are shown, each name once, and the name of the others. */
void build_key(chart *c);

/* "What, mean of R runs", and behind it the length of a window if that is more than one round. */
char *build_note(const record *r, const char *what, bool averaged);

/*
 * Values that jump from round to round are averaged over windows, of which there are at most 100. build_windows sets
 * the x of a panel, and build_mean returns the mean of values within the window i.
 */
size_t build_windows(const record *r, chart_panel *p, size_t series);
record_value build_mean(const record *r, const record_value *values, size_t i);

/* The charts of an experiment. Each returns false if the experiment has no such chart. */
bool curves_of_regret(const record *r, chart *out);
bool curves_of_optimal(const record *r, chart *out);
bool curves_of_tasks(const record *r, chart *out);
bool areas_of_selection(const record *r, chart *out);
bool sweep_of_learners(const record *r, chart *out);

#endif
