/* SPDX-License-Identifier: MIT */
/*
 * Final regret over an option that learners differ in: a panel for each kind of learner of which there are three values
 * or more. It is found in the options of the learners, so it does not matter whether the file has a list of values or
 * learners written out. Learners that differ in further options have a line for each combination of those.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "report/chart/build.h"

enum { VALUES_MIN = 3, TICKS_OF_VALUES = 5 };

/* A learner that also played alone, and its options. */
typedef struct sweep_learner {
    const dossier_competitor *who;
    const json_t *options;
} sweep_learner;

/* The learners of one kind. */
typedef struct sweep_kind {
    const char *kind;
    sweep_learner *learners;
    size_t count;
    const char *option; /* that is the x of the panel */
} sweep_kind;

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const json_t *options_of(const dossier *r, const char *learner) {
    const json_t *listed = json_object_get(r->manifest, "learners");
    for (size_t i = 0; i < json_array_size(listed); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(listed, i), "name"));
        if (name != NULL && strcmp(name, learner) == 0) return json_array_get(listed, i);
    }
    return NULL;
}

/* In how many values of an option the learners differ; 0 if a value is no number. The number of an arm is a label. */
static size_t count_values(const sweep_kind *k, const char *option) {
    size_t count = 0;
    if (strcmp(option, "arm") == 0) return 0;
    for (size_t i = 0; i < k->count; i++) {
        const json_t *value = json_object_get(k->learners[i].options, option);
        if (!json_is_number(value)) return 0;
        bool known = false;
        for (size_t j = 0; j < i; j++)
            known = known || json_equal(value, json_object_get(k->learners[j].options, option));
        count += !known;
    }
    return count;
}

static void choose_option(sweep_kind *k) {
    size_t most = VALUES_MIN - 1;
    const char *option;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)k->learners[0].options, option, value) {
        size_t count = count_values(k, option);
        if (count <= most) continue;
        most = count;
        k->option = option;
    }
}

/* Whether an option, beside the name and that of x, separates two lines. */
static bool sweep_separates(const sweep_kind *k, const char *option) {
    return strcmp(option, "name") != 0 && strcmp(option, k->option) != 0;
}

/* Whether two learners are on the same line. */
static bool are_alike(const sweep_kind *k, const sweep_learner *a, const sweep_learner *b) {
    const char *option;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)a->options, option,
                        value) if (sweep_separates(k, option) &&
                                   !json_equal(value, json_object_get(b->options, option))) return false;
    return true;
}

/* A value of an option, as text. NULL: no memory. */
static const char *show_value(const json_t *value, pool *memory) {
    if (json_is_number(value)) return pool_format(memory, "%g", json_number_value(value));
    char *text = json_text_dump(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text == NULL) pool_fail(memory);
    const char *copy = text != NULL ? pool_copy(memory, text, strlen(text)) : NULL;
    free(text);
    return copy;
}

/* The kind, and the options in which the lines differ: "ucb delta=0.1". NULL: no memory. */
static const char *name_line(const sweep_kind *k, const sweep_learner *learner, pool *memory) {
    const char *name = k->kind, *option;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)learner->options, option, value) {
        bool differs = false;
        for (size_t i = 0; i < k->count; i++)
            differs = differs || !json_equal(value, json_object_get(k->learners[i].options, option));
        if (!differs || !sweep_separates(k, option)) continue;
        const char *shown = show_value(value, memory);
        name = shown != NULL ? pool_format(memory, "%s %s=%s", name, option, shown) : NULL;
        if (name == NULL) return NULL;
    }
    return name;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static bool add_learner(sweep_kind *kinds, size_t *count, const dossier *r, const dossier_competitor *who,
                        pool *memory) {
    const json_t *options = options_of(r, who->name);
    size_t k = 0;
    while (k < *count && strcmp(kinds[k].kind, who->kind) != 0) k++;
    if (options == NULL) return true;
    if (k == *count) {
        kinds[k] = (sweep_kind){.kind = who->kind,
                                .learners = pool_array(memory, r->competitor_count, sizeof *kinds->learners)};
        if (kinds[k].learners == NULL) return false;
        ++*count;
    }
    kinds[k].learners[kinds[k].count++] = (sweep_learner){who, options};
    return true;
}

