/* SPDX-License-Identifier: MIT */
#include "posse/recipe.h"

#include <string.h>

/* There is one part for each number of the list; without a list there is one part. */
static size_t part_count(const double *list, size_t count) {
    return list != NULL ? count : 1;
}

static void write_option(writer *w, const posse_option *o) {
    size_t parts = o->part != NULL ? part_count(o->list, o->count) : 0;
    write_text(w, o->key);
    write_real(w, o->number);
    write_text(w, o->word);
    write_word(w, o->list != NULL ? o->count : 0);
    if (o->list != NULL) write_words(w, o->list, o->count * sizeof(double));
    write_word(w, parts);
    for (size_t i = 0; i < parts; i++) recipe_write(w, &o->part[i]);
}

void recipe_write(writer *w, const posse_part *part) {
    uint64_t count = 0;
    while (count < POSSE_OPTIONS_MAX && part->options[count].key != NULL) count++;
    write_text(w, part->kind);
    write_text(w, part->name);
    write_word(w, count);
    for (uint64_t i = 0; i < count; i++) write_option(w, &part->options[i]);
}

static posse_error read_part(reader *r, arena *memory, posse_part *out, int depth);

static posse_error take_text(reader *r, arena *memory, const char **out) {
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

static posse_error take_list(reader *r, arena *memory, posse_option *o) {
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

/* A word takes at least 8 bytes and a part at least three words, which bounds the number of parts. */
static posse_error take_parts(reader *r, arena *memory, posse_option *o, int depth) {
    uint64_t count = read_word(r);
    if (count == 0) return r->bad ? POSSE_ERROR_DAMAGED : POSSE_OK;
    if (count > r->left / 24 || count != part_count(o->list, o->count)) return POSSE_ERROR_DAMAGED;
    posse_part *parts = arena_allocate(memory, (size_t)count * sizeof *parts);
    if (parts == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = POSSE_OK;
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) error = read_part(r, memory, &parts[i], depth + 1);
    o->part = parts;
    return error;
}

static posse_error read_option(reader *r, arena *memory, posse_option *o, int depth) {
    posse_error error = take_text(r, memory, &o->key);
    o->number = read_real(r);
    if (error == POSSE_OK) error = take_text(r, memory, &o->word);
    if (error == POSSE_OK) error = take_list(r, memory, o);
    if (error == POSSE_OK) error = take_parts(r, memory, o, depth);
    if (error == POSSE_OK && o->part != NULL && o->list == NULL) o->count = 0;
    if (error == POSSE_OK && o->key == NULL) error = POSSE_ERROR_DAMAGED;
    return error;
}

static posse_error read_part(reader *r, arena *memory, posse_part *out, int depth) {
    *out = (posse_part){0};
    if (depth > PART_DEPTH_MAX) return POSSE_ERROR_DAMAGED;
    posse_error error = take_text(r, memory, &out->kind);
    if (error == POSSE_OK) error = take_text(r, memory, &out->name);
    uint64_t count = read_word_upto(r, POSSE_OPTIONS_MAX);
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) error = read_option(r, memory, &out->options[i], depth);
    return error == POSSE_OK && r->bad ? POSSE_ERROR_DAMAGED : error;
}

posse_error recipe_read(reader *r, arena *memory, posse_part *out) {
    return read_part(r, memory, out, 0);
}

/* Refuses what could not be written: an empty list, and parts nested so deep that they may be a circle. */
static posse_error check(const posse_part *part, const posse_logger *log, const posse_place *where, int depth) {
    posse_error error = POSSE_OK;
    if (depth > PART_DEPTH_MAX) {
        complain(log, where, NULL, "parts inside parts, more than %d deep", PART_DEPTH_MAX);
        return POSSE_ERROR_OPTION;
    }
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        if ((o->list != NULL) != (o->count > 0)) {
            complain(log, where, o->key,
                     o->part != NULL ? "parts without weights, or a count without a list"
                                     : "a list without numbers, or without its count");
            error = POSSE_ERROR_OPTION;
            continue;
        }
        size_t parts = o->part != NULL ? part_count(o->list, o->count) : 0;
        for (size_t k = 0; k < parts; k++) {
            posse_place inner = {where, o->key, o->list != NULL ? (int)k : -1};
            posse_error below = check(&o->part[k], log, &inner, depth + 1);
            if (below != POSSE_OK) error = below;
        }
    }
    return error;
}

posse_error recipe_copy(const posse_part *part, arena *memory, const posse_logger *log, const posse_place *where,
                        posse_part *out) {
    posse_error error = check(part, log, where, 0);
    if (error != POSSE_OK) return error;
    writer w = {NULL, 0};
    recipe_write(&w, part);
    arena scratch = {memory->allocator, NULL};
    w = (writer){arena_allocate(&scratch, w.length), 0};
    if (w.out == NULL) return POSSE_ERROR_MEMORY;
    recipe_write(&w, part);
    reader r = {.in = w.out, .left = w.length};
    error = recipe_read(&r, memory, out);
    arena_release(&scratch);
    return error;
}
