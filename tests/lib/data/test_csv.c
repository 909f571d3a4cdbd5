/* SPDX-License-Identifier: MIT */
/*
 * Tables as text: cells are as RFC 4180 defines them, numbers are those that strtod reads, and a problem is reported
 * with its line and column.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/csv.h"
#include "data/decimal.h"
#include "menagerie.h"

/* ------------------------------------------------- numbers ----------------------------------------------------- */

/* The test runs in the C locale, where strtod accepts the same numbers. */
static void assert_as_strtod(const char *text) {
    double expected = strtod(text, NULL), x = NAN;
    decimal_status status = decimal_read(text, &x);
    if (isinf(expected) || expected == 0.0)
        assert_that(status == DECIMAL_BEYOND || (status == DECIMAL_FINE && x == expected), "%s: %.17g", text, x);
    else
        assert_that(status == DECIMAL_FINE && memcmp(&x, &expected, sizeof x) == 0, "%s: %.17g, not %.17g", text, x,
                    expected);
}

LAW(decimals_are_the_nearest_doubles) {
    uint64_t source = 5;
    int count = (int)(200000 * law_effort());
    for (int n = 0; n < count; n++) {
        uint64_t bits = random_next(&source);
        double x, y = (double)(int64_t)random_next(&source) / pow(10.0, (double)random_below(&source, 25));
        char text[128];
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.*e", (int)random_below(&source, 20), x);
        assert_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", (int)random_below(&source, 25), y);
        assert_as_strtod(text);
    }
}

/* Halfway between two doubles, and a little beside it: every digit counts. */
LAW(decimals_round_to_even) {
    uint64_t source = 6;
    for (int n = 0; n < 2000; n++) {
        uint64_t bits = random_next(&source) >> (n % 3 == 0 ? 12 : 1);
        double x, above;
        char text[1200], *exponent;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x) || !isfinite(above = nextafter(x, INFINITY))) continue;
        snprintf(text, sizeof text, "%.800Le", ((long double)x + (long double)above) / 2.0L);
        assert_as_strtod(text);
        exponent = strchr(text, 'e');
        exponent[-1] = '1';
        assert_as_strtod(text);
    }
}

LAW(decimals_at_the_ends_of_doubles) {
    static const char *const texts[] = {
        "4.9406564584124654e-324", "2.4703282292062328e-324", "2.4703282292062327e-324",
        "1.7976931348623157e308",  "1.7976931348623158e308",  "1.7976931348623159e308",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "1e99999999999",
        "1e-99999999999",          "9007199254740993",        "9007199254740992.99999999999999999999999999999",
        "18446744073709551615",    "99999999999999999999e-19"};
    for (int i = 0; i < LENGTH(texts); i++) assert_as_strtod(texts[i]);
}

/* The fewest of 15 to 17 digits that strtod reads back, which result files have always had. */
static void assert_written_as_printf(double x) {
    char text[DECIMAL_TEXT], expected[64] = "";
    double back = NAN;
    for (int digits = 15; digits <= 17 && back != x; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, x);
        back = strtod(expected, NULL);
    }
    if (fabs(x) < 1e15 && x == floor(x)) snprintf(expected, sizeof expected, "%.0f", x);
    assert_string_equal(decimal_write(x, text), expected);
    assert_int_equal(decimal_read(text, &back), DECIMAL_FINE);
    assert_memory_equal(&back, &x, sizeof x);
}

LAW(decimals_are_written_so_that_the_same_bits_are_read) {
    static const double some[] = {0.0,   -0.0,    0.1,     1e-7,         1.0 / 3.0, 1e15,     1e15 - 1.0,        1e22,
                                  1e300, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, -250.0,    123456.5, 9007199254740993.0};
    for (int i = 0; i < LENGTH(some); i++) assert_written_as_printf(some[i]);
    uint64_t source = 8;
    int count = (int)(100000 * law_effort());
    for (int n = 0; n < count; n++) {
        uint64_t bits = random_next(&source);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) assert_written_as_printf(x);
        assert_written_as_printf((double)(int64_t)bits / pow(10.0, (double)random_below(&source, 25)));
        assert_written_as_printf((double)random_below(&source, 100000) / 1000.0);
    }
    char text[DECIMAL_TEXT];
    assert_string_equal(decimal_write_rounded(2.0 / 3.0, 9, text), "0.666666667");
    assert_string_equal(decimal_write_rounded(1e10, 9, text), "1e+10");
}

