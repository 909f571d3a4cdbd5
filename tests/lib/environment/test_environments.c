/* SPDX-License-Identifier: MIT */
/*
 * Environments: instances follow the prior, rewards follow the instance, regret follows the means, and arms are where
 * their set has them. The prior that an environment names is the right belief about it.
 */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "helpers.h"
#include "model/registry.h"
#include "numeric/elementary.h"

#define ARMS_CAP 32

static const double prior_means[] = {-1.0, 0.0, 3.0}, prior_sds[] = {0.5, 1.0, 2.0};
static const posse_part gaussian = {
    .kind = "gaussian",
    .options = {NUMBER("arms", 3), LIST("prior.mean", prior_means), LIST("prior.sd", prior_sds), NUMBER("noise", 0.7)}};
static const double alphas[] = {1.0, 0.5, 6.0}, betas[] = {1.0, 2.0, 3.0};
static const posse_part bernoulli = {
    .kind = "bernoulli", .options = {NUMBER("arms", 3), LIST("prior.alpha", alphas), LIST("prior.beta", betas)}};
static const posse_part poisson = {
    .kind = "poisson", .options = {NUMBER("arms", 3), LIST("prior.shape", alphas), LIST("prior.rate", betas)}};
static const posse_part linear = {.kind = "linear",
                                  .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 12),
                                              NUMBER("prior.precision", 4.0), NUMBER("noise", 2.0)}};
static const posse_part logistic = {.kind = "logistic",
                                    .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 12),
                                                NUMBER("prior.precision", 0.25), NUMBER("bias", -0.5)}};
static const posse_part lock = {.kind = "information-lock", .options = {NUMBER("arms", 8), NUMBER("noise", 0.5)}};
static const posse_part ball = {.kind = "linear",
                                .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), WORD("arms.count", "all"),
                                            NUMBER("prior.precision", 4.0), NUMBER("noise", 0.5)}};

static const posse_part halves[] = {
    {.kind = "joint-gaussian",
     .options = {LIST("mean", prior_means), NUMBER("correlation", 0.8), NUMBER("noise", 0.7)}},
    {.kind = "joint-gaussian", .options = {NUMBER("mean", 0.5), NUMBER("sd", 0.3), NUMBER("noise", 0.7)}}};
static const double equal[] = {1.0, 1.0};
static const posse_part two_halves = {.kind = "mixture",
                                      .options = {{"components", .part = halves, .list = equal, .count = 2}}};
static const posse_part of_worlds = {.kind = "worlds", .options = {NUMBER("arms", 3), {"prior", .part = &two_halves}}};

static const posse_part drifting = {.kind = "drifting", .options = {NUMBER("arms", 4), NUMBER("drift", 0.3)}};
static const posse_part shifting = {.kind = "shifting", .options = {NUMBER("arms", 4), NUMBER("every", 5)}};

/* Environments with separate arms, and the standard deviation of their rewards; 0: that of a success or failure, or
 * of a count. test_drift.c has more tests of environments that move. */
static const struct world {
    const posse_part *part;
    double noise;
    bool moves, counts;
} worlds[] = {{&gaussian, 0.7, false, false}, {&bernoulli, 0.0, false, false}, {&linear, 2.0, false, false},
              {&lock, 0.5, false, false},     {&drifting, 1.0, true, false},   {&shifting, 1.0, true, false},
              {&poisson, 0.0, false, true},   {&of_worlds, 0.7, false, false}, {&logistic, 0.0, false, false}};

/* A decision to play an arm of an environment. */
static posse_decision playing(const posse_environment *e, int arm) {
    posse_def def = posse_environment_def(e);
    return (posse_decision){.arm = arm, .point = def.points != NULL ? def.points + arm * def.dim : NULL};
}

static double reward_of(posse_environment *e, int arm) {
    posse_decision d = playing(e, arm);
    return posse_environment_reward(e, &d);
}

static double regret_of(const posse_environment *e, int arm) {
    posse_decision d = playing(e, arm);
    return posse_environment_regret(e, &d);
}

/*
 * Environments whose rounds have features are tested in test_environments_in_contexts.c, and those whose rounds are
 * episodes in test_episodes.c.
 */
