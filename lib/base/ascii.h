/* SPDX-License-Identifier: MIT */
/*
 * Letters, digits and spaces of ASCII, whatever the locale is: in Turkish, strcasecmp takes I and i for different
 * letters, and in locales with one byte a character, isalpha takes parts of UTF-8 for letters. All code is in this
 * header, so that the program can use it too.
 */
#ifndef POSSE_BASE_ASCII_H
#define POSSE_BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char ascii_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a text begins with a word, in any case of letters. */
static inline bool ascii_begins(const char *text, const char *word) {
    while (*word != '\0' && ascii_lower(*text) == ascii_lower(*word)) text++, word++;
    return *word == '\0';
}

/* Whether two texts are the same, in any case of letters. */
static inline bool ascii_same(const char *a, const char *b) {
    while (*a != '\0' && ascii_lower(*a) == ascii_lower(*b)) a++, b++;
    return *a == '\0' && *b == '\0';
}

#endif
