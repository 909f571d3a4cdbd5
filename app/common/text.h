/* SPDX-License-Identifier: MIT */
/*
 * Text: numbers that can be read back exactly; fields of CSV; strings of any length.
 */
#ifndef POSSE_COMMON_TEXT_H
#define POSSE_COMMON_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/decimal.h"

#define NUMBER_TEXT DECIMAL_TEXT

/* Writes a number as decimal_write does, but -0 as 0, and nothing for NaN, which stands for no number. Returns text. */
const char *number_text(double number, char text[NUMBER_TEXT]);

/* Writes a text as a field of CSV, quoted if a comma, a quote or a line break would be misread (RFC 4180). */
void text_put_field(FILE *out, const char *text);

/* Writes a number as a field of CSV, and the character after it. */
void text_put_number(FILE *out, double number, char after);

/* printf into memory that the caller frees, in the locale "C" (base/format.h). NULL: no memory. */
__attribute__((format(printf, 1, 2))) char *text_format(const char *format, ...);

/* fprintf in the locale "C". */
__attribute__((format(printf, 2, 3))) void text_print(FILE *out, const char *format, ...);
__attribute__((format(printf, 2, 0))) void text_print_list(FILE *out, const char *format, va_list arguments);

/*
 * Reads the hexadecimal digits that a text begins with, at most 16. Returns how many there are; *out is written only if
 * there is one. (Decimal numbers: data/decimal.h.)
 */
size_t text_read_hex(const char *text, uint64_t *out);

#endif
