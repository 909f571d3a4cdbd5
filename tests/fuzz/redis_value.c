/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of values of Redis keys, with bytes that anyone may have written: the input alone, and the input in
 * front of a valid saved posse, so that not everything fails at the checksum of the posse. A value that is read must
 * work: look up any token, begin an epoch, decide, learn and forget, and be written and read again as the same bytes.
 * The seeds are written by test_redis_value; see fuzz_seeds_are_values there.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redis/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void *resize(void *block, size_t size) {
    if (size == 0) free(block);
    return size > 0 ? realloc(block, size) : NULL;
}

static void check_written(const value *v) {
    size_t length, again;
    posse_error error;
    char *bytes = value_write(v, &length);
    expect(bytes != NULL, "it cannot be written");
    value *twin = value_read(bytes, length, &error);
    expect(twin != NULL, "a written value cannot be read");
    char *other = value_write(twin, &again);
    expect(other != NULL && again == length && memcmp(other, bytes, length) == 0, "it is read as something else");
    value_release(bytes);
    value_release(other);
    value_free(twin);
}

static serving requests = {.store = &value_store, .units_max = 1e9, .pending_max = 100000};

static served_status settled(value *v, const char *text, size_t length, bool learns) {
    served_reward one = {.token = text, .token_length = length, .reward = 1.0};
    return served_work_do(&requests, &v->served,
                          &(served_work){.rewards = &one, .reward_count = 1, .forgets = !learns});
}

static void live(value *v, const char *text, size_t length) {
    posse_decision d;
    char token_text[TOKEN_TEXT + 1];
    settled(v, text, length, false);
    check_written(v);
    value_begin_epoch(v, 12345);
    for (int i = 0; i < 3 && posse_decide(v->served.posse, NULL, &d) == POSSE_OK; i++) {
        token_write(v->served.key, (token){d.id, d.arm}, token_text);
        if (settled(v, token_text, TOKEN_TEXT, i != 1) != SERVED_DONE) continue;
        expect(settled(v, token_text, TOKEN_TEXT, i != 1) == SERVED_DONE, "it cannot be repeated");
        expect(settled(v, token_text, TOKEN_TEXT, i == 1) == SERVED_CONFLICT, "it is settled in two ways");
    }
    check_written(v);
}

static void try_bytes(const char *bytes, size_t length, const uint8_t *data, size_t size) {
    posse_error error;
    value *v = value_read(bytes, length, &error);
    expect((v != NULL) == (error == POSSE_OK), "it is refused without an error");
    if (v != NULL) live(v, (const char *)data, size);
    value_free(v);
}

/* The bytes of a valid posse, as posse_save writes them. */
static const char *sound(size_t *length) {
    static char bytes[16384];
    static size_t saved;
    *length = saved;
    if (saved > 0) return bytes;
    posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    posse_def def = posse_default_def();
    def.arms = 3;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 2;
    posse *p;
    posse_decision d;
    saved = sizeof bytes;
    expect(posse_create(&def, &p) == POSSE_OK && posse_decide(p, NULL, &d) == POSSE_OK, "no posse");
    expect(posse_save(p, bytes, &saved) == POSSE_OK, "it is too large");
    posse_free(p);
    *length = saved;
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const value_memory memory = {resize, malloc_usable_size, (size_t)64 << 20};
    size_t length;
    const char *behind = sound(&length);
    value_set_up(&memory, &requests);
    serving_begin(&requests);
    requests.bounded = true;
    char *whole = malloc(size + length + 1);
    if (whole == NULL) return 0;
    if (size > 0) memcpy(whole, data, size);
    memcpy(whole + size, behind, length);
    try_bytes(whole, size + length, data, size);
    char *alone = malloc(size > 0 ? size : 1); /* of the exact size, so that a sanitizer notices reads behind it */
    if (alone != NULL && size > 0) memcpy(alone, data, size);
    if (alone != NULL) try_bytes(alone, size, data, size);
    free(alone);
    free(whole);
    return 0;
}
