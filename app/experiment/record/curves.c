/* SPDX-License-Identifier: MIT */
#include "experiment/record/curves.h"

#include <stdlib.h>
#include <string.h>

#include "common/carve.h"

size_t curves_chunks(const agenda *a, curve_kind kind) {
    switch (kind) {
    case CURVE_REGRET:
        return (size_t)a->competitors;
    case CURVE_OPTIMAL:
        return a->arms > 0 ? (size_t)a->competitors : 0;
    default:
        return (size_t)a->selectors;
    }
}

size_t curves_width(curve_kind kind) {
    static const size_t widths[CURVE_KINDS] = {
        [CURVE_REGRET] = sizeof(double), [CURVE_OPTIMAL] = sizeof(uint8_t), [CURVE_CHOICES] = sizeof(uint16_t)};
    return widths[kind];
}

/* The bytes that one run has in a chunk. */
static size_t row_bytes(const agenda *a, curve_kind kind) {
    return (size_t)a->point_count * curves_width(kind);
}

static size_t chunk_bytes(const agenda *a, curve_kind kind) {
    return a->block_runs * row_bytes(a, kind);
}

size_t curves_count(const agenda *a) {
    size_t count = 0;
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++) count += curves_chunks(a, kind);
    return count;
}

size_t curves_room(const agenda *a) {
    size_t room = 0;
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++)
        room += curves_chunks(a, kind) * packer_bound(chunk_bytes(a, kind));
    return room;
}

static void curves_lay(curves *c, carving *memory) {
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++)
        c->gathered[kind] = carve(memory, curves_chunks(c->agenda, kind), chunk_bytes(c->agenda, kind));
}

bool curves_open(curves *c, const agenda *a) {
    *c = (curves){.agenda = a};
    carving memory = {0};
    curves_lay(c, &memory);
    c->memory = calloc(1, memory.used);
    if (c->memory == NULL) return false;
    memory = (carving){.base = c->memory};
    curves_lay(c, &memory);
    return packer_open(&c->packer, chunk_bytes(a, CURVE_REGRET));
}

void curves_close(curves *c) {
    packer_close(&c->packer);
    free(c->memory);
    *c = (curves){0};
}

void curves_add(curves *c, const sheet *r) {
    const void *const rows[CURVE_KINDS] = {
        [CURVE_REGRET] = r->regret, [CURVE_OPTIMAL] = r->optimal, [CURVE_CHOICES] = r->choice};
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++) {
        size_t row = row_bytes(c->agenda, kind), chunk = chunk_bytes(c->agenda, kind);
        for (size_t i = 0; i < curves_chunks(c->agenda, kind); i++)
            memcpy(c->gathered[kind] + i * chunk + c->count * row, (const char *)rows[kind] + i * row, row);
    }
    c->count++;
}

/* The last block may be short, but its chunks have their full size in the file: they are filled with zeros. */
static void curves_pack_chunk(curves *c, curve_kind kind, size_t i, block *b, size_t *at, size_t *used) {
    size_t row = row_bytes(c->agenda, kind), whole = chunk_bytes(c->agenda, kind), full = c->count * row;
    unsigned char *chunk = c->gathered[kind] + i * whole;
    size_t width = curves_width(kind);
    memset(chunk + full, 0, whole - full);
    size_t size = packer_pack(&c->packer, chunk, width, whole / width, b->chunks + *used);
    b->chunk_sizes[(*at)++] = (uint32_t)size;
    *used += size;
}

void curves_pack(curves *c, block *b) {
    size_t at = 0, used = 0;
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++)
        for (size_t i = 0; i < curves_chunks(c->agenda, kind); i++) curves_pack_chunk(c, kind, i, b, &at, &used);
    c->count = 0;
}

bool curves_unpack(curves *c, const block *b) {
    size_t at = 0, used = 0;
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++) {
        size_t whole = chunk_bytes(c->agenda, kind), width = curves_width(kind);
        for (size_t i = 0; i < curves_chunks(c->agenda, kind); i++) {
            size_t size = b->chunk_sizes[at++];
            if (!packer_unpack(&c->packer, b->chunks + used, size, c->gathered[kind] + i * whole, width, whole / width))
                return false;
            used += size;
        }
    }
    return true;
}

void curves_copy(const curves *c, uint32_t i, sheet *r) {
    void *const rows[CURVE_KINDS] = {
        [CURVE_REGRET] = r->regret, [CURVE_OPTIMAL] = r->optimal, [CURVE_CHOICES] = r->choice};
    for (curve_kind kind = 0; kind < CURVE_KINDS; kind++) {
        size_t row = row_bytes(c->agenda, kind), chunk = chunk_bytes(c->agenda, kind);
        for (size_t k = 0; k < curves_chunks(c->agenda, kind); k++)
            memcpy((char *)rows[kind] + k * row, c->gathered[kind] + k * chunk + i * row, row);
    }
}
