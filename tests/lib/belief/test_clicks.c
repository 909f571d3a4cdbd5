/* SPDX-License-Identifier: MIT */
/*
 * The logistic belief over arms with points: its normal approximations against the equations that define them, its
 * draws against integrals over a grid, all computed from the rewards in long double; and the learners that share its
 * code. The belief for rounds with features, which learns one reward at a time, is tested in test_logistic.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "belief/logistic_counts.h"
#include "oracle.h"

#define DIM_CAP 10
#define ARMS_CAP 50

/* ---------------------------------------------------- problems ------------------------------------------------- */

/* A problem: arms, a prior, and a number of rewards, whose arms and values are drawn at random. */
typedef struct problem {
    int dim, arms, rewards;
    double precision, bias;
    double scale;  /* half-width of the range of coordinates */
    double chance; /* probability that a reward is 1; below 0: that of a theta drawn at random */
} problem;

static const problem problems[] = {
    {1, 3, 40, 1.0, 0.0, 1.0, -1.0},    {3, 7, 200, 1.0, -1.0, 1.0, -1.0},   {10, 50, 400, 1.0, 0.0, 0.3, -1.0},
    {10, 50, 400, 0.1, 0.0, 0.3, -1.0}, {3, 7, 300, 1e-6, 0.0, 1.0, -1.0},   {2, 5, 100, 0.01, 2.0, 3.0, 1.0},
    {2, 5, 100, 100.0, 0.0, 1.0, 0.0},  {10, 50, 60, 1e-10, -3.0, 1.0, 1.0}, {1, 1, 500, 1e-12, 5.0, 10.0, 0.0},
    {5, 2, 300, 1.0, 0.5, 2.0, 0.5},
};

/* A belief without a posse, after it has learned the rewards of a problem. */
typedef struct pupil {
    problem p;
    double points[ARMS_CAP * DIM_CAP], plays[ARMS_CAP], sums[ARMS_CAP];
    twin t;
} pupil;

static void pupil_open(pupil *u, const problem *p, const char *inference, uint64_t seed) {
    uint64_t source = seed;
    double theta[DIM_CAP];
    *u = (pupil){.p = *p};
    for (int j = 0; j < p->dim; j++) theta[j] = 3.0 * (random_uniform(&source) - 0.5) / sqrt(p->precision);
    for (int i = 0; i < p->arms * p->dim; i++) u->points[i] = 2.0 * p->scale * (random_uniform(&source) - 0.5);
    posse_def def = posse_default_def();
    def.arms = p->arms, def.dim = p->dim, def.points = u->points;
    posse_part belief = {
        .kind = "logistic",
        .options = {NUMBER("precision", p->precision), NUMBER("bias", p->bias), WORD("inference", inference)}};
    twin_open(&u->t, &def, &belief);
    for (int n = 0; n < p->rewards; n++) {
        int arm = (int)random_below(&source, (uint64_t)p->arms);
        const double *x = u->points + arm * p->dim;
        double chance = p->chance < 0.0 ? 1.0 / (1.0 + exp(-dot(theta, x, p->dim) - p->bias)) : p->chance;
        double reward = n % 7 == 3 && p->chance < 0.0 ? chance : random_uniform(&source) < chance;
        belief_update(&u->t.belief, u->t.state, arm, x, reward);
        u->plays[arm] += 1.0;
        u->sums[arm] += reward;
    }
}

/* The normal approximation in the state: the mean, followed by the root of the covariance. */
static const double *normal_of(const pupil *u) {
    return (const double *)u->t.state + 2 * u->p.arms;
}

static long double covariance_of(const pupil *u, int i, int j) {
    int dim = u->p.dim;
    const double *root = normal_of(u) + dim;
    long double sum = 0.0L;
    for (int k = 0; k < dim; k++) sum += (long double)root[k * dim + i] * root[k * dim + j];
    return sum;
}

static long double score_at(const pupil *u, const long double *theta, int arm) {
    long double s = u->p.bias;
    for (int j = 0; j < u->p.dim; j++) s += theta[j] * u->points[arm * u->p.dim + j];
    return s;
}

static long double chance_at(long double score) {
    return 1.0L / (1.0L + expl(-score));
}

