/* SPDX-License-Identifier: MIT */
/*
 * Decimal numbers as text. The conversion is the same everywhere: it does not depend on the locale, and returns the
 * nearest double. Of two doubles that are equally near it returns the even one.
 */
#ifndef POSSE_DATA_DECIMAL_H
#define POSSE_DATA_DECIMAL_H

typedef enum decimal_status {
    DECIMAL_FINE,
    DECIMAL_NONE,  /* the text is no decimal number */
    DECIMAL_BEYOND /* the number is too large or too small for a double */
} decimal_status;

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? ; *out is written only with DECIMAL_FINE. */
decimal_status decimal_read(const char *text, double *out);

#endif
