/* SPDX-License-Identifier: MIT */
/*
 * The modes of a posse as JSON: {"control": "old", "holdback": 0.05, "paused": false, ..}.
 */
#ifndef DESCRIBE_MODES_TEXT_H
#define DESCRIBE_MODES_TEXT_H

#include <jansson.h>

#include "posse_modes.h"

/* All modes. To be released by json_decref; NULL: no memory. */
json_t *modes_json(const posse *p);

/* Where a description of modes is wrong, and what would be right. */
typedef struct modes_problem {
    char path[80], text[160];
} modes_problem;

/* Changes the modes that an object names, and leaves the others as they are. False: *why says what is wrong. */
bool modes_text_read(const json_t *said, const posse *p, posse_modes *out, modes_problem *why);

#endif
