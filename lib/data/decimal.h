/* SPDX-License-Identifier: MIT */
/*
 * Decimal numbers as text, as descriptions, tables, priors and results have them. The conversions are the same
 * everywhere, because they do not depend on the locale. Reading returns the nearest double, and the even one of two
 * that are equally near. The program compiles the source too, because its functions are hidden in the library.
 */
#ifndef POSSE_DATA_DECIMAL_H
#define POSSE_DATA_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

typedef enum decimal_status {
    DECIMAL_FINE,
    DECIMAL_NONE,  /* the text is no decimal number */
    DECIMAL_BEYOND /* the number is too large or too small for a double */
} decimal_status;

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? ; *out is written only with DECIMAL_FINE. */
decimal_status decimal_read(const char *text, double *out);

/*
 * Reads the digits that a text begins with, as a whole number. Returns how many digits there are; 0 if there are none,
 * or if the number does not fit into 64 bits.
 */
size_t decimal_read_whole(const char *text, uint64_t *out);

#define DECIMAL_TEXT 32

/*
 * Writes a finite number with as few of 15, 16 or 17 digits as are read back as the same bits, and without zeros at the
 * end. Whole numbers below 1e15 are written without an exponent. Returns text.
 */
const char *decimal_write(double x, char text[DECIMAL_TEXT]);

/* Writes a finite number rounded to `digits` digits, 1 to 17, as printf's %g. Returns text. */
const char *decimal_write_rounded(double x, int digits, char text[DECIMAL_TEXT]);

#endif
