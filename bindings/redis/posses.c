/* SPDX-License-Identifier: MIT */
/*
 * Creates posses, and adds and retires their learners and arms.
 *   POSSE.CREATE key json
 *   POSSE.LEARNER ADD key json | RETIRE key name
 *   POSSE.ARM ADD key [point] [NAME name] | RETIRE key arm
 * Commands that masters send to their replicas and to the log:
 *   POSSE.RESTORE key bytes [REPLACE]
 *   POSSE.EPOCH key epoch
 */
#include <string.h>
#include <unistd.h>

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
        return words_refuse_error(h->ctx, POSSE_ERROR_MEMORY);
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
    serving_say(&module_serving, SERVED_WRONG, "name", "the name of a posse in Redis is its key: leave it out");
    return false;
}

static bool is_for_redis(const description *d) {
    if (d->expire_seconds > 0)
        serving_say(&module_serving, SERVED_WRONG, "expire_seconds",
                    "there is no clock here, which replicas would have to share: use expire_after, or "
                    "call POSSE.EXPIRE now and then");
    if (d->records)
        serving_say(&module_serving, SERVED_WRONG, "record",
                    "Redis keeps no record of decisions: listen to keyspace events, or use HTTP");
    return d->expire_seconds == 0 && !d->records;
}

static int posses_create(held *h, const char *text, size_t length, pool *memory) {
    description d;
    value *v;
    bool fine = memory != NULL &&
                description_read_nameless(text, length, memory, serving_problems(&module_serving), &d) &&
                is_for_redis(&d) && is_named(h, &d);
    served_status status = fine ? value_create(&d, &v) : SERVED_WRONG;
    if (status != SERVED_DONE) return words_refuse(h->ctx, status);
    if (getentropy(v->served.key, sizeof v->served.key) != 0 || !key_draw_epoch(v)) {
        value_free(v);
        return RedisModule_ReplyWithError(h->ctx, "ERR the system has no random numbers");
    }
    v->generation = module_generation;
    h->value = v;
    return tell_created(h);
}

int redis_create(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
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

int redis_restore(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    posse_error error;
    bool replaces = argc == 4 && argument_is(argv[3], "REPLACE");
    if (argc != 3 && !replaces) return RedisModule_WrongArity(ctx);
    if (!(replaces ? key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE) : key_open_new(&h, ctx, argv[1])))
        return REDISMODULE_OK;
    const char *bytes = RedisModule_StringPtrLen(argv[2], &length);
    int status = REDISMODULE_OK;
    module_serving.bounded = !module_serving.unlimited;
    value *v = value_read(bytes, length, &error);
    module_serving.bounded = false;
    if (v == NULL)
        status = words_refuse_error(ctx, error);
    else {
        posses_place(&h, v);
        key_changed(&h, "posse.restore");
        RedisModule_ReplyWithSimpleString(ctx, "OK");
    }
    key_close(&h);
    return status;
}

int redis_epoch(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    long long epoch;
    if (argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = REDISMODULE_OK;
    if (!argument_integer(argv[2], "the epoch", 1, INT32_MAX, &epoch))
        status = words_refuse(ctx, SERVED_WRONG);
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

/* These commands have a subcommand, behind which their key is. */

int redis_learner_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    int place;
    if (argc != 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[2], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    const char *text = RedisModule_StringPtrLen(argv[3], &length);
    served_status status = served_learner_add(&module_serving, &h.value->served, text, length, &place);
    if (key_finish(&h, status, "posse.learner.add")) RedisModule_ReplyWithLongLong(ctx, place);
    return REDISMODULE_OK;
}

int redis_learner_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    if (argc != 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[2], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    const char *name = RedisModule_StringPtrLen(argv[3], &length);
    served_status status = served_learner_retire(&module_serving, &h.value->served, name, length);
    if (key_finish(&h, status, "posse.learner.retire")) RedisModule_ReplyWithLongLong(ctx, module_serving.changed);
    return REDISMODULE_OK;
}

int redis_arm_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    int arm;
    bool named = argc >= 5 && argument_is(argv[argc - 2], "NAME"), pointed = argc - 2 * named == 4;
    const char *name = NULL;
    if (argc - 2 * named != 3 && !pointed) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[2], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    json_t *point = pointed ? argument_json(h.value->served.posse, argv[3], "the point", 1) : NULL;
    served_status status = SERVED_WRONG;
    if ((!pointed || point != NULL) && (!named || argument_arm_name(argv[argc - 1], &name)))
        status = served_arm_add(&module_serving, &h.value->served, name, point, &arm);
    json_decref(point);
    if (key_finish(&h, status, "posse.arm.add")) RedisModule_ReplyWithLongLong(ctx, arm);
    return REDISMODULE_OK;
}

int redis_arm_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    int arm;
    const char *name;
    if (argc != 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[2], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    if (argument_arm_name(argv[3], &name)) status = served_find_arm(&module_serving, &h.value->served, name, &arm);
    if (status == SERVED_DONE) status = served_arm_retire(&module_serving, &h.value->served, arm);
    if (key_finish(&h, status, "posse.arm.retire")) RedisModule_ReplyWithLongLong(ctx, module_serving.changed);
    return REDISMODULE_OK;
}

static int posses_help(RedisModuleCtx *ctx, const char *const *lines, int count) {
    RedisModule_ReplyWithArray(ctx, count);
    for (int i = 0; i < count; i++) RedisModule_ReplyWithSimpleString(ctx, lines[i]);
    return REDISMODULE_OK;
}

int redis_learner_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
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

int redis_arm_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    static const char *const lines[] = {
        "POSSE.ARM <subcommand> [<arg> ...]. Subcommands are:",
        "ADD <key> [<point>] [NAME <name>]",
        "    Add an arm, with its point [0.5, 0.1] if arms are points, and return its number.",
        "RETIRE <key> <arm>",
        "    Retire an arm, by its name if arms have names. Return 1, or 0 if it was retired before.",
        "HELP",
        "    Print this help."};
    (void)argv, (void)argc;
    return posses_help(ctx, lines, sizeof lines / sizeof *lines);
}
