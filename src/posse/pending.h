/* SPDX-License-Identifier: MIT */
/*
 * Pending decisions: those without a reward so far, found by id. They are in a hash table with open addressing: memory
 * grows with the largest number that were ever pending at once, not with the number of decisions.
 */
#ifndef POSSE_POSSE_PENDING_H
#define POSSE_POSSE_PENDING_H

#include "core/memory.h"

typedef struct pending_entry {
    uint64_t id; /* 0: an empty slot */
    int64_t learner;
    int64_t arm;
    double probability;
    uint64_t probe; /* 1: the selector named the arm */
    double point[]; /* the coordinates of the arm, only on the ball */
} pending_entry;
_Static_assert(sizeof(pending_entry) % 8 == 0, "slots of entries and points are 8-byte numbers without gaps");

typedef struct pending {
    void *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    size_t stride; /* bytes of a slot */
} pending;

/* point_dim: how many numbers of a point are kept with each decision, 0 where the arm's index is enough. */
void pending_open(pending *p, int point_dim);
void pending_release(pending *p, const posse_allocator *allocator);
void pending_clear(pending *p);

/* Makes sure that one more entry fits. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error pending_reserve(pending *p, const posse_allocator *allocator);

/* Adds an entry for a new id; pending_reserve has made room for it. */
pending_entry *pending_add(pending *p, uint64_t id);

/* The entry of an id, or NULL. */
pending_entry *pending_find(const pending *p, uint64_t id);

void pending_remove(pending *p, pending_entry *entry);

/* The entry in a slot, 0 .. capacity-1, or NULL. */
pending_entry *pending_at(const pending *p, size_t slot);

#endif
