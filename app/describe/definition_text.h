/* SPDX-License-Identifier: MIT */
/*
 * The definition of a posse as JSON, with every default filled in: what a request has to contain to create it again.
 */
#ifndef POSSE_DESCRIBE_DEFINITION_TEXT_H
#define POSSE_DESCRIBE_DEFINITION_TEXT_H

#include <stdbool.h>

#include "posse.h"

/* Keys that only a server has. */
typedef struct definition_served {
    const char *name;
    uint64_t expire_seconds;
    bool records;
} definition_served;

/* To be freed. also: may be NULL. NULL: no memory. */
char *definition_text(const posse *p, const definition_served *also);

#endif
