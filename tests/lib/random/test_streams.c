/* SPDX-License-Identifier: MIT */
/*
 * Tests of streams: Philox is the published one, a draw depends on its position alone, and streams whose keys differ in
 * one bit are uncorrelated.
 */
#include "menagerie.h"

#include "numeric/elementary.h"
#include "numeric/kernels.h"
#include "random/philox.h"

#include <Random123/philox.h>
#include <math.h>
#include <string.h>

/* Runs a test with every set of kernels that this processor can run. */
static void for_every_set(void (*law)(void)) {
    const kernels *before = kernels_active();
    for (const char *const *name = kernels_names(); *name; name++) {
        if (kernels_use(*name)) law();
    }
    assert_true(kernels_use(before->name));
}

/* ------------------------------------------------- philox ------------------------------------------------------ */

/* The vectors for philox4x32 with 10 rounds in kat_vectors of Random123. */
LAW(philox_gives_the_known_answers) {
    static const struct {
        uint32_t counter[4];
        uint64_t key;
        uint32_t answer[4];
    } known[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         0xffffffffffffffff,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        philox(known[i].key, known[i].counter, out);
        assert_memory_equal(out, known[i].answer, sizeof out);
    }
}

LAW(philox_is_that_of_random123) {
    uint64_t source = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t key = random_next(&source);
        uint64_t halves[2] = {random_next(&source), random_next(&source)};
        philox4x32_ctr_t counter;
        memcpy(counter.v, halves, sizeof halves);
        philox4x32_ctr_t expected =
            philox4x32_R(10, counter, (philox4x32_key_t){{(uint32_t)key, (uint32_t)(key >> 32)}});
        uint32_t out[4];
        philox(key, counter.v, out);
        assert_memory_equal(out, expected.v, sizeof out);
    }
}

/* ------------------------------------------------- streams ----------------------------------------------------- */

/* Draw n, from the definition in random/stream.h and nothing else. */
static uint64_t word_by_definition(uint64_t seed, uint32_t run, uint64_t stream, uint64_t n) {
    uint64_t block = n / 2;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32) | (uint32_t)(stream >> 32) << 16, (uint32_t)stream,
                           run};
    uint32_t out[4];
    philox(seed, counter, out);
    return n % 2 == 0 ? out[0] | (uint64_t)out[1] << 32 : out[2] | (uint64_t)out[3] << 32;
}

static void words_kernel_matches(void) {
    uint64_t source = 2;
    static uint64_t words[2 * 101];
    for (size_t blocks = 0; blocks <= 100; blocks++) {
        uint64_t seed = random_next(&source), stream = random_next(&source) >> 16;
        uint32_t run = (uint32_t)random_next(&source);
        uint64_t start = blocks % 3 == 0 ? 0xffffffff - blocks / 2 : random_next(&source) >> 18;
        kernels_active()->words(seed, run, stream, start, words, blocks);
        for (size_t i = 0; i < 2 * blocks; i++) {
            assert_true(words[i] == word_by_definition(seed, run, stream, 2 * start + i));
        }
    }
}

LAW(words_are_those_of_the_definition) {
    for_every_set(words_kernel_matches);
}

#define PURE_DRAWS 6000
#define PURE_BULK 700

static const uint64_t pure_seed = 0x0123456789abcdef, pure_stream = 0xfedcba987654;
static const uint32_t pure_run = 0x89abcdef;
static double pure_uniforms[PURE_DRAWS + PURE_BULK], pure_normals[PURE_DRAWS + PURE_BULK];

static uint16_t pure_slots;

static void open_pure(posse_draw *draw, uint64_t position) {
    draw->slots = pure_slots;
    draw_start(draw, pure_seed, pure_run, pure_stream, position);
}

static void one_by_one(void) {
    posse_draw draw;
    open_pure(&draw, 0);
    for (size_t n = 0; n < PURE_DRAWS; n++) assert_true(posse_draw_uniform(&draw) == pure_uniforms[n]);
    open_pure(&draw, 0);
    for (size_t n = 0; n < PURE_DRAWS; n++) assert_true(posse_draw_normal(&draw) == pure_normals[n]);
}

static void opened_anywhere(void) {
    posse_draw draw;
    for (size_t n = 0; n < 500; n++) {
        open_pure(&draw, n);
        assert_true(posse_draw_normal(&draw) == pure_normals[n]);
        assert_true(posse_draw_uniform(&draw) == pure_uniforms[n + 1]);
        open_pure(&draw, n);
        assert_true(posse_draw_uniform(&draw) == pure_uniforms[n]);
        assert_true(posse_draw_normal(&draw) == pure_normals[n + 1]);
    }
}

