/* SPDX-License-Identifier: MIT */
#include "object/pending.h"
#include "base/assert.h"

#include <string.h>

#define CAPACITY_MIN 16
#define ENTRIES_MAX (SIZE_MAX >> 20) /* more than fit into any memory, but no size overflows */

static pending_entry *slot_entry(const pending *p, size_t slot) {
    return (pending_entry *)((char *)p->slots + slot * p->stride);
}

/* Multiplicative hashing spreads the consecutive numbers over the table. */
static size_t pending_home(const pending *p, uint64_t number) {
    return (size_t)((number * 0x9E3779B97F4A7C15u) >> 32) & (p->capacity - 1);
}

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
    pending_entry *entry = slot_entry(p, slot);
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
    if (p->capacity > CAPACITY_MIN && 8 * p->count <= p->capacity) pending_resize(p, p->capacity / 2, allocator);
}

/* The table is at most half full, so that a search soon meets an empty slot. */
posse_error pending_reserve(pending *p, size_t more, const posse_allocator *allocator) {
    size_t capacity = p->capacity > 0 ? p->capacity : CAPACITY_MIN;
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

pending_entry *pending_add(pending *p, uint64_t number) {
    POSSE_ASSERT(number > 0 && p->count < p->capacity); /* pending_reserve has made room */
    size_t slot = pending_home(p, number);
    while (slot_entry(p, slot)->number != 0) slot = (slot + 1) & (p->capacity - 1);
    p->count++;
    if (number < p->oldest) p->oldest = number;
    pending_entry *entry = slot_entry(p, slot);
    entry->number = number;
    return entry;
}

pending_entry *pending_find(const pending *p, uint64_t number) {
    if (p->capacity == 0 || number == 0) return NULL;
    for (size_t slot = pending_home(p, number);; slot = (slot + 1) & (p->capacity - 1)) {
        pending_entry *entry = slot_entry(p, slot);
        if (entry->number == number) return entry;
        if (entry->number == 0) return NULL;
    }
}

/* Entries after the gap whose home is at or before it are moved into it, so that searches still find them. */
void pending_remove(pending *p, pending_entry *entry, const posse_allocator *allocator) {
    POSSE_ASSERT(p->count > 0 && entry->number > 0);
    size_t mask = p->capacity - 1, gap = (size_t)((char *)entry - (char *)p->slots) / p->stride;
    for (size_t slot = (gap + 1) & mask; slot_entry(p, slot)->number != 0; slot = (slot + 1) & mask) {
        pending_entry *next = slot_entry(p, slot);
        if (((slot - pending_home(p, next->number)) & mask) >= ((slot - gap) & mask)) {
            memcpy(slot_entry(p, gap), next, p->stride);
            gap = slot;
        }
    }
    slot_entry(p, gap)->number = 0;
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
