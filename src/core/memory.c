/* SPDX-License-Identifier: MIT */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* The header of a block; its contents begin at the next multiple of ALIGNMENT. */
struct arena_block {
    struct arena_block *next;
};

struct arena_table {
    struct arena_table *next;
    shared_table *table;
};

/* The size of a cache line and of the widest vector: then no load of a vector touches two lines. */
#define ALIGNMENT 64

static void *resize(const posse_allocator *allocator, void *block, size_t size) {
    if (allocator->resize != NULL) return allocator->resize(allocator->context, block, size);
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

void *memory_allocate(const posse_allocator *allocator, size_t size) {
    if (size == 0) size = 1;
    void *block = resize(allocator, NULL, size);
    if (block != NULL) memset(block, 0, size);
    return block;
}

void *memory_grow(const posse_allocator *allocator, void *block, size_t size) {
    return resize(allocator, block, size);
}

void memory_release(const posse_allocator *allocator, void *block) {
    if (block != NULL) resize(allocator, block, 0);
}

void *arena_allocate(arena *a, size_t size) {
    if (size > SIZE_MAX - sizeof(struct arena_block) - ALIGNMENT) return NULL;
    struct arena_block *block = memory_allocate(&a->allocator, sizeof(struct arena_block) + ALIGNMENT + size);
    if (block == NULL) return NULL;
    block->next = a->blocks;
    a->blocks = block;
    uintptr_t after = (uintptr_t)(block + 1);
    return (char *)(block + 1) + (ALIGNMENT - after % ALIGNMENT) % ALIGNMENT;
}

posse_error arena_share_table(arena *a, const table_key *key, shared_table **out) {
    struct arena_table *held = arena_allocate(a, sizeof *held);
    if (held == NULL) return POSSE_ERROR_MEMORY;
    *out = table_share(key);
    *held = (struct arena_table){a->tables, *out};
    a->tables = held;
    return POSSE_OK;
}

void arena_release(arena *a) {
    for (; a->tables != NULL; a->tables = a->tables->next) table_release(a->tables->table);
    while (a->blocks != NULL) {
        struct arena_block *next = a->blocks->next;
        memory_release(&a->allocator, a->blocks);
        a->blocks = next;
    }
}