static void in_bulk(void) {
    static double out[PURE_BULK + 1];
    for (size_t count = 0; count <= PURE_BULK; count++) {
        posse_draw draw;
        open_pure(&draw, count % 131);
        out[count] = -77.0;
        posse_draw_normals(&draw, out, count);
        assert_memory_equal(out, pure_normals + count % 131, count * sizeof *out);
        assert_true(out[count] == -77.0);
        assert_true(draw.position == count % 131 + count);
        assert_true(posse_draw_uniform(&draw) == pure_uniforms[count % 131 + count]);
    }
}

static void mixed(void) {
    static double out[PURE_BULK];
    uint64_t source = 3;
    for (int repeat = 0; repeat < 200; repeat++) {
        posse_draw draw;
        uint64_t n = random_next(&source) % 100;
        open_pure(&draw, n);
        while (n < PURE_DRAWS) {
            uint64_t what = random_next(&source);
            size_t count = what >> 8 & 1 ? (what >> 16) % PURE_BULK : (what >> 16) % 9;
            switch (what % 4) {
            case 0:
                assert_true(posse_draw_uniform(&draw) == pure_uniforms[n++]);
                break;
            case 1:
                assert_true(posse_draw_normal(&draw) == pure_normals[n++]);
                break;
            case 2:
                if (count > 0)
                    assert_memory_equal(draw_normals(&draw, out, count), pure_normals + n, count * sizeof *out);
                n += count;
                break;
            default:
                posse_draw_normals(&draw, out, count);
                if (count > 0) assert_memory_equal(out, pure_normals + n, count * sizeof *out);
                n += count;
            }
        }
    }
}

/* Draws do not depend on the size of blocks: the fewest slots, those of an object's streams, and those of a
 * simulation. */
static void pure_on_this_set(void) {
    static const uint16_t slots[] = {4, 8, 16, 64, 128, STREAM_SLOTS};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        pure_slots = slots[i];
        one_by_one();
        opened_anywhere();
        in_bulk();
        mixed();
    }
}

LAW(normals_and_uniforms_are_pure) {
    for (uint64_t n = 0; n < PURE_DRAWS + PURE_BULK; n++) {
        pure_uniforms[n] = word_uniform(word_by_definition(pure_seed, pure_run, pure_stream, n));
        pure_normals[n] = inverse_normal(pure_uniforms[n]);
    }
    for_every_set(pure_on_this_set);
}

/* A stream that is enlarged continues where it was, and one that is hardly used stays small. */
LAW(enlarged_streams_continue) {
    purse mine = {0};
    posse_allocator allocator = purse_host(&mine).allocator;
    for (int kind = 0; kind < 3; kind++) {
        arena memory = {.allocator = allocator};
        posse_draw *draw = draw_make(&memory, 8), same;
        draw_start(draw, 5, 6, 7, 3);
        draw_open(&same, 5, 6, 7, 3);
        for (int n = 0; n < 3000; n++) {
            bool normal = kind == 0 || (kind == 2 && n % 3 == 0);
            if (normal)
                assert_true(posse_draw_normal(draw) == posse_draw_normal(&same));
            else
                assert_true(posse_draw_uniform(draw) == posse_draw_uniform(&same));
            if (n % 100 == 0) draw = draw_fit(draw, &allocator);
            if (n % 100 == 7 && n > 1000) assert_true(draw->slots >= 50 && draw->slots <= STREAM_SLOTS);
        }
        draw_release(draw, &allocator);
        arena_release(&memory);
    }
    assert_int_equal(mine.bytes, 0);
    arena memory = {.allocator = allocator};
    posse_draw *idle = draw_make(&memory, 8);
    draw_start(idle, 1, 2, 3, 0);
    for (int n = 0; n < 1000; n++) {
        if (n % 10 == 0) posse_draw_uniform(idle);
        assert_ptr_equal(idle, draw_fit(idle, &allocator));
    }
    arena_release(&memory);
}

/* Without memory a stream stays as it is. */
LAW(a_stream_without_memory_stays_small) {
    purse mine = {0};
    posse_allocator allocator = purse_host(&mine).allocator;
    arena memory = {.allocator = allocator};
    posse_draw *draw = draw_make(&memory, 8);
    draw_start(draw, 1, 2, 3, 0);
    mine.fail_at = mine.calls + 1;
    assert_ptr_equal(draw_enlarge(draw, 64, &allocator), draw);
    for (uint64_t n = 0; n < 50; n++) assert_true(draw_word(draw) == word_by_definition(1, 2, 3, n));
    mine.fail_at = 0;
    arena_release(&memory);
}

