/* SPDX-License-Identifier: MIT */
/*
 * What becomes of decisions: rewards are learned, or decisions forgotten, all of a command or none.
 */
#ifndef REDIS_SETTLE_H
#define REDIS_SETTLE_H

#include "redis/module.h"

/* What a client wants of a decision. */
typedef struct wish {
    const RedisModuleString *token;
    double reward;
    int place; /* in the command, from 1 */
    uint64_t id;
    bool done; /* it was fulfilled before */
} wish;

/* Room for the wishes of a command of so many arguments, until the next one. NULL: no memory, or too many. */
wish *settle_room(int argc);

/* Reads token and reward, or the token alone, of each. False: there is a problem. */
bool settle_read(RedisModuleString **argv, int count, bool learns, wish *list);

/* Looks at all of them. NULL: fine; otherwise the code of the answer, and there is a problem. */
const char *settle_check(value *v, wish *list, int count, bool learns);

/* Of wishes that were looked at: how many decisions will no longer be pending. */
size_t settle_count(const wish *list, int count);

/* Fulfils them; *done: how many were not before. */
posse_error settle_all(value *v, const wish *list, int count, bool learns, int *done);

#endif
