/* SPDX-License-Identifier: MIT */
/*
 * Tests of the numeric rule: the elementary functions keep the error bounds stated in numeric/elementary.c, measured
 * against MPFR over their whole range. Every set of kernels gives the same bits as the scalar one.
 */
#include "law.h"

#include "numeric/density.h"
#include "numeric/elementary.h"
#include "numeric/kernels.h"
#include "numeric/vectors.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#define PRECISION 200

/* A generator of the tests' own. G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom numbers (2014). */
static uint64_t random_word(uint64_t *source) {
    uint64_t z = *source += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same_bits(const double *a, const double *b, size_t count) {
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* ------------------------------------------------- errors ------------------------------------------------------ */

/* A function to measure. `truth` computes the exact value at x; it may start from the value of the library. */
typedef struct function {
    const char *name;
    double (*value)(double x);
    void (*truth)(mpfr_t exact, double x, double value);
    double bound; /* in units of the last place of the true value */
} function;

typedef struct survey {
    const function *of;
    mpfr_t exact;
    double worst, worst_x;
} survey;

static void survey_begin(survey *s, const function *of) {
    *s = (survey){.of = of};
    mpfr_init2(s->exact, PRECISION);
}

static void survey_end(survey *s) {
    mpfr_clear(s->exact);
    assert_that(s->worst < s->of->bound, "%s(%a) is off by %.3f ulp, bound %.3f", s->of->name, s->worst_x, s->worst,
                s->of->bound);
}

/* The error of a value, in units of the last place of the truth. */
static double ulps_off(double value, mpfr_t exact) {
    double rounded = mpfr_get_d(exact, MPFR_RNDN);
    if (!isfinite(value) || !isfinite(rounded)) return value == rounded ? 0.0 : INFINITY;
    mpfr_exp_t exponent = mpfr_zero_p(exact) ? -2000 : mpfr_get_exp(exact) - DBL_MANT_DIG;
    if (exponent < -1074) exponent = -1074;
    mpfr_t error;
    mpfr_init2(error, PRECISION);
    mpfr_sub_d(error, exact, value, MPFR_RNDN);
    mpfr_div_2si(error, error, exponent, MPFR_RNDN);
    double ulps = fabs(mpfr_get_d(error, MPFR_RNDN));
    mpfr_clear(error);
    return ulps;
}

static void survey_at(survey *s, double x) {
    double value = s->of->value(x);
    s->of->truth(s->exact, x, value);
    double off = ulps_off(value, s->exact);
    if (!(off <= s->worst)) {
        s->worst = off;
        s->worst_x = x;
    }
}

/* x and its neighbours, `reach` on either side. */
static void survey_around(survey *s, double x, int reach) {
    for (int i = -reach; i <= reach; i++) survey_at(s, from_bits(to_bits(x) + (uint64_t)(int64_t)i));
}

/* Every exponent of positive doubles below `limit`, each with this number of random mantissas. */
static void survey_exponents(survey *s, int mantissas, double limit) {
    uint64_t source = 1;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1.0, exponent);
        if (power >= limit) return;
        survey_at(s, power);
        for (int i = 0; i < mantissas; i++) {
            double x = ldexp(1.0 + (double)(random_word(&source) >> 12) * 0x1p-52, exponent);
            if (x < limit) survey_at(s, x);
        }
    }
}

static void survey_uniformly(survey *s, double low, double high, int count) {
    uint64_t source = 2;
    for (int i = 0; i < count * law_effort(); i++)
        survey_at(s, low + (high - low) * ((double)(random_word(&source) >> 11) * 0x1p-53));
}

/* ------------------------------------------------- log --------------------------------------------------------- */

static void true_log(mpfr_t exact, double x, double value) {
    (void)value;
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_log(exact, exact, MPFR_RNDN);
}

