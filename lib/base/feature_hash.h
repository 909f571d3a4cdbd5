/* SPDX-License-Identifier: MIT */
/*
 * The hash of a feature's name. It is CRC-32 (of IEEE 802.3), because a sum can be continued with more bytes, and every
 * language has it. Sums of names that differ in one character differ in a fixed pattern, so the bits are mixed at the
 * end, as MurmurHash3 does.
 */
#ifndef POSSE_BASE_FEATURE_HASH_H
#define POSSE_BASE_FEATURE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FEATURE_SUM_START 0u

/* The CRC-32 of the bytes so far and of these, by half bytes. */
static inline uint32_t feature_sum(uint32_t sum, const void *bytes, size_t length) {
    static const uint32_t steps[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *at = bytes;
    sum = ~sum;
    for (size_t i = 0; i < length; i++) {
        sum ^= at[i];
        sum = sum >> 4 ^ steps[sum & 15];
        sum = sum >> 4 ^ steps[sum & 15];
    }
    return ~sum;
}

/* The hash of a name whose sum this is. Its lowest bit is the sign: 1 adds, 0 subtracts. */
static inline uint32_t feature_hash(uint32_t sum) {
    sum = (sum ^ sum >> 16) * 0x85ebca6bu;
    sum = (sum ^ sum >> 13) * 0xc2b2ae35u;
    return sum ^ sum >> 16;
}

static inline int feature_slot(uint32_t hash, int slots) {
    return (int)((hash >> 1) % (uint32_t)slots);
}

static inline double feature_signed(uint32_t hash, double number) {
    return (hash & 1) != 0 ? number : -number;
}

#endif
