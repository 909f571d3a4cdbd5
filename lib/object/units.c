/* SPDX-License-Identifier: MIT */
#include "object/units.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

#define ROOM_MIN 16
#define SAVED_WORDS 5 /* of a unit */

/* ------------------------------------------------------ the key --------------------------------------------------- */

/* The last bytes hardly change the upper bits of FNV, so its result is mixed (the finalizer of MurmurHash3). */
static uint64_t units_mix(uint64_t x) {
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

unit_key units_key(uint64_t seed, const void *bytes, size_t length) {
    uint64_t start = units_mix(seed + 1);
    return (unit_key){units_mix(hash_more_bytes(HASH_BYTES_START ^ start, bytes, length)),
                      units_mix(hash_more_bytes(~HASH_BYTES_START ^ start, bytes, length) + length)};
}

/* ------------------------------------------------------ slots ----------------------------------------------------- */

static size_t units_home(const units *u, unit_key key) {
    return (size_t)key.first & (u->slot_count - 1);
}

/* The slot of a key, or the empty one that ends the search. The table is at most half full. */
static uint32_t *units_slot(const units *u, unit_key key) {
    for (size_t at = units_home(u, key);; at = (at + 1) & (u->slot_count - 1)) {
        uint32_t place = u->slots[at];
        if (place == 0) return &u->slots[at];
        const unit_key *other = &u->list[place - 1].key;
        if (other->first == key.first && other->second == key.second) return &u->slots[at];
    }
}

/* Entries after the gap whose home is at or before it are moved into it, so that searches still find them. */
static void units_close_gap(units *u, size_t gap) {
    size_t mask = u->slot_count - 1;
    for (size_t at = (gap + 1) & mask; u->slots[at] != 0; at = (at + 1) & mask) {
        size_t home = units_home(u, u->list[u->slots[at] - 1].key);
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        u->slots[gap] = u->slots[at];
        gap = at;
    }
    u->slots[gap] = 0;
}

const unit *units_find(const units *u, unit_key key) {
    uint32_t place = u->slot_count > 0 ? *units_slot(u, key) : 0;
    return place > 0 ? &u->list[place - 1] : NULL;
}

/* ------------------------------------------------------ the list -------------------------------------------------- */

/* Makes the neighbours of a unit, or the ends of the list, lead to these places. */
static void units_join(units *u, const unit *one, uint32_t from_before, uint32_t from_after) {
    *(one->before > 0 ? &u->list[one->before - 1].after : &u->oldest) = from_before;
    *(one->after > 0 ? &u->list[one->after - 1].before : &u->newest) = from_after;
}

/* The last unit of the array takes the place of the one that leaves. */
static void units_drop(units *u, uint32_t place) {
    unit *one = &u->list[place - 1], *last = &u->list[u->count - 1];
    units_close_gap(u, (size_t)(units_slot(u, one->key) - u->slots));
    units_join(u, one, one->after, one->before);
    if (one != last) {
        *units_slot(u, last->key) = place;
        units_join(u, last, place, place);
        *one = *last;
    }
    u->count--;
}

void units_remove(units *u, unit_key key) {
    const unit *one = units_find(u, key);
    if (one != NULL) units_drop(u, (uint32_t)(one - u->list) + 1);
}

void units_trim(units *u, size_t most) {
    while (u->count > most) units_drop(u, u->oldest);
}

void units_put(units *u, size_t most, unit_key key, uint64_t number, uint64_t since, int arm) {
    units_remove(u, key);
    units_trim(u, most - 1);
    POSSE_ASSERT(u->count < u->room);
    uint32_t place = (uint32_t)++u->count;
    u->list[place - 1] = (unit){.key = key, .number = number, .since = since, .arm = arm, .before = u->newest};
    *units_slot(u, key) = place;
    *(u->newest > 0 ? &u->list[u->newest - 1].after : &u->oldest) = place;
    u->newest = place;
}

/* ------------------------------------------------------ memory ---------------------------------------------------- */

posse_error units_reserve(units *u, size_t most, const posse_allocator *allocator) {
    if (u->count < u->room || u->count >= most) return POSSE_OK;
    size_t room = u->room > 0 ? 2 * u->room : ROOM_MIN;
    units larger = *u;
    larger.room = room;
    larger.slot_count = 2 * room;
    larger.list = memory_allocate(allocator, room * sizeof *larger.list);
    larger.slots = memory_allocate(allocator, larger.slot_count * sizeof *larger.slots);
    if (larger.list == NULL || larger.slots == NULL) {
        units_release(&larger, allocator);
        return POSSE_ERROR_MEMORY;
    }
    if (u->count > 0) memcpy(larger.list, u->list, u->count * sizeof *u->list);
    for (uint32_t place = 1; place <= u->count; place++) *units_slot(&larger, larger.list[place - 1].key) = place;
    units_release(u, allocator);
    *u = larger;
    return POSSE_OK;
}

void units_release(units *u, const posse_allocator *allocator) {
    memory_release(allocator, u->list);
    memory_release(allocator, u->slots);
    *u = (units){0};
}

/* ------------------------------------------------ writing and reading --------------------------------------------- */

void units_write(writer *w, const units *u) {
    write_word(w, u->count);
    for (uint32_t place = u->oldest; place > 0; place = u->list[place - 1].after) {
        const unit *one = &u->list[place - 1];
        write_word(w, one->key.first);
        write_word(w, one->key.second);
        write_word(w, one->number);
        write_word(w, one->since);
        write_word(w, (uint64_t)one->arm);
    }
}

posse_error units_read(reader *r, units *u, size_t most, int arms, uint64_t decisions,
                       const posse_allocator *allocator) {
    uint64_t count = read_word_upto(r, most);
    posse_error error = r->bad || count > r->left / (SAVED_WORDS * sizeof(uint64_t)) ? POSSE_ERROR_DAMAGED : POSSE_OK;
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) {
        unit_key key = {read_word(r), 0};
        key.second = read_word(r);
        uint64_t number = read_word_upto(r, decisions), since = read_word(r);
        int arm = (int)read_word_upto(r, arms > 0 ? (uint64_t)arms - 1 : 0);
        if (r->bad || units_find(u, key) != NULL) return POSSE_ERROR_DAMAGED;
        error = units_reserve(u, most, allocator);
        if (error == POSSE_OK) units_put(u, most, key, number, since, arm);
    }
    return error;
}