/* The Hessian H with the weights n w, and its Cholesky factor. */
static void curvature(const pupil *u, const long double *weights, long double *h) {
    int dim = u->p.dim;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            h[i * dim + j] = i == j ? u->p.precision : 0.0L;
            for (int a = 0; a < u->p.arms; a++)
                h[i * dim + j] +=
                    u->plays[a] * weights[a] * (long double)u->points[a * dim + i] * u->points[a * dim + j];
        }
    factorize(dim, h);
}

/* The largest entry of H Sigma - I, where Sigma is the covariance of the belief. The right covariance is H^-1. */
static double covariance_off(const pupil *u, const long double *factor) {
    int dim = u->p.dim;
    long double worst = 0.0L, column[DIM_CAP];
    for (int j = 0; j < dim; j++) {
        /* Column j of H Sigma = L (L^T Sigma). */
        long double half[DIM_CAP];
        for (int i = 0; i < dim; i++) column[i] = covariance_of(u, i, j);
        for (int i = 0; i < dim; i++) {
            half[i] = 0.0L;
            for (int k = i; k < dim; k++) half[i] += factor[k * dim + i] * column[k];
        }
        for (int i = 0; i < dim; i++) {
            long double entry = i == j ? -1.0L : 0.0L;
            for (int k = 0; k <= i; k++) entry += factor[i * dim + k] * half[k];
            worst = fmaxl(worst, fabsl(entry));
        }
    }
    return (double)worst;
}

/* ---------------------------------------------- Laplace's approximation ---------------------------------------- */

/* The length of Newton's step at the mean, in posterior standard deviations. `factor` becomes that of H there. */
static double step_left(const pupil *u, long double *factor) {
    int dim = u->p.dim;
    long double theta[DIM_CAP], weights[ARMS_CAP], slope[DIM_CAP] = {0}, step[DIM_CAP], square = 0.0L;
    for (int j = 0; j < dim; j++) theta[j] = normal_of(u)[j], slope[j] = -u->p.precision * theta[j];
    for (int a = 0; a < u->p.arms; a++) {
        long double q = chance_at(score_at(u, theta, a)), other = chance_at(-score_at(u, theta, a));
        weights[a] = q * other;
        for (int j = 0; j < dim; j++)
            slope[j] += (u->sums[a] * other - (u->plays[a] - u->sums[a]) * q) * u->points[a * dim + j];
    }
    curvature(u, weights, factor);
    memcpy(step, slope, sizeof step);
    solve(dim, factor, step);
    for (int j = 0; j < dim; j++) square += step[j] * slope[j];
    return (double)sqrtl(fmaxl(square, 0.0L));
}

LAW(laplace_ends_at_the_mode_with_its_curvature) {
    for (int i = 0; i < LENGTH(problems); i++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            pupil u;
            long double factor[DIM_CAP * DIM_CAP];
            pupil_open(&u, &problems[i], "laplace", seed);
            double left = step_left(&u, factor), off = covariance_off(&u, factor);
            assert_that(left < 1e-3, "problem %d: %g standard deviations from the mode", i, left);
            assert_that(off < 0.05, "problem %d: covariance off by %g of it", i, off);
            twin_close(&u.t);
        }
}

/* The same rewards in any order leave the same belief, up to the remaining error of Newton's method. */
static void assert_order_is_nothing(const char *inference, double most) {
    const posse_part belief = {.kind = "logistic", .options = {WORD("inference", inference)}};
    const specimen s = {&habitats[COUPONS_7], belief};
    history past = history_make(s.home, 500, 3);
    twin t, u;
    double mean[COORDINATES_MAX], other[COORDINATES_MAX];
    open_after(&t, &s, &past);
    history_shuffle(&past, 8);
    open_after(&u, &s, &past);
    mean_of(&t, mean);
    mean_of(&u, other);
    for (int a = 0; a < s.home->arms; a++) assert_close(mean[a], other[a], most);
    twin_close(&t);
    twin_close(&u);
    free(past.events);
}

LAW(clicks_in_any_order_say_the_same) {
    assert_order_is_nothing("laplace", 1e-6);
    assert_order_is_nothing("variational", 1e-3);
}

