/* SPDX-License-Identifier: MIT */
/*
 * Memory for the report. If there is none left, the program prints a message and ends with status 3. The report can
 * afford that, and is simpler for it: the results are complete before it begins, every file that it is writing has a
 * temporary name (draft.h), and it could do nothing else. The library and the experiments never end the program this
 * way during a run. This file is in data/ because all folders of the report allocate.
 */
#ifndef REPORT_DATA_HEAP_H
#define REPORT_DATA_HEAP_H

#include <stddef.h>

void *heap_get(size_t count, size_t size);               /* zeroed */
void *heap_grow(void *block, size_t count, size_t size); /* the added part is not zeroed */

/* printf into memory of its own, to be freed. */
char *heap_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
