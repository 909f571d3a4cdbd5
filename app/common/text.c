/* SPDX-License-Identifier: MIT */
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/format.h"

const char *number_text(double number, char text[NUMBER_TEXT]) {
    if (isnan(number)) {
        text[0] = '\0';
        return text;
    }
    if (isinf(number)) return strcpy(text, number > 0 ? "inf" : "-inf");
    return decimal_write(number + 0.0, text); /* -0 becomes 0 */
}

void text_put_field(FILE *out, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void text_put_number(FILE *out, double number, char after) {
    char text[NUMBER_TEXT];
    fputs(number_text(number, text), out);
    fputc(after, out);
}

char *text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = format_text_list(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text == NULL) return NULL;
    va_start(arguments, format);
    format_text_list(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void text_print_list(FILE *out, const char *format, va_list arguments) {
    format_locale l = format_enter();
    vfprintf(out, format, arguments);
    format_leave(l);
}

void text_print(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_print_list(out, format, arguments);
    va_end(arguments);
}

size_t text_read_hex(const char *text, uint64_t *out) {
    static const char digits[] = "0123456789abcdef";
    size_t count = 0;
    uint64_t number = 0;
    for (const char *found; count < 16 && text[count] != '\0'; count++) {
        if ((found = strchr(digits, ascii_lower(text[count]))) == NULL) break;
        number = number << 4 | (uint64_t)(found - digits);
    }
    if (count > 0) *out = number;
    return count;
}
