/* SPDX-License-Identifier: MIT */
/*
 * The data of a page as JSON. The page's own script makes tables and charts of it. Names reach the page through this
 * JSON and from there through text nodes of the document, so that none of them is ever read as markup.
 */
#include "report/page/page.h"

#include <math.h>

#include "report/draw/style.h"
#include "report/page/json.h"
#include "report/page/template.h"

static json_t *numbers_json(const double *numbers, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        bool integer = numbers[i] == floor(numbers[i]) && fabs(numbers[i]) < 1e15;
        json_array_append_new(all, integer ? json_integer((json_int_t)numbers[i]) : template_number(numbers[i]));
    }
    return all;
}

/* Each competitor has two rows, one of means and one of half-widths. */
static json_t *curves_json(const record *r, const record_value *curves, size_t points) {
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) {
        json_t *means = json_array(), *halves = json_array();
        for (size_t p = 0; p < points; p++) {
            json_array_append_new(means, template_number(curves[c * points + p].mean));
            json_array_append_new(halves, template_number(curves[c * points + p].ci95));
        }
        json_array_append_new(all, json_pack("[o, o]", means, halves));
    }
    return all;
}

/* The shares by selector, then learner, then round. */
static json_t *shares_json(const record *r) {
    json_t *all = json_array();
    for (size_t s = 0; s < r->selector_count; s++) {
        json_t *rows = json_array();
        for (size_t m = 0; m < r->learner_count; m++)
            json_array_append_new(rows,
                                  numbers_json(r->share + (s * r->learner_count + m) * r->round_count, r->round_count));
        json_array_append_new(all, rows);
    }
    return all;
}

static json_t *learners_json(const record *r) {
    json_t *all = json_array();
    for (size_t m = 0; m < r->learner_count; m++)
        json_array_append_new(
            all, json_pack("{s:s, s:o}", "name", r->learners[m], "style", json_style(style_of(RECORD_LEARNER, m))));
    return all;
}

bool page_make(const record *r, const char *directory, FILE *messages) {
    json_t *data = json_pack(
        "{s:s, s:s, s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", r->name, "title", r->title,
        "manifest", r->manifest, "competitors", json_competitors(r), "names", learners_json(r), "rounds",
        numbers_json(r->rounds, r->round_count), "regret", curves_json(r, r->regret, r->round_count), "optimal",
        r->has_optimal ? curves_json(r, r->optimal, r->round_count) : json_null(), "tasks",
        r->task_count > 1 ? curves_json(r, r->task_regret, r->task_count) : json_null(), "share", shares_json(r),
        "learners", json_table(&r->tables[TABLE_LEARNERS]), "matching", json_table(&r->tables[TABLE_MATCHING]), "pairs",
        json_table(&r->tables[TABLE_PAIRS]), "claims", json_table(&r->tables[TABLE_CLAIMS]));
    bool made = data != NULL && template_write(directory, "index.html", "experiment.html", r->title, data, messages);
    json_decref(data);
    return made;
}
