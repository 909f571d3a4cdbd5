/* SPDX-License-Identifier: MIT */
#include "report/page/prior_page.h"

#include "report/chart/json.h"
#include "report/page/template.h"

/* More points would not make a picture clearer, and more arms would not make the page clearer. */
enum { POINTS_MAX = 1000, ARMS_MAX = 20 };

static size_t arms_shown(const report_prior *p) {
    return p->arm_count < ARMS_MAX ? p->arm_count : ARMS_MAX;
}

/* Rows that are evenly spread over a table. */
static json_t *prior_page_rows_json(const report_prior *p, const double *rows, size_t count) {
    json_t *all = json_array();
    size_t shown = count < POINTS_MAX ? count : POINTS_MAX;
    for (size_t i = 0; i < shown; i++) {
        const double *row = rows + i * count / shown * p->arm_count;
        json_t *numbers = json_array();
        for (size_t a = 0; a < arms_shown(p); a++) json_add(&numbers, json_number(row[a]));
        json_add(&all, numbers);
    }
    return all;
}

static json_t *candidates_json(const report_prior *p) {
    json_t *all = json_array();
    for (size_t i = 0; i < p->candidate_count; i++)
        json_add(&all, json_pack("{s:o, s:o}", "size", json_number(p->sizes[i]), "score", json_number(p->scores[i])));
    return all;
}

bool prior_make(const report_prior *p, const char *directory, const char *file, FILE *messages) {
    json_t *arms = json_array();
    for (size_t a = 0; a < arms_shown(p); a++) json_add(&arms, json_string(p->arms[a]));
    json_t *data =
        json_pack("{s:o, s:o, s:s, s:b, s:o, s:I, s:I, s:o, s:o, s:o, s:s, s:o}", "dataStyle",
                  json_style(style_of(DOSSIER_LEARNER, 0)), "drawStyle", json_style(style_of(DOSSIER_LEARNER, 5)),
                  "facts", p->facts, "noisy", (int)p->noisy, "arms", arms, "armCount", (json_int_t)p->arm_count,
                  "rowCount", (json_int_t)p->data_count, "data", prior_page_rows_json(p, p->data, p->data_count),
                  "draws", prior_page_rows_json(p, p->draws, p->draw_count), "candidates", candidates_json(p),
                  "sizeName", p->size_name, "chosen", json_number(p->chosen));
    bool made = template_write(directory, file, "prior.html", p->title, data, messages);
    json_decref(data);
    return made;
}
