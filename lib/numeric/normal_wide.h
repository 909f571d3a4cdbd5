/* SPDX-License-Identifier: MIT */
/*
 * Normals from random words, made in batches: first all of them by the formula for the centre; then those in the tails
 * (15%) are gathered and made again by the formula for the tails.
 */
#ifndef POSSE_NUMERIC_NORMAL_WIDE_H
#define POSSE_NUMERIC_NORMAL_WIDE_H

#include "numeric/elementary_wide.h"

#define NORMALS_BATCH 512

/* The draws found outside of the centre: p - 1/2, and the place where the normal goes. */
typedef struct tails {
    size_t count;
    double q[NORMALS_BATCH + LANES];
    uint32_t place[NORMALS_BATCH + LANES];
} tails;

/* Writes the normals of these words to out[place], …; normals_finish writes those of the tails. */
WIDE void normals_begin(wide_word words, double *out, uint32_t place, tails *t) {
    wide q = wide_uniform(words) - 0.5;
    wide_store(out + place, wide_normal_centre(q));
    wide_mask outside = wide_above(wide_absolute(q), wide_all(NORMAL_CENTRE));
    t->count += wide_keep(outside, q, place, t->q + t->count, t->place + t->count);
}

WIDE void normals_finish(tails *t, double *out) {
    /* Lanes beyond the last tail repeat it. */
    for (size_t lane = 0; lane < LANES && t->count > 0; lane++) {
        t->q[t->count + lane] = t->q[t->count - 1];
        t->place[t->count + lane] = t->place[t->count - 1];
    }
    for (size_t i = 0; i < t->count; i += LANES) {
        double x[LANES];
        wide q = wide_load(t->q + i);
        /* The smaller of p and 1 - p, exactly, since the uniform of a word is a multiple of 2^-53. */
        wide p = 0.5 - wide_absolute(q);
        wide_store(x, wide_signed_as(wide_normal_tail(wide_log(p, 0.0)), q));
        for (size_t lane = 0; lane < LANES; lane++) out[t->place[i + lane]] = x[lane];
    }
}

#endif
