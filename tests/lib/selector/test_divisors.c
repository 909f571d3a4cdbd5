/* SPDX-License-Identifier: MIT */
/*
 * Numeric tests of docs/theory.md, for the steps about divisors: their sums for one learner and for many, and the
 * regret of a rule without a divisor. As in test_theory.c, each bound also has a slightly stronger version, which is
 * shown to fail.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "divisor.h"

/* ---------------------------------------- Lemmas 7 and 8: sums of divisors ------------------------------------- */

/* The bound on F(N): 3 sqrt(N) (1 + commitment / 2 ln+(N / b)) + sqrt(b) ln(b / 2), with other numbers for 3 and 2. */
static double spent_bound(const rule *g, double plays, double three, double two) {
    double weight = 1.0 + 0.5 * g->commitment * log(fmax(1.0, plays / g->b));
    return three * sqrt(plays) * weight + sqrt(g->b) * log(g->b / two);
}

/* The least of bound - F(N) over N, b and commitment. */
static double slack_of(double three, double two) {
    static const double patiences[] = {1.0, 1.5, 2.0, 2.7, 7.5, 33.3, 200.0, 1234.5};
    double least = INFINITY;
    for (int p = 0; p < LENGTH(patiences); p++)
        for (int c = 0; c <= 4; c++) {
            rule g = {"", 0.5, patiences[p], 0.25 * c};
            double sum = 0.0;
            for (int n = 1; n <= 20000; n++) {
                double all = n > 1 ? sum + divisor(&g, n - 1) : 0.0;
                least = fmin(least, spent_bound(&g, n, three, two) - all);
                sum += divisor(&g, n) / n;
            }
        }
    return least;
}

LAW(spent_by_one_learner_is_bounded) {
    assert_true(slack_of(3.0, 2.0) >= 0.0);
    assert_true(slack_of(2.9, 2.0) < 0.0);
    assert_true(slack_of(3.0, 4.0) < 0.0);
}

/* n^alpha: (1 + 1 / alpha) N^alpha; the paper's rule: 2 + ln N, where 1 + ln N fails. */
LAW(spent_without_patience_is_bounded) {
    bool less_would_do = true;
    for (int n = 1; n <= 3000; n++) {
        for (double alpha = 0.05; alpha <= 0.5; alpha += 0.05)
            assert_true(at_most(spent(&(rule){"", alpha, 1.0, 0.0}, n), (1.0 + 1.0 / alpha) * pow(n, alpha)));
        assert_true(at_most(spent(PAPER, n), 2.0 + log(n)));
        less_would_do = less_would_do && spent(PAPER, n) <= 1.0 + log(n);
    }
    assert_false(less_would_do);
}

/* The divisor of the selector, s (1 + commitment ln s), is g up to the factor sqrt(b), so its Q is at most sqrt(b). */
LAW(divisor_of_the_selector_is_of_the_family) {
    for (double b = 2.0; b < 300.0; b *= 1.7)
        for (double commitment = 0.0; commitment <= 1.0; commitment += 0.25)
            for (int n = 1; n <= 1000; n++) {
                double s = fmax(1.0, sqrt(n / b)), own = s * (1.0 + commitment * log(s));
                rule g = {"", 0.5, b, commitment};
                assert_close(divisor(&g, n), sqrt(b) * own, 1e-12 * divisor(&g, n));
                assert_true(at_most(sqrt(n) / divisor(&g, n), 1.0));
            }
}

/* g(n) / n must fall as n grows, up to commitment 1. Otherwise a learner of linear regret would become cheaper by
 * playing. */
LAW(linear_regret_never_becomes_cheaper) {
    bool rises = false;
    for (double commitment = 0.0; commitment <= 1.5; commitment += 0.25)
        for (int n = 1; n < 3000; n++) {
            rule g = {"", 0.5, 33.3, commitment};
            bool falls = divisor(&g, n + 1) / (n + 1) <= divisor(&g, n) / n;
            assert_true(falls || commitment > 1.0);
            rises = rises || !falls;
        }
    assert_true(rises);
}

