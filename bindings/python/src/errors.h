/* SPDX-License-Identifier: MIT */
/*
 * The library's errors as exceptions, with the library's own messages.
 */
#ifndef ERRORS_H
#define ERRORS_H

#include "describe/problems.h"
#include "python/src/module_state.h"

/* The messages that the library logs during a call, as problems with their paths in what the user gave. */
typedef struct message_log {
    problems found;
    const node *root; /* of what is described; NULL: places are as the library names them */
    bool is_part;     /* the root is the part that the first step of a place leads to */
} message_log;

void message_log_take(message_log *log, const posse_place *place, const char *message);

/*
 * Raises the exception of an error, with the messages of the log or, if there are none, the error's own sentence. log
 * may be NULL. Returns NULL.
 */
void *errors_raise(posse_error error, message_log *log);

/* Raises the exception of an error with another message than its own sentence. Returns NULL. */
void *errors_raise_told(posse_error error, const char *told);

/* Raises the exception of an error about a name or number that nothing has: "there is no arm 'red'". Returns NULL. */
void *errors_raise_absent(posse_error error, const char *what, PyObject *given);

/* Raises an exception of posse.errors by its name. Returns NULL. */
void *errors_raise_named(const char *name, const char *code, const char *message);

/*
 * Raises SpecificationError, with the problems of a file (NULL: of a description in Python), or with one of an
 * argument. Returns NULL.
 */
void *errors_raise_problems(problems *found, PyObject *file);
__attribute__((format(printf, 2, 3))) void *errors_raise_argument(const char *path, const char *format, ...);

/* Raises ContextError with the problem of a context, and its path. Returns NULL. */
__attribute__((format(printf, 2, 3))) void *errors_raise_context(const char *path, const char *format, ...);

/* Raises MemoryError, with a message on what the memory was for, if that is known. Returns NULL. */
void *errors_raise_memory(const problems *found);

#endif
