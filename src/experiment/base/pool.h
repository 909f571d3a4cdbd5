/*
 * Memory that is freed all at once: what is read from a file lives and dies together.
 */
#ifndef POSSE_BASE_POOL_H
#define POSSE_BASE_POOL_H

#include <stddef.h>

typedef struct pool pool;

pool *pool_create(void);

/* Zeroed memory. Where there is none left the program ends with status 3: a file is read before anything has begun. */
void *pool_allocate(void *p, size_t size);

/* A copy with a zero at its end. */
char *pool_copy(pool *p, const char *text, size_t length);

/* Frees the pool and everything in it. NULL is fine. */
void pool_free(pool *p);

#endif
