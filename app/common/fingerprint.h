/* SPDX-License-Identifier: MIT */
/*
 * A 64-bit fingerprint of numbers, in order: if it is equal after two runs of an experiment, so are all results.
 */
#ifndef POSSE_COMMON_FINGERPRINT_H
#define POSSE_COMMON_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FINGERPRINT_START UINT64_C(0x706f737365)

static inline uint64_t fingerprint_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* Hashes the bits of each number. All NaNs count as one, because the sign of a NaN depends on the compiler. */
static inline uint64_t fingerprint_numbers(uint64_t hash, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = UINT64_C(0x7ff8000000000000);
        if (numbers[i] == numbers[i]) memcpy(&bits, &numbers[i], sizeof bits);
        hash = fingerprint_word(hash, bits);
    }
    return hash;
}

static inline uint64_t fingerprint_counts(uint64_t hash, const uint32_t *counts, size_t count) {
    for (size_t i = 0; i < count; i++) hash = fingerprint_word(hash, counts[i]);
    return hash;
}

/*
 * Hashes bytes of any kind, as they lie in memory. Four words are hashed side by side, so that a multiplication need
 * not wait for the one before. A change of a single word always changes the hash.
 */
static inline uint64_t fingerprint_memory(uint64_t hash, const void *bytes, size_t length) {
    const char *at = bytes;
    uint64_t parts[4] = {hash, hash, hash, hash}, words[4];
    hash ^= length;
    for (; length >= sizeof words; at += sizeof words, length -= sizeof words) {
        memcpy(words, at, sizeof words);
        for (int k = 0; k < 4; k++) parts[k] = fingerprint_word(parts[k], words[k]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, length);
    for (int k = 0; k < 4; k++) hash = fingerprint_word(hash, fingerprint_word(parts[k], words[k]));
    return hash;
}

#endif
