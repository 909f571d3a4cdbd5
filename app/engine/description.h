/* SPDX-License-Identifier: MIT */
/*
 * The description of a posse or of a learner, in JSON or YAML, as a request brings it. It is read by the reader of
 * experiment files: the same keys, checks and messages.
 */
#ifndef ENGINE_DESCRIPTION_H
#define ENGINE_DESCRIPTION_H

#include "describe/definition.h"

#define POSSE_NAME_MAX 100

/* A posse as it is described. Everything lives in the pool. */
typedef struct description {
    const node *root; /* what the library says at its places is found from here */
    const char *name;
    posse_def def;
    bool records;
    uint64_t expire_seconds;
} description;

/* Each is false where there are problems, or no memory. */
bool description_read(const char *text, size_t length, pool *memory, problems *found, description *out);
/* For those that have their names elsewhere, as the key in Redis is; where there is one all the same, it is checked. */
bool description_read_nameless(const char *text, size_t length, pool *memory, problems *found, description *out);
bool description_read_learner(const char *text, size_t length, const posse *p, pool *memory, problems *found,
                              const node **root, posse_part *out);

/* Whether a text can be the name of a posse: it stands in paths and in files of tokens. */
bool description_is_name(const char *text);

#endif
