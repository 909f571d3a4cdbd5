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

/* The cast is safe, because the caller owns these parts. */
bool part_resolve(posse_family family, const posse_part *prior, posse_part *part) {
    bool ok = posse_part_resolve(family, part, prior, NULL, part) == POSSE_OK;
    for (int i = 0; ok && i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        size_t parts = o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
        for (size_t k = 0; ok && k < parts; k++)
            ok = part_resolve(POSSE_FAMILY_BELIEF, prior, (posse_part *)(uintptr_t)&o->part[k]);
    }
    return ok;
}
