/* SPDX-License-Identifier: MIT */
/*
 * Philox4x32-10, a counter-based random number generator: 128 random bits as a function of a 128-bit counter and a
 * 64-bit key. J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3,
 * SC'11 (2011).
 */
#ifndef POSSE_RANDOM_PHILOX_H
#define POSSE_RANDOM_PHILOX_H

#include <stdint.h>

#define PHILOX_ROUNDS 10
#define PHILOX_MULTIPLIER_0 0xD2511F53u
#define PHILOX_MULTIPLIER_1 0xCD9E8D57u
#define PHILOX_STEP_0 0x9E3779B9u /* added to the key's low half after every round */
#define PHILOX_STEP_1 0xBB67AE85u /* and to its high half */

void philox(uint64_t key, const uint32_t counter[4], uint32_t out[4]);

#endif
