/* SPDX-License-Identifier: MIT */
#include "common/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *number_text(double number, char text[NUMBER_TEXT]) {
    if (isnan(number)) {
        text[0] = '\0';
        return text;
    }
    if (fabs(number) < 1e15 && number == floor(number)) { /* true of most shares and plays, and quick */
        snprintf(text, NUMBER_TEXT, "%lld", (long long)number);
        return text;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    return text;
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
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text == NULL) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}
