/* SPDX-License-Identifier: MIT */
#include "selector/reservoir.h"

#include <math.h>
#include <string.h>

#include "model/row.h"
#include "numeric/elementary.h"

#define ARMS_TO_A_WORD 8

/* ------------------------------------------------- rows of pairs ----------------------------------------------- */

/*
 * A play in the shared form is its row, the arm played, and a bit for each available arm; in the own form the rows of
 * its arms, the arm played first, and then the number of each.
 */
#define ARMS_TO_A_MASK 64

static size_t masks_of(const reservoir *r) {
    return ((size_t)r->arms + ARMS_TO_A_MASK - 1) / ARMS_TO_A_MASK;
}

static size_t play_numbers(const reservoir *r) {
    size_t width = (size_t)r->width;
    return r->shared ? width + 1 + masks_of(r) : (size_t)r->arms * (width + 1);
}

static double *play_at(const reservoir *r, const double *blocks, size_t slot) {
    return (double *)(uintptr_t)blocks + slot * play_numbers(r);
}

static uint64_t mask_at(const reservoir *r, const double *play, size_t i) {
    uint64_t mask;
    memcpy(&mask, play + r->width + 1 + i, sizeof mask);
    return mask;
}

static void put_row(const reservoir *r, double *to, const double *features) {
    size_t used = 1 + 2 * (size_t)features[0];
    memcpy(to, features, used * sizeof *to);
    memset(to + used, 0, ((size_t)r->width - used) * sizeof *to);
}

static void put_shared_row(const reservoir *r, double *play, const posse_round *round, int place) {
    put_row(r, play, round->features);
    play[r->width] = round->arms[place];
    memset(play + r->width + 1, 0, masks_of(r) * sizeof(uint64_t));
    for (int k = 0; k < round->count; k++) {
        size_t arm = (size_t)round->arms[k], i = arm / ARMS_TO_A_MASK;
        uint64_t mask = mask_at(r, play, i) | (uint64_t)1 << arm % ARMS_TO_A_MASK;
        memcpy(play + r->width + 1 + i, &mask, sizeof mask);
    }
}

static double row_product(const reservoir *r, const double *world, row x, size_t arm) {
    double sum = 0.0;
    for (int i = 0; i < x.count; i++) sum += world[(size_t)row_slot(x, i) * r->weights + arm] * row_value(x, i);
    return sum;
}

/* Weights of one slot are neighbours, so the products of several arms are summed at a time. */
static void value_shared_row(const reservoir *r, const double *play, const double *world, double *best,
                             double *played) {
    row x = row_of_sparse(play);
    *best = *played = row_product(r, world, x, (size_t)play[r->width]);
    for (size_t first = 0; first < (size_t)r->arms; first += ARMS_TO_A_MASK) {
        double sums[ARMS_TO_A_MASK] = {0.0};
        size_t few = (size_t)r->arms - first < ARMS_TO_A_MASK ? (size_t)r->arms - first : ARMS_TO_A_MASK;
        uint64_t mask = mask_at(r, play, first / ARMS_TO_A_MASK);
        for (int i = 0; i < x.count && mask != 0; i++) {
            const double *weights = world + (size_t)row_slot(x, i) * r->weights + first;
            for (size_t a = 0; a < few; a++) sums[a] += weights[a] * row_value(x, i);
        }
        for (size_t a = 0; a < few; a++)
            if ((mask >> a & 1) != 0 && sums[a] > *best) *best = sums[a];
    }
}

static double *number_of_arm(const reservoir *r, const double *play, size_t k) {
    return (double *)(uintptr_t)play + (size_t)r->arms * (size_t)r->width + k;
}

static double value_own_row(const reservoir *r, const double *play, const double *world, size_t k) {
    size_t arm = r->disjoint ? (size_t)*number_of_arm(r, play, k) : 0;
    return row_product(r, world, row_of_sparse(play + k * (size_t)r->width), arm);
}

/* The arm that was played is the first one. */
static void value_own_rows(const reservoir *r, const double *play, const double *world, double *best, double *played) {
    *best = *played = value_own_row(r, play, world, 0);
    for (size_t k = 1; k < (size_t)r->arms; k++) {
        double value = value_own_row(r, play, world, k);
        if (value > *best) *best = value;
    }
}

static void value_rows(const reservoir *r, const double *blocks, size_t first, size_t count, const double *world,
                       double *best, double *played) {
    for (size_t i = 0; i < count; i++) {
        const double *play = play_at(r, blocks, first + i);
        if (r->shared)
            value_shared_row(r, play, world, &best[i], &played[i]);
        else
            value_own_rows(r, play, world, &best[i], &played[i]);
    }
}

