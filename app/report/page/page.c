/* SPDX-License-Identifier: MIT */
/*
 * The data of a page as JSON. The page's own script makes tables and charts of it. Names reach the page through this
 * JSON and from there through text nodes of the document, so that none of them is ever read as markup.
 */
#include "report/page/page.h"

#include "report/chart/json.h"
#include "report/page/template.h"

static json_t *learners_json(const dossier *r) {
    json_t *all = json_array();
    for (size_t m = 0; m < r->learner_count; m++)
        json_add(&all, json_pack("{s:s, s:b, s:o}", "name", r->learners[m].name, "shown", (int)r->learners[m].shown,
                                 "style", json_style(style_of(DOSSIER_LEARNER, r->learners[m].rank))));
    return all;
}

bool page_make(const dossier *r, const charts *all, const char *directory, FILE *messages) {
    json_t *data = json_pack("{s:s, s:s, s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", r->name, "title", r->title,
                             "manifest", r->manifest, "competitors", json_competitors(r), "names", learners_json(r),
                             "charts", charts_json(all), "learners", json_table(&r->tables[TABLE_LEARNERS]), "matching",
                             json_table(&r->tables[TABLE_MATCHING]), "pairs", json_table(&r->tables[TABLE_PAIRS]),
                             "claims", json_table(&r->tables[TABLE_CLAIMS]));
    bool made = template_write(directory, "index.html", "experiment.html", r->title, data, messages);
    json_decref(data);
    return made;
}
