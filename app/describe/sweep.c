/* SPDX-License-Identifier: MIT */
#include "describe/sweep.h"

#include <stdio.h>
#include <string.h>

#include "data/decimal.h"
#include "describe/scalar.h"
#include "posse_kinds.h"

/* A learner with lists, while its copies are made. */
typedef struct sweep {
    pool *memory;
    problems *found;
    const node *map;
    const node *lists[POSSE_OPTIONS_MAX];
    const node *values[POSSE_OPTIONS_MAX]; /* the entry of each list that the next copy gets */
    int count;
} sweep;

/* ---------------------------------------------------- lists ------------------------------------------------------ */

static const posse_param *sweep_param(const posse_param *params, const char *name) {
    for (; params != NULL && params->name != NULL; params++)
        if (strcmp(params->name, name) == 0) return params;
    return NULL;
}

static bool takes_lists(const posse_param *p) {
    return p->type == POSSE_TYPE_REALS || p->type == POSSE_TYPE_TABLE || p->type == POSSE_TYPE_PARTS ||
           p->type == POSSE_TYPE_RANGE || p->type == POSSE_TYPE_NAMES;
}

/* Finds the lists that make a sweep. Unknown kinds and keys are left to the reader of parts, which refuses them. */
static void sweep_find(sweep *s) {
    const node *kind = s->map->type == NODE_MAP ? node_find(s->map, "kind") : NULL;
    int index = kind != NULL && is_word(kind) ? posse_kind_find(POSSE_FAMILY_LEARNER, kind->text) : -1;
    if (index < 0 || s->map->count > POSSE_OPTIONS_MAX + 2) return; /* with kind and name */
    for (const node *n = s->map->first; n != NULL; n = n->next) {
        const posse_param *p = sweep_param(posse_kind_params(POSSE_FAMILY_LEARNER, index), n->key);
        if (p == NULL) p = sweep_param(posse_family_params(POSSE_FAMILY_LEARNER), n->key);
        if (p == NULL || n->type != NODE_LIST || takes_lists(p)) continue;
        s->values[s->count] = n->first;
        s->lists[s->count++] = n;
    }
}

/* The number of learners, at most `most` + 1. An empty list makes one, whose option counts as refused. */
static size_t sweep_size(const sweep *s, size_t most) {
    size_t size = 1;
    for (int i = 0; i < s->count && size <= most; i++) {
        size_t values = s->lists[i]->count > 0 ? s->lists[i]->count : 1;
        size = values > most ? most + 1 : size * values;
    }
    return size < most ? size : most + (size > most);
}

/* Moves on to the next combination of values. */
static void sweep_step(sweep *s) {
    for (int i = s->count - 1; i >= 0; i--) {
        if (s->values[i] != NULL) s->values[i] = s->values[i]->next;
        if (s->values[i] != NULL) return;
        s->values[i] = s->lists[i]->first;
    }
}

/* ---------------------------------------------------- copies ----------------------------------------------------- */

static void sweep_append(node *parent, node *entry) {
    if (entry == NULL) return;
    entry->next = NULL;
    if (parent->last == NULL)
        parent->first = entry;
    else
        parent->last->next = entry;
    parent->last = entry;
    parent->count++;
}

static node *sweep_copy(pool *memory, const node *n) {
    node *copy = pool_allocate(memory, sizeof *copy);
    if (copy != NULL) *copy = *n;
    return copy;
}

/* A copy of a list or map without its entries. */
static node *sweep_shell(pool *memory, const node *n) {
    node *copy = sweep_copy(memory, n);
    if (copy == NULL) return NULL;
    copy->first = copy->last = NULL;
    copy->count = 0;
    return copy;
}

/* An entry of a list as the value of the list's key. */
static node *sweep_value(const sweep *s, const node *list, const node *value) {
    node *copy = sweep_copy(s->memory, value != NULL ? value : list);
    if (copy == NULL) return NULL;
    if (value == NULL)
        problem_at(s->found, at_node(list), "a list without values; each value makes a learner");
    else if (value->type != NODE_SCALAR && value->type != NODE_REFUSED)
        refuse_node(s->found, value, "a number or a word, which makes a learner,");
    if (copy->type != NODE_SCALAR) copy->type = NODE_REFUSED;
    copy->key = list->key;
    copy->key_at = list->key_at;
    copy->parent = list->parent;
    return copy;
}

