/*
 * Text: numbers that read back exactly, as short as printf can make them, fields of CSV, and strings of any length.
 */
#ifndef POSSE_BASE_TEXT_H
#define POSSE_BASE_TEXT_H

#include <stdio.h>

#define NUMBER_TEXT 32

/* Writes the number; nothing at all for NaN, which stands for what there is not. Returns text. */
const char *number_text(double number, char text[NUMBER_TEXT]);

/* A text as a field of CSV: quoted where a comma, a quote or a line break would be misread (RFC 4180). */
void text_put_field(FILE *out, const char *text);

/* A number as a field of CSV, and what follows it. */
void text_put_number(FILE *out, double number, char after);

/* printf into memory to be freed. NULL: none left. */
__attribute__((format(printf, 1, 2))) char *text_format(const char *format, ...);

#endif
