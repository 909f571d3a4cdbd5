/* SPDX-License-Identifier: MIT */
/* Hexadecimal numbers at the beginning of a text, against strtoull of the C library. */
#include "common/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"

LAW(hexadecimal_digits_are_read) {
    static const char letters[] = "0123456789abcdefABCDEF-g \x10x";
    uint32_t chance = 1;
    for (int n = 0; n < 20000; n++) {
        char text[16], *end;
        size_t length = (size_t)(n % 15);
        for (size_t i = 0; i < length; i++) {
            chance = chance * 1664525u + 1013904223u;
            text[i] = letters[(chance >> 24) % (i + 3 < length ? 22 : sizeof letters - 1)];
        }
        text[length] = '\0';
        uint64_t expected = strtoull(text, &end, 16), got = 77;
        if (!isxdigit((unsigned char)text[0])) expected = 77, end = text;
        if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) expected = 0, end = text + 1;
        assert_int_equal(text_read_hex(text, &got), end - text);
        assert_true(got == expected);
    }
}
