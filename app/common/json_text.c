/* SPDX-License-Identifier: MIT */
#include "common/json_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "data/decimal.h"

/* --------------------------------------------------- writing ----------------------------------------------------- */

#define COMPACT_DEPTH (-1)

static void json_text_value(FILE *out, const json_t *value, int depth);

/* A new line. In compact text there is none, and the depth stays. */
static void json_text_indent(FILE *out, int depth) {
    if (depth != COMPACT_DEPTH) fprintf(out, "\n%*s", 2 * depth, "");
}

static int json_text_deeper(int depth) {
    return depth == COMPACT_DEPTH ? depth : depth + 1;
}

static void json_text_plain(FILE *out, const json_t *value) {
    json_dumpf(value, out, JSON_ENCODE_ANY);
}

static void json_text_object(FILE *out, const json_t *object, int depth) {
    const char *before = "";
    fputc('{', out);
    for (void *i = json_object_iter((json_t *)object); i != NULL; i = json_object_iter_next((json_t *)object, i)) {
        json_t *key = json_string(json_object_iter_key(i));
        fputs(before, out);
        json_text_indent(out, json_text_deeper(depth));
        json_text_plain(out, key);
        fputs(depth == COMPACT_DEPTH ? ":" : ": ", out);
        json_text_value(out, json_object_iter_value(i), json_text_deeper(depth));
        json_decref(key);
        before = ",";
    }
    if (json_object_size(object) > 0) json_text_indent(out, depth);
    fputc('}', out);
}

/* Lists of numbers stay on one line. */
static void json_text_list(FILE *out, const json_t *list, int depth) {
    bool lines = json_is_object(json_array_get(list, 0)) || json_is_array(json_array_get(list, 0));
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (i > 0) fputs(lines || depth == COMPACT_DEPTH ? "," : ", ", out);
        if (lines) json_text_indent(out, json_text_deeper(depth));
        json_text_value(out, json_array_get(list, i), json_text_deeper(depth));
    }
    if (lines) json_text_indent(out, depth);
    fputc(']', out);
}

/* JSON's readers take "-0" for the whole number 0. */
static void json_text_number(FILE *out, double number) {
    char text[DECIMAL_TEXT];
    fputs(number == 0.0 && signbit(number) ? "-0.0" : decimal_write(number, text), out);
}

static void json_text_value(FILE *out, const json_t *value, int depth) {
    if (json_is_object(value))
        json_text_object(out, value, depth);
    else if (json_is_array(value))
        json_text_list(out, value, depth);
    else if (json_is_real(value))
        json_text_number(out, json_real_value(value));
    else
        json_text_plain(out, value);
}

void json_text_write(FILE *out, const json_t *value, json_layout layout) {
    json_text_value(out, value, layout == JSON_TEXT_COMPACT ? COMPACT_DEPTH : 0);
}

char *json_text(const json_t *value, json_layout layout) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    json_text_write(out, value, layout);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}

char *json_text_dump(const json_t *value, size_t flags) {
    format_locale l = format_enter();
    char *text = json_dumps(value, flags);
    format_leave(l);
    return text;
}

/* --------------------------------------------------- reading ----------------------------------------------------- */

/* A text whose values are being counted. */
typedef struct json_count {
    const char *text, *at, *end;
    size_t values;
    int depth;
    bool key_next;   /* the next text is a key of the outermost object */
    const char *key; /* the latest of these keys, behind its quote; or NULL */
} json_count;

static bool json_count_is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* At a quote: moves to the quote that closes the text, or to the last byte. */
static void json_count_skip_text(json_count *c) {
    if (c->key_next) c->key = c->at + 1;
    c->key_next = false;
    while (c->end - c->at > 1 && c->at[1] != '"') c->at += c->at[1] == '\\' && c->end - c->at > 2 ? 2 : 1;
    if (c->end - c->at > 1) c->at++;
}

/* At a bracket: its first value, if there is one. The others are behind commas. */
static void json_count_open(json_count *c) {
    const char *next = c->at + 1;
    while (next < c->end && json_count_is_blank(*next)) next++;
    c->values += next < c->end && *next != ']' && *next != '}';
    c->depth++;
    c->key_next = c->depth == 1 && *c->at == '{';
}

static void json_count_step(json_count *c) {
    switch (*c->at) {
    case '"':
        json_count_skip_text(c);
        break;
    case '[':
    case '{':
        json_count_open(c);
        break;
    case ']':
    case '}':
        c->depth--;
        break;
    case ',':
        c->values++;
        c->key_next = c->depth == 1 && c->key != NULL;
        break;
    default:
        break;
    }
}

static void json_count_blame(const json_count *c, json_fault_kind kind, json_fault *fault) {
    const char *line = c->text;
    *fault = (json_fault){.kind = kind, .at = {.line = 1, .position = (int)(c->at - c->text)}};
    for (const char *at = c->text; at < c->at; at++)
        if (*at == '\n') {
            line = at + 1;
            fault->at.line++;
        }
    fault->at.column = (int)(c->at - line) + 1;
    size_t length = 0, most = sizeof fault->key - 1;
    if (c->key == NULL) return;
    while (length < most && ((c->key[length] >= 'a' && c->key[length] <= 'z') || c->key[length] == '_')) length++;
    if (c->key[length] == '"') memcpy(fault->key, c->key, length);
}

/* Counts the values of a text that may be no JSON; then the count means nothing, and the reader refuses the text. */
static bool json_is_bounded(const char *text, size_t length, size_t values_max, json_fault *fault) {
    json_count c = {.text = text, .at = text, .end = text + length, .values = 1};
    for (; c.at < c.end; c.at++) {
        json_count_step(&c);
        if (c.values <= values_max && c.depth <= JSON_NESTING_MAX) continue;
        json_count_blame(&c, c.values > values_max ? JSON_FAULT_VALUES : JSON_FAULT_DEPTH, fault);
        return false;
    }
    return true;
}

json_t *json_read(const char *text, size_t length, size_t values_max, json_fault *fault) {
    json_fault unused, *why = fault != NULL ? fault : &unused;
    if (!json_is_bounded(text, length, values_max, why)) return NULL;
    *why = (json_fault){0};
    format_locale l = format_enter();
    json_t *read = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why->at);
    format_leave(l);
    enum json_error_code code = read == NULL ? json_error_code(&why->at) : json_error_unknown;
    why->kind = code == json_error_numeric_overflow ? JSON_FAULT_NUMBER
                : code == json_error_out_of_memory  ? JSON_FAULT_MEMORY
                                                    : JSON_FAULT_TEXT;
    return read;
}

json_t *json_read_own(const char *text) {
    return json_read(text, strlen(text), SIZE_MAX, NULL);
}

json_t *json_text_read_file(const char *path, size_t flags, json_error_t *error) {
    format_locale l = format_enter();
    json_t *value = json_load_file(path, flags, error);
    format_leave(l);
    return value;
}
