/* SPDX-License-Identifier: MIT */
/*
 * A part as JSON, in the form in which files and requests describe it.
 */
#ifndef POSSE_DESCRIBE_PART_JSON_H
#define POSSE_DESCRIBE_PART_JSON_H

#include <jansson.h>

#include "posse_kinds.h"

typedef struct part_surroundings {
    size_t width;     /* of the rows of tables, a number for each arm or coordinate */
    const char *path; /* of the file that paths in the part are relative to, or "" */
} part_surroundings;

/* NULL: no memory. */
json_t *part_json(posse_family family, const posse_part *part, const part_surroundings *in);

#endif
