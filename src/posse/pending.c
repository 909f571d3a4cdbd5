/* SPDX-License-Identifier: MIT */
#include "posse/pending.h"

#include <string.h>

#define CAPACITY_MIN 16

static pending_entry *slot_entry(const pending *p, size_t slot) {
    return (pending_entry *)((char *)p->slots + slot * p->stride);
}

/* Multiplicative hashing spreads the consecutive ids over the table. */
static size_t home(const pending *p, uint64_t id) {
    return (size_t)((id * 0x9E3779B97F4A7C15u) >> 32) & (p->capacity - 1);
}

void pending_open(pending *p, int point_dim) {
    *p = (pending){.stride = sizeof(pending_entry) + (size_t)point_dim * sizeof(double)};
}

void pending_release(pending *p, const posse_allocator *allocator) {
    memory_release(allocator, p->slots);
}

void pending_clear(pending *p) {
    if (p->capacity > 0) memset(p->slots, 0, p->capacity * p->stride);
    p->count = 0;
}

pending_entry *pending_at(const pending *p, size_t slot) {
    pending_entry *entry = slot_entry(p, slot);
    return entry->id != 0 ? entry : NULL;
}

/* The table is at most half full, so that a search soon meets an empty slot. */
posse_error pending_reserve(pending *p, const posse_allocator *allocator) {
    if (2 * (p->count + 1) <= p->capacity) return POSSE_OK;
    pending larger = {.capacity = p->capacity > 0 ? 2 * p->capacity : CAPACITY_MIN, .stride = p->stride};
    larger.slots = memory_allocate(allocator, larger.capacity * larger.stride);
    if (larger.slots == NULL) return POSSE_ERROR_MEMORY;
    for (size_t slot = 0; slot < p->capacity; slot++) {
        const pending_entry *entry = pending_at(p, slot);
        if (entry != NULL) memcpy(pending_add(&larger, entry->id), entry, p->stride);
    }
    pending_release(p, allocator);
    *p = larger;
    return POSSE_OK;
}

pending_entry *pending_add(pending *p, uint64_t id) {
    size_t slot = home(p, id);
    while (slot_entry(p, slot)->id != 0) slot = (slot + 1) & (p->capacity - 1);
    p->count++;
    pending_entry *entry = slot_entry(p, slot);
    entry->id = id;
    return entry;
}

pending_entry *pending_find(const pending *p, uint64_t id) {
    if (p->capacity == 0 || id == 0) return NULL;
    for (size_t slot = home(p, id);; slot = (slot + 1) & (p->capacity - 1)) {
        pending_entry *entry = slot_entry(p, slot);
        if (entry->id == id) return entry;
        if (entry->id == 0) return NULL;
    }
}

/* Entries after the gap move back into it where their home lies at or before it, so that searches still reach them. */
void pending_remove(pending *p, pending_entry *entry) {
    size_t mask = p->capacity - 1, gap = (size_t)((char *)entry - (char *)p->slots) / p->stride;
    for (size_t slot = (gap + 1) & mask; slot_entry(p, slot)->id != 0; slot = (slot + 1) & mask) {
        pending_entry *next = slot_entry(p, slot);
        if (((slot - home(p, next->id)) & mask) >= ((slot - gap) & mask)) {
            memcpy(slot_entry(p, gap), next, p->stride);
            gap = slot;
        }
    }
    slot_entry(p, gap)->id = 0;
    p->count--;
}
