/* SPDX-License-Identifier: MIT */
/*
 * Answers to commands that were refused.
 */
#ifndef REDIS_WORDS_H
#define REDIS_WORDS_H

#include "redis/api.h"
#include "served/served.h"

/* Answers with all problems of the command, behind the code of a status: "ERR learners[0].width: must be above 0". */
int words_refuse(RedisModuleCtx *ctx, served_status status);

/* The same for an error of the library. */
int words_refuse_error(RedisModuleCtx *ctx, posse_error error);

#endif