/* Numbers of plays of M learners that sum to T, from even to very uneven. */
static void split(int *out, int count, int rounds, posse_draw *draw) {
    double weight[64], all = 0.0, skew = 6.0 * posse_draw_uniform(draw);
    int left = rounds - count;
    for (int i = 0; i < count; i++) all += weight[i] = pow(posse_draw_uniform(draw), skew);
    for (int i = 0; i < count; i++) {
        int share = (int)(weight[i] / all * (rounds - count));
        out[i] = 1 + share;
        left -= share;
    }
    out[0] += left;
}

/* Lemma 8. ln(1 + x) sqrt(x) is not concave, and the lemma with it fails. It holds with ln(e + x). */
LAW(learners_sum_to_the_root_of_their_number) {
    posse_draw draw;
    draw_open(&draw, 8, 0, stream_named(STREAM_INSTANCE, NULL), 0);
    bool one_would_do = true;
    for (int trial = 0; trial < 20000; trial++) {
        int n[64], count = 1 + (int)posse_draw_index(&draw, 64), rounds = count + (int)posse_draw_index(&draw, 5000);
        double b = 1.0 + 300.0 * posse_draw_uniform(&draw), roots = 0.0, logs = 0.0, sums[2] = {0};
        split(n, count, rounds, &draw);
        for (int i = 0; i < count; i++) {
            roots += sqrt(n[i]);
            logs += log(n[i]);
            sums[0] += sqrt(n[i]) * log(M_E + n[i] / b);
            sums[1] += sqrt(n[i]) * log(1.0 + n[i] / b);
        }
        double root = sqrt((double)count * rounds), each = rounds / (count * b);
        assert_true(at_most(roots, root) && at_most(logs, count * log((double)rounds / count)));
        assert_true(at_most(sums[0], root * log(M_E + each)));
        one_would_do = one_would_do && sums[1] <= root * log(1.0 + each);
    }
    assert_false(one_would_do);
}

/* ------------------------------- Proposition 12: the limits of the paper's rule -------------------------------- */

/*
 * Arm 0 pays 1, arm 1 nothing, and the belief of the selector is certain of it. One learner errs at its plays 1, 4, 9,
 * …, so that its regret is at most sqrt(n), and d* = 1. The others always err.
 */
static int square_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)draw, (void)point;
    double play = *(double *)state + 1.0, root = floor(sqrt(play) + 0.5);
    return root * root == play;
}

static void square_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)arm, (void)point, (void)reward;
    *(double *)state += 1.0;
}

static posse_error square_prepare(const posse_setup *setup, void **plan) {
    *plan = posse_setup_allocate(setup, sizeof(double));
    return *plan == NULL ? POSSE_ERROR_MEMORY : POSSE_OK;
}

static size_t square_state_size(const void *plan) {
    (void)plan;
    return sizeof(double);
}

static const posse_learner_ops square_learner = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "square",
             .help = "errs at squares",
             .prepare = square_prepare,
             .state_size = square_state_size},
    .act = square_act,
    .learn = square_learn,
};

#define CROWD_CAP 64
static const double known_means[] = {1.0, 0.0};
static const posse_part known_world = {.kind = "gaussian", .options = {NUMBER("arms", 2), LIST("means", known_means)}};
static const posse_part known_belief = {.kind = "hypotheses", .options = {LIST("table", known_means)}};

