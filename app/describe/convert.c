/* SPDX-License-Identifier: MIT */
#include "describe/convert.h"

#include <limits.h>
#include <string.h>

#include "base/suggestion.h"
#include "describe/part_copy.h"
#include "describe/scalar.h"
#include "describe/trial.h"

#define KEY_MAX 128
#define COMPONENTS_MAX 64 /* the library has the same limit; a part is much larger than its text */

/* A part in the making. */
typedef struct conversion {
    reading *r;
    posse_family family;
    const posse_param *own, *common;
    posse_part *out;
    int count;
    bool ok;
} conversion;

/* ---------------------------------------------- declarations --------------------------------------------------- */

static const posse_param *convert_find_param(const posse_param *params, const char *name) {
    for (; params != NULL && params->name != NULL; params++)
        if (strcmp(params->name, name) == 0) return params;
    return NULL;
}

/* Whether some declared name begins with `prefix` and a dot, so that a map belongs here. */
static bool is_nesting(const posse_param *params, const char *prefix) {
    size_t length = strlen(prefix);
    for (; params != NULL && params->name != NULL; params++)
        if (strncmp(params->name, prefix, length) == 0 && params->name[length] == '.') return true;
    return false;
}

/*
 * Keys of the file format, which no kind declares: every part has a kind, learners and selectors have a name, and a
 * selector may list the learners that it plays. Returns the index-th of these keys for a family, or NULL.
 */
static const char *files_key(posse_family family, int index) {
    static const char *const keys[] = {"kind", "name", "learners"};
    int count = family == POSSE_FAMILY_SELECTOR ? 3 : family == POSSE_FAMILY_LEARNER ? 2 : 1;
    return index < count ? keys[index] : NULL;
}

static bool is_files_key(posse_family family, const char *key) {
    for (int i = 0; files_key(family, i) != NULL; i++)
        if (strcmp(files_key(family, i), key) == 0) return true;
    return false;
}

/*
 * Adds candidates: of each declared name, the part after `prefix` (which ends in a dot, or is empty) up to the next
 * dot.
 */
static void consider_keys(suggestion *n, pool *memory, const posse_param *params, const char *prefix) {
    size_t length = strlen(prefix);
    for (; params != NULL && params->name != NULL; params++) {
        if (strncmp(params->name, prefix, length) != 0) continue;
        const char *rest = params->name + length, *name = pool_copy(memory, rest, strcspn(rest, "."));
        if (name != NULL) suggestion_consider(n, name);
    }
}

/* ------------------------------------------------- values ------------------------------------------------------ */

/* Ends at the first of too many problems; then there are numbers that were not looked at. */
static bool convert_take_numbers(reading *r, const node *list, double **out, size_t *count) {
    double *numbers = pool_allocate(r->memory, (list->count + 1) * sizeof *numbers);
    bool ok = numbers != NULL;
    *count = 0;
    if (!ok) return false;
    for (const node *n = list->first; n != NULL && !problems_full(r->found); n = n->next)
        if (!take_number(r->found, n, &numbers[(*count)++])) ok = false;
    if (ok && list->count == 0) problem_at(r->found, at_node(list), "a list without numbers");
    *out = numbers;
    return ok && list->count > 0 && !problems_full(r->found);
}

static bool is_row(reading *r, const node *row, size_t width) {
    if (row->type != NODE_LIST)
        refuse_node(r->found, row, "a row, [number, ..],");
    else if (row->count != width)
        problem_at(r->found, at_node(row), "a row of %zu numbers, but the first has %zu", row->count, width);
    return row->type == NODE_LIST && row->count == width;
}

/*
 * The length of all rows is checked before the table is allocated. Otherwise one long row and many short ones would
 * make a huge table.
 */
