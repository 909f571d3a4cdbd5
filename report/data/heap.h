/*
 * Memory for the report: zeroed, and there or the program ends (status 3): nothing half-made is under a final name, and
 * nothing else could be done.
 */
#ifndef REPORT_DATA_HEAP_H
#define REPORT_DATA_HEAP_H

#include <stddef.h>

void *heap_get(size_t count, size_t size);
void *heap_grow(void *block, size_t count, size_t size); /* what is new is not zeroed */
char *heap_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
