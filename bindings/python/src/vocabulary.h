/* SPDX-License-Identifier: MIT */
/*
 * The names and words of a batch, each of them once. So the library reads each feature once for all rounds
 * (posse_read_ahead), and equal texts of Python have one pointer.
 */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "common/pool.h"
#include "posse_features.h"
#include "python/src/module_state.h"

/* What belongs to two pointers. */
typedef struct vocabulary_entry {
    const char *left, *right;
    uintptr_t value;
} vocabulary_entry;

/* A hash table with open addressing, at most half full. */
typedef struct vocabulary_table {
    vocabulary_entry *entries;
    size_t size, count;
} vocabulary_table;

#define VOCABULARY_RECENT 1024 /* texts that are found by their object alone, a power of two */

typedef struct vocabulary {
    pool *memory;
    PyObject *texts; /* a dict from each text to itself */
    struct {
        PyObject *object;
        const char *text;
    } recent[VOCABULARY_RECENT];
    vocabulary_table places, joined; /* of features, and the names in namespaces */
    posse_feature *features;
    size_t room;
} vocabulary;

/* The memory is that of the caller. To be closed in any case. False with an exception set. */
bool vocabulary_open(vocabulary *v, pool *memory);
void vocabulary_close(vocabulary *v);

/* The UTF-8 of a text, one pointer for all equal ones. NULL: it has none, or a zero in it; or an exception is set. */
const char *vocabulary_text(vocabulary *v, PyObject *text);

/* The name "space.name", one pointer for each. NULL with an exception set. */
const char *vocabulary_join(vocabulary *v, const char *space, const char *name);

/* posse_feature.ahead of a feature. 0: there are too many, so it is read in its rounds. -1 with an exception set. */
int vocabulary_place(vocabulary *v, const char *name, const char *word);

/* How many features there are, for posse_read_ahead. */
static inline int vocabulary_count(const vocabulary *v) {
    return (int)v->places.count;
}

#endif
