/* SPDX-License-Identifier: MIT */
/*
 * What is UTF-8 and what is not. All of it is in this header, so that the program can use it too.
 */
#ifndef POSSE_BASE_UTF8_H
#define POSSE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The bytes of the character at text, 0 if it is none. Surrogates and overlong forms are none. */
static inline size_t utf8_length(const unsigned char *text, size_t left) {
    unsigned c = left > 0 ? text[0] : 0xff;
    size_t length = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    if (length == 0 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f)) return 0;
    if ((c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

/* How many bytes of a text come before the first that is no UTF-8; all of them if it is UTF-8 throughout. */
static inline size_t utf8_valid(const char *text) {
    size_t size = strlen(text), at = 0;
    for (size_t step; at < size && (step = utf8_length((const unsigned char *)text + at, size - at)) > 0;) at += step;
    return at;
}

#endif
