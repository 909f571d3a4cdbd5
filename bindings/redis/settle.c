/* SPDX-License-Identifier: MIT */
/*
 * POSSE.LEARN key token reward [token reward ...]
 * POSSE.FORGET key token [token ...]
 * POSSE.EXPIRE key age
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "redis/arguments.h"
#include "redis/module.h"
#include "redis/words.h"

#define TOKENS_MAX 10000

bool settle_read(RedisModuleString **argv, int count, bool learns, served_reward **out) {
    static served_reward *room; /* is kept, since most commands need it */
    static int size;
    if (count > TOKENS_MAX) {
        serving_say(&module_serving, SERVED_WRONG, "", "there are more than %d tokens", TOKENS_MAX);
        return false;
    }
    served_reward *list = count > size ? realloc(room, (size_t)count * sizeof *list) : room;
    if (list == NULL && count > 0) return false;
    if (count > size) size = count;
    room = *out = list;
    for (int i = 0; i < count; i++) {
        RedisModuleString **at = argv + (learns ? 2 * i : i);
        list[i] = (served_reward){.reward = NAN, .path_whole = true};
        list[i].token = RedisModule_StringPtrLen(at[0], &list[i].token_length);
        if (count > 1) snprintf(list[i].path, sizeof list[i].path, "token %d", i + 1);
        if (learns && !argument_reward(at[1], list[i].path, &list[i].reward)) return false;
    }
    return true;
}

static int settle(RedisModuleCtx *ctx, RedisModuleString **argv, int count, bool learns) {
    held h;
    served_work work = {.forgets = !learns, .reward_count = (size_t)count};
    served_reward *list;
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_REWARD;
    if (settle_read(argv + 2, count, learns, &list)) {
        work.rewards = list;
        status = served_work_do(&module_serving, &h.value->served, &work);
    }
    if (key_finish(&h, status, learns ? "posse.learn" : "posse.forget"))
        RedisModule_ReplyWithLongLong(ctx, (long long)work.settled);
    return REDISMODULE_OK;
}

int redis_learn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    if (argc < 4 || argc % 2 != 0) return RedisModule_WrongArity(ctx);
    return settle(ctx, argv, (argc - 2) / 2, true);
}

int redis_forget(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    if (argc < 3) return RedisModule_WrongArity(ctx);
    return settle(ctx, argv, argc - 2, false);
}

/*
 * POSSE.EXPIRE key age [DEFERRED]
 *
 * Replicas and the log receive POSSE.EXPIRE key age EXACT, or DEFERRED again, with the age from which on all decisions
 * have expired. Version 0.2 wrote it without that word and took decisions with more than `age` later ones: replayed,
 * such a command still means that.
 */
int redis_expire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    long long number;
    bool exact = argc == 4 && argument_is(argv[3], "EXACT"), deferred = argc == 4 && argument_is(argv[3], "DEFERRED");
    served_work work = {.expires = true, .deferred = deferred};
    if (argc != 3 && !exact && !deferred) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    if (argument_integer(argv[2], "the age", 0, INT64_MAX, &number)) {
        work.age = (uint64_t)number + (argc == 3 && !key_is_asked(ctx));
        status = served_work_do(&module_serving, &h.value->served, &work);
    }
    if (status == SERVED_DONE && work.settled > 0) {
        key_announce(&h, "posse.expire");
        RedisModule_Replicate(ctx, "POSSE.EXPIRE", "slc", argv[1], (long long)work.age,
                              deferred ? "DEFERRED" : "EXACT");
    }
    if (status == SERVED_DONE) {
        RedisModule_ReplyWithLongLong(ctx, (long long)work.settled);
        key_close(&h);
    } else
        key_finish(&h, status, "posse.expire");
    return REDISMODULE_OK;
}
