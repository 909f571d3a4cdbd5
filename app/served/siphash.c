/* SPDX-License-Identifier: MIT */
#include "served/siphash.h"

/* Little-endian, on every machine. */
static uint64_t siphash_word_at(const uint8_t *bytes, size_t length) {
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static uint64_t siphash_turn(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

static void siphash_mix(uint64_t v[4], int rounds) {
    while (rounds-- > 0) {
        v[0] += v[1], v[1] = siphash_turn(v[1], 13) ^ v[0], v[0] = siphash_turn(v[0], 32);
        v[2] += v[3], v[3] = siphash_turn(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = siphash_turn(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = siphash_turn(v[1], 17) ^ v[2], v[2] = siphash_turn(v[2], 32);
    }
}

static void siphash_take(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    siphash_mix(v, 2);
    v[0] ^= word;
}

uint64_t siphash(const uint8_t key[SIPHASH_KEY], const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    uint64_t k0 = siphash_word_at(key, 8), k1 = siphash_word_at(key + 8, 8);
    uint64_t v[4] = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                     k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; at += 8, left -= 8) siphash_take(v, siphash_word_at(at, 8));
    siphash_take(v, siphash_word_at(at, left) | (uint64_t)length << 56);
    v[2] ^= 0xff;
    siphash_mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
