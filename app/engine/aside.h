/* SPDX-License-Identifier: MIT */
/*
 * A thread beside the one that serves, for work that cannot be cut into pieces, such as making a posse of a million
 * arms. It does tasks one after the other. A posse that a task uses belongs to it alone: it is held, or not yet in the
 * table, or no longer.
 */
#ifndef ENGINE_ASIDE_H
#define ENGINE_ASIDE_H

#include <stdbool.h>

typedef struct aside aside;

typedef struct aside_task {
    void (*run)(void *context);
    void *context;
    bool frees; /* `run` frees the task, and nobody asks for it */
    bool done;
    struct aside_task *next;
} aside_task;

/* NULL: there is no thread, and tasks are done at once. */
aside *aside_make(void);

/* Does the tasks that are left, and ends the thread. */
void aside_end(aside *a);

void aside_post(aside *a, aside_task *t);
bool aside_is_done(aside *a, const aside_task *t);
void aside_wait(aside *a, const aside_task *t);

#endif
