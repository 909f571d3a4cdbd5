/* SPDX-License-Identifier: MIT */
/*
 * The kernel of sketches (numeric/sketch.h): of the arms of a chunk, those that may be the best.
 */
#ifndef POSSE_KERNEL_SKETCHES_H
#define POSSE_KERNEL_SKETCHES_H

#include <string.h>

#include "numeric/kernels.h"
#include "numeric/wide.h"

#define PAIRS_FEW 8 /* pairs of a world that stay in registers */

/* Repeats the last entry of a list until its length is a multiple of SKETCH_LOOKS. Returns the length. */
WIDE size_t looks_of(uint32_t *list, size_t count) {
    for (size_t i = 0; i < SKETCH_LOOKS - 1; i++) list[count + i] = list[count - 1];
    return (count + SKETCH_LOOKS - 1) / SKETCH_LOOKS * SKETCH_LOOKS;
}

#if LANES == 1

/* ---------------------------------------------- one arm at a time ---------------------------------------------- */

/*
 * The sums of all arms would fill the caches of a GPU, which has thousands of threads. So only the largest sum of each
 * group of arms is kept, and the sums of the few groups that have an arm near the top are computed again.
 */
#define GROUP 16
#define GROUPS (SKETCH_CHUNK / GROUP) /* a bit for each fits a word */

/* Without it a compiler for GPUs keeps sums in memory. */
#if defined(__NVPTX__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED
#endif

/* The two bytes of a world as numbers of 16 bits, the first one in the lower half. */
WIDE int widened(int16_t pair) {
    int8_t bytes[2];
    memcpy(bytes, &pair, sizeof bytes);
    return (int)((uint32_t)(uint16_t)bytes[0] | (uint32_t)(uint16_t)bytes[1] << 16);
}

