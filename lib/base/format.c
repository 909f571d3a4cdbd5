/* SPDX-License-Identifier: MIT */
#include "base/format.h"

#include <stdio.h>

/*
 * The locale "C" is a constant of the C library, so that asking for it takes no memory. Where it did and there were
 * none, the thread would keep its locale.
 */
format_locale format_enter(void) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (format_locale){plain, uselocale(plain)};
}

void format_leave(format_locale l) {
    uselocale(l.before);
    if (l.plain != (locale_t)0) freelocale(l.plain);
}

int format_text_list(char *text, size_t size, const char *format, va_list arguments) {
    format_locale l = format_enter();
    int length = vsnprintf(text, size, format, arguments);
    format_leave(l);
    return length;
}

int format_text(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = format_text_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}
