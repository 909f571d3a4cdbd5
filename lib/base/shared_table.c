/* SPDX-License-Identifier: MIT */
/*
 * There is a fixed number of shelves for tables, and the table of a key may be in any of SHELVES_TRIED of them. A
 * shelf counts its holders. A thread that has raised the count of a shelf with holders may read its table, which is
 * not freed until the last holder lets go. No thread ever waits for another: it skips a shelf that is being filled or
 * cleared, so a key may now and then have two tables.
 */
#include "base/shared_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define SHELVES 512
#define SHELVES_TRIED 8

/* Instead of a count of holders: one thread has this shelf to itself, to fill or to clear it. */
#define TAKEN (-1)

typedef struct shelf {
    _Atomic int64_t holders;
    _Atomic uint64_t hash; /* of the key; it may be out of date, and saves comparing most keys */
    shared_table *table;
} shelf;

static shelf shelves[SHELVES];

static shared_table empty;

static uint64_t key_hash(const table_key *key) {
    return hash_bytes(key->parameters, sizeof key->parameters) ^ (uintptr_t)key->function;
}

/* Compares bits, because a function may have different values at 0 and -0, which are equal numbers. */
static bool parameters_equal(const table_key *a, const table_key *b) {
    uint64_t one[sizeof a->parameters / sizeof(uint64_t)], other[sizeof b->parameters / sizeof(uint64_t)];
    memcpy(one, a->parameters, sizeof one);
    memcpy(other, b->parameters, sizeof other);
    return memcmp(one, other, sizeof one) == 0;
}

static bool keys_equal(const table_key *a, const table_key *b) {
    return a->function == b->function && a->size == b->size && parameters_equal(a, b);
}

/* ------------------------------------------------- holding -------------------------------------------------- */

/* Adds a holder to a shelf that has at least one. */
static bool shared_table_hold(shelf *at) {
    int64_t holders = atomic_load(&at->holders);
    while (holders > 0)
        if (atomic_compare_exchange_weak(&at->holders, &holders, holders + 1)) return true;
    return false;
}

static void shared_table_let_go(shelf *at) {
    int64_t holders = atomic_load(&at->holders);
    while (!atomic_compare_exchange_weak(&at->holders, &holders, holders == 1 ? TAKEN : holders - 1)) continue;
    if (holders > 1) return;
    free(at->table);
    at->table = NULL;
    atomic_store(&at->holders, 0);
}

static bool hold_equal(shelf *at, uint64_t hash, const table_key *key) {
    if (atomic_load_explicit(&at->hash, memory_order_relaxed) != hash || !shared_table_hold(at)) return false;
    if (keys_equal(&at->table->key, key)) return true;
    shared_table_let_go(at);
    return false;
}

static shared_table *shared_table_make(const table_key *key) {
    shared_table *t = calloc(1, sizeof *t + key->size * sizeof *t->values);
    if (t != NULL) t->key = *key;
    return t;
}

/* Makes the table in a shelf that has no holders. */
static bool hold_new(shelf *at, uint64_t hash, const table_key *key) {
    int64_t nobody = 0;
    if (!atomic_compare_exchange_strong(&at->holders, &nobody, TAKEN)) return false;
    bool made = (at->table = shared_table_make(key)) != NULL;
    atomic_store_explicit(&at->hash, hash, memory_order_relaxed);
    atomic_store(&at->holders, made ? 1 : 0);
    return made;
}

shared_table *table_share(const table_key *key) {
    uint64_t hash = key_hash(key);
    for (size_t i = 0; i < 2 * SHELVES_TRIED; i++) {
        shelf *at = &shelves[(hash + i % SHELVES_TRIED) % SHELVES];
        if (i < SHELVES_TRIED ? hold_equal(at, hash, key) : hold_new(at, hash, key)) return at->table;
    }
    return &empty;
}

void table_release(shared_table *t) {
    uint64_t hash = key_hash(&t->key);
    for (size_t i = 0; i < SHELVES_TRIED && t != &empty; i++) {
        shelf *at = &shelves[(hash + i) % SHELVES];
        if (!shared_table_hold(at)) continue;
        bool found = at->table == t;
        shared_table_let_go(at);
        if (found) shared_table_let_go(at);
        if (found) return;
    }
}