LAW(whole_numbers_are_exact_to_64_bits) {
    uint64_t number = 7;
    assert_int_equal(decimal_read_whole("18446744073709551615,", &number), 20);
    assert_true(number == UINT64_MAX);
    assert_int_equal(decimal_read_whole("007x", &number), 3);
    assert_true(number == 7);
    static const char *const none[] = {
        "", "-1", "+1", " 1", "x", ".5", "18446744073709551616", "99999999999999999999999"};
    for (int i = 0; i < LENGTH(none); i++) assert_int_equal(decimal_read_whole(none[i], &number), 0);
    assert_true(number == 7);
}

LAW(decimals_are_decimal) {
    static const char *const fine[] = {"0", "-0", "+1.5", ".5", "5.", "1e5", "1E+05", "007", "-.5e-2", "0e9999999999"};
    static const char *const none[] = {"",   "-",    "+",   ".",   "1e",  "e5",   "1x", " 1",
                                       "1 ", "0x10", "nan", "inf", "1,5", "1__0", "--1"};
    for (int i = 0; i < LENGTH(fine); i++) {
        double x = NAN;
        assert_int_equal(decimal_read(fine[i], &x), DECIMAL_FINE);
        assert_true(x == strtod(fine[i], NULL));
    }
    for (int i = 0; i < LENGTH(none); i++) {
        double x = 7.0;
        assert_that(decimal_read(none[i], &x) == DECIMAL_NONE && x == 7.0, "\"%s\" is %g", none[i], x);
    }
}

/* -------------------------------------------------- cells ------------------------------------------------------ */

/* The rows of a table in brackets, "[a|b][1|2]", or the problem. */
static const char *read_all(const char *text, size_t length, const posse_allocator *allocator, char out[4096]) {
    csv c;
    bool more = true;
    posse_error error = csv_open_text(&c, "t.csv", text, length, allocator);
    size_t used = 0;
    for (bool header = true; error == POSSE_OK && more; header = false) {
        if (!header) error = csv_next(&c, &more);
        const csv_cell *cells = header ? c.names : c.cells;
        for (int j = 0; error == POSSE_OK && more && j < c.columns; j++)
            used += (size_t)snprintf(out + used, 4096 - used, "%s%s%s", j == 0 ? "[" : "|", cells[j].text,
                                     j == c.columns - 1 ? "]" : "");
    }
    if (error == POSSE_ERROR_FIT) snprintf(out, 4096, "%s", c.problem);
    if (error == POSSE_ERROR_MEMORY) snprintf(out, 4096, "no memory");
    csv_close(&c);
    return out;
}

static void assert_table(const char *text, const char *expected) {
    char out[4096];
    assert_string_equal(read_all(text, strlen(text), NULL, out), expected);
}

LAW(cells_are_what_stands_between_commas) {
    assert_table("a,b\n1,2\n", "[a|b][1|2]");
    assert_table("a,b\r\n1,2\r\n3,4\r\n", "[a|b][1|2][3|4]");
    assert_table("a,b\n1,2", "[a|b][1|2]");
    assert_table("a,b\n,\n 1 ,\n", "[a|b][|][ 1 |]");
    assert_table("a\n\n1\n", "[a][][1]");
    assert_table("a,b", "[a|b]");
    assert_table("\xef\xbb\xbf"
                 "a,b\n1,2\n",
                 "[a|b][1|2]");
    assert_table("größe,价格\nö,\"ü\"\n", "[größe|价格][ö|ü]");
}

LAW(quotes_stand_around_cells) {
    assert_table("\"a\",\"b,c\"\n\"1\n2\",\"say \"\"so\"\"\"\n", "[a|b,c][1\n2|say \"so\"]");
    assert_table("a,b\n\"\",\"\"\"\"\r\n", "[a|b][|\"]");
    assert_table("a,b\n\"x\",\"y\r\nz\"", "[a|b][x|y\r\nz]");
}

