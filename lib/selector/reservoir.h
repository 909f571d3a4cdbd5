/* SPDX-License-Identifier: MIT */
/*
 * A reservoir: plays of the past in rounds that brought features, kept so that the regret of each in any world can be
 * computed anew,
 *
 *     rho(w) = max over the arms that were there of v_w(x_a) - v_w(x_played)
 *
 * It is exactly 0 where the arm played is the best. Plays are in blocks of KERNEL_LANES side by side, in one of the two
 * forms of numeric/kernels.h. In the own form a play has room for some of the arms that were there, the one played
 * first, which is repeated where they are fewer. In the shared form all arms are kept; a one-hot belief is one of it
 * with a single feature, which is 1.
 *
 * The memory is the caller's: reservoir.block numbers for each block.
 */
#ifndef POSSE_SELECTOR_RESERVOIR_H
#define POSSE_SELECTOR_RESERVOIR_H

#include "belief/belief.h"
#include "numeric/kernels.h"

typedef struct reservoir {
    bool shared;   /* the shared form; else the own form */
    bool disjoint; /* weights belong to arms */
    bool one_hot;
    posse_belief_model model;
    int width;    /* numbers of a vector */
    int arms;     /* own form: arms that a play has room for; shared form: arms there are */
    size_t block; /* numbers of a block */
} reservoir;

/* The reservoir for a belief, with room for so many arms in a play, in the own form. */
reservoir reservoir_for(const posse_belief *b, int candidates);

/* The room for so many plays, in blocks. */
static inline size_t reservoir_blocks(size_t plays) {
    return (plays + KERNEL_LANES - 1) / KERNEL_LANES;
}

/* The arms of a round that are kept: their places, the arm played first. places NULL: all of them are. */
typedef struct kept_arms {
    int played; /* its place */
    int count;  /* at most as many as a play has room for */
    const int *places;
} kept_arms;

/* Puts a play into a slot, over the one that was there. The shared form keeps all arms whatever is said. */
void reservoir_put(const reservoir *r, double *blocks, size_t slot, const posse_round *round, const kept_arms *kept);

/* The regrets in a world of the plays in blocks [first, first + count): KERNEL_LANES for each block. */
void reservoir_regrets(const reservoir *r, const double *blocks, size_t first, size_t count, const double *world,
                       double *regrets);

/* Whether the play in a slot is one that could have been put there, with arms below `arms`. */
bool reservoir_sane(const reservoir *r, const double *blocks, size_t slot, int arms);

/* Takes over blocks from before arms came, of which there may be fewer in a play. */
void reservoir_grow(const reservoir *r, double *blocks, const reservoir *former, const double *former_blocks,
                    size_t count);

#endif