static bool convert_take_rows(reading *r, const node *rows, posse_option *o) {
    if (rows->type != NODE_LIST || rows->count == 0) {
        refuse_node(r->found, rows, "a list of rows of numbers");
        return false;
    }
    size_t width = rows->first->count;
    bool ok = true;
    for (const node *row = rows->first; row != NULL && !problems_full(r->found); row = row->next)
        if (!is_row(r, row, width)) ok = false;
    if (!ok || problems_full(r->found)) return false;
    double *table = pool_allocate(r->memory, rows->count * width * sizeof *table), *numbers;
    if (table == NULL) return false;
    if (r->row_width == 0) r->row_width = (int)(width < INT_MAX ? width : INT_MAX);
    for (const node *row = rows->first; row != NULL && !problems_full(r->found); row = row->next) {
        size_t count;
        if (convert_take_numbers(r, row, &numbers, &count))
            memcpy(table + o->count, numbers, count * sizeof *table);
        else
            ok = false;
        o->count += width;
    }
    o->list = table;
    return ok;
}

static bool take_belief(reading *r, const node *n, posse_option *o) {
    if (n->type == NODE_SCALAR && strcmp(n->text, "environment") == 0) {
        o->word = "environment";
        return true;
    }
    if (n->type != NODE_MAP && !is_word(n)) {
        refuse_node(r->found, n, "a belief, {kind: ..} or a kind, or the word environment,");
        return false;
    }
    posse_part *belief = pool_allocate(r->memory, sizeof *belief);
    o->part = belief;
    return belief != NULL && convert_part(r, n, POSSE_FAMILY_BELIEF, belief);
}

/* A component has to be a part, so the word `environment` becomes a copy of the prior. */
static bool take_component_belief(reading *r, const node *n, posse_part *out) {
    posse_option o = {0};
    if (!take_belief(r, n, &o)) return false;
    if (o.part != NULL)
        *out = *o.part;
    else if (r->environment == NULL && r->found->count > 0)
        return false; /* the environment is wrong, which has been reported */
    else if (r->def.prior.kind == NULL) {
        problem_at(r->found, at_node(n), "the environment has no prior to take a belief from");
        return false;
    } else
        return part_copy(r->memory, &r->def.prior, out);
    return true;
}

static bool convert_take_component(reading *r, const node *n, double *weight, posse_part *belief) {
    if (n->type != NODE_MAP) {
        refuse_node(r->found, n, "a component, {weight: .., belief: ..},");
        return false;
    }
    const node *weight_node = node_find(n, "weight"), *belief_node = node_find(n, "belief");
    bool ok = weight_node != NULL && belief_node != NULL;
    if (weight_node == NULL) problem_missing(r->found, n, "weight", "a number");
    if (belief_node == NULL) problem_missing(r->found, n, "belief", "a belief");
    for (const node *entry = n->first; entry != NULL; entry = entry->next) {
        if (entry == weight_node || entry == belief_node) continue;
        suggestion near = {.word = entry->key};
        suggestion_consider(&near, "weight");
        suggestion_consider(&near, "belief");
        problem_at(r->found, at_key(entry), "a component has no key \"%s\"%s", entry->key, suggestion_text(&near));
        ok = false;
    }
    if (weight_node != NULL && !take_number(r->found, weight_node, weight)) ok = false;
    if (belief_node != NULL && !take_component_belief(r, belief_node, belief)) ok = false;
    return ok;
}

static bool convert_take_components(reading *r, const node *n, posse_option *o) {
    if (n->type != NODE_LIST || n->count == 0) {
        if (n->type == NODE_LIST)
            problem_at(r->found, at_node(n), "a list without components");
        else
            refuse_node(r->found, n, "a list of components, {weight: .., belief: ..},");
        return false;
    }
    if (n->count > COMPONENTS_MAX) {
        problem_at(r->found, at_node(n), "%zu are too many; at most %d", n->count, COMPONENTS_MAX);
        return false;
    }
    double *weights = pool_allocate(r->memory, n->count * sizeof *weights);
    posse_part *parts = pool_allocate(r->memory, n->count * sizeof *parts);
    bool ok = weights != NULL && parts != NULL;
    size_t i = 0;
    if (!ok) return false;
    for (const node *entry = n->first; entry != NULL; entry = entry->next, i++)
        if (!convert_take_component(r, entry, &weights[i], &parts[i])) ok = false;
    o->list = weights;
    o->part = parts;
    o->count = n->count;
    return ok;
}

