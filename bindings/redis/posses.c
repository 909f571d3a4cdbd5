/* SPDX-License-Identifier: MIT */
/*
 * Creates posses, and adds and retires their learners and arms.
 *   POSSE.CREATE key json
 *   POSSE.LEARNER ADD key json | RETIRE key name
 *   POSSE.ARM ADD key [point] | RETIRE key arm
 * Commands that masters send to their replicas and to the log:
 *   POSSE.RESTORE key bytes [REPLACE]
 *   POSSE.EPOCH key epoch
 */
#include <string.h>
#include <unistd.h>

#include "engine/context.h"
#include "engine/cost.h"
#include "engine/description.h"
#include "redis/arguments.h"
#include "redis/module.h"
#include "redis/words.h"

/* ----------------------------------------------------- creating -------------------------------------------------- */

static void posses_place(held *h, value *v) {
    RedisModule_ModuleTypeSetValue(h->key, value_type, v);
    h->value = v;
}

/* Replicas get the value and not the command, because secret and epoch are random. */
static int tell_created(held *h) {
    size_t length = 0;
    char *bytes = value_write(h->value, &length);
    if (bytes == NULL) {
        value_free(h->value);
        return words_answer_error(h->ctx, POSSE_ERROR_MEMORY);
    }
    posses_place(h, h->value);
    key_signal(h);
    RedisModule_Replicate(h->ctx, "POSSE.RESTORE", "sb", h->name, bytes, length);
    RedisModule_NotifyKeyspaceEvent(h->ctx, REDISMODULE_NOTIFY_MODULE, "posse.create", h->name);
    value_release(bytes);
    return RedisModule_ReplyWithSimpleString(h->ctx, "OK");
}

static bool is_key(const RedisModuleString *key, const char *name) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(key, &length);
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

/* The name of a posse is its key. A description that was written for HTTP may say the same. */
static bool is_named(const held *h, const description *d) {
    if (d->name == NULL || is_key(h->name, d->name)) return true;
    words_say("name", "the name of a posse in Redis is its key: leave it out");
    return false;
}

static bool is_for_redis(const description *d) {
    if (d->expire_seconds > 0)
        words_say("expire_seconds", "there is no clock here, which replicas would have to share: use expire_after, or "
                                    "call POSSE.EXPIRE now and then");
    if (d->records) words_say("record", "Redis keeps no record of decisions: listen to keyspace events, or use HTTP");
    return d->expire_seconds == 0 && !d->records;
}

static int posses_create(held *h, const char *text, size_t length, pool *memory) {
    description d;
    posse_error error;
    bool fine = memory != NULL && description_read_nameless(text, length, memory, words_list(), &d);
    if (!fine || !is_for_redis(&d) || !is_named(h, &d))
        return words_answer(h->ctx, "ERR", "there is not enough memory");
    words_are_about(d.root, false);
    value_limit(module_bytes_max);
    value *v = value_create(&d.def, &error);
    words_are_about(NULL, false);
    value_limit(SIZE_MAX);
    if (v == NULL) return words_answer_error(h->ctx, error);
    if (cost_is_too_large(v->posse)) {
        value_free(v);
        words_say("propensity_draws", COST_MESSAGE);
        return words_answer(h->ctx, "ERR", "");
    }
    if (getentropy(v->secret, sizeof v->secret) != 0 || !key_draw_epoch(v)) {
        value_free(v);
        return RedisModule_ReplyWithError(h->ctx, "ERR the system has no random numbers");
    }
    v->generation = module_generation;
    h->value = v;
    return tell_created(h);
}

int command_create(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    if (argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open_new(&h, ctx, argv[1])) return REDISMODULE_OK;
    const char *text = RedisModule_StringPtrLen(argv[2], &length);
    pool *memory = pool_create(NULL);
    int status = posses_create(&h, text, length, memory);
    pool_free(memory);
    key_close(&h);
    return status;
}

