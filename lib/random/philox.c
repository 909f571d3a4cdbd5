/* SPDX-License-Identifier: MIT */
/*
 * Philox, the plain version. The vector kernels (kernel/single.c) make the same bits, many blocks at a time.
 */
#include "random/philox.h"

void philox(uint64_t key, const uint32_t counter[4], uint32_t out[4]) {
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t a = (uint64_t)PHILOX_MULTIPLIER_0 * c0;
        uint64_t b = (uint64_t)PHILOX_MULTIPLIER_1 * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += PHILOX_STEP_0;
        k1 += PHILOX_STEP_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
