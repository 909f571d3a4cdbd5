/* SPDX-License-Identifier: MIT */
#include "common/json_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/format.h"
#include "data/decimal.h"

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

json_t *json_text_read(const char *text, size_t length, size_t flags, json_error_t *error) {
    format_locale l = format_enter();
    json_t *value = json_loadb(text, length, flags, error);
    format_leave(l);
    return value;
}

json_t *json_text_read_file(const char *path, size_t flags, json_error_t *error) {
    format_locale l = format_enter();
    json_t *value = json_load_file(path, flags, error);
    format_leave(l);
    return value;
}

char *json_text_dump(const json_t *value, size_t flags) {
    format_locale l = format_enter();
    char *text = json_dumps(value, flags);
    format_leave(l);
    return text;
}
