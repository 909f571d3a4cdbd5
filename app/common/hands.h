/* SPDX-License-Identifier: MIT */
/*
 * Hands: threads that do a list of tasks together. The tasks are independent of each other, so the results do not
 * depend on how many threads there are.
 */
#ifndef POSSE_COMMON_HANDS_H
#define POSSE_COMMON_HANDS_H

#include <stddef.h>

typedef struct hands hands;

typedef void hands_task(void *context, size_t index);

/*
 * Starts threads beside the caller's, to be ended with hands_free. NULL: none could be started. The other functions
 * take NULL, and the caller's thread then does all tasks.
 */
hands *hands_make(int threads);
void hands_free(hands *h);

/*
 * hands_begin starts `count` tasks, whose indices count from 0, and returns soon; tasks with small indices start first.
 * hands_finish helps with the tasks that have not been started, and waits for the others. Between the two calls the
 * caller leaves alone what the tasks use.
 */
void hands_begin(hands *h, size_t count, hands_task *task, void *context);
void hands_finish(hands *h);

#endif
