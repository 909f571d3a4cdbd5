/* SPDX-License-Identifier: MIT */
/*
 * A sketch of arms: their coordinates in bytes, X = round(s x), |X| at most 127. A world w is sketched in the same way
 * and a bit coarser, W = round(t w), |W| at most 63, so that two products of them fit 16 bits. Then <W, X> is made of
 * small integers and differs from s t <w, x> by at most
 *
 *     E = (t |w|_1 + s |x|_1) / 2 + dim / 4,
 *
 * where the norms are sums of absolute values. So an arm whose product is more than 2 E below the largest cannot be the
 * best: of a thousand arms in ten dimensions all but about three are excluded, at a fraction of the cost of their exact
 * values. The best of the arms left is the best of all, and the first among equals.
 */
#ifndef POSSE_NUMERIC_SKETCH_H
#define POSSE_NUMERIC_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sketch {
    size_t arms, dim;
    const double *points; /* arms x dim: the arms themselves */
    const uint8_t *drawn; /* X + 128, see numeric/kernels.h */
    double widest;        /* the largest s |x|_1 */
    double longest;       /* the largest |X|^2 */
} sketch;

/* How many bytes the sketch takes; 0 where it would not be faster, or coordinates are too small or too large. */
size_t sketch_size(const double *points, size_t arms, size_t dim);

/* Makes the sketch in `room`, of sketch_size bytes. */
sketch sketch_draw(const double *points, size_t arms, size_t dim, uint8_t *room);

/*
 * The best arm of w and its value. Returns -1 if the sketch does not help, because w is zero, too small, too large or
 * not finite, or because too many arms are left.
 */
long sketch_best(const sketch *s, const double *w, double *value);

/* For benchmarks: whether sketches are used at all. By default they are. */
void sketches_use(bool yes);
bool sketches_used(void);

#endif
