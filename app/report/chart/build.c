/* SPDX-License-Identifier: MIT */
#include "report/chart/build.h"

#include <math.h>
#include <string.h>

enum { WINDOWS_MAX = 100 };

bool build_panels(chart *c, size_t count, pool *memory) {
    c->panels = pool_array(memory, count, sizeof *c->panels);
    c->panel_count = count;
    return c->panels != NULL;
}

bool build_series(chart_panel *p, size_t series, size_t count, pool *memory) {
    p->series_count = series;
    p->count = count;
    p->at = pool_array(memory, count, sizeof *p->at);
    p->series = pool_array(memory, series, sizeof *p->series);
    p->drawn = pool_array(memory, series, sizeof *p->drawn);
    for (size_t i = 0; i < series && !pool_failed(memory); i++)
        p->series[i].values = pool_array(memory, count, sizeof *p->series[i].values);
    return !pool_failed(memory);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

chart_axis build_axis(const char *label, bool log, const axis *a) {
    chart_axis out = {.label = label, .low = a->low, .high = a->high, .log = log, .tick_count = a->tick_count};
    memcpy(out.ticks, a->ticks, sizeof out.ticks);
    return out;
}

chart_axis build_shares(const char *label) {
    axis a = axis_even(0, 1, 6);
    chart_axis out = build_axis(label, false, &a);
    out.percent = true;
    return out;
}

axis build_whole(double low, double high, size_t panels) {
    return axis_whole(low, high, 10.0 / (double)chart_across(panels) - 0.3);
}

chart_axis build_rounds(const dossier *r, size_t panels) {
    axis a = build_whole(0, r->rounds[r->round_count - 1], panels);
    return build_axis("round", false, &a);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

void build_layers(chart_panel *p, size_t top) {
    size_t count = 0;
    for (size_t i = 0; i < p->series_count; i++)
        if (!p->series[i].shown) p->drawn[count++] = i;
    for (size_t i = top; i < p->series_count; i++)
        if (p->series[i].shown) p->drawn[count++] = i;
    for (size_t i = 0; i < top; i++)
        if (p->series[i].shown) p->drawn[count++] = i;
}

static bool is_in_key(const chart *c, const char *name) {
    for (size_t i = 0; i < c->key_count; i++)
        if (strcmp(c->panels[c->key[i].panel].series[c->key[i].series].name, name) == 0) return true;
    return false;
}

/* The last value, by which lines are ordered where they meet the key. */
static double end_of(const chart *c, chart_entry entry) {
    const chart_panel *p = &c->panels[entry.panel];
    return p->series[entry.series].values[p->count - 1].mean;
}

/* Areas are stacked from below, in their order; lines have the order of their ends. */
static void add_to_key(chart *c, chart_entry entry) {
    size_t at = c->key_count++;
    for (; at > 0 && (c->stacked || end_of(c, c->key[at - 1]) < end_of(c, entry)); at--) c->key[at] = c->key[at - 1];
    c->key[at] = entry;
}

bool build_key(chart *c, pool *memory) {
    size_t most = 0, grey = 0;
    for (size_t p = 0; p < c->panel_count; p++) most += c->panels[p].series_count;
    c->key = pool_array(memory, most, sizeof *c->key);
    if (c->key == NULL) return false;
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t s = 0; s < c->panels[p].series_count; s++)
            if (c->panels[p].series[s].shown && !is_in_key(c, c->panels[p].series[s].name))
                add_to_key(c, (chart_entry){p, s});
    for (size_t s = 0; s < c->panels[0].series_count; s++) grey += !c->panels[0].series[s].shown;
    if (grey > 0) c->others = pool_format(memory, "%zu other learner%s", grey, grey == 1 ? "" : "s");
    return !pool_failed(memory);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static size_t window_of(const dossier *r) {
    return (r->round_count + WINDOWS_MAX - 1) / WINDOWS_MAX;
}

const char *build_note(const dossier *r, const char *what, bool averaged, pool *memory) {
    double window = (double)window_of(r) * r->rounds[r->round_count - 1] / (double)r->round_count;
    if (averaged && window > 1)
        return pool_format(memory, "%s, mean of %.0f runs and %.0f rounds", what, r->runs, window);
    return pool_format(memory, "%s, mean of %.0f run%s", what, r->runs, r->runs == 1 ? "" : "s");
}

bool build_windows(const dossier *r, chart_panel *p, size_t series, pool *memory) {
    size_t window = window_of(r), count = (r->round_count + window - 1) / window;
    p->from = pool_array(memory, count, sizeof *p->from);
    if (!build_series(p, series, count, memory)) return false;
    for (size_t i = 0; i < count; i++) {
        size_t begin = i * window, end = begin + window < r->round_count ? begin + window : r->round_count;
        p->from[i] = r->rounds[begin];
        p->at[i] = (r->rounds[begin] + r->rounds[end - 1]) / 2;
    }
    return true;
}

/* The interval is the mean of the intervals in a window; the interval of the mean of the window is no wider. */
dossier_value build_mean(const dossier *r, const dossier_value *values, size_t i) {
    size_t window = window_of(r);
    double mean = 0, half = 0, n = 0;
    for (size_t p = i * window; p < (i + 1) * window && p < r->round_count; p++, n++) {
        mean += values[p].mean;
        half += isnan(values[p].ci95) ? 0 : values[p].ci95;
    }
    return (dossier_value){mean / n, half / n};
}