/* ------------------------------------------------ the variational bound ---------------------------------------- */

/* xi must be the root of E(s^2), and mean and covariance those of the bound that touches the likelihood at xi. */
LAW(variational_belief_is_the_fixed_point_of_its_equations) {
    for (int i = 0; i < LENGTH(problems); i++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            pupil u;
            pupil_open(&u, &problems[i], "variational", seed);
            int dim = u.p.dim;
            const double *xi = normal_of(&u) + dim + dim * dim;
            long double weights[ARMS_CAP], factor[DIM_CAP * DIM_CAP], mean[DIM_CAP] = {0}, now[DIM_CAP];
            for (int j = 0; j < dim; j++) now[j] = normal_of(&u)[j];
            for (int a = 0; a < u.p.arms; a++) {
                const double *x = u.points + a * dim;
                long double s = score_at(&u, now, a), variance = 0.0L;
                for (int j = 0; j < dim * dim; j++)
                    variance += covariance_of(&u, j / dim, j % dim) * x[j / dim] * x[j % dim];
                long double right = sqrtl(variance + s * s);
                if (u.plays[a] > 0.0) assert_close(xi[a] / (double)right, 1.0, 5e-3);
                weights[a] = tanhl(right / 2.0L) / (2.0L * right);
                for (int j = 0; j < dim; j++)
                    mean[j] += (u.sums[a] - 0.5L * u.plays[a] - u.plays[a] * weights[a] * u.p.bias) * x[j];
            }
            curvature(&u, weights, factor);
            solve(dim, factor, mean);
            assert_that(covariance_off(&u, factor) < 0.02, "problem %d: %g", i, covariance_off(&u, factor));
            for (int j = 0; j < dim; j++) {
                double sd = sqrt((double)covariance_of(&u, j, j));
                assert_that(fabs((double)(now[j] - mean[j])) < 0.02 * sd + 0.005 * fabs((double)mean[j]),
                            "problem %d: %g for %g", i, (double)now[j], (double)mean[j]);
            }
            twin_close(&u.t);
        }
}

/* ------------------------------------------------------- draws ------------------------------------------------- */

/* Mean rewards of arms and their squares, over a fine grid of two coordinates that is much wider than the posterior. */
static void integrate(const pupil *u, long double *means, long double *squares) {
    const int half = 300;
    long double total = 0.0L;
    memset(means, 0, ARMS_CAP * sizeof *means);
    memset(squares, 0, ARMS_CAP * sizeof *squares);
    double reach = 7.0 / sqrt(u->p.precision);
    for (int i = -half; i <= half; i++)
        for (int j = -half; j <= half; j++) {
            long double theta[2] = {reach * i / half, reach * j / half}, log_density, q[ARMS_CAP];
            log_density = -0.5L * u->p.precision * (theta[0] * theta[0] + theta[1] * theta[1]);
            for (int a = 0; a < u->p.arms; a++) {
                long double s = score_at(u, theta, a);
                q[a] = chance_at(s);
                log_density += u->sums[a] * s - u->plays[a] * (fmaxl(s, 0.0L) + log1pl(expl(-fabsl(s))));
            }
            long double density = expl(log_density);
            total += density;
            for (int a = 0; a < u->p.arms; a++) means[a] += density * q[a], squares[a] += density * q[a] * q[a];
        }
    for (int a = 0; a < u->p.arms; a++) means[a] /= total, squares[a] /= total;
}

/* The largest error of a mean reward over arms, in posterior standard deviations; and of a deviation, as a share. */
typedef struct misses {
    double mean, deviation;
} misses;

static misses misses_of(const pupil *u, int draws, double *drawn) {
    long double means[ARMS_CAP], squares[ARMS_CAP];
    moments seen[ARMS_CAP] = {{0}};
    integrate(u, means, squares);
    for (int n = 0; n < draws; n++) {
        belief_draw(&u->t.belief, u->t.state, (posse_draw *)(uintptr_t)&u->t.draw, drawn);
        for (int a = 0; a < u->p.arms; a++) moments_add(&seen[a], drawn[a]);
    }
    misses m = {0};
    for (int a = 0; a < u->p.arms; a++) {
        double right = (double)means[a], sd = sqrt((double)squares[a] - right * right), mean = moments_mean(&seen[a]);
        m.mean = fmax(m.mean, fabs(mean - right) / sd);
        m.deviation = fmax(m.deviation, fabs(sqrt(seen[a].squares / seen[a].count - mean * mean) / sd - 1.0));
    }
    return m;
}

