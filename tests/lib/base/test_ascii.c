/* SPDX-License-Identifier: MIT */
/* Letters, digits and spaces are those of the locale "C", in which the test runs. */
#include "base/ascii.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "menagerie.h"

LAW(letters_are_those_of_ascii) {
    for (int byte = 0; byte < 256; byte++) {
        char c = (char)byte;
        assert_int_equal(ascii_is_digit(c), isdigit(byte) != 0);
        assert_int_equal(ascii_is_letter(c), isalpha(byte) != 0);
        assert_int_equal(ascii_is_space(c), isspace(byte) != 0);
        assert_int_equal((unsigned char)ascii_lower(c), tolower(byte));
    }
}

LAW(words_are_the_same_in_any_case_of_letters) {
    static const char letters[] = "aAbB@`\xc3\xa9";
    uint64_t source = 3;
    for (int n = 0; n < 20000; n++) {
        char a[4] = "", b[4] = "";
        for (uint64_t i = 0; i < random_below(&source, 4); i++) a[i] = letters[random_below(&source, 8)];
        for (uint64_t i = 0; i < random_below(&source, 4); i++) b[i] = letters[random_below(&source, 8)];
        assert_int_equal(ascii_same(a, b), strcasecmp(a, b) == 0);
        assert_int_equal(ascii_begins(a, b), strncasecmp(a, b, strlen(b)) == 0);
    }
}
