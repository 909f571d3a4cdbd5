/* SPDX-License-Identifier: MIT */
#include "experiment/store/parts.h"

#include <math.h>
#include <string.h>

#include "common/file.h"
#include "posse_kinds.h"

typedef struct surroundings {
    size_t width;     /* of the rows of tables, a number for each arm or coordinate */
    const char *path; /* of the experiment file */
} surroundings;

static json_t *part_json(posse_family family, const posse_part *part, const surroundings *in);

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

static json_t *components_json(const posse_option *o, const surroundings *in) {
    json_t *array = json_array();
    for (size_t i = 0; i < o->count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "weight", number_json(o->list[i]), "belief",
                                               part_json(POSSE_FAMILY_BELIEF, &o->part[i], in)));
    return array;
}

static json_t *names_json(const char *names) {
    json_t *array = json_array();
    for (;; names++) {
        size_t length = strcspn(names, ",");
        json_array_append_new(array, json_stringn(names, length));
        names += length;
        if (*names == '\0') return array;
    }
}

/* A path is written as it is in the file, so that an experiment is the same wherever the program was started. */
static json_t *path_json(const char *path, const surroundings *in) {
    size_t folder = file_folder(in->path);
    return json_string(strncmp(path, in->path, folder) == 0 ? path + folder : path);
}

static json_t *option_json(const posse_param *p, const posse_option *o, const surroundings *in) {
    switch (p->type) {
    case POSSE_TYPE_FLAG:
        return json_boolean(o->number != 0.0);
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
        return names_json(o->word);
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

static void set_params(json_t *object, const posse_param *params, const posse_part *part, const surroundings *in) {
    for (const posse_param *p = params; p != NULL && p->name != NULL; p++) {
        const posse_option *o = posse_part_option(part, p->name);
        if (o != NULL) set_nested(object, p->name, option_json(p, o, in));
    }
}

static json_t *part_json(posse_family family, const posse_part *part, const surroundings *in) {
    json_t *object = json_object();
    if (part->name != NULL) json_object_set_new(object, "name", json_string(part->name));
    json_object_set_new(object, "kind", json_string(part->kind));
    set_params(object, posse_kind_params(family, posse_kind_find(family, part->kind)), part, in);
    set_params(object, posse_family_params(family), part, in);
    return object;
}

static json_t *parts_list(posse_family family, const posse_part *parts, int count, const surroundings *in) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, part_json(family, &parts[i], in));
    return array;
}

/* Selectors, each with its team. */
static json_t *selectors_list(const experiment *e, const surroundings *in) {
    json_t *array = parts_list(POSSE_FAMILY_SELECTOR, e->selectors, e->selector_count, in);
    for (int s = 0; s < e->selector_count; s++) {
        json_t *names = json_array();
        for (int k = 0; k < e->teams[s].count; k++)
            json_array_append_new(names, json_string(e->learners[e->teams[s].learners[k]].name));
        json_object_set_new(json_array_get(array, (size_t)s), "learners", names);
    }
    return array;
}

json_t *parts_json(const experiment *e) {
    surroundings in = {(size_t)(e->dim > 0 ? e->dim : e->arms), e->path != NULL ? e->path : ""};
    return json_pack("{s:o, s:o, s:o}", "environment", part_json(POSSE_FAMILY_ENVIRONMENT, &e->environment, &in),
                     "learners", parts_list(POSSE_FAMILY_LEARNER, e->learners, e->learner_count, &in), "selectors",
                     selectors_list(e, &in));
}
