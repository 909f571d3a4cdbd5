/* SPDX-License-Identifier: MIT */
/*
 * Features by name from a dict whose values are Python's own: numbers, truth values, words, lists of words, None, and a
 * dict of these for each namespace. This is what nearly all callers give, and it is read without calls of Python.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "common/pool.h"
#include "posse_features.h"
#include "python/src/module_state.h"

/* A dict that is not plain is left to posse.contexts, which converts it or refuses it. */
typedef enum plain_outcome { PLAIN_TAKEN, PLAIN_ODD, PLAIN_FAILED } plain_outcome;

/*
 * Reads a dict. The list is in memory of the pool. Its texts are those of the dict, which other code may change
 * meanwhile, so they are appended to `keeper`, a list. PLAIN_FAILED: an exception is set.
 */
plain_outcome plain_read(pool *memory, PyObject *keeper, PyObject *map, posse_feature_list *out);

#endif
