/* SPDX-License-Identifier: MIT */
/*
 * A chart: what a picture shows, in which order, with which names, styles, axes and titles. Pictures (draw/), pages and
 * Python draw charts and decide nothing of that themselves. A chart has panels side by side, and a panel has series
 * over common values of x.
 */
#ifndef REPORT_CHART_CHART_H
#define REPORT_CHART_CHART_H

#include "report/chart/axis.h"
#include "report/chart/style.h"

typedef struct chart_axis {
    const char *label;
    double low, high; /* NaN: as far as the data reach */
    bool log;
    bool percent;                 /* shares, to be written as 20 % */
    double ticks[AXIS_TICKS_MAX]; /* none: wherever the drawing puts them */
    size_t tick_count;
} chart_axis;

enum { CHART_ACROSS = 3 };

/* How many panels are side by side, before a new row begins. */
static inline size_t chart_across(size_t panels) {
    return panels == 0 ? 1 : panels < CHART_ACROSS ? panels : CHART_ACROSS;
}

typedef struct chart_series {
    const char *name;
    style look;
    bool shown;            /* false: it is grey, without an interval, and the key counts it among the others */
    bool marked;           /* with a point and an error bar at each x; otherwise with a band */
    bool hollow;           /* its points are */
    dossier_value *values; /* at each x; NaN: none */
} chart_series;

/* A straight line to compare with, from one point to another; a point is x and a value. */
typedef struct chart_line {
    const char *name;
    style look;
    bool labelled; /* with its name, near its end */
    double from[2], to[2];
} chart_line;

typedef struct chart_panel {
    const char *title;
    chart_axis x;
    const char **rows; /* of a chart that lies: what stands at each x, in the place of an axis */
    double *at;        /* the values of x */
    double *from; /* of means over windows: the first x of each window, of which `at` is the middle; otherwise NULL */
    size_t count; /* of x */
    chart_series *series;
    size_t series_count;
    size_t *drawn; /* the places of the series, lowest layer first */
    chart_line *lines;
    size_t line_count;
} chart_panel;

/* An entry of the key. */
typedef struct chart_entry {
    size_t panel, series;
} chart_entry;

typedef struct chart {
    const char *name; /* of its files, without suffix */
    const char *title;
    const char *note; /* what is shown, in a line */
    bool stacked;
    bool lying; /* values go across, and x downwards, in rows */
    chart_axis y;
    chart_panel *panels;
    size_t panel_count;
    chart_entry *key; /* the series that are shown, from the top */
    size_t key_count;
    const char *others; /* what the key calls the series in grey; NULL: there are none */
} chart;

/* All charts of an experiment. */
typedef struct charts {
    chart list[5];
    size_t count;
} charts;

/* Makes the charts in the memory of a pool. The dossier must outlive them. NULL: no memory. */
charts *charts_make(const dossier *r, pool *memory);

/* A chart as JSON, which pages and Python draw, and a list of them. page/plot.js has the format. NULL: no memory. */
json_t *chart_json(const chart *c);
json_t *charts_json(const charts *all);

#endif
