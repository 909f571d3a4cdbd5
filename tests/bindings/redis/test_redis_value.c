/* SPDX-License-Identifier: MIT */
/*
 * Tests of the value of a Redis key: which rewards are repetitions, which are lost, and that a value survives being
 * written and read.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"
#include "redis/value.h"

static long patience; /* how many allocations succeed; below 0: all */

static void *resize(void *block, size_t size) {
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (patience == 0) return NULL;
    if (patience > 0) patience--;
    return realloc(block, size);
}

static posse_error made(value **out) {
    static const value_memory memory = {resize, malloc_usable_size};
    static posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    posse_def def = posse_default_def();
    posse_error error = POSSE_OK;
    def.arms = 4;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 2;
    value_set_up(&memory, &(posse_logger){0});
    *out = value_create(&def, &error);
    for (int i = 0; *out != NULL && i < SIPHASH_KEY; i++) (*out)->secret[i] = (uint8_t)i;
    return error;
}

static value *fresh(void) {
    value *v;
    patience = -1;
    assert_int_equal(made(&v), POSSE_OK);
    assert_int_equal(value_begin_epoch(v, 7), POSSE_OK);
    return v;
}

typedef struct given {
    uint64_t id;
    char token[TOKEN_TEXT + 1];
} given;

static given decided(value *v) {
    given g;
    posse_decision d;
    assert_int_equal(posse_decide(v->posse, NULL, &d), POSSE_OK);
    g.id = d.id;
    token_write(v->secret, (token){d.id, d.arm}, g.token);
    return g;
}

static fate looked_up(const value *v, const given *g, finding *f) {
    return value_find(v, g->token, TOKEN_TEXT, f);
}

static value *reread(const value *v) {
    size_t length, again;
    posse_error error;
    char *bytes = value_write(v, &length);
    value *twin = value_read(bytes, length, &error);
    assert_int_equal(error, POSSE_OK);
    char *other = value_write(twin, &again);
    assert_true(again == length && memcmp(bytes, other, length) == 0);
    value_release(bytes);
    value_release(other);
    return twin;
}

LAW(every_decision_has_one_fate) {
    finding f;
    value *v = fresh();
    given first = decided(v), second = decided(v), third = decided(v);
    assert_int_equal(looked_up(v, &first, &f), FATE_PENDING);
    assert_int_equal(value_learn(v, first.id, 0.5), POSSE_OK);
    assert_int_equal(value_forget(v, second.id), POSSE_OK);
    value *twin = reread(v);
    for (int i = 0; i < 2; i++) {
        const value *one = i == 0 ? v : twin;
        assert_int_equal(looked_up(one, &first, &f), FATE_SETTLED);
        assert_true(f.known && f.reward == 0.5);
        assert_int_equal(looked_up(one, &second, &f), FATE_SETTLED);
        assert_true(f.known && isnan(f.reward));
        assert_int_equal(looked_up(one, &third, &f), FATE_PENDING);
        assert_int_equal(f.id, third.id);
    }
    third.token[3] ^= 1;
    assert_int_not_equal(looked_up(v, &third, &f), FATE_PENDING);
    value_free(twin);
    value_free(v);
}

/* More than twice the settlements that fit. The value of the latest ones is remembered; of older ones only that they
 * are settled. */
LAW(the_latest_settlements_are_remembered) {
    enum { COUNT = 2 * SETTLED_MAX + 5 };
    finding f;
    given all[COUNT];
    value *v = fresh();
    for (int i = 0; i < COUNT; i++) {
        all[i] = decided(v);
        assert_int_equal(value_learn(v, all[i].id, (double)i / COUNT), POSSE_OK);
        value *twin = reread(v);
        for (int k = 0; k <= i; k++) {
            bool known = k > i - SETTLED_MAX;
            assert_int_equal(looked_up(twin, &all[k], &f), FATE_SETTLED);
            assert_that(f.known == known, "of %d, %d is %sremembered", i, k, known ? "not " : "");
            assert_true(!known || f.reward == (double)k / COUNT);
        }
        value_free(twin);
    }
    value_free(v);
}

/* A copy from before the last decisions continues in a new epoch, and makes these decisions again under other ids. */
LAW(what_a_copy_does_not_know_is_lost) {
    finding f;
    value *v = fresh();
    given before = decided(v), settled = decided(v);
    assert_int_equal(value_learn(v, settled.id, 1.0), POSSE_OK);
    value *copy = reread(v);
    given lost = decided(v);
    for (uint32_t epoch = 100; epoch < 100 + EPOCHS_MAX; epoch++) {
        assert_int_equal(value_begin_epoch(copy, epoch), POSSE_OK);
        assert_int_equal(value_begin_epoch(copy, epoch), POSSE_ERROR_ARGUMENT);
        given again = decided(copy);
        assert_int_equal(looked_up(copy, &again, &f), FATE_PENDING);
        assert_int_equal(looked_up(v, &again, &f), FATE_LOST);
        assert_int_equal(looked_up(copy, &lost, &f), FATE_LOST);
        assert_int_equal(looked_up(copy, &before, &f), FATE_PENDING);
        assert_int_equal(looked_up(copy, &settled, &f), FATE_SETTLED);
    }
    assert_int_equal(value_begin_epoch(copy, 7), POSSE_ERROR_ARGUMENT); /* some of its decisions are pending */
    value_free(copy);
    value_free(v);
}

LAW(a_value_without_memory_changes_nothing) {
    finding f;
    posse_error error = POSSE_ERROR_MEMORY;
    for (long blocks = 0; error != POSSE_OK; blocks++) {
        value *v;
        patience = blocks;
        error = made(&v);
        assert_int_equal(error, v == NULL ? POSSE_ERROR_MEMORY : POSSE_OK);
        value_free(v);
    }
    value *v = fresh();
    given g = decided(v);
    patience = 0;
    assert_int_equal(value_learn(v, g.id, 1.0), POSSE_ERROR_MEMORY);
    assert_int_equal(looked_up(v, &g, &f), FATE_PENDING);
    size_t length;
    assert_null(value_write(v, &length));
    patience = -1;
    value_limit(100);
    value *twin;
    assert_int_equal(made(&twin), POSSE_ERROR_MEMORY);
    value_limit(SIZE_MAX);
    value_free(v);
}

LAW(memory_is_counted) {
    value *v = fresh();
    size_t before = v->bytes;
    assert_true(before > 500);
    for (int i = 0; i < 5000; i++) decided(v);
    assert_true(v->bytes > before + 5000 * 16);
    value_free(v);
}

/* With POSSE_SEEDS in the environment the seeds of the fuzz target are written there: the front of a value, with epochs
 * and settlements, and a whole one. */
LAW(fuzz_seeds_are_values) {
    value *v = fresh();
    for (int i = 0; i < 3; i++) assert_int_equal(value_learn(v, decided(v).id, 1.0), POSSE_OK);
    assert_int_equal(value_forget(v, decided(v).id), POSSE_OK);
    assert_int_equal(value_begin_epoch(v, 8), POSSE_OK);
    decided(v);
    size_t length, saved = 0;
    char *bytes = value_write(v, &length);
    assert_int_equal(posse_save(v->posse, NULL, &saved), POSSE_OK);
    const char *folder = getenv("POSSE_SEEDS");
    const size_t sizes[] = {length - saved, length};
    for (int i = 0; folder != NULL && i < 2; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "front" : "whole");
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(bytes, 1, sizes[i], out), sizes[i]);
        assert_int_equal(fclose(out), 0);
    }
    value_release(bytes);
    value_free(v);
}
