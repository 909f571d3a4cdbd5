/*
 * Problems in words, told to a log with their place. A place (posse_place) is a chain from the inside out, kept on the
 * stack while parts are made.
 */
#ifndef POSSE_CORE_COMPLAIN_H
#define POSSE_CORE_COMPLAIN_H

#include <stdarg.h>

#include "posse.h"

/* Tells the log a message about the option `key` of what is at `where`, or, with key NULL, about that itself. */
void complain_list(const posse_logger *log, const posse_place *where, const char *key, const char *format,
                   va_list arguments);
__attribute__((format(printf, 4, 5))) void complain(const posse_logger *log, const posse_place *where, const char *key,
                                                    const char *format, ...);

#endif
