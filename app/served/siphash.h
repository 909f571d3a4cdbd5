/* SPDX-License-Identifier: MIT */
/*
 * SipHash-2-4 (Aumasson and Bernstein 2012): a hash that nobody can compute without the key.
 */
#ifndef SERVED_SIPHASH_H
#define SERVED_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

#define SIPHASH_KEY 16

uint64_t siphash(const uint8_t key[SIPHASH_KEY], const void *bytes, size_t length);

#endif
