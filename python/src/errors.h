/*
 * The library's errors as exceptions, with the library's own words.
 */
#ifndef ERRORS_H
#define ERRORS_H

#include "kit.h"
#include "posse.h"

/* What the library says through a log while a call lasts: a line per message. */
typedef struct hearing {
    char text[4096];
    size_t length;
} hearing;

void hearing_take(hearing *h, const char *message);

/* Raises the exception of an error, with what was heard (h may be NULL) or else the error's own sentence. NULL. */
void *errors_raise(posse_error error, const hearing *h);

/* Raises an exception of posse.errors by its name. NULL. */
void *errors_raise_named(const char *name, const char *code, const char *message);

#endif
