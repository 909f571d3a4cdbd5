/* SPDX-License-Identifier: MIT */
/*
 * The arguments of commands. A wrong argument becomes a problem of the command.
 */
#ifndef REDIS_ARGUMENTS_H
#define REDIS_ARGUMENTS_H

#include "redis/api.h"
#include "served/served.h"

/* Whether an argument is a word of the command, in whatever case. */
bool argument_is(const RedisModuleString *argument, const char *word);

/* A whole number in a range; what: "COUNT". False: there is a problem. */
bool argument_integer(const RedisModuleString *argument, const char *what, long long low, long long high,
                      long long *out);

/* A reward: any number, whose range is not checked here. */
bool argument_reward(const RedisModuleString *argument, const char *path, double *out);

/* JSON about this many rounds of a posse, to be released by json_decref. NULL: there is a problem. */
json_t *argument_json(const posse *p, const RedisModuleString *argument, const char *what, size_t rounds);

/* The name of an arm. False: there is a problem. */
bool argument_arm_name(const RedisModuleString *argument, const char **out);

/*
 * What was played: an arm by its name or, if arms have none, by its number, or a point as JSON, [0.5, 0.1], and behind
 * it perhaps CONTEXT json. False: there is a problem. The JSON of the play is released by arguments_release.
 */
bool argument_play(const posse *p, const RedisModuleString *arm, RedisModuleString **rest, int count, served_play *out);
void arguments_release(served_play *play);

#endif
