/* SPDX-License-Identifier: MIT */
#include "serve/json_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "data/json_writer.h"

static void json_out_put(json_out *out, const char *text, size_t length) {
    if (out->failed) return;
    if (out->length + length > out->room) {
        size_t room = 2 * out->room + length + 256;
        char *larger = realloc(out->text, room);
        if (larger == NULL) {
            out->failed = true;
            return;
        }
        out->text = larger;
        out->room = room;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void json_out_take(void *out, const char *bytes, size_t length) {
    json_out_put(out, bytes, length);
}

/* Calls a function of the writer, which puts the text here. */
#define WRITE(out, function, ...)                                                                                      \
    do {                                                                                                               \
        json_writer w = {.put = json_out_take, .context = (out), .comma = (out)->comma};                               \
        json_writer_##function(&w, ##__VA_ARGS__);                                                                     \
        (out)->comma = w.comma;                                                                                        \
    } while (0)

void json_open(json_out *out, char bracket) {
    WRITE(out, open, bracket);
}

void json_close(json_out *out, char bracket) {
    WRITE(out, close, bracket);
}

void json_key(json_out *out, const char *key) {
    WRITE(out, key, key);
}

void json_put_text(json_out *out, const char *text) {
    WRITE(out, text, text);
}

void json_put_whole(json_out *out, int64_t number) {
    WRITE(out, whole, number);
}

/* -0 becomes 0. */
void json_put_number(json_out *out, double number) {
    WRITE(out, number, number + 0.0);
}

void json_put_flag(json_out *out, bool flag) {
    WRITE(out, flag, flag);
}

void json_put_null(json_out *out) {
    WRITE(out, null);
}

void json_text_at(json_out *out, const char *key, const char *text) {
    json_key(out, key);
    json_put_text(out, text);
}

void json_whole_at(json_out *out, const char *key, int64_t number) {
    json_key(out, key);
    json_put_whole(out, number);
}

void json_number_at(json_out *out, const char *key, double number) {
    json_key(out, key);
    json_put_number(out, number);
}

void json_flag_at(json_out *out, const char *key, bool flag) {
    json_key(out, key);
    json_put_flag(out, flag);
}

void json_put_copy(json_out *out, const char *text, size_t length) {
    json_out_put(out, text, length);
}

void json_print(json_out *out, const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    int length = format_text_list(text, sizeof text, format, arguments);
    va_end(arguments);
    json_out_put(out, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}