/* Adds the products of one pair to the sums of a group. row: the bytes of its arms. */
WIDE void add_products(const uint8_t *row, int pair, int shift, int *sum) {
#if defined(__NVPTX__)
    uint32_t words[GROUP / 2]; /* each has the bytes of two arms; LLVM would load them one by one */
    UNROLLED for (int i = 0; i < GROUP / 2; i += 4) __asm__("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(words[i]),
                                                            "=r"(words[i + 1]), "=r"(words[i + 2]),
                                                            "=r"(words[i + 3]) : "l"(row + 4 * i));
    UNROLLED for (int i = 0; i < GROUP / 2; i++) {
        int first = shift == 0 ? sum[2 * i] : 0, second = shift == 0 ? sum[2 * i + 1] : 0;
        __asm__("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(first) : "r"(pair), "r"(words[i]), "r"(first));
        __asm__("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(second) : "r"(pair), "r"(words[i]), "r"(second));
        sum[2 * i] = shift == 0 ? first : sum[2 * i] + (first >> shift);
        sum[2 * i + 1] = shift == 0 ? second : sum[2 * i + 1] + (second >> shift);
    }
#else
    for (size_t i = 0; i < GROUP; i++) sum[i] += (row[2 * i] * (int16_t)pair + row[2 * i + 1] * (pair >> 16)) >> shift;
#endif
}

/* A world's pairs, widened; those beyond the first few are widened when they are needed. */
typedef struct wide_world {
    const kernel_world *of;
    int few[PAIRS_FEW];
} wide_world;

/* The sums of the group that begins with this arm. Where pairs and shift are constants, the loop over pairs is
 * unrolled. */
WIDE void sum_group(const uint8_t *sketch, size_t arm, const wide_world *w, size_t pairs, int shift, int *sum) {
    const uint8_t *row = sketch + (arm / SKETCH_LANES * pairs * SKETCH_LANES + arm % SKETCH_LANES) * 2;
    UNROLLED for (size_t i = 0; i < GROUP; i++) sum[i] = w->of->start;
    if (pairs <= PAIRS_FEW) {
        UNROLLED for (size_t p = 0; p < PAIRS_FEW; p++) if (p < pairs)
            add_products(row + p * 2 * SKETCH_LANES, w->few[p], shift, sum);
        return;
    }
    for (size_t p = 0; p < pairs; p++) add_products(row + p * 2 * SKETCH_LANES, widened(w->of->pairs[p]), shift, sum);
}

WIDE int largest_of(const int *sum) {
    int most = sum[0];
    UNROLLED for (size_t i = 1; i < GROUP; i++) most = sum[i] > most ? sum[i] : most;
    return most;
}

/* A bit for each group that has a sum above the bound. */
WIDE uint64_t groups_above(const int16_t *largest, size_t groups, int bound) {
    uint64_t above = 0;
    for (size_t g = 0; g < groups; g++) above |= (uint64_t)(largest[g] > bound) << g;
    return above;
}

/* sketch_left for a number of pairs and a shift that may be constants. */
WIDE size_t left_of(const uint8_t *sketch, size_t arms, const kernel_world *world, size_t pairs, int shift, int *top,
                    uint32_t *places) {
    int16_t largest[GROUPS];
    int sum[GROUP], most = *top;
    wide_world w = {.of = world};
    UNROLLED for (size_t p = 0; p < PAIRS_FEW; p++) w.few[p] = p < pairs ? widened(world->pairs[p]) : 0;
    for (size_t a = 0; a < arms; a += GROUP) {
        sum_group(sketch, a, &w, pairs, shift, sum);
        int of_group = largest_of(sum);
        largest[a / GROUP] = (int16_t)of_group;
        most = of_group > most ? of_group : most;
    }
    *top = most;
    int bound = most - world->margin - 1;
    size_t found = 0;
    for (uint64_t above = groups_above(largest, (arms + GROUP - 1) / GROUP, bound); above != 0; above &= above - 1) {
        size_t first = (size_t)__builtin_ctzll(above) * GROUP;
        sum_group(sketch, first, &w, pairs, shift, sum);
        UNROLLED for (size_t k = 0; k < GROUP; k++) {
            if (sum[k] <= bound || first + k >= arms) continue;
            if (found == SKETCH_LEFT) return SKETCH_LEFT + 1;
            places[found++] = (uint32_t)(first + k);
        }
    }
    return found > 0 ? looks_of(places, found) : 0;
}

static size_t sketch_left(const uint8_t *sketch, size_t arms, const kernel_world *world, int *top, uint32_t *places) {
    switch (world->shift == 0 ? world->count : 0) {
    case 2:
        return left_of(sketch, arms, world, 2, 0, top, places);
    case 3:
        return left_of(sketch, arms, world, 3, 0, top, places);
    case 4:
        return left_of(sketch, arms, world, 4, 0, top, places);
    case 5:
        return left_of(sketch, arms, world, 5, 0, top, places);
    case 6:
        return left_of(sketch, arms, world, 6, 0, top, places);
    case 7:
        return left_of(sketch, arms, world, 7, 0, top, places);
    case 8:
        return left_of(sketch, arms, world, 8, 0, top, places);
    default:
        return left_of(sketch, arms, world, world->count, world->shift, top, places);
    }
}

#else

/* ---------------------------------------------- many arms at a time -------------------------------------------- */

#define SHORT_PARTS (SKETCH_LANES / SHORT_LANES) /* wide shorts to a row of a block */

/* Writes the sums of a chunk to out and returns the largest. Where pairs and shift are constants, the loop over pairs
 * is unrolled. */
WIDE int sum_pairs(const uint8_t *sketch, size_t arms, const kernel_world *world, size_t pairs, int shift,
                   int16_t *out) {
    wide_short few[PAIRS_FEW], most[SHORT_PARTS], start = wide_short_all(world->start);
    for (size_t p = 0; p < pairs && p < PAIRS_FEW; p++) few[p] = wide_short_all(world->pairs[p]);
    for (size_t part = 0; part < SHORT_PARTS; part++) most[part] = wide_short_all(INT16_MIN);
    for (size_t a = 0; a < arms; a += SKETCH_LANES) {
        wide_short sum[SHORT_PARTS];
        for (size_t part = 0; part < SHORT_PARTS; part++) sum[part] = start;
        for (size_t p = 0; p < pairs; p++, sketch += 2 * SKETCH_LANES) {
            wide_short w = p < PAIRS_FEW ? few[p] : wide_short_all(world->pairs[p]);
            for (size_t part = 0; part < SHORT_PARTS; part++) {
                wide_short product = wide_short_pairs(wide_short_load(sketch + part * 2 * SHORT_LANES), w);
                sum[part] = wide_short_add(sum[part], (wide_short)(product >> shift));
            }
        }
        for (size_t part = 0; part < SHORT_PARTS; part++) {
            most[part] = wide_short_largest(most[part], sum[part]);
            memcpy(out + a + part * SHORT_LANES, &sum[part], sizeof sum[part]);
        }
    }
    for (size_t part = 1; part < SHORT_PARTS; part++) most[0] = wide_short_largest(most[0], most[part]);
    return wide_short_most(most[0]);
}

static int sum_sketch(const uint8_t *sketch, size_t arms, const kernel_world *world, int16_t *out) {
    switch (world->shift == 0 ? world->count : 0) {
    case 2:
        return sum_pairs(sketch, arms, world, 2, 0, out);
    case 3:
        return sum_pairs(sketch, arms, world, 3, 0, out);
    case 4:
        return sum_pairs(sketch, arms, world, 4, 0, out);
    case 5:
        return sum_pairs(sketch, arms, world, 5, 0, out);
    case 6:
        return sum_pairs(sketch, arms, world, 6, 0, out);
    case 7:
        return sum_pairs(sketch, arms, world, 7, 0, out);
    case 8:
        return sum_pairs(sketch, arms, world, 8, 0, out);
    default:
        return world->shift == 0 ? sum_pairs(sketch, arms, world, world->count, 0, out)
                                 : sum_pairs(sketch, arms, world, world->count, world->shift, out);
    }
}

/*
 * The blocks that have a sum above the bound. There is no branch, which would be mispredicted: a block without such a
 * sum is overwritten by the next.
 */
static size_t blocks_above(const int16_t *sums, size_t count, int bound, uint32_t *out) {
    size_t found = 0;
    for (size_t a = 0; a < count; a += SKETCH_LANES) {
        wide_short most = wide_short_load(sums + a);
        for (size_t part = 1; part < SHORT_PARTS; part++)
            most = wide_short_largest(most, wide_short_load(sums + a + part * SHORT_LANES));
        out[found] = (uint32_t)a;
        found += wide_short_above_bits(most, wide_short_all(bound)) != 0;
    }
    return found;
}

/* A bit for each sum of a block that is above the bound, SHORT_BITS apart. */
WIDE uint64_t lanes_above(const int16_t *sums, wide_short bound) {
    uint64_t above = 0;
    for (size_t part = 0; part < SHORT_PARTS; part++)
        above |= (uint64_t)wide_short_above_bits(wide_short_load(sums + part * SHORT_LANES), bound)
                 << part * SHORT_LANES * SHORT_BITS;
    return above;
}

static size_t sketch_left(const uint8_t *sketch, size_t arms, const kernel_world *world, int *top, uint32_t *places) {
    _Alignas(64) int16_t sums[SKETCH_CHUNK];
    uint32_t blocks[SKETCH_CHUNK / SKETCH_LANES + SKETCH_LOOKS];
    int largest = sum_sketch(sketch, arms, world, sums);
    *top = largest > *top ? largest : *top;
    int bound = *top - world->margin - 1 > INT16_MIN ? *top - world->margin - 1 : INT16_MIN;
    size_t found = 0, count = blocks_above(sums, arms, bound, blocks);
    if (count == 0) return 0;
    count = looks_of(blocks, count);
    for (size_t i = 0; i < count; i++)
        for (uint64_t above = lanes_above(sums + blocks[i], wide_short_all(bound)); above != 0; above &= above - 1) {
            size_t place = blocks[i] + (size_t)__builtin_ctzll(above) / SHORT_BITS;
            if (place >= arms) break;
            if (found == SKETCH_LEFT) return SKETCH_LEFT + 1;
            places[found++] = (uint32_t)place;
        }
    return looks_of(places, found);
}

#endif

#endif
