/* SPDX-License-Identifier: MIT */
#include "object/bytes.h"

#include <string.h>

#include "base/hash.h"

uint64_t saved_checksum(uint64_t format, const uint8_t *body, size_t length) {
    uint64_t sum = hash_bytes(body, length);
    return format > 2 ? sum ^ (format * 0x9E3779B97F4A7C15u) : sum;
}

/* Saved words have their lowest byte first. Whether this machine has them so too; compilers know the answer. */
static inline bool bytes_are_in_order(void) {
    const uint64_t one = 1;
    uint8_t first;
    memcpy(&first, &one, sizeof first);
    return first == 1;
}

void write_word(writer *w, uint64_t word) {
    if (w->out != NULL)
        for (int i = 0; i < 8; i++) w->out[w->length + (size_t)i] = (uint8_t)(word >> (8 * i));
    w->length += 8;
}

void write_real(writer *w, double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    write_word(w, word);
}

void write_words(writer *w, const void *words, size_t size) {
    if (w->out == NULL || bytes_are_in_order()) { /* at once: a posse with a million arms has 256 MB of words */
        if (w->out != NULL && size > 0) memcpy(w->out + w->length, words, size);
        w->length += size;
        return;
    }
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)words + at, sizeof word);
        write_word(w, word);
    }
}

void write_text(writer *w, const char *text) {
    size_t length = text != NULL ? strlen(text) : 0;
    write_word(w, text != NULL ? length : UINT64_MAX);
    if (w->out != NULL && length > 0) memcpy(w->out + w->length, text, length);
    w->length += length;
}

uint64_t read_word(reader *r) {
    if (r->left < 8) r->bad = true;
    if (r->bad) return 0;
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word |= (uint64_t)r->in[i] << (8 * i);
    r->in += 8;
    r->left -= 8;
    return word;
}

double read_real(reader *r) {
    uint64_t word = read_word(r);
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

void read_words(reader *r, void *words, size_t size) {
    if (r->left < size) r->bad = true;
    if (!r->bad && bytes_are_in_order()) {
        if (size > 0) memcpy(words, r->in, size);
        r->in += size;
        r->left -= size;
        return;
    }
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = read_word(r);
        memcpy((char *)words + at, &word, sizeof word);
    }
}

uint64_t read_word_upto(reader *r, uint64_t high) {
    uint64_t word = read_word(r);
    if (word > high) r->bad = true;
    return r->bad ? 0 : word;
}

const char *read_text(reader *r, size_t *length) {
    uint64_t count = read_word(r);
    *length = 0;
    if (r->bad || count == UINT64_MAX) return NULL;
    if (count > r->left || memchr(r->in, 0, (size_t)count) != NULL) {
        r->bad = true;
        return NULL;
    }
    const char *text = (const char *)r->in;
    r->in += count;
    r->left -= (size_t)count;
    *length = (size_t)count;
    return text;
}
