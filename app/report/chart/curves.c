/* SPDX-License-Identifier: MIT */
/* Curves of all competitors, over rounds or over tasks. */
#include <math.h>
#include <string.h>

#include "report/chart/build.h"

/* Begins a chart of all competitors, with one panel, which it returns. NULL: no memory. */
static chart_panel *curves_begin(const dossier *r, const char *name, chart_axis y, chart *out, pool *memory) {
    *out = (chart){.name = name, .title = r->title, .y = y};
    return build_panels(out, 1, memory) ? out->panels : NULL;
}

/* Names, styles and orders, when the values are there. */
static bool curves_finish(const dossier *r, const char *note, chart *out, pool *memory) {
    chart_panel *p = out->panels;
    out->note = note;
    for (size_t c = 0; c < r->competitor_count; c++) {
        const dossier_competitor *one = &r->competitors[c];
        p->series[c].name = one->name;
        p->series[c].shown = one->shown;
        p->series[c].look = style_of(one->role, one->rank);
    }
    build_layers(p, r->selector_count);
    return build_key(out, memory);
}

static void curves_copy(const dossier *r, const dossier_value *values, chart_panel *p) {
    for (size_t c = 0; c < r->competitor_count; c++)
        memcpy(p->series[c].values, values + c * p->count, p->count * sizeof *values);
}

/* The first rows of a log leave wide intervals, so only the last nine tenths set the scale. */
static chart_axis axis_of_value(const dossier *r) {
    double low = INFINITY, high = -INFINITY;
    for (size_t c = 0; c < r->competitor_count; c++)
        for (size_t p = r->round_count / 10; p < r->round_count; p++) {
            dossier_value v = r->regret[c * r->round_count + p];
            double half = isnan(v.ci95) ? 0 : v.ci95;
            if (v.mean - half < low) low = v.mean - half;
            if (v.mean + half > high) high = v.mean + half;
        }
    bool known = low < high;
    return (chart_axis){.label = "value", .low = known ? low : NAN, .high = known ? high : NAN};
}

bool curves_of_regret(const dossier *r, chart *out, pool *memory) {
    chart_axis regret = {.label = "cumulative regret", .low = 0, .high = NAN};
    chart_panel *p =
        curves_begin(r, r->has_value ? "value" : "regret", r->has_value ? axis_of_value(r) : regret, out, memory);
    if (p == NULL || !build_series(p, r->competitor_count, r->round_count, memory)) return false;
    p->x = build_rounds(r, 1);
    memcpy(p->at, r->rounds, r->round_count * sizeof *p->at);
    curves_copy(r, r->regret, p);
    const char *what = r->has_value ? "Value on the log so far" : "Cumulative regret";
    return curves_finish(r, build_note(r, what, false, memory), out, memory);
}

bool curves_of_optimal(const dossier *r, chart *out, pool *memory) {
    if (!r->has_optimal) return false;
    chart_panel *p = curves_begin(r, "optimal", build_shares("optimal arm played"), out, memory);
    if (p == NULL || !build_windows(r, p, r->competitor_count, memory)) return false;
    p->x = build_rounds(r, 1);
    for (size_t c = 0; c < r->competitor_count; c++)
        for (size_t i = 0; i < p->count; i++)
            p->series[c].values[i] = build_mean(r, r->optimal + c * r->round_count, i);
    return curves_finish(r, build_note(r, "Rounds in which an optimal arm was played", true, memory), out, memory);
}

bool curves_of_tasks(const dossier *r, chart *out, pool *memory) {
    if (r->task_count < 2) return false;
    chart_axis regret = {.label = "regret of the task", .low = 0, .high = NAN};
    chart_panel *p = curves_begin(r, "tasks", regret, out, memory);
    if (p == NULL || !build_series(p, r->competitor_count, r->task_count, memory)) return false;
    axis tasks = build_whole(1, (double)r->task_count, 1);
    p->x = build_axis("task", false, &tasks);
    for (size_t i = 0; i < r->task_count; i++) p->at[i] = (double)(i + 1);
    curves_copy(r, r->task_regret, p);
    return curves_finish(r, build_note(r, "Regret of each task", false, memory), out, memory);
}
