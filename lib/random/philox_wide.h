/* SPDX-License-Identifier: MIT */
/*
 * Philox on wide words: many blocks side by side, with the same bits as philox.c.
 */
#ifndef POSSE_RANDOM_PHILOX_WIDE_H
#define POSSE_RANDOM_PHILOX_WIDE_H

#include "numeric/wide.h"
#include "random/philox.h"

/*
 * Four counter words, with one block of Philox in each 64-bit lane. Only the low half of a lane counts: products use
 * the low halves only, so the high halves need not be cleared between rounds.
 */
typedef struct counter {
    wide_word word[4];
} counter;

/* The keys of all rounds. */
typedef struct schedule {
    wide_word key[PHILOX_ROUNDS][2];
} schedule;

WIDE schedule schedule_of(uint64_t seed) {
    schedule s = {.key = {{wide_word_all(seed), wide_word_all(seed >> 32)}}};
    for (int round = 1; round < PHILOX_ROUNDS; round++) {
        s.key[round][0] = s.key[round - 1][0] + PHILOX_STEP_0;
        s.key[round][1] = s.key[round - 1][1] + PHILOX_STEP_1;
    }
    return s;
}

/* The counters of a block of a stream in a run: run and block may differ from lane to lane. */
WIDE counter counter_of(wide_word run, uint64_t stream, wide_word block) {
    wide_word second = (block >> 32 & 0xffff) | (stream >> 32 << 16);
    return (counter){{block, second, wide_word_all(stream), run}};
}

WIDE void philox_round(counter *c, const wide_word *key) {
    wide_word a = wide_multiply_low(c->word[0], wide_word_all(PHILOX_MULTIPLIER_0));
    wide_word b = wide_multiply_low(c->word[2], wide_word_all(PHILOX_MULTIPLIER_1));
    *c = (counter){{wide_word_xor(b >> 32, c->word[1], key[0]), b, wide_word_xor(a >> 32, c->word[3], key[1]), a}};
}

/* The two draws of each block. */
WIDE wide_word even_draw(const counter *c) {
    return (c->word[0] & 0xffffffff) | (c->word[1] << 32);
}

WIDE wide_word odd_draw(const counter *c) {
    return (c->word[2] & 0xffffffff) | (c->word[3] << 32);
}

#endif
