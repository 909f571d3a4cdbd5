/* SPDX-License-Identifier: MIT */
#include "report/chart/chart.h"

#include <math.h>

#include "report/chart/build.h"
#include "report/chart/json.h"

charts *charts_make(const dossier *r, pool *memory) {
    static bool (*const makers[])(const dossier *, chart *, pool *) = {
        curves_of_regret, curves_of_optimal, curves_of_tasks, areas_of_selection, sweep_of_learners};
    charts *all = pool_allocate(memory, sizeof *all);
    for (size_t i = 0; i < sizeof makers / sizeof *makers && !pool_failed(memory); i++)
        all->count += makers[i](r, &all->list[all->count], memory);
    return pool_failed(memory) ? NULL : all;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* A page rounds numbers to a few digits, but not integers: those are rounds and tasks. */
static json_t *chart_number_json(double number) {
    bool integer = number == floor(number) && fabs(number) < 1e15;
    return integer ? json_integer((json_int_t)number) : json_number(number);
}

static json_t *chart_numbers_json(const double *numbers, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) json_add(&all, chart_number_json(numbers[i]));
    return all;
}

/* The first and the last x of each window. */
static json_t *chart_windows_json(const chart_panel *p) {
    json_t *all = json_array();
    for (size_t i = 0; i < p->count; i++)
        json_add(&all,
                 json_pack("[o, o]", chart_number_json(p->from[i]), chart_number_json(2 * p->at[i] - p->from[i])));
    return all;
}

static json_t *chart_axis_json(const chart_axis *a) {
    return json_pack("{s:s, s:o, s:o, s:b, s:b, s:o}", "label", a->label, "low", json_number(a->low), "high",
                     json_number(a->high), "log", (int)a->log, "percent", (int)a->percent, "ticks",
                     chart_numbers_json(a->ticks, a->tick_count));
}

static json_t *chart_series_json(const chart_series *s, size_t count) {
    json_t *means = json_array(), *halves = json_array();
    for (size_t i = 0; i < count; i++) {
        json_add(&means, json_number(s->values[i].mean));
        json_add(&halves, json_number(s->values[i].ci95));
    }
    return json_pack("{s:s, s:o, s:b, s:b, s:b, s:o, s:o}", "name", s->name, "style", json_style(s->look), "shown",
                     (int)s->shown, "marked", (int)s->marked, "hollow", (int)s->hollow, "mean", means, "ci95", halves);
}

static json_t *chart_rows_json(const chart_panel *p) {
    json_t *all = json_array();
    for (size_t i = 0; i < p->count; i++) json_add(&all, json_string(p->rows[i]));
    return all;
}

static json_t *chart_line_json(const chart_line *l) {
    return json_pack("{s:s, s:o, s:b, s:[f, f], s:[f, f]}", "name", l->name, "style", json_style(l->look), "labelled",
                     (int)l->labelled, "from", l->from[0], l->from[1], "to", l->to[0], l->to[1]);
}

static json_t *chart_panel_json(const chart_panel *p) {
    json_t *series = json_array(), *drawn = json_array(), *lines = json_array();
    for (size_t s = 0; s < p->series_count; s++) {
        json_add(&series, chart_series_json(&p->series[s], p->count));
        json_add(&drawn, json_integer((json_int_t)p->drawn[s]));
    }
    for (size_t i = 0; i < p->line_count; i++) json_add(&lines, chart_line_json(&p->lines[i]));
    return json_pack("{s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "title", p->title, "x",
                     p->rows != NULL ? json_null() : chart_axis_json(&p->x), "rows",
                     p->rows != NULL ? chart_rows_json(p) : json_null(), "at", chart_numbers_json(p->at, p->count),
                     "windows", p->from != NULL ? chart_windows_json(p) : json_null(), "series", series, "drawn", drawn,
                     "lines", lines);
}

json_t *chart_json(const chart *c) {
    json_t *panels = json_array(), *key = json_array();
    for (size_t p = 0; p < c->panel_count; p++) json_add(&panels, chart_panel_json(&c->panels[p]));
    for (size_t i = 0; i < c->key_count; i++)
        json_add(&key, json_pack("[I, I]", (json_int_t)c->key[i].panel, (json_int_t)c->key[i].series));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:s?, s:o}", "name", c->name, "title", c->title, "note",
                     c->note, "stacked", (int)c->stacked, "lying", (int)c->lying, "y", chart_axis_json(&c->y), "panels",
                     panels, "key", key, "others", c->others, "rest", json_style(style_of_rest()));
}

json_t *charts_json(const charts *all) {
    json_t *list = json_array();
    for (size_t i = 0; i < all->count; i++) json_add(&list, chart_json(&all->list[i]));
    return list;
}