/*
 * A path in a file is relative to the folder of that file. Descriptions from a network may have no paths: they must not
 * make a server read its own files, or wait for a pipe.
 */
static bool take_path(reading *r, const node *n, posse_option *o) {
    if (r->priors == NULL) {
        problem_at(r->found, at_key(n), "no files are read for clients: the numbers themselves are needed");
        return false;
    }
    if (!take_text(r->found, n, &o->word)) return false;
    if (*o->word != '\0' && *o->word != '/' && *r->folder != '\0')
        o->word = pool_format(r->memory, "%s%s", r->folder, o->word);
    return o->word != NULL;
}

static bool take_name(reading *r, const node *n, const char **out) {
    if (!take_text(r->found, n, out)) return false;
    if (strchr(*out, ',') == NULL) return true;
    problem_at(r->found, at_node(n), "a name has no comma; several names are a list, [.., ..]");
    return false;
}

/* Wrong names are left out, so that problems with the other names are found, too. */
static bool take_names(reading *r, const node *n, posse_option *o) {
    if (n->type != NODE_LIST) return take_name(r, n, &o->word);
    bool ok = n->count > 0;
    if (!ok) problem_at(r->found, at_node(n), "a list without names");
    for (const node *entry = n->first; entry != NULL; entry = entry->next) {
        const char *name;
        if (!take_name(r, entry, &name))
            ok = false;
        else if (o->word == NULL)
            o->word = name;
        else
            o->word = pool_format(r->memory, "%s,%s", o->word, name);
    }
    return ok && o->word != NULL;
}

static bool convert_take_value(reading *r, const posse_param *p, const node *n, posse_option *o) {
    problems *found = r->found;
    bool flag = false;
    switch (p->type) {
    case POSSE_TYPE_REAL:
    case POSSE_TYPE_COUNT:
        if (p->words != NULL && is_word(n)) return take_text(found, n, &o->word);
        return take_number(found, n, &o->number);
    case POSSE_TYPE_FLAG:
        if (p->words != NULL && is_word(n)) return take_text(found, n, &o->word);
        if (!take_flag(found, n, &flag)) return false;
        o->number = flag ? 1.0 : 0.0;
        return true;
    case POSSE_TYPE_WORD:
        return take_text(found, n, &o->word);
    case POSSE_TYPE_REALS:
        if (n->type == NODE_LIST) return convert_take_numbers(r, n, (double **)(uintptr_t)&o->list, &o->count);
        if (n->type == NODE_MAP) refuse_node(found, n, "a number or a list of numbers");
        return n->type != NODE_MAP && take_number(found, n, &o->number);
    case POSSE_TYPE_RANGE:
        if (n->type == NODE_LIST) return convert_take_numbers(r, n, (double **)(uintptr_t)&o->list, &o->count);
        refuse_node(found, n, "a range, [lowest, highest],");
        return false;
    case POSSE_TYPE_TABLE:
        return convert_take_rows(r, n, o);
    case POSSE_TYPE_PART:
        return take_belief(r, n, o);
    case POSSE_TYPE_PARTS:
        return convert_take_components(r, n, o);
    case POSSE_TYPE_TEXT:
        return p->flags & POSSE_PARAM_PATH ? take_path(r, n, o) : take_text(found, n, &o->word);
    case POSSE_TYPE_NAMES:
        return take_names(r, n, o);
    }
    return false;
}

/* -------------------------------------------------- keys ------------------------------------------------------- */

/*
 * The options fit, because a kind declares no more of them than a part can have, and each is taken once. It could be
 * given twice, because `prior.mean` can also be written as one key.
 */
static void take_option(conversion *c, const posse_param *p, const node *n) {
    posse_option o = {.key = p->name};
    location where = at_key(n);
    where.label = p->name;
    if (posse_part_option(c->out, p->name) != NULL) {
        problem_at(c->r->found, where, "given twice");
        c->ok = false;
    } else if (convert_take_value(c->r, p, n, &o))
        c->out->options[c->count++] = o;
    else
        c->ok = false;
}

