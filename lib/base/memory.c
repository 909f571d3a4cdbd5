/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

/* The header of a block, followed by its contents. Allocations in it are consecutive, and freed with the block. */
struct arena_block {
    struct arena_block *next;
    size_t size, used; /* bytes of the contents */
    size_t total;      /* bytes of the contents of this block and of all older ones */
};

struct arena_table {
    struct arena_table *next;
    shared_table *table;
};

/*
 * Large allocations are aligned to a cache line, which is also the size of the widest vector, so no load of a vector
 * touches two lines. Allocations below SMALL bytes are packed tightly.
 */
#define ALIGNMENT 64
#define ALIGNMENT_SMALL 16
#define SMALL 256

/*
 * Blocks have at least this size, and at least this part of all blocks before, so that their number grows with the
 * logarithm of what is allocated. Room is looked for in this number of blocks, the latest, so that an allocation takes
 * the same time in a large arena. A posse has fewer blocks and fills all of them.
 */
#define BLOCK_MIN 448
#define BLOCK_PART 64
#define BLOCKS_SEARCHED 4

static void *memory_resize(const posse_allocator *allocator, void *block, size_t size) {
    if (allocator->resize != NULL) return allocator->resize(allocator->context, block, size);
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

void *memory_allocate(const posse_allocator *allocator, size_t size) {
    if (size == 0) size = 1;
    void *block = memory_resize(allocator, NULL, size);
    if (block != NULL) memset(block, 0, size);
    return block;
}

void *memory_grow(const posse_allocator *allocator, void *block, size_t size) {
    return memory_resize(allocator, block, size);
}

void memory_release(const posse_allocator *allocator, void *block) {
    if (block != NULL) memory_resize(allocator, block, 0);
}

static size_t arena_total(const arena *a) {
    return a->blocks != NULL ? a->blocks->total : 0;
}

static bool add_block(arena *a, size_t size) {
    struct arena_block *block = memory_allocate(&a->allocator, sizeof *block + size);
    if (block == NULL) return false;
    *block = (struct arena_block){a->blocks, size, 0, arena_total(a) + size};
    a->blocks = block;
    return true;
}

/*
 * The size of a type is a multiple of its alignment, and so is the size of an array. So the largest power of two that
 * divides a size is all the alignment that its contents can need.
 */
static size_t memory_alignment(size_t size) {
    size_t divisor = size & (~size + 1);
    if (size >= SMALL) return ALIGNMENT;
    return divisor < ALIGNMENT_SMALL ? divisor : ALIGNMENT_SMALL;
}

/* Takes size bytes from the end of a block. NULL: too little is left. */
static void *memory_take(struct arena_block *block, size_t size) {
    size_t alignment = memory_alignment(size);
    char *contents = (char *)(block + 1);
    size_t gap = (alignment - (uintptr_t)(contents + block->used) % alignment) % alignment;
    if (size > block->size - block->used || gap > block->size - block->used - size) return NULL;
    block->used += gap + size;
    return contents + block->used - size;
}

void *arena_allocate(arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    if (size == 0) size = 1;
    struct arena_block *block = a->blocks;
    for (int i = 0; i < BLOCKS_SEARCHED && block != NULL; i++, block = block->next) {
        void *room = memory_take(block, size);
        if (room != NULL) return room;
    }
    size_t part = arena_total(a) / BLOCK_PART, least = part > BLOCK_MIN ? part : BLOCK_MIN, needed = size + ALIGNMENT;
    return add_block(a, needed > least ? needed : least) ? memory_take(a->blocks, size) : NULL;
}

posse_error arena_reserve(arena *a, size_t size) {
    return add_block(a, size) ? POSSE_OK : POSSE_ERROR_MEMORY;
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
    POSSE_ASSERT(a != NULL);
    for (; a->tables != NULL; a->tables = a->tables->next) table_release(a->tables->table);
    while (a->blocks != NULL) {
        struct arena_block *next = a->blocks->next;
        memory_release(&a->allocator, a->blocks);
        a->blocks = next;
    }
}

arena *arena_open(const posse_allocator *allocator) {
    arena *a = memory_allocate(allocator, sizeof *a);
    if (a != NULL) a->allocator = *allocator;
    return a;
}

void arena_close(arena *a) {
    if (a == NULL) return;
    posse_allocator allocator = a->allocator;
    arena_release(a);
    memory_release(&allocator, a);
}
