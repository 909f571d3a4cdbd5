/* SPDX-License-Identifier: MIT */
/*
 * Tests of beliefs. The posterior and the worlds drawn of every belief in the menagerie are compared with its oracle
 * (oracle.h). Mixtures, particles and unknown noise have further tests. Predictions of rewards are tested in
 * test_evidence.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "belief/hypotheses.h"
#include "keeping.h"
#include "oracle.h"

/* ---------------------------------------------- posteriors, by oracle ------------------------------------------ */

/*
 * Numbers here are of the order of 1, so a relative 1e-12 is some thousand roundings. The predictive likelihoods check
 * the spread as well as the mean. They are differences of sums over the history: 1e-10.
 */
static void matches_oracle(const specimen *s) {
    static const int counts[] = {0, 1, 2, 17, 300};
    for (int i = 0; i < LENGTH(counts); i++) {
        history past = history_make(s->home, counts[i] + 1, 11);
        past.count--;
        twin t;
        posterior right, next;
        double mean[COORDINATES_MAX];
        open_after(&t, s, &past);
        oracle(&s->part, &past, &right);
        mean_of(&t, mean);
        assert_int_equal(t.belief.shape.dim, right.dim);
        for (int j = 0; j < right.dim; j++) assert_close(mean[j], (double)right.mean[j], 1e-12);
        past.count++;
        oracle(&s->part, &past, &next);
        assert_close(foretell(&t, s->home, &past.events[past.count - 1]), (double)(next.likelihood - right.likelihood),
                     1e-10);
        twin_close(&t);
        free(past.events);
    }
}

static void linear_matches_batch(int dim, int updates, double stretch);

LAW(posterior_matches_batch) {
    for_every_belief(matches_oracle);
    linear_matches_batch(1, 100000, 1.0);
    linear_matches_batch(2, 100000, 1.0);
    linear_matches_batch(10, 100000, 1.0);
    linear_matches_batch(10, 100000, 1e-3);
    linear_matches_batch(50, 100000, 1.0);
}

/* ---- linear, large: the posterior itself, as regression.h lays it out ---- */

#define ARMS_MANY 200

/* Points of the cube. The first half of the coordinates is multiplied by `stretch`; the problem is badly scaled if
 * that is not 1. */
static double *draw_points(int dim, double stretch, uint64_t *source) {
    double *points = malloc((size_t)(ARMS_MANY * dim) * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < ARMS_MANY * dim; i++)
        points[i] = (2.0 * random_uniform(source) - 1.0) * (i % dim < (dim + 1) / 2 ? stretch : 1.0);
    return points;
}

static void add_to_equations(int dim, const double *x, double reward, long double *v, long double *b) {
    for (int i = 0; i < dim; i++) {
        b[i] += (long double)x[i] * reward;
        for (int j = 0; j <= i; j++) v[i * dim + j] += (long double)x[i] * x[j];
    }
}

static long double *numbers(int count) {
    long double *made = calloc((size_t)count, sizeof *made);
    assert_non_null(made);
    return made;
}

/* x^T V^-1 x, from scratch and from the belief's S: |S^T x|^2. */
static void assert_same_variance(int dim, const double *x, const long double *factor, const double *root) {
    long double *column = numbers(dim), right = 0.0L, ours = 0.0L;
    for (int i = 0; i < dim; i++) column[i] = x[i];
    solve(dim, factor, column);
    for (int i = 0; i < dim; i++) right += column[i] * x[i];
    for (int j = 0; j < dim; j++) {
        long double product = 0.0L;
        for (int i = 0; i < dim; i++) product += (long double)root[j * dim + i] * x[i];
        ours += product * product;
    }
    free(column);
    assert_close((double)(ours / right), 1.0, 1e-9);
}

/* The largest difference of covariance S S^T and V^-1, relative to the largest entry. */
static double covariance_error(int dim, const long double *factor, const double *root) {
    long double worst = 0.0L, scale = 0.0L, *column = numbers(dim);
    for (int i = 0; i < dim; i++) {
        for (int k = 0; k < dim; k++) column[k] = k == i;
        solve(dim, factor, column);
        for (int k = 0; k < dim; k++) {
            long double ours = 0.0L;
            for (int j = 0; j < dim; j++) ours += (long double)root[j * dim + i] * root[j * dim + k];
            worst = fmaxl(worst, fabsl(ours - column[k]));
            scale = fmaxl(scale, fabsl(column[k]));
        }
    }
    free(column);
    return (double)(worst / scale);
}