/*
 * Numbers are written in one way, so that values that are equal make the same name, which is then refused. What is
 * refused itself gets a name that differs.
 */
static const char *sweep_text(const node *value, char text[DECIMAL_TEXT]) {
    double x;
    if (value == NULL) return "";
    if (value->type != NODE_SCALAR) {
        snprintf(text, DECIMAL_TEXT, "[%zu]", value->index);
        return text;
    }
    return value->plain && decimal_read(value->text, &x) == DECIMAL_FINE ? decimal_write(x, text) : value->text;
}

/* The name of the next copy. A name that is no text stays as it is, and the reader of names refuses it. */
static node *sweep_name(const sweep *s) {
    const node *given = node_find(s->map, "name"), *kind = node_find(s->map, "kind");
    node *name = sweep_copy(s->memory, given != NULL ? given : kind);
    if (name == NULL || (given != NULL && !is_word(given))) return name;
    name->key = "name";
    name->plain = false;
    name->text_at = (spot){0};
    for (int i = 0; i < s->count && name->text != NULL; i++) {
        char text[DECIMAL_TEXT];
        const char *value = sweep_text(s->values[i], text);
        if (given != NULL && s->count == 1)
            name->text = pool_format(s->memory, "%s=%s", name->text, value);
        else
            name->text = pool_format(s->memory, "%s %s=%s", name->text, s->lists[i]->key, value);
    }
    return name->text != NULL ? name : NULL;
}

static node *sweep_learner(const sweep *s) {
    node *learner = sweep_shell(s->memory, s->map);
    if (learner == NULL) return NULL;
    sweep_append(learner, sweep_name(s));
    int list = 0;
    for (const node *n = s->map->first; n != NULL; n = n->next) {
        bool swept = list < s->count && n == s->lists[list];
        if (strcmp(n->key, "name") == 0) continue;
        sweep_append(learner, swept ? sweep_value(s, n, s->values[list]) : sweep_copy(s->memory, n));
        list += swept;
    }
    return learner;
}

/* ----------------------------------------------------- all ------------------------------------------------------- */

/* Appends a learner, or all learners of a sweep. */
static void sweep_append_all(node *learners, const node *n, pool *memory, problems *found) {
    sweep s = {.memory = memory, .found = found, .map = n};
    sweep_find(&s);
    size_t room = learners->count < SWEEP_LEARNERS_MAX ? SWEEP_LEARNERS_MAX - learners->count : 0;
    size_t size = s.count > 0 ? sweep_size(&s, room) : 1;
    if (s.count > 0 && size > room) {
        problem_at(found, at_node(s.lists[0]), "these lists make too many learners; at most %d with all others",
                   SWEEP_LEARNERS_MAX);
        size = 1; /* the rest of the description is still checked */
    }
    for (size_t i = 0; i < size && !pool_failed(memory); i++, sweep_step(&s))
        sweep_append(learners, s.count > 0 ? sweep_learner(&s) : sweep_copy(memory, n));
}

static bool has_sweeps(const node *learners) {
    sweep s = {0};
    for (s.map = learners->first; s.map != NULL && s.count == 0; s.map = s.map->next) sweep_find(&s);
    return s.count > 0;
}

const node *sweep_expand(const node *root, pool *memory, problems *found) {
    const node *learners = node_find(root, "learners");
    if (learners == NULL || learners->type != NODE_LIST || !has_sweeps(learners)) return root;
    node *out = sweep_shell(memory, root);
    for (const node *n = out != NULL ? root->first : NULL; n != NULL; n = n->next) {
        node *copy = n == learners ? sweep_shell(memory, n) : sweep_copy(memory, n);
        if (copy == NULL) return NULL;
        for (const node *entry = n == learners ? n->first : NULL; entry != NULL; entry = entry->next)
            sweep_append_all(copy, entry, memory, found);
        sweep_append(out, copy);
    }
    return pool_failed(memory) ? NULL : out;
}
