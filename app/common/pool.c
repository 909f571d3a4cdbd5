/* SPDX-License-Identifier: MIT */
#include "common/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

/* Each piece is an allocation of its own, so that the sanitizers see its ends. */
typedef struct piece {
    struct piece *next;
    max_align_t data[];
} piece;

struct pool {
    posse_allocator allocator;
    piece *pieces;
    bool failed;
};

static void *heap_resize(void *context, void *block, size_t size) {
    (void)context;
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

static void *pool_allocate_from(const posse_allocator *a, size_t size) {
    void *memory = a->resize(a->context, NULL, size);
    if (memory != NULL) memset(memory, 0, size);
    return memory;
}

pool *pool_create(const posse_allocator *allocator) {
    posse_allocator from = {heap_resize, NULL};
    if (allocator != NULL && allocator->resize != NULL) from = *allocator;
    pool *p = pool_allocate_from(&from, sizeof *p);
    if (p != NULL) p->allocator = from;
    return p;
}

void *pool_allocate(pool *p, size_t size) {
    if (pool_failed(p)) return NULL;
    piece *one = size <= SIZE_MAX - sizeof *one ? pool_allocate_from(&p->allocator, sizeof *one + size) : NULL;
    if (one == NULL) {
        p->failed = true;
        return NULL;
    }
    one->next = p->pieces;
    p->pieces = one;
    return one->data;
}

void *pool_array(pool *p, size_t count, size_t size) {
    if (size == 0 || count <= SIZE_MAX / size) return pool_allocate(p, count * size);
    if (p != NULL) p->failed = true;
    return NULL;
}

char *pool_copy(pool *p, const char *text, size_t length) {
    char *copy = pool_allocate(p, length + 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

char *pool_format(pool *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = format_text_list(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? pool_allocate(p, (size_t)length + 1) : NULL;
    if (text == NULL) return NULL;
    va_start(arguments, format);
    format_text_list(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

bool pool_failed(const pool *p) {
    return p == NULL || p->failed;
}

void pool_fail(pool *p) {
    p->failed = true;
}

posse_allocator pool_allocator(const pool *p) {
    return p->allocator;
}

void pool_free(pool *p) {
    if (p == NULL) return;
    posse_allocator from = p->allocator;
    while (p->pieces != NULL) {
        piece *next = p->pieces->next;
        from.resize(from.context, p->pieces, 0);
        p->pieces = next;
    }
    from.resize(from.context, p, 0);
}
