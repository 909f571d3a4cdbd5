/* SPDX-License-Identifier: MIT */
/*
 * Streams. Words are made STREAM_AHEAD at a time; normals are made from them when the first one is asked for. Both
 * buffers are indexed by position, so that a draw does not depend on the calls before it: normal n is
 * inverse_normal(uniform n).
 */
#include "random/stream.h"

#include "core/hash.h"
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
static uint64_t even(uint64_t position) {
    return position & ~(uint64_t)1;
}

/* Puts the buffer ahead of the position, so that no draw is taken from it. */
static void forget_words(posse_draw *draw) {
    draw->first = even(draw->position) + STREAM_AHEAD;
    draw->normals_ready = false;
}

void draw_open(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position) {
    draw->seed = seed;
    draw->run = run;
    draw->stream = stream;
    draw->position = position;
    forget_words(draw);
}

__attribute__((noinline)) static void make_words(posse_draw *draw) {
    draw->first = even(draw->position);
    draw->normals_ready = false;
    kernels_active()->words(draw->seed, draw->run, draw->stream, draw->first / 2, draw->words, STREAM_AHEAD / 2);
}

__attribute__((noinline)) static void make_normals(posse_draw *draw) {
    if (!draw_words_ready(draw)) make_words(draw);
    kernels_active()->normals(draw->words, draw->normals, STREAM_AHEAD);
    draw->normals_ready = true;
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
    return draw->normals[draw->position++ - draw->first];
}

/* Takes up to count normals from the buffer, which is filled first if it is used up; returns how many. */
static size_t take_normals(posse_draw *draw, double *out, size_t count) {
    if (!draw_normals_ready(draw)) make_normals(draw);
    uint64_t at = draw->position - draw->first;
    size_t taken = count < STREAM_AHEAD - at ? count : (size_t)(STREAM_AHEAD - at);
    memcpy(out, draw->normals + at, taken * sizeof *out);
    draw->position += taken;
    return taken;
}

/* Makes normals directly in out, without the buffer. The position and count are even. */
static void bulk_normals(posse_draw *draw, double *out, size_t count) {
    uint64_t words[4 * STREAM_AHEAD];
    const size_t most = sizeof words / sizeof *words;
    const kernels *k = kernels_active();
    while (count > 0) {
        size_t now = count < most ? count : most;
        k->words(draw->seed, draw->run, draw->stream, draw->position / 2, words, now / 2);
        k->normals(words, out, now);
        draw->position += now;
        out += now;
        count -= now;
    }
    forget_words(draw);
}

void posse_draw_normals(posse_draw *draw, double *out, size_t count) {
    while (count > 0) {
        size_t done;
        if (count >= STREAM_AHEAD && draw->position % 2 == 0 && !draw_words_ready(draw)) {
            done = count - count % STREAM_AHEAD;
            bulk_normals(draw, out, done);
        } else {
            done = take_normals(draw, out, count);
        }
        out += done;
        count -= done;
    }
}
