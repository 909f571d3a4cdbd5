/* SPDX-License-Identifier: MIT */
/*
 * A place in the body of a request. Its path, "context.points[3][5]", is written only if something is wrong there: to
 * write it for each number would take longer than to read the numbers.
 */
#ifndef SERVED_TRAIL_H
#define SERVED_TRAIL_H

#include <stddef.h>

typedef struct trail {
    const struct trail *outer; /* NULL: it is in the body itself */
    const char *key;           /* NULL: it is an entry of a list */
    size_t index;              /* of that entry */
} trail;

#define TRAIL_TEXT 400 /* a longer path is cut, and so is a key of more than 255 bytes */

/* Writes the path, "" for NULL, and returns the text. */
const char *trail_text(const trail *t, char text[TRAIL_TEXT]);

#endif
