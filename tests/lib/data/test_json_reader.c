/* SPDX-License-Identifier: MIT */
/*
 * JSON, token by token: texts are accepted and understood as by jansson, and a problem is reported with its line and
 * column. A tree of a text takes memory in proportion to the text.
 */
#include "data/json_reader.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/json_document.h"
#include "menagerie.h"

static void put(char *out, size_t size, const char *text) {
    snprintf(out + strlen(out), size - strlen(out), "%s", text);
}

/* The tokens of a text, one after the other, or "LINE:COLUMN: problem". */
static const char *tokens(const char *text, char out[4096]) {
    static const char *const shown[] = {
        [JSON_TOKEN_MAP] = "{",   [JSON_TOKEN_MAP_END] = "}", [JSON_TOKEN_LIST] = "[", [JSON_TOKEN_LIST_END] = "]",
        [JSON_TOKEN_TRUE] = "T ", [JSON_TOKEN_FALSE] = "F ",  [JSON_TOKEN_NULL] = "N "};
    json_reader r = json_reader_open(text, strlen(text));
    *out = '\0';
    for (;;) {
        json_token token = json_reader_next(&r);
        char word[512];
        if (token.type == JSON_TOKEN_END) return out;
        if (token.type == JSON_TOKEN_WRONG) {
            snprintf(out, 4096, "%zu:%zu: %s", r.problem.line, r.problem.column, r.problem.text);
            return out;
        }
        if (token.type == JSON_TOKEN_KEY || token.type == JSON_TOKEN_TEXT) {
            json_reader_spell(&token, word);
            put(out, 4096, word);
            put(out, 4096, token.type == JSON_TOKEN_KEY ? ": " : " ");
        } else if (token.type == JSON_TOKEN_NUMBER) {
            snprintf(word, sizeof word, "%.*s ", (int)token.length, token.at);
            put(out, 4096, word);
        } else
            put(out, 4096, shown[token.type]);
    }
}

LAW(json_is_read_token_by_token) {
    static const char *const texts[][2] = {
        {"1", "1 "},
        {" \"a\" ", "a "},
        {"{\"kind\": \"x\", \"list\":[1,-2.5e+3, 0]}", "{kind: x list: [1 -2.5e+3 0 ]}"},
        {"[[],{},[true,false,null]]\r\n", "[[]{}[T F N ]]"},
        {"\"\\u00e9\\u20ac\\ud83d\\ude00\\n\\/\\\"\\\\\"", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n/\"\\ "},
        {"\"\\u00E9\xc3\xa9\"", "\xc3\xa9\xc3\xa9 "},
    };
    char got[4096];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(tokens(texts[i][0], got), texts[i][1]);
}

LAW(wrong_json_is_told_where) {
    static const char *const texts[][2] = {
        {"", "1:1: the text is empty"},
        {"{arms: 3}", "1:2: a key in double quotes is needed here"},
        {"name: b\narms: 4\n", "1:1: a value is needed here"},
        {"[1,\n 2", "2:3: the text ends inside of a list or map"},
        {"[1, 2,]", "1:7: a value is needed here"},
        {"{\"a\": 1,}", "1:9: a key in double quotes is needed here"},
        {"{\"a\" 1}", "1:6: a colon is needed behind the key"},
        {"[1 2]", "1:4: a comma or ] is needed here"},
        {"{\"a\": 1]", "1:8: a comma or } is needed here"},
        {"1 2", "1:3: the text should end here"},
        {"[01]", "1:2: a number is written as 12, -0.5 or 1e-3"},
        {"[+1]", "1:2: a value is needed here"},
        {"[.5]", "1:2: a value is needed here"},
        {"[1.]", "1:2: a number is written as"},
        {"[1e]", "1:2: a number is written as"},
        {"[-]", "1:2: a number is written as"},
        {"[NaN]", "1:2: a value is needed here"},
        {"['a']", "1:2: a value is needed here"},
        {"[\"a]", "1:2: a quote that is not closed"},
        {"[\"a\nb\"]", "1:4: the control character 0x0a must be written as \\u000a"},
        {"[\"\\x41\"]", "1:3: a backslash without a character that JSON has"},
        {"[\"\\ud83d\"]", "1:3: a backslash without a character that JSON has"},
        {"[\"\\ude00\"]", "1:3: a backslash without a character that JSON has"},
        {"[\"\\u12\"]", "1:3: a backslash without a character that JSON has"},
        {"[\"\xff\"]", "1:3: the byte 0xff is not UTF-8"},
        {"[1] // a comment", "1:5: the text should end here"},
    };
    char got[4096];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_that(strncmp(tokens(texts[i][0], got), texts[i][1], strlen(texts[i][1])) == 0, "%s: %s", texts[i][0],
                    got);
    char deep[JSON_DEPTH_MAX + 2];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_non_null(strstr(tokens(deep, got), "nested more than 64 deep"));
}

/* ------------------------------------------- as jansson reads it ------------------------------------------------ */

