/* The report: tables as they are read, and what it computes itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "law.h"
#include "report/csv.h"
#include "report/gnuplot.h"
#include "report/record.h"
#include "report/style.h"

static const csv_column columns[] = {{"name", CSV_TEXT}, {"x", CSV_NUMBER}, {"y", CSV_OPTIONAL}, {NULL, CSV_TEXT}};

/* Reads a text as a table. Returns whether it was right; what was said is in `said`. */
static bool read_text(csv *table, const char *text, size_t size, char said[256]) {
    char directory[] = "/tmp/posse-report-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/t.csv", directory);
    FILE *out = fopen(path, "wb"), *messages = fmemopen(said, 256, "w");
    assert_true(out != NULL && messages != NULL);
    fwrite(text, 1, size, out);
    fclose(out);
    bool right = csv_read(table, directory, "t.csv", columns, messages);
    fclose(messages);
    unlink(path);
    rmdir(directory);
    return right;
}

LAW(quoted_fields_read_back) {
    static const char text[] = "x,more,name,y\r\n1,?,\"a,\"\"b\"\"\nc\",\r\n-2.5e3,?,plain,7\n";
    char said[256] = "";
    csv t;
    assert_true(read_text(&t, text, sizeof text - 1, said));
    assert_int_equal(t.rows, 2);
    assert_string_equal(csv_row(&t, 0)[0].text, "a,\"b\"\nc");
    assert_true(csv_row(&t, 0)[1].number == 1.0 && isnan(csv_row(&t, 0)[2].number));
    assert_string_equal(csv_row(&t, 1)[0].text, "plain");
    assert_true(csv_row(&t, 1)[1].number == -2500.0 && csv_row(&t, 1)[2].number == 7.0);
    assert_int_equal(t.lines[1], 4); /* a quoted line break counts */
    csv_free(&t);
}

LAW(garbled_tables_are_refused_with_a_line) {
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "t.csv:1: the file is empty"},
        {"name,x\n", "t.csv:1: there is no column \"y\""},
        {"name,x,y\na,1,2\nb,1\n", "t.csv:3: 2 fields where the header has 3"},
        {"name,x,y\na,,2\n", "t.csv:2: x is \"\""},
        {"name,x,y\na,1e999,2\n", "t.csv:2: x is \"1e999\""},
        {"name,x,y\na,inf,2\n", "t.csv:2: x is \"inf\""},
        {"name,x,y\na,1 2,2\n", "t.csv:2: x is \"1 2\""},
        {"name,x,y\n\"a\nb,1,2\n", "t.csv:2: a quoted field without its closing quote"},
        {"name,x,y\n\"a\"b,1,2\n", "t.csv:2: text after the closing quote"},
        {"name,x,y\na,1,2\n\xc0\xaf,1,2\n", "t.csv:3: a byte that is not UTF-8"},
        {"name,x,y\n\xed\xa0\x80,1,2\n", "t.csv:2: a byte that is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char said[256] = "";
        csv t;
        assert_that(!read_text(&t, wrong[i].text, strlen(wrong[i].text), said), "accepted: %s", wrong[i].text);
        assert_that(strstr(said, wrong[i].says) != NULL, "said \"%s\", not \"%s\"", said, wrong[i].says);
        csv_free(&t);
    }
}

LAW(exponent_of_a_power_is_its_exponent) {
    double rounds[1000];
    record_value regret[1000];
    for (double power = 0.0; power <= 1.0; power += 0.25) {
        for (int i = 0; i < 1000; i++) {
            rounds[i] = 15.0 * (i + 1);
            regret[i].mean = i < 400 ? 1.0 : 3.0 * pow(rounds[i], power); /* the first half does not count */
        }
        assert_close(record_exponent(rounds, regret, 1000), power, 1e-9);
    }
    regret[700].mean = 0.0;
    assert_true(isnan(record_exponent(rounds, regret, 1000)));
    assert_true(isnan(record_exponent(rounds, regret, 2)));
}

LAW(gnuplot_strings_hold_anything) {
    static const struct {
        const char *text, *string;
    } pairs[] = {
        {"c=1", "'c=1'"},           {"it's `x` \\", "'it''s `x` \\'"}, {"a\nb\tc", "'a b c'"},
        {"12345678", "'12345678'"}, {"123456789", "'12345678…'"},      {"ääääääääää", "'ääääääää…'"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char made[64] = "";
        FILE *out = fmemopen(made, sizeof made, "w");
        gnuplot_string(out, pairs[i].text, strstr(pairs[i].text, "it") != NULL ? 20 : 8);
        fclose(out);
        assert_string_equal(made, pairs[i].string);
    }
}

LAW(no_two_lines_look_the_same) {
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < i; j++) {
            style a = style_of(RECORD_LEARNER, i), b = style_of(RECORD_LEARNER, j);
            assert_that(a.light != b.light || a.dash != b.dash, "learners %zu and %zu look the same", j, i);
            a = style_of(RECORD_SELECTOR, i), b = style_of(RECORD_SELECTOR, j);
            assert_that(a.light != b.light || a.dash != b.dash, "selectors %zu and %zu look the same", j, i);
        }
}
