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
    json_writer_separate(w);
    w->put(w->context, &bracket, 1);
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

/*
 * Runs of characters that need no escape are copied at once. `<` is escaped, so that no page takes it for its own
 * markup.
 */
static void json_writer_quote(json_writer *w, const char *text) {
    size_t length = strlen(text), from = 0, at = json_writer_plain(text);
    char whole[64];
    if (at == length && length + 2 <= sizeof whole) { /* as most keys and names are: one piece */
        whole[0] = whole[length + 1] = '"';
        memcpy(whole + 1, text, length);
        w->put(w->context, whole, length + 2);
        return;
    }
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
    json_writer_separate(w);
    json_writer_quote(w, text);
}

void json_writer_whole(json_writer *w, int64_t number) {
    char text[24], *at = text + sizeof text - 1;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    *at = '\0';
    do *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0) *--at = '-';
    json_writer_separate(w);
    json_writer_put(w, at);
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