LAW(problems_of_a_table_have_a_place) {
    assert_table("", "t.csv: is empty; a table has a header");
    assert_table("\xef\xbb\xbf", "t.csv: is empty; a table has a header");
    assert_table("a,\n", "t.csv:1:3: a column without a name");
    assert_table("a,b,a\n", "t.csv:1:5: a second column \"a\"");
    assert_table("a;b\n1;2\n", "t.csv:1:1: the header has one column, \"a;b\"; columns are separated by commas");
    assert_table("a\tb\n", "t.csv:1:1: the header has one column, \"a\tb\"; columns are separated by commas");
    assert_table("a,b\n1,2\n3\n", "t.csv:3:1: a row of 1 cells, but the header has 2");
    assert_table("a,b\n1,2,3\n", "t.csv:2:1: a row of 3 cells, but the header has 2");
    assert_table("a,b\n1,2\n\n", "t.csv:3:1: an empty line");
    assert_table("a,b\n\"1\n2\",3\n4\n", "t.csv:4:1: a row of 1 cells, but the header has 2");
    assert_table("a,b\nö,x\"y\n", "t.csv:2:4: a quote inside of a cell; such a cell is put in quotes, and the quote "
                                  "written twice");
    assert_table("a,b\n1,\"2\" \n",
                 "t.csv:2:6: text behind a closing quote; a quote in a quoted cell is written twice");
    assert_table("a,b\n1,\"2\n3,4\n", "t.csv:2:3: a quote that is never closed");
    assert_table("a,b\n1,2\r3,4\n", "t.csv:2:4: a carriage return that ends no line");
    assert_table("a,b\nö,\xff\n", "t.csv:2:3: this is not UTF-8");
    char out[4096];
    assert_string_equal(read_all("a\n1\0", 4, NULL, out), "t.csv:2:2: a zero byte, which no text has");
}

/* Every further pass reads the same rows as the first. */
LAW(a_table_is_read_again_from_its_first_row) {
    static const char text[] = "x,y\n1,\"a\nb\"\n2.5,c\n";
    csv c;
    bool more;
    double x;
    assert_int_equal(csv_open_text(&c, "t.csv", text, strlen(text), NULL), POSSE_OK);
    assert_int_equal(csv_find(&c, "y"), 1);
    assert_int_equal(csv_find(&c, "z"), -1);
    for (int pass = 0; pass < 3; pass++, csv_rewind(&c)) {
        assert_int_equal(csv_next(&c, &more), POSSE_OK);
        assert_int_equal(csv_number(&c, 0, &x), POSSE_OK);
        assert_true(more && x == 1.0 && c.cells[0].line == 2 && c.cells[1].column == 3);
        assert_int_equal(csv_next(&c, &more), POSSE_OK);
        assert_int_equal(csv_number(&c, 0, &x), POSSE_OK);
        assert_true(more && x == 2.5 && c.cells[0].line == 4);
        assert_int_equal(csv_number(&c, 1, &x), POSSE_ERROR_FIT);
        assert_string_equal(c.problem, "t.csv:4:5: \"c\" is no number; \"y\" must be one");
        assert_int_equal(csv_next(&c, &more), POSSE_OK);
        assert_false(more);
    }
    csv_close(&c);
}

LAW(cells_that_are_no_numbers_are_refused) {
    static const char text[] = "x\n\"\"\n1e400\nnan\n1.5\n";
    static const char *const problems[] = {"t.csv:2:1: an empty cell; \"x\" must be a number",
                                           "t.csv:3:1: \"1e400\" is beyond the range of a number",
                                           "t.csv:4:1: \"nan\" is no number; \"x\" must be one"};
    csv c;
    bool more;
    double x = 7.0;
    assert_int_equal(csv_open_text(&c, "t.csv", text, strlen(text), NULL), POSSE_OK);
    for (int i = 0; i < LENGTH(problems); i++) {
        assert_int_equal(csv_next(&c, &more), POSSE_OK);
        assert_int_equal(csv_number(&c, 0, &x), POSSE_ERROR_FIT);
        assert_string_equal(c.problem, problems[i]);
        assert_true(x == 7.0);
    }
    assert_int_equal(csv_next(&c, &more), POSSE_OK);
    assert_int_equal(csv_number(&c, 0, &x), POSSE_OK);
    assert_true(x == 1.5);
    csv_close(&c);
}

LAW(files_that_cannot_be_read_say_why) {
    csv c;
    assert_int_equal(csv_open(&c, "no/such/file.csv", NULL), POSSE_ERROR_FIT);
    assert_string_equal(c.problem, "no/such/file.csv: cannot be read: No such file or directory");
    csv_close(&c);
    assert_int_equal(csv_open(&c, ".", NULL), POSSE_ERROR_FIT);
    assert_string_equal(c.problem, ".: cannot be read: Is a directory");
    csv_close(&c);
}

LAW(a_table_survives_want_of_memory) {
    static const char text[] = "a,b\n1,2\n\"long enough to need more room\",3\n";
    char out[4096];
    purse p = {0};
    posse_host host = purse_host(&p);
    for (size_t n = 1;; n++) {
        p.fail_at = p.calls + n;
        read_all(text, strlen(text), &host.allocator, out);
        assert_int_equal(p.blocks, 0);
        if (strcmp(out, "no memory") != 0) break;
        assert_true(n < 100);
    }
    assert_string_equal(out, "[a|b][1|2][long enough to need more room|3]");
}
