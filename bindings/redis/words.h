/* SPDX-License-Identifier: MIT */
/*
 * The problems of a command. Redis executes one command at a time, so there is one list of problems.
 */
#ifndef REDIS_WORDS_H
#define REDIS_WORDS_H

#include "describe/problems.h"
#include "redis/api.h"

/* Starts a command: there are no problems so far. */
void words_clear(void);
problems *words_list(void);

/* Adds a problem at a path, or "". */
__attribute__((format(printf, 2, 3))) void words_say(const char *path, const char *format, ...);

/*
 * A logger that turns messages of the library into problems, and the tree that they are about: of a description, or of
 * a learner alone. NULL: they are about neither.
 */
posse_logger words_logger(void);
void words_are_about(const node *root, bool is_learner);

/*
 * Answers with all problems, behind a code: "ERR learners[0].width: must be above 0". `fallback`: the text if there are
 * none.
 */
int words_answer(RedisModuleCtx *ctx, const char *code, const char *fallback);

/* The same for an error of the library. */
int words_answer_error(RedisModuleCtx *ctx, posse_error error);

#endif
