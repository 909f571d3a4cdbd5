/* SPDX-License-Identifier: MIT */
#include "describe/part_copy.h"
#include "posse_kinds.h"

bool part_copy(pool *memory, const posse_part *from, posse_part *out) {
    size_t size = posse_part_copy(from, NULL, 0);
    posse_part *copy = size > 0 ? pool_allocate(memory, size) : NULL;
    if (copy == NULL) return false;
    posse_part_copy(from, copy, size);
    *out = *copy;
    return true;
}
