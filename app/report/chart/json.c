/* SPDX-License-Identifier: MIT */
#include "report/chart/json.h"

#include <math.h>

json_t *json_number(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *json_style(style look) {
    json_t *dash = json_array();
    for (int i = 0; look.dash[i] > 0; i++) json_array_append_new(dash, json_integer(look.dash[i]));
    return json_pack("{s:s, s:s, s:f, s:f, s:o}", "light", look.light, "dark", look.dark, "width", look.width, "band",
                     look.band, "dash", dash);
}

static json_t *competitor_json(const record_competitor *c) {
    return json_pack("{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", c->name, "role",
                     record_roles[c->role], "shown", (int)c->shown, "kind", c->kind, "regret",
                     json_number(c->regret.mean), "regret_ci95", json_number(c->regret.ci95), "optimal",
                     json_number(c->optimal.mean), "optimal_ci95", json_number(c->optimal.ci95), "effective",
                     json_number(c->effective), "exponent", json_number(c->exponent), "style",
                     json_style(style_of(c->role, c->rank)));
}

json_t *json_competitors(const record *r) {
    json_t *all = json_array();
    for (size_t c = 0; c < r->competitor_count; c++) json_array_append_new(all, competitor_json(&r->competitors[c]));
    return all;
}

json_t *json_table(const csv *table) {
    json_t *all = json_array();
    for (size_t i = 0; i < table->rows; i++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->width; c++) {
            const csv_cell *cell = csv_row(table, i) + c;
            json_t *value = table->columns[c].type == COLUMN_TEXT ? json_string(cell->text) : json_number(cell->number);
            json_object_set_new(row, table->columns[c].name, value);
        }
        json_array_append_new(all, row);
    }
    return all;
}