LAW(log_keeps_its_bound) {
    static const function log_function = {"log", posse_log, true_log, 0.9};
    survey s;
    survey_begin(&s, &log_function);
    survey_exponents(&s, 100, INFINITY);
    survey_uniformly(&s, 0.5, 2.0, 200000);
    for (int exponent = -1060; exponent < 1023; exponent++) survey_around(&s, ldexp(sqrt(0.5), exponent), 2);
    for (int k = 1; k < 53; k++) {
        survey_around(&s, 1.0 + ldexp(1.0, -k), 2);
        survey_around(&s, 1.0 - ldexp(1.0, -k), 2);
    }
    survey_at(&s, DBL_MAX);
    survey_around(&s, DBL_MIN, 3);
    survey_end(&s);
}

LAW(log_knows_its_edges) {
    assert_true(posse_log(0.0) == -INFINITY);
    assert_true(posse_log(-0.0) == -INFINITY);
    assert_true(posse_log(INFINITY) == INFINITY);
    assert_true(isnan(posse_log(-1.0)) && isnan(posse_log(-DBL_TRUE_MIN)) && isnan(posse_log(-INFINITY)));
    assert_true(isnan(posse_log(NAN)));
    assert_true(posse_log(1.0) == 0.0 && !signbit(posse_log(1.0)));
}

/* ------------------------------------------------- exp --------------------------------------------------------- */

static void true_exp(mpfr_t exact, double x, double value) {
    (void)value;
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_exp(exact, exact, MPFR_RNDN);
}

LAW(exp_keeps_its_bound) {
    static const function exp_function = {"exp", posse_exp, true_exp, 0.9};
    survey s;
    survey_begin(&s, &exp_function);
    survey_uniformly(&s, -746.0, 710.0, 200000);
    survey_uniformly(&s, -1.0, 1.0, 200000);
    survey_uniformly(&s, -746.0, -708.0, 50000);
    for (int k = -1080; k <= 1030; k++) {
        if (k != 0) survey_around(&s, k * log(2.0), 2);
        survey_around(&s, (k + 0.5) * log(2.0), 2);
    }
    for (int exponent = -1074; exponent < 10; exponent++) {
        survey_at(&s, ldexp(1.0, exponent));
        survey_at(&s, -ldexp(1.0, exponent));
    }
    survey_around(&s, 709.782712893384, 5);
    survey_around(&s, 709.8, 3);
    survey_around(&s, -745.1332191019411, 5);
    survey_around(&s, -745.2, 3);
    survey_around(&s, -708.3964185322641, 5);
    survey_end(&s);
}

LAW(exp_knows_its_edges) {
    assert_true(posse_exp(0.0) == 1.0);
    assert_true(posse_exp(INFINITY) == INFINITY && posse_exp(DBL_MAX) == INFINITY && posse_exp(710.0) == INFINITY);
    assert_true(posse_exp(-INFINITY) == 0.0 && posse_exp(-DBL_MAX) == 0.0 && posse_exp(-746.0) == 0.0);
    assert_true(posse_exp(-745.0) == DBL_TRUE_MIN);
    assert_true(isnan(posse_exp(NAN)));
}

/* -------------------------------------------- inverse normal --------------------------------------------------- */

/*
 * One Newton step from the value: x - (F(x) - p) / f(x). The step squares an error of about 1e-15, so the result is
 * right to 30 digits. F(x) = erfc(-x / sqrt 2) / 2.
 */
