#include "experiment/store/parts.h"

#include <math.h>
#include <string.h>

/* What a part needs from its surroundings: the prior, which has inherited defaults, and the length of a table's rows.
 */
typedef struct surroundings {
    const posse_part *prior;
    size_t width;
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
                                               part_json(POSSE_BELIEF, &o->part[i], in)));
    return array;
}

static json_t *option_json(const posse_param *p, const posse_option *o, const surroundings *in) {
    switch (p->type) {
    case POSSE_FLAG:
        return json_boolean(o->number != 0.0);
    case POSSE_WORD:
        return json_string(o->word);
    case POSSE_TABLE:
        return table_json(o->list, o->count, in->width);
    case POSSE_PART:
        return o->part != NULL ? part_json(POSSE_BELIEF, o->part, in) : json_string("environment");
    case POSSE_PARTS:
        return components_json(o, in);
    default:
        if (o->word != NULL) return json_string(o->word);
        return o->list != NULL ? list_json(o->list, o->count) : number_json(o->number);
    }
}

/* ------------------------------------------------ defaults ------------------------------------------------- */

static const posse_option *option_of(const posse_part *part, const char *key) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++)
        if (strcmp(part->options[i].key, key) == 0) return &part->options[i];
    return NULL;
}

static json_t *default_json(const posse_param *p, const surroundings *in) {
    if (p->flags & (POSSE_REQUIRED | POSSE_OPTIONAL)) return NULL;
    if (p->type == POSSE_PART) return json_string("environment");
    if (p->type == POSSE_FLAG) return json_boolean(p->fallback != 0.0);
    if (p->type == POSSE_RANGE) return json_pack("[i, i]", 0, 1);
    const posse_option *inherited = NULL;
    if (p->flags & POSSE_INHERITED && in->prior->kind != NULL) inherited = option_of(in->prior, p->name);
    return inherited != NULL ? option_json(p, inherited, in) : number_json(p->fallback);
}

/* Whether a parameter cannot be meant because another was given: `means` rules `prior.mean` out. */
static bool ruled_out(const posse_param *params, const posse_part *part, const char *name) {
    for (; params->name != NULL; params++)
        if (params->excludes != NULL && option_of(part, params->name) != NULL &&
            strncmp(name, params->excludes, strlen(params->excludes)) == 0)
            return true;
    return false;
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
    for (const posse_param *p = params; p->name != NULL; p++) {
        const posse_option *given = option_of(part, p->name);
        json_t *value = NULL;
        if (given != NULL)
            value = option_json(p, given, in);
        else if (!ruled_out(params, part, p->name))
            value = default_json(p, in);
        if (value != NULL) set_nested(object, p->name, value);
    }
}

static json_t *part_json(posse_family family, const posse_part *part, const surroundings *in) {
    json_t *object = json_object();
    if (part->name != NULL) json_object_set_new(object, "name", json_string(part->name));
    json_object_set_new(object, "kind", json_string(part->kind));
    for (int i = 0; i < posse_kind_count(family); i++)
        if (strcmp(posse_kind_name(family, i), part->kind) == 0)
            set_params(object, posse_kind_params(family, i), part, in);
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
    json_t *array = parts_list(POSSE_SELECTOR, e->selectors, e->selector_count, in);
    for (int s = 0; s < e->selector_count; s++) {
        json_t *names = json_array();
        for (int k = 0; k < e->teams[s].count; k++)
            json_array_append_new(names, json_string(e->learners[e->teams[s].learners[k]].name));
        json_object_set_new(json_array_get(array, (size_t)s), "learners", names);
    }
    return array;
}

json_t *parts_json(const experiment *e) {
    posse_environment *environment;
    if (posse_environment_create(&e->environment, e->seed, NULL, &environment) != POSSE_OK) return NULL;
    posse_def def = posse_environment_def(environment);
    const surroundings in = {&def.prior, (size_t)(def.dim > 0 ? def.dim : def.arms)};
    json_t *parts =
        json_pack("{s:o, s:o, s:o}", "environment", part_json(POSSE_ENVIRONMENT, &e->environment, &in), "learners",
                  parts_list(POSSE_LEARNER, e->learners, e->learner_count, &in), "selectors", selectors_list(e, &in));
    posse_environment_free(environment);
    return parts;
}
