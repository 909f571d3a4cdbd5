/* SPDX-License-Identifier: MIT */
#include "serve/json_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "common/text.h"

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

/* Before every value. */
static void json_out_separate(json_out *out) {
    if (out->comma) json_out_put(out, ",", 1);
    out->comma = true;
}

void json_open(json_out *out, char bracket) {
    json_out_separate(out);
    json_out_put(out, &bracket, 1);
    out->comma = false;
}

void json_close(json_out *out, char bracket) {
    json_out_put(out, &bracket, 1);
    out->comma = true;
}

static void put_escaped(json_out *out, unsigned char c) {
    char text[8];
    if (c == '"' || c == '\\')
        snprintf(text, sizeof text, "\\%c", c);
    else
        snprintf(text, sizeof text, "\\u%04x", c);
    json_out_put(out, text, strlen(text));
}

/*
 * Runs of characters that need no escape are copied at once. `<` is escaped, so that no page takes it for its own
 * markup.
 */
static void put_string(json_out *out, const char *text) {
    size_t length = strlen(text), from = 0, at = 0;
    json_out_put(out, "\"", 1);
    while (at < length) {
        unsigned char c = (unsigned char)text[at];
        size_t step = utf8_length((const unsigned char *)text + at, length - at);
        if (step > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && c != '<') {
            at += step;
            continue;
        }
        json_out_put(out, text + from, at - from);
        if (step == 0)
            json_out_put(out, "\\ufffd", 6);
        else
            put_escaped(out, c);
        from = ++at;
    }
    json_out_put(out, text + from, at - from);
    json_out_put(out, "\"", 1);
}

void json_key(json_out *out, const char *key) {
    json_out_separate(out);
    put_string(out, key);
    json_out_put(out, ":", 1);
    out->comma = false;
}

void json_put_text(json_out *out, const char *text) {
    if (text == NULL) {
        json_put_null(out);
        return;
    }
    json_out_separate(out);
    put_string(out, text);
}

void json_put_whole(json_out *out, int64_t number) {
    char text[24], *at = text + sizeof text;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0) *--at = '-';
    json_out_separate(out);
    json_out_put(out, at, (size_t)(text + sizeof text - at));
}

void json_put_number(json_out *out, double number) {
    char text[NUMBER_TEXT];
    if (!isfinite(number)) {
        json_put_null(out);
        return;
    }
    number_text(number, text);
    json_out_separate(out);
    json_out_put(out, text, strlen(text));
}

void json_put_flag(json_out *out, bool flag) {
    json_out_separate(out);
    json_out_put(out, flag ? "true" : "false", flag ? 4 : 5);
}

void json_put_null(json_out *out) {
    json_out_separate(out);
    json_out_put(out, "null", 4);
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
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_out_put(out, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}
