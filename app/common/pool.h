/* SPDX-License-Identifier: MIT */
/*
 * Memory that is freed all at once, for data that is read from one file.
 *
 * After an allocation has failed, all later ones fail, too. So a reader need not check every call: it must only not
 * follow a null pointer, and at the end pool_failed returns whether its data is incomplete.
 */
#ifndef POSSE_COMMON_POOL_H
#define POSSE_COMMON_POOL_H

#include "posse.h"

typedef struct pool pool;

/* Makes a pool whose memory comes from an allocator (NULL, or one without `resize`: the C heap). NULL: no memory. */
pool *pool_create(const posse_allocator *allocator);

/* Zeroed memory. NULL: no memory. */
void *pool_allocate(pool *p, size_t size);

/* Zeroed memory for `count` elements of a size. NULL: no memory. */
void *pool_array(pool *p, size_t count, size_t size);

/* A copy with a zero at its end, and text made as by printf. NULL: no memory. */
char *pool_copy(pool *p, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *pool_format(pool *p, const char *format, ...);

/* Whether an allocation has failed. True for a pool that is NULL. */
bool pool_failed(const pool *p);

/* Marks the pool as failed, for a reader to which another allocator than the pool's has refused memory. */
void pool_fail(pool *p);

/* The allocator that the memory of the pool comes from. */
posse_allocator pool_allocator(const pool *p);

/* Frees the pool and everything in it. NULL is fine. */
void pool_free(pool *p);

#endif
