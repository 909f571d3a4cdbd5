/* SPDX-License-Identifier: MIT */
#include "served/trail.h"

#include <stdio.h>

/* Returns the length, which may be beyond the text. */
static size_t trail_write(const trail *t, char text[TRAIL_TEXT]) {
    size_t length = t->outer != NULL ? trail_write(t->outer, text) : 0;
    if (length >= TRAIL_TEXT) return length;
    if (t->key == NULL) return length + (size_t)snprintf(text + length, TRAIL_TEXT - length, "[%zu]", t->index);
    return length +
           (size_t)snprintf(text + length, TRAIL_TEXT - length, "%s%.255s", t->outer != NULL ? "." : "", t->key);
}

const char *trail_text(const trail *t, char text[TRAIL_TEXT]) {
    text[0] = '\0';
    if (t != NULL) trail_write(t, text);
    return text;
}
