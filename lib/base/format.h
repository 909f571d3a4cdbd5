/* SPDX-License-Identifier: MIT */
/*
 * printf in the locale "C", whatever the locale of the process is, so that a text is the same everywhere: numbers have
 * a point. The process and its other threads keep their locale, and another thread may change it meanwhile. A text
 * without decimal numbers is the same in every locale, so that snprintf can make it, too. The program compiles the
 * source, because its functions are hidden in the library.
 */
#ifndef POSSE_BASE_FORMAT_H
#define POSSE_BASE_FORMAT_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>

/* snprintf. */
__attribute__((format(printf, 3, 4))) int format_text(char *text, size_t size, const char *format, ...);

/* vsnprintf. */
__attribute__((format(printf, 3, 0))) int format_text_list(char *text, size_t size, const char *format,
                                                           va_list arguments);

/* For other functions of C: from format_enter until format_leave this thread has the locale "C". */
typedef struct format_locale {
    locale_t plain, before;
} format_locale;

format_locale format_enter(void);
void format_leave(format_locale l);

#endif
