/* SPDX-License-Identifier: MIT */
/*
 * Pending decisions: those without a reward so far, found by their number. They are in a hash table with open
 * addressing, which grows and shrinks with the number of decisions that are pending.
 */
#ifndef POSSE_OBJECT_PENDING_H
#define POSSE_OBJECT_PENDING_H

#include "base/memory.h"

/* The arm of a decision whose learner is external, before its play is reported (posse_acted). */
#define ARM_UNTOLD POSSE_ARM_UNTOLD

typedef enum arm_source { PICKED, DRAWN_BY_SELECTOR, DRAWN_BY_FLOOR } arm_source;

typedef struct pending_entry {
    uint64_t number; /* of the decision, from 1; 0: an empty slot */
    uint32_t epoch;
    int32_t learner;
    int32_t arm;
    uint32_t drawn; /* an arm_source: how the arm was determined */
    double probability;
    double point[]; /* the arm's coordinates on the ball, or its features; with a floor, followed by its propensity */
} pending_entry;
_Static_assert(sizeof(pending_entry) == 32, "docs/embedding.md says what a pending decision takes");

typedef struct pending {
    void *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    size_t stride;   /* bytes of a slot */
    uint64_t oldest; /* no smaller number is pending */
} pending;

/* numbers: how many numbers are kept in the `point` of each decision. */
void pending_open(pending *p, int numbers);
void pending_release(pending *p, const posse_allocator *allocator);
void pending_clear(pending *p);

/* Makes sure that `more` further entries fit. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error pending_reserve(pending *p, size_t more, const posse_allocator *allocator);

/* Frees memory that was reserved and is not needed. */
void pending_trim(pending *p, const posse_allocator *allocator);

/* Adds an entry for a new number; pending_reserve has made room for it. */
pending_entry *pending_add(pending *p, uint64_t number);

/* The entry of a number, or NULL. */
pending_entry *pending_find(const pending *p, uint64_t number);

/* Removes an entry, and frees memory if the table has become too large for the remaining entries. */
void pending_remove(pending *p, pending_entry *entry, const posse_allocator *allocator);

/* The oldest entry, or NULL. No number above `last` is pending. */
pending_entry *pending_oldest(pending *p, uint64_t last);

/* The entry in a slot, 0 .. capacity-1, or NULL. */
pending_entry *pending_at(const pending *p, size_t slot);

#endif
