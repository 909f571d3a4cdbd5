/* SPDX-License-Identifier: MIT */
/*
 * A tree in the making. Whoever reads a description, from a text or from objects, tells the tree what it meets, in
 * order: what a list or map begins and ends with, and scalars. In a map keys and values take turns. What no description
 * may have is refused here, whatever it comes from: keys given twice, keys that are no words, nesting without end.
 */
#ifndef POSSE_DESCRIBE_TREE_H
#define POSSE_DESCRIBE_TREE_H

#include "describe/problems.h"

#define TREE_DEPTH_MAX 32
#define TREE_KEYS_MAX 256 /* of one map: duplicates are looked for by comparing all */

typedef struct tree {
    pool *memory;
    problems *found;
    node *root;
    node *open[TREE_DEPTH_MAX]; /* lists and maps that are being read, outermost first */
    node *key[TREE_DEPTH_MAX];  /* of each map: the key that waits for its value */
    int depth;
    size_t count; /* of nodes */
    bool over;    /* nothing more is to be read: what is there is not the whole */
} tree;

/*
 * Each adds what is next and returns it; NULL: no memory, or it was refused. `at` is where it stands, {0, 0} without a
 * file. The text must live as long as the tree, and have a zero behind it; it may be NULL for want of memory.
 */
node *tree_open(tree *t, node_type type, spot at);
node *tree_add_scalar(tree *t, const char *text, size_t length, bool plain, spot at);

/* Adds what cannot be taken, and the problem with it. */
__attribute__((format(printf, 3, 4))) void tree_refuse(tree *t, spot at, const char *format, ...);

/* Ends the list or map that was opened last. */
void tree_close(tree *t);

/* Whether the next thing is a key. */
bool tree_wants_key(const tree *t);

/* Adds a problem that nothing can be read after. */
void tree_stop(tree *t, location where, const char *message);

#endif
