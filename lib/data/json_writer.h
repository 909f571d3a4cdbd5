/* SPDX-License-Identifier: MIT */
/*
 * Writes strict JSON, whatever bytes are in the texts. Commas are put where they belong. Numbers read back exactly;
 * values that JSON has no number for, such as infinity, become null.
 */
#ifndef POSSE_DATA_JSON_WRITER_H
#define POSSE_DATA_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    void (*put)(void *context, const char *bytes, size_t length); /* takes the text, piece by piece */
    void *context;
    bool comma; /* one is due before the next value */
} json_writer;

/* `bracket` is one of { [ and } ]. */
void json_writer_open(json_writer *w, char bracket);
void json_writer_close(json_writer *w, char bracket);
void json_writer_key(json_writer *w, const char *key);

/* Text of any bytes: bytes that are not UTF-8 become U+FFFD. NULL becomes null. */
void json_writer_text(json_writer *w, const char *text);
void json_writer_whole(json_writer *w, int64_t number);
void json_writer_number(json_writer *w, double number);
void json_writer_flag(json_writer *w, bool flag);
void json_writer_null(json_writer *w);

#endif
