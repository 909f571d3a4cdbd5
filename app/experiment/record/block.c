/* SPDX-License-Identifier: MIT */
#include "experiment/record/block.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/record/curves.h"

static void block_lay(block *b, const agenda *a, const sheet *shape, carving *c) {
    size_t runs = a->block_runs;
    aggregate_lay(&b->aggregate, a, shape, c);
    b->heads = carve(c, runs * shape->head_count, sizeof *b->heads);
    b->chunk_sizes = carve(c, curves_count(a), sizeof *b->chunk_sizes);
    b->chunks = carve(c, curves_room(a), sizeof *b->chunks);
}

bool block_open(block *b, const agenda *a, const sheet *shape) {
    carving c = {0};
    block_lay(b, a, shape, &c);
    b->memory = calloc(1, c.used);
    if (b->memory == NULL) return false;
    b->memory_size = c.used;
    c = (carving){.base = b->memory};
    block_lay(b, a, shape, &c);
    return true;
}

void block_close(block *b) {
    free(b->memory);
    *b = (block){0};
}

void block_begin(block *b, const agenda *a, uint32_t index) {
    b->first = agenda_block_first(a, index);
    b->count = 0;
    b->curves = b->first < a->curve_runs;
}

size_t block_packed(const block *b, const agenda *a) {
    size_t packed = 0, room = curves_room(a);
    for (size_t i = 0; i < curves_count(a); i++) packed += b->chunk_sizes[i];
    return packed <= room ? packed : SIZE_MAX;
}

/* The packed curves are at the end of the memory, and the bytes after them are not used. */
size_t block_size(const block *b, const agenda *a) {
    const char *end = b->curves ? (const char *)b->chunks + block_packed(b, a) : (const char *)b->chunk_sizes;
    return (size_t)(end - (const char *)b->memory);
}

void block_fill(block *b, const agenda *a, uint32_t index) {
    block_begin(b, a, index);
    b->count = agenda_block_count(a, index);
    b->aggregate.runs = b->count;
}

static void block_add_by(block *b, const agenda *a, const sheet *r,
                         void (*add)(aggregate *g, const agenda *a, const sheet *r)) {
    size_t at = b->count++;
    if (at == 0) aggregate_clear(&b->aggregate, a, r);
    add(&b->aggregate, a, r);
    memcpy(b->heads + at * r->head_count, r->numbers, r->head_count * sizeof *b->heads);
}

void block_add(block *b, const agenda *a, const sheet *r) {
    block_add_by(b, a, r, aggregate_add);
}

void block_add_head(block *b, const agenda *a, const sheet *r) {
    block_add_by(b, a, r, aggregate_add_head);
}
