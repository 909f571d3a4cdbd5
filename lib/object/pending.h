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

/* How the arm of a decision was determined. Saved posses have these numbers. */
typedef enum arm_source {
    PICKED,
    DRAWN_BY_SELECTOR,
    DRAWN_BY_FLOOR,
    HELD_BACK,
    KEPT_BY_UNIT,
    PLAYED_IN_PAUSE
} arm_source;

#define AGAIN 0x80u /* the bit of pending_entry.again beside the arm_source, in saved posses */
#define SUGGESTED_MASK 0x7fffffu
#define PENDING_LEAST 4 /* slots of the smallest table */

typedef struct pending_entry {
    uint64_t number; /* of the decision, from 1; 0: an empty slot */
    uint32_t epoch;
    int32_t arm; /* before the learner, unlike in a posse_decision: compilers would copy both at once, too soon after
                    they were written one by one, and processors would wait */
    int32_t learner;
    uint32_t drawn : 7;      /* an arm_source */
    uint32_t again : 1;      /* its unit was there before, or may have been */
    uint32_t suggested : 23; /* 1 + the arm of a decision that is, or was, a suggestion (posse_modes.h); else 0 */
    uint32_t deferred : 1;   /* it is in the table of deferred.h */
    double probability;
    double point[]; /* the arm's coordinates on the ball, or its features; then the propensity, if one is kept */
} pending_entry;
_Static_assert(sizeof(pending_entry) == 32, "docs/embedding.md says what a pending decision takes");

/* The arm that a decision determined, also where it was a suggestion; negative: none. */
static inline int pending_arm_made(const pending_entry *entry) {
    return entry->suggested > 0 ? (int)entry->suggested - 1 : entry->arm;
}

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
posse_error pending_make_room(pending *p, size_t more, const posse_allocator *allocator);

/*
 * pending_make_room, nearly always without a call. The table is at most half full, so that a search soon meets an empty
 * slot.
 */
static inline posse_error pending_reserve(pending *p, size_t more, const posse_allocator *allocator) {
    size_t room = p->capacity / 2 - p->count;
    return more <= room ? POSSE_OK : pending_make_room(p, more, allocator);
}

/* Frees memory that was reserved and is not needed. */
void pending_trim(pending *p, const posse_allocator *allocator);

static inline pending_entry *pending_slot(const pending *p, size_t slot) {
    return (pending_entry *)((char *)p->slots + slot * p->stride);
}

/* Multiplicative hashing spreads the consecutive numbers over the table. */
static inline size_t pending_home(const pending *p, uint64_t number) {
    return (size_t)((number * 0x9E3779B97F4A7C15u) >> 32) & (p->capacity - 1);
}

/*
 * Fetches the memory of a number that will be added soon. Entries lie scattered, so the processor would wait for it.
 * PENDING_AHEAD: how many numbers ahead is soon.
 */
#define PENDING_AHEAD 3
static inline void pending_expect(const pending *p, uint64_t number) {
    const char *at = (const char *)pending_slot(p, pending_home(p, number));
    for (size_t i = 0; i < p->stride; i += 64) __builtin_prefetch(at + i, 1);
}

/* Adds an entry for a new number; pending_reserve has made room for it. */
static inline pending_entry *pending_add(pending *p, uint64_t number) {
    size_t slot = pending_home(p, number);
    while (pending_slot(p, slot)->number != 0) slot = (slot + 1) & (p->capacity - 1);
    p->count++;
    if (number < p->oldest) p->oldest = number;
    pending_entry *entry = pending_slot(p, slot);
    entry->number = number;
    return entry;
}

/* The entry of a number, or NULL. */
static inline pending_entry *pending_find(const pending *p, uint64_t number) {
    if (p->capacity == 0 || number == 0) return NULL;
    for (size_t slot = pending_home(p, number);; slot = (slot + 1) & (p->capacity - 1)) {
        pending_entry *entry = pending_slot(p, slot);
        if (entry->number == number) return entry;
        if (entry->number == 0) return NULL;
    }
}

/* Removes one entry of several. */
void pending_remove_among(pending *p, pending_entry *entry, const posse_allocator *allocator);

/*
 * Removes an entry, and frees memory if the table has become too large for the remaining entries. Where every decision
 * gets its reward before the next one, the entry is alone in the smallest table.
 */
static inline void pending_remove(pending *p, pending_entry *entry, const posse_allocator *allocator) {
    if (p->count > 1 || p->capacity > PENDING_LEAST) {
        pending_remove_among(p, entry, allocator);
        return;
    }
    entry->number = 0;
    p->count = 0;
    p->oldest = UINT64_MAX;
}

/* The oldest entry, or NULL. */
pending_entry *pending_oldest(pending *p);

/* The entry in a slot, 0 .. capacity-1, or NULL. */
pending_entry *pending_at(const pending *p, size_t slot);

#endif
