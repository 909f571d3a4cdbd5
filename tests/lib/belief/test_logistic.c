/* SPDX-License-Identifier: MIT */
/*
 * Logistic regression, one reward at a time, against minimisation by bisection and integrals by Simpson's rule, in long
 * double.
 */
#include <math.h>
#include <string.h>

#include "belief/logistic_regression.h"
#include "menagerie.h"

/* Scores before a reward that are tried: their means, variances and biases; and the rewards. */
static const double means[] = {-1000.0, -30.0, -4.0, -0.3, 0.0, 0.7, 6.0, 50.0, 1e5};
static const double variances[] = {1e-12, 1e-3, 0.3, 1.0, 3.9, 4.1, 30.0, 1e4, 1e9, 1e24};
static const double biases[] = {-40.0, -2.0, 0.0, 3.0};
static const double rewards[] = {0.0, 1.0, 0.5, 0.01};

typedef void check_score(double mean, double variance, double bias, double reward);

static void for_every_score(check_score *check, double widest) {
    for (int m = 0; m < LENGTH(means); m++)
        for (int v = 0; v < LENGTH(variances) && variances[v] <= widest; v++)
            for (int b = 0; b < LENGTH(biases); b++)
                for (int y = 0; y < LENGTH(rewards); y++) check(means[m], variances[v], biases[b], rewards[y]);
}

/* ---------------------------------------------------- the mode ------------------------------------------------- */

/* The derivative of (s - mean)^2 / (2 variance) - log q^y (1 - q)^(1 - y), times the variance, in z = s + bias. */
static long double slope(long double z, double mean, double variance, double bias, double reward) {
    long double e = expl(-fabsl(z)), tail = e / (1.0L + e);
    long double off = z < 0.0L ? reward - tail : reward - 1.0L + tail;
    return z - ((long double)mean + bias) - variance * off;
}

/* The place where the slope changes sign is within a few units in the last place of mean, bias and mode. */
static void check_mode(double mean, double variance, double bias, double reward) {
    double z = logistic_mode(mean, variance, bias, reward) + bias;
    double unit = 4e-16 * (fabs(mean) + fabs(bias) + fabs(z));
    long double below = slope(z - 4.0L * unit, mean, variance, bias, reward);
    long double above = slope(z + 4.0L * unit, mean, variance, bias, reward);
    assert_that(below <= 0.0L && above >= 0.0L, "mean %g, variance %g, bias %g, reward %g: no mode at %.17g", mean,
                variance, bias, reward, z - bias);
}

LAW(logistic_mode_is_where_the_posterior_is_largest) {
    for_every_score(check_mode, INFINITY);
}

/* ----------------------------------------------------- a step -------------------------------------------------- */

/* A root of the covariance that is not diagonal, as after some rewards. */
static void start(double *state, int dim, double spread) {
    double v[3];
    regression_start(state, dim, 1.0);
    for (int k = 0; k < dim; k++) {
        double x[3] = {0.5, -0.2, 0.1};
        x[k] += 1.0;
        regression_update(state, dim, 1.0, x, 0.3 * k - 0.2, v);
    }
    regression_scale(state, dim, spread);
}

static long double covariance(const double *state, int dim, int i, int j) {
    long double sum = 0.0L;
    for (int c = 0; c < dim; c++) sum += (long double)state[dim + c * dim + i] * state[dim + c * dim + j];
    return sum;
}

/* The gradient of the log posterior is 0 at the new mean, and the precision has grown by q (1 - q) x x^T. */
static void check_step(double spread, double bias, double reward, const double x[3]) {
    double state[12], before[12];
    const int dim = 3;
    start(state, dim, spread);
    memcpy(before, state, sizeof state);
    logistic_update(state, dim, bias, x, reward);
    long double score = bias;
    for (int j = 0; j < dim; j++) score += (long double)state[j] * x[j];
    long double q = 1.0L / (1.0L + expl(-score)), w = q * (1.0L - q);
    double grown = 1.0 + (double)w * regression_variance(before, dim, x);
    for (int i = 0; i < dim; i++) {
        long double along = 0.0L, size = fabsl(before[i]);
        for (int j = 0; j < dim; j++) along += covariance(before, dim, i, j) * x[j];
        size += fabsl(along);
        assert_close(state[i], (double)(before[i] + along * (reward - q)), (double)(1e-14L * (1.0L + size)));
        /* after = before - w / (1 + w v) (before x) (before x)^T, so after (1 + w x (before x)^T) = before */
        for (int k = 0; k < dim; k++) {
            long double down = 0.0L, after_x = 0.0L;
            for (int j = 0; j < dim; j++) {
                down += covariance(before, dim, k, j) * x[j];
                after_x += covariance(state, dim, i, j) * x[j];
            }
            long double again = covariance(state, dim, i, k) + w * after_x * down;
            assert_close((double)again, (double)covariance(before, dim, i, k), 1e-14 * grown * spread * spread);
        }
    }
}