/* The regret of a selector itself. */
static double crowd_regret(const posse_part *selector, int count, size_t rounds) {
    posse_part crowd[CROWD_CAP] = {{.kind = "square"}};
    char names[CROWD_CAP][8];
    double *regrets = calloc(rounds, sizeof *regrets), sum = 0.0;
    assert_non_null(regrets);
    for (int i = 1; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        crowd[i] = (posse_part){.kind = "fixed", .name = names[i], .options = {NUMBER("arm", 1)}};
    }
    posse_environment *e = environment_made(&known_world, 1);
    posse_def def = posse_environment_def(e);
    def.prior = known_belief;
    def.selector = *selector;
    def.learners = crowd;
    def.learner_count = count;
    posse *p = posse_made(&def);
    assert_int_equal(posse_play(p, e, rounds, &(posse_trace){.regrets = regrets}), POSSE_OK);
    for (size_t t = 0; t < rounds; t++) sum += regrets[t];
    posse_free(p);
    posse_environment_free(e);
    free(regrets);
    return sum;
}

/* The same with a divisor, written out: the regret of learner 0 after n plays is floor(sqrt(n)), of others n. */
static double known_regret(const rule *g, int count, int rounds) {
    double n[CROWD_CAP], own[CROWD_CAP], sum = count;
    for (int i = 0; i < count; i++) n[i] = own[i] = 1.0;
    for (int t = count; t < rounds; t++) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (own[i] / divisor(g, n[i]) < own[least] / divisor(g, n[least])) least = i;
        n[least] += 1.0;
        sum -= own[least];
        own[least] = least == 0 ? floor(sqrt(n[0])) : n[least];
        sum += own[least];
    }
    return sum;
}

/*
 * The regret of the paper's rule is at least M (sqrt(T) - (M + 3) / 2). With many learners it exceeds what Theorem 10
 * allows for the divisor sqrt(max(n, b)), without the noise term, because there is no noise. With the divisors, the
 * regret stays below their first term plus M.
 */
LAW(undivided_rule_pays_for_every_learner) {
    static const rule even = {"sqrt(max(n, 4))", 0.5, 4.0, 0.0}, eager = {"committed", 0.5, 4.0, 1.0};
    posse_error error = posse_learner_register(&square_learner);
    assert_true(error == POSSE_OK || error == POSSE_ERROR_NAME);
    for (int count = 4; count <= CROWD_CAP; count *= 2) {
        int rounds = 16 * count * count;
        double least = count * (sqrt(rounds) - 0.5 * (count + 3)),
               paper = crowd_regret(&algorithm_1, count, (size_t)rounds);
        double divided = known_regret(&even, count, rounds), committed = known_regret(&eager, count, rounds);
        print_message("M %2d: undivided %.0f (at least %.0f), sqrt(max(n, b)) %.0f, committed %.0f\n", count, paper,
                      least, divided, committed);
        assert_true(paper >= least && known_regret(PAPER, count, rounds) >= least);
        assert_true(divided <= first_term(&even, count, rounds) + count);
        assert_true(committed <= first_term(&eager, count, rounds) + count);
        assert_true(count < 32 || paper > first_term(&even, count, rounds) + count);
    }
}

/* The exponent of M in the regret at one horizon, by least squares on logarithms, for 4 to 64 learners. */
static double exponent_of(const posse_part *selector, size_t rounds) {
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int count = 4; count <= CROWD_CAP; count *= 2) {
        double size = log(count), loss = log(crowd_regret(selector, count, rounds));
        n += 1.0, x += size, y += loss, xx += size * size, xy += size * loss;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* On this family Algorithm 1 pays for every learner, nearly in proportion to M. B-MS+ pays less than sqrt(M). */
LAW(rate_in_learners_is_fitted) {
    posse_error error = posse_learner_register(&square_learner);
    assert_true(error == POSSE_OK || error == POSSE_ERROR_NAME);
    double paper = exponent_of(&algorithm_1, 65536), plus = exponent_of(&(posse_part){.kind = "bms-plus"}, 65536);
    print_message("regret grows like M^%.2f for Algorithm 1 and like M^%.2f for B-MS+\n", paper, plus);
    assert_true(paper > 0.85 && paper < 1.05);
    assert_true(plus > 0.0 && plus <= 0.5);
}
