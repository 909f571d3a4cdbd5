/* SPDX-License-Identifier: MIT */
/*
 * JSON (data/json_writer.h) and other text in memory that grows.
 */
#ifndef SERVE_JSON_OUT_H
#define SERVE_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_out {
    char *text; /* to be freed; not ended by a zero */
    size_t length, room;
    bool comma;  /* one is due before the next value */
    bool failed; /* there was no memory, and `text` is incomplete */
} json_out;

/* `bracket` is one of { [ and } ]. */
void json_open(json_out *out, char bracket);
void json_close(json_out *out, char bracket);
void json_key(json_out *out, const char *key);

/* Text of any bytes: bytes that are not UTF-8 become U+FFFD. NULL becomes null. */
void json_put_text(json_out *out, const char *text);
void json_put_whole(json_out *out, int64_t number);
void json_put_number(json_out *out, double number);
void json_put_flag(json_out *out, bool flag);
void json_put_null(json_out *out);

/* A key with its value. */
void json_text_at(json_out *out, const char *key, const char *text);
void json_whole_at(json_out *out, const char *key, int64_t number);
void json_number_at(json_out *out, const char *key, double number);
void json_flag_at(json_out *out, const char *key, bool flag);

/* Bytes as they are. */
void json_put_copy(json_out *out, const char *text, size_t length);

/* Text as it is, for other formats. printf-like. */
__attribute__((format(printf, 2, 3))) void json_print(json_out *out, const char *format, ...);

#endif
