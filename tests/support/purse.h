/* SPDX-License-Identifier: MIT */
/*
 * A purse: an allocator that counts, and fails on demand.
 */
#ifndef PURSE_H
#define PURSE_H

#include <stddef.h>

#include "posse.h"

typedef struct purse {
    size_t blocks, bytes; /* in use */
    size_t calls;         /* calls that allocate */
    size_t fail_at;       /* this call fails, and all after it; 0: none */
    size_t limit;         /* bytes in use beyond this fail; 0: none */
} purse;

posse_host purse_host(purse *p);

#endif
