/* SPDX-License-Identifier: MIT */
/*
 * Contexts and points as clients send them: {"shared": [..], "arms": [..], "points": [[..], ..]}. Features may also be
 * pairs: {"17": 1, "230": 0.5} in place of a list. Those that are not named are 0. In a posse whose features have names
 * (posse_features.h), a round is {"context": {"age": 33, "user": {"country": "de"}}, "arms": {"red": {"price": 3}}}.
 */
#ifndef SERVED_CONTEXT_H
#define SERVED_CONTEXT_H

#include <jansson.h>

#include "describe/problems.h"
#include "served/trail.h"

/* Finds the number of an arm by its name. False: there is a problem, which was added. */
typedef struct arm_finder {
    bool (*find)(struct arm_finder *finder, const char *name, const trail *where, int *arm);
    bool joins; /* an arm that was found joins with this request, once the rest of it is right */
} arm_finder;

/*
 * Reads a context into memory of the pool. It checks the shape; the library checks the values, and so does this
 * function if an arm joins. Arms that are given by name may come in any order. False: there are problems.
 */
bool context_read(const json_t *source, const posse *p, arm_finder *finder, pool *memory, problems *found,
                  posse_context *out);

/* A list of `count` numbers, in memory of the pool; NULL: there are problems. */
double *numbers_read(const json_t *list, size_t count, const char *path, pool *memory, problems *found);

/* Whether two points are equal. A client that repeats what was played sends the same numbers. */
bool points_are_same(const double *a, const double *b, size_t dim);

/* A whole number from low to high, also one that is written 1.0. */
bool whole_read(const json_t *value, int64_t low, int64_t high, int64_t *out);

#endif
