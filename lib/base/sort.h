/* SPDX-License-Identifier: MIT */
/*
 * Sorting records by a number, in place. qsort is not used because it may allocate from the C heap, and all memory of
 * this library comes from the host's allocator.
 */
#ifndef POSSE_BASE_SORT_H
#define POSSE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Puts count records of `size` bytes in the order of their keys, smallest first. No two keys are equal. */
void sort_records(void *records, size_t count, size_t size, uint64_t (*key)(const void *record));

#endif
