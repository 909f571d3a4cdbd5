/* SPDX-License-Identifier: MIT */
#include "report/chart/style.h"

#include <string.h>

#include "common/json_text.h"
#include "report/data/asset.h"

static json_t *style_palette; /* read once, for as long as the program runs */

bool style_load(void) {
    const asset *a = page_assets;
    while (style_palette == NULL && strcmp(a->name, "palette.json") != 0) a++;
    if (style_palette == NULL) style_palette = json_read(a->text, a->size, SIZE_MAX, NULL);
    return style_palette != NULL;
}

static const json_t *style_read_palette(const char *key) {
    style_load();
    return json_object_get(style_palette, key);
}

/* The entry of a list; after the last one they begin anew. */
static const json_t *in_turn(const json_t *list, size_t place) {
    return json_array_get(list, place % json_array_size(list));
}

static style style_made(const json_t *family, size_t rank, const json_t *dash) {
    const json_t *colours = in_turn(json_object_get(family, "colours"), rank);
    style out = {.light = json_string_value(json_array_get(colours, 0)),
                 .dark = json_string_value(json_array_get(colours, 1)),
                 .width = json_number_value(json_object_get(family, "width")),
                 .band = json_number_value(json_object_get(family, "band"))};
    for (size_t i = 0; i < json_array_size(dash) && i + 1 < STYLE_DASHES; i++)
        out.dash[i] = (int)json_integer_value(json_array_get(dash, i));
    return out;
}

style style_of(dossier_role role, size_t rank) {
    bool reference = role == DOSSIER_ORACLE || role == DOSSIER_LOG; /* nothing that was chosen or built here */
    const json_t *dash = reference ? style_read_palette("oracle_dash") : in_turn(style_read_palette("dashes"), rank);
    return style_made(style_read_palette(dossier_roles[reference ? DOSSIER_ORACLE : role]), rank, dash);
}

style style_of_rest(void) {
    return style_made(style_read_palette("rest"), 0, NULL);
}

style style_of_loser(void) {
    return style_made(style_read_palette("loses"), 0, NULL);
}

style style_of_reference(void) {
    return style_made(style_read_palette("reference"), 0, style_read_palette("reference_dash"));
}

size_t style_limit(const char *name) {
    return (size_t)json_integer_value(style_read_palette(name));
}

style style_among_selectors(size_t rank) {
    return rank == 0 ? style_of(DOSSIER_SELECTOR, 0) : style_of(DOSSIER_LEARNER, rank - 1);
}
