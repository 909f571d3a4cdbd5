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

#include "base/memory.h"
#include "posse_extend.h"

/*
 * The owner of a stream: the upper 8 of its 48 bits. The other bits distinguish the streams of one owner (learners, by
 * name).
 */
typedef enum stream_owner {
    STREAM_INSTANCE = 1,
    STREAM_NOISE = 2,
    STREAM_ARMS = 3,
    STREAM_SELECTOR = 4,
    STREAM_TIES = 5,
    STREAM_LEARNER = 6,
    STREAM_INSIGHT = 7, /* draws to look inside a posse; decisions draw nothing from it */
    STREAM_CONTEXT = 8, /* features of rounds */
    STREAM_FLOOR = 9,
    STREAM_HOLDBACK = 10
} stream_owner;

/*
 * Draws are made in blocks ahead of use. A stream of a simulation has slots for a block of words and for the normals
 * made from them. Streams in an application's object begin with few slots (draw_make) and get more with use
 * (draw_enlarge). Theirs hold either words or normals, until a part asks for both.
 */
#define STREAM_SLOTS 256

struct posse_draw {
    uint64_t seed;
    uint64_t stream;
    uint64_t position; /* of the next draw */
    uint64_t first;    /* of the block, always even */
    uint32_t run;
    uint16_t slots;      /* a multiple of 4 */
    uint16_t words_held; /* words of draws first, first + 1, …; likewise the normals: */
    uint16_t normals_held;
    uint16_t normals_at; /* the slot of the first normal */
    uint16_t blocks;     /* made since the stream was made, enlarged or asked by draw_fit */
    bool both;           /* words in the first half of the slots, normals in the second */
    bool enlarged;       /* it has memory of its own, which draw_release frees */
    union {
        uint64_t words[STREAM_SLOTS];
        double normals[STREAM_SLOTS];
    };
};

/* The stream of an owner. The name picks one of several; it is NULL for an owner with a single stream. */
uint64_t stream_named(stream_owner owner, const char *name);

/*
 * Opens a stream of STREAM_SLOTS slots at draw number `position`. It is not for streams of draw_make, which may have
 * fewer.
 */
void draw_open(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position);

/* A stream with this number of slots, a multiple of 4, to be opened by draw_start. NULL: no memory is left. */
posse_draw *draw_make(arena *memory, int slots);
void draw_start(posse_draw *draw, uint64_t seed, uint32_t run, uint64_t stream, uint64_t position);

/*
 * The same stream with this number of slots, in memory of its own. The draws stay the same. A stream that has as many
 * slots, or for which no memory is left, is returned as it is; otherwise the former one must not be used any more.
 */
posse_draw *draw_enlarge(posse_draw *draw, int slots, const posse_allocator *allocator);

/*
 * To be called at regular intervals of a stream's use. Enlarges a stream that has made several blocks since the last
 * call, so that it makes one until the next call.
 */
posse_draw *draw_fit(posse_draw *draw, const posse_allocator *allocator);

/* Frees the memory that a stream got when it was enlarged. NULL is allowed. */
void draw_release(posse_draw *draw, const posse_allocator *allocator);

/* The next 64 random bits. */
uint64_t draw_word(posse_draw *draw);

static inline bool draw_words_ready(const posse_draw *draw) {
    return draw->position - draw->first < draw->words_held;
}

static inline bool draw_normals_ready(const posse_draw *draw) {
    return draw->position - draw->first < draw->normals_held;
}

/* The next normal. draw_normals_ready must be true. */
static inline const double *next_normal(const posse_draw *draw) {
    return draw->normals + draw->normals_at + (draw->position - draw->first);
}

/* posse_draw_normal, nearly always without a call: for the library's own loops. */
static inline double draw_normal(posse_draw *draw) {
    if (!draw_normals_ready(draw)) return posse_draw_normal(draw);
    double normal = *next_normal(draw);
    draw->position++;
    return normal;
}

/* The next count normals: at the beginning of a new block if a block has far more than count, else in `room`. */
const double *draw_normals_anew(posse_draw *draw, double *room, size_t count);

/*
 * The next count normals: in the slots or in `room`. This saves a copy where a belief over a few arms takes a few
 * normals each round.
 */
static inline const double *draw_normals(posse_draw *draw, double *room, size_t count) {
    if (draw_normals_ready(draw) && draw->position + count <= draw->first + draw->normals_held) {
        const double *ahead = next_normal(draw);
        draw->position += count;
        return ahead;
    }
    return draw_normals_anew(draw, room, count);
}

#endif
