/* SPDX-License-Identifier: MIT */
/*
 * Tables of functions of a count, for counts below some size. Equal plans share a table, whichever objects they belong
 * to: a million posses with equal learners have one. Tables are the only memory that objects share. They come from the
 * C heap, and the last one to let go of a table frees it. A table is filled from the front as it is used.
 *
 * A table is never needed: what it does not hold is computed by the same function, with the same bits.
 */
#ifndef POSSE_BASE_SHARED_TABLE_H
#define POSSE_BASE_SHARED_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the values at a count. It takes nothing from the plan but the parameters of its key. */
typedef void (*table_function)(const void *plan, double count, double *values);

/* No table goes further. */
#define TABLE_COUNTS_MAX 65536.0

typedef struct table_key {
    table_function function;
    uint32_t size, width; /* how many counts, and values for each */
    double parameters[4];
} table_key;

typedef struct shared_table {
    _Atomic uint64_t filled; /* values are there for counts below this, and never change */
    _Atomic bool busy;       /* a thread is filling in more */
    table_key key;
    double values[];
} shared_table;

/* A table of the key, to be let go of with table_release. An empty one: there is no room for another, or no memory. */
shared_table *table_share(const table_key *key);
void table_release(shared_table *t);

/* Fills in the values at a count and some after it. NULL: the table will not hold them, or not yet. */
const double *table_extend(shared_table *t, uint64_t count, const void *plan);

/* The values at a count, for a plan that has the table's parameters. NULL: they are not there. */
static inline const double *table_look_up(shared_table *t, double count, uint32_t width, const void *plan) {
    if (!(count < TABLE_COUNTS_MAX)) return NULL; /* in a state that somebody forged, it may be beyond any integer */
    uint64_t n = (uint64_t)(int64_t)count;
    if (n < atomic_load_explicit(&t->filled, memory_order_acquire)) return t->values + n * width;
    return table_extend(t, n, plan);
}

#endif