static double mean_error(int dim, const long double *right, const double *mean) {
    long double worst = 0.0L, scale = 0.0L;
    for (int i = 0; i < dim; i++) {
        worst = fmaxl(worst, fabsl(mean[i] - right[i]));
        scale = fmaxl(scale, fabsl(right[i]));
    }
    return (double)(worst / scale);
}

/* The relative bound of 1e-9 is the one that design.md requires after 10^5 updates. */
static void linear_matches_batch(int dim, int updates, double stretch) {
    uint64_t source = (uint64_t)dim;
    double *points = draw_points(dim, stretch, &source);
    habitat home = {.arms = ARMS_MANY, .dim = dim, .points = points, .prior = {.kind = "linear"}};
    posse_def def = habitat_def(&home);
    twin t;
    twin_open(&t, &def, NULL);
    long double *v = numbers(dim * dim), *b = numbers(dim);
    for (int i = 0; i < dim; i++) v[i * dim + i] = 1.0L;
    for (int n = 0; n < updates; n++) {
        int arm = (int)random_below(&source, ARMS_MANY);
        double reward = 4.0 * (random_uniform(&source) - 0.5) + 0.01 * arm;
        belief_update(&t.belief, t.state, arm, points + arm * dim, reward);
        add_to_equations(dim, points + arm * dim, reward, v, b);
    }
    factorize(dim, v);
    solve(dim, v, b);
    const double *mean = t.state, *root = mean + dim;
    assert_true(mean_error(dim, b, mean) < 1e-9);
    assert_true(covariance_error(dim, v, root) < 1e-9);
    for (int arm = 0; arm < 20; arm++) assert_same_variance(dim, points + arm * dim, v, root);
    free(v);
    free(b);
    free(points);
    twin_close(&t);
}

/* ---- a long life: sums do not drift ---- */

/* 10^5 additions to numbers of the order of 1e4 cost at most 1e5 half units in the last place of 1e5: 1e-6 of 1e5, in
 * truth a random walk a thousand times shorter. Means are sums over counts: 1e-12. */
static void lives_long(const specimen *s) {
    history past = history_make(s->home, 100000, 5);
    twin t;
    posterior right;
    double mean[COORDINATES_MAX];
    open_after(&t, s, &past);
    oracle(&s->part, &past, &right);
    mean_of(&t, mean);
    for (int j = 0; j < right.dim; j++) assert_close(mean[j], (double)right.mean[j], 1e-11);
    twin_close(&t);
    free(past.events);
}

LAW(posterior_stays_exact_over_a_long_life) {
    for_every_belief(lives_long);
}

/* ------------------------------------------------- other tests ------------------------------------------------- */

/* Both orders have the same sums up to rounding: 1e-11 for means and 1e-9 for logarithms of some hundreds. */
static void order_is_nothing(const specimen *s) {
    if (is_restless(&s->part)) return;
    history past = history_make(s->home, 2000, 3);
    twin t, u;
    double mean[COORDINATES_MAX], other[COORDINATES_MAX];
    open_after(&t, s, &past);
    history probes = history_make(s->home, 20, 4);
    history_shuffle(&past, 8);
    open_after(&u, s, &past);
    mean_of(&t, mean);
    mean_of(&u, other);
    for (int j = 0; j < t.belief.shape.dim; j++) assert_close(mean[j], other[j], 1e-11);
    for (int n = 0; n < probes.count; n++)
        assert_close(foretell(&t, s->home, &probes.events[n]), foretell(&u, s->home, &probes.events[n]), 1e-9);
    twin_close(&t);
    twin_close(&u);
    free(past.events);
    free(probes.events);
}

LAW(order_of_updates_does_not_matter) {
    for_every_belief(order_is_nothing);
}

#define DRAWS 100000

/* A mixture or a table may have put all its weight on one alternative: then all draws are equal, and must equal the
 * expected value. */
static void assert_moment(const moments *m, double expected) {
    if (moments_error(m) < 1e-12)
        assert_close(moments_mean(m), expected, 1e-9);
    else
        assert_mean(m, expected);
}

/* Histories are short, so that the posterior is still wide. */
static void draws_are_right(const specimen *s) {
    history past = history_make(s->home, 12, 21);
    twin t;
    posterior right;
    open_after(&t, s, &past);
    oracle(&s->part, &past, &right);
    static moments first[COORDINATES_MAX], second[COORDINATES_MAX][COORDINATES_MAX];
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    for (int n = 0; n < DRAWS; n++) {
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        for (int i = 0; i < right.dim; i++) {
            double off = t.world[i] - (double)right.mean[i];
            moments_add(&first[i], t.world[i]);
            for (int j = 0; j <= i; j++) moments_add(&second[i][j], off * (t.world[j] - (double)right.mean[j]));
        }
    }
    for (int i = 0; i < right.dim; i++) {
        assert_moment(&first[i], (double)right.mean[i]);
        for (int j = 0; j <= i; j++) assert_moment(&second[i][j], (double)right.covariance[i][j]);
    }
    twin_close(&t);
    free(past.events);
}