LAW(far_positions_are_reached) {
    static const uint64_t positions[] = {0x1fffffffd, 0x1ffffffff, 0x200000000, 0x1fffffffffff0, 0x1234567890123};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        posse_draw draw;
        draw_open(&draw, 1, 2, 3, positions[i]);
        for (uint64_t n = 0; n < 5; n++) assert_true(draw_word(&draw) == word_by_definition(1, 2, 3, positions[i] + n));
    }
}

LAW(streams_have_names) {
    static const char *const names[] = {"ucb", "ucb-2", "thompson", "", "a", "b", "ab", "ba", "bold", "bolder"};
    enum { NAMES = sizeof names / sizeof *names };
    uint64_t streams[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        streams[i] = stream_named(STREAM_LEARNER, names[i]);
        assert_true(streams[i] >> 40 == STREAM_LEARNER);
        assert_true(streams[i] == stream_named(STREAM_LEARNER, names[i]));
        for (size_t j = 0; j < i; j++) assert_true(streams[i] != streams[j]);
    }
    assert_true(stream_named(STREAM_NOISE, NULL) == (uint64_t)STREAM_NOISE << 40);
    assert_true(stream_named(STREAM_SELECTOR, "ucb") != streams[0]);
}

/* ----------------------------------------------- independence -------------------------------------------------- */

#define PAIR_DRAWS 100000

static void fill_uniforms(double *out, uint64_t seed, uint32_t run, uint64_t stream) {
    posse_draw draw;
    draw_open(&draw, seed, run, stream, 0);
    for (int i = 0; i < PAIR_DRAWS; i++) out[i] = posse_draw_uniform(&draw) - 0.5;
}

/* Flips one bit of the seed (0..63), the run (64..95) or the stream (96..143). */
static void fill_flipped(double *out, int bit) {
    uint64_t seed = 42, stream = stream_named(STREAM_LEARNER, "ucb");
    uint32_t run = 3;
    if (bit < 0) {
    } else if (bit < 64) {
        seed ^= (uint64_t)1 << bit;
    } else if (bit < 96) {
        run ^= (uint32_t)1 << (bit - 64);
    } else {
        stream ^= (uint64_t)1 << (bit - 96);
    }
    fill_uniforms(out, seed, run, stream);
}

/* The correlation in standard deviations: products of independent centred uniforms have variance 1 / 144. */
static double correlation_z(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < PAIR_DRAWS; i++) sum += a[i] * b[i];
    return sum * 12.0 / sqrt(PAIR_DRAWS);
}

LAW(distinct_streams_are_uncorrelated) {
    static double base[PAIR_DRAWS], flipped[2][PAIR_DRAWS];
    enum { BITS = 144, PAIRS = 2 * BITS - 1 };
    double squares = 0.0;
    fill_flipped(base, -1);
    for (int bit = 0; bit < BITS; bit++) {
        fill_flipped(flipped[bit % 2], bit);
        double z = correlation_z(base, flipped[bit % 2]);
        assert_that(fabs(z) < SIGMAS, "bit %d: correlation %.1f sigmas", bit, z);
        squares += z * z;
        if (bit == 0) continue;
        z = correlation_z(flipped[0], flipped[1]); /* with the neighbour, which differs in two bits */
        assert_that(fabs(z) < SIGMAS, "bits %d and %d: correlation %.1f sigmas", bit - 1, bit, z);
        squares += z * z;
    }
    double z = chi_square_z(squares, PAIRS);
    assert_that(fabs(z) < SIGMAS, "%d pairs: %.1f sigmas", PAIRS, z);
}

/* The two halves of a block, and neighbouring blocks, are as uncorrelated as distinct streams. */
LAW(draws_of_a_stream_are_uncorrelated) {
    static double base[PAIR_DRAWS];
    fill_flipped(base, -1);
    for (int lag = 1; lag <= 200; lag++) {
        double sum = 0.0;
        for (int i = lag; i < PAIR_DRAWS; i++) sum += base[i] * base[i - lag];
        double z = sum * 12.0 / sqrt(PAIR_DRAWS - lag);
        assert_that(fabs(z) < SIGMAS, "lag %d: correlation %.1f sigmas", lag, z);
    }
}