int command_restore(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    posse_error error;
    bool replaces = argc == 4 && argument_is(argv[3], "REPLACE");
    if (argc != 3 && !replaces) return RedisModule_WrongArity(ctx);
    if (!(replaces ? key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE) : key_open_new(&h, ctx, argv[1])))
        return REDISMODULE_OK;
    const char *bytes = RedisModule_StringPtrLen(argv[2], &length);
    int status = REDISMODULE_OK;
    if (key_is_asked(ctx)) value_limit(module_bytes_max);
    value *v = value_read(bytes, length, &error);
    value_limit(SIZE_MAX);
    if (v == NULL)
        status = words_answer_error(ctx, error);
    else {
        posses_place(&h, v);
        key_changed(&h, "posse.restore");
        RedisModule_ReplyWithSimpleString(ctx, "OK");
    }
    key_close(&h);
    return status;
}

int command_epoch(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    long long epoch;
    if (argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = REDISMODULE_OK;
    if (!argument_whole(argv[2], "the epoch", 1, INT32_MAX, &epoch))
        status = words_answer(ctx, "ERR", "");
    else if (value_begin_epoch(h.value, (uint32_t)epoch) != POSSE_OK)
        status = RedisModule_ReplyWithError(ctx, "CONFLICT there was an epoch of this number");
    else {
        key_changed(&h, "posse.epoch");
        RedisModule_ReplyWithSimpleString(ctx, "OK");
    }
    key_close(&h);
    return status;
}

/* ----------------------------------------------- learners and arms ----------------------------------------------- */

/* A command with a subcommand, behind which its key is. */
typedef int (*changer)(held *h, RedisModuleString **argv, int argc);

static int posses_change(RedisModuleCtx *ctx, RedisModuleString **argv, int argc, int least, changer how) {
    held h;
    if (argc < least || argc > 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[2], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    if (key_is_asked(ctx)) value_limit(module_bytes_max);
    int status = how(&h, argv + 3, argc - 3);
    value_limit(SIZE_MAX);
    key_close(&h);
    return status;
}

static int answer_changed(held *h, const char *event, long long number) {
    key_changed(h, event);
    return RedisModule_ReplyWithLongLong(h->ctx, number);
}

static int add_described(held *h, const char *text, size_t length, pool *memory) {
    const node *root;
    posse_part learner;
    int at;
    if (memory == NULL ||
        !description_read_learner(text, length, h->value->posse, memory, words_list(), &root, &learner))
        return words_answer(h->ctx, "ERR", "there is not enough memory");
    words_are_about(root, true);
    posse_error error = posse_learner_add(h->value->posse, &learner, &at);
    words_are_about(NULL, false);
    if (error != POSSE_OK) return words_answer_error(h->ctx, error);
    return answer_changed(h, "posse.learner.add", at);
}

static int posses_add_learner(held *h, RedisModuleString **argv, int argc) {
    (void)argc;
    size_t length;
    const char *text = RedisModule_StringPtrLen(argv[0], &length);
    pool *memory = pool_create(NULL);
    int status = add_described(h, text, length, memory);
    pool_free(memory);
    return status;
}

static int posses_find_learner(const posse *p, const char *name, size_t length) {
    for (int i = 0; i < posse_learner_count(p); i++) {
        const char *other = posse_learner_name(p, i);
        if (strlen(other) == length && memcmp(other, name, length) == 0) return i;
    }
    return -1;
}

static int posses_retire_learner(held *h, RedisModuleString **argv, int argc) {
    (void)argc;
    size_t length;
    const char *name = RedisModule_StringPtrLen(argv[0], &length);
    int at = posses_find_learner(h->value->posse, name, length);
    if (at < 0) {
        words_say("", "there is no learner \"%.100s\"", name);
        return words_answer(h->ctx, "ERR", "");
    }
    if (!posse_learner_active(h->value->posse, at)) return RedisModule_ReplyWithLongLong(h->ctx, 0); /* repeated */
    posse_error error = posse_learner_retire(h->value->posse, at);
    if (error == POSSE_ERROR_LEARNER)
        return RedisModule_ReplyWithError(h->ctx, "CONFLICT the last active learner cannot be retired");
    if (error != POSSE_OK) return words_answer_error(h->ctx, error);
    return answer_changed(h, "posse.learner.retire", 1);
}

static int posses_add_arm(held *h, RedisModuleString **argv, int argc) {
    const posse *p = h->value->posse;
    bool needed = posse_dim(p) > 0 && posse_feature_count(p) == 0;
    pool *memory = pool_create(NULL);
    arm_argument arm = {0};
    int number, status;
    posse_error error = POSSE_ERROR_MEMORY;
    if (needed != (argc == 1))
        words_say("", needed ? "the point of the arm is needed, [0.5, 0.1]" : "arms of this posse have no points");
    else if (memory != NULL && needed && !argument_arm(argv[0], p, memory, &arm))
        error = POSSE_ERROR_ARGUMENT;
    else if (memory != NULL && needed && arm.point == NULL)
        words_say("", "the point of the arm is needed, [0.5, 0.1]");
    else if (memory != NULL)
        error = posse_arm_add(h->value->posse, arm.point, &number);
    bool said = words_list()->count > 0;
    if (error == POSSE_OK)
        status = answer_changed(h, "posse.arm.add", number);
    else
        status = said ? words_answer(h->ctx, "ERR", "") : words_answer_error(h->ctx, error);
    pool_free(memory);
    return status;
}

static int posses_retire_arm(held *h, RedisModuleString **argv, int argc) {
    (void)argc;
    posse *p = h->value->posse;
    long long arm;
    if (!argument_whole(argv[0], "the arm", 0, posse_arm_count(p) - 1, &arm)) return words_answer(h->ctx, "ERR", "");
    if (!posse_arm_active(p, (int)arm)) return RedisModule_ReplyWithLongLong(h->ctx, 0); /* repeated */
    posse_error error = posse_arm_retire(p, (int)arm);
    if (error == POSSE_ERROR_ARM)
        return RedisModule_ReplyWithError(h->ctx, "CONFLICT the last active arm cannot be retired");
    if (error != POSSE_OK) return words_answer_error(h->ctx, error);
    return answer_changed(h, "posse.arm.retire", 1);
}

int command_learner_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return posses_change(ctx, argv, argc, 4, posses_add_learner);
}

int command_learner_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return posses_change(ctx, argv, argc, 4, posses_retire_learner);
}

