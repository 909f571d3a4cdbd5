/*
 * Memory comes from the host's allocator alone. An arena is a set of blocks that are freed together: what a part's
 * plan and a copied definition are kept in.
 */
#ifndef POSSE_CORE_MEMORY_H
#define POSSE_CORE_MEMORY_H

#include "posse.h"

/* Zeroed memory, aligned for any type; NULL when there is none left. size 0 gives a block that can be released. */
void *memory_allocate(const posse_allocator *allocator, size_t size);

/* A larger block with the same contents; NULL, and the old block untouched, when there is none left. */
void *memory_grow(const posse_allocator *allocator, void *block, size_t size);

void memory_release(const posse_allocator *allocator, void *block);

typedef struct arena {
    posse_allocator allocator;
    struct arena_block *blocks;
} arena;

void *arena_allocate(arena *a, size_t size);
void arena_release(arena *a);

#endif
