/* SPDX-License-Identifier: MIT */
#include "object/recipe.h"

#include <string.h>

/* --------------------------------------------- writing and reading ------------------------------------------- */

static void write_part(writer *w, const posse_part *description);

static void write_option(writer *w, const posse_option *o) {
    size_t parts = part_count_inside(o);
    write_text(w, o->key);
    write_real(w, o->number);
    write_text(w, o->word);
    write_word(w, o->list != NULL ? o->count : 0);
    if (o->list != NULL) write_words(w, o->list, o->count * sizeof(double));
    write_word(w, parts);
    for (size_t i = 0; i < parts; i++) write_part(w, &o->part[i]);
}

static void write_part(writer *w, const posse_part *description) {
    int count = part_count_options(description);
    write_text(w, description->kind);
    write_text(w, description->name);
    write_word(w, (uint64_t)count);
    for (int i = 0; i < count; i++) write_option(w, &description->options[i]);
}

void recipe_write(writer *w, const kept_recipe *r) {
    posse_part description = recipe_part(r);
    write_part(w, &description);
}

static posse_error recipe_read_part(reader *r, arena *memory, posse_part *out, int depth);

static posse_error recipe_take_text(reader *r, arena *memory, const char **out) {
    size_t length;
    const char *text = read_text(r, &length);
    *out = NULL;
    if (text == NULL) return r->bad ? POSSE_ERROR_DAMAGED : POSSE_OK;
    char *copy = arena_allocate(memory, length + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, text, length);
    *out = copy;
    return POSSE_OK;
}

static posse_error recipe_take_list(reader *r, arena *memory, posse_option *o) {
    uint64_t count = read_word(r);
    if (r->bad || count > r->left / sizeof(double)) return POSSE_ERROR_DAMAGED;
    if (count == 0) return POSSE_OK;
    double *list = arena_allocate(memory, (size_t)count * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    read_words(r, list, (size_t)count * sizeof *list);
    o->list = list;
    o->count = (size_t)count;
    return POSSE_OK;
}

/* A part takes at least three words of 8 bytes, which bounds the number of parts by the bytes that are left. */
static posse_error take_parts(reader *r, arena *memory, posse_option *o, int depth) {
    uint64_t count = read_word(r);
    if (count == 0) return r->bad ? POSSE_ERROR_DAMAGED : POSSE_OK;
    if (count > r->left / 24 || count != (o->list != NULL ? o->count : 1)) return POSSE_ERROR_DAMAGED;
    posse_part *parts = arena_allocate(memory, (size_t)count * sizeof *parts);
    if (parts == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = POSSE_OK;
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) error = recipe_read_part(r, memory, &parts[i], depth + 1);
    o->part = parts;
    return error;
}

static posse_error read_option(reader *r, arena *memory, posse_option *o, int depth) {
    posse_error error = recipe_take_text(r, memory, &o->key);
    o->number = read_real(r);
    if (error == POSSE_OK) error = recipe_take_text(r, memory, &o->word);
    if (error == POSSE_OK) error = recipe_take_list(r, memory, o);
    if (error == POSSE_OK) error = take_parts(r, memory, o, depth);
    if (error == POSSE_OK && o->part != NULL && o->list == NULL) o->count = 0;
    if (error == POSSE_OK && o->key == NULL) error = POSSE_ERROR_DAMAGED;
    return error;
}

static posse_error recipe_read_part(reader *r, arena *memory, posse_part *out, int depth) {
    *out = (posse_part){0};
    if (depth > PART_DEPTH_MAX) return POSSE_ERROR_DAMAGED;
    posse_error error = recipe_take_text(r, memory, &out->kind);
    if (error == POSSE_OK) error = recipe_take_text(r, memory, &out->name);
    uint64_t count = read_word_upto(r, POSSE_OPTIONS_MAX);
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) error = read_option(r, memory, &out->options[i], depth);
    return error == POSSE_OK && r->bad ? POSSE_ERROR_DAMAGED : error;
}

posse_error recipe_read(reader *r, arena *memory, posse_part *out) {
    return recipe_read_part(r, memory, out, 0);
}

/* -------------------------------------------------- copying -------------------------------------------------- */

/* Refuses options that could not be written: an empty list, and parts nested so deep that they may be circular. */
static posse_error recipe_check(const posse_part *description, const posse_logger *log, const posse_place *where,
                                int depth) {
    posse_error error = POSSE_OK;
    if (depth > PART_DEPTH_MAX) {
        complain(log, where, NULL, "parts inside parts, more than %d deep", PART_DEPTH_MAX);
        return POSSE_ERROR_OPTION;
    }
    for (int i = 0; i < POSSE_OPTIONS_MAX && description->options[i].key != NULL; i++) {
        const posse_option *o = &description->options[i];
        if ((o->list != NULL) != (o->count > 0)) {
            complain(log, where, o->key,
                     o->part != NULL ? "parts without weights, or a count without a list"
                                     : "a list without numbers, or without its count");
            error = POSSE_ERROR_OPTION;
            continue;
        }
        size_t parts = part_count_inside(o);
        for (size_t k = 0; k < parts; k++) {
            posse_place inner = {where, o->key, o->list != NULL ? (int)k : -1};
            posse_error below = recipe_check(&o->part[k], log, &inner, depth + 1);
            if (below != POSSE_OK) error = below;
        }
    }
    return error;
}

posse_error recipe_copy(const posse_part *description, arena *memory, const posse_logger *log, const posse_place *where,
                        const kept_recipe **out) {
    posse_error error = recipe_check(description, log, where, 0);
    if (error != POSSE_OK) return error;
    *out = part_keep_recipe(memory, description);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_part recipe_part(const kept_recipe *r) {
    posse_part description = {0};
    if (r == NULL) return description;
    description.kind = r->kind;
    description.name = r->name;
    memcpy(description.options, r->options, (size_t)r->count * sizeof *r->options);
    return description;
}
