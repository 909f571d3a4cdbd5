/* SPDX-License-Identifier: MIT */
#include "selector/reservoir.h"

#include <math.h>
#include <string.h>

#include "numeric/elementary.h"

#define ARMS_TO_A_WORD 8

reservoir reservoir_for(const posse_belief *b, int candidates) {
    const posse_space *space = b->space;
    bool one_vector = b->shape.one_hot || space->features == space->shared_features;
    reservoir r = {.shared = one_vector,
                   .disjoint = b->model.disjoint,
                   .one_hot = b->shape.one_hot,
                   .model = b->model,
                   .width = b->shape.one_hot ? 1 : space->features,
                   .arms = one_vector ? space->arms : candidates};
    size_t width = (size_t)r.width, arms = (size_t)r.arms;
    r.block = r.shared ? KERNEL_LANES * (width + 1) + (arms + ARMS_TO_A_WORD - 1) / ARMS_TO_A_WORD
                       : KERNEL_LANES * arms * (width + r.disjoint);
    return r;
}

static double *block_of(const reservoir *r, const double *blocks, size_t slot) {
    return (double *)(uintptr_t)blocks + slot / KERNEL_LANES * r->block;
}

/* ------------------------------------------------- putting ----------------------------------------------------- */

/* Where the own form stores the number of the k-th arm of a play. */
static double *reservoir_arm_of(const reservoir *r, const double *block, size_t k, size_t lane) {
    return (double *)(uintptr_t)block + ((size_t)r->arms * (size_t)r->width + k) * KERNEL_LANES + lane;
}

/*
 * The place in the round of the k-th arm of a play. If all arms are kept, the arm played is first and the others follow
 * in order.
 */
static int reservoir_place_of(const kept_arms *kept, int k) {
    if (k == 0 || k >= kept->count) return kept->played;
    if (kept->places != NULL) return kept->places[k];
    return k <= kept->played ? k - 1 : k;
}

static void put_own(const reservoir *r, double *block, size_t lane, const posse_round *round, const kept_arms *kept) {
    size_t width = (size_t)r->width;
    for (int k = 0; k < r->arms; k++) {
        int place = reservoir_place_of(kept, k);
        const double *x = round_features(round, place);
        double *to = block + (size_t)k * width * KERNEL_LANES + lane;
        for (size_t j = 0; j < width; j++) to[j * KERNEL_LANES] = x[j];
        if (r->disjoint) *reservoir_arm_of(r, block, (size_t)k, lane) = round->arms[place];
    }
}

/* Where the shared form stores which arms were available. */
static uint64_t *arms_there(const reservoir *r, const double *block) {
    return (uint64_t *)(uintptr_t)(block + ((size_t)r->width + 1) * KERNEL_LANES);
}

static double *arm_played(const reservoir *r, const double *block, size_t lane) {
    return (double *)(uintptr_t)block + (size_t)r->width * KERNEL_LANES + lane;
}

/* Words are read and written as bytes, because they are stored among doubles. */
static uint64_t reservoir_word_at(const uint64_t *words, size_t i) {
    uint64_t word;
    memcpy(&word, words + i, sizeof word);
    return word;
}

static void reservoir_put_word(uint64_t *words, size_t i, uint64_t word) {
    memcpy(words + i, &word, sizeof word);
}

/* Bit `lane` of every arm in word i, without those beyond the last arm. */
static uint64_t lane_of_word(const reservoir *r, size_t i, size_t lane) {
    size_t arms = (size_t)r->arms - i * ARMS_TO_A_WORD;
    uint64_t every = 0x0101010101010101u << lane;
    return arms >= ARMS_TO_A_WORD ? every : every & (((uint64_t)1 << arms * 8) - 1);
}

static void reservoir_put_arms(const reservoir *r, double *block, size_t lane, const posse_round *round) {
    uint64_t *words = arms_there(r, block);
    bool all = round->count == r->arms;
    for (size_t i = 0; i * ARMS_TO_A_WORD < (size_t)r->arms; i++) {
        uint64_t mine = lane_of_word(r, i, lane), word = reservoir_word_at(words, i);
        reservoir_put_word(words, i, all ? word | mine : word & ~mine);
    }
    for (int k = 0; k < round->count && !all; k++) {
        size_t arm = (size_t)round->arms[k], i = arm / ARMS_TO_A_WORD;
        reservoir_put_word(words, i, reservoir_word_at(words, i) | (uint64_t)1 << (arm % ARMS_TO_A_WORD * 8 + lane));
    }
}

