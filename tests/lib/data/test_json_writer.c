/* SPDX-License-Identifier: MIT */
/* What the writer of JSON writes is read back by another reader (jansson) as the same texts and numbers. */
#include "data/json_writer.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "law.h"

typedef struct written {
    char text[4096];
    size_t length;
} written;

static void written_put(void *context, const char *bytes, size_t length) {
    written *w = context;
    assert_true(w->length + length < sizeof w->text);
    memcpy(w->text + w->length, bytes, length);
    w->length += length;
}

/* {"TEXT": [TEXT, number, TEXT], "last": {}}: a text as the first key, and before and after a comma. */
static void assert_read_back(const char *text, int64_t number) {
    written out = {.length = 0};
    json_writer w = {.put = written_put, .context = &out};
    json_writer_open(&w, '{');
    json_writer_key(&w, text);
    json_writer_open(&w, '[');
    json_writer_text(&w, text);
    json_writer_whole(&w, number);
    json_writer_text(&w, text);
    json_writer_close(&w, ']');
    json_writer_key(&w, "last");
    json_writer_open(&w, '{');
    json_writer_close(&w, '}');
    json_writer_close(&w, '}');
    json_t *root = json_loadb(out.text, out.length, JSON_REJECT_DUPLICATES, NULL), *list;
    assert_non_null(root);
    assert_int_equal(json_object_size(root), 2);
    assert_true(json_is_object(json_object_get(root, "last")));
    list = json_object_get(root, text);
    assert_int_equal(json_array_size(list), 3);
    assert_string_equal(json_string_value(json_array_get(list, 0)), text);
    assert_true(json_integer_value(json_array_get(list, 1)) == number);
    assert_string_equal(json_string_value(json_array_get(list, 2)), text);
    json_decref(root);
}

/* Texts of all lengths around the writer's room for a short one, plain, and with an odd character at every place. */
LAW(written_json_is_read_back) {
    static const char *const odd[] = {"\"", "\\", "<", "\n", "\x7f", "é", "😀", "a"};
    static const int64_t numbers[] = {0, 7, -7, 10, INT64_MAX, INT64_MIN};
    for (int length = 0; length < 80; length++)
        for (int at = 0; at <= length; at++) {
            const char *one = odd[(length + at) % 8];
            char text[100];
            snprintf(text, sizeof text, "%.*s%s%.*s", at,
                     "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789_abcdefghijklmnop", one,
                     length - at, "zyxwvutsrqponmlkjihgfedcba_9876543210-ZYXWVUTSRQPONMLKJIHGFEDCBA zyxwvutsrqponmlk");
            assert_read_back(text, numbers[(length + at) % 6]);
        }
    assert_read_back("", 1);
}
