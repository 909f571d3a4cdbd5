/* SPDX-License-Identifier: MIT */
/*
 * POSSE.MODES key [json]
 * POSSE.ACTIVATE key token
 * POSSE.ERASE key unit
 */
#include <stdlib.h>

#include "common/json_text.h"
#include "describe/modes_text.h"
#include "redis/arguments.h"
#include "redis/module.h"

static void modes_answer(RedisModuleCtx *ctx, const posse *p) {
    json_t *all = modes_json(p);
    char *text = json_text(all, JSON_TEXT_COMPACT);
    json_decref(all);
    if (text != NULL)
        RedisModule_ReplyWithCString(ctx, text);
    else
        RedisModule_ReplyWithError(ctx, "OOM there is not enough memory");
    free(text);
}

int redis_modes(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    if (argc != 2 && argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = argc == 2 ? SERVED_DONE : SERVED_WRONG;
    const posse *p = h.value->served.posse;
    json_t *said = argc == 3 ? argument_json(p, argv[2], "the modes", 1) : NULL;
    if (said != NULL) status = served_set_modes(&module_serving, &h.value->served, said);
    json_decref(said);
    if (key_finish(&h, status, "posse.modes")) modes_answer(ctx, p);
    return REDISMODULE_OK;
}

int redis_activate(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    bool again = false;
    served_reward which = {.path_whole = true};
    if (argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    which.token = RedisModule_StringPtrLen(argv[2], &which.token_length);
    served_status status = served_activate(&module_serving, &h.value->served, &which, &again);
    if (key_finish(&h, status, "posse.activate")) RedisModule_ReplyWithLongLong(ctx, again ? 0 : 1);
    return REDISMODULE_OK;
}

/* A posse in Redis has no log: of a unit it has only the arm or the decision that the unit keeps. */
int redis_erase(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    size_t length;
    if (argc != 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    const char *unit = RedisModule_StringPtrLen(argv[2], &length);
    bool known = module_serving.changed = posse_unit_forget(h.value->served.posse, unit, length);
    if (key_finish(&h, SERVED_DONE, "posse.erase")) RedisModule_ReplyWithLongLong(ctx, known);
    return REDISMODULE_OK;
}
