/* SPDX-License-Identifier: MIT */
#include "object/dictionary.h"

#include <string.h>

#define ROOM_LEAST 256

/* Where the search for an index begins. Multiplicative hashing spreads neighbours over the table. */
static size_t dictionary_home(const dictionary *d, int index) {
    return (size_t)(((uint64_t)(uint32_t)index * 0x9E3779B97F4A7C15u) >> 32) & (d->room - 1);
}

/* The entry of an index, or the empty one where it belongs. */
static int *dictionary_entry(const dictionary *d, int index) {
    size_t i = dictionary_home(d, index);
    while (d->table[i] != 0 && d->indices[d->table[i] - 1] != index) i = (i + 1) & (d->room - 1);
    return &d->table[i];
}

int dictionary_find(const dictionary *d, int index) {
    return d->room > 0 ? *dictionary_entry(d, index) - 1 : -1;
}

static posse_error dictionary_grow(dictionary *d, const posse_allocator *allocator) {
    dictionary larger = {.room = d->room > 0 ? 2 * d->room : ROOM_LEAST, .count = d->count};
    larger.table = memory_allocate(allocator, larger.room * sizeof *larger.table);
    larger.indices = memory_allocate(allocator, larger.room / 2 * sizeof *larger.indices);
    if (larger.table == NULL || larger.indices == NULL) {
        dictionary_release(&larger, allocator);
        return POSSE_ERROR_MEMORY;
    }
    for (int slot = 0; slot < d->count; slot++) {
        larger.indices[slot] = d->indices[slot];
        *dictionary_entry(&larger, d->indices[slot]) = slot + 1;
    }
    dictionary_release(d, allocator);
    *d = larger;
    return POSSE_OK;
}

posse_error dictionary_add(dictionary *d, int index, const posse_allocator *allocator) {
    posse_error error = (size_t)d->count < d->room / 2 ? POSSE_OK : dictionary_grow(d, allocator);
    if (error != POSSE_OK) return error;
    int *entry = dictionary_entry(d, index);
    d->indices[d->count++] = index;
    *entry = d->count;
    return POSSE_OK;
}

/* The newest feature is at the end of its chain, so that no search for another one passes its entry. */
void dictionary_forget(dictionary *d, int count) {
    for (; d->count > count; d->count--) *dictionary_entry(d, d->indices[d->count - 1]) = 0;
}

void dictionary_release(dictionary *d, const posse_allocator *allocator) {
    memory_release(allocator, d->table);
    memory_release(allocator, d->indices);
    *d = (dictionary){0};
}
