/* SPDX-License-Identifier: MIT */
#include "describe/node.h"

#include <stdio.h>
#include <string.h>

#include "describe/scalar.h"

const node *node_find(const node *map, const char *key) {
    if (map == NULL || map->type != NODE_MAP) return NULL;
    for (const node *n = map->first; n != NULL; n = n->next)
        if (strcmp(n->key, key) == 0) return n;
    return NULL;
}

/* The entry of a map whose key is the first `length` bytes of a name, or NULL. */
static const node *find_prefix(const node *map, const char *name, size_t length) {
    if (map == NULL || map->type != NODE_MAP) return NULL;
    for (const node *n = map->first; n != NULL; n = n->next)
        if (strlen(n->key) == length && strncmp(n->key, name, length) == 0) return n;
    return NULL;
}

const node *node_find_option(const node *map, const char *name) {
    const node *n = node_find(map, name);
    if (n != NULL) return n;
    while (map != NULL && *name != '\0') {
        size_t length = strcspn(name, ".");
        map = find_prefix(map, name, length);
        name += length + (name[length] == '.');
    }
    return map;
}

const node *node_kind(const node *part) {
    return part != NULL && part->type == NODE_SCALAR ? part : node_find(part, "kind");
}

const node *node_name(const node *part) {
    return part != NULL && part->type == NODE_SCALAR ? part : node_find(part, "name");
}

const node *node_entry(const node *list, size_t index) {
    if (list == NULL || list->type != NODE_LIST) return NULL;
    const node *n = list->first;
    while (n != NULL && index-- > 0) n = n->next;
    return n;
}

/* ---------------------------------------------------- paths ------------------------------------------------------ */

/* An empty key is shown as "", so that it can be seen in a path. */
static const char *node_shown(const char *key) {
    return *key != '\0' ? key : "\"\"";
}

const char *node_path(const node *n, pool *memory) {
    if (n == NULL || n->parent == NULL) return "";
    const char *outer = node_path(n->parent, memory);
    if (outer == NULL) return NULL;
    if (n->key == NULL) return pool_format(memory, "%s[%zu]", outer, n->index);
    return pool_format(memory, "%s%s%s", outer, *outer != '\0' ? "." : "", node_shown(n->key));
}

const char *node_path_below(const node *n, const char *name, pool *memory) {
    const char *outer = node_path(n, memory);
    if (outer == NULL || name == NULL) return outer;
    return pool_format(memory, "%s%s%s", outer, *outer != '\0' ? "." : "", name);
}

/* ---------------------------------------------------- words ------------------------------------------------------ */

static const char *scalar_format(const node *n) {
    if (!n->plain) return "the quoted text \"%.80s\"";
    switch (plain_class_of(n->text)) {
    case PLAIN_FLAG:
        return "%.80s";
    case PLAIN_NUMBER:
        return "the number %.80s";
    default:
        return "the word \"%.80s\"";
    }
}

const char *node_words(const node *n, char text[120]) {
    switch (n->type) {
    case NODE_LIST:
        return "a list";
    case NODE_MAP:
        return "a map";
    case NODE_REFUSED:
        return "something refused";
    case NODE_SCALAR:
        break;
    }
    if (n->plain && plain_class_of(n->text) == PLAIN_NOTHING) return "nothing";
    snprintf(text, 120, scalar_format(n), n->text);
    return text;
}
