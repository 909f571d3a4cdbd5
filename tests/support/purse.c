/* SPDX-License-Identifier: MIT */
#include "purse.h"

#include <stdlib.h>

/* The size of a block, stored in front of it. */
typedef union label {
    size_t size;
    max_align_t align;
} label;

static void *purse_resize(void *context, void *block, size_t size) {
    purse *p = context;
    label *old = block != NULL ? (label *)block - 1 : NULL;
    size_t had = old != NULL ? old->size : 0;
    if (size == 0) {
        p->blocks -= old != NULL;
        p->bytes -= had;
        free(old);
        return NULL;
    }
    p->calls++;
    if (p->fail_at > 0 && p->calls >= p->fail_at) return NULL;
    if (p->limit > 0 && (size > p->limit || p->bytes - had > p->limit - size)) return NULL;
    label *now = realloc(old, sizeof *now + size);
    if (now == NULL) return NULL;
    now->size = size;
    p->blocks += old == NULL;
    p->bytes += size - had;
    return now + 1;
}

posse_host purse_host(purse *p) {
    return (posse_host){.allocator = {purse_resize, p}};
}
