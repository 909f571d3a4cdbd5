/*
 * A YAML 1.2 document as a tree with positions. Strict: what could be read in two ways, or could explode, is refused
 * (duplicate keys, anchors and aliases, merge keys, tags, keys that are not text, a second document).
 */
#ifndef POSSE_READ_DOCUMENT_H
#define POSSE_READ_DOCUMENT_H

#include "experiment/read/problems.h"

#define DOCUMENT_BYTES_MAX (16u << 20)
#define DOCUMENT_DEPTH_MAX 32
#define DOCUMENT_KEYS_MAX 256 /* of one map: duplicates are looked for by comparing all */

typedef enum node_type {
    NODE_SCALAR,
    NODE_LIST,
    NODE_MAP,
    NODE_REFUSED /* it was there, and its problem is known */
} node_type;

typedef struct node {
    node_type type;
    spot at;
    const char *text; /* of a scalar */
    bool plain;       /* not quoted, not a block: may be a number */
    spot text_at;     /* where the text begins if it is in the file as it is, in one line; else line 0 */
    const char *key;  /* of an entry of a map */
    spot key_at;
    struct node *first, *next; /* entries of a list or map */
    size_t count;
} node;

/* Reads a document. NULL: there is nothing to go on with. A tree may come with problems all the same. */
node *document_read(const char *text, size_t length, pool *memory, problems *found);

/* The entry of a map by its key, or NULL. */
const node *node_find(const node *map, const char *key);

/* What a node is, in words: `the word "ball"`, "a list". Written to text. */
const char *node_words(const node *n, char text[120]);

#endif
