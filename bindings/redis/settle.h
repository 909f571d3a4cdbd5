/* SPDX-License-Identifier: MIT */
/*
 * Settles decisions: rewards are learned, or decisions forgotten, all of a command or none.
 */
#ifndef REDIS_SETTLE_H
#define REDIS_SETTLE_H

#include "redis/module.h"

/* What a client wants to do with a decision. */
typedef struct wish {
    const RedisModuleString *token;
    double reward;
    int place; /* in the command, from 1 */
    uint64_t id;
    bool done; /* it was fulfilled before */
} wish;

/* Memory for the wishes of a command with `argc` arguments, valid until the next call. NULL: no memory, or too many. */
wish *settle_room(int argc);

/* Reads token and reward, or the token alone, of each wish. False: there is a problem. */
bool settle_read(RedisModuleString **argv, int count, bool learns, wish *list);

/* Checks all wishes. NULL: they are fine; otherwise the code of the answer, and there is a problem. */
const char *settle_check(value *v, wish *list, int count, bool learns);

/* The number of decisions that these wishes, after settle_check, will settle. */
size_t settle_count(const wish *list, int count);

/* Fulfils the wishes. *done: how many were not fulfilled before. */
posse_error settle_all(value *v, const wish *list, int count, bool learns, int *done);

#endif
