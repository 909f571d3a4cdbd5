/* SPDX-License-Identifier: MIT */
#include "report/draw/glyphs.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

enum { CHARACTERS = 0x110000 };

/*
 * A bit for each character that some installed font has; NULL: fonts have not been listed yet, or there is no memory.
 */
static uint8_t *there;

/* A line of fc-list: "20-7e a0-17f 192", in hexadecimal digits. */
static void note_ranges(const char *line) {
    for (line += strspn(line, " "); *line != '\0'; line += strspn(line, " ")) {
        uint64_t first, last;
        size_t digits = text_read_hex(line, &first);
        if (digits == 0) return;
        line += digits;
        last = first;
        if (*line == '-') line += 1 + text_read_hex(line + 1, &last);
        for (uint64_t c = first; c <= last && c < CHARACTERS; c++) there[c / CHAR_BIT] |= (uint8_t)(1u << c % CHAR_BIT);
    }
}

/*
 * Lists the characters of every font. fc-list is part of fontconfig, without which the cairo of gnuplot has no fonts.
 */
static void glyphs_ask(void) {
    char *line = NULL;
    size_t room = 0;
    there = calloc(CHARACTERS / CHAR_BIT, 1);
    FILE *answer = there != NULL ? popen("fc-list --format '%{charset}\\n' 2>/dev/null", "r") : NULL;
    while (answer != NULL && getline(&line, &room, answer) > 0) note_ranges(line);
    if (answer != NULL) pclose(answer);
    free(line);
}

/* Latin letters, and the apostrophe and ellipsis that gnuplot_string writes: every font has them. */
static bool is_common(uint32_t character) {
    return character < 0x180 || (character >= 0x2010 && character <= 0x2026);
}

static bool can_be_shown(uint32_t character) {
    if (is_common(character)) return true;
    if (there == NULL) glyphs_ask();
    return there != NULL && (there[character / CHAR_BIT] >> character % CHAR_BIT & 1u) != 0;
}

/* The character that begins here, and how many bytes it has; bytes that are no UTF-8 stand for themselves. */
static size_t next_character(const unsigned char *s, size_t left, uint32_t *out) {
    size_t length = s[0] < 0xc0 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    *out = length == 1 ? s[0] : s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (i >= left || (s[i] & 0xc0) != 0x80) {
            *out = s[0];
            return 1;
        }
        *out = *out << 6 | (s[i] & 0x3fu);
    }
    if (*out >= CHARACTERS) *out = '?';
    return length;
}

void glyphs_put(const char *text, size_t size, FILE *out) {
    for (size_t at = 0, length; at < size; at += length) {
        uint32_t character;
        length = next_character((const unsigned char *)text + at, size - at, &character);
        if (can_be_shown(character))
            fwrite(text + at, 1, length, out);
        else
            fprintf(out, character > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)character);
    }
}
