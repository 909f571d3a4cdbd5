/* SPDX-License-Identifier: MIT */
/*
 * Streams: counter-based randomness. The n-th draw of a stream is a pure function of (seed, run, stream, n), so runs
 * may be played in any order, and the draws of one stream do not affect another.
 *
 * Philox4x32-10 is keyed with the seed; its 128-bit counter holds
 *     word 0           block, low 32 bits           a block is two draws of 64 bits
 *     word 1, low 16   block, high 16 bits          so a stream has 2^49 draws
 *     word 1, high 16  stream, high 16 bits
 *     word 2           stream, low 32 bits
 *     word 3           run
 * Draw n is half (n mod 2) of block n / 2: its words 0 and 1, or 2 and 3, the first one less significant.
 */
#ifndef POSSE_RANDOM_STREAM_H
#define POSSE_RANDOM_STREAM_H

#include "posse.h"

/* Who draws: the upper 8 of a stream's 48 bits. The rest tells several streams of one owner apart (learners, by name).
 */
typedef enum stream_owner {
    STREAM_INSTANCE = 1,
    STREAM_NOISE = 2,
    STREAM_ARMS = 3,
    STREAM_SELECTOR = 4,
    STREAM_TIES = 5,
    STREAM_LEARNER = 6,
    STREAM_INSIGHT = 7 /* what is drawn to look inside; decisions draw nothing from it */
} stream_owner;

/* Words and normals are made in blocks of this many, ahead of use. */
#define STREAM_AHEAD 128
_Static_assert(STREAM_AHEAD % 2 == 0, "words are made in blocks of two draws");

struct posse_draw {
    uint64_t seed;
    uint64_t stream;
    uint32_t run;
    bool normals_ready; /* whether normals[] has been made from words[] */
    uint64_t position;  /* of the next draw */
    uint64_t first;     /* of words[0], always even. If the position is not in [first, first + STREAM_AHEAD), words[] is
                           used up or was never made */
    uint64_t words[STREAM_AHEAD];
    double normals[STREAM_AHEAD];
};

/* The stream of an owner. The name picks one of several; it is NULL for an owner with a single stream. */
uint64_t stream_named(stream_owner owner, const char *name);

/* Opens a stream at draw number `position`. */
void draw_open(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position);

/* The next 64 random bits. */
uint64_t draw_word(posse_draw *draw);

static inline bool draw_words_ready(const posse_draw *draw) {
    return draw->position - draw->first < STREAM_AHEAD;
}

static inline bool draw_normals_ready(const posse_draw *draw) {
    return draw_words_ready(draw) && draw->normals_ready;
}

/* posse_draw_normal, nearly always without a call: for the library's own loops. */
static inline double draw_normal(posse_draw *draw) {
    return draw_normals_ready(draw) ? draw->normals[draw->position++ - draw->first] : posse_draw_normal(draw);
}

/*
 * The next count normals: in the buffer if all of them are made already, else in `room`. This saves a copy where a
 * belief over a few arms takes a few normals each round.
 */
static inline const double *draw_normals(posse_draw *draw, double *room, size_t count) {
    if (draw_normals_ready(draw) && draw->position + count <= draw->first + STREAM_AHEAD) {
        const double *ahead = draw->normals + (draw->position - draw->first);
        draw->position += count;
        return ahead;
    }
    posse_draw_normals(draw, room, count);
    return room;
}

#endif
