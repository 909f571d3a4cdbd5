/* SPDX-License-Identifier: MIT */
/*
 * JSON as text, with numbers as decimal_write writes them. jansson would write 0.1 as 0.10000000000000001.
 *
 * jansson turns numbers into the form of the locale and back. It ends the process if the decimal mark has several
 * bytes, or if another thread chooses another locale meanwhile. Here it reads and writes in the locale "C".
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

/* json_loadb, json_load_file and json_dumps of jansson. */
json_t *json_text_read(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *json_text_read_file(const char *path, size_t flags, json_error_t *error);
char *json_text_dump(const json_t *value, size_t flags);

#endif
