/* SPDX-License-Identifier: MIT */
/*
 * Vowpal Wabbit's format: texts are read as its manual defines, and a wrong text is refused at the wrong place.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/vw.h"
#include "helpers.h"
#include "posse_features.h"

typedef struct reading {
    arena memory;
    logbook book;
    data_problem problem;
    posse_error error;
} reading;

static void parse(reading *r, const char *text) {
    *r = (reading){0};
    r->error = vw_read(text, strlen(text), &r->memory, &r->book, &r->problem);
}

static void read_well(reading *r, const char *text) {
    parse(r, text);
    assert_that(r->error == POSSE_OK, "%zu:%zu: %s", r->problem.line, r->problem.column, r->problem.text);
}

static void close_reading(reading *r) {
    arena_release(&r->memory);
}

static void expect_row(const reading *r, size_t row, int count, int arm, double reward, double probability) {
    const logbook_row *got = &r->book.row[row];
    assert_int_equal(got->count, count);
    assert_int_equal(got->arm, arm);
    assert_true(got->reward == reward && got->probability == probability);
}

#define EXPECT_FEATURES(r, row, ...)                                                                                   \
    do {                                                                                                               \
        const double expected[] = {__VA_ARGS__};                                                                       \
        double got[64];                                                                                                \
        logbook_features(&(r)->book, row, got);                                                                        \
        assert_memory_equal(got, expected, sizeof expected);                                                           \
    } while (0)

/* The example of the wiki's page on logged contextual bandits. */
LAW(vw_reads_an_event_per_line) {
    reading r;
    read_well(&r, "1:2:0.4 | a c\n3:0.5:0.2 | b d\n4:1.2:0.5 | a b c\n2:1:0.3 | b c\n3:1.5:0.7 | a d\n");
    assert_int_equal(r.book.rows, 5);
    assert_int_equal(r.book.arms, 4);
    assert_int_equal(r.book.width, 4); /* a c b d */
    assert_false(r.book.own);
    expect_row(&r, 0, 4, 0, -2.0, 0.4);
    expect_row(&r, 2, 4, 3, -1.2, 0.5);
    EXPECT_FEATURES(&r, 0, 1.0, 1.0, 0.0, 0.0);
    EXPECT_FEATURES(&r, 1, 0.0, 0.0, 1.0, 1.0);
    EXPECT_FEATURES(&r, 2, 1.0, 1.0, 1.0, 0.0);
    for (int a = 0; a < 4; a++) assert_int_equal(logbook_arms(&r.book, 0)[a], a);
    assert_true(r.book.least_probability == 0.2 && r.book.least_reward == -2.0 && r.book.largest_reward == -0.5);
    close_reading(&r);
}

LAW(vw_reads_which_actions_were_there) {
    reading r;
    read_well(&r, "5 2:-1:0.5 3 | a\r\n1:0:0.25 | a:2");
    assert_int_equal(r.book.arms, 5);
    expect_row(&r, 0, 3, 1, 1.0, 0.5);
    const int *there = logbook_arms(&r.book, 0);
    assert_true(there[0] == 1 && there[1] == 2 && there[2] == 4);
    expect_row(&r, 1, 5, 0, 0.0, 0.25);
    EXPECT_FEATURES(&r, 1, 2.0);
    close_reading(&r);
}

LAW(vw_reads_an_event_of_several_lines) {
    reading r;
    read_well(&r, "shared |user age:0.5 new\n"
                  "|item price:2 \n"
                  "7:-1:0.25 'tag |item price:1 city:paris\n"
                  "\n\n"
                  "|item:2 price:3 price:-1 city:paris |user age:4\n"
                  "0:0.5:1 tag|item\n"
                  "| price\n");
    assert_int_equal(r.book.rows, 2);
    assert_int_equal(r.book.arms, 3);
    assert_int_equal(r.book.width, 5); /* user age, user new, item price, item city:paris, price */
    assert_true(r.book.own);
    expect_row(&r, 0, 2, 1, 1.0, 0.25);
    EXPECT_FEATURES(&r, 0, 0.5, 1.0, 2.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.0);
    close_reading(&r);
}

/* Lines with a tag but no label, a line with both, and a tag that touches the bar. */
LAW(vw_tells_tags_from_labels) {
    reading r;
    read_well(&r, "shared | x\n'first | a\n0:1:0.5 'second | b\nthird| c\n");
    expect_row(&r, 0, 3, 1, -1.0, 0.5);
    EXPECT_FEATURES(&r, 0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0);
    close_reading(&r);
    read_well(&r, "shared | x:3\n|\n0:1:0.5 |\n");
    assert_false(r.book.own);
    EXPECT_FEATURES(&r, 0, 3.0);
    close_reading(&r);
}