static void convert_refuse_key(conversion *c, const node *n, const char *prefix) {
    suggestion near = {.word = n->key};
    consider_keys(&near, c->r->memory, c->own, prefix);
    consider_keys(&near, c->r->memory, c->common, prefix);
    for (int i = 0; *prefix == '\0' && files_key(c->family, i) != NULL; i++)
        suggestion_consider(&near, files_key(c->family, i));
    problem_at(c->r->found, at_key(n), "%s \"%s\" has no key \"%s%.80s\"%s", posse_family_name(c->family), c->out->kind,
               prefix, n->key, suggestion_text(&near));
    c->ok = false;
}

/* Reports which keys belong into the map that is needed here. */
static void refuse_nesting(conversion *c, const node *n, const char *name) {
    char wanted[200] = "a map, {";
    size_t length = strlen(name);
    const posse_param *lists[] = {c->own, c->common};
    for (size_t i = 0; i < 2; i++)
        for (const posse_param *p = lists[i]; p != NULL && p->name != NULL; p++)
            if (strncmp(p->name, name, length) == 0 && p->name[length] == '.' && strlen(wanted) < 100)
                snprintf(wanted + strlen(wanted), 64, "%.50s: .., ", p->name + length + 1);
    snprintf(wanted + strlen(wanted) - 2, 8, "},");
    refuse_node(c->r->found, n, wanted);
    c->ok = false;
}

/* Takes the entries of a map whose keys continue `prefix`. */
static void convert_take_entries(conversion *c, const node *map, const char *prefix) {
    for (const node *n = map->first; n != NULL; n = n->next) {
        char name[KEY_MAX];
        if (*prefix == '\0' && is_files_key(c->family, n->key)) continue;
        int length = snprintf(name, sizeof name, "%s%s", prefix, n->key);
        const posse_param *p = convert_find_param(c->own, name);
        if (p == NULL) p = convert_find_param(c->common, name);
        bool nests = is_nesting(c->own, name) || is_nesting(c->common, name);
        if (length >= KEY_MAX - 1 || (p == NULL && !nests))
            convert_refuse_key(c, n, prefix);
        else if (nests && n->type == NODE_MAP) {
            strcat(name, ".");
            convert_take_entries(c, n, name);
        } else if (p != NULL)
            take_option(c, p, n);
        else
            refuse_nesting(c, n, name);
    }
}

/* The index of the kind a part names, or -1. */
static int take_kind(reading *r, const node *map, posse_family family) {
    const char *kind, *what = posse_family_name(family);
    const node *n = node_kind(map);
    if (n == NULL) {
        char wanted[60];
        snprintf(wanted, sizeof wanted, "a kind of %s", what);
        problem_missing(r->found, map, "kind", wanted);
        return -1;
    }
    if (!take_text(r->found, n, &kind)) return -1;
    int index = posse_kind_find(family, kind);
    if (index >= 0) return index;
    suggestion near = {.word = kind};
    for (int i = 0; i < posse_kind_count(family); i++) suggestion_consider(&near, posse_kind_name(family, i));
    problem_at(r->found, at_node(n), "there is no %s of kind \"%.80s\"%s", what, kind, suggestion_text(&near));
    return -1;
}

/* ------------------------------------------------ prior files -------------------------------------------------- */

/* A belief without a kind and with a file is read from that file: {file: prior.yaml}. */
static const node *prior_file(const node *map, posse_family family) {
    return family == POSSE_FAMILY_BELIEF && map->type == NODE_MAP && node_kind(map) == NULL ? node_find(map, "file")
                                                                                            : NULL;
}

/* An option next to `file:` overrides the file. */
static void set_flag(posse_part *part, const char *key, bool flag) {
    int i = 0;
    while (i < POSSE_OPTIONS_MAX - 1 && part->options[i].key != NULL && strcmp(part->options[i].key, key) != 0) i++;
    part->options[i] = (posse_option){.key = key, .number = flag};
}

