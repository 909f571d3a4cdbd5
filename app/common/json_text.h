/* SPDX-License-Identifier: MIT */
/*
 * JSON between its text and jansson's tree. Numbers are written as decimal_write writes them, because jansson would
 * write 0.1 as 0.10000000000000001.
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

/* How deep lists and maps may be nested. A feature has 128 levels at most, since its names have 255 bytes in all. */
#define JSON_NESTING_MAX 256

typedef enum json_fault_kind {
    JSON_FAULT_TEXT,   /* this is not JSON */
    JSON_FAULT_NUMBER, /* a whole number of more than 64 bits, or another one beyond a double */
    JSON_FAULT_VALUES, /* it has more values than it may have */
    JSON_FAULT_DEPTH,  /* it is nested too deeply */
    JSON_FAULT_MEMORY
} json_fault_kind;

/* Why a text is not read, and where. */
typedef struct json_fault {
    json_fault_kind kind;
    json_error_t at;
    char key[40]; /* of too many values: the key of the outermost object they are in, a plain word; or "" */
} json_fault;

/*
 * Reads an object or a list, to be released by json_decref. Duplicate keys are refused. A tree takes up to 80 bytes for
 * each byte of its text, so the values are counted before there is memory for any: numbers, texts, true, false, null,
 * lists and objects, but not keys. NULL: the fault has the reason; it may be NULL.
 */
json_t *json_read(const char *text, size_t length, size_t values_max, json_fault *fault);

/* Reads a text that posse has written itself. NULL: it is damaged, or there is no memory. */
json_t *json_read_own(const char *text);

/* json_load_file and json_dumps of jansson. */
json_t *json_text_read_file(const char *path, size_t flags, json_error_t *error);
char *json_text_dump(const json_t *value, size_t flags);

#endif
