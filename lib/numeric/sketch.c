/* SPDX-License-Identifier: MIT */
#include "numeric/sketch.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "numeric/kernels.h"
#include "numeric/vectors.h"

/*
 * An arm's byte is unsigned, X + 128, and a world's byte is signed: the instruction that makes two products at once
 * needs this. 2 x 255 x 63 is below 2^15.
 */
#define ARM_MOST 127
#define ARM_ORIGIN 128
#define WORLD_MOST 63

/* Below these, computing all arms is as fast. */
#define ARMS_MIN 64
#define DIM_MIN 3

#define DIM_WIDEST 256     /* above, bytes are too coarse to be worth their cost */
#define SIZE_LEAST 1e-100  /* products of smaller numbers could underflow */
#define SIZE_LARGEST 1e100 /* products of larger numbers could overflow */

static atomic_bool unused;

void sketches_use(bool yes) {
    atomic_store(&unused, !yes);
}

bool sketches_used(void) {
    return !atomic_load_explicit(&unused, memory_order_relaxed);
}

static double largest_size(const double *x, size_t count) {
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        double size = fabs(x[i]);
        most = size > most ? size : most;
    }
    return most;
}

static bool has_size(double size) {
    return size > SIZE_LEAST && size < SIZE_LARGEST;
}

static size_t sketch_pairs_of(size_t dim) {
    return (dim + 1) / 2;
}

size_t sketch_size(const double *points, size_t arms, size_t dim) {
    if (arms < ARMS_MIN || dim < DIM_MIN || dim > DIM_WIDEST || !has_size(largest_size(points, arms * dim))) return 0;
    size_t blocks = (arms + SKETCH_LANES - 1) / SKETCH_LANES;
    return blocks * sketch_pairs_of(dim) * 2 * SKETCH_LANES;
}

/* The nearest integer of an x between -ARM_MOST and ARM_MOST, without a branch on its sign. */
static int sketch_rounded(double x) {
    return (int)(x + (ARM_ORIGIN + 0.5)) - ARM_ORIGIN;
}

sketch sketch_draw(const double *points, size_t arms, size_t dim, uint8_t *room) {
    double scale = ARM_MOST / largest_size(points, arms * dim), widest = 0.0, longest = 0.0;
    memset(room, ARM_ORIGIN, sketch_size(points, arms, dim));
    for (size_t i = 0; i < (arms + SKETCH_LANES - 1) / SKETCH_LANES * SKETCH_LANES; i++) {
        const double *point = points + (i < arms ? i : arms - 1) * dim;
        uint8_t *block = room + i / SKETCH_LANES * sketch_pairs_of(dim) * 2 * SKETCH_LANES;
        double width = 0.0, length = 0.0;
        for (size_t j = 0; j < dim; j++) {
            int x = sketch_rounded(scale * point[j]);
            block[(j / 2 * SKETCH_LANES + i % SKETCH_LANES) * 2 + j % 2] = (uint8_t)(x + ARM_ORIGIN);
            width += fabs(scale * point[j]);
            length += (double)(x * x);
        }
        widest = width > widest ? width : widest;
        longest = length > longest ? length : longest;
    }
    return (sketch){arms, dim, points, room, widest, longest};
}

/*
 * How many bits of a product of pairs to drop. |<W, X>| is at most |W| |X|, and |W|^2 is at most |W|_1 times the
 * largest of W. Dropping bits changes each pair's product, and the start, by less than one.
 */
static int shift_for(const sketch *s, double width) {
    double room = 32767.0 - 2.0 * (double)sketch_pairs_of(s->dim);
    double square = WORLD_MOST * (width + 0.5 * (double)s->dim) * s->longest;
    int shift = 0;
    for (double most = room * room; square > most; most *= 4.0) shift++;
    return shift;
}

/*
 * 2 E. With errors e of W and f of X, each at most 1/2, <W, X> - s t <w, x> is <t w, f> + <s x, e> + <e, f>. The exact
 * value and the scaled one that is rounded have tiny rounding errors themselves: 2 is far more than those. Dropped bits
 * change the product of each pair by less than one.
 */