static bool take_prior(reading *r, const node *map, const node *file, posse_part *out) {
    const node *robust = node_find(map, "robust");
    bool flag = false;
    for (const node *n = map->first; n != NULL; n = n->next)
        if (n != file && n != robust) {
            problem_at(r->found, at_key(n),
                       "a belief that is read from a file has no other keys than `file` and `robust`");
            return false;
        }
    posse_option path = {0};
    if (robust != NULL && !take_flag(r->found, robust, &flag)) return false;
    if (!take_path(r, file, &path) || !r->priors(r, file, path.word, out)) return false;
    if (robust != NULL) set_flag(out, "robust", flag);
    return trial_options(r, map, POSSE_FAMILY_BELIEF, out);
}

bool convert_part(reading *r, const node *map, posse_family family, posse_part *out) {
    if (map->type != NODE_MAP && !is_word(map)) {
        char wanted[60];
        snprintf(wanted, sizeof wanted, "%s %s, {kind: ..} or a kind,", family == POSSE_FAMILY_ENVIRONMENT ? "an" : "a",
                 posse_family_name(family));
        refuse_node(r->found, map, wanted);
        return false;
    }
    const node *file = prior_file(map, family);
    if (file != NULL) return take_prior(r, map, file, out);
    int kind = take_kind(r, map, family);
    if (kind < 0) return false;
    out->kind = posse_kind_name(family, kind);
    conversion c = {r, family, posse_kind_params(family, kind), posse_family_params(family), out, 0, true};
    convert_take_entries(&c, map, "");
    return trial_options(r, map, family, out) && c.ok;
}

/* ------------------------------------------------ afterwards --------------------------------------------------- */

posse_part convert_without_lists(const posse_part *selector) {
    posse_part out = *selector;
    const posse_param *params =
        posse_kind_params(POSSE_FAMILY_SELECTOR, posse_kind_find(POSSE_FAMILY_SELECTOR, selector->kind));
    for (int i = 0; i < POSSE_OPTIONS_MAX && out.options[i].key != NULL; i++) {
        posse_option *o = &out.options[i];
        const posse_param *p = convert_find_param(params, o->key);
        if (p != NULL && p->type == POSSE_TYPE_REALS && o->list != NULL)
            *o = (posse_option){.key = o->key, .number = o->list[0]};
    }
    return out;
}

static bool check_row(reading *r, const node *rows, posse_family family) {
    size_t wanted = (size_t)(family == POSSE_FAMILY_ENVIRONMENT ? r->def.dim : r->def.arms);
    if (rows->first->count == wanted) return true;
    problem_at(r->found, at_node(rows->first), "a row of %zu numbers, but there are %zu %s", rows->first->count, wanted,
               family == POSSE_FAMILY_ENVIRONMENT ? "dimensions" : "arms");
    return false;
}

bool convert_check_rows(reading *r, const node *map, posse_family family) {
    bool ok = true, known = family == POSSE_FAMILY_ENVIRONMENT || family == POSSE_FAMILY_BELIEF;
    if (prior_file(map, family) != NULL) return true; /* the reader of prior files has checked the rows */
    const posse_param *p = posse_kind_params(family, posse_kind_find(family, node_kind(map)->text));
    for (; p != NULL && p->name != NULL; p++) {
        const node *n = node_find_option(map, p->name);
        if (n == NULL) continue;
        if (p->type == POSSE_TYPE_TABLE && known && !check_row(r, n, family)) ok = false;
        if (p->type == POSSE_TYPE_PART && n->type == NODE_MAP && !convert_check_rows(r, n, POSSE_FAMILY_BELIEF))
            ok = false;
        if (p->type != POSSE_TYPE_PARTS) continue;
        for (const node *entry = n->first; entry != NULL; entry = entry->next) {
            const node *belief = node_find(entry, "belief");
            if (belief->type == NODE_MAP && !convert_check_rows(r, belief, POSSE_FAMILY_BELIEF)) ok = false;
        }
    }
    return ok;
}
