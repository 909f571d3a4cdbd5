/*
 * A sketch of arms: their coordinates in 16-bit integers, X = round(s x). With w sketched in the same way, W =
 * round(t w), the product <W, X> is made of integers and differs from s t <w, x> by less than
 *
 *     E = (|W|_1 + |X|_1) / 2 + a little,
 *
 * the norms being sums of absolute values. So an arm whose product is more than 2 E below the largest cannot be the
 * best: of a thousand arms all but one or two are ruled out, at a fraction of the cost of their exact values. The best
 * of those left is the best of all, and the first of equals.
 */
#ifndef POSSE_NUMERIC_SKETCH_H
#define POSSE_NUMERIC_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sketch {
    size_t arms, dim;
    const double *points; /* arms x dim: the arms themselves */
    const int16_t *drawn; /* see numeric/kernels.h */
    double widest;        /* the largest |X|_1 */
} sketch;

/* How many numbers the drawing takes; 0 where a sketch would not pay, or coordinates are too small or too large. */
size_t sketch_size(const double *points, size_t arms, size_t dim);

/* Draws it, into so many numbers. */
sketch sketch_draw(const double *points, size_t arms, size_t dim, int16_t *room);

/* The best arm of w and its value, or -1 where the sketch does not help: w has no length, or too many arms are left. */
long sketch_best(const sketch *s, const double *w, double *value);

/* For benches: whether sketches are used at all. They are, unless told otherwise. */
void sketches_use(bool yes);
bool sketches_used(void);

#endif
