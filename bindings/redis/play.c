/* SPDX-License-Identifier: MIT */
/*
 * Plays of external learners, plays that no decision asked for, and tasks. An arm is its name, or its number where arms
 * have no names, or [0.5, 0.1] on the ball. POSSE.ACTED key token arm [CONTEXT json] POSSE.TEACH key arm reward
 * [CONTEXT json] POSSE.TEACH key PLAYS json POSSE.NEXTTASK key
 */
#include "redis/arguments.h"
#include "redis/module.h"
#include "served/cost.h"

int redis_acted(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    bool again = false;
    served_reward which = {.path_whole = true};
    served_play play = {0};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    which.token = RedisModule_StringPtrLen(argv[2], &which.token_length);
    if (argument_play(h.value->served.posse, argv[3], argv + 4, argc - 4, &play))
        status = served_acted(&module_serving, &h.value->served, &which, &play, &again);
    arguments_release(&play);
    if (key_finish(&h, status, "posse.acted")) RedisModule_ReplyWithLongLong(ctx, again ? 0 : 1);
    return REDISMODULE_OK;
}

/* No reward begins as a list does, so this is no arm of that name. */
static bool play_is_list(RedisModuleString *const *argv, int argc) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(argv[3], &length);
    return argc == 4 && argument_is(argv[2], "PLAYS") && length > 0 && text[0] == '[';
}

static int play_teach_list(RedisModuleCtx *ctx, RedisModuleString **argv) {
    held h;
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    const posse *p = h.value->served.posse;
    json_t *list = argument_json(p, argv[3], "PLAYS", cost_plays_max(p));
    if (list != NULL) status = served_teach_list(&module_serving, &h.value->served, list);
    size_t count = json_array_size(list);
    json_decref(list);
    if (key_finish(&h, status, "posse.teach")) RedisModule_ReplyWithLongLong(ctx, (long long)count);
    return REDISMODULE_OK;
}

int redis_teach(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    double reward;
    served_play play = {0};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (play_is_list(argv, argc)) return play_teach_list(ctx, argv);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    if (!argument_reward(argv[3], "", &reward))
        status = SERVED_REWARD;
    else if (argument_play(h.value->served.posse, argv[2], argv + 4, argc - 4, &play))
        status = served_teach(&module_serving, &h.value->served, &play, reward, "");
    arguments_release(&play);
    if (key_finish(&h, status, "posse.teach")) RedisModule_ReplyWithSimpleString(ctx, "OK");
    return REDISMODULE_OK;
}

int redis_next_task(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    if (argc != 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = served_next_task(&module_serving, &h.value->served);
    if (key_finish(&h, status, "posse.nexttask")) RedisModule_ReplyWithSimpleString(ctx, "OK");
    return REDISMODULE_OK;
}