static bool reservoir_row_sane(const reservoir *r, const double *numbers) {
    if (!(numbers[0] >= 0.0 && numbers[0] <= r->nonzeros)) return false;
    row x = row_of_sparse(numbers);
    for (int i = 0; i < x.count; i++) {
        double slot = x.pairs[2 * i];
        if (!(slot >= 0.0 && slot < r->slots && slot == floor(slot)) || !(fabs(row_value(x, i)) <= FEATURE_MAX))
            return false;
    }
    return true;
}

/* Bits beyond the last arm must be 0. */
static bool masks_sane(const reservoir *r, const double *play) {
    size_t last = (size_t)r->arms % ARMS_TO_A_MASK;
    return last == 0 || mask_at(r, play, masks_of(r) - 1) >> last == 0;
}

/* ------------------------------------------------ the whole ---------------------------------------------------- */

reservoir reservoir_for(const posse_belief *b, int candidates) {
    const posse_space *space = b->space;
    bool one_vector = b->shape.one_hot || space->features == space->shared_features;
    reservoir r = {.shared = one_vector,
                   .disjoint = b->model.disjoint,
                   .one_hot = b->shape.one_hot,
                   .model = b->model,
                   .rows = space_is_sparse(space) && !b->shape.one_hot,
                   .slots = space->slots,
                   .nonzeros = space->nonzeros,
                   .weights = b->model.disjoint ? (size_t)space->arms : 1,
                   .width = b->shape.one_hot ? 1 : space_row_numbers(space),
                   .arms = one_vector ? space->arms : candidates};
    size_t width = (size_t)r.width, arms = (size_t)r.arms;
    r.block = r.shared ? KERNEL_LANES * (width + 1) + (arms + ARMS_TO_A_WORD - 1) / ARMS_TO_A_WORD
                       : KERNEL_LANES * arms * (width + r.disjoint);
    if (r.rows) r.block = KERNEL_LANES * play_numbers(&r);
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

static void reservoir_put_rows(const reservoir *r, double *play, const posse_round *round, const kept_arms *kept) {
    if (r->shared) put_shared_row(r, play, round, kept->played);
    for (int k = 0; k < r->arms && !r->shared; k++) {
        int place = reservoir_place_of(kept, k);
        put_row(r, play + (size_t)k * (size_t)r->width, round_features(round, place));
        *number_of_arm(r, play, (size_t)k) = round->arms[place];
    }
}

void reservoir_put(const reservoir *r, double *blocks, size_t slot, const posse_round *round, const kept_arms *kept) {
    if (r->rows) {
        reservoir_put_rows(r, play_at(r, blocks, slot), round, kept);
        return;
    }
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
    if (r->rows) {
        value_rows(r, blocks, first * KERNEL_LANES, count * KERNEL_LANES, world, best, played);
        return;
    }
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

static bool rows_sane(const reservoir *r, const double *play, int arms) {
    if (r->shared) return reservoir_row_sane(r, play) && arm_sane(play[r->width], arms) && masks_sane(r, play);
    bool sane = true;
    for (size_t k = 0; k < (size_t)r->arms && sane; k++)
        sane = reservoir_row_sane(r, play + k * (size_t)r->width) && arm_sane(*number_of_arm(r, play, k), arms);
    return sane;
}

bool reservoir_sane(const reservoir *r, const double *blocks, size_t slot, int arms) {
    if (r->rows) return rows_sane(r, play_at(r, blocks, slot), arms);
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

static void grow_rows(const reservoir *r, double *play, const reservoir *former, const double *from) {
    size_t width = (size_t)r->width;
    if (r->shared) memcpy(play, from, play_numbers(former) * sizeof *play);
    for (size_t k = 0; k < (size_t)r->arms && !r->shared; k++) {
        size_t old = k < (size_t)former->arms ? k : 0;
        memcpy(play + k * width, from + old * width, width * sizeof *play);
        *number_of_arm(r, play, k) = *number_of_arm(former, from, old);
    }
}

void reservoir_grow(const reservoir *r, double *blocks, const reservoir *former, const double *former_blocks,
                    size_t count) {
    for (size_t i = 0; r->rows && i < count * KERNEL_LANES; i++)
        grow_rows(r, play_at(r, blocks, i), former, play_at(former, former_blocks, i));
    if (r->rows) return;
    for (size_t b = 0; b < count; b++) {
        double *to = blocks + b * r->block;
        const double *from = former_blocks + b * former->block;
        if (r->shared)
            memcpy(to, from, former->block * sizeof *to);
        else
            grow_own(r, to, former, from);
    }
}
