/* SPDX-License-Identifier: MIT */
/*
 * Tables of functions of a count, for counts below some size. Equal plans share a table, whichever objects they belong
 * to: a million posses with equal learners have one. Tables are the only memory that objects share. They come from the
 * C heap, and a table is freed when its last holder releases it. A value is computed when it is first looked up, so
 * that short lives do not pay for long ones.
 *
 * Tables only save time: a value that is not in a table is computed by the same function, with the same bits.
 */
#ifndef POSSE_BASE_SHARED_TABLE_H
#define POSSE_BASE_SHARED_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value at a count. It may depend on nothing in the plan but the parameters of the key. */
typedef double (*table_function)(const void *plan, double count);

typedef struct table_key {
    table_function function;
    uint32_t size; /* the number of counts */
    double parameters[4];
} table_key;

typedef struct shared_table {
    table_key key;
    _Atomic double
        values[]; /* 0: not computed so far. Threads that compute one at the same time store the same bits. */
} shared_table;

/* A table with that key, to be released with table_release. It is empty if there is no free shelf or no memory. */
shared_table *table_share(const table_key *key);
void table_release(shared_table *t);

/* The value at a count, for a plan with the table's parameters and its function. */
static inline double table_look_up(shared_table *t, table_function function, const void *plan, double count) {
    if (!(count >= 0.0 && count < (double)t->key.size)) /* a count of a forged state may be beyond any integer */
        return function(plan, count);
    uint64_t n = (uint64_t)(int64_t)count;
    double value = atomic_load_explicit(&t->values[n], memory_order_relaxed);
    if (value == 0.0) {
        value = function(plan, (double)n);
        atomic_store_explicit(&t->values[n], value, memory_order_relaxed);
    }
    return value;
}

#endif
