/* SPDX-License-Identifier: MIT */
/*
 * Included before each source of the library that is compiled for a GPU. There is no text there: the same objects have
 * been made on the host before, so that messages have been written.
 */
#ifndef POSSE_ABREAST_DEVICE_PLAIN_H
#define POSSE_ABREAST_DEVICE_PLAIN_H

#include <stdarg.h>
#include <stdio.h>

static inline int plain_no_text(char *text, size_t size) {
    if (size > 0) text[0] = '\0';
    return 0;
}

#undef va_start
#undef va_end
#define va_start(list, last) ((void)(list))
#define va_end(list) ((void)(list))
#define snprintf(text, size, ...) plain_no_text(text, size)
#define vsnprintf(text, size, format, list) plain_no_text(text, size)

#endif
