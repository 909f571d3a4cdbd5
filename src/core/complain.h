/*
 * Problems in words: where, what was found, what would be right. A place is a chain from the inside out, kept on the
 * stack: learners[2] > belief > sd is told as "learners[2].belief.sd".
 */
#ifndef POSSE_CORE_COMPLAIN_H
#define POSSE_CORE_COMPLAIN_H

#include <stdarg.h>

#include "posse.h"

typedef struct place {
    const struct place *outer;
    const char *name;
    int index; /* -1: no index */
} place;

/* Tells the log "where.key: message". key may be NULL. */
void complain_list(const posse_logger *log, const place *where, const char *key, const char *format, va_list arguments);
__attribute__((format(printf, 4, 5))) void complain(const posse_logger *log, const place *where, const char *key,
                                                    const char *format, ...);

#endif
