/* SPDX-License-Identifier: MIT */
#include "experiment/store/parts.h"

#include <math.h>
#include <string.h>

/* width: of the rows of tables, a number for each arm or coordinate. */
static json_t *part_json(posse_family family, const posse_part *part, size_t width);

/* ------------------------------------------------- values -------------------------------------------------- */

static json_t *number_json(double x) {
    return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *list_json(const double *list, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(array, number_json(list[i]));
    return array;
}

static json_t *table_json(const double *list, size_t count, size_t width) {
    json_t *rows = json_array();
    for (size_t i = 0; width > 0 && i + width <= count; i += width)
        json_array_append_new(rows, list_json(list + i, width));
    return rows;
}

static json_t *components_json(const posse_option *o, size_t width) {
    json_t *array = json_array();
    for (size_t i = 0; i < o->count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "weight", number_json(o->list[i]), "belief",
                                               part_json(POSSE_BELIEF, &o->part[i], width)));
    return array;
}

static json_t *option_json(const posse_param *p, const posse_option *o, size_t width) {
    switch (p->type) {
    case POSSE_FLAG:
        return json_boolean(o->number != 0.0);
    case POSSE_WORD:
        return json_string(o->word);
    case POSSE_TABLE:
        return table_json(o->list, o->count, width);
    case POSSE_PART:
        return o->part != NULL ? part_json(POSSE_BELIEF, o->part, width) : json_string("environment");
    case POSSE_PARTS:
        return components_json(o, width);
    default:
        if (o->word != NULL) return json_string(o->word);
        return o->list != NULL ? list_json(o->list, o->count) : number_json(o->number);
    }
}

/* --------------------------------------------------- parts ------------------------------------------------- */

/* `prior.mean` is {prior: {mean: ..}}. */
static void set_nested(json_t *object, const char *name, json_t *value) {
    const char *dot = strchr(name, '.');
    if (dot == NULL) {
        json_object_set_new(object, name, value);
        return;
    }
    char outer[64];
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - name), name);
    if (json_object_get(object, outer) == NULL) json_object_set_new(object, outer, json_object());
    json_object_set_new(json_object_get(object, outer), dot + 1, value);
}

static void set_params(json_t *object, const posse_param *params, const posse_part *part, size_t width) {
    for (const posse_param *p = params; p != NULL && p->name != NULL; p++) {
        const posse_option *o = posse_part_option(part, p->name);
        if (o != NULL) set_nested(object, p->name, option_json(p, o, width));
    }
}

static json_t *part_json(posse_family family, const posse_part *part, size_t width) {
    json_t *object = json_object();
    if (part->name != NULL) json_object_set_new(object, "name", json_string(part->name));
    json_object_set_new(object, "kind", json_string(part->kind));
    set_params(object, posse_kind_params(family, posse_kind_find(family, part->kind)), part, width);
    set_params(object, posse_family_params(family), part, width);
    return object;
}

static json_t *parts_list(posse_family family, const posse_part *parts, int count, size_t width) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, part_json(family, &parts[i], width));
    return array;
}

/* Selectors, each with its team. */
static json_t *selectors_list(const experiment *e, size_t width) {
    json_t *array = parts_list(POSSE_SELECTOR, e->selectors, e->selector_count, width);
    for (int s = 0; s < e->selector_count; s++) {
        json_t *names = json_array();
        for (int k = 0; k < e->teams[s].count; k++)
            json_array_append_new(names, json_string(e->learners[e->teams[s].learners[k]].name));
        json_object_set_new(json_array_get(array, (size_t)s), "learners", names);
    }
    return array;
}

json_t *parts_json(const experiment *e) {
    size_t width = (size_t)(e->dim > 0 ? e->dim : e->arms);
    return json_pack("{s:o, s:o, s:o}", "environment", part_json(POSSE_ENVIRONMENT, &e->environment, width), "learners",
                     parts_list(POSSE_LEARNER, e->learners, e->learner_count, width), "selectors",
                     selectors_list(e, width));
}
