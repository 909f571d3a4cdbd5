/* SPDX-License-Identifier: MIT */
/*
 * Kernels: the inner loops that gain from a vector unit. Their sources (kernel/) are compiled once per instruction set;
 * every version gives the same bits, because lanes hold independent items and the operations of an item keep their
 * order.
 */
#ifndef POSSE_NUMERIC_KERNELS_H
#define POSSE_NUMERIC_KERNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arms of a linear model are stored in blocks of this many lanes: block b, coordinate j, lane l at [b][j][l]. */
#define KERNEL_LANES 8

/*
 * The sketch of a linear model's arms (numeric/sketch.h) is in blocks of this many arms: block b, pair of coordinates
 * p, lane l, two bytes at [b][p][l]. An odd last coordinate has 0 beside it, and lanes beyond the last arm repeat it.
 */
#define SKETCH_LANES 32
#define SKETCH_CHUNK 1024               /* arms at a time: their sums stay in the first-level cache */
#define SKETCH_LEFT (SKETCH_CHUNK / 16) /* if more arms of a chunk are left, computing all arms is faster */
#define SKETCH_LOOKS 4 /* arms computed at a time, because a loop over single arms would be mispredicted */

/* The sketch of a world; numeric/sketch.h explains the numbers. */
typedef struct kernel_world {
    const int16_t
        *pairs;   /* two signed bytes in each; the sum of their products with two bytes of a sketch fits 16 bits */
    size_t count; /* of pairs */
    int start;    /* the initial value of a sum of products */
    int shift;    /* how many bits of each product are dropped, so that their sum fits 16 bits */
    int margin;   /* an arm this much below the largest sum may still be the best */
} kernel_world;

/* The worlds of a jury, which vote on the arms of a round (selector/jury.h): coordinate j of world l at [j][l]. */
#define KERNEL_JURY 16

/*
 * Plays side by side, KERNEL_LANES of them in a block (selector/reservoir.h), in one of two forms:
 *     own      the features of some arms: arm k, coordinate j, lane l at [k][j][l], the arm played being arm 0; and
 *              behind them, if weights belong to arms, the number of the arm at [k][l]
 *     shared   one vector for all arms: coordinate j, lane l at [j][l]; the arm played at [l]; and the available
 *              arms, eight to a word: bit l of byte a is set if arm a was available in the play of lane l
 */
typedef struct kernel_plays {
    const double *blocks;
    size_t count;  /* of blocks */
    size_t stride; /* from one block to the next */
    size_t arms;   /* own: in each play; shared: in all */
    size_t width;  /* coordinates */
    bool disjoint; /* own: weights belong to arms */
} kernel_plays;

/*
 * The smallest number of an array, how many are equal to it, and the index of the first of those. It has 16 bytes, so
 * that it is returned in registers: a copy through memory would wait for the fields to be written one by one.
 */
typedef struct kernel_least {
    double value;
    uint32_t count, first;
} kernel_least;

/*
 * Kernels of KERNEL_ROUNDS rounds side by side (kernel/rounds.c): coordinate j of the features of round r is at [j][r].
 * Each round gets the bits of the kernels for a single round.
 */
#define KERNEL_ROUNDS 16

typedef struct round_kernels {
    /*
     * For each x, <mean, x> and the length of root^T x, summed as spread_root does. The root follows the mean in
     * memory. deviations NULL: the means alone.
     */
    void (*moments)(const double *mean, size_t dim, const double *x, double *means, double *deviations);
    /* y = x made sqrt(dim) long, or 0 if the square of its length is at most `least`. */
    void (*scale)(const double *x, size_t dim, double least, double *y);
    /* Adds sum_products of each y to the means. */
    void (*add_products)(const double *rows, size_t dim, const double *y, double *means);
} round_kernels;

