/* SPDX-License-Identifier: MIT */
#include "base/complain.h"

#include <stdio.h>

#include "base/format.h"

#define MESSAGE_MAX 512

size_t posse_place_text(const posse_place *place, char *text, size_t size) {
    if (place == NULL) {
        if (size > 0) text[0] = '\0';
        return 0;
    }
    size_t used = posse_place_text(place->outer, text, size), left = used < size ? size - used : 0;
    const char *dot = used > 0 ? "." : "";
    char *end = left > 0 ? text + used : NULL;
    int written = place->index < 0 ? snprintf(end, left, "%s%s", dot, place->name)
                                   : snprintf(end, left, "%s%s[%d]", dot, place->name, place->index);
    return used + (written > 0 ? (size_t)written : 0);
}

void complain_list(const posse_logger *log, const posse_place *where, const char *key, const char *format,
                   va_list arguments) {
    if (log == NULL || log->write == NULL) return;
    char message[MESSAGE_MAX];
    posse_place inner = {where, key, -1};
    format_text_list(message, sizeof message, format, arguments);
    log->write(log->context, key != NULL ? &inner : where, message);
}

void complain(const posse_logger *log, const posse_place *where, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(log, where, key, format, arguments);
    va_end(arguments);
}