LAW(draws_have_the_posterior_moments) {
    for_every_belief(draws_are_right);
}

static void mean_is_of_draws(const specimen *s) {
    history past = history_make(s->home, 5, 34);
    twin t;
    open_after(&t, s, &past);
    moments sample[COORDINATES_MAX] = {0};
    for (int n = 0; n < DRAWS / 5; n++) {
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        for (int j = 0; j < t.belief.shape.dim; j++) moments_add(&sample[j], t.world[j]);
    }
    /* belief_add_mean adds the mean, scaled, to the output: 7 - 2 mean. The rounding of that is a few units of
     * 1e-15. */
    double mean[COORDINATES_MAX], sum[COORDINATES_MAX];
    mean_of(&t, mean);
    for (int j = 0; j < t.belief.shape.dim; j++) sum[j] = 7.0;
    belief_add_mean(&t.belief, t.state, -2.0, sum);
    for (int j = 0; j < t.belief.shape.dim; j++) {
        assert_moment(&sample[j], mean[j]);
        assert_close(sum[j], 7.0 - 2.0 * mean[j], 1e-13);
    }
    twin_close(&t);
    free(past.events);
}

LAW(add_mean_is_the_mean_of_draws) {
    for_every_belief(mean_is_of_draws);
}

/* --------------------------------------------------- mixtures -------------------------------------------------- */

/* A single component has all the weight. The posterior is that of the component, and so are the worlds, after the
 * one draw that picks the component. */
LAW(mixture_of_one_is_that_one) {
    static const double weight[] = {0.3};
    const posse_part inner = {.kind = "gaussian", .options = {NUMBER("sd", 2.0)}};
    specimen bare = {&habitats[ARMS_5], inner}, wrapped = bare;
    wrapped.part =
        (posse_part){.kind = "mixture", .options = {{.key = "components", .part = &inner, .list = weight, .count = 1}}};
    history past = history_make(bare.home, 100, 2);
    twin t, u;
    open_after(&t, &bare, &past);
    open_after(&u, &wrapped, &past);
    for (int n = 0; n < 100; n++) {
        posse_draw_uniform(&t.draw);
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        belief_draw(&u.belief, u.state, &u.draw, u.world);
        assert_memory_equal(t.world, u.world, 5 * sizeof(double));
        assert_close(foretell(&t, bare.home, &past.events[n]), foretell(&u, bare.home, &past.events[n]), 1e-15);
    }
    twin_close(&t);
    twin_close(&u);
    free(past.events);
}

/* If the evidence is so one-sided that a weight vanishes (log weight beyond the range of exp), the other component
 * is used alone. */
LAW(mixture_survives_overwhelming_evidence) {
    static const double weights[] = {1.0, 1.0};
    static const posse_part sure[] = {
        {.kind = "gaussian", .options = {NUMBER("mean", 0.0), NUMBER("sd", 1e-3), NUMBER("noise", 1e-3)}},
        {.kind = "gaussian", .options = {NUMBER("mean", 50.0), NUMBER("sd", 1e-3), NUMBER("noise", 1e-3)}},
    };
    specimen s = {&habitats[ARMS_5],
                  {.kind = "mixture", .options = {{.key = "components", .part = sure, .list = weights, .count = 2}}}};
    history past = history_make(s.home, 0, 1);
    twin t;
    open_after(&t, &s, &past);
    for (int n = 0; n < 1000; n++) belief_update(&t.belief, t.state, n % 5, NULL, n % 2 == 0 ? 50.0 : 1e100);
    double mean[COORDINATES_MAX];
    mean_of(&t, mean);
    for (int j = 0; j < 5; j++) assert_true(isfinite(mean[j]));
    assert_true(part_state_sane(&t.belief.part, t.state));
    twin_close(&t);
    free(past.events);
}

/* ------------------------------------------- particles of odd weights ------------------------------------------ */

/* A variance that rounding makes negative, and a kernel whose square underflows to 0, count as no kernel. All
 * results stay finite. */
