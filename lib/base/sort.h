/* SPDX-License-Identifier: MIT */
/*
 * Sorting records in place, and finding words among sorted ones. qsort is not used because it may allocate from the C
 * heap, and all memory of this library comes from the host's allocator.
 */
#ifndef POSSE_BASE_SORT_H
#define POSSE_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Puts count records of `size` bytes in order. `compare` is as for qsort; equal records come in any order. */
void sort_records(void *records, size_t count, size_t size, int (*compare)(const void *a, const void *b));

/* The place of a word among sorted ones, or where it would be inserted. *known: whether it is one of them. */
int sort_place(const char *const *words, int count, const char *word, bool *known);

#endif
