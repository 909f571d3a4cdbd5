/* SPDX-License-Identifier: MIT */
/*
 * A tree in the making. A reader of a description, from a text or from objects, adds what it meets in order: the
 * beginning and the end of lists and maps, and scalars. In a map, keys and values alternate. What no description may
 * have is refused here, whatever the source: duplicate keys, keys that are no words, nesting that is too deep.
 */
#ifndef POSSE_DESCRIBE_TREE_H
#define POSSE_DESCRIBE_TREE_H

#include "describe/problems.h"

#define TREE_DEPTH_MAX 32
#define TREE_KEYS_MAX 256 /* of one map, because the search for duplicates compares all keys */

/*
 * A bound on a list of the outermost map. A list that is too long, or an entry that is wrong, ends the reading at once:
 * nodes are much larger than the text of small entries.
 */
typedef struct tree_bound {
    const char *key;       /* NULL ends a table of bounds */
    size_t most[2];        /* entries of the list, and of each list in it; 0: its entries are not bounded */
    const char *needed[2]; /* what these entries are, for a message: lists, and scalars at last; NULL: anything */
} tree_bound;

typedef struct tree {
    pool *memory;
    problems *found;
    node *root;
    node *open[TREE_DEPTH_MAX]; /* lists and maps that are being read, outermost first */
    node *key[TREE_DEPTH_MAX];  /* of each map: the key that waits for its value */
    int depth;
    size_t count;             /* of nodes */
    bool over;                /* reading has ended early, and the tree is incomplete */
    const tree_bound *bounds; /* or NULL */
    const tree_bound *bound;  /* of the list of the outermost map that was begun last, or NULL */
} tree;

/*
 * Each adds the next node and returns it; NULL: no memory, or it was refused. `at` is its position, {0, 0} without a
 * file. The text must be zero-terminated and live as long as the tree; NULL means that there was no memory for it.
 */
node *tree_open(tree *t, node_type type, spot at);
node *tree_add_scalar(tree *t, const char *text, size_t length, bool plain, spot at);

/* Adds a refused node, and the problem with it. */
__attribute__((format(printf, 3, 4))) void tree_refuse(tree *t, spot at, const char *format, ...);

/* Ends the list or map that was opened last. */
void tree_close(tree *t);

/* Whether the next node must be a key. */
bool tree_wants_key(const tree *t);

/* Adds a problem after which nothing more can be read. */
void tree_stop(tree *t, location where, const char *message);

#endif