LAW(every_environment_kind_is_looked_at) {
    for (int kind = 0; kind < posse_kind_count(POSSE_FAMILY_ENVIRONMENT); kind++) {
        const posse_environment_ops *ops = OPS_OF(posse_environment_ops, registry_kind(POSSE_FAMILY_ENVIRONMENT, kind));
        bool found = ops->bring != NULL || ops->episode != NULL;
        for (int w = 0; w < LENGTH(worlds); w++)
            found = found || strcmp(worlds[w].part->kind, posse_kind_name(POSSE_FAMILY_ENVIRONMENT, kind)) == 0;
        assert_that(found, "%s is in none of these laws", posse_kind_name(POSSE_FAMILY_ENVIRONMENT, kind));
    }
}

/* --------------------------------------------------- instances ------------------------------------------------- */

#define INSTANCES 50000

/* First and second moments of the truth over instances: means, variances, and no correlation. */
static void check_instances(const posse_part *part_, int count, const double *means, const double *variances) {
    posse_environment *e = environment_made(part_, 1);
    moments first[ARMS_CAP] = {0}, second[ARMS_CAP] = {0}, mixed[ARMS_CAP] = {0};
    for (uint32_t run = 0; run < INSTANCES; run++) {
        double truth[ARMS_CAP];
        posse_environment_begin(e, run);
        posse_environment_means(e, truth);
        for (int a = 0; a < count; a++) {
            double off = truth[a] - means[a], next = truth[(a + 1) % count] - means[(a + 1) % count];
            moments_add(&first[a], truth[a]);
            moments_add(&second[a], off * off);
            moments_add(&mixed[a], off * next);
        }
    }
    for (int a = 0; a < count; a++) {
        assert_mean(&first[a], means[a]);
        assert_mean(&second[a], variances[a]);
        assert_mean(&mixed[a], 0.0);
    }
    posse_environment_free(e);
}

LAW(instances_follow_the_prior) {
    double means[ARMS_CAP], variances[ARMS_CAP];
    for (int a = 0; a < 3; a++) variances[a] = prior_sds[a] * prior_sds[a];
    check_instances(&gaussian, 3, prior_means, variances);
    for (int a = 0; a < 3; a++) {
        double sum = alphas[a] + betas[a];
        means[a] = alphas[a] / sum;
        variances[a] = means[a] * (1.0 - means[a]) / (sum + 1.0);
    }
    check_instances(&bernoulli, 3, means, variances);
    for (int a = 0; a < 3; a++) {
        means[a] = alphas[a] / betas[a];
        variances[a] = means[a] / betas[a];
    }
    check_instances(&poisson, 3, means, variances);
    for (int j = 0; j < 3; j++) { /* the means of the ball are theta itself */
        means[j] = 0.0;
        variances[j] = 0.25;
    }
    check_instances(&ball, 3, means, variances);
}

LAW(every_lock_is_equally_likely) {
    posse_environment *e = environment_made(&lock, 1);
    double times[8] = {0};
    for (uint32_t run = 0; run < INSTANCES; run++) {
        double means[ARMS_CAP];
        posse_environment_begin(e, run);
        posse_environment_means(e, means);
        times[largest(means, 11) - 3] += 1.0;
    }
    for (int j = 0; j < 8; j++) {
        double z = (times[j] - INSTANCES / 8.0) / sqrt(INSTANCES / 8.0 * 7.0 / 8.0);
        assert_that(fabs(z) < Z_MAX, "regular arm %d is best %g times of %d, z = %.2f", j, times[j], INSTANCES, z);
    }
    posse_environment_free(e);
}