LAW(logistic_step_ends_at_the_mode_with_its_curvature) {
    const double points[][3] = {{1.0, 0.0, 0.0}, {0.3, -2.0, 1.0}, {5.0, 5.0, -7.0}, {0.0, 0.0, 0.0}};
    const double spreads[] = {0.01, 1.0, 20.0};
    for (int p = 0; p < LENGTH(points); p++)
        for (int s = 0; s < LENGTH(spreads); s++)
            for (int b = 0; b < LENGTH(biases); b++)
                for (int y = 0; y < LENGTH(rewards); y++) check_step(spreads[s], biases[b], rewards[y], points[p]);
}

/* An unexpected reward moves the score as far as the prior allows, and never raises the variance. If it is repeated,
 * the belief follows it. So q (1 - q) needs no lower bound. */
LAW(surprises_are_learned_from) {
    double theta[2] = {0.0, 3.0};
    const double x = 1.0, bias = -12.0;
    int needed = 0;
    while (theta[0] + bias < 0.0 && needed < 100) {
        double variance = theta[1] * theta[1], mean = theta[0];
        logistic_update(theta, 1, bias, &x, 1.0);
        assert_true(theta[0] > mean);
        assert_true(theta[1] * theta[1] <= variance);
        needed++;
    }
    assert_true(needed == 2);
    for (int n = 0; n < 10000; n++) logistic_update(theta, 1, bias, &x, 0.2);
    assert_close(1.0 / (1.0 + exp(-theta[0] - bias)), 0.2, 0.01);
}

/* ------------------------------------------------- integrals --------------------------------------------------- */

static long double log_likelihood(long double score, double reward) {
    return reward * score - (score > 0.0L ? score + log1pl(expl(-score)) : log1pl(expl(score)));
}

/*
 * The integrals of q^n (n = 0, 1, 2), each times q^y (1 - q)^(1 - y) and the density, by Simpson's rule around the
 * largest place of the integrand.
 */
static long double integral(int power, double mean, double variance, double bias, double reward, bool weighted) {
    const int steps = 4000;
    long double deviation = sqrtl(variance), sum = 0.0L, reach = 12.0L;
    long double centre = weighted ? logistic_mode(mean, variance, bias, reward) : mean;
    for (int k = 0; k <= steps; k++) {
        long double s = centre + deviation * reach * (2.0L * k / steps - 1.0L), z = (s - mean) / deviation;
        long double log_term = -z * z / 2.0L, q = 1.0L / (1.0L + expl(-s - bias));
        if (weighted) log_term += log_likelihood(s + bias, reward);
        long double term = expl(log_term) * (power == 0 ? 1.0L : power == 1 ? q : q * q);
        sum += term * (k == 0 || k == steps ? 1.0L : k % 2 == 1 ? 4.0L : 2.0L);
    }
    return sum * 2.0L * reach / steps / 3.0L / 2.50662827463100050242L;
}

static void check_integrals(double mean, double variance, double bias, double reward) {
    double value, spread, log_evidence = logistic_evidence(mean, variance, bias, reward);
    logistic_moments(mean, variance, bias, &value, &spread);
    long double first = integral(1, mean, variance, bias, 0.0, false);
    long double second = integral(2, mean, variance, bias, 0.0, false);
    assert_close(value, (double)first, 1e-10);
    assert_close(spread, (double)(second - first * first), 1e-10);
    long double evidence = integral(0, mean, variance, bias, reward, true);
    if (evidence > 0.0L) assert_close(log_evidence, (double)logl(evidence), 1e-9 + 1e-14 * fabs(log_evidence));
}

LAW(logistic_integrals_are_those_of_simpson) {
    for_every_score(check_integrals, 30.0);
}

/* The probabilities of the rewards 0 and 1 sum to 1, and the mean is the probability of 1. Without variance, the
 * mean is the sigmoid. */
