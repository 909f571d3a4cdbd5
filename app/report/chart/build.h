/* SPDX-License-Identifier: MIT */
/*
 * What the makers of charts share. Series are in the order of competitors or learners; these functions derive the order
 * in which they are drawn and that of the key.
 */
#ifndef REPORT_CHART_BUILD_H
#define REPORT_CHART_BUILD_H

#include "report/chart/chart.h"
#include "report/data/comparison.h"
#include "report/data/scaling.h"

/* Gives a chart room for its panels, and a panel room for its series over `count` values of x. False: no memory. */
bool build_panels(chart *c, size_t count, pool *memory);
bool build_series(chart_panel *p, size_t series, size_t count, pool *memory);

/* An axis as a chart has it; one of shares, which are written as 20 %; and one of rounds, for one of some panels. */
chart_axis build_axis(const char *label, bool log, const axis *a);
chart_axis build_shares(const char *label);
chart_axis build_rounds(const dossier *r, size_t panels);

/* The ticks of an axis of whole numbers, as many as a panel has room for. */
axis build_whole(double low, double high, size_t panels);

/* Sets the layers: series in grey, then the others but the first `top`, and these on top. */
void build_layers(chart_panel *p, size_t top);

/* Sets the key: the series of all panels that are shown, each name once, and the name of the others. False: no memory.
 */
bool build_key(chart *c, pool *memory);

/* "What, mean of R runs", and behind it the length of a window if that is more than one round. NULL: no memory. */
const char *build_note(const dossier *r, const char *what, bool averaged, pool *memory);

/*
 * Values that jump from round to round are averaged over windows, of which there are at most 100. build_windows
 * gives a panel room and sets its x, or returns false for lack of memory. build_mean returns the mean of values within
 * the window i.
 */
bool build_windows(const dossier *r, chart_panel *p, size_t series, pool *memory);
dossier_value build_mean(const dossier *r, const dossier_value *values, size_t i);

/* The charts of an experiment. Each returns false if the experiment has no such chart, or for lack of memory. */
bool curves_of_regret(const dossier *r, chart *out, pool *memory);
bool curves_of_optimal(const dossier *r, chart *out, pool *memory);
bool curves_of_tasks(const dossier *r, chart *out, pool *memory);
bool areas_of_selection(const dossier *r, chart *out, pool *memory);
bool sweep_of_learners(const dossier *r, chart *out, pool *memory);

/* The chart of a family of experiments, and of the selectors of an experiment among others. False: no memory. */
bool growth_of_family(const scaling_family *f, chart *out, pool *memory);
bool contest_of_selectors(const comparison *c, size_t experiment, chart *out, pool *memory);

/* Whether some selectors have learners that share, and others have not. */
bool contest_has_both(const comparison *c);

#endif