static void true_inverse_normal(mpfr_t exact, double p, double x) {
    mpfr_t a, b;
    mpfr_inits2(PRECISION, a, b, (mpfr_ptr)NULL);
    mpfr_sqrt_ui(a, 2, MPFR_RNDN);
    mpfr_d_div(a, -x, a, MPFR_RNDN);
    mpfr_erfc(a, a, MPFR_RNDN);
    mpfr_div_2ui(a, a, 1, MPFR_RNDN);
    mpfr_sub_d(a, a, p, MPFR_RNDN);

    mpfr_set_d(b, x, MPFR_RNDN);
    mpfr_sqr(b, b, MPFR_RNDN);
    mpfr_div_2ui(b, b, 1, MPFR_RNDN);
    mpfr_exp(b, b, MPFR_RNDN);
    mpfr_mul(a, a, b, MPFR_RNDN);
    mpfr_const_pi(b, MPFR_RNDN);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDN);
    mpfr_sqrt(b, b, MPFR_RNDN);
    mpfr_mul(a, a, b, MPFR_RNDN);
    mpfr_d_sub(exact, x, a, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

LAW(inverse_normal_keeps_its_bound) {
    static const function inverse = {"inverse_normal", inverse_normal, true_inverse_normal, 8.0};
    survey s;
    survey_begin(&s, &inverse);
    survey_exponents(&s, 20, 1.0);
    survey_uniformly(&s, 0x1p-53, 1.0 - 0x1p-53, 40000);
    survey_uniformly(&s, 0x1p-53, 0.075, 20000);
    survey_uniformly(&s, 0x1p-53, 1e-10, 10000);
    survey_around(&s, exp(-25.0), 20);
    survey_around(&s, 0.075, 20);
    survey_around(&s, 0.925, 20);
    for (int k = 2; k < 54; k++) {
        survey_at(&s, 0.5 + ldexp(1.0, -k));
        survey_at(&s, 0.5 - ldexp(1.0, -k));
        survey_at(&s, 1.0 - ldexp(1.0, -k));
        survey_at(&s, ldexp(1.0, -k));
    }
    uint64_t source = 3;
    for (int i = 0; i < 20000; i++) survey_at(&s, word_uniform(random_word(&source) >> i % 53));
    survey_end(&s);
}

LAW(inverse_normal_knows_its_edges) {
    assert_true(inverse_normal(0.0) == -INFINITY && inverse_normal(-1.0) == -INFINITY);
    assert_true(inverse_normal(1.0) == INFINITY && inverse_normal(2.0) == INFINITY);
    assert_true(inverse_normal(0.5) == 0.0);
    assert_true(isnan(inverse_normal(NAN)));
    assert_true(isfinite(inverse_normal(DBL_TRUE_MIN)) && isfinite(inverse_normal(1.0 - 0x1p-53)));
}

/* The two tails are mirror images to the last bit: a draw and its antithetic one cancel. */
LAW(inverse_normal_is_odd) {
    uint64_t source = 4;
    for (int i = 0; i < 100000; i++) {
        double p = word_uniform(random_word(&source) >> (i % 40));
        assert_true(inverse_normal(p) == -inverse_normal(1.0 - p));
    }
}

LAW(uniforms_are_the_upper_bits) {
    assert_true(word_uniform(0) == 0x1p-53);
    assert_true(word_uniform(UINT64_MAX) == 1.0 - 0x1p-53);
    uint64_t source = 5;
    for (int i = 0; i < 100000; i++) {
        uint64_t word = random_word(&source);
        assert_true(word_uniform(word) == ((double)(word >> 12) + 0.5) * 0x1p-52);
        assert_true(word_uniform(word) == word_uniform(word ^ 0xfff));
    }
}

/* ----------------------------------------------- log gamma ----------------------------------------------------- */

static void true_log_gamma(mpfr_t exact, double x, double value) {
    (void)value;
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_lngamma(exact, exact, MPFR_RNDN);
}

LAW(log_gamma_keeps_its_bound) {
    static const function log_gamma_function = {"posse_log_gamma", posse_log_gamma, true_log_gamma, 8.0};
    survey s;
    survey_begin(&s, &log_gamma_function);
    survey_exponents(&s, 4, 2.556e305); /* beyond, the truth overflows */
    survey_uniformly(&s, 0.0, 0.5, 4000);
    survey_uniformly(&s, 0.5, 3.0, 40000);
    survey_uniformly(&s, 3.0, 20.0, 10000);
    survey_uniformly(&s, 20.0, 1000.0, 3000);
    static const double breakpoints[] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.0};
    for (size_t i = 0; i < sizeof breakpoints / sizeof *breakpoints; i++) survey_around(&s, breakpoints[i], 20);
    for (int k = 2; k < 53; k++) {
        survey_at(&s, 1.0 + ldexp(1.0, -k));
        survey_at(&s, 1.0 - ldexp(1.0, -k));
        survey_at(&s, 2.0 + ldexp(1.0, 1 - k));
        survey_at(&s, 2.0 - ldexp(1.0, -k));
    }
    survey_end(&s);
}