static misses misses_with(posse_option inference, posse_option more, int draws) {
    static const problem few = {2, 5, 12, 0.1, 0.0, 1.0, -1.0};
    misses worst = {0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        pupil u;
        double drawn[ARMS_CAP];
        pupil_open(&u, &few, "laplace", seed); /* only for its rewards */
        posse_part belief = {.kind = "logistic", .options = {NUMBER("precision", 0.1), inference, more}};
        posse_def def = posse_default_def();
        def.arms = few.arms, def.dim = few.dim, def.points = u.points;
        twin t = u.t;
        twin_open(&u.t, &def, &belief);
        for (int a = 0; a < few.arms; a++)
            for (int n = 0; n < (int)u.plays[a]; n++)
                belief_update(&u.t.belief, u.t.state, a, u.points + a * few.dim, u.sums[a] / u.plays[a]);
        misses m = misses_of(&u, draws, drawn);
        worst = (misses){fmax(worst.mean, m.mean), fmax(worst.deviation, m.deviation)};
        twin_close(&t);
        twin_close(&u.t);
    }
    return worst;
}

/* After twelve rewards and a wide prior, where a normal posterior is far off. 30,000 draws leave errors of 0.02. */
LAW(draws_of_clicks_are_those_of_the_posterior) {
    int draws = (int)(30000 * law_effort());
    const posse_option none = {0};
    misses laplace = misses_with((posse_option)WORD("inference", "laplace"), none, draws);
    misses bound = misses_with((posse_option)WORD("inference", "variational"), none, draws);
    misses exact = misses_with((posse_option)WORD("inference", "exact"), none, draws);
    misses more = misses_with((posse_option)WORD("inference", "exact"), (posse_option)NUMBER("candidates", 200), draws);
    misses chain = misses_with((posse_option)WORD("inference", "langevin"), none, draws);
    misses longer = misses_with((posse_option)WORD("inference", "langevin"), (posse_option)NUMBER("steps", 100), draws);
    const struct {
        const char *name;
        misses m;
        double most;
    } all[] = {{"laplace", laplace, 3.0}, {"variational", bound, 3.0},
               {"exact", exact, 0.12},    {"exact, 200 candidates", more, 0.05},
               {"langevin", chain, 0.2},  {"langevin, 100 steps", longer, 0.05}};
    for (int i = 0; i < LENGTH(all); i++) {
        print_message("%s: means off by up to %.3f standard deviations, deviations by %.3f of them\n", all[i].name,
                      all[i].m.mean, all[i].m.deviation);
        assert_true(all[i].m.mean < all[i].most && all[i].m.deviation < all[i].most);
    }
    assert_true(exact.mean < laplace.mean && chain.mean < laplace.mean);
}

/* --------------------------------------------------- acceptance ------------------------------------------------ */

static posse *with_inference(const char *inference) {
    const posse_part belief = {.kind = "logistic", .options = {WORD("inference", inference)}};
    const posse_part learners[] = {{.kind = "thompson", .name = "a"}, {.kind = "logistic-ucb", .name = "b"}};
    posse_def def = habitat_def(&habitats[COUPONS_7]);
    def.prior = belief;
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    for (int n = 0; n < 200; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, d.arm < 3), POSSE_OK);
    }
    return p;
}

LAW(acceptance_of_a_chain_is_told) {
    posse *p = with_inference("langevin"), *q = with_inference("langevin"), *r = with_inference("exact");
    double share, again;
    assert_int_equal(posse_acceptance(p, 500, &share), POSSE_OK);
    assert_int_equal(posse_acceptance(p, 500, &again), POSSE_OK);
    assert_true(share > 0.5 && share < 1.0 && share == again);
    for (int n = 0; n < 20; n++) assert_int_equal(decided(p).arm, decided(q).arm);
    assert_int_equal(posse_acceptance(r, 500, &share), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_acceptance(p, 0, &share), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_acceptance(NULL, 1, &share), POSSE_ERROR_ARGUMENT);
    posse_free(p);
    posse_free(q);
    posse_free(r);
}