static void check_probabilities(double mean, double variance, double bias, double reward) {
    (void)reward;
    double value, spread, one = exp(logistic_evidence(mean, variance, bias, 1.0));
    logistic_moments(mean, variance, bias, &value, &spread);
    assert_close(one + exp(logistic_evidence(mean, variance, bias, 0.0)), 1.0, 1e-9);
    assert_close(value, one, 1e-9);
    assert_true(spread >= 0.0 && spread <= value * (1.0 - value) + 1e-12);
    logistic_moments(mean, 0.0, bias, &value, &spread);
    assert_close(value, 1.0 / (1.0 + exp(-mean - bias)), 1e-14);
    assert_close(spread, 0.0, 1e-15);
    assert_close(exp(logistic_evidence(mean, 0.0, bias, 1.0)), value, 1e-14);
}

LAW(logistic_probabilities_make_one) {
    for_every_score(check_probabilities, 1e4);
}

/* --------------------------------------------------- the belief ------------------------------------------------ */

/* Worlds have the mean and the covariance of each theta's regression. The thetas of two arms are independent. */
static void check_draws(const char *model) {
    const double x[2][2] = {{1.0, 0.5}, {-0.3, 1.0}};
    posse_part belief = {.kind = "logistic", .options = {WORD("model", model), NUMBER("precision", 0.5)}};
    posse_def def = {.arms = 2, .dim = 2, .seed = 4};
    twin t;
    twin_open(&t, &def, &belief);
    for (int n = 0; n < 20; n++) belief_update(&t.belief, t.state, n % 2, x[n / 2 % 2], n % 3 == 0);
    int dim = t.belief.shape.dim;
    assert_int_equal(dim, t.belief.model.disjoint ? 4 : 2);
    double mean[4] = {0};
    moments first[4] = {0}, second[4][4] = {0};
    belief_add_mean(&t.belief, t.state, 1.0, mean);
    for (int n = 0; n < 100000; n++) {
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        for (int i = 0; i < dim; i++) moments_add(&first[i], t.world[i]);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j <= i; j++) moments_add(&second[i][j], (t.world[i] - mean[i]) * (t.world[j] - mean[j]));
    }
    for (int i = 0; i < dim; i++) {
        assert_mean(&first[i], mean[i]);
        for (int j = 0; j <= i; j++) {
            const double *theta = (const double *)t.state + 6 * (size_t)(i / 2);
            assert_mean(&second[i][j], i / 2 == j / 2 ? (double)covariance(theta, 2, i % 2, j % 2) : 0.0);
        }
    }
    twin_close(&t);
}

LAW(logistic_worlds_have_the_moments_of_the_posterior) {
    check_draws("joint");
    check_draws("disjoint");
}

static void refused(int arms, int dim, int context, posse_option option, const char *message) {
    static const double points[] = {0.1, 0.2, 0.3, 0.4};
    notes n = {0};
    posse_part belief = {.kind = "logistic", .options = {option}};
    posse_part learner = {.kind = "thompson", .options = {{.key = "belief", .part = &belief}}};
    posse_def def = posse_default_def();
    def.arms = arms;
    def.dim = dim;
    def.context = context;
    def.points = dim > 0 && context == 0 ? points : NULL;
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&n);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&n, message);
}

LAW(logistic_beliefs_need_features_that_tell_arms_apart) {
    refused(2, 0, 0, (posse_option){0},
            "learners[0].belief: a logistic belief needs arms with coordinates or rounds with features, and these "
            "arms are independent");
    refused(2, 0, 3, (posse_option)WORD("inference", "exact"),
            "learners[0].belief.inference: `exact` counts the rewards of each arm, but these rounds have features");
    refused(2, 0, 3, (posse_option)NUMBER("steps", 3),
            "learners[0].belief.steps: goes with inference `langevin`, not with `laplace`");
    refused(2, 0, 3, (posse_option)WORD("model", "joint"),
            "learners[0].belief.model: joint, but the arms share all features");
}

LAW(logistic_kinds_learn_from_rewards_in_0_to_1) {
    const double shared[] = {1.0, -0.5};
    const posse_context context = {.shared = shared};
    const posse_part learners[] = {{.kind = "logistic-ucb"}, {.kind = "logistic-thompson"}, {.kind = "thompson"}};
    for (int i = 0; i < LENGTH(learners); i++) {
        posse_def def = posse_default_def();
        def.arms = 3;
        def.context = 2;
        def.prior = (posse_part){.kind = "logistic"};
        def.selector = (posse_part){0};
        def.learners = &learners[i];
        def.learner_count = 1;
        posse *p = posse_made(&def);
        assert_true(posse_unit_rewards(p));
        assert_refused(p, posse_teach(p, &(posse_action){.arm = 0, .context = &context}, 1.1), POSSE_ERROR_REWARD);
        assert_int_equal(posse_teach(p, &(posse_action){.arm = 0, .context = &context}, 0.4), POSSE_OK);
        posse_free(p);
    }
}