/* Gathers the kinds that make a panel. Returns their number; 0 also for lack of memory. */
static size_t gather_kinds(const dossier *r, sweep_kind *kinds, pool *memory) {
    size_t count = 0, kept = 0;
    for (size_t c = 0; c < r->competitor_count; c++)
        if (r->competitors[c].role == DOSSIER_LEARNER && !add_learner(kinds, &count, r, &r->competitors[c], memory))
            return 0;
    for (size_t k = 0; k < count; k++) {
        choose_option(&kinds[k]);
        if (kinds[k].option != NULL) kinds[kept++] = kinds[k];
    }
    return kept;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

static double x_of(const sweep_kind *k, size_t i) {
    return json_number_value(json_object_get(k->learners[i].options, k->option));
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sets the different values, in order; returns their number. */
static size_t sort_values(const sweep_kind *k, double *at) {
    size_t count = 0;
    for (size_t i = 0; i < k->count; i++) at[i] = x_of(k, i);
    qsort(at, k->count, sizeof *at, compare_numbers);
    for (size_t i = 0; i < k->count; i++)
        if (count == 0 || at[i] > at[count - 1]) at[count++] = at[i];
    return count;
}

/* An axis is logarithmic if all numbers are positive and spread over more than a decade. */
static bool sweep_spreads(double low, double high) {
    return low > 0 && high / low > 10;
}

/* If the values are few, they are the ticks. */
static chart_axis axis_of_option(const sweep_kind *k, const double *at, size_t count) {
    double air = 0.04 * (at[count - 1] - at[0]);
    bool log = sweep_spreads(at[0], at[count - 1]);
    axis a = {0};
    for (size_t i = 0; log && i < count; i++) axis_hold(&a, (dossier_value){at[i], NAN});
    if (log)
        axis_finish(&a, 0.04, 3);
    else
        a = axis_even(at[0] - air, at[count - 1] + air, 6);
    if (count <= TICKS_OF_VALUES) {
        a.tick_count = count;
        memcpy(a.ticks, at, count * sizeof *at);
    }
    return build_axis(k->option, log, &a);
}

/* A selector is a level line. */
static void put_level(const dossier_competitor *who, chart_panel *p, chart_series *s) {
    s->name = who->name;
    s->look = style_of(who->role, who->rank);
    s->shown = true;
    for (size_t i = 0; i < p->count; i++) s->values[i] = who->regret;
}

/* Begins a line at a learner, and puts every learner on it that is alike. */
static bool sweep_put_line(const sweep_kind *k, size_t first, size_t rank, const chart_panel *p, chart_series *s,
                           pool *memory) {
    s->name = name_line(k, &k->learners[first], memory);
    s->look = style_of(DOSSIER_LEARNER, rank);
    s->shown = s->marked = true;
    for (size_t i = 0; i < p->count; i++) s->values[i] = (dossier_value){NAN, NAN};
    for (size_t j = first; j < k->count; j++)
        for (size_t i = 0; i < p->count && are_alike(k, &k->learners[first], &k->learners[j]); i++)
            if (x_of(k, j) == p->at[i]) s->values[i] = k->learners[j].who->regret;
    return s->name != NULL;
}

static bool begins_line(const sweep_kind *k, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (are_alike(k, &k->learners[j], &k->learners[i])) return false;
    return true;
}

/* Fills a panel. *rank is that of its first line, and then of the next panel's. False: no memory. */
static bool fill_panel(const dossier *r, const sweep_kind *k, size_t *rank, chart_panel *p, pool *memory) {
    double *values = pool_array(memory, k->count, sizeof *values);
    if (values == NULL) return false;
    size_t count = sort_values(k, values), lines = 0;
    for (size_t i = 0; i < k->count; i++) lines += begins_line(k, i);
    if (!build_series(p, r->selector_count + lines, count, memory)) return false;
    memcpy(p->at, values, count * sizeof *values);
    p->title = k->kind;
    p->x = axis_of_option(k, p->at, count);
    for (size_t s = 0; s < r->selector_count; s++) put_level(&r->competitors[s], p, &p->series[s]);
    chart_series *line = p->series + r->selector_count;
    for (size_t i = 0; i < k->count; i++)
        if (begins_line(k, i) && !sweep_put_line(k, i, (*rank)++, p, line++, memory)) return false;
    build_layers(p, r->selector_count);
    return true;
}

/* The lowest and highest mean, and the ends of their intervals. */
typedef struct extent {
    double low, high, low_end, high_end;
} extent;

static void extent_take(extent *e, dossier_value v) {
    double half = isnan(v.ci95) ? 0 : v.ci95;
    if (isnan(v.mean)) return;
    e->low = fmin(e->low, v.mean);
    e->high = fmax(e->high, v.mean);
    e->low_end = fmin(e->low_end, v.mean - half);
    e->high_end = fmax(e->high_end, v.mean + half);
}

/* Regret begins at 0, if its axis is not logarithmic. */
static chart_axis axis_of_measure(const dossier *r, const chart *c) {
    extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    axis a = {0};
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t s = 0; s < c->panels[p].series_count; s++)
            for (size_t i = 0; i < c->panels[p].count; i++) {
                extent_take(&e, c->panels[p].series[s].values[i]);
                axis_hold(&a, c->panels[p].series[s].values[i]);
            }
    bool log = !r->has_value && sweep_spreads(e.low, e.high);
    double air = 0.04 * (e.high_end - e.low_end);
    if (log)
        axis_finish(&a, 0.04, 4);
    else
        a = axis_even(r->has_value ? e.low_end - air : fmin(0, e.low_end), e.high_end + air, 7);
    return build_axis(r->has_value ? "value" : "regret after the last round", log, &a);
}

bool sweep_of_learners(const dossier *r, chart *out, pool *memory) {
    sweep_kind *kinds = pool_array(memory, r->competitor_count, sizeof *kinds);
    size_t count = kinds != NULL ? gather_kinds(r, kinds, memory) : 0, rank = 0;
    if (count == 0) return false;
    const char *what = r->has_value ? "Value of learners alone, and of selectors as level lines"
                                    : "Final regret of learners alone, and of selectors as level lines";
    *out = (chart){.name = "sweep", .title = r->title, .note = build_note(r, what, false, memory)};
    if (!build_panels(out, count, memory)) return false;
    for (size_t k = 0; k < count; k++)
        if (!fill_panel(r, &kinds[k], &rank, &out->panels[k], memory)) return false;
    out->y = axis_of_measure(r, out);
    return build_key(out, memory);
}
