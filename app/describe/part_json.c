/* SPDX-License-Identifier: MIT */
#include "describe/part_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"

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

static json_t *components_json(const posse_option *o, const part_surroundings *in) {
    json_t *array = json_array();
    for (size_t i = 0; i < o->count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "weight", number_json(o->list[i]), "belief",
                                               part_json(POSSE_FAMILY_BELIEF, &o->part[i], in)));
    return array;
}

static json_t *part_names_json(const char *names) {
    json_t *array = json_array();
    for (;; names++) {
        size_t length = strcspn(names, ",");
        json_array_append_new(array, json_stringn(names, length));
        names += length;
        if (*names == '\0') return array;
    }
}

/* A path is written as it is in the file, so that an experiment is the same wherever the program was started. */
static json_t *path_json(const char *path, const part_surroundings *in) {
    size_t folder = file_folder(in->path);
    return json_string(strncmp(path, in->path, folder) == 0 ? path + folder : path);
}

static json_t *option_json(const posse_param *p, const posse_option *o, const part_surroundings *in) {
    switch (p->type) {
    case POSSE_TYPE_FLAG:
        return o->word != NULL ? json_string(o->word) : json_boolean(o->number != 0.0);
    case POSSE_TYPE_WORD:
        return json_string(o->word);
    case POSSE_TYPE_TABLE:
        return table_json(o->list, o->count, in->width);
    case POSSE_TYPE_PART:
        return o->part != NULL ? part_json(POSSE_FAMILY_BELIEF, o->part, in) : json_string("environment");
    case POSSE_TYPE_PARTS:
        return components_json(o, in);
    case POSSE_TYPE_TEXT:
        return p->flags & POSSE_PARAM_PATH ? path_json(o->word, in) : json_string(o->word);
    case POSSE_TYPE_NAMES:
        return part_names_json(o->word);
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

static void set_params(json_t *object, const posse_param *params, const posse_part *part, const part_surroundings *in) {
    for (const posse_param *p = params; p != NULL && p->name != NULL; p++) {
        const posse_option *o = posse_part_option(part, p->name);
        if (o != NULL) set_nested(object, p->name, option_json(p, o, in));
    }
}

json_t *part_json(posse_family family, const posse_part *part, const part_surroundings *in) {
    json_t *object = json_object();
    if (part->name != NULL) json_object_set_new(object, "name", json_string(part->name));
    json_object_set_new(object, "kind", json_string(part->kind));
    set_params(object, posse_kind_params(family, posse_kind_find(family, part->kind)), part, in);
    set_params(object, posse_family_params(family), part, in);
    return object;
}
