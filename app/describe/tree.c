/* SPDX-License-Identifier: MIT */
#include "describe/tree.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"
#include "describe/scalar.h"

void tree_stop(tree *t, location where, const char *message) {
    problem_at(t->found, where, "%s", message);
    t->over = true;
}

bool tree_wants_key(const tree *t) {
    return t->depth > 0 && t->open[t->depth - 1]->type == NODE_MAP && t->key[t->depth - 1] == NULL;
}

static void tree_append(node *parent, node *entry) {
    if (parent->last == NULL)
        parent->first = entry;
    else
        parent->last->next = entry;
    parent->last = entry;
    parent->count++;
}

static void append_keyed(tree *t, node *map, const node *key, node *entry) {
    const node *earlier = node_find(map, key->text);
    entry->key = key->text;
    entry->key_at = key->at;
    if (strcmp(key->text, "<<") == 0 && key->plain)
        problem_at(t->found, at_key(entry), "merge keys are not supported; write the keys themselves");
    else if (earlier != NULL)
        problem_beside(t->found, at_key(entry), at_key(earlier), "", "the key \"%s\" is given twice; the first is",
                       key->text);
    else if (map->count >= TREE_KEYS_MAX)
        tree_stop(t, at_key(entry), "too many keys in one map");
    else
        tree_append(map, entry);
}

/* A key that is a list or a map is a problem of the map around it. */
static void tree_take_key(tree *t, node *n) {
    int top = t->depth - 1;
    if (n->type == NODE_SCALAR)
        t->key[top] = n;
    else
        tree_stop(t, (location){.node = t->open[top], .at = n->at}, "a key must be a word");
}

/* The bound of an entry of the outermost map. */
static const tree_bound *tree_find_bound(const tree *t, const node *entry) {
    const tree_bound *b = entry->type == NODE_LIST && entry->key != NULL ? t->bounds : NULL;
    while (b != NULL && b->key != NULL && strcmp(b->key, entry->key) != 0) b++;
    return b != NULL && b->key != NULL ? b : NULL;
}

/* Checks an entry of a bounded list, or of a list in it. */
static void tree_check_entry(tree *t, const node *n) {
    int level = t->depth - 2;
    const tree_bound *b = t->bound;
    if (b == NULL || level < 0 || level > 1 || b->most[level] == 0) return;
    bool last = level == 1 || b->most[1] == 0;
    const node *list = t->open[t->depth - 1];
    if (list->count > b->most[level])
        problem_at(t->found, at_node(list), "too many entries; at most %zu", b->most[level]);
    else if (b->needed[level] != NULL && n->type != NODE_REFUSED && n->type != (last ? NODE_SCALAR : NODE_LIST))
        refuse_node(t->found, n, b->needed[level]);
    else
        return;
    t->over = true;
}

static void tree_take_value(tree *t, node *n) {
    int top = t->depth - 1;
    n->order = t->count++;
    n->parent = top >= 0 ? t->open[top] : NULL;
    if (top < 0) {
        t->root = n;
        return;
    }
    n->index = t->open[top]->count;
    const node *key = t->key[top];
    t->key[top] = NULL;
    if (key != NULL)
        append_keyed(t, t->open[top], key, n);
    else
        tree_append(t->open[top], n);
    if (top == 0) t->bound = tree_find_bound(t, n);
    tree_check_entry(t, n);
}

static void tree_place(tree *t, node *n) {
    if (tree_wants_key(t))
        tree_take_key(t, n);
    else
        tree_take_value(t, n);
}

static node *tree_make(tree *t, node_type type, spot at) {
    node *n = pool_allocate(t->memory, sizeof *n);
    t->over = t->over || n == NULL;
    if (t->over) return NULL;
    n->type = type;
    n->at = at;
    return n;
}

node *tree_open(tree *t, node_type type, spot at) {
    node *n = tree_make(t, type, at);
    if (n == NULL) return NULL;
    tree_place(t, n);
    if (!t->over && t->depth == TREE_DEPTH_MAX) tree_stop(t, at_node(n), "lists and maps are nested too deeply");
    if (t->over) return NULL;
    t->open[t->depth] = n;
    t->key[t->depth] = NULL;
    t->depth++;
    return n;
}

void tree_close(tree *t) {
    if (t->depth == 0) return;
    t->depth--;
    /*
     * For the parser, a map without braces inside a list, [a: 1], begins at its colon. Here it begins at its first key.
     */
    node *n = t->open[t->depth];
    if (n->type == NODE_MAP && n->first != NULL && n->first->key_at.line == n->at.line &&
        n->first->key_at.column < n->at.column)
        n->at = n->first->key_at;
}

void tree_refuse(tree *t, spot at, const char *format, ...) {
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    format_text_list(message, sizeof message, format, arguments);
    va_end(arguments);
    node *n = tree_make(t, NODE_REFUSED, at);
    if (n == NULL) return;
    if (tree_wants_key(t)) { /* the entry would have no name */
        tree_stop(t, (location){.node = t->open[t->depth - 1], .at = at}, message);
        return;
    }
    tree_place(t, n);
    problem_at(t->found, at_node(n), "%s", message);
}

node *tree_add_scalar(tree *t, const char *text, size_t length, bool plain, spot at) {
    t->over = t->over || text == NULL;
    if (t->over) return NULL;
    if (memchr(text, '\0', length) != NULL) {
        tree_refuse(t, at, "a text cannot hold the character \\0");
        return NULL;
    }
    node *n = tree_make(t, NODE_SCALAR, at);
    if (n == NULL) return NULL;
    n->text = text;
    n->plain = plain;
    tree_place(t, n);
    return n;
}
