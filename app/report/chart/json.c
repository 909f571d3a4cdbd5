/* SPDX-License-Identifier: MIT */
#include "report/chart/json.h"

#include <math.h>

void json_add(json_t **list, json_t *value) {
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

void json_set(json_t **object, const char *key, json_t *value) {
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

json_t *json_number(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *json_style(style look) {
    json_t *dash = json_array();
    for (int i = 0; look.dash[i] > 0; i++) json_add(&dash, json_integer(look.dash[i]));
    return json_pack("{s:s, s:s, s:f, s:f, s:o}", "light", look.light, "dark", look.dark, "width", look.width, "band",
                     look.band, "dash", dash);
}

static json_t *competitor_json(const dossier_competitor *c) {
    return json_pack("{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", c->name, "role",
                     dossier_roles[c->role], "shown", (int)c->shown, "kind", c->kind, "regret",
                     json_number(c->regret.mean), "regret_ci95", json_number(c->regret.ci95), "optimal",
                     json_number(c->optimal.mean), "optimal_ci95", json_number(c->optimal.ci95), "effective",
                     json_number(c->effective), "exponent", json_number(c->exponent), "style",
                     json_style(style_of(c->role, c->rank)));
}

json_t *json_competitors(const dossier *r) {
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) json_add(&all, competitor_json(&r->competitors[c]));
    return all;
}

json_t *json_table(const result_table *t) {
    json_t *all = json_array();
    for (size_t i = 0; i < t->rows; i++) {
        json_t *row = json_object();
        for (size_t c = 0; c < t->width; c++) {
            const result_table_cell *cell = result_table_row(t, i) + c;
            json_t *value = t->columns[c].type == COLUMN_TEXT ? json_string(cell->text) : json_number(cell->number);
            json_set(&row, t->columns[c].name, value);
        }
        json_add(&all, row);
    }
    return all;
}
