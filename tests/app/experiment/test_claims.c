/* SPDX-License-Identifier: MIT */
/*
 * Claims: the language, and verdicts against intervals worked out by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/pool.h"
#include "experiment/read/claim.h"
#include "law.h"

static bool parse(pool *memory, const char *text, claim *c, size_t *column, const char **message) {
    *c = (claim){.holds = text};
    return claim_parse(c, memory, column, message);
}

static claim parsed(pool *memory, const char *text) {
    claim c;
    size_t column;
    const char *message;
    bool fine = parse(memory, text, &c, &column, &message);
    assert_that(fine, "%s: %zu: %s", text, column, fine ? "" : message);
    return c;
}

/* Four runs of two competitors; a is 4 on average, b is 8. */
static const double a[] = {3, 4, 4, 5}, b[] = {7, 9, 8, 8};

static double product(const double *x, double x_mean, const double *y, double y_mean, int runs) {
    double sum = 0.0;
    for (int r = 0; r < runs; r++) sum += (x[r] - x_mean) * (y[r] - y_mean);
    return sum;
}

/* Checks a claim over the first runs. Its terms are, in order of appearance, a and b. */
static claim_result check(const claim *c, int runs) {
    double means[2] = {0}, products[4];
    const double *terms[] = {a, b};
    size_t count = c->term_count;
    for (int r = 0; r < runs; r++) means[0] += a[r] / runs, means[1] += b[r] / runs;
    for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < count; k++)
            products[j * count + k] = product(terms[j], means[j], terms[k], means[k], runs);
    return claim_check(c, &(claim_sample){runs, means, products});
}

static claim_result checked(const char *text) {
    pool *memory = pool_create(NULL);
    claim c = parsed(memory, text);
    claim_result r = check(&c, 4);
    pool_free(memory);
    return r;
}

static double half_width(const double *x, size_t count) {
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++) squares += (x[i] - mean) * (x[i] - mean);
    return 1.96 * sqrt(squares / (double)(count - 1)) / sqrt((double)count);
}

LAW(a_difference_has_the_paired_interval) {
    const double differences[] = {4, 5, 4, 3}; /* b - a: sd sqrt(2/3), so 1.96 sqrt(2/3) / 2 */
    claim_result r = checked("regret(\"a\") < regret(\"b\")");
    assert_int_equal(r.verdict, CLAIM_HOLDS);
    assert_close(r.margin, 4.0, 1e-15);
    assert_close(r.ci95, 0.8001666493091716, 1e-14);
    assert_close(r.ci95, half_width(differences, 4), 1e-14);
}

LAW(a_claim_and_its_reverse_have_opposite_margins) {
    claim_result less = checked("regret(\"a\") <= regret(\"b\")"), greater = checked("regret(\"a\") >= regret(\"b\")");
    assert_int_equal(less.verdict, CLAIM_HOLDS);
    assert_int_equal(greater.verdict, CLAIM_FAILS);
    assert_close(less.margin, -greater.margin, 0.0);
    assert_close(less.ci95, greater.ci95, 0.0);
}

LAW(a_margin_inside_its_interval_is_undecided) {
    claim_result r = checked("regret(\"a\") + 3.9 < regret(\"b\")");
    assert_int_equal(r.verdict, CLAIM_UNDECIDED);
    assert_close(r.margin, 0.1, 1e-15);
    assert_int_equal(checked("regret(\"a\") <= regret(\"a\")").verdict, CLAIM_UNDECIDED);
    assert_int_equal(checked("regret(\"a\") + 3 < regret(\"b\")").verdict, CLAIM_HOLDS);
    assert_int_equal(checked("regret(\"a\") + 5 < regret(\"b\")").verdict, CLAIM_FAILS);
}

/* d(a/b) = a_r / 8 - 4 b_r / 64 */
LAW(a_ratio_has_the_interval_of_the_delta_method) {
    double slopes[4];
    for (int r = 0; r < 4; r++) slopes[r] = a[r] / 8.0 - 4.0 * b[r] / 64.0;
    claim_result r = checked("regret(\"a\") / regret(\"b\") < 0.75");
    assert_int_equal(r.verdict, CLAIM_HOLDS);
    assert_close(r.margin, 0.25, 1e-15);
    assert_close(r.ci95, half_width(slopes, 4), 1e-15);
}