/* ----------------------------------------------- densities ----------------------------------------------------- */

static void true_log_one_plus(mpfr_t exact, double x, double value) {
    (void)value;
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_log1p(exact, exact, MPFR_RNDN);
}

LAW(log_one_plus_keeps_its_bound) {
    static const function of = {"log_one_plus", log_one_plus, true_log_one_plus, 4.0};
    survey s;
    survey_begin(&s, &of);
    survey_exponents(&s, 4, DBL_MAX);
    survey_uniformly(&s, -0.9, 1.0, 20000);
    survey_uniformly(&s, -1e-3, 1e-3, 20000);
    survey_end(&s);
}

/* The tolerance is for sums of r log(a + r) and numbers of the order of r. The plain difference of log gammas would
 * round numbers of the size of log gamma(a), which is 1e13 at a = 1e12. */
LAW(log_rise_is_no_difference_of_large_numbers) {
    uint64_t source = 12;
    mpfr_t sum, part;
    mpfr_inits2(PRECISION, sum, part, (mpfr_ptr)0);
    for (int i = 0; i < 40000; i++) {
        double a = exp(60.0 * word_uniform(random_word(&source)) - 10.0);
        double r = i % 3 == 0   ? 0.5
                   : i % 3 == 1 ? (double)(random_word(&source) % 30)
                                : exp(20.0 * word_uniform(random_word(&source)) - 5.0);
        mpfr_set_d(part, a, MPFR_RNDN);
        mpfr_add_d(sum, part, r, MPFR_RNDN);
        mpfr_lngamma(sum, sum, MPFR_RNDN);
        mpfr_lngamma(part, part, MPFR_RNDN);
        mpfr_sub(sum, sum, part, MPFR_RNDN);
        double size = 1.0 + r * (1.0 + log(1.0 + a + r)) + (a < 1.0 ? fabs(log(a)) : 0.0) + (a < 64.0 ? 200.0 : 0.0);
        assert_that(fabs(log_rise(a, r) - mpfr_get_d(sum, MPFR_RNDN)) < 4e-15 * size,
                    "log_rise(%.17g, %.17g) is off by %g", a, r, log_rise(a, r) - mpfr_get_d(sum, MPFR_RNDN));
    }
    mpfr_clears(sum, part, (mpfr_ptr)0);
}

LAW(log_gamma_knows_its_edges) {
    assert_true(posse_log_gamma(0.0) == INFINITY && posse_log_gamma(INFINITY) == INFINITY &&
                posse_log_gamma(DBL_MAX) == INFINITY);
    assert_true(posse_log_gamma(1.0) == 0.0 && posse_log_gamma(2.0) == 0.0);
    assert_true(isnan(posse_log_gamma(-1.5)) && isnan(posse_log_gamma(-INFINITY)) && isnan(posse_log_gamma(NAN)));
}

/* ------------------------------------------------ kernels ------------------------------------------------------ */

/* A test of one set of kernels against the scalar set, called for every set that this processor can run. */
typedef void kernel_law(const kernels *set, const kernels *scalar);

static const kernels *use(const char *name) {
    return kernels_use(name) ? kernels_active() : NULL;
}

static void for_every_set(kernel_law *law) {
    const kernels *before = kernels_active();
    const kernels *scalar = use("scalar");
    assert_non_null(scalar);
    int sets = 0;
    for (const char *const *name = kernels_names(); *name; name++) {
        const kernels *set = use(*name);
        if (!set) continue;
        assert_string_equal(set->name, *name);
        law(set, scalar);
        sets++;
    }
    assert_true(sets >= 2);
    assert_true(kernels_use(before->name));
}

