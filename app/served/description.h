/* SPDX-License-Identifier: MIT */
/*
 * The description of a posse or of a learner, in JSON, as a request contains it. The converter of experiment files
 * makes its parts, so keys, checks and messages are the same.
 */
#ifndef SERVED_DESCRIPTION_H
#define SERVED_DESCRIPTION_H

#include "describe/definition.h"

#define POSSE_NAME_MAX 100

/* A posse as its description has it. Everything lives in the pool. */
typedef struct description {
    const node *root; /* places that the library names are looked up from here */
    const char *name;
    posse_def def;
    const int *retired; /* arms that are retired from the beginning */
    size_t retired_count;
    bool records;
    uint64_t expire_seconds;
} description;

/* Each returns false if there are problems, or not enough memory. */
bool description_read(const char *text, size_t length, pool *memory, problems *found, description *out);
/*
 * For posses whose names are elsewhere, such as the key in Redis. If the description has a name all the same, it is
 * checked.
 */
bool description_read_nameless(const char *text, size_t length, pool *memory, problems *found, description *out);
bool description_read_learner(const char *text, size_t length, const posse *p, pool *memory, problems *found,
                              const node **root, posse_part *out);

/*
 * Whether a text can be the name of a posse. Names are used in paths of URLs and in files of tokens, so only some
 * characters are allowed.
 */
bool description_is_name(const char *text);

#endif
