/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a (Fowler, Noll, Vo 1991), 64 bits. Each step is a bijection of the hash so far, so a change of a single byte
 * always changes the result.
 */
#ifndef POSSE_BASE_HASH_H
#define POSSE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BYTES_START UINT64_C(0xcbf29ce484222325)

/* The hash of all bytes so far and of these. */
static inline uint64_t hash_more_bytes(uint64_t hash, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t hash_bytes(const void *bytes, size_t length) {
    return hash_more_bytes(HASH_BYTES_START, bytes, length);
}

#endif
