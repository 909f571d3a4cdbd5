/* SPDX-License-Identifier: MIT */
/*
 * Streams. Words and normals are made a block at a time, when the first one is asked for. Both are indexed by position,
 * so that a draw depends neither on the calls before it nor on the size of blocks: normal n is inverse_normal(uniform
 * n).
 */
#include "random/stream.h"

#include "base/hash.h"
#include "numeric/elementary.h"
#include "numeric/kernels.h"

#include <string.h>

/* 64 bits folded to 40. */
static uint64_t name_hash(const char *name) {
    uint64_t hash = hash_bytes(name, strlen(name));
    return (hash >> 40) ^ (hash & 0xffffffffff);
}

uint64_t stream_named(stream_owner owner, const char *name) {
    return (uint64_t)owner << 40 | (name ? name_hash(name) : 0);
}

/* The start of the buffer that holds a position. */
static uint64_t stream_even(uint64_t position) {
    return position & ~(uint64_t)1;
}

static void forget_block(posse_draw *draw) {
    draw->words_held = draw->normals_held = 0;
}

void draw_start(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position) {
    draw->seed = seed;
    draw->run = run;
    draw->stream = stream;
    draw->position = position;
    draw->both = draw->slots == STREAM_SLOTS;
    forget_block(draw);
}

void draw_open(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position) {
    draw->slots = STREAM_SLOTS;
    draw_start(draw, seed, run, stream, position);
}

static size_t stream_size(int slots) {
    return offsetof(posse_draw, words) + (size_t)slots * sizeof(uint64_t);
}

posse_draw *draw_make(arena *memory, int slots) {
    posse_draw *draw = arena_allocate(memory, stream_size(slots));
    if (draw != NULL) draw->slots = (uint16_t)slots;
    return draw;
}

posse_draw *draw_enlarge(posse_draw *draw, int slots, const posse_allocator *allocator) {
    posse_draw *large = slots > draw->slots ? memory_allocate(allocator, stream_size(slots)) : NULL;
    if (large == NULL) return draw;
    large->slots = (uint16_t)slots;
    large->enlarged = true;
    draw_start(large, draw->seed, draw->run, draw->stream, draw->position);
    large->both = large->both || draw->both;
    draw_release(draw, allocator);
    return large;
}

posse_draw *draw_fit(posse_draw *draw, const posse_allocator *allocator) {
    int blocks = draw->blocks, slots = draw->slots;
    draw->blocks = 0;
    for (; blocks > 1 && slots < STREAM_SLOTS; blocks = (blocks + 1) / 2) slots *= 2;
    return draw_enlarge(draw, slots, allocator);
}

void draw_release(posse_draw *draw, const posse_allocator *allocator) {
    if (draw != NULL && draw->enlarged) memory_release(allocator, draw);
}

/* How many draws a block has. */
static uint16_t stream_block_size(const posse_draw *draw) {
    return draw->both ? draw->slots / 2 : draw->slots;
}

static void stream_write_words(const posse_draw *draw, uint64_t *out, size_t count) {
    kernels_active()->words(draw->seed, draw->run, draw->stream, draw->first / 2, out, count / 2);
}

__attribute__((noinline)) static void make_words(posse_draw *draw) {
    draw->both = draw->both || draw_normals_ready(draw);
    draw->blocks++;
    draw->first = stream_even(draw->position);
    draw->words_held = stream_block_size(draw);
    draw->normals_held = 0;
    stream_write_words(draw, draw->words, draw->words_held);
}

/* Makes the normals of the words in the first half of the slots. */
static void make_normals_beside_words(posse_draw *draw) {
    if (!draw_words_ready(draw)) make_words(draw);
    draw->normals_at = draw->slots / 2;
    draw->normals_held = draw->words_held;
    kernels_active()->normals(draw->words, draw->normals + draw->normals_at, draw->normals_held);
}

static void make_normals_alone(posse_draw *draw) {
    uint64_t words[STREAM_SLOTS];
    draw->blocks++;
    draw->first = stream_even(draw->position);
    draw->words_held = 0;
    draw->normals_at = 0;
    draw->normals_held = stream_block_size(draw);
    stream_write_words(draw, words, draw->normals_held);
    kernels_active()->normals(words, draw->normals, draw->normals_held);
}

__attribute__((noinline)) static void make_normals(posse_draw *draw) {
    if (!draw->both && draw_words_ready(draw)) {
        draw->both = true;
        forget_block(draw);
    }
    if (draw->both)
        make_normals_beside_words(draw);
    else
        make_normals_alone(draw);
}

uint64_t draw_word(posse_draw *draw) {
    if (!draw_words_ready(draw)) make_words(draw);
    return draw->words[draw->position++ - draw->first];
}

double posse_draw_uniform(posse_draw *draw) {
    return word_uniform(draw_word(draw));
}

double posse_draw_normal(posse_draw *draw) {
    if (!draw_normals_ready(draw)) make_normals(draw);
    double normal = *next_normal(draw);
    draw->position++;
    return normal;
}

/* Takes up to count normals from the buffer, which is filled first if it is used up; returns how many. */
static size_t take_normals(posse_draw *draw, double *out, size_t count) {
    if (!draw_normals_ready(draw)) make_normals(draw);
    size_t left = (size_t)(draw->first + draw->normals_held - draw->position), taken = count < left ? count : left;
    memcpy(out, next_normal(draw), taken * sizeof *out);
    draw->position += taken;
    return taken;
}

/* Makes normals directly in out, without the buffer. The position and count are even. */
static void bulk_normals(posse_draw *draw, double *out, size_t count) {
    uint64_t words[2 * STREAM_SLOTS];
    const size_t most = sizeof words / sizeof *words;
    const kernels *k = kernels_active();
    draw->blocks++;
    while (count > 0) {
        size_t now = count < most ? count : most;
        k->words(draw->seed, draw->run, draw->stream, draw->position / 2, words, now / 2);
        k->normals(words, out, now);
        draw->position += now;
        out += now;
        count -= now;
    }
    forget_block(draw);
}

void posse_draw_normals(posse_draw *draw, double *out, size_t count) {
    const size_t block = draw->slots / 2;
    while (count > 0) {
        size_t done;
        bool made = draw_words_ready(draw) || draw_normals_ready(draw);
        if (count >= block && draw->position % 2 == 0 && !made) {
            done = count - count % block;
            bulk_normals(draw, out, done);
        } else {
            done = take_normals(draw, out, count);
        }
        out += done;
        count -= done;
    }
}

/* A few draws that are left of the old block are made again, because that takes less time than joining two pieces. */
const double *draw_normals_anew(posse_draw *draw, double *room, size_t count) {
    if (8 * count > stream_block_size(draw)) {
        posse_draw_normals(draw, room, count);
        return room;
    }
    draw->both = draw->both || draw_words_ready(draw);
    forget_block(draw);
    make_normals(draw);
    const double *ahead = next_normal(draw);
    draw->position += count;
    return ahead;
}
