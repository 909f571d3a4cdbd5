/* SPDX-License-Identifier: MIT */
#include "describe/part_copy.h"

#include <string.h>

static const char *part_copy_copy_text(pool *memory, const char *text) {
    return text != NULL ? pool_copy(memory, text, strlen(text)) : NULL;
}

static const double *part_copy_copy_list(pool *memory, const double *list, size_t count) {
    double *copy = list != NULL ? pool_allocate(memory, count * sizeof *copy) : NULL;
    if (copy != NULL && count > 0) memcpy(copy, list, count * sizeof *copy);
    return copy;
}

static const posse_part *part_copy_copy_parts(pool *memory, const posse_option *o) {
    size_t count = o->list != NULL ? o->count : 1;
    posse_part *copies = o->part != NULL ? pool_allocate(memory, count * sizeof *copies) : NULL;
    for (size_t i = 0; copies != NULL && i < count; i++)
        if (!part_copy(memory, &o->part[i], &copies[i])) return NULL;
    return copies;
}

bool part_copy(pool *memory, const posse_part *from, posse_part *out) {
    *out =
        (posse_part){.kind = part_copy_copy_text(memory, from->kind), .name = part_copy_copy_text(memory, from->name)};
    for (int i = 0; i < POSSE_OPTIONS_MAX && from->options[i].key != NULL; i++) {
        const posse_option *o = &from->options[i];
        out->options[i] = (posse_option){.key = part_copy_copy_text(memory, o->key),
                                         .number = o->number,
                                         .word = part_copy_copy_text(memory, o->word),
                                         .list = part_copy_copy_list(memory, o->list, o->count),
                                         .part = part_copy_copy_parts(memory, o),
                                         .count = o->count};
    }
    return !pool_failed(memory);
}

/* The cast is safe, because the caller owns these parts. */
bool part_resolve(posse_family family, const posse_part *prior, posse_part *part) {
    bool ok = posse_part_resolve(family, part, prior, NULL, part) == POSSE_OK;
    for (int i = 0; ok && i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        size_t parts = o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
        for (size_t k = 0; ok && k < parts; k++)
            ok = part_resolve(POSSE_BELIEF, prior, (posse_part *)(uintptr_t)&o->part[k]);
    }
    return ok;
}
