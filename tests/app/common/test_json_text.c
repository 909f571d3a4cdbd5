/* SPDX-License-Identifier: MIT */
/* JSON as text is read back as the same values, with as few digits as that needs. */
#include "common/json_text.h"

#include <stdlib.h>

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
