/* SPDX-License-Identifier: MIT */
/*
 * Many arrays in one piece of memory. The `lay` function of a structure carves its arrays one after the other: it is
 * called once to learn the size, and once more to place the arrays. So only one allocation can fail, one free is
 * enough, and memory without pointers in it can be written to disk as it is.
 */
#ifndef POSSE_COMMON_CARVE_H
#define POSSE_COMMON_CARVE_H

#include <stddef.h>

typedef struct carving {
    char *base; /* NULL: only the size is wanted */
    size_t used;
} carving;

static inline void *carve(carving *c, size_t count, size_t size) {
    size_t at = c->used;
    c->used += (count * size + 15) / 16 * 16;
    return c->base != NULL ? c->base + at : NULL;
}

#endif
