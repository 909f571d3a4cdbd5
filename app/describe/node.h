/* SPDX-License-Identifier: MIT */
/*
 * A description as a tree of maps, lists and scalars, each with its position. The tree comes from a text (document.h)
 * or from objects of another language; the reader treats both alike.
 */
#ifndef POSSE_DESCRIBE_NODE_H
#define POSSE_DESCRIBE_NODE_H

#include "common/pool.h"

/* A position in a file: line and column count characters from 1. Line 0: no position. */
typedef struct spot {
    int line, column;
} spot;

typedef enum node_type {
    NODE_SCALAR,
    NODE_LIST,
    NODE_MAP,
    NODE_REFUSED /* it was in the description; its problem has been reported */
} node_type;

typedef struct node {
    node_type type;
    spot at;
    const char *text;                 /* of a scalar */
    bool plain;                       /* neither quoted nor a block: it may be a number */
    spot text_at;                     /* where the text begins if the file has it as it is, in one line; else line 0 */
    const char *key;                  /* of an entry of a map; NULL for an entry of a list */
    spot key_at;                      /* where the key is */
    const char *remark;               /* a comment to be written behind it, or NULL */
    const struct node *parent;        /* NULL: it is the root */
    struct node *first, *last, *next; /* entries of a list or map */
    size_t count;                     /* of entries */
    size_t index;                     /* its own place among the entries of its parent */
    size_t order;                     /* its place in the whole tree, in the order of the text */
} node;

/* The entry of a map by its key, or NULL. The map may be NULL, or no map. */
const node *node_find(const node *map, const char *key);

/* The same by the declared name of an option: prior.mean is `mean` inside `prior`, if it is no key by itself. */
const node *node_find_option(const node *map, const char *name);

/*
 * A part is a map with a kind, or the word of the kind alone. These return the node of its kind and of its name; if the
 * part is a word alone, that word is both. NULL: it has none.
 */
const node *node_kind(const node *part);
const node *node_name(const node *part);

/* The entry of a list by its place, or NULL. */
const node *node_entry(const node *list, size_t index);

/* The path of a node as one would write it, "learners[1].belief.sd"; "" for the root. NULL: no memory. */
const char *node_path(const node *n, pool *memory);

/* The path of the entry with this name below a node, whether or not it exists; the name may be NULL. */
const char *node_path_below(const node *n, const char *name, pool *memory);

/* What a node is, in words: `the word "ball"`, "a list". Written to text. */
const char *node_words(const node *n, char text[120]);

#endif