int command_arm_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return posses_change(ctx, argv, argc, 3, posses_add_arm);
}

int command_arm_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return posses_change(ctx, argv, argc, 4, posses_retire_arm);
}

static int posses_help(RedisModuleCtx *ctx, const char *const *lines, int count) {
    RedisModule_ReplyWithArray(ctx, count);
    for (int i = 0; i < count; i++) RedisModule_ReplyWithSimpleString(ctx, lines[i]);
    return REDISMODULE_OK;
}

int command_learner_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    static const char *const lines[] = {
        "POSSE.LEARNER <subcommand> [<arg> ...]. Subcommands are:",
        "ADD <key> <json>",
        "    Add a learner, such as {\"kind\": \"ucb\", \"name\": \"bold\"}, and return its place.",
        "RETIRE <key> <name>",
        "    Retire a learner. Return 1, or 0 if it was retired before.",
        "HELP",
        "    Print this help."};
    (void)argv, (void)argc;
    return posses_help(ctx, lines, sizeof lines / sizeof *lines);
}

int command_arm_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    static const char *const lines[] = {
        "POSSE.ARM <subcommand> [<arg> ...]. Subcommands are:",
        "ADD <key> [<point>]",
        "    Add an arm, with its point [0.5, 0.1] if arms are points, and return its number.",
        "RETIRE <key> <arm>",
        "    Retire an arm. Return 1, or 0 if it was retired before.",
        "HELP",
        "    Print this help."};
    (void)argv, (void)argc;
    return posses_help(ctx, lines, sizeof lines / sizeof *lines);
}
