/* SPDX-License-Identifier: MIT */
/*
 * Checks of UTF-8. All code is in this header, so that the program can use it too.
 */
#ifndef POSSE_BASE_UTF8_H
#define POSSE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The number of bytes of the character at text; 0 if it is not valid. Surrogates and overlong forms are not valid. */
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

/* The number of bytes before the first one that is not UTF-8, which is the length of the text if it is all valid. */
static inline size_t utf8_valid(const char *text) {
    size_t size = strlen(text), at = 0;
    for (size_t step; at < size && (step = utf8_length((const unsigned char *)text + at, size - at)) > 0;) at += step;
    return at;
}

#endif