/* ----------------------------------------------------- learners ------------------------------------------------ */

/* With width 1 the learner draws what Thompson sampling with the belief does, and the largest score is the best arm. */
LAW(logistic_thompson_is_thompson_with_the_belief) {
    const posse_part clicks = {.kind = "logistic", .options = {NUMBER("precision", 0.5), NUMBER("bias", -0.5)}};
    const posse_part by_itself = {.kind = "logistic-thompson",
                                  .name = "same",
                                  .options = {NUMBER("width", 1), NUMBER("precision", 0.5), NUMBER("bias", -0.5)}};
    const posse_part by_belief = {.kind = "thompson", .name = "same", .options = {{.key = "belief", .part = &clicks}}};
    posse_def def = habitat_def(&habitats[COUPONS_7]);
    def.selector = (posse_part){0};
    def.learner_count = 1;
    def.learners = &by_itself;
    posse *p = posse_made(&def);
    def.learners = &by_belief;
    posse *q = posse_made(&def);
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p), e = decided(q);
        assert_int_equal(d.arm, e.arm);
        assert_int_equal(posse_learn(p, d.id, (n * n) % 3 == d.arm % 2), POSSE_OK);
        assert_int_equal(posse_learn(q, e.id, (n * n) % 3 == e.arm % 2), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
}

/* The learner plays the arm with the largest mean score + width x deviation, computed from a belief with the same
 * rewards. */
LAW(logistic_ucb_takes_the_largest_bound) {
    const posse_part learner = {.kind = "logistic-ucb", .options = {NUMBER("width", 0.7), NUMBER("precision", 0.3)}};
    posse_def def = habitat_def(&habitats[COUPONS_7]);
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    posse_part belief = {.kind = "logistic", .options = {NUMBER("precision", 0.3)}};
    pupil u = {.p = {.dim = 3, .arms = 7}};
    memcpy(u.points, habitats[COUPONS_7].points, 21 * sizeof(double));
    twin_open(&u.t, &def, &belief);
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        double bounds[7];
        for (int a = 0; a < 7; a++) {
            const double *x = u.points + 3 * a;
            long double variance = 0.0L;
            for (int j = 0; j < 9; j++) variance += covariance_of(&u, j / 3, j % 3) * x[j / 3] * x[j % 3];
            bounds[a] = dot(normal_of(&u), x, 3) + 0.7 * sqrt((double)variance);
        }
        assert_true(bounds[d.arm] >= bounds[largest(bounds, 7)] - 1e-12);
        double reward = (n * n) % 5 > d.arm;
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        belief_update(&u.t.belief, u.t.state, d.arm, u.points + 3 * d.arm, reward);
    }
    twin_close(&u.t);
    posse_free(p);
}

/* ----------------------------------------------------- refusals ------------------------------------------------ */

static void refused(const habitat *h, const char *kind, posse_option option, const char *message) {
    notes n = {0};
    posse_part learner = {.kind = kind, .options = {option}};
    posse_part belief = {.kind = "logistic", .options = {option}};
    if (strcmp(kind, "thompson") == 0) learner.options[0] = (posse_option){.key = "belief", .part = &belief};
    posse_def def = habitat_def(h);
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&n);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&n, message);
}

LAW(clicks_need_separate_arms_with_points) {
    const habitat *coupons = &habitats[COUPONS_7], *ball = &habitats[BALL_3], *arms = &habitats[ARMS_5];
    const posse_option none = {0};
    refused(ball, "thompson", none, "learners[0].belief: a logistic belief needs separate arms");
    refused(ball, "logistic-ucb", none, "learners[0]: logistic-ucb needs separate arms");
    refused(arms, "logistic-thompson", none, "learners[0]: logistic-thompson needs arms with coordinates or rounds");
    refused(coupons, "thompson", (posse_option)NUMBER("candidates", 3),
            "learners[0].belief.candidates: goes with inference `exact`, not with `laplace`");
    refused(coupons, "thompson", (posse_option)WORD("model", "joint"),
            "learners[0].belief.model: joint, but rounds have no features");
}
