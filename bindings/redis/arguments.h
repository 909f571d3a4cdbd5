/* SPDX-License-Identifier: MIT */
/*
 * The arguments of commands. A wrong argument becomes a problem (words.h).
 */
#ifndef REDIS_ARGUMENTS_H
#define REDIS_ARGUMENTS_H

#include <jansson.h>

#include "common/pool.h"
#include "redis/api.h"

/* Whether an argument is a word of the command, in whatever case. */
bool argument_is(const RedisModuleString *argument, const char *word);

/* A whole number in a range; what: "COUNT". False: there is a problem. */
bool argument_whole(const RedisModuleString *argument, const char *what, long long low, long long high, long long *out);

/* A reward: any number, whose range is not checked here. */
bool argument_reward(const RedisModuleString *argument, const char *path, double *out);

/* JSON, to be released by json_decref. NULL: there is a problem. */
json_t *argument_json(const RedisModuleString *argument, const char *what);

/* An arm: a number, or the coordinates of a point, [0.5, 0.1]. */
typedef struct arm_argument {
    int arm;
    double *point; /* NULL: it is a number */
} arm_argument;

bool argument_arm(const RedisModuleString *argument, const posse *p, pool *memory, arm_argument *out);

#endif
