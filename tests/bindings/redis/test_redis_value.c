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

static serving requests = {.store = &value_store, .units_max = 1e9, .pending_max = 100000};

static served_status made(value **out) {
    static const value_memory memory = {resize, malloc_usable_size, 100};
    static posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    description d = {.def = posse_default_def()};
    d.def.arms = 4;
    d.def.prior = (posse_part){.kind = "beta"};
    d.def.learners = learners;
    d.def.learner_count = 2;
    value_set_up(&memory, &requests);
    serving_begin(&requests);
    requests.unlimited = true; /* by the bytes of a value */
    served_status status = value_create(&d, out);
    requests.unlimited = false;
    for (int i = 0; *out != NULL && i < SIPHASH_KEY; i++) (*out)->served.key[i] = (uint8_t)i;
    return status;
}

static value *fresh(void) {
    value *v;
    patience = -1;
    assert_int_equal(made(&v), SERVED_DONE);
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
    assert_int_equal(posse_decide(v->served.posse, NULL, &d), POSSE_OK);
    g.id = d.id;
    token_write(v->served.key, (token){d.id, d.arm}, g.token);
    return g;
}

enum { PENDING = -1 };

/* What became of a decision, and its reward if that is stored. */
static int looked_up(const value *v, const given *g, double *reward) {
    posse_pending pending;
    const char *why = NULL;
    *reward = NAN;
    if (posse_pending_find(v->served.posse, g->id, &pending) == POSSE_OK) return PENDING;
    return (int)value_store.find_past(&requests, &v->served, g->id, reward, &why);
}

static served_reward said(const given *g, double reward) {
    return (served_reward){.token = g->token, .token_length = TOKEN_TEXT, .reward = reward};
}

static served_status learned(value *v, const given *g, double reward) {
    served_reward one = said(g, reward);
    return served_work_do(&requests, &v->served, &(served_work){.rewards = &one, .reward_count = 1});
}

static served_status forgotten(value *v, const given *g) {
    served_reward one = said(g, NAN);
    return served_work_do(&requests, &v->served, &(served_work){.rewards = &one, .reward_count = 1, .forgets = true});
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
    double reward;
    value *v = fresh();
    given first = decided(v), second = decided(v), third = decided(v);
    assert_int_equal(looked_up(v, &first, &reward), PENDING);
    assert_int_equal(learned(v, &first, 0.5), SERVED_DONE);
    assert_int_equal(forgotten(v, &second), SERVED_DONE);
    value *twin = reread(v);
    for (int i = 0; i < 2; i++) {
        value *one = i == 0 ? v : twin;
        assert_int_equal(looked_up(one, &first, &reward), PAST_LEARNED);
        assert_true(reward == 0.5);
        assert_int_equal(looked_up(one, &second, &reward), PAST_FORGOTTEN);
        assert_int_equal(looked_up(one, &third, &reward), PENDING);
        assert_int_equal(learned(one, &first, 0.5), SERVED_DONE);
        assert_int_equal(learned(one, &first, 1.0), SERVED_CONFLICT);
        assert_int_equal(learned(one, &second, 1.0), SERVED_CONFLICT);
        assert_int_equal(forgotten(one, &first), SERVED_CONFLICT);
    }
    third.token[3] ^= 1;
    assert_int_equal(learned(v, &third, 1.0), SERVED_TOKEN);
    value_free(twin);
    value_free(v);
    serving_close(&requests);
}

/* More than twice the settlements that fit. The value of the latest ones is remembered; of older ones only that they
 * are settled. */
LAW(the_latest_settlements_are_remembered) {
    enum { COUNT = 2 * SETTLED_MAX + 5 };
    double reward;
    given all[COUNT];
    value *v = fresh();
    for (int i = 0; i < COUNT; i++) {
        all[i] = decided(v);
        assert_int_equal(learned(v, &all[i], (double)i / COUNT), SERVED_DONE);
        value *twin = reread(v);
        for (int k = 0; k <= i; k++) {
            bool known = k > i - SETTLED_MAX;
            int past = looked_up(twin, &all[k], &reward);
            assert_that(past == (known ? (int)PAST_LEARNED : (int)PAST_SETTLED), "of %d, %d is %d", i, k, past);
            assert_true(!known || reward == (double)k / COUNT);
        }
        value_free(twin);
    }
    value_free(v);
    serving_close(&requests);
}

/* A copy from before the last decisions continues in a new epoch, and makes these decisions again under other ids. */
LAW(what_a_copy_does_not_know_is_lost) {
    double reward;
    value *v = fresh();
    given before = decided(v), settled = decided(v);
    assert_int_equal(learned(v, &settled, 1.0), SERVED_DONE);
    value *copy = reread(v);
    given lost = decided(v);
    for (uint32_t epoch = 100; epoch < 100 + EPOCHS_MAX; epoch++) {
        assert_int_equal(value_begin_epoch(copy, epoch), POSSE_OK);
        assert_int_equal(value_begin_epoch(copy, epoch), POSSE_ERROR_ARGUMENT);
        given again = decided(copy);
        assert_int_equal(looked_up(copy, &again, &reward), PENDING);
        assert_int_equal(looked_up(v, &again, &reward), PAST_LOST);
        assert_int_equal(looked_up(copy, &lost, &reward), PAST_LOST);
        assert_int_equal(learned(copy, &lost, 1.0), SERVED_LOST);
        assert_int_equal(looked_up(copy, &before, &reward), PENDING);
        assert_int_equal(looked_up(copy, &settled, &reward), PAST_LEARNED);
    }
    assert_int_equal(value_begin_epoch(copy, 7), POSSE_ERROR_ARGUMENT); /* some of its decisions are pending */
    value_free(copy);
    value_free(v);
    serving_close(&requests);
}

LAW(a_value_without_memory_changes_nothing) {
    double reward;
    served_status status = SERVED_DOWN;
    for (long blocks = 0; status != SERVED_DONE; blocks++) {
        value *v;
        patience = blocks;
        status = made(&v);
        assert_int_equal(status, v == NULL ? SERVED_DOWN : SERVED_DONE);
        value_free(v);
    }
    value *v = fresh();
    given g = decided(v);
    patience = 0;
    assert_int_equal(learned(v, &g, 1.0), SERVED_DOWN);
    assert_int_equal(looked_up(v, &g, &reward), PENDING);
    size_t length;
    assert_null(value_write(v, &length));
    patience = -1;
    char *bytes = value_write(v, &length);
    posse_error error;
    requests.bounded = true;
    assert_null(value_read(bytes, length, &error));
    assert_int_equal(error, POSSE_ERROR_MEMORY);
    requests.bounded = false;
    value_release(bytes);
    value_free(v);
    serving_close(&requests);
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
    for (int i = 0; i < 4; i++) {
        given g = decided(v);
        assert_int_equal(i < 3 ? learned(v, &g, 1.0) : forgotten(v, &g), SERVED_DONE);
    }
    assert_int_equal(value_begin_epoch(v, 8), POSSE_OK);
    decided(v);
    size_t length, saved = 0;
    char *bytes = value_write(v, &length);
    assert_int_equal(posse_save(v->served.posse, NULL, &saved), POSSE_OK);
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