LAW(vw_without_features_has_a_constant) {
    reading r;
    read_well(&r, "1:0:0.5 |\n2:1:0.5 |\n");
    assert_int_equal(r.book.width, 1);
    EXPECT_FEATURES(&r, 1, 1.0);
    close_reading(&r);
}

LAW(wrong_vw_is_refused_where_it_is_wrong) {
    static const struct {
        const char *text;
        size_t line, column;
        const char *part;
    } wrong[] = {
        {"", 1, 1, "no event"},
        {"1:2:0.4 | a\n1:2 | a", 2, 1, "lacks the probability"},
        {"1:2:0 | a", 1, 5, "no probability"},
        {"1:2:1.5 | a", 1, 5, "no probability"},
        {"1:2:nan | a", 1, 5, "no probability"},
        {"1:nan:0.5 | a", 1, 3, "no cost"},
        {"1:x:0.5 | a", 1, 3, "no cost"},
        {"0:1:0.5 | a", 1, 1, "no action"},
        {"1.5:1:0.5 | a", 1, 1, "no action"},
        {"1:1:0.5 2:0:0.5 | a", 1, 9, "already"},
        {"1:1:0.5 1 | a", 1, 1, "twice"},
        {"1:1:0.5 a", 1, 1, "no |"},
        {"3 4 | a", 1, 1, "no label"},
        {"1:1:0.5 | \xc3\xa9:nan", 1, 13, "no feature"},
        {"1:1:0.5 | a:1e7", 1, 13, "no feature"},
        {"1:1:0.5 | a:inf", 1, 13, "no feature"},
        {"1:1:0.5 | a:1:2", 1, 14, "at most one value"},
        {"1:1:0.5 | a: b", 1, 13, "value is missing"},
        {"1:1:0.5 | :2", 1, 11, "no name"},
        {"1:1:0.5 |n:y a", 1, 12, "weight"},
        {"| a\n| b\n", 1, 1, "no action of this event has a label"},
        {"| a\n0:1:0.5 | b\n0:1:0.5 | c\n", 3, 1, "already"},
        {"| a\n0:1:0.5 | b\n\nshared | c\n\n", 4, 1, "without actions"},
        {"| a\n0:1:0.5 | b\nshared | c\n", 3, 1, "must be the first line"},
        {"| a\n0 | b\n", 2, 1, "a label is"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        reading r;
        parse(&r, wrong[i].text);
        assert_that(r.error == POSSE_ERROR_FIT, "%d: \"%s\" was taken", i, wrong[i].text);
        assert_that(r.problem.line == wrong[i].line && r.problem.column == wrong[i].column &&
                        strstr(r.problem.text, wrong[i].part) != NULL,
                    "%d: \"%s\" got %zu:%zu: %s", i, wrong[i].text, r.problem.line, r.problem.column, r.problem.text);
        close_reading(&r);
    }
}

/* Adds a feature to the numbers of the library's public hashing. */
static void add_hashed(double *sums, posse_feature feature) {
    double one[1024];
    assert_int_equal(posse_hash_features(&feature, 1, 1024, one), POSSE_OK);
    for (int i = 0; i < 1024; i++) sums[i] += one[i];
}

LAW(vw_hashes_more_than_1024_names) {
    static char text[32768];
    static double first[1024], second[1024], got[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "1:1:0.5 |");
    for (int i = 0; i < 1024; i++) used += (size_t)snprintf(text + used, sizeof text - used, " f%d", i);
    reading r;
    read_well(&r, text);
    assert_int_equal(r.book.width, 1024);
    logbook_features(&r.book, 0, got);
    for (int i = 0; i < 1024; i++) assert_true(got[i] == 1.0); /* there is room, so each has a column of its own */
    close_reading(&r);

    snprintf(text + used, sizeof text - used, "\n2:1:0.5 | f3:2.5 |user city:paris age:-3");
    read_well(&r, text);
    assert_int_equal(r.book.width, 1024);
    for (int i = 0; i < 1024; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        add_hashed(first, (posse_feature){.name = name, .number = 1.0});
    }
    add_hashed(second, (posse_feature){.name = "f3", .number = 2.5});
    add_hashed(second, (posse_feature){.name = "user.city", .word = "paris"});
    add_hashed(second, (posse_feature){.name = "user.age", .number = -3.0});
    logbook_features(&r.book, 0, got);
    for (int i = 0; i < 1024; i++) assert_true(got[i] == first[i]);
    logbook_features(&r.book, 1, got);
    for (int i = 0; i < 1024; i++) assert_true(got[i] == second[i]);
    close_reading(&r);
}
