/*
 * A page's data as JSON; the page's own script makes tables and charts of it. Names reach the page through this JSON
 * and from there through the document's text nodes, so that none of them is ever read as markup.
 */
#include "report/page.h"

#include <math.h>

#include "report/style.h"
#include "report/template.h"

enum { THUMBNAIL_POINTS = 60 };

static json_t *style_json(record_role role, size_t rank) {
    style look = style_of(role, rank);
    json_t *dash = json_array();
    for (int i = 0; look.dash != NULL && look.dash[i] > 0; i++) json_array_append_new(dash, json_integer(look.dash[i]));
    return json_pack("{s:s, s:s, s:f, s:o}", "light", look.light, "dark", look.dark, "width", look.width, "dash", dash);
}

static json_t *competitor_json(const record_competitor *c) {
    static const char *const roles[] = {"selector", "learner", "oracle"};
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", c->name, "role", roles[c->role], "kind",
                     c->kind, "regret", template_number(c->regret.mean), "regret_ci95", template_number(c->regret.ci95),
                     "optimal", template_number(c->optimal.mean), "optimal_ci95", template_number(c->optimal.ci95),
                     "exponent", template_number(c->exponent), "style", style_json(c->role, c->rank));
}

static json_t *competitors_json(const record *r) {
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) json_array_append_new(all, competitor_json(&r->competitors[c]));
    return all;
}

static json_t *numbers_json(const double *numbers, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        bool whole = numbers[i] == floor(numbers[i]) && fabs(numbers[i]) < 1e15;
        json_array_append_new(all, whole ? json_integer((json_int_t)numbers[i]) : template_number(numbers[i]));
    }
    return all;
}

/* Per competitor two rows, of means and of half-widths. */
static json_t *curves_json(const record *r, const record_value *curves) {
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) {
        json_t *means = json_array(), *halves = json_array();
        for (size_t p = 0; p < r->round_count; p++) {
            json_array_append_new(means, template_number(curves[c * r->round_count + p].mean));
            json_array_append_new(halves, template_number(curves[c * r->round_count + p].ci95));
        }
        json_array_append_new(all, json_pack("[o, o]", means, halves));
    }
    return all;
}

/* selector -> learner -> round */
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
        json_array_append_new(all,
                              json_pack("{s:s, s:o}", "name", r->learners[m], "style", style_json(RECORD_LEARNER, m)));
    return all;
}

/* A table as it is in its file: an object per row. */
static json_t *table_json(const csv *table) {
    json_t *all = json_array();
    for (size_t i = 0; i < table->rows; i++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->width; c++) {
            const csv_cell *cell = csv_row(table, i) + c;
            json_t *value =
                table->columns[c].type == CSV_TEXT ? json_string(cell->text) : template_number(cell->number);
            json_object_set_new(row, table->columns[c].name, value);
        }
        json_array_append_new(all, row);
    }
    return all;
}

bool page_make(const record *r, const char *directory, FILE *messages) {
    json_t *data =
        json_pack("{s:s, s:s, s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", r->name, "title",
                  r->title, "manifest", r->manifest, "competitors", competitors_json(r), "names", learners_json(r),
                  "rounds", numbers_json(r->rounds, r->round_count), "regret", curves_json(r, r->regret), "optimal",
                  r->has_optimal ? curves_json(r, r->optimal) : json_null(), "share", shares_json(r), "learners",
                  table_json(&r->tables[RECORD_LEARNERS]), "matching", table_json(&r->tables[RECORD_MATCHING]), "pairs",
                  table_json(&r->tables[RECORD_PAIRS]), "claims", table_json(&r->tables[RECORD_CLAIMS]));
    bool made = data != NULL && template_write(directory, "experiment.html", r->title, data, messages);
    json_decref(data);
    return made;
}

/* ---- the front page ---------------------------------------------------------------------------------------------- */

static json_t *thumbnail_json(const record *r) {
    size_t step = (r->round_count + THUMBNAIL_POINTS - 1) / THUMBNAIL_POINTS;
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) {
        json_t *row = json_array();
        for (size_t p = 0; p < r->round_count; p++)
            if (p % step == 0 || p + 1 == r->round_count)
                json_array_append_new(row, json_pack("[o, o]", template_number(r->rounds[p]),
                                                     template_number(r->regret[c * r->round_count + p].mean)));
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *card_json(const record *r, const char *folder) {
    return json_pack("{s:s, s:s, s:s, s:O?, s:O?, s:O?, s:O?, s:o, s:o, s:o}", "folder", folder, "name", r->name,
                     "title", r->title, "rounds", json_object_get(r->manifest, "rounds"), "runs",
                     json_object_get(r->manifest, "runs"), "seed", json_object_get(r->manifest, "seed"), "version",
                     json_object_get(r->manifest, "version"), "competitors", competitors_json(r), "thumbnail",
                     thumbnail_json(r), "claims", table_json(&r->tables[RECORD_CLAIMS]));
}

bool page_front(const record *const *records, const char *const *folders, size_t count, const char *directory,
                FILE *messages) {
    json_t *cards = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(cards, card_json(records[i], folders[i]));
    bool made = template_write(directory, "front.html", "posse: experiments", cards, messages);
    json_decref(cards);
    return made;
}
