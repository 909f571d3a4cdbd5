/*
 * Normals of random words, made in batches: all of them as if at the centre, then those of the tails (15%), gathered,
 * once more.
 */
#ifndef POSSE_NUMERIC_NORMAL_WIDE_H
#define POSSE_NUMERIC_NORMAL_WIDE_H

#include "numeric/elementary_wide.h"

#define NORMALS_BATCH 512

/* What was found outside of the centre: p - 1/2, and where the normal goes. */
typedef struct tails {
    size_t count;
    double q[NORMALS_BATCH + LANES];
    uint32_t place[NORMALS_BATCH + LANES];
} tails;

/* The normals of so many words go to out[place], …; those of the tails not before normals_finish. */
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