typedef struct kernels {
    const char *name;
    /*
     * Draws [2 * block, 2 * (block + blocks)) of a stream, see random/stream.h. blocks is any number.
     */
    void (*words)(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, uint64_t *out, size_t blocks);
    /* Standard normals, each from one word: out[i] = inverse_normal(uniform(words[i])). */
    void (*normals)(const uint64_t *words, double *out, size_t count);
    /*
     * The arm with the largest <w, x>, the lowest index among equals, and that value. points: blocks x dim x
     * KERNEL_LANES; lanes beyond the last arm repeat it. Each product is summed from coordinate 0 up.
     */
    size_t (*best_arm)(const double *points, size_t blocks, size_t dim, const double *w, double *value);
    /*
     * Of at most SKETCH_CHUNK arms of a sketch, writes the places of those that may be the best, in order. First *top
     * is raised to the largest sum; an arm may be the best if its sum is at most the margin below *top. Returns the
     * number of places written, a multiple of SKETCH_LOOKS, because a place may be written several times in a row. If
     * more than SKETCH_LEFT are left, it returns SKETCH_LEFT + 1, and the list is not complete.
     */
    size_t (*sketch_left)(const uint8_t *sketch, size_t arms, const kernel_world *world, int *top, uint32_t *places);
    /*
     * The charges of B-MS: out[i] = share[i] (start[i] + sum over j of gap_j * rows[j][i]), from j = 0 up, where gap_j
     * is best - w[j]; for i below width, which is a multiple of KERNEL_LANES. rows: dim x width. share NULL: all are 1.
     * best NULL: the largest of w.
     */
    kernel_least (*charge_gaps)(const double *start, const double *share, const double *rows, size_t width, size_t dim,
                                const double *w, const double *best, double *out);
    /* The same with out[i] = share[i] (start[i] + sum over j of w[j] * (scale[i] * x[j] - rows[j][i])). */
    kernel_least (*charge_points)(const double *start, const double *share, const double *rows, size_t width,
                                  size_t dim, const double *w, const double *x, const double *scale, double *out);
    /*
     * out = base + scale root u, from column 0 up, for a root of dim columns of dim numbers; dim is at least
     * KERNEL_LANES. out must not overlap the other arrays.
     */
    void (*add_root)(const double *root, size_t dim, double scale, const double *u, const double *base, double *out);
    /*
     * dim + 1 numbers: <mean, x>, then root^T x, each summed from row 0 up. The root follows the mean in memory.
     */
    void (*spread_root)(const double *mean, size_t dim, const double *x, double *out);
    /*
     * v = root u in the same order as add_root, then mean += gain v and root -= gamma v u^T. The root follows the mean
     * in memory.
     */
    void (*learn_root)(double *mean, size_t dim, const double *u, double gain, double gamma, double *v);
    /*
     * The sum of w_ij x_i x_j over all j <= i. Row i of the weights has i + 1 numbers, and zeros up to whole vectors of
     * KERNEL_LANES. x has zeros behind its dim numbers, up to a whole vector. Lane l of a row is the sum of w_ij x_j
     * over j = l, l + KERNEL_LANES, ... in this order; x_i times it is added to lane l of the rows before; and the
     * lanes are added from the first to the last.
     */
    double (*sum_products)(const double *rows, size_t dim, const double *x);
    /*
     * For all j <= i, with rows and x as above, z = x_i x_j and s the variance: mean += s z gain, and s is multiplied
     * by 1 - s z^2 factor, or by `least` if that is more.
     */
    void (*learn_products)(double *means, double *variances, size_t dim, const double *x, double gain, double factor,
                           double least);
    /*
     * Of plays in the own form, lane by lane, the largest <w, x> of all arms and that of the arm played. Each product
     * is summed from coordinate 0 up. Where weights belong to arms, those of arm a begin at w + a * width.
     */
    void (*value_own)(const kernel_plays *plays, const double *w, double *best, double *played);
    /* The same of plays in the shared form, with the weights of arm a at w + a * width. */
    void (*value_shared)(const kernel_plays *plays, const double *w, double *best, double *played);
    /*
     * The place with the largest <w, x> in each of KERNEL_JURY worlds, the first among equals. The features of place k
     * begin at k * stride. arms: NULL, or the arm at each place, where the weights of arm a begin at
     * jury + a * width * KERNEL_JURY.
     */
    void (*vote)(const double *features, size_t stride, size_t count, size_t width, const double *jury, const int *arms,
                 uint64_t *places);
    /* Several rounds at once, and runs abreast. */
    const struct round_kernels *rounds;
    const struct abreast_kernels *abreast;
} kernels;

/* The set that was chosen; NULL until the first use. Only kernels.c writes it. */
extern _Atomic(const kernels *) kernels_chosen;

/* Chooses a set at the first use. */
const kernels *kernels_choose(void);

/* The fastest set that this processor has, unless POSSE_ISA or kernels_use chose another. */
static inline const kernels *kernels_active(void) {
    const kernels *active = atomic_load_explicit(&kernels_chosen, memory_order_relaxed);
    return active != NULL ? active : kernels_choose();
}

/* Uses the set of that name ("scalar", "baseline", "avx2", "avx512") from now on; false if it cannot run here. */
bool kernels_use(const char *name);

/* Forgets the choice, so that the next use reads POSSE_ISA again. For tests, while no other thread uses kernels. */
void kernels_forget(void);

/* The value of the environment variable POSSE_ISA, or NULL if it is not set or empty. */
const char *kernels_wanted(void);

/* The names of all sets compiled in, slowest first, ended by NULL. */
const char *const *kernels_names(void);

#endif
