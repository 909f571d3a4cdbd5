/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a (Fowler, Noll, Vo 1991), 64 bits. Each step is a bijection of the hash so far, so a change of a single byte
 * always changes the result.
 */
#ifndef POSSE_BASE_HASH_H
#define POSSE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_bytes(const void *bytes, size_t length) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    return hash;
}

#endif
