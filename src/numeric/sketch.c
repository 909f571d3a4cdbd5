#include "numeric/sketch.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "numeric/kernels.h"
#include "numeric/vectors.h"

/* With |X| and |W| at most this, no sum of products of theirs leaves 32 bits. */
#define LENGTH 32767.0

/* Below, going through all arms is as fast. */
#define ARMS_MIN 64
#define DIM_MIN 3

#define CHUNK 1024            /* arms at a time: their products stay in the first level of cache */
#define LEFT_MAX (CHUNK / 16) /* arms of a chunk left: with more of them a look at all is faster */
#define DIM_WIDEST 256        /* beyond, 16 bits are too coarse for what they cost */
#define LENGTH_MIN 1e-100     /* squares of vectors this short vanish, */
#define LENGTH_MAX 1e100      /* and of those this long overflow */

static atomic_bool unused;

void sketches_use(bool yes) {
    atomic_store(&unused, !yes);
}

bool sketches_used(void) {
    return !atomic_load_explicit(&unused, memory_order_relaxed);
}

static double length_of(const double *x, size_t dim) {
    return sqrt(dot(x, x, (int)dim));
}

static double longest(const double *points, size_t arms, size_t dim) {
    double most = 0.0;
    for (size_t a = 0; a < arms; a++) {
        double length = length_of(points + a * dim, dim);
        if (!(length <= most)) most = length;
    }
    return most;
}

static bool has_length(double length) {
    return length > LENGTH_MIN && length < LENGTH_MAX;
}

static size_t pairs_of(size_t dim) {
    return (dim + 1) / 2;
}

size_t sketch_size(const double *points, size_t arms, size_t dim) {
    if (arms < ARMS_MIN || dim < DIM_MIN || dim > DIM_WIDEST || !has_length(longest(points, arms, dim))) return 0;
    size_t blocks = (arms + SKETCH_LANES - 1) / SKETCH_LANES;
    return blocks * pairs_of(dim) * 2 * SKETCH_LANES;
}

static int16_t rounded(double x) {
    return (int16_t)(x < 0.0 ? x - 0.5 : x + 0.5);
}

sketch sketch_draw(const double *points, size_t arms, size_t dim, int16_t *room) {
    double scale = LENGTH / longest(points, arms, dim), widest = 0.0;
    memset(room, 0, sketch_size(points, arms, dim) * sizeof *room);
    for (size_t i = 0; i < (arms + SKETCH_LANES - 1) / SKETCH_LANES * SKETCH_LANES; i++) {
        const double *point = points + (i < arms ? i : arms - 1) * dim;
        int16_t *block = room + i / SKETCH_LANES * pairs_of(dim) * 2 * SKETCH_LANES;
        double width = 0.0;
        for (size_t j = 0; j < dim; j++) {
            int16_t x = rounded(scale * point[j]);
            block[(j / 2 * SKETCH_LANES + i % SKETCH_LANES) * 2 + j % 2] = x;
            width += fabs((double)x);
        }
        widest = width > widest ? width : widest;
    }
    return (sketch){arms, dim, points, room, widest};
}

/* Sketches w, a pair of coordinates to a number. Returns |W|_1. */
static double draw_world(const double *w, size_t dim, double scale, int32_t *pairs) {
    double width = 0.0;
    int16_t drawn[DIM_WIDEST + 1];
    drawn[dim] = 0;
    for (size_t j = 0; j < dim; j++) {
        drawn[j] = rounded(scale * w[j]);
        width += fabs((double)drawn[j]);
    }
    memcpy(pairs, drawn, pairs_of(dim) * sizeof *pairs);
    return width;
}

/*
 * 2 E. With errors e of W and f of X, each at most 1/2, <W, X> - s t <w, x> is <t w, f> + <s x, e> + <e, f>, and t w is
 * W less e: (|W|_1 + |X|_1) / 2 + dim / 4 at most. The exact value is itself rounded, by less than 2^-40 of LENGTH^2.
 */
static int32_t margin(double world_width, double widest, size_t dim) {
    return (int32_t)(world_width + widest + 0.5 * (double)dim + 2048.0);
}

typedef struct best {
    long arm;
    double value;
} best;

/* Looks at the arms of a chunk that are left, in order; a later one has to be better. */
static void look(const sketch *s, size_t first, const uint32_t *left, size_t count, const double *w, best *b) {
    for (size_t i = 0; i < count; i++) {
        size_t arm = first + left[i];
        double value = dot(s->points + arm * s->dim, w, (int)s->dim);
        if (b->arm >= 0 && !(value > b->value)) continue;
        *b = (best){(long)arm, value};
    }
}

long sketch_best(const sketch *s, const double *w, double *value) {
    double length = length_of(w, s->dim);
    if (!has_length(length)) return -1;
    int32_t world[(DIM_WIDEST + 1) / 2], products[CHUNK], top = INT32_MIN;
    uint32_t left[LEFT_MAX];
    int32_t slack = margin(draw_world(w, s->dim, LENGTH / length, world), s->widest, s->dim);
    const kernels *k = kernels_active();
    best b = {-1, 0.0};
    for (size_t first = 0; first < s->arms; first += CHUNK) {
        size_t count = s->arms - first < CHUNK ? s->arms - first : CHUNK;
        const int16_t *drawn = s->drawn + first * pairs_of(s->dim) * 2;
        int32_t most = k->sketch_products(drawn, count, pairs_of(s->dim), world, products);
        if (most > top) top = most;
        size_t found = k->find_above(products, count, top - slack - 1, left, LEFT_MAX);
        if (found > LEFT_MAX) return -1;
        look(s, first, left, found, w, &b);
    }
    *value = b.value;
    return b.arm;
}
