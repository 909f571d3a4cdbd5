/* SPDX-License-Identifier: MIT */
/*
 * Laws of randomness: Philox is the published one; a draw depends on its place alone; samplers have the densities they
 * claim; streams that differ in one bit have nothing to do with each other.
 *
 * All seeds are fixed, so a law that holds once holds always. Statistics are held to 5 standard deviations: a right
 * sampler with a fresh seed would fail one in a million, and at these numbers of draws a wrong one fails by far more.
 */
#include "law.h"

#include "numeric/elementary.h"
#include "numeric/kernels.h"
#include "random/philox.h"
#include "random/stream.h"

#include <Random123/philox.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGMAS 5.0
#define MANY 10000000
#define FEWER 1000000

/* A generator of the tests' own. G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom numbers (2014). */
static uint64_t random_word(uint64_t *source) {
    uint64_t z = *source += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Runs a law with every set of kernels that this processor has. */
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
        uint64_t key = random_word(&source);
        uint64_t halves[2] = {random_word(&source), random_word(&source)};
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
        uint64_t seed = random_word(&source), stream = random_word(&source) >> 16;
        uint32_t run = (uint32_t)random_word(&source);
        uint64_t start = blocks % 3 == 0 ? 0xffffffff - blocks / 2 : random_word(&source) >> 18;
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
        uint64_t n = random_word(&source) % 100;
        open_pure(&draw, n);
        while (n < PURE_DRAWS) {
            uint64_t what = random_word(&source);
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

/* Whatever the size of blocks: the fewest slots, those of an object's streams, and those of a simulation's. */
static void pure_on_this_set(void) {
    static const uint16_t slots[] = {4, 16, 64, 96, STREAM_SLOTS};
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

/* ------------------------------------------- distribution functions -------------------------------------------- */

/* P(X <= x) in long double, from textbook series and continued fractions that share nothing with the library. */
typedef long double distribution(double x, double a, double b);

static long double uniform_below(double x, double a, double b) {
    (void)a, (void)b;
    return x;
}

static long double normal_below(double x, double a, double b) {
    (void)a, (void)b;
    return erfcl(-(long double)x / sqrtl(2.0L)) / 2.0L;
}

/* b0 + a1 / (b1 + a2 / (b2 + …)) by Lentz's method. */
typedef struct fraction {
    long double value, c, d;
} fraction;

static fraction fraction_begin(long double b0) {
    return (fraction){b0, b0, 0.0L};
}

static bool fraction_add(fraction *f, long double a, long double b) {
    f->d = 1.0L / (b + a * f->d);
    f->c = b + a / f->c;
    f->value *= f->c * f->d;
    return fabsl(f->c * f->d - 1.0L) > 1e-18L;
}

/* NIST Digital Library of Mathematical Functions, 8.7.1 and 8.9.2. */
static long double gamma_below(double x, double a, double b) {
    (void)b;
    if (x <= 0.0) return 0.0L;
    long double scale = expl(a * logl(x) - x - lgammal(a));
    if (x < a + 1.0) {
        long double term = 1.0L / a, sum = term;
        for (int k = 1; term > sum * 1e-20L; k++) sum += term *= x / ((long double)a + k);
        return scale * sum;
    }
    fraction f = fraction_begin(x + 1.0L - a);
    for (int k = 1; fraction_add(&f, k * ((long double)a - k), x + 2.0L * k + 1.0L - a) && k < 10000; k++) {
    }
    return 1.0L - scale / f.value;
}

/* NIST Digital Library of Mathematical Functions, 8.17.22; good for x below the mean. */
static long double beta_fraction(long double x, long double y, long double a, long double b) {
    fraction f = fraction_begin(1.0L);
    bool on = true;
    for (int k = 1; on && k < 10000; k++) {
        long double m = k / 2;
        long double d = k % 2 ? -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
                              : m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m));
        on = fraction_add(&f, d * x, 1.0L);
    }
    return expl(a * logl(x) + b * logl(y) - logl(a) + lgammal(a + b) - lgammal(a) - lgammal(b)) / f.value;
}

static long double beta_below(double x, double a, double b) {
    if (x <= 0.0) return 0.0L;
    if (x >= 1.0) return 1.0L;
    long double y = 1.0L - x;
    return x < (a + 1.0) / (a + b + 2.0) ? beta_fraction(x, y, a, b) : 1.0L - beta_fraction(y, x, b, a);
}

/* ------------------------------------------------- samplers ---------------------------------------------------- */

typedef struct sampler {
    const char *name;
    double (*draw)(posse_draw *draw, double a, double b);
    distribution *below;
    double (*moment)(int k, double a, double b); /* E[X^k] */
    double low, high;                            /* bins have their edges in here */
} sampler;

static double draw_a_uniform(posse_draw *draw, double a, double b) {
    (void)a, (void)b;
    return posse_draw_uniform(draw);
}

static double draw_a_normal(posse_draw *draw, double a, double b) {
    (void)a, (void)b;
    return posse_draw_normal(draw);
}

static double draw_a_gamma(posse_draw *draw, double a, double b) {
    (void)b;
    return posse_draw_gamma(draw, a);
}

static double uniform_moment(int k, double a, double b) {
    (void)a, (void)b;
    return 1.0 / (k + 1);
}

static double normal_moment(int k, double a, double b) {
    (void)a, (void)b;
    return k % 2 ? 0.0 : k == 2 ? 1.0 : 3.0;
}

static double gamma_moment(int k, double a, double b) {
    (void)b;
    return k == 0 ? 1.0 : (a + k - 1) * gamma_moment(k - 1, a, b);
}

static double beta_moment(int k, double a, double b) {
    return k == 0 ? 1.0 : (a + k - 1) / (a + b + k - 1) * beta_moment(k - 1, a, b);
}

static const sampler uniform_sampler = {"uniform", draw_a_uniform, uniform_below, uniform_moment, 0.0, 1.0};
static const sampler normal_sampler = {"normal", draw_a_normal, normal_below, normal_moment, -9.0, 9.0};
static const sampler gamma_sampler = {"gamma", draw_a_gamma, gamma_below, gamma_moment, 0.0, 1e6};
/* No edges next to 1, where doubles are too coarse for the bins of small b. */
static const sampler beta_sampler = {"beta", posse_draw_beta, beta_below, beta_moment, 0.0, 1.0 - 1e-6};

static void check_bins(const char *what, const uint64_t *counts, const double *probability, size_t bins, double draws) {
    double chi_square = 0.0, total = 0.0, freedom = -1.0;
    for (size_t i = 0; i < bins; i++) {
        total += probability[i];
        if (probability[i] == 0.0) {
            assert_that(counts[i] == 0, "%s: bin %zu is impossible", what, i);
            continue;
        }
        double expected = probability[i] * draws, off = (double)counts[i] - expected;
        assert_that(expected >= 5.0, "%s: bin %zu is too small", what, i);
        chi_square += off * off / expected;
        freedom += 1.0;
    }
    assert_close(total, 1.0, 1e-12);
    double z = law_chi_square_z(chi_square, freedom);
    assert_that(fabs(z) < SIGMAS, "%s: chi-square %.1f of %.0f, %.1f sigmas", what, chi_square, freedom, z);
}

/* Doubles in order as integers in order, and back. */
static int64_t to_rank(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double from_rank(int64_t rank) {
    int64_t bits = rank < 0 ? INT64_MIN - rank : rank;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double quantile(const sampler *s, double a, double b, long double p) {
    int64_t low = to_rank(s->low), high = to_rank(s->high);
    while (low < high) {
        int64_t middle = (low & high) + ((low ^ high) >> 1);
        if (s->below(from_rank(middle), a, b) < p) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return from_rank(low);
}

#define BINS 100
#define TAILS 10

typedef struct bins {
    double edge[BINS + TAILS]; /* bin i is edge[i-1] < x <= edge[i] */
    size_t edges;
} bins;

static void add_edge(bins *bin, double edge) {
    size_t i = bin->edges;
    for (; i > 0 && bin->edge[i - 1] > edge; i--) bin->edge[i] = bin->edge[i - 1];
    bin->edge[i] = edge;
    bin->edges++;
}

/* Bins of equal probability, as far as edges between low and high can make them. */
static void make_bins(bins *bin, const sampler *s, double a, double b) {
    bin->edges = 0;
    for (int i = 1; i < BINS; i++) {
        double edge = quantile(s, a, b, (long double)i / BINS);
        if (edge > s->low && edge < s->high) add_edge(bin, edge);
    }
}

static size_t bin_of(const bins *bin, double x) {
    size_t low = 0, high = bin->edges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bin->edge[middle] < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void check_moment(const char *what, double mean, double expected, double square, double draws) {
    double sigma = sqrt((square - expected * expected) / draws);
    assert_that(fabs(mean - expected) < SIGMAS * sigma, "%s: %.9g, not %.9g, is %.1f sigmas off", what, mean, expected,
                (mean - expected) / sigma);
}

/* Bins and the first two moments, with the bins given. */
static void check_in_bins(const sampler *s, double a, double b, int draws, const bins *bin) {
    static posse_draw draw;
    draw_open(&draw, 20240229, 7, stream_named(STREAM_NOISE, s->name), 0);
    uint64_t counts[BINS + TAILS] = {0};
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < draws; i++) {
        double x = s->draw(&draw, a, b);
        counts[bin_of(bin, x)]++;
        sum += x;
        squares += x * x;
    }
    double probability[BINS + TAILS];
    long double before = 0.0L;
    for (size_t i = 0; i <= bin->edges; i++) {
        long double below = i < bin->edges ? s->below(bin->edge[i], a, b) : 1.0L;
        probability[i] = (double)(below - before);
        before = below;
    }
    char what[64];
    snprintf(what, sizeof what, "%s(%g, %g)", s->name, a, b);
    check_bins(what, counts, probability, bin->edges + 1, draws);
    check_moment(what, sum / draws, s->moment(1, a, b), s->moment(2, a, b), draws);
    check_moment(what, squares / draws, s->moment(2, a, b), s->moment(4, a, b), draws);
}

static void check_sampler(const sampler *s, double a, double b, int draws) {
    bins bin;
    make_bins(&bin, s, a, b);
    assert_true(bin.edges > 10);
    check_in_bins(s, a, b, draws, &bin);
}

static void uniforms_match(void) {
    check_sampler(&uniform_sampler, 0.0, 0.0, MANY);
}

static void normals_match(void) {
    bins bin;
    make_bins(&bin, &normal_sampler, 0.0, 0.0);
    static const double tails[] = {2.7, 3.2, 3.8, 4.3, 4.8};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        add_edge(&bin, tails[i]);
        add_edge(&bin, -tails[i]);
    }
    check_in_bins(&normal_sampler, 0.0, 0.0, MANY, &bin);
}

static void gammas_match(void) {
    check_sampler(&gamma_sampler, 2.5, 0.0, MANY);
    static const double shapes[] = {0.05, 0.5, 0.9, 1.0, 1.1, 100.0, 10000.0};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) check_sampler(&gamma_sampler, shapes[i], 0.0, FEWER);
}

static void betas_match(void) {
    check_sampler(&beta_sampler, 2.0, 5.0, MANY);
    static const double shapes[][2] = {{0.01, 0.02}, {0.02, 0.01}, {0.5, 0.5},    {1.0, 1.0},
                                       {0.3, 4.0},   {7.0, 0.6},   {300.0, 200.0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_sampler(&beta_sampler, shapes[i][0], shapes[i][1], FEWER);
    }
}

/* ------------------------------------------------- choices ----------------------------------------------------- */

static void check_index(uint64_t count, uint64_t classes, int draws) {
    static posse_draw draw;
    draw_open(&draw, 11, 12, count, 0);
    uint64_t *counts = calloc(classes, sizeof *counts);
    double *probability = calloc(classes, sizeof *probability);
    assert_true(counts && probability);
    for (int i = 0; i < draws; i++) {
        uint64_t index = posse_draw_index(&draw, count);
        assert_true(index < count);
        counts[index % classes]++;
    }
    for (uint64_t i = 0; i < classes; i++) probability[i] = 1.0 / (double)classes;
    check_bins("index", counts, probability, classes, draws);
    free(counts);
    free(probability);
}

static void indices_match(void) {
    check_index(10, 10, MANY);
    static const uint64_t counts[] = {2, 3, 7, 64, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_index(counts[i], counts[i], FEWER);
    /* Here the multiplication alone, without rejection, would give every third index twice the chance. */
    check_index((uint64_t)3 << 62, 3, FEWER);
}

LAW(indices_know_their_edges) {
    posse_draw draw;
    draw_open(&draw, 1, 2, 3, 0);
    for (int i = 0; i < 1000; i++) {
        assert_true(posse_draw_index(&draw, 1) == 0);
        assert_true(posse_draw_index(&draw, 0) == 0);
        assert_true(posse_draw_index(&draw, UINT64_MAX) < UINT64_MAX);
    }
}

static void weights_match(void) {
    static const double weights[] = {0.0, 1.0, 2.5, 0.0, 0.001, 4.0, 0.0};
    enum { COUNT = sizeof weights / sizeof *weights };
    static posse_draw draw;
    draw_open(&draw, 13, 14, 15, 0);
    uint64_t counts[COUNT] = {0};
    for (int i = 0; i < MANY; i++) {
        size_t chosen = posse_draw_weighted(&draw, weights, COUNT);
        assert_true(chosen < COUNT);
        counts[chosen]++;
    }
    double probability[COUNT], total = 0.0;
    for (size_t i = 0; i < COUNT; i++) total += weights[i];
    for (size_t i = 0; i < COUNT; i++) probability[i] = weights[i] / total;
    check_bins("weighted", counts, probability, COUNT, MANY);
}

LAW(samplers_match_density) {
    uniforms_match();
    normals_match();
    gammas_match();
    betas_match();
    indices_match();
    weights_match();
}

LAW(zero_weights_are_never_chosen) {
    posse_draw draw;
    draw_open(&draw, 16, 17, 18, 0);
    uint64_t source = 4;
    static const double sizes[] = {DBL_TRUE_MIN, DBL_MIN, 1e-16, 1.0, 1.0 / 3.0, 1e16, DBL_MAX, INFINITY};
    for (int i = 0; i < 200000; i++) {
        double weights[9];
        size_t count = 1 + random_word(&source) % 9;
        bool any = false;
        for (size_t j = 0; j < count; j++) {
            uint64_t word = random_word(&source);
            weights[j] = word % 3 ? 0.0 : sizes[(word >> 8) % 8];
            any = any || weights[j] > 0.0;
        }
        size_t chosen = posse_draw_weighted(&draw, weights, count);
        assert_true(chosen < count);
        assert_true(any ? weights[chosen] > 0.0 : chosen == 0);
    }
    assert_true(posse_draw_weighted(&draw, (double[]){1.0, NAN, 1.0}, 3) == 0);
    assert_true(posse_draw_weighted(&draw, NULL, 0) == 0);
}

/* -------------------------------------------------- edges ------------------------------------------------------ */

static const double shapes[] = {DBL_TRUE_MIN, 1e-310, DBL_MIN, 1e-200, 1e-100, 1e-16, 0.01, 0.5,   1.0 - 0x1p-53,
                                1.0,          1.5,    2.0,     1e3,    1e9,    1e10,  1e16, 1e200, DBL_MAX};
static const double not_shapes[] = {0.0, -0.0, -1.0, -0.5, -INFINITY, NAN};
#define SHAPES (sizeof shapes / sizeof *shapes)
#define NOT_SHAPES (sizeof not_shapes / sizeof *not_shapes)

LAW(gammas_survive_any_shape) {
    posse_draw draw;
    draw_open(&draw, 21, 22, 23, 0);
    for (size_t i = 0; i < SHAPES; i++) {
        for (int n = 0; n < 1000; n++) {
            double x = posse_draw_gamma(&draw, shapes[i]);
            assert_true(x >= 0.0);
            if (shapes[i] >= 1e9) assert_close(x / shapes[i], 1.0, 10.0 / sqrt(shapes[i]) + 1e-15);
        }
    }
    for (size_t i = 0; i < NOT_SHAPES; i++) assert_true(isnan(posse_draw_gamma(&draw, not_shapes[i])));
    assert_true(posse_draw_gamma(&draw, INFINITY) == INFINITY);
}

LAW(betas_survive_any_shape) {
    posse_draw draw;
    draw_open(&draw, 24, 25, 26, 0);
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t j = 0; j < SHAPES; j++) {
            for (int n = 0; n < 200; n++) {
                double x = posse_draw_beta(&draw, shapes[i], shapes[j]);
                assert_that(x >= 0.0 && x <= 1.0, "beta(%g, %g) is %g", shapes[i], shapes[j], x);
            }
        }
        for (size_t j = 0; j < NOT_SHAPES; j++) {
            assert_true(isnan(posse_draw_beta(&draw, shapes[i], not_shapes[j])));
            assert_true(isnan(posse_draw_beta(&draw, not_shapes[j], shapes[i])));
        }
    }
    assert_true(isnan(posse_draw_beta(&draw, INFINITY, 1.0)) && isnan(posse_draw_beta(&draw, 1.0, INFINITY)));
}

/* With minute shapes a beta is 1 with probability a / (a + b), and else 0. */
LAW(minute_betas_are_coins) {
    static const double sizes[] = {DBL_TRUE_MIN, 1e-310, 1e-201, 1e-199, 1e-50, 1e-8};
    posse_draw draw;
    draw_open(&draw, 27, 28, 29, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int ones = 0, zeros = 0;
        for (int n = 0; n < 30000; n++) {
            double x = posse_draw_beta(&draw, sizes[i], 2.0 * sizes[i]);
            ones += x == 1.0;
            zeros += x < 1e-300;
        }
        assert_close(ones, 10000.0, SIGMAS * sqrt(30000.0 * 2.0 / 9.0));
        assert_true(ones + zeros >= 29990);
    }
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
        z = correlation_z(flipped[0], flipped[1]); /* with the neighbour: two bits apart */
        assert_that(fabs(z) < SIGMAS, "bits %d and %d: correlation %.1f sigmas", bit - 1, bit, z);
        squares += z * z;
    }
    double z = law_chi_square_z(squares, PAIRS);
    assert_that(fabs(z) < SIGMAS, "%d pairs: %.1f sigmas", PAIRS, z);
}

/* The two halves of a block, and neighbouring blocks, are as unrelated as distinct streams. */
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
