/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a command. Redis carries out one command at a time, so that there is one list of problems.
 */
#ifndef REDIS_WORDS_H
#define REDIS_WORDS_H

#include "describe/problems.h"
#include "redis/api.h"

/* Starts a command: nothing is wrong so far. */
void words_clear(void);
problems *words_list(void);

/* Adds a problem at a path, or "". */
__attribute__((format(printf, 2, 3))) void words_say(const char *path, const char *format, ...);

/* What the library says becomes problems; of the tree of a description, or of a learner alone, if it is about one. */
posse_logger words_logger(void);
void words_are_about(const node *root, bool is_learner);

/* Answers with all that is wrong, behind a code: "ERR learners[0].width: must be above 0". `fallback`: if nothing is.
 */
int words_answer(RedisModuleCtx *ctx, const char *code, const char *fallback);

/* The same for what the library has refused. */
int words_answer_error(RedisModuleCtx *ctx, posse_error error);

#endif