static void assert_same(const node *ours, const json_t *theirs, const char *text) {
    if (json_is_object(theirs)) {
        assert_that(ours->type == NODE_MAP && ours->count == json_object_size(theirs), "%s", text);
        for (const node *n = ours->first; n != NULL; n = n->next) {
            const json_t *value = json_object_get(theirs, n->key);
            assert_that(value != NULL, "%s: no key %s", text, n->key);
            assert_same(n, value, text);
        }
    } else if (json_is_array(theirs)) {
        assert_that(ours->type == NODE_LIST && ours->count == json_array_size(theirs), "%s", text);
        size_t i = 0;
        for (const node *n = ours->first; n != NULL; n = n->next) assert_same(n, json_array_get(theirs, i++), text);
    } else if (json_is_string(theirs))
        assert_that(ours->type == NODE_SCALAR && strcmp(ours->text, json_string_value(theirs)) == 0, "%s", text);
    else if (json_is_number(theirs))
        assert_that(ours->plain && strtod(ours->text, NULL) == json_number_value(theirs), "%s: %s", text, ours->text);
    else
        assert_that(ours->plain && strcmp(ours->text, json_is_null(theirs)   ? "null"
                                                      : json_is_true(theirs) ? "true"
                                                                             : "false") == 0,
                    "%s: %s", text, ours->text);
}

static const char *const seeds[] = {
    "{\"name\": \"ads\", \"arms\": 5, \"prior\": {\"kind\": \"beta\", \"alpha\": 1, \"beta\": 1.5e1}, \"learners\": "
    "[{\"kind\": \"ucb\", \"width\": [0.1, -2E-3]}, \"thompson\"], \"record\": true}",
    "[[\"\\u00e9\\ud83d\\ude00\", \"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\xc3\xa9\xf0\x9f\x98\x80\"], null, false, {\"\": {}}]",
};

/* One byte is changed, left out or doubled. */
static size_t mutate(uint64_t *source, const char *from, char out[1024]) {
    static const char bytes[] = "{}[]\",:\\u0123456789eE.+-truefalsn \n\x01\x80\xc3\xed\xf0"
                                "d8";
    size_t length = strlen(from);
    memcpy(out, from, length);
    for (uint64_t times = 1 + random_below(source, 3); times > 0 && length > 1; times--) {
        size_t at = random_below(source, length);
        uint64_t how = random_below(source, 3);
        if (how == 0)
            out[at] = bytes[random_below(source, sizeof bytes - 1)];
        else if (how == 1)
            memmove(out + at, out + at + 1, --length - at);
        else {
            memmove(out + at + 1, out + at, length - at);
            length++;
        }
    }
    out[length] = '\0';
    return length;
}

LAW(json_is_read_as_jansson_reads_it) {
    uint64_t source = 11;
    int count = (int)(40000 * law_effort()), accepted = 0;
    for (int n = 0; n < count; n++) {
        char text[1024];
        size_t length = mutate(&source, seeds[n % 2], text);
        pool *memory = pool_create(NULL);
        problems found;
        problems_open(&found, NULL);
        const node *ours = json_document_read(text, length, NULL, memory, &found);
        json_error_t wrong;
        json_t *theirs = json_loadb(
            text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &wrong);
        /* Here the range of a number is a question of its key, and a zero in a text is one for the tree. */
        bool beyond = theirs == NULL && json_error_code(&wrong) == json_error_numeric_overflow;
        bool zero = strstr(text, "\\u0000") != NULL, merge = strstr(text, "<<") != NULL;
        if (!beyond && !zero && !merge) {
            assert_that((theirs != NULL) == (ours != NULL && found.count == 0), "%s: %s / %s", text, wrong.text,
                        found.count > 0 ? found.list[0].text : "");
            if (theirs != NULL) assert_same(ours, theirs, text);
            accepted += theirs != NULL;
        }
        json_decref(theirs);
        problems_close(&found);
        pool_free(memory);
    }
    assert_that(accepted > count / 20 && accepted < count * 19 / 20, "%d of %d were accepted", accepted, count);
}

/* --------------------------------------------------- memory ------------------------------------------------------ */

LAW(the_tree_of_json_is_in_proportion_to_its_text) {
    static const char *const entries[] = {"0,", "[],", "{},", "\"\",", "{\"a\":0},", "\"\\u00e9\","};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        size_t length = 0, each = strlen(entries[i]);
        char *text = malloc(65536 + 16);
        text[length++] = '[';
        while (length < 65536) {
            memcpy(text + length, entries[i], each);
            length += each;
        }
        text[length - 1] = ']';
        purse own = {.limit = 120 * length};
        posse_allocator allocator = purse_host(&own).allocator;
        pool *memory = pool_create(&allocator);
        problems found;
        problems_open(&found, NULL);
        assert_that(json_document_read(text, length, NULL, memory, &found) != NULL,
                    "%s takes more than 120 bytes a byte", entries[i]);
        assert_int_equal(found.count, 0);
        problems_close(&found);
        pool_free(memory);
        assert_int_equal(own.blocks, 0);
        free(text);
    }
    char *large = calloc(1, JSON_DOCUMENT_BYTES_MAX + 1);
    pool *memory = pool_create(NULL);
    problems found;
    problems_open(&found, NULL);
    memset(large, ' ', JSON_DOCUMENT_BYTES_MAX + 1);
    large[JSON_DOCUMENT_BYTES_MAX - 1] = '1';
    assert_non_null(json_document_read(large, JSON_DOCUMENT_BYTES_MAX, NULL, memory, &found));
    assert_null(json_document_read(large, JSON_DOCUMENT_BYTES_MAX + 1, NULL, memory, &found));
    assert_non_null(strstr(found.list[0].text, "larger than 1048576 bytes"));
    problems_close(&found);
    pool_free(memory);
    free(large);
}
