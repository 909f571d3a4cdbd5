/* SPDX-License-Identifier: MIT */
/*
 * JSON as text is read back as the same values, with as few digits as that needs. Texts with too many values are
 * refused before they are read.
 */
#include "common/json_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"

static void assert_text(const char *source, json_layout layout, const char *expected) {
    json_t *value = json_loads(source, JSON_DECODE_ANY, NULL), *back;
    assert_non_null(value);
    char *text = json_text(value, layout);
    assert_string_equal(text, expected);
    back = json_loads(text, JSON_DECODE_ANY, NULL);
    char *again = json_text(back, layout);
    assert_string_equal(again, text);
    free(again);
    free(text);
    json_decref(back);
    json_decref(value);
}

LAW(json_has_the_digits_that_numbers_need) {
    assert_text("[0.1, 1e-7, 2.0, 3, -0.0, 0.30000000000000004, 1e300]", JSON_TEXT_COMPACT,
                "[0.1,1e-07,2,3,-0.0,0.30000000000000004,1e+300]");
    assert_text("{\"a \\\"b\\\"\": [1.5, true, null, []], \"c\": {}}", JSON_TEXT_COMPACT,
                "{\"a \\\"b\\\"\":[1.5,true,null,[]],\"c\":{}}");
    assert_text("0.1", JSON_TEXT_COMPACT, "0.1");
    assert_text("{\"a\": [1.5, 2], \"b\": [[1, 2], [3]], \"c\": {\"d\": \"é\"}}", JSON_TEXT_LINES,
                "{\n  \"a\": [1.5, 2],\n  \"b\": [\n    [1, 2],\n    [3]\n  ],\n  \"c\": {\n    \"d\": \"é\"\n  }\n}");
}

/* ---------------------------------------------------- reading ---------------------------------------------------- */

static size_t count_values(const json_t *value) {
    size_t count = 1, i;
    const char *key;
    json_t *inner;
    if (json_is_array(value)) json_array_foreach(value, i, inner) count += count_values(inner);
    if (json_is_object(value)) json_object_foreach((json_t *)value, key, inner) count += count_values(inner);
    return count;
}

LAW(values_are_counted_before_they_are_read) {
    static const char *const texts[] = {"{}",
                                        "[ ]",
                                        "[[], {}, [ [ ] ], {\"a\": [1, 2]}]",
                                        "{\"a\": 1, \"b\": {\"c\": [true, null, \"x,y[{\"]}}",
                                        "{\"a\\\"b,[\": \"\\\\\", \"c\": \"\\\",\\\"\", \"d\": [-1.5e3, \"]\"]}",
                                        " [1 ,\n\t2 , [ 3 ] ] ",
                                        "{\"[\": {}, \"]\": [\"}\"]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *tree = json_loads(texts[i], 0, NULL);
        assert_non_null(tree);
        size_t count = count_values(tree);
        json_fault fault = {0};
        json_t *read = json_read(texts[i], strlen(texts[i]), count, &fault);
        assert_that(json_equal(read, tree), "%s is not read: fault %d, %s", texts[i], (int)fault.kind, fault.at.text);
        json_decref(read);
        assert_null(json_read(texts[i], strlen(texts[i]), count - 1, &fault));
        assert_int_equal(fault.kind, JSON_FAULT_VALUES);
        json_decref(tree);
    }
}

/* Of every text that ends early, and has no zero behind it. */
LAW(a_text_that_ends_early_is_refused) {
    static const char text[] = "{\"a\\u00e9\": [1, {\"b\": \"\\\\\"}], \"c\": null}";
    for (size_t length = 1; length < sizeof text - 1; length++) {
        char *part = malloc(length);
        json_fault fault;
        memcpy(part, text, length);
        assert_null(json_read(part, length, SIZE_MAX, &fault));
        assert_int_equal(fault.kind, JSON_FAULT_TEXT);
        free(part);
    }
}

static void assert_fault(const char *text, size_t values_max, json_fault expected) {
    json_fault fault;
    assert_null(json_read(text, strlen(text), values_max, &fault));
    assert_int_equal(fault.kind, expected.kind);
    assert_string_equal(fault.key, expected.key);
    assert_int_equal(fault.at.line, expected.at.line);
    assert_int_equal(fault.at.column, expected.at.column);
}

LAW(a_fault_has_its_place) {
    char deep[2 * JSON_NESTING_MAX + 3];
    memset(deep, '[', JSON_NESTING_MAX + 1);
    memset(deep + JSON_NESTING_MAX + 1, ']', JSON_NESTING_MAX + 1);
    deep[2 * JSON_NESTING_MAX + 2] = '\0';
    assert_fault("{\"n\": 1,\n \"rewards\": [1, 2, 3]}", 4,
                 (json_fault){JSON_FAULT_VALUES, {.line = 2, .column = 15}, "rewards"});
    assert_fault("{\"a b\": [1, 2, 3]}", 4, (json_fault){JSON_FAULT_VALUES, {.line = 1, .column = 14}, ""});
    assert_fault("[1, 2, 3]", 3, (json_fault){JSON_FAULT_VALUES, {.line = 1, .column = 6}, ""});
    assert_fault(deep, SIZE_MAX, (json_fault){JSON_FAULT_DEPTH, {.line = 1, .column = JSON_NESTING_MAX + 1}, ""});
    assert_fault("{\"a\": 1e999}", 9, (json_fault){JSON_FAULT_NUMBER, {.line = 1, .column = 11}, ""});
    assert_fault("{\"a\": 1, \"a\": 2}", 9, (json_fault){JSON_FAULT_TEXT, {.line = 1, .column = 12}, ""});
    deep[2 * JSON_NESTING_MAX + 1] = '\0';
    json_t *read = json_read(deep + 1, strlen(deep + 1), SIZE_MAX, NULL);
    assert_non_null(read);
    json_decref(read);
    json_t *own = json_read_own("{\"a\": [0.1]}");
    assert_int_equal(json_array_size(json_object_get(own, "a")), 1);
    json_decref(own);
    assert_null(json_read_own("a: [0.1]"));
}