/* K = 8: three magic arms, then the regular ones. Row j has the means if regular arm j is best. Written by hand. */
LAW(lock_of_eight_is_the_table_by_hand) {
    static const double table[8][11] = {
        {0, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},   {-1, 0, 0, 0.5, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
        {0, -1, 0, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 0.5, 0.5},  {-1, -1, 0, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 0.5},
        {0, 0, -1, 0.5, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5},  {-1, 0, -1, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 0.5, 0.5},
        {0, -1, -1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 0.5}, {-1, -1, -1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1},
    };
    posse_environment *e = environment_made(&lock, 1);
    assert_int_equal(posse_environment_def(e).arms, 11);
    bool seen[8] = {false};
    for (uint32_t run = 0; run < 200; run++) {
        double means[ARMS_CAP];
        posse_environment_begin(e, run);
        posse_environment_means(e, means);
        int best = largest(means, 11) - 3;
        assert_true(best >= 0);
        seen[best] = true;
        for (int a = 0; a < 11; a++) {
            assert_true(means[a] == table[best][a]);
            assert_true(regret_of(e, a) == 1.0 - table[best][a]);
        }
    }
    for (int j = 0; j < 8; j++) assert_true(seen[j]);
    posse_environment_free(e);
}

LAW(fixed_instances_do_not_vary) {
    static const double chances[] = {0.2, 0.9, 0.5}, theta[] = {0.6, -0.8};
    static const double three_points[] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    const posse_part parts[] = {
        {.kind = "gaussian", .options = {NUMBER("arms", 3), LIST("means", prior_means)}},
        {.kind = "bernoulli", .options = {NUMBER("arms", 3), LIST("means", chances)}},
        {.kind = "linear",
         .options = {NUMBER("dim", 2), WORD("arms.set", "ball"), WORD("arms.count", "all"), LIST("theta", theta)}},
        {.kind = "poisson", .options = {NUMBER("arms", 3), LIST("means", chances)}},
        {.kind = "logistic",
         .options = {NUMBER("dim", 2), LIST("arms.points", three_points), LIST("theta", theta), NUMBER("bias", 0.5)}}};
    double clicks[3]; /* the scores are 0.5 + 0.6, 0.5 - 0.8, 0.5 */
    for (int a = 0; a < 3; a++) clicks[a] = sigmoid(dot(theta, three_points + 2 * a, 2) + 0.5);
    assert_close(clicks[0], 0.75026010559511764, 1e-15);
    const double *const truths[] = {prior_means, chances, theta, chances, clicks};
    for (int i = 0; i < LENGTH(parts); i++) {
        posse_environment *e = environment_made(&parts[i], 1);
        posse_def def = posse_environment_def(e);
        assert_null(def.prior.kind);
        for (uint32_t run = 0; run < 20; run++) {
            double means[ARMS_CAP];
            posse_environment_begin(e, run);
            posse_environment_means(e, means);
            assert_memory_equal(means, truths[i], (size_t)(def.arms > 0 ? 3 : 2) * sizeof(double));
        }
        /* A fixed instance has no prior, so B-MS without a belief of its own is refused. */
        posse_part learner = {.kind = def.arms > 0 ? "ucb" : "linear-thompson"};
        def.learners = &learner;
        def.learner_count = 1;
        def.host = (posse_host){0};
        posse *p;
        assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
        posse_environment_free(e);
    }
}

/* ---------------------------------------------------- rewards -------------------------------------------------- */

LAW(rewards_scatter_around_means) {
    for (int w = 0; w < LENGTH(worlds); w++) {
        if (worlds[w].moves) continue;
        posse_environment *e = environment_made(worlds[w].part, 2);
        double means[ARMS_CAP];
        posse_environment_begin(e, 3);
        posse_environment_means(e, means);
        for (int a = 0; a < posse_environment_def(e).arms; a++) {
            moments first = {0}, second = {0}, lagged = {0};
            double noise = worlds[w].noise, last = 0.0;
            double variance = noise > 0.0 ? noise * noise : means[a] * (worlds[w].counts ? 1.0 : 1.0 - means[a]);
            if (variance < 0.01) continue; /* too rare or too certain for the normal approximation */
            for (int n = 0; n < 20000; n++) {
                double reward = reward_of(e, a), off = reward - means[a];
                assert_true(noise > 0.0 || reward == 0.0 || reward == 1.0 ||
                            (worlds[w].counts && reward > 1.0 && reward == floor(reward)));
                moments_add(&first, reward);
                moments_add(&second, off * off);
                if (n > 0) moments_add(&lagged, off * last);
                last = off;
            }
            assert_mean(&first, means[a]);
            assert_mean(&second, variance);
            assert_mean(&lagged, 0.0);
        }
        posse_environment_free(e);
    }
}

/* The n-th reward of an arm is the same whatever was played before. Beginning a run again repeats its rewards. */
LAW(competitors_meet_the_same_noise) {
    for (int w = 0; w < LENGTH(worlds); w++) {
        posse_environment *e = environment_made(worlds[w].part, 3);
        int arms = posse_environment_def(e).arms;
        for (uint32_t run = 0; run < 5; run++) {
            double means[ARMS_CAP], steady[1000];
            posse_environment_begin(e, run);
            posse_environment_means(e, means);
            for (int n = 0; n < LENGTH(steady); n++) steady[n] = reward_of(e, 0);
            posse_environment_begin(e, run);
            for (int n = 0; n < LENGTH(steady); n++) {
                int arm = n * n % arms;
                double reward = reward_of(e, arm);
                if (arm == 0) assert_true(reward == steady[n]);
                if (worlds[w].moves) continue;
                if (worlds[w].noise > 0.0) /* two roundings of numbers below 20 */
                    assert_close(reward - means[arm], steady[n] - means[0], 1e-14);
                else /* one uniform decides: more likely arms succeed whenever less likely ones do, and count more */
                    assert_true(means[arm] >= means[0] ? reward >= steady[n] : reward <= steady[n]);
            }
        }
        posse_environment_free(e);
    }
}

/* Another run has another instance and other noise. A run does not depend on what was played before it. */
LAW(a_run_does_not_depend_on_the_one_before) {
    for (int w = 0; w < LENGTH(worlds); w++) {
        posse_environment *e = environment_made(worlds[w].part, 4), *f = environment_made(worlds[w].part, 4);
        int arms = posse_environment_def(e).arms, same = 0;
        double means[ARMS_CAP], again[ARMS_CAP], first[200], here[200];
        for (int n = 0; n < 200; n++) first[n] = reward_of(f, n % arms); /* a new environment is at run 0 */
        posse_environment_begin(e, 17);
        for (int n = 0; n < 77; n++) reward_of(e, n % arms);
        posse_environment_begin(e, 0);
        posse_environment_means(e, means);
        posse_environment_begin(f, 0);
        posse_environment_means(f, again);
        assert_memory_equal(means, again, (size_t)arms * sizeof(double));
        for (int n = 0; n < 200; n++) here[n] = reward_of(e, n % arms);
        assert_memory_equal(here, first, sizeof first);
        posse_environment_begin(e, 1);
        for (int n = 0; n < 200; n++) same += reward_of(e, n % arms) == first[n];
        assert_true(same < 180); /* successes and failures repeat by chance, normals do not */
        posse_environment_free(e);
        posse_environment_free(f);
    }
}

/* ----------------------------------------------------- regret -------------------------------------------------- */

LAW(regret_is_best_mean_less_mean) {
    for (int w = 0; w < LENGTH(worlds); w++) {
        posse_environment *e = environment_made(worlds[w].part, 5);
        int arms = posse_environment_def(e).arms;
        for (uint32_t run = 0; run < 2000; run++) {
            double means[ARMS_CAP];
            posse_environment_begin(e, run);
            posse_environment_means(e, means);
            double best = means[largest(means, arms)];
            for (int a = 0; a < arms; a++) {
                assert_true(regret_of(e, a) == best - means[a]);
                assert_true((regret_of(e, a) == 0.0) == (means[a] == best));
            }
        }
        posse_environment_free(e);
    }
}

/* The kernels search arms in blocks. With any number of arms the best one is found, and its regret is exactly 0. */
LAW(best_arm_is_found_among_any_number) {
    for (int arms = 1; arms <= 70; arms++) {
        posse_part part_ = {
            .kind = "linear",
            .options = {NUMBER("dim", 1 + arms % 7), WORD("arms.set", "sphere"), NUMBER("arms.count", arms)}};
        posse_environment *e = environment_made(&part_, 6);
        for (uint32_t run = 0; run < 50; run++) {
            double least = INFINITY;
            posse_environment_begin(e, run);
            for (int a = 0; a < arms; a++) least = fmin(least, regret_of(e, a));
            assert_true(least == 0.0);
        }
        posse_environment_free(e);
    }
}

/* On the ball theta / |theta| is best, its opposite worst, and regret is |theta| - <theta, x>. */
LAW(ball_has_its_best_at_theta) {
    posse_environment *e = environment_made(&ball, 7);
    posse_draw draw;
    draw_open(&draw, 1, 0, 0, 0);
    for (uint32_t run = 0; run < 2000; run++) {
        double theta[3], best[3], worst[3], x[3];
        posse_environment_begin(e, run);
        posse_environment_means(e, theta);
        double norm = sqrt(dot(theta, theta, 3)), rounding = 1e-15 * norm, size;
        posse_draw_normals(&draw, x, 3);
        size = sqrt(dot(x, x, 3));
        for (int j = 0; j < 3; j++) {
            best[j] = theta[j] / norm;
            worst[j] = -best[j];
            x[j] *= 0.9 / size;
        }
        assert_close(posse_environment_regret(e, &(posse_decision){.arm = -1, .point = best}), 0.0, rounding);
        assert_close(posse_environment_regret(e, &(posse_decision){.arm = -1, .point = worst}), 2 * norm, 2 * rounding);
        double regret = posse_environment_regret(e, &(posse_decision){.arm = -1, .point = x});
        assert_close(regret, norm - dot(theta, x, 3), rounding);
        assert_true(regret > 0.0);
    }
    posse_environment_free(e);
}

/* ------------------------------------------------------ arms --------------------------------------------------- */

#define POINTS 20000

static posse_environment *with_points(const char *set, int dim, int count, uint64_t seed) {
    const posse_part part_ = {.kind = "linear",
                              .options = {NUMBER("dim", dim), WORD("arms.set", set), NUMBER("arms.count", count)}};
    return environment_made(&part_, seed);
}

static const int dims[] = {1, 2, 3, 10};

LAW(points_lie_where_the_set_says) {
    for (int i = 0; i < LENGTH(dims); i++) {
        int dim = dims[i];
        double side = 1.0 / sqrt(dim);
        posse_environment *in = with_points("ball", dim, 2000, 1), *on = with_points("sphere", dim, 2000, 1);
        posse_environment *corners = with_points("cube", dim, 2000, 1);
        for (int a = 0; a < 2000; a++) {
            const double *x = playing(in, a).point, *y = playing(on, a).point, *c = playing(corners, a).point;
            assert_true(dot(x, x, dim) <= 1.0 + 1e-15 * dim);
            assert_close(dot(y, y, dim), 1.0, 1e-15 * (dim + 2)); /* dim + 2 roundings of numbers up to 1 */
            for (int j = 0; j < dim; j++) assert_true(fabs(c[j]) == side);
        }
        posse_environment_free(in);
        posse_environment_free(on);
        posse_environment_free(corners);
    }
}

/* The moments of points that are uniform in a set: E x_j, E x_j x_k, E x_j^2 and E x_j^4. */
static void check_uniform(const char *set, int dim, double second, double fourth) {
    posse_environment *e = with_points(set, dim, POINTS, 2);
    for (int j = 0; j < dim; j++) {
        moments plain = {0}, mixed = {0}, squared = {0}, biquadratic = {0}, successive = {0};
        for (int a = 0; a < POINTS; a++) {
            const double *x = playing(e, a).point;
            moments_add(&plain, x[j]);
            moments_add(&squared, x[j] * x[j]);
            moments_add(&biquadratic, x[j] * x[j] * x[j] * x[j]);
            if (dim > 1) moments_add(&mixed, x[j] * x[(j + 1) % dim]);
            if (a > 0) moments_add(&successive, x[j] * (x - dim)[j]);
        }
        assert_mean(&plain, 0.0);
        assert_mean(&successive, 0.0);
        if (dim > 1) assert_mean(&mixed, 0.0);
        if (moments_error(&squared) > 1e-12) assert_mean(&squared, second);
        if (moments_error(&biquadratic) > 1e-12) assert_mean(&biquadratic, fourth);
        assert_close(moments_mean(&squared), second, 0.05 * second);
    }
    posse_environment_free(e);
}

LAW(points_are_uniform_in_their_set) {
    for (int i = 0; i < LENGTH(dims); i++) {
        double d = dims[i];
        check_uniform("sphere", dims[i], 1.0 / d, 3.0 / (d * (d + 2.0)));
        check_uniform("ball", dims[i], 1.0 / (d + 2.0), 3.0 / ((d + 2.0) * (d + 4.0)));
        check_uniform("cube", dims[i], 1.0 / d, 1.0 / (d * d));
    }
}

/* In the ball E|x|^2 = d / (d + 2), and |x|^d is uniform in (0, 1): mean 1/2, mean square 1/3. */
LAW(radius_in_the_ball_is_right) {
    for (int i = 0; i < LENGTH(dims); i++) {
        int d = dims[i];
        posse_environment *e = with_points("ball", d, POINTS, 3);
        moments square = {0}, volume = {0}, volume_square = {0};
        for (int a = 0; a < POINTS; a++) {
            const double *x = playing(e, a).point;
            double v = pow(dot(x, x, d), d / 2.0);
            moments_add(&square, dot(x, x, d));
            moments_add(&volume, v);
            moments_add(&volume_square, v * v);
        }
        assert_mean(&square, d / (d + 2.0));
        assert_mean(&volume, 1.0 / 2.0);
        assert_mean(&volume_square, 1.0 / 3.0);
        posse_environment_free(e);
    }
}

LAW(arms_depend_on_the_seed_only) {
    static const char *const sets[] = {"ball", "sphere", "cube"};
    for (int s = 0; s < LENGTH(sets); s++) {
        posse_environment *e = with_points(sets[s], 10, 100, 1), *same = with_points(sets[s], 10, 100, 1);
        posse_environment *other = with_points(sets[s], 10, 100, 2);
        size_t size = 100 * 10 * sizeof(double);
        double before[1000];
        memcpy(before, posse_environment_def(e).points, size);
        posse_environment_begin(e, 5);
        reward_of(e, 7);
        assert_memory_equal(posse_environment_def(e).points, before, size);
        assert_memory_equal(posse_environment_def(same).points, before, size);
        assert_memory_not_equal(posse_environment_def(other).points, before, size);
        posse_environment_free(e);
        posse_environment_free(same);
        posse_environment_free(other);
    }
}

LAW(given_points_are_the_arms) {
    static const double points[] = {1.0, 0.0, -2.5, 3.0, 0.0, 0.0};
    const posse_part part_ = {.kind = "linear", .options = {NUMBER("dim", 2), LIST("arms.points", points)}};
    posse_environment *e = environment_made(&part_, 1);
    posse_def def = posse_environment_def(e);
    assert_int_equal(def.arms, 3);
    assert_int_equal(def.dim, 2);
    assert_memory_equal(def.points, points, sizeof points);
    posse_environment_free(e);
}

/* ------------------------------------------- the prior is the right belief ------------------------------------- */

/* The rewards seen, by arm. */
typedef struct data {
    double counts[ARMS_CAP], sums[ARMS_CAP];
    ridge ridge;
} data;

/* Plays every arm a few times. A posse with B-MS, whose belief is the environment's prior, learns all rewards. */
static void play_all(posse *p, posse_environment *e, int rounds, data *seen) {
    posse_def def = posse_environment_def(e);
    memset(seen, 0, sizeof *seen);
    if (def.dim > 0) ridge_start(&seen->ridge, def.dim, 4.0);
    for (int n = 0; n < rounds; n++) {
        double point[] = {sin(n), cos(n) / 2.0, -0.5};
        posse_decision d = {.arm = -1, .point = point, .probability = 1.0};
        if (def.arms > 0) d = playing(e, n * n % def.arms);
        double reward = posse_environment_reward(e, &d);
        object_settle(p, &d, reward);
        if (d.arm >= 0) seen->counts[d.arm] += 1.0;
        if (d.arm >= 0) seen->sums[d.arm] += reward;
        if (d.point != NULL) ridge_learn(&seen->ridge, d.point, reward, def.arms > 0 ? 2.0 : 0.5);
    }
}

static posse *believer(const posse_environment *e) {
    posse_part learner = {.kind = posse_environment_def(e).arms > 0 ? "ucb" : "linear-thompson"};
    return team_made(e, &(team){.learners = &learner, .count = 1});
}

static void gaussian_posterior(const data *seen, double *means) {
    for (int a = 0; a < 3; a++) {
        double prior = 1.0 / (prior_sds[a] * prior_sds[a]), noise = 1.0 / (0.7 * 0.7);
        means[a] = (prior_means[a] * prior + seen->sums[a] * noise) / (prior + seen->counts[a] * noise);
    }
}

static void bernoulli_posterior(const data *seen, double *means) {
    for (int a = 0; a < 3; a++) means[a] = (alphas[a] + seen->sums[a]) / (alphas[a] + betas[a] + seen->counts[a]);
}

static void poisson_posterior(const data *seen, double *means) {
    for (int a = 0; a < 3; a++) means[a] = (alphas[a] + seen->sums[a]) / (betas[a] + seen->counts[a]);
}

/* Bayes' rule over the eight locks, with the densities of rewards up to a common factor. */
static void lock_posterior(const data *seen, double *means) {
    double total = 0.0;
    for (int a = 0; a < 11; a++) means[a] = 0.0;
    for (int j = 0; j < 8; j++) {
        double log_weight = 0.0, row[11];
        for (int a = 0; a < 11; a++) {
            row[a] = a < 3 ? -((j >> a) & 1) : a - 3 == j ? 1.0 : 0.5;
            log_weight += (seen->sums[a] * row[a] - seen->counts[a] * row[a] * row[a] / 2.0) / (0.5 * 0.5);
        }
        total += exp(log_weight);
        for (int a = 0; a < 11; a++) means[a] += exp(log_weight) * row[a];
    }
    for (int a = 0; a < 11; a++) means[a] /= total;
}

static void ball_posterior(const data *seen, double *means) {
    long double theta[SOLVE_MAX];
    ridge_mean(&seen->ridge, theta);
    for (int j = 0; j < 3; j++) means[j] = (double)theta[j];
}

/* Checks posse_means after a few rewards of many runs against a closed form, to 1e-11. */
static void check_closed_form(const posse_part *part_, int count, void (*posterior)(const data *, double *)) {
    posse_environment *e = environment_made(part_, 8);
    posse *p = believer(e);
    for (uint32_t run = 0; run < 50; run++) {
        data seen;
        double means[ARMS_CAP], expected[ARMS_CAP];
        run_begin(p, e, run);
        play_all(p, e, (int)run, &seen);
        posterior(&seen, expected);
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        for (int a = 0; a < count; a++) assert_close(means[a], expected[a], 1e-11 * (1.0 + fabs(expected[a])));
    }
    posse_free(p);
    posse_environment_free(e);
}

LAW(prior_as_belief_is_the_closed_form) {
    check_closed_form(&gaussian, 3, gaussian_posterior);
    check_closed_form(&bernoulli, 3, bernoulli_posterior);
    check_closed_form(&poisson, 3, poisson_posterior);
    check_closed_form(&lock, 11, lock_posterior);
    check_closed_form(&ball, 3, ball_posterior);
}

/*
 * If the belief is right, the mean of the truth over instances, given the posterior mean, is the posterior mean. So
 * truth - mean has mean 0 and is uncorrelated with the posterior mean. A wrong prior or noise would show.
 */
static double worst_calibration(const posse_part *part_, const posse_part *believed) {
    posse_environment *e = environment_made(part_, 9);
    posse_def def = posse_environment_def(e);
    posse_part learner = {.kind = def.arms > 0 ? "ucb" : "linear-thompson"};
    posse *p = team_made(e, &(team){.learners = &learner, .count = 1, .belief = believed});
    int count = def.arms > 0 ? def.arms : def.dim;
    moments bias[ARMS_CAP] = {0}, slope[ARMS_CAP] = {0};
    for (uint32_t run = 0; run < 20000; run++) {
        double truth[ARMS_CAP], means[ARMS_CAP];
        data seen;
        run_begin(p, e, run);
        posse_environment_means(e, truth);
        play_all(p, e, 15, &seen);
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        for (int a = 0; a < count; a++) {
            moments_add(&bias[a], truth[a] - means[a]);
            moments_add(&slope[a], (truth[a] - means[a]) * means[a]);
        }
    }
    double worst = 0.0;
    for (int a = 0; a < count; a++)
        worst = fmax(worst, fmax(fabs(moments_z(&bias[a], 0.0)), fabs(moments_z(&slope[a], 0.0))));
    posse_free(p);
    posse_environment_free(e);
    return worst;
}

LAW(environments_are_well_specified) {
    const posse_part *const parts[] = {&gaussian, &bernoulli, &poisson, &linear, &lock, &ball, &of_worlds};
    const posse_part wrong[] = {{.kind = "gaussian", .options = {NUMBER("noise", 0.7)}},
                                {.kind = "beta"},
                                {.kind = "gamma"},
                                {.kind = "linear", .options = {NUMBER("precision", 1.0), NUMBER("noise", 2.0)}},
                                {.kind = "information-lock", .options = {NUMBER("noise", 1.0)}},
                                {.kind = "linear", .options = {NUMBER("precision", 4.0), NUMBER("noise", 1.5)}},
                                {.kind = "gaussian", .options = {NUMBER("noise", 0.7)}}};
    for (int i = 0; i < LENGTH(parts); i++) {
        double right = worst_calibration(parts[i], NULL), off = worst_calibration(parts[i], &wrong[i]);
        print_message("%s: worst |z| %.2f, with a wrong belief %.1f\n", parts[i]->kind, right, off);
        assert_that(right < Z_MAX, "%s: worst |z| = %.2f", parts[i]->kind, right);
        assert_that(off > 8.0, "%s: a wrong belief goes unnoticed, worst |z| = %.2f", parts[i]->kind, off);
    }
}
