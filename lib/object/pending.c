/* SPDX-License-Identifier: MIT */
#include "object/pending.h"

#include <string.h>

#include "base/assert.h"

#define ENTRIES_MAX (SIZE_MAX >> 20) /* more than fit into any memory, but no size overflows */

void pending_open(pending *p, int numbers) {
    *p = (pending){.stride = sizeof(pending_entry) + (size_t)numbers * sizeof(double), .oldest = UINT64_MAX};
}

void pending_release(pending *p, const posse_allocator *allocator) {
    memory_release(allocator, p->slots);
}

void pending_clear(pending *p) {
    if (p->capacity > 0) memset(p->slots, 0, p->capacity * p->stride);
    p->count = 0;
    p->oldest = UINT64_MAX;
}

pending_entry *pending_at(const pending *p, size_t slot) {
    pending_entry *entry = pending_slot(p, slot);
    return entry->number != 0 ? entry : NULL;
}

static posse_error pending_resize(pending *p, size_t capacity, const posse_allocator *allocator) {
    pending other = {.capacity = capacity, .stride = p->stride, .oldest = p->oldest};
    other.slots = memory_allocate(allocator, other.capacity * other.stride);
    if (other.slots == NULL) return POSSE_ERROR_MEMORY;
    for (size_t slot = 0; slot < p->capacity; slot++) {
        const pending_entry *entry = pending_at(p, slot);
        if (entry != NULL) memcpy(pending_add(&other, entry->number), entry, p->stride);
    }
    pending_release(p, allocator);
    *p = other;
    return POSSE_OK;
}

/*
 * A table that is at most an eighth full is halved, which leaves it at most a quarter full. So the count has to change
 * a lot before the table is resized again. If there is no memory for the smaller table, the larger one stays.
 */
static void pending_shrink(pending *p, const posse_allocator *allocator) {
    if (p->capacity > PENDING_LEAST && 8 * p->count <= p->capacity) pending_resize(p, p->capacity / 2, allocator);
}

posse_error pending_make_room(pending *p, size_t more, const posse_allocator *allocator) {
    size_t capacity = p->capacity > 0 ? p->capacity : PENDING_LEAST;
    if (more > ENTRIES_MAX - p->count) return POSSE_ERROR_MEMORY;
    while (capacity < 2 * (p->count + more)) capacity *= 2;
    return capacity == p->capacity ? POSSE_OK : pending_resize(p, capacity, allocator);
}

void pending_trim(pending *p, const posse_allocator *allocator) {
    size_t before;
    do {
        before = p->capacity;
        pending_shrink(p, allocator);
    } while (p->capacity < before);
}

/* Entries after the gap whose home is at or before it are moved into it, so that searches still find them. */
void pending_remove_among(pending *p, pending_entry *entry, const posse_allocator *allocator) {
    POSSE_ASSERT(p->count > 0 && entry->number > 0);
    size_t mask = p->capacity - 1, gap = pending_home(p, entry->number);
    while (pending_slot(p, gap) != entry) gap = (gap + 1) & mask;
    for (size_t slot = (gap + 1) & mask; pending_slot(p, slot)->number != 0; slot = (slot + 1) & mask) {
        pending_entry *next = pending_slot(p, slot);
        if (((slot - pending_home(p, next->number)) & mask) >= ((slot - gap) & mask)) {
            memcpy(pending_slot(p, gap), next, p->stride);
            gap = slot;
        }
    }
    pending_slot(p, gap)->number = 0;
    if (--p->count == 0) p->oldest = UINT64_MAX;
    pending_shrink(p, allocator);
}

static pending_entry *pending_least(const pending *p) {
    pending_entry *least = NULL;
    for (size_t slot = 0; slot < p->capacity; slot++) {
        pending_entry *entry = pending_at(p, slot);
        if (entry != NULL && (least == NULL || entry->number < least->number)) least = entry;
    }
    return least;
}

/* Mostly the next number is pending, or one soon after. If the gap is longer than the table, the table is searched. */
pending_entry *pending_oldest(pending *p) {
    if (p->count == 0) return NULL;
    pending_entry *entry = pending_find(p, p->oldest);
    for (size_t i = 0; entry == NULL && i < p->capacity; i++) entry = pending_find(p, ++p->oldest);
    if (entry == NULL) entry = pending_least(p);
    p->oldest = entry->number;
    return entry;
}
