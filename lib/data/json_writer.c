/* SPDX-License-Identifier: MIT */
#include "data/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "data/decimal.h"

static void json_writer_put(json_writer *w, const char *text) {
    w->put(w->context, text, strlen(text));
}

/* Before every value. */
static void json_writer_separate(json_writer *w) {
    if (w->comma) json_writer_put(w, ",");
    w->comma = true;
}

void json_writer_open(json_writer *w, char bracket) {
    const char text[] = {',', bracket};
    size_t comma = w->comma;
    w->put(w->context, text + 1 - comma, 1 + comma);
    w->comma = false;
}

void json_writer_close(json_writer *w, char bracket) {
    w->put(w->context, &bracket, 1);
    w->comma = true;
}

static void json_writer_escape(json_writer *w, unsigned char c) {
    char text[8];
    if (c == '"' || c == '\\')
        snprintf(text, sizeof text, "\\%c", c);
    else
        snprintf(text, sizeof text, "\\u%04x", c);
    json_writer_put(w, text);
}

/* How many bytes at the beginning of a text are themselves in JSON: ASCII that needs no escape. */
static size_t json_writer_plain(const char *text) {
    size_t at = 0;
    while (text[at] >= 0x20 && text[at] < 0x7f && text[at] != '"' && text[at] != '\\' && text[at] != '<') at++;
    return at;
}

/* The comma that is due, the quoted text, and a colon after a key, as one piece. False: the text is not as most are. */
static bool json_writer_short(json_writer *w, const char *text, bool key) {
    char whole[64], *at = whole;
    size_t length = json_writer_plain(text);
    if (text[length] != '\0' || length + 4 > sizeof whole) return false;
    if (w->comma) *at++ = ',';
    *at++ = '"';
    memcpy(at, text, length);
    at += length;
    *at++ = '"';
    if (key) *at++ = ':';
    w->put(w->context, whole, (size_t)(at - whole));
    w->comma = !key;
    return true;
}

/*
 * Runs of characters that need no escape are copied at once. `<` is escaped, so that no page takes it for its own
 * markup.
 */
static void json_writer_quote(json_writer *w, const char *text) {
    size_t length = strlen(text), from = 0, at = json_writer_plain(text);
    json_writer_put(w, "\"");
    while (at < length) {
        unsigned char c = (unsigned char)text[at];
        size_t step = utf8_length((const unsigned char *)text + at, length - at);
        if (step > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && c != '<') {
            at += step;
            continue;
        }
        w->put(w->context, text + from, at - from);
        if (step == 0)
            json_writer_put(w, "\\ufffd");
        else
            json_writer_escape(w, c);
        from = ++at;
    }
    w->put(w->context, text + from, at - from);
    json_writer_put(w, "\"");
}

void json_writer_key(json_writer *w, const char *key) {
    if (json_writer_short(w, key, true)) return;
    json_writer_separate(w);
    json_writer_quote(w, key);
    json_writer_put(w, ":");
    w->comma = false;
}

void json_writer_text(json_writer *w, const char *text) {
    if (text == NULL) {
        json_writer_null(w);
        return;
    }
    if (json_writer_short(w, text, false)) return;
    json_writer_separate(w);
    json_writer_quote(w, text);
}

void json_writer_whole(json_writer *w, int64_t number) {
    char text[24], *const end = text + sizeof text, *at = end;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0) *--at = '-';
    if (w->comma) *--at = ',';
    w->put(w->context, at, (size_t)(end - at));
    w->comma = true;
}

/* JSON's readers take "-0" for the whole number 0. */
void json_writer_number(json_writer *w, double number) {
    char text[DECIMAL_TEXT];
    if (!isfinite(number)) {
        json_writer_null(w);
        return;
    }
    json_writer_separate(w);
    json_writer_put(w, number == 0.0 && signbit(number) ? "-0.0" : decimal_write(number, text));
}

void json_writer_flag(json_writer *w, bool flag) {
    json_writer_separate(w);
    json_writer_put(w, flag ? "true" : "false");
}

void json_writer_null(json_writer *w) {
    json_writer_separate(w);
    json_writer_put(w, "null");
}