#define COUNT_MAX 1100

static void same_words(const kernels *set, const kernels *scalar) {
    static uint64_t expected[2 * COUNT_MAX + 1], words[2 * COUNT_MAX + 1];
    uint64_t source = 6;
    for (size_t blocks = 0; blocks <= COUNT_MAX; blocks += blocks < 200 ? 1 : 300) {
        uint64_t seed = random_word(&source), stream = random_word(&source) >> 16;
        uint32_t run = (uint32_t)random_word(&source);
        /* With the third start, the block number exceeds 32 bits. */
        uint64_t starts[] = {0, random_word(&source) >> 17, 0xfffffffb};
        for (size_t i = 0; i < 3; i++) {
            expected[2 * blocks] = words[2 * blocks] = 77;
            scalar->words(seed, run, stream, starts[i], expected, blocks);
            set->words(seed, run, stream, starts[i], words, blocks);
            assert_memory_equal(words, expected, (2 * blocks + 1) * sizeof *words);
            assert_true(words[2 * blocks] == 77);
        }
    }
}

LAW(words_are_the_same_on_every_set) {
    for_every_set(same_words);
}

/* Words from every region of the inverse normal, including the far tails. */
static uint64_t any_word(uint64_t *source) {
    uint64_t word = random_word(source);
    switch (random_word(source) % 8) {
    case 0:
        return word >> (random_word(source) % 64);
    case 1:
        return ~(word >> (random_word(source) % 64));
    default:
        return word;
    }
}

static void same_normals(const kernels *set, const kernels *scalar) {
    static uint64_t words[COUNT_MAX];
    static double expected[COUNT_MAX], normals[COUNT_MAX];
    (void)scalar;
    uint64_t source = 7;
    for (size_t count = 0; count < COUNT_MAX; count += count < 200 ? 1 : 97) {
        for (size_t i = 0; i < count; i++) {
            words[i] = any_word(&source);
            expected[i] = inverse_normal(word_uniform(words[i]));
        }
        for (size_t i = count; i < COUNT_MAX; i++) normals[i] = -77.0;
        set->normals(words, normals, count);
        assert_that(same_bits(normals, expected, count), "%zu normals of %s differ", count, set->name);
        assert_true(normals[count] == -77.0);
    }
}

LAW(normals_are_the_same_on_every_set) {
    for_every_set(same_normals);
}

#define DIM_MAX 20
#define ARMS_MAX 100
#define BLOCKS_MAX ((ARMS_MAX + KERNEL_LANES - 1) / KERNEL_LANES)

/* Small whole numbers make many ties. */
static double coordinate(uint64_t *source, bool ties) {
    uint64_t word = random_word(source);
    return ties ? (double)(word % 5) - 2.0 : (double)(word >> 11) * 0x1p-53 - 0.5;
}

static void lay_out(double *points, const double *arms, size_t count, size_t dim) {
    size_t blocks = (count + KERNEL_LANES - 1) / KERNEL_LANES;
    for (size_t i = 0; i < blocks * KERNEL_LANES; i++) {
        const double *arm = arms + (i < count ? i : count - 1) * dim;
        double *block = points + i / KERNEL_LANES * dim * KERNEL_LANES;
        for (size_t j = 0; j < dim; j++) block[j * KERNEL_LANES + i % KERNEL_LANES] = arm[j];
    }
}

static size_t naive_best(const double *arms, size_t count, size_t dim, const double *w, double *value) {
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < dim; j++) sum += arms[i * dim + j] * w[j];
        if (i == 0 || sum > *value) {
            *value = sum;
            best = i;
        }
    }
    return best;
}

