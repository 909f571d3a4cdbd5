/* SPDX-License-Identifier: MIT */
/*
 * Features by name from a dict whose values are Python's own: numbers, truth values, words, lists of words, None, and a
 * dict of these for each namespace. This is what nearly all callers give, and it is read without calls of Python.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "python/src/vocabulary.h"

/* A dict that is not plain is left to posse.contexts, which converts it or refuses it. */
typedef enum plain_outcome { PLAIN_TAKEN, PLAIN_ODD, PLAIN_FAILED } plain_outcome;

#define PLAIN_WANTED "features are numbers, words, True, False, or lists of words"

/*
 * Where lists are read to, one after the other. Their texts are those of Python, which other code may free meanwhile,
 * so they are kept.
 */
typedef struct plain_list {
    pool *memory;
    PyObject *keeper;        /* a list, to which texts are appended; NULL: the vocabulary has them */
    vocabulary *words;       /* of a batch, or NULL */
    posse_feature *features; /* of the list that is being read */
    size_t count, room;
} plain_list;

/* Reads a dict as a list. PLAIN_FAILED: an exception is set, here and below. */
plain_outcome plain_read(plain_list *to, PyObject *map, posse_feature_list *out);

/* The name of a feature. */
plain_outcome plain_text(plain_list *to, PyObject *text, const char **out);

/* Adds a feature to the list, or all of a dict. */
plain_outcome plain_put(plain_list *to, posse_feature feature);
plain_outcome plain_add(plain_list *to, const char *name, PyObject *value);
plain_outcome plain_add_all(plain_list *to, PyObject *map);

/* Ends a list, and begins the next one. */
posse_feature_list plain_end(plain_list *to);

/*
 * Features that are not plain, as a dict that is: those of a round in a batch, or of an arm in it (or NULL). NULL with
 * an exception set: one of them is no feature.
 */
PyObject *plain_unbox(PyObject *features, size_t round, PyObject *arm);

#endif
