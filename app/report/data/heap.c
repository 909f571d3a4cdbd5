/* SPDX-License-Identifier: MIT */
#include "report/data/heap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *or_exit(void *block) {
    if (block != NULL) return block;
    fprintf(stderr, "posse: out of memory\n");
    exit(3);
}

void *heap_get(size_t count, size_t size) {
    return or_exit(calloc(count > 0 ? count : 1, size));
}

void *heap_grow(void *block, size_t count, size_t size) {
    return or_exit(count <= SIZE_MAX / size ? realloc(block, count * size) : NULL);
}

char *heap_text(const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return or_exit(length < 0 ? NULL : text);
}
