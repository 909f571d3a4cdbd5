/* SPDX-License-Identifier: MIT */
/*
 * Tables of functions of a count, for counts below some size. Equal plans share a table, whichever objects they belong
 * to: a million posses with equal learners have one. Tables are the only memory that objects share. They come from the
 * C heap, and a table is freed when its last holder releases it. A table is filled from the front as it is used.
 *
 * Tables only save time: a value that is not in a table is computed by the same function, with the same bits.
 */
#ifndef POSSE_BASE_SHARED_TABLE_H
#define POSSE_BASE_SHARED_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the values at a count. They may depend on nothing in the plan but the parameters of the key. */
typedef void (*table_function)(const void *plan, double count, double *values);

typedef struct table_key {
    table_function function;
    uint32_t size, width; /* the number of counts, and of values for each count */
    double parameters[4];
} table_key;

typedef struct shared_table {
    _Atomic uint64_t filled; /* the values for counts below this are filled in, and never change */
    _Atomic bool busy;       /* a thread is filling in more */
    table_key key;
    double values[];
} shared_table;

/* A table with that key, to be released with table_release. It is empty if there is no free place or no memory. */
shared_table *table_share(const table_key *key);
void table_release(shared_table *t);

/* Fills in the values up to a count and some after it. NULL: the table ends before it, or another thread is filling. */
const double *table_extend(shared_table *t, uint64_t count, const void *plan);

/* The values at a count, for a plan with the table's parameters. NULL: the caller has to compute them. */
static inline const double *table_look_up(shared_table *t, double count, uint32_t width, const void *plan) {
    if (!(count < (double)t->key.size))
        return NULL; /* also a count in a forged state, which may be beyond any integer */
    uint64_t n = (uint64_t)(int64_t)count;
    if (n < atomic_load_explicit(&t->filled, memory_order_acquire)) return t->values + n * width;
    return table_extend(t, n, plan);
}

#endif
