/* SPDX-License-Identifier: MIT */
/*
 * Units: the visitors of an application, and the arm that each has. A unit is known by a hash of 128 bits, so its name
 * is not kept. Units are in a hash table with open addressing, and in a list, the oldest first, from which the first
 * one is forgotten when there are too many.
 */
#ifndef POSSE_OBJECT_UNITS_H
#define POSSE_OBJECT_UNITS_H

#include "base/memory.h"
#include "object/bytes.h"

typedef struct unit_key {
    uint64_t first, second;
} unit_key;

typedef struct unit {
    unit_key key;
    uint64_t number; /* of the decision that gave it the arm */
    uint64_t since;  /* the time of that decision */
    int32_t arm;
    uint32_t before, after; /* neighbours in the list, as 1 + their places; 0: none */
} unit;

typedef struct units {
    unit *list; /* `count` of them, in any order */
    size_t count, room;
    uint32_t *slots; /* 1 + the place of a unit, 0: an empty slot */
    size_t slot_count;
    uint32_t oldest, newest; /* as 1 + their places */
} units;

/* The hash of a unit's bytes and of the posse's seed. */
unit_key units_key(uint64_t seed, const void *bytes, size_t length);

/* NULL: it is not remembered. Valid until the table changes. */
const unit *units_find(const units *u, unit_key key);

/* Makes room for one more, of at most `most`. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error units_reserve(units *u, size_t most, const posse_allocator *allocator);

/* Remembers a unit as the newest, in place of what was known of it. units_reserve has made room. */
void units_put(units *u, size_t most, unit_key key, uint64_t number, uint64_t since, int arm);
void units_remove(units *u, unit_key key);

/* Forgets the oldest ones, until `most` are left. */
void units_trim(units *u, size_t most);
void units_release(units *u, const posse_allocator *allocator);

/* Writes all units, the oldest first, and reads them. arms, decisions: what is right in a unit. */
void units_write(writer *w, const units *u);
posse_error units_read(reader *r, units *u, size_t most, int arms, uint64_t decisions,
                       const posse_allocator *allocator);

#endif