static int margin_for(const sketch *s, double width, int shift) {
    double twice = width + s->widest + 0.5 * (double)s->dim + 2.0;
    return ((int)twice >> shift) + 1 + (shift > 0 ? (int)sketch_pairs_of(s->dim) : 0);
}

/* Two coordinates in one number, in the order in which they are side by side in an arm's sketch. */
static int16_t sketch_paired(int first, int second) {
    int8_t bytes[] = {(int8_t)first, (int8_t)second};
    int16_t pair;
    memcpy(&pair, bytes, sizeof pair);
    return pair;
}

/* Writes the sketch of w into pairs; false where w is zero, too small, too large or not finite. */
static bool sketch_draw_world(const sketch *s, const double *w, int16_t *pairs, kernel_world *out) {
    double most = 0.0, width = 0.0;
    for (size_t j = 0; j < s->dim; j++) {
        double size = fabs(w[j]);
        most = size > most ? size : most;
        width += size; /* NaN if one of them is */
    }
    if (!has_size(width)) return false;
    double scale = WORLD_MOST / most;
    int sum = 0;
    for (size_t j = 0; j < s->dim; j += 2) {
        int x = sketch_rounded(scale * w[j]), y = j + 1 < s->dim ? sketch_rounded(scale * w[j + 1]) : 0;
        pairs[j / 2] = sketch_paired(x, y);
        sum += x + y;
    }
    width *= scale;
    int shift = shift_for(s, width), origin = ARM_ORIGIN * sum >> shift;
    *out = (kernel_world){pairs, sketch_pairs_of(s->dim), -origin, shift, margin_for(s, width, shift)};
    return true;
}

typedef struct best {
    long arm;
    double value;
} best;

/* The values of SKETCH_LOOKS arms. Each addition waits for the one before; the other arms' additions fill the wait. */
static void values_of(const sketch *s, size_t first, const uint32_t *left, const double *w, double *values) {
    const double *a = s->points + (first + left[0]) * s->dim, *b = s->points + (first + left[1]) * s->dim;
    const double *c = s->points + (first + left[2]) * s->dim, *d = s->points + (first + left[3]) * s->dim;
    double sums[SKETCH_LOOKS] = {0.0};
    for (size_t j = 0; j < s->dim; j++) {
        sums[0] += a[j] * w[j];
        sums[1] += b[j] * w[j];
        sums[2] += c[j] * w[j];
        sums[3] += d[j] * w[j];
    }
    memcpy(values, sums, sizeof sums);
}

/* Computes the arms of a chunk that are left, in order; a later arm has to be better to be taken. */
static void sketch_look(const sketch *s, size_t first, const uint32_t *left, size_t count, const double *w, best *b) {
    for (size_t i = 0; i < count; i += SKETCH_LOOKS) {
        double values[SKETCH_LOOKS];
        values_of(s, first, left + i, w, values);
        for (size_t k = 0; k < SKETCH_LOOKS; k++) {
            bool better = values[k] > b->value;
            b->arm = better ? (long)(first + left[i + k]) : b->arm;
            b->value = better ? values[k] : b->value;
        }
    }
}

long sketch_best(const sketch *s, const double *w, double *value) {
    int16_t pairs[DIM_WIDEST / 2];
    kernel_world world;
    if (!sketch_draw_world(s, w, pairs, &world)) return -1;
    uint32_t left[SKETCH_LEFT + SKETCH_LOOKS];
    int top = INT_MIN;
    best b = {-1, -INFINITY};
    for (size_t first = 0; first < s->arms; first += SKETCH_CHUNK) {
        size_t count = s->arms - first < SKETCH_CHUNK ? s->arms - first : SKETCH_CHUNK;
        const uint8_t *drawn = s->drawn + first * sketch_pairs_of(s->dim) * 2;
        size_t found = kernels_active()->sketch_left(drawn, count, &world, &top, left);
        if (found > SKETCH_LEFT) return -1;
        sketch_look(s, first, left, found, w, &b);
    }
    *value = b.value;
    return b.arm;
}
