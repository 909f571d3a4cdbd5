/* SPDX-License-Identifier: MIT */
/*
 * The 95% intervals of values on a log hold the true value as often as promised. This is tested for a policy that
 * learns nothing, whose value is known exactly, and for a posse that learns, whose value a long simulation estimates.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/record/ratio.h"
#include "logs.h"

/* POSSE_LOGS sets the number of repetitions; `make test-logs` makes 1000. The everyday test makes fewer. */
static uint32_t repetitions(void) {
    const char *asked = getenv("POSSE_LOGS");
    uint32_t count = asked != NULL ? (uint32_t)atoi(asked) : 0;
    return count > 0 ? count : (uint32_t)(200 * law_effort());
}

static ratio value_of(posse *p, posse_environment *e, uint32_t run, int rows) {
    static appraised got;
    ratio value = {0};
    posse_environment_begin(e, run);
    assert_int_equal(posse_restart(p, run), POSSE_OK);
    replay(p, e, rows, &got);
    for (int i = 0; i < rows; i++) ratio_add(&value, got.terms[i], got.weights[i]);
    return value;
}

typedef posse *maker(const posse_environment *e);

/* The mean value over the runs on one log, and its variance: that of the rows of the log, and that between runs. */
static void find_value(posse *p, posse_environment *e, uint32_t runs, int rows, double *mean, double *variance) {
    moments values = {0};
    double errors = 0.0;
    for (uint32_t run = 0; run < runs; run++) {
        ratio value = value_of(p, e, run, rows);
        moments_add(&values, ratio_value(&value));
        errors += ratio_variance(&value) / runs;
    }
    *mean = moments_mean(&values);
    *variance = errors + (runs > 1 ? pow(moments_error(&values), 2.0) * runs / (runs - 1.0) : 0.0);
}

/* The share of repetitions, each with its own log, in which the interval holds the truth. */
static double coverage(maker *make, int estimate, double truth, uint32_t runs, int rows) {
    static history l;
    uint32_t count = repetitions(), held = 0;
    for (uint32_t k = 0; k < count; k++) {
        double mean, variance;
        draw_history(&l, rows, 11, k);
        posse_environment *e = log_made(&l, log_estimates[estimate]);
        posse *p = make(e);
        find_value(p, e, runs, rows, &mean, &variance);
        held += fabs(mean - truth) <= 1.96 * sqrt(variance);
        posse_free(p);
        posse_environment_free(e);
    }
    return (double)held / count;
}

/* promised: the least coverage in 1000 repetitions. With fewer repetitions, three standard errors less are allowed. */
static void expect_coverage(const char *what, maker *make, double truth, uint32_t runs, int rows, double promised) {
    double chance = 3.0 * sqrt(promised * (1.0 - promised) / repetitions());
    for (int k = 0; k < LENGTH(log_estimates); k++) {
        double held = coverage(make, k, truth, runs, rows);
        printf("%s, %u runs, %s: %.1f%% of %u intervals hold %.4f\n", what, runs, log_estimates[k], 100.0 * held,
               repetitions(), truth);
        assert_that(held >= promised - (repetitions() < 1000 ? chance : 0.0), "%s, %s: %.3f", what, log_estimates[k],
                    held);
    }
}

static posse *make_fixed(const posse_environment *e) {
    return alone_made(e, &by_sight);
}

static posse *make_learning(const posse_environment *e) {
    static const posse_part pair[] = {{.kind = "ucb", .name = "bold", .options = {NUMBER("width", 1.0)}},
                                      {.kind = "ucb", .name = "timid", .options = {NUMBER("width", 0.2)}}};
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){.kind = "ucb"};
    def.learners = pair;
    def.learner_count = 2;
    return posse_made(&def);
}

LAW(intervals_hold_the_value_of_a_fixed_policy) {
    expect_coverage("fixed", make_fixed, value_by_sight(), 1, 1000, 0.93);
}

#define LEARNING_ROWS 2000

/* Approximately what the posse earns in a round, over the number of rows that it accepts. */
static double value_of_learning(void) {
    static history l;
    draw_history(&l, 50, 1, 0);
    posse_environment *e = log_made(&l, "replay");
    posse *p = make_learning(e);
    moments truth = earned(p, (uint64_t)(LOG_LEAST * LEARNING_ROWS), 4000);
    posse_free(p);
    posse_environment_free(e);
    return moments_mean(&truth);
}

LAW(intervals_hold_the_value_of_a_posse_that_learns) {
    expect_coverage("learning", make_learning, value_of_learning(), 5, LEARNING_ROWS, 0.93);
}

/* Two arms are nearly equally good, and chance decides which one the posse settles on. The rows of one run do not
 * show this variance, so the interval is too narrow. */
LAW(intervals_of_a_single_run_know_nothing_of_its_luck) {
    expect_coverage("learning", make_learning, value_of_learning(), 1, LEARNING_ROWS, 0.8);
}

LAW(ratio_of_equal_rows_is_exact) {
    ratio r = {0};
    for (int i = 1; i < 10; i++) ratio_add(&r, 0.1 * i, (double)i), ratio_add(&r, 0.0, 0.0);
    assert_close(ratio_value(&r), 0.1, 1e-16);
    assert_true(ratio_variance(&r) < 1e-32);
    assert_close(ratio_effective(&r), 45.0 * 45.0 / 285.0, 1e-12);
    ratio none = {0};
    assert_true(isnan(ratio_value(&none)) && isnan(ratio_variance(&none)) && ratio_effective(&none) == 0.0);
}

/* With all weights 1, the ratio is the mean with its usual standard error. Here it is compared with the two-pass
 * formulas. */
LAW(ratio_is_the_two_pass_formula) {
    static const double terms[] = {3.0, -1.0, 4.0, 1.5, 9.0, 2.0}, weights[] = {1.0, 2.0, 0.5, 1.0, 3.0, 2.5};
    ratio r = {0};
    double t = 0.0, w = 0.0, squares = 0.0;
    for (int i = 0; i < LENGTH(terms); i++) ratio_add(&r, terms[i], weights[i]), t += terms[i], w += weights[i];
    for (int i = 0; i < LENGTH(terms); i++) squares += pow(terms[i] - t / w * weights[i], 2.0);
    assert_close(ratio_value(&r), t / w, 1e-14);
    assert_close(ratio_variance(&r), 6.0 / 5.0 * squares / (w * w), 1e-14);
}
