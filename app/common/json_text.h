/* SPDX-License-Identifier: MIT */
/*
 * JSON as text, with numbers as decimal_write writes them. jansson would write 0.1 as 0.10000000000000001.
 */
#ifndef POSSE_COMMON_JSON_TEXT_H
#define POSSE_COMMON_JSON_TEXT_H

#include <jansson.h>
#include <stdio.h>

typedef enum json_layout {
    JSON_TEXT_COMPACT, /* one line without spaces */
    JSON_TEXT_LINES    /* a line for each member of an object and each entry of a list of objects or lists */
} json_layout;

/* Writes a value. Errors are those of the stream. */
void json_text_write(FILE *out, const json_t *value, json_layout layout);

/* The text of a value, to be freed. NULL: no memory. */
char *json_text(const json_t *value, json_layout layout);

#endif
