/* SPDX-License-Identifier: MIT */
/*
 * Features by name, converted from Python to the posse_named that the library reads. Plain dicts are read here
 * (plain.h). posse.contexts.by_name reads the others, and checks that they have numbers, truth values and words.
 */
#ifndef NAMED_H
#define NAMED_H

#include "common/pool.h"
#include "posse_features.h"
#include "python/src/application.h"

typedef struct given_names {
    posse_named named;
    PyObject *rows; /* owns the texts; NULL: features were not given by name */
    pool *memory;   /* of plain features; NULL: they are not plain */
    posse_feature *features;
    posse_feature_list *lists; /* those of the arms, as they were given */
    posse_feature_list *sorted;
    int count; /* of the lists */
} given_names;

/*
 * Takes the shared features, and the arms with or without features, each of which may be NULL. To be closed in any
 * case. *arms: the arms alone, a new reference; NULL: there are none. False with an exception set.
 */
bool named_open(given_names *x, PyObject *shared, PyObject *given, PyObject **arms);
void named_close(given_names *x);

/* Puts the features of the arms into another order: place k gets those of the arm at order[k]. False: no memory. */
bool named_sort(given_names *x, const int *order);

#endif