static void same_best(const kernels *set, const kernels *scalar) {
    static double arms[ARMS_MAX * DIM_MAX], points[BLOCKS_MAX * KERNEL_LANES * DIM_MAX], w[DIM_MAX];
    (void)scalar;
    uint64_t source = 8;
    for (size_t dim = 1; dim <= DIM_MAX; dim++) {
        for (size_t count = 1; count <= ARMS_MAX; count++) {
            bool ties = count % 2 == 0;
            for (size_t i = 0; i < count * dim; i++) arms[i] = coordinate(&source, ties);
            for (size_t j = 0; j < dim; j++) w[j] = coordinate(&source, ties);
            lay_out(points, arms, count, dim);
            double expected = 0.0, value = 0.0;
            size_t best = naive_best(arms, count, dim, w, &expected);
            size_t got = set->best_arm(points, (count + KERNEL_LANES - 1) / KERNEL_LANES, dim, w, &value);
            assert_that(got == best, "%s: arm %zu instead of %zu of %zu, dim %zu", set->name, got, best, count, dim);
            assert_true(same_bits(&value, &expected, 1));
        }
    }
}

LAW(best_arm_is_that_of_a_plain_loop) {
    for_every_set(same_best);
}

#define PLACES_MAX 40

/* The charges of the two kinds of belief, one by one, in the order that kernels.h states. */
static double naive_charge(bool gaps, const double *rows, size_t width, size_t dim, const double *w, const double *x,
                           double scale, size_t i) {
    double best = w[0], sum = 0.0;
    for (size_t j = 1; j < dim; j++)
        if (w[j] > best) best = w[j];
    for (size_t j = 0; j < dim; j++)
        sum += gaps ? (best - w[j]) * rows[j * width + i] : w[j] * (scale * x[j] - rows[j * width + i]);
    return sum;
}

/* Some places start at infinity and can never be the least. Charges tie if small whole numbers are drawn. */
static void same_charges_at(const kernels *set, size_t width, size_t dim, uint64_t *source) {
    static double rows[PLACES_MAX * DIM_MAX], w[DIM_MAX], x[DIM_MAX], start[PLACES_MAX], scale[PLACES_MAX];
    bool ties = dim % 2 == 0;
    for (size_t k = 0; k < width * dim; k++) rows[k] = coordinate(source, ties);
    for (size_t j = 0; j < dim; j++) w[j] = coordinate(source, ties), x[j] = coordinate(source, ties);
    for (size_t i = 0; i < width; i++) scale[i] = (double)(i % 5), start[i] = i % 7 == 3 ? INFINITY : 0.0;
    double best = largest_value(w, (int)dim);
    const double *given = dim % 3 == 0 ? &best : NULL;
    for (int gaps = 0; gaps < 2; gaps++) {
        double out[PLACES_MAX], least = INFINITY;
        kernel_least got = gaps ? set->charge_gaps(start, NULL, rows, width, dim, w, given, out)
                                : set->charge_points(start, NULL, rows, width, dim, w, x, scale, out);
        size_t count = 0, first = width;
        for (size_t i = 0; i < width; i++) {
            double expected = start[i] + naive_charge(gaps, rows, width, dim, w, x, scale[i], i);
            assert_that(out[i] == expected, "%s: %.17g instead of %.17g", set->name, out[i], expected);
            if (expected < least) least = expected;
        }
        for (size_t i = width; i-- > 0;)
            if (out[i] == least) count++, first = i;
        assert_true(got.value == least);
        assert_int_equal(got.count, count);
        assert_int_equal(got.first, first);
    }
}

static void same_charges(const kernels *set, const kernels *scalar) {
    (void)scalar;
    uint64_t source = 9;
    for (size_t width = KERNEL_LANES; width <= PLACES_MAX; width += KERNEL_LANES)
        for (size_t dim = 1; dim <= DIM_MAX; dim++) same_charges_at(set, width, dim, &source);
}

LAW(charges_are_those_of_a_plain_loop) {
    for_every_set(same_charges);
}

LAW(kernels_are_chosen_by_name) {
    const kernels *before = kernels_active();
    assert_false(kernels_use("no such set"));
    assert_ptr_equal(kernels_active(), before);
    assert_true(kernels_use("scalar"));
    assert_string_equal(kernels_active()->name, "scalar");
    assert_true(kernels_use(before->name));
}
