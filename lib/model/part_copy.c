/* SPDX-License-Identifier: MIT */
/*
 * Copies of parts. A copy is one piece of memory, in which everything lies that the part points to. The same walk over
 * the part is made twice, once to learn the size, and once to write.
 */
#include <string.h>

#include "model/part.h"

typedef struct copier {
    char *base; /* NULL: only the size is wanted */
    size_t used;
    bool too_deep;
} copier;

int part_count_options(const posse_part *description) {
    int count = 0;
    while (count < POSSE_OPTIONS_MAX && description->options[count].key != NULL) count++;
    return count;
}

size_t part_count_inside(const posse_option *o) {
    return o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
}

/* Room for `size` bytes, or NULL while only the size is wanted. */
static void *part_copy_room(copier *c, size_t size) {
    size_t at = (c->used + 7) / 8 * 8;
    c->used = at + size;
    return c->base != NULL ? c->base + at : NULL;
}

/* A copy of the bytes; NULL for NULL. */
static const void *part_copy_bytes(copier *c, const void *bytes, size_t size) {
    void *copy = bytes != NULL ? part_copy_room(c, size) : NULL;
    if (copy != NULL && size > 0) memcpy(copy, bytes, size);
    return copy;
}

static const char *part_copy_text(copier *c, const char *text) {
    return part_copy_bytes(c, text, text != NULL ? strlen(text) + 1 : 0);
}

static void part_copy_part(copier *c, const posse_part *from, posse_part *to, int depth);

/* `to` is NULL while only the size is wanted. */
static void part_copy_options(copier *c, const posse_option *from, int count, posse_option *to, int depth) {
    for (int i = 0; i < count && from[i].key != NULL; i++) {
        posse_option o = from[i];
        size_t parts = part_count_inside(&o);
        o.key = part_copy_text(c, o.key);
        o.word = part_copy_text(c, o.word);
        o.list = part_copy_bytes(c, o.list, o.count * sizeof *o.list);
        posse_part *copies = parts > 0 ? part_copy_room(c, parts * sizeof *copies) : NULL;
        for (size_t k = 0; k < parts && !c->too_deep; k++)
            part_copy_part(c, &o.part[k], copies != NULL ? &copies[k] : NULL, depth + 1);
        o.part = copies;
        if (to != NULL) to[i] = o;
    }
}

static void part_copy_part(copier *c, const posse_part *from, posse_part *to, int depth) {
    c->too_deep = c->too_deep || depth > PART_DEPTH_MAX;
    if (c->too_deep) return;
    posse_part copy = {.kind = part_copy_text(c, from->kind), .name = part_copy_text(c, from->name)};
    if (to != NULL) *to = copy;
    part_copy_options(c, from->options, POSSE_OPTIONS_MAX, to != NULL ? to->options : NULL, depth);
}

size_t posse_part_copy(const posse_part *from, void *memory, size_t size) {
    if (from == NULL) return 0;
    copier sized = {.used = sizeof(posse_part)};
    part_copy_part(&sized, from, NULL, 0);
    if (sized.too_deep) return 0;
    if (memory != NULL && sized.used <= size) {
        copier written = {.base = memory, .used = sizeof(posse_part)};
        part_copy_part(&written, from, memory, 0);
    }
    return sized.used;
}

bool part_keep(arena *memory, const posse_part *description, posse_part *out) {
    size_t size = posse_part_copy(description, NULL, 0);
    posse_part *copy = size > 0 ? arena_allocate(memory, size) : NULL;
    if (copy == NULL) return false;
    posse_part_copy(description, copy, size);
    *out = *copy;
    return true;
}

/* Writes the copy of a part behind the options of a recipe. Without a recipe, returns the size of both. */
static size_t part_copy_recipe(const posse_part *from, int count, kept_recipe *to) {
    copier c = {.base = (char *)to, .used = sizeof *to + (size_t)count * sizeof *to->options};
    const char *kind = part_copy_text(&c, from->kind), *name = part_copy_text(&c, from->name);
    part_copy_options(&c, from->options, count, to != NULL ? to->options : NULL, 0);
    if (to != NULL) to->kind = kind, to->name = name, to->count = count;
    return c.too_deep ? 0 : c.used;
}

kept_recipe *part_keep_recipe(arena *memory, const posse_part *description) {
    int count = part_count_options(description);
    size_t size = part_copy_recipe(description, count, NULL);
    kept_recipe *recipe = size > 0 ? arena_allocate(memory, size) : NULL;
    if (recipe != NULL) part_copy_recipe(description, count, recipe);
    return recipe;
}
