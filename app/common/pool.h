/* SPDX-License-Identifier: MIT */
/*
 * Memory that is freed all at once: what is read from a file lives and dies together.
 *
 * A pool that has had no memory once has none from then on. So a reader need not look at every call: it must only not
 * follow a null pointer, and at the end pool_failed tells whether what it made is complete.
 */
#ifndef POSSE_COMMON_POOL_H
#define POSSE_COMMON_POOL_H

#include "posse.h"

typedef struct pool pool;

/* Makes a pool whose memory comes from an allocator (NULL, or one without `resize`: the C heap). NULL: no memory. */
pool *pool_create(const posse_allocator *allocator);

/* Zeroed memory, or NULL: there is none. */
void *pool_allocate(pool *p, size_t size);

/* A copy with a zero at its end, and text made as by printf. NULL: no memory. */
char *pool_copy(pool *p, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *pool_format(pool *p, const char *format, ...);

/* Whether memory was ever refused; of no pool at all (NULL), true. */
bool pool_failed(const pool *p);

/* Says that memory was refused to who reads into the pool, by another allocator than the pool's. */
void pool_fail(pool *p);

/* Where its memory comes from. */
posse_allocator pool_allocator(const pool *p);

/* Frees the pool and everything in it. NULL is fine. */
void pool_free(pool *p);

#endif
