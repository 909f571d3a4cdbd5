/* SPDX-License-Identifier: MIT */
/*
 * The library's errors as exceptions, with the library's own words.
 */
#ifndef ERRORS_H
#define ERRORS_H

#include "describe/problems.h"
#include "python/src/module_state.h"

/* What the library tells through a log while a call lasts: problems, at their paths in what the user gave. */
typedef struct message_log {
    problems found;
    const node *root; /* of what is being made; NULL: places are as the library names them */
    bool is_part;     /* the root is the part that the first step of a place leads to */
} message_log;

void message_log_take(message_log *log, const posse_place *place, const char *message);

/* Raises the exception of an error, with what was told (log may be NULL) or else the error's own sentence. NULL. */
void *errors_raise(posse_error error, message_log *log);

/* Raises the exception of an error with other words than its own sentence. NULL. */
void *errors_raise_told(posse_error error, const char *told);

/* Raises an exception of posse.errors by its name. NULL. */
void *errors_raise_named(const char *name, const char *code, const char *message);

/* Raises SpecificationError, with problems of a file (NULL: of what was given in Python), or with one of an argument.
 */
void *errors_raise_problems(problems *found, PyObject *file);
__attribute__((format(printf, 2, 3))) void *errors_raise_argument(const char *path, const char *format, ...);

/* Raises ContextError with what is wrong with a context, and where. NULL. */
__attribute__((format(printf, 2, 3))) void *errors_raise_context(const char *path, const char *format, ...);

/* Raises MemoryError, which says what for if that is known. NULL. */
void *errors_raise_memory(const problems *found);

#endif