static void put_shared(const reservoir *r, double *block, size_t lane, const posse_round *round, int place) {
    const double one = 1.0, *x = r->one_hot ? &one : round->features;
    for (size_t j = 0; j < (size_t)r->width; j++) block[j * KERNEL_LANES + lane] = x[j];
    *arm_played(r, block, lane) = round->arms[place];
    reservoir_put_arms(r, block, lane, round);
}

void reservoir_put(const reservoir *r, double *blocks, size_t slot, const posse_round *round, const kept_arms *kept) {
    double *block = block_of(r, blocks, slot);
    if (r->shared)
        put_shared(r, block, slot % KERNEL_LANES, round, kept->played);
    else
        put_own(r, block, slot % KERNEL_LANES, round, kept);
}

/* ------------------------------------------------- regrets ----------------------------------------------------- */

/* An increasing link keeps the order of values, but where it is flat, rounding could reverse it. */
static double logistic_regret(const reservoir *r, double best, double played) {
    if (best == played) return 0.0;
    double regret = sigmoid(best + r->model.bias) - sigmoid(played + r->model.bias);
    return regret > 0.0 ? regret : 0.0;
}

#define BLOCKS_FEW 16

static void value_blocks(const reservoir *r, const double *blocks, size_t first, size_t count, const double *world,
                         double *best, double *played) {
    kernel_plays plays = {.blocks = blocks + first * r->block,
                          .count = count,
                          .stride = r->block,
                          .arms = (size_t)r->arms,
                          .width = (size_t)r->width,
                          .disjoint = r->disjoint};
    if (r->shared)
        kernels_active()->value_shared(&plays, world, best, played);
    else
        kernels_active()->value_own(&plays, world, best, played);
}

void reservoir_regrets(const reservoir *r, const double *blocks, size_t first, size_t count, const double *world,
                       double *regrets) {
    double played[BLOCKS_FEW * KERNEL_LANES];
    while (count > 0) {
        size_t few = count < BLOCKS_FEW ? count : BLOCKS_FEW, plays = few * KERNEL_LANES;
        value_blocks(r, blocks, first, few, world, regrets, played);
        for (size_t i = 0; i < plays; i++)
            regrets[i] = r->model.logistic ? logistic_regret(r, regrets[i], played[i]) : regrets[i] - played[i];
        first += few;
        count -= few;
        regrets += plays;
    }
}

/* --------------------------------------------- states from files ----------------------------------------------- */

static bool arm_sane(double arm, int arms) {
    return arm >= 0.0 && arm < arms && arm == floor(arm);
}

/* Kernels read whole words, so bits beyond the last arm must be 0. */
static bool arms_sane(const reservoir *r, const double *block, size_t lane) {
    const uint64_t *words = arms_there(r, block);
    for (size_t i = 0; i * ARMS_TO_A_WORD < (size_t)r->arms; i++)
        if ((reservoir_word_at(words, i) & UINT64_C(0x0101010101010101) << lane & ~lane_of_word(r, i, lane)) != 0)
            return false;
    return true;
}

bool reservoir_sane(const reservoir *r, const double *blocks, size_t slot, int arms) {
    const double *block = block_of(r, blocks, slot);
    size_t lane = slot % KERNEL_LANES, vectors = r->shared ? 1 : (size_t)r->arms;
    for (size_t i = 0; i < vectors * (size_t)r->width; i++)
        if (!(fabs(block[i * KERNEL_LANES + lane]) <= FEATURE_MAX)) return false;
    if (r->shared) return arm_sane(*arm_played(r, block, lane), arms) && arms_sane(r, block, lane);
    for (size_t k = 0; r->disjoint && k < vectors; k++)
        if (!arm_sane(*reservoir_arm_of(r, block, k, lane), arms)) return false;
    return true;
}

/* --------------------------------------------- arms that are added --------------------------------------------- */

static void grow_own(const reservoir *r, double *block, const reservoir *former, const double *from) {
    size_t vector = (size_t)r->width * KERNEL_LANES;
    for (size_t k = 0; k < (size_t)r->arms; k++) {
        size_t old = k < (size_t)former->arms ? k : 0;
        memcpy(block + k * vector, from + old * vector, vector * sizeof *block);
        if (r->disjoint)
            memcpy(reservoir_arm_of(r, block, k, 0), reservoir_arm_of(former, from, old, 0),
                   KERNEL_LANES * sizeof *block);
    }
}

void reservoir_grow(const reservoir *r, double *blocks, const reservoir *former, const double *former_blocks,
                    size_t count) {
    for (size_t b = 0; b < count; b++) {
        double *to = blocks + b * r->block;
        const double *from = former_blocks + b * former->block;
        if (r->shared)
            memcpy(to, from, former->block * sizeof *to);
        else
            grow_own(r, to, former, from);
    }
}
