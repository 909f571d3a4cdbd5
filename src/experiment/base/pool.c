#include "experiment/base/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each piece is an allocation of its own, so that the sanitizers see its ends. */
typedef struct piece {
    struct piece *next;
    max_align_t data[];
} piece;

struct pool {
    piece *pieces;
};

static void *allocate_or_end(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fputs("posse: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

pool *pool_create(void) {
    return allocate_or_end(sizeof(pool));
}

void *pool_allocate(void *p_, size_t size) {
    pool *p = p_;
    piece *one = allocate_or_end(sizeof *one + size);
    one->next = p->pieces;
    p->pieces = one;
    return one->data;
}

char *pool_copy(pool *p, const char *text, size_t length) {
    char *copy = pool_allocate(p, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void pool_free(pool *p) {
    if (p == NULL) return;
    while (p->pieces != NULL) {
        piece *next = p->pieces->next;
        free(p->pieces);
        p->pieces = next;
    }
    free(p);
}
