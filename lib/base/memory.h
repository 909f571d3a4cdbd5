/* SPDX-License-Identifier: MIT */
/*
 * All memory comes from the host's allocator. An arena is memory in few blocks that is freed as a whole. It holds a
 * part's plan, or a posse with everything that it was created with.
 */
#ifndef POSSE_BASE_MEMORY_H
#define POSSE_BASE_MEMORY_H

#include "base/shared_table.h"
#include "posse.h"

/* Zeroed memory, aligned for any type; NULL when there is no memory left. size 0 gives a block that can be released. */
void *memory_allocate(const posse_allocator *allocator, size_t size);

/* A larger block with the same contents. When there is no memory left: NULL, and the old block stays as it was. */
void *memory_grow(const posse_allocator *allocator, void *block, size_t size);

void memory_release(const posse_allocator *allocator, void *block);

typedef struct arena {
    posse_allocator allocator;
    struct arena_block *blocks;
    struct arena_table *tables; /* they are released with the arena */
} arena;

/*
 * Zeroed memory; NULL when there is none left. It is aligned for every type whose size divides `size`, so that texts
 * and small structures lie close together.
 */
void *arena_allocate(arena *a, size_t size);
/* Makes a block of size bytes in advance, for the next allocations. */
posse_error arena_reserve(arena *a, size_t size);
void arena_release(arena *a);

/* An arena that is allocated itself, and freed by arena_close. NULL: no memory is left, or nothing is to be closed. */
arena *arena_open(const posse_allocator *allocator);
void arena_close(arena *a);

/* A shared table, which is released with the arena. */
posse_error arena_share_table(arena *a, const table_key *key, shared_table **out);

#endif