/* d(a b) = 8 a_r + 4 b_r, and of a square 2 * 4 a_r */
LAW(a_product_has_the_interval_of_the_delta_method) {
    double slopes[4], squares[4];
    for (int r = 0; r < 4; r++) {
        slopes[r] = 8.0 * a[r] + 4.0 * b[r];
        squares[r] = 8.0 * a[r];
    }
    claim_result product = checked("regret(\"a\") * regret(\"b\") > 0");
    assert_close(product.margin, 32.0, 1e-14);
    assert_close(product.ci95, half_width(slopes, 4), 1e-13);
    claim_result square = checked("regret(\"a\") * regret(\"a\") > 0");
    assert_close(square.margin, 16.0, 1e-14);
    assert_close(square.ci95, half_width(squares, 4), 1e-13);
}

LAW(precedence_is_the_usual_one) {
    static const struct {
        const char *text;
        double margin;
    } cases[] = {
        {"regret(\"a\") > 1 + 2 * 3", 4 - 7},
        {"regret(\"a\") > (1 + 2) * 3", 4 - 9},
        {"regret(\"a\") > 10 - 4 - 3", 4 - 3},
        {"regret(\"a\") > 16 / 4 / 2", 4 - 2},
        {"regret(\"a\") > -2 * -3", 4 - 6},
        {"regret(\"a\") > - (1 - 3)", 4 - 2},
        {"-regret(\"a\") * 2 + 1 < 0", 7},
        {"regret(\"a\") > 1e1 - .5", 4 - 9.5},
        {"2*regret(\"a\")-regret(\"b\")/4 >= 1.5", 4.5},
        {" regret ( \"a\" )>2 ", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_close(checked(cases[i].text).margin, cases[i].margin, 1e-14);
}

LAW(the_weakest_comparison_decides) {
    claim_result strong = checked("regret(\"a\") < regret(\"b\")");
    claim_result both = checked("regret(\"a\") < regret(\"b\") and regret(\"a\") < 5");
    assert_int_equal(both.verdict, CLAIM_HOLDS);
    assert_close(both.margin, 1.0, 1e-15);
    assert_close(both.ci95, half_width(a, 4), 1e-15);
    assert_that(both.margin / both.ci95 < strong.margin / strong.ci95, "the weaker one is reported");

    assert_int_equal(checked("regret(\"a\") < regret(\"b\") and regret(\"a\") < 4.1").verdict, CLAIM_UNDECIDED);
    assert_int_equal(checked("regret(\"a\") < 4.1 and regret(\"a\") > regret(\"b\")").verdict, CLAIM_FAILS);
    assert_int_equal(checked("regret(\"a\") < 9 and regret(\"b\") < 7 and regret(\"a\") < 4.1").verdict, CLAIM_FAILS);
    assert_int_equal(checked("regret(\"a\") < 9 and regret(\"b\") < 10 and 1 < 2").verdict, CLAIM_HOLDS);
}

LAW(without_an_interval_nothing_is_decided) {
    pool *memory = pool_create(NULL);
    claim c = parsed(memory, "regret(\"a\") < regret(\"b\")");
    claim_result one = check(&c, 1);
    assert_int_equal(one.verdict, CLAIM_UNDECIDED);
    assert_true(isnan(one.ci95));
    pool_free(memory);
    assert_int_equal(checked("regret(\"a\") / 0 > 1").verdict, CLAIM_UNDECIDED);
    assert_int_equal(checked("regret(\"a\") / (regret(\"b\") - 8) > 1").verdict, CLAIM_UNDECIDED);
    assert_int_equal(checked("regret(\"a\") / 0 > 1 and regret(\"a\") < 9").verdict, CLAIM_UNDECIDED);
}

LAW(terms_are_listed_once_in_order) {
    pool *memory = pool_create(NULL);
    claim c = parsed(memory, "regret(\"b c\", 20) - best_learner() < optimal(\"x\\\"y\\\\\") * best_learner() and "
                             "regret(\"b c\", 20) > regret(\"b c\")");
    assert_int_equal(c.term_count, 4);
    assert_int_equal(c.terms[0].quantity, CLAIM_REGRET);
    assert_string_equal(c.terms[0].name, "b c");
    assert_int_equal(c.terms[0].round, 20);
    assert_int_equal(c.terms[0].column, 0);
    assert_int_equal(c.terms[1].quantity, CLAIM_BEST_LEARNER);
    assert_null(c.terms[1].name);
    assert_int_equal(c.terms[1].column, 20);
    assert_int_equal(c.terms[2].quantity, CLAIM_OPTIMAL);
    assert_string_equal(c.terms[2].name, "x\"y\\");
    assert_int_equal(c.terms[3].round, 0);
    pool_free(memory);
}

LAW(what_is_not_a_claim_is_refused_where_it_goes_wrong) {
    static const struct {
        const char *text;
        size_t column;
    } cases[] = {
        {"", 0},
        {"regret(\"a\")", 11},
        {"regret(\"a\") < ", 14},
        {"regret(\"a\") = 3", 12},
        {"regret(\"a\") < 3 and", 19},
        {"regret(\"a\") < 3 or 1 < 2", 16},
        {"regret(\"a\") < 1 < 2", 16},
        {"regret(\"a < 3", 7},
        {"regret(a) < 3", 7},
        {"regret(\"a\", 0) < 3", 12},
        {"regret(\"a\", 1.5) < 3", 13},
        {"regret(\"a\", 9999999999999999999) < 3", 12},
        {"optimal(\"a\", 3) < 3", 11},
        {"best_learner(\"a\") < 3", 13},
        {"best_learner < 3", 13},
        {"median(\"a\") < 3", 0},
        {"regret(\"a\") < 1.2.3", 14},
        {"regret(\"a\") < 0x10", 14},
        {"regret(\"a\") < 1e999", 14},
        {"regret(\"a\") < (2", 16},
        {"regret(\"a\") < 2)", 15},
        {"regret(\"a\") < * 2", 14},
        {"1 < 2", 0},
    };
    pool *memory = pool_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        claim c;
        size_t column = 999;
        const char *message = NULL;
        assert_that(!parse(memory, cases[i].text, &c, &column, &message), "%s is taken for a claim", cases[i].text);
        assert_that(message != NULL && *message != '\0', "%s: no message", cases[i].text);
        assert_that(column == cases[i].column, "%s: column %zu, not %zu: %s", cases[i].text, column, cases[i].column,
                    message);
    }
    pool_free(memory);
}

static char *repeated(pool *memory, const char *first, const char *again, size_t times, const char *last) {
    size_t length = strlen(again);
    char *text = pool_allocate(memory, strlen(first) + times * length + strlen(last) + 1), *end = text;
    end = stpcpy(end, first);
    while (times-- > 0) end = stpcpy(end, again);
    strcpy(end, last);
    return text;
}

LAW(a_hostile_claim_is_refused) {
    pool *memory = pool_create(NULL);
    const char *texts[] = {repeated(memory, "", "(", 100000, "1"), repeated(memory, "", "-", 100000, "1 < 2"),
                           repeated(memory, "regret(\"a\") < 1", " + 1", 100000, ""),
                           repeated(memory, "regret(\"a\") < 1", " and regret(\"a\") < 1", 10000, "")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        claim c;
        size_t column;
        const char *message;
        assert_that(!parse(memory, texts[i], &c, &column, &message), "text %zu is taken for a claim", i);
    }
    pool_free(memory);
}

/* An allocator that succeeds for the number of calls in *context, and then fails. */
static void *some(void *context, void *block, size_t size) {
    int *left = context;
    if (size == 0) free(block);
    return size > 0 && (*left)-- > 0 ? realloc(block, size) : NULL;
}

LAW(a_claim_survives_a_lack_of_memory) {
    size_t column;
    const char *message;
    claim c = {.holds = "regret(\"a\") / regret(\"b\", 3) < -(1 + optimal(\"a\")) and regret(\"a\") > 2"};
    bool ok = false;
    for (int pieces = 0; !ok; pieces++) {
        assert_that(pieces < 100, "it never has enough");
        int left = pieces + 1; /* one for the pool itself */
        pool *memory = pool_create(&(posse_allocator){some, &left});
        ok = claim_parse(&c, memory, &column, &message);
        assert_true(ok == (message == NULL) && ok != pool_failed(memory));
        pool_free(memory);
    }
}

LAW(verdicts_have_names) {
    assert_string_equal(claim_verdict_name(CLAIM_HOLDS), "holds");
    assert_string_equal(claim_verdict_name(CLAIM_FAILS), "fails");
    assert_string_equal(claim_verdict_name(CLAIM_UNDECIDED), "undecided");
}