static void check_lopsided(double kernel) {
    const double rows[] = {0.3, 0.66, 0.88, 0.57}, weights[] = {8.8e-20, 0.41};
    const posse_part learner = {.kind = "thompson"};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior = (posse_part){
        .kind = "particles",
        .options = {LIST("table", rows), LIST("weights", weights), NUMBER("kernel", kernel), NUMBER("noise", 0.01)}};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    for (int i = 0; i < 5; i++) {
        posse_decision d;
        double means[2], deviations[2];
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, 0.3), POSSE_OK);
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        assert_int_equal(posse_deviations(p, NULL, deviations), POSSE_OK);
        for (int a = 0; a < 2; a++) assert_true(isfinite(means[a]) && isfinite(deviations[a]));
    }
    saved s = saved_from(p);
    posse_free(saved_loaded(&s));
    saved_drop(&s);
    posse_free(p);
}

LAW(particles_of_lopsided_weights_stay_numbers) {
    check_lopsided(0.1);
    check_lopsided(1.0);
    check_lopsided(1e-200);
}

/* ---------------------------------------------- particles of a file -------------------------------------------- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Particles from a file equal those from a table with the same rows. A saved posse reads the same file again. */
LAW(particles_of_a_file_are_those_of_a_table) {
    static const double rows[] = {0.0, 0.5, 1.0, -0.5, 0.25, 1.0, 0.0, 0.0, 0.5, 0.125};
    char path[] = "/tmp/posse_particles_XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    write_file(path, "a,b,c,d,e\n0,0.5,1,-0.5,0.25\n1,0,0,5e-1,0.125\n");
    const posse_part tabled = {.kind = "particles", .options = {LIST("table", rows), NUMBER("kernel", 0.5)}};
    const posse_part filed = {.kind = "particles", .options = {WORD("file", path), NUMBER("kernel", 0.5)}};
    const posse_part learner = {.kind = "thompson"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = &learner;
    def.learner_count = 1;
    def.prior = tabled;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 17);
    def.prior = filed;
    r.marchers[r.count++] = posse_made(&def);
    parade_march(&r, 100);
    parade_join(&r);
    parade_march(&r, 100);
    saved s = saved_from(r.marchers[2]);
    parade_leave(&r);
    static const char *const others[] = {"a,b,c,d,e\n0,0.5,1,-0.5,0.25\n1,0,0,5e-1,0.126\n", "a,b,c,d,e\n1,2,3,4,5\n",
                                         "a,b\n1,2\n", "a,b,c,d,e\n", "a,b,c,d,e\n1,2,3,4,1e51\n"};
    for (int i = 0; i < LENGTH(others); i++) {
        posse *p;
        write_file(path, others[i]);
        assert_true(posse_load(s.bytes, s.length, NULL, &p) != POSSE_OK);
        assert_null(p);
    }
    assert_int_equal(unlink(path), 0);
    posse *p;
    assert_true(posse_load(s.bytes, s.length, NULL, &p) != POSSE_OK);
    saved_drop(&s);
}

/* ------------------------------------------------- unknown noise ----------------------------------------------- */

/* Up to shape 1 the variance of a mean is infinite. A component that has lost all weight does not count. */
LAW(deviations_may_be_infinite) {
    static const double even[] = {1.0, 1.0};
    const posse_part wide = {.kind = "normal-gamma", .options = {NUMBER("shape", 1.0), NUMBER("mean", 1e40)}};
    const posse_part two[] = {wide, {.kind = "gaussian"}};
    const posse_part mixed = {.kind = "mixture", .options = {{"components", .part = two, .list = even, .count = 2}}};
    const posse_part learner = {.kind = "ucb"};
    double sds[5];
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = &learner;
    def.learner_count = 1;
    def.prior = wide;
    posse *p = posse_made(&def);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 0}, 1.0), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, sds), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_true(a == 0 ? isfinite(sds[a]) : sds[a] == INFINITY);
    posse_free(p);
    def.prior = mixed;
    p = posse_made(&def);
    assert_int_equal(posse_deviations(p, NULL, sds), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_true(sds[a] == INFINITY);
    for (int n = 0; n < 200; n++) assert_int_equal(posse_teach(p, &(posse_action){.arm = n % 5}, 0.1), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, sds), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_that(isfinite(sds[a]), "%g", sds[a]);
    posse_free(p);
}

/* ----------------------------------------------- information lock ---------------------------------------------- */

LAW(locks_have_their_sizes) {
    static const int arms[] = {1, 3, 6, 11, 20, 37};
    for (int k = 0; k < LENGTH(arms); k++) assert_int_equal(lock_regular_arms(arms[k]), 1 << k);
    for (int none = 0; none < 40; none++) {
        bool is_lock = false;
        for (int k = 0; k < LENGTH(arms); k++) is_lock = is_lock || arms[k] == none;
        if (!is_lock) assert_int_equal(lock_regular_arms(none), 0);
    }
}
