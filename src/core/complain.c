#include "core/complain.h"

#include <stdio.h>
#include <string.h>

static size_t place_write(const place *where, char *text, size_t size) {
    if (where == NULL) return 0;
    size_t used = place_write(where->outer, text, size);
    if (used >= size) return used;
    const char *dot = used > 0 ? "." : "";
    int written = where->index < 0 ? snprintf(text + used, size - used, "%s%s", dot, where->name)
                                   : snprintf(text + used, size - used, "%s%s[%d]", dot, where->name, where->index);
    return used + (written > 0 ? (size_t)written : 0);
}

void complain_list(const posse_logger *log, const place *where, const char *key, const char *format,
                   va_list arguments) {
    if (log == NULL || log->write == NULL) return;
    char message[512];
    place inner = {where, key, -1};
    size_t used = place_write(key != NULL ? &inner : where, message, sizeof message);
    if (used > sizeof message - 8) used = sizeof message - 8;
    if (used > 0) {
        memcpy(message + used, ": ", 2);
        used += 2;
    }
    vsnprintf(message + used, sizeof message - used, format, arguments);
    log->write(log->context, message);
}

void complain(const posse_logger *log, const place *where, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(log, where, key, format, arguments);
    va_end(arguments);
}
