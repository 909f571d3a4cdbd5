/* SPDX-License-Identifier: MIT */
/*
 * Decimal numbers as text. The conversion is the same everywhere: it does not know the locale, and gives the nearest
 * double, the even one of two that are equally near.
 */
#ifndef POSSE_DATA_DECIMAL_H
#define POSSE_DATA_DECIMAL_H

typedef enum decimal_status {
    DECIMAL_FINE,
    DECIMAL_NONE,  /* the text is no decimal number */
    DECIMAL_BEYOND /* it is too large or too small for a double */
} decimal_status;

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? ; *out is written only if it is fine. */
decimal_status decimal_read(const char *text, double *out);

#endif
