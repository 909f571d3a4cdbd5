/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing the saved format: little-endian 8-byte words and byte strings, the same on every machine.
 */
#ifndef POSSE_OBJECT_BYTES_H
#define POSSE_OBJECT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(double) == 8 && sizeof(uint64_t) == 8, "a number is saved as one 8-byte word");

/* Writes to `out`. If that is NULL, it only counts the bytes. */
typedef struct writer {
    uint8_t *out;
    size_t length;
} writer;

void write_word(writer *w, uint64_t word);
void write_real(writer *w, double x);
/* A state or a list: words in memory, each written little-endian. */
void write_words(writer *w, const void *words, size_t size);
/* NULL and "" are written differently. */
void write_text(writer *w, const char *text);

/*
 * The checksum of the body, which follows the header. From format 3 on it also covers the number of the format, which
 * is in the header.
 */
uint64_t saved_checksum(uint64_t format, const uint8_t *body, size_t length);

/* Reading beyond the end gives zeros and sets `bad`, which is never cleared. */
typedef struct reader {
    const uint8_t *in;
    size_t left;
    bool bad;
    uint64_t format; /* of the saved posse, for functions that read fields which only later formats have */
} reader;

uint64_t read_word(reader *r);
double read_real(reader *r);
void read_words(reader *r, void *words, size_t size);
/* A word that is at most `high`; bad otherwise. */
uint64_t read_word_upto(reader *r, uint64_t high);
/* The bytes of a text inside the buffer, without a final zero; NULL if NULL was written. A text with a zero is bad. */
const char *read_text(reader *r, size_t *length);

#endif
