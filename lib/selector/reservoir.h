/* SPDX-License-Identifier: MIT */
/*
 * A reservoir: past plays in rounds with features, stored so that the regret of each in any world w can be computed,
 *
 *     rho(w) = max over the arms available in the round of v_w(x_a) - v_w(x_played)
 *
 * It is exactly 0 if the arm played is the best. Plays are interleaved in blocks of KERNEL_LANES, in one of the two
 * forms of numeric/kernels.h. In the own form a play has room for some of the available arms. The arm played is the
 * first, and it is repeated if there are fewer available arms than room. In the shared form all arms are kept. A
 * one-hot belief has the shared form with a single feature, which is 1.
 *
 * Where contexts are sparse, plays are stored one after the other instead, each with rows of pairs (model/row.h). The
 * two forms are the same otherwise, and so are the sums.
 *
 * The caller owns the memory: reservoir.block numbers for each block.
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
    bool rows; /* vectors are rows of pairs, with slots below `slots` */
    int slots, nonzeros;
    size_t weights; /* of each slot in a world, if vectors are rows: 1, or all arms if weights belong to arms */
    int width;      /* numbers of a vector */
    int arms;       /* own form: arms that a play has room for; shared form: all arms */
    size_t block;   /* numbers of a block */
} reservoir;

/* The reservoir for a belief. In the own form, a play has room for `candidates` arms. */
reservoir reservoir_for(const posse_belief *b, int candidates);

/* The number of blocks for this number of plays. */
static inline size_t reservoir_blocks(size_t plays) {
    return (plays + KERNEL_LANES - 1) / KERNEL_LANES;
}

/* The places of the arms of a round that are kept, the arm played first. places NULL: all arms are kept. */
typedef struct kept_arms {
    int played; /* the place of the arm played */
    int count;  /* at most the number that a play has room for */
    const int *places;
} kept_arms;

/* Writes a play into a slot, over any former play. The shared form keeps all arms, whatever `kept` lists. */
void reservoir_put(const reservoir *r, double *blocks, size_t slot, const posse_round *round, const kept_arms *kept);

/* The regrets in a world of the plays in blocks [first, first + count): KERNEL_LANES for each block. */
void reservoir_regrets(const reservoir *r, const double *blocks, size_t first, size_t count, const double *world,
                       double *regrets);

/* Whether reservoir_put could have written the play in a slot, with arms below `arms`. */
bool reservoir_sane(const reservoir *r, const double *blocks, size_t slot, int arms);

/* Copies blocks from before arms were added, when a play may have had room for fewer arms. */
void reservoir_grow(const reservoir *r, double *blocks, const reservoir *former, const double *former_blocks,
                    size_t count);

#endif
