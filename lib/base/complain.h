/* SPDX-License-Identifier: MIT */
/*
 * Messages about problems, written to a log together with their place. A place (posse_place) is a chain of steps from
 * the innermost one outward. Its steps are on the stack of the functions that make the parts.
 */
#ifndef POSSE_BASE_COMPLAIN_H
#define POSSE_BASE_COMPLAIN_H

#include <stdarg.h>

#include "posse_kinds.h"

/* Writes a message about the option `key` of the part at `where` to the log; with key NULL, about the part itself. */
void complain_list(const posse_logger *log, const posse_place *where, const char *key, const char *format,
                   va_list arguments);
__attribute__((format(printf, 4, 5))) void complain(const posse_logger *log, const posse_place *where, const char *key,
                                                    const char *format, ...);

#endif
