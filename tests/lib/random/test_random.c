/* SPDX-License-Identifier: MIT */
/*
 * Tests of samplers: they have the densities that they claim, and survive any arguments.
 */
#include "menagerie.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY 10000000
#define FEWER 1000000

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
    double low, high;                            /* the edges of bins are between these */
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
/* No edges near 1, where doubles are too coarse for the bins of a small b. */
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
    double z = chi_square_z(chi_square, freedom);
    assert_that(fabs(z) < SIGMAS, "%s: chi-square %.1f of %.0f, %.1f sigmas", what, chi_square, freedom, z);
}

/* Maps doubles to integers in the same order, and back. */
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

/* Makes bins of equal probability, as far as that is possible with edges between low and high. */
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

/* Checks the given bins and the first two moments. */
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
    /* Here, multiplication without rejection would give every third index twice the probability. */
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
        size_t count = 1 + random_next(&source) % 9;
        bool any = false;
        for (size_t j = 0; j < count; j++) {
            uint64_t word = random_next(&source);
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

/* With tiny shapes, a beta draw is 1 with probability a / (a + b), and otherwise 0. */
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
