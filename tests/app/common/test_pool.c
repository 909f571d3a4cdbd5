/* SPDX-License-Identifier: MIT */
/*
 * Pools, and reading an experiment into one. Every allocation may fail: the reader survives that, and reports another
 * status than for a wrong file.
 */
#include "common/pool.h"

#include <string.h>

#include "experiment/read/reader.h"
#include "law.h"
#include "menagerie.h"

LAW(a_pool_that_failed_once_has_no_memory_any_more) {
    purse own = {.limit = 10000};
    posse_allocator allocator = purse_host(&own).allocator;
    pool *p = pool_create(&allocator);
    assert_non_null(p);
    char *zeros = pool_allocate(p, 100);
    for (int i = 0; i < 100; i++) assert_int_equal(zeros[i], 0);
    assert_string_equal(pool_copy(p, "abcdef", 3), "abc");
    assert_string_equal(pool_format(p, "%d-%s", 7, "x"), "7-x");
    assert_false(pool_failed(p));
    assert_null(pool_allocate(p, 20000));
    assert_true(pool_failed(p));
    assert_null(pool_allocate(p, 1));
    assert_null(pool_copy(p, "a", 1));
    assert_null(pool_format(p, "a"));
    pool_free(p);
    assert_int_equal(own.blocks, 0);
    assert_true(pool_failed(NULL));
    pool_free(NULL);
}

LAW(no_size_is_too_large_to_be_refused) {
    pool *p = pool_create(NULL);
    assert_null(pool_allocate(p, SIZE_MAX));
    pool_free(p);
}

/* An experiment with every part that a file can have, right or wrong. */
static const char rich[] =
    "name: x\nrounds: 10\nruns: 2\nseed: 1\n"
    "title: 'all of it'\nsolo: true\n"
    "environment: {kind: linear, dim: 2, prior: {precision: 3}, arms: {points: [[1, 2], [3, 4], [5, 6]]}}\n"
    "learners:\n"
    "- {name: a, kind: linear-ucb}\n"
    "- {name: b, kind: linear-thompson, width: 2}\n"
    "- {name: t, kind: thompson, belief: {kind: gaussian, mean: [1, 2, 3]}}\n"
    "selectors:\n"
    "- {name: B, kind: bms, learners: [b, a]}\n"
    "- {name: C, kind: corral, range: [-1, 2]}\n"
    "- {name: D, kind: balancing, coefficients: [1, 2, 3]}\n"
    "- {name: M, kind: bms, belief: {kind: mixture, components: [{weight: 2, belief: environment},\n"
    "    {weight: 1, belief: {kind: linear, precision: 7}}]}}\n"
    "claims:\n- says: it is better\n  holds: regret(\"B\") < best_learner() and optimal(\"a\") > 0.1 * 2\n";
static const char wrong[] = "name: X\nrounds: 0\nruns: 2\nseed: ~\n"
                            "environment: {kind: gaussian, arms: 2, prior: {mena: 0}}\n"
                            "learners: [{name: u, kind: ubc}, {name: u, kind: ucb, width: -1, width: 2}, {kind: ucb}]\n"
                            "selectors: [{name: u, kind: bms, learners: [v]}]\nclaims: [{says: it, hold: 3}]\n";

/* Reads a text with an allocator that fails from the n-th call on, for n = 1, 2, .. until reading makes fewer calls. */
static void assert_memory_is_survived(const char *text, experiment_status status) {
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        purse own = {.fail_at = n};
        posse_allocator allocator = purse_host(&own).allocator;
        problems found;
        experiment *e;
        problems_open(&found, &allocator);
        experiment_status got = experiment_read_text("x", text, strlen(text), NULL, &allocator, &found, &e);
        assert_true((e != NULL) == (got == EXPERIMENT_FINE));
        experiment_free(e);
        problems_close(&found);
        assert_int_equal(own.blocks, 0);
        if (own.calls < n) {
            assert_int_equal(got, status);
            break;
        }
        assert_that(got == EXPERIMENT_MEMORY, "call %zu fails, and the status is %d", n, got);
        failures++;
    }
    assert_that(failures > 100, "only %zu allocations", failures);
}

LAW(reading_survives_every_lack_of_memory) {
    assert_memory_is_survived(rich, EXPERIMENT_FINE);
    assert_memory_is_survived(wrong, EXPERIMENT_WRONG);
}
