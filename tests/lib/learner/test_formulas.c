/* SPDX-License-Identifier: MIT */
/*
 * Every learner is compared with a rival that follows its formula directly: nothing is cached, and everything is
 * computed anew in long double.
 */
#include <math.h>

#include "belief/regression.h"
#include "menagerie.h"

#define ARMS_CAP 32
#define ROUNDS 10000

/* ---------------------------------------------------- rivals --------------------------------------------------- */

/* The state of a rival: its settings, the rewards of each arm, the learner's stream, and V and b for linear means. */
typedef struct rival {
    double width, delta, epsilon, confidence, noise;
    const posse_space *space;
    int arms;
    posse_draw draw;
    long double counts[ARMS_CAP], sums[ARMS_CAP], total;
    ridge ridge;
    const double *learned; /* the state of the learner itself */
    int close_calls;
} rival;

/* Returns the arm to play. `played` is the learner's decision, which decides between arms that differ by rounding
 * only. */
typedef int pick(rival *r, const posse_decision *played);

static int first_largest(rival *r, const long double *values, int played, double slack) {
    return called_largest(values, r->arms, played, slack, &r->close_calls);
}

static int first_untried(const rival *r) {
    for (int a = 0; a < r->arms; a++)
        if (r->counts[a] == 0.0L) return a;
    return -1;
}

static int ucb_pick(rival *r, const posse_decision *played) {
    if (first_untried(r) >= 0) return first_untried(r);
    long double bounds[ARMS_CAP] = {0};
    for (int a = 0; a < r->arms; a++)
        bounds[a] =
            r->sums[a] / r->counts[a] + r->width * sqrtl(logl(2.0L * r->arms * r->total / r->delta) / r->counts[a]);
    return first_largest(r, bounds, played->arm, 1e-12);
}

static int epsilon_greedy_pick(rival *r, const posse_decision *played) {
    if (posse_draw_uniform(&r->draw) < r->epsilon) return (int)posse_draw_index(&r->draw, (uint64_t)r->arms);
    if (first_untried(r) >= 0) return first_untried(r);
    long double means[ARMS_CAP] = {0};
    for (int a = 0; a < r->arms; a++) means[a] = r->sums[a] / r->counts[a];
    return first_largest(r, means, played->arm, 1e-12);
}

/* Prior N(0, 1) and noise 1, as in gaussian_world. */
static int gaussian_thompson_pick(rival *r, const posse_decision *played) {
    long double world[ARMS_CAP] = {0};
    for (int a = 0; a < r->arms; a++)
        world[a] = r->sums[a] / (1.0L + r->counts[a]) + posse_draw_normal(&r->draw) / sqrtl(1.0L + r->counts[a]);
    return first_largest(r, world, played->arm, 1e-12);
}

/* Prior Beta(1, 1), as in bernoulli_world. */
static int beta_thompson_pick(rival *r, const posse_decision *played) {
    long double world[ARMS_CAP] = {0};
    for (int a = 0; a < r->arms; a++)
        world[a] = posse_draw_beta(&r->draw, (double)(1.0L + r->sums[a]), (double)(1.0L + r->counts[a] - r->sums[a]));
    return first_largest(r, world, played->arm, 0.0);
}

static int linear_ucb_pick(rival *r, const posse_decision *played) {
    long double bounds[ARMS_CAP] = {0}, mean[SOLVE_MAX];
    ridge_mean(&r->ridge, mean);
    for (int a = 0; a < r->arms; a++) {
        const double *x = posse_space_point(r->space, a);
        bounds[a] = r->width * sqrtl(ridge_variance(&r->ridge, x));
        for (int j = 0; j < r->ridge.dim; j++) bounds[a] += mean[j] * x[j];
    }
    return first_largest(r, bounds, played->arm, 1e-9);
}

/* Mean and square root in the learner's state against V and b: S S^T V = I and mean = V^-1 b, to 1e-9. */
static void check_regression(const rival *r) {
    int dim = r->ridge.dim;
    long double mean[SOLVE_MAX];
    ridge_mean(&r->ridge, mean);
    for (int i = 0; i < dim; i++) {
        assert_close(r->learned[i], (double)mean[i], 1e-9 * (1.0 + fabs(r->learned[i])));
        for (int j = 0; j < dim; j++) {
            long double product = 0.0L;
            for (int k = 0; k < dim; k++)
                for (int c = 0; c < dim; c++) {
                    const double *column = r->learned + dim + c * dim;
                    product += (long double)column[i] * column[k] * r->ridge.v[k][j];
                }
            assert_close((double)product, i == j, 1e-9);
        }
    }
}

/* theta = mean + width sqrt(d) S z. The mean is computed from V and b. S is the learner's, because a root of V^-1 is
 * not unique. */
static void linear_thompson_theta(rival *r, long double *theta) {
    int dim = r->ridge.dim;
    ridge_mean(&r->ridge, theta);
    if (r->width == 0.0) return;
    for (int c = 0; c < dim; c++) {
        long double z = posse_draw_normal(&r->draw);
        for (int i = 0; i < dim; i++) theta[i] += r->width * sqrtl(dim) * r->learned[dim + c * dim + i] * z;
    }
}

static int linear_thompson_pick(rival *r, const posse_decision *played) {
    int dim = r->ridge.dim;
    long double theta[SOLVE_MAX], values[ARMS_CAP] = {0}, norm = 0.0L;
    if ((int)r->total % 100 == 0) check_regression(r);
    linear_thompson_theta(r, theta);
    for (int a = 0; a < r->arms; a++) {
        values[a] = 0.0L;
        for (int j = 0; j < dim; j++) values[a] += theta[j] * posse_space_point(r->space, a)[j];
    }
    if (r->arms > 0) return first_largest(r, values, played->arm, 1e-9);
    for (int j = 0; j < dim; j++) norm += theta[j] * theta[j];
    for (int j = 0; j < dim && norm > 0.0L; j++)
        assert_close(played->point[j], (double)(theta[j] / sqrtl(norm)), 1e-9 / (double)sqrtl(norm));
    return -1;
}

/* The mean of an arm of a lock: magic arms come first, and magic arm n shows bit n of the best regular arm's index. */
static double lock_arm(int magic, int best, int arm) {
    if (arm >= magic) return arm - magic == best ? 1.0 : 0.5;
    return (best / (1 << arm)) % 2 == 1 ? -1.0 : 0.0;
}

/* The posterior over regular arms from all rewards: exp of sum_a (s_a m - n_a m^2 / 2) / noise^2, normalised. */
static int lock_posterior(const rival *r, long double *mass) {
    int magic = 0;
    while ((1 << magic) + magic < r->arms) magic++;
    long double top = -INFINITY, total = 0.0L;
    for (int h = 0; h < 1 << magic; h++) {
        mass[h] = 0.0L;
        for (int a = 0; a < r->arms; a++) {
            long double m = lock_arm(magic, h, a);
            mass[h] += (r->sums[a] * m - r->counts[a] * m * m / 2.0L) / ((long double)r->noise * r->noise);
        }
        if (mass[h] > top) top = mass[h];
    }
    for (int h = 0; h < 1 << magic; h++) total += mass[h] = expl(mass[h] - top);
    for (int h = 0; h < 1 << magic; h++) mass[h] /= total;
    return magic;
}

static int lock_pick(rival *r, const posse_decision *played) {
    long double mass[ARMS_CAP] = {0}, certainty[ARMS_CAP] = {0};
    int magic = lock_posterior(r, mass), likely = 0, arms = r->arms, picked;
    for (int h = 1; h < 1 << magic; h++)
        if (mass[h] > mass[likely]) likely = h;
    bool close = fabsl(mass[likely] - r->confidence) < 1e-12L;
    if (close ? played->arm >= magic : mass[likely] >= r->confidence) return magic + likely;
    for (int n = 0; n < magic; n++) {
        certainty[n] = -0.5L;
        for (int h = 0; h < 1 << magic; h++) certainty[n] += lock_arm(magic, h, n) < 0.0 ? mass[h] : 0.0L;
        certainty[n] = -fabsl(certainty[n]);
    }
    if (played->arm >= magic) return 0;
    r->arms = magic;
    picked = first_largest(r, certainty, played->arm, 1e-12);
    r->arms = arms;
    return picked;
}

static void rival_learn(rival *r, const posse_decision *d, double reward) {
    if (d->arm >= 0) {
        r->counts[d->arm] += 1.0L;
        r->sums[d->arm] += reward;
    }
    r->total += 1.0L;
    if (d->point != NULL) ridge_learn(&r->ridge, d->point, reward, 1.0);
}

/* A play of another learner, which is shared with this one. */
static posse_decision foreign_play(const posse *p, int n, const double *point) {
    posse_decision d = {.arm = p->space->arms > 0 ? n % p->space->arms : -1};
    d.point = d.arm >= 0 ? posse_space_point(p->space, d.arm) : point;
    return d;
}

typedef struct duel {
    const char *name;
    const posse_part *world;
    posse_part learner;
    pick *pick;
    rival settings;
    double precision; /* of the ridge; 0: no ridge */
} duel;

static void rival_start(rival *r, const duel *u, const posse *p) {
    *r = u->settings;
    r->space = p->space;
    r->arms = p->space->arms;
    r->learned = p->members[0].state;
    draw_open(&r->draw, p->seed, p->run, stream_named(STREAM_LEARNER, p->members[0].name), 0);
    if (u->precision > 0.0) ridge_start(&r->ridge, p->space->dim, u->precision);
}

/* shared: every third round, the learner also learns a play of another learner. */
static void fight(const duel *u, uint64_t seed, bool shared) {
    posse_environment *e = environment_made(u->world, seed);
    posse *p = alone_made(e, &u->learner);
    rival r;
    rival_start(&r, u, p);
    for (int n = 0; n < ROUNDS; n++) {
        posse_decision d;
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        int expected = u->pick(&r, &d);
        assert_that(d.arm == expected, "%s, seed %d, round %d: arm %d, not %d", u->name, (int)seed, n, d.arm, expected);
        for (int again = shared && n % 3 == 0; again >= 0; again--) {
            double reward = posse_environment_reward(e, &d);
            object_settle(p, &d, reward);
            rival_learn(&r, &d, reward);
            if (again > 0) d = foreign_play(p, n / 3, d.point);
        }
    }
    assert_int_equal(p->members[0].draw->position, r.draw.position);
    assert_that(r.close_calls <= ROUNDS / 1000, "%s: %d rounds too close to call", u->name, r.close_calls);
    posse_free(p);
    posse_environment_free(e);
}

static void fight_all(const duel *duels, int count) {
    for (int i = 0; i < count; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            for (int shared = 0; shared < 2; shared++) fight(&duels[i], seed, shared);
}

#define UCB(name_, world_, width_, delta_)                                                                             \
    {                                                                                                                  \
        .name = name_, .world = &world_,                                                                               \
        .learner = {.kind = "ucb", .options = {NUMBER("width", width_), NUMBER("delta", delta_)}}, .pick = ucb_pick,   \
        .settings = {                                                                                                  \
            .width = width_,                                                                                           \
            .delta = delta_                                                                                            \
        }                                                                                                              \
    }

/* Bernoulli means tie often. Width 0 is greedy. */
LAW(ucb_follows_its_formula) {
    const duel duels[] = {
        UCB("ucb", gaussian_world, 1.0, 0.05),          UCB("greedy ucb", gaussian_world, 0.0, 0.05),
        UCB("wide ucb", gaussian_world, 10.0, 0.5),     UCB("bernoulli ucb", bernoulli_world, 0.3, 1.0),
        UCB("greedy bernoulli", bernoulli_world, 0, 1), UCB("linear arms", linear_world, 0.1, 1e-3),
        UCB("locked ucb", lock_world, 1.0, 0.05),
    };
    fight_all(duels, LENGTH(duels));
}

#define EPSILON_GREEDY(world_, epsilon_)                                                                               \
    {                                                                                                                  \
        .name = "epsilon-greedy " #world_, .world = &world_,                                                           \
        .learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", epsilon_)}}, .pick = epsilon_greedy_pick,  \
        .settings = {                                                                                                  \
            .epsilon = epsilon_                                                                                        \
        }                                                                                                              \
    }

LAW(epsilon_greedy_follows_its_formula) {
    const duel duels[] = {EPSILON_GREEDY(gaussian_world, 0.1), EPSILON_GREEDY(bernoulli_world, 0.5),
                          EPSILON_GREEDY(linear_world, 0.0), EPSILON_GREEDY(lock_world, 1.0)};
    fight_all(duels, LENGTH(duels));
}

LAW(thompson_follows_its_formula) {
    const duel duels[] = {{.name = "gaussian thompson",
                           .world = &gaussian_world,
                           .learner = {.kind = "thompson"},
                           .pick = gaussian_thompson_pick},
                          {.name = "beta thompson",
                           .world = &bernoulli_world,
                           .learner = {.kind = "thompson"},
                           .pick = beta_thompson_pick}};
    fight_all(duels, LENGTH(duels));
}

#define LINEAR_UCB(name_, world_, width_, precision_)                                                                  \
    {                                                                                                                  \
        .name = name_, .world = &world_,                                                                               \
        .learner = {.kind = "linear-ucb", .options = {NUMBER("width", width_), NUMBER("precision", precision_)}},      \
        .pick = linear_ucb_pick, .settings = {.width = width_}, .precision = precision_                                \
    }

/* Equal corners of the cube tie exactly, and the lowest index wins. */
LAW(linear_ucb_follows_its_formula) {
    const duel duels[] = {
        LINEAR_UCB("linear ucb", linear_world, 1.0, 1.0), LINEAR_UCB("greedy linear ucb", linear_world, 0.0, 0.3),
        LINEAR_UCB("wide linear ucb", linear_world, 5.0, 10.0), LINEAR_UCB("cube ucb", cube_world, 1.0, 0.5)};
    fight_all(duels, LENGTH(duels));
}

#define LINEAR_THOMPSON(name_, world_, width_, precision_)                                                             \
    {                                                                                                                  \
        .name = name_, .world = &world_,                                                                               \
        .learner = {.kind = "linear-thompson", .options = {NUMBER("width", width_), NUMBER("precision", precision_)}}, \
        .pick = linear_thompson_pick, .settings = {.width = width_}, .precision = precision_                           \
    }

/* Width 0 draws nothing and is greedy: `fight` compares the position in the stream as well. */
LAW(linear_thompson_follows_its_formula) {
    const duel duels[] = {LINEAR_THOMPSON("linear thompson", linear_world, 1.0, 1.0),
                          LINEAR_THOMPSON("greedy linear thompson", linear_world, 0.0, 2.0),
                          LINEAR_THOMPSON("cube thompson", cube_world, 0.5, 0.5),
                          LINEAR_THOMPSON("ball thompson", ball_world, 0.2, 1.0),
                          LINEAR_THOMPSON("greedy on the ball", ball_world, 0.0, 1.0)};
    fight_all(duels, LENGTH(duels));
}

#define LOCK(name_, world_, confidence_, noise_)                                                                       \
    {                                                                                                                  \
        .name = name_, .world = &world_,                                                                               \
        .learner = {.kind = "information-lock",                                                                        \
                    .options = {NUMBER("confidence", confidence_), NUMBER("noise", noise_)}},                          \
        .pick = lock_pick, .settings = {                                                                               \
            .confidence = confidence_,                                                                                 \
            .noise = noise_                                                                                            \
        }                                                                                                              \
    }

LAW(lock_solver_follows_its_formula) {
    const duel duels[] = {LOCK("lock solver", lock_world, 0.9, 1.0), LOCK("sure lock solver", lock_world, 0.9999, 1.0),
                          LOCK("rash lock solver", lock_world, 0.2, 1.0), LOCK("wide lock", wide_lock_world, 0.95, 2.0),
                          LOCK("wrong noise", wide_lock_world, 0.9, 1.0)};
    fight_all(duels, LENGTH(duels));
}

/* A bit is unknown until its magic arm was played, so each magic arm is played once before any is played again. */
LAW(lock_solver_asks_every_bit_once_first) {
    posse_environment *e = environment_made(&wide_lock_world, 1);
    posse *p = alone_made(e, &(posse_part){.kind = "information-lock"});
    for (uint32_t run = 0; run < 100; run++) {
        run_begin(p, e, run);
        for (int n = 0; n < 4; n++) {
            posse_decision d;
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            assert_int_equal(d.arm, n);
        }
    }
    posse_free(p);
    posse_environment_free(e);
}

LAW(fixed_plays_one_arm) {
    posse_environment *e = environment_made(&gaussian_world, 1);
    for (int arm = 0; arm < 5; arm++) {
        posse *p = alone_made(e, &(posse_part){.kind = "fixed", .options = {NUMBER("arm", arm)}});
        for (int n = 0; n < ROUNDS; n++) {
            posse_decision d;
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            assert_int_equal(d.arm, arm);
        }
        posse_free(p);
    }
    posse_environment_free(e);
}

/* --------------------------------------------- Thompson, any belief -------------------------------------------- */

static const double two_weights[] = {1.0, 3.0};
static const posse_part two_linears[] = {{.kind = "linear"}, {.kind = "linear", .options = {NUMBER("precision", 9.0)}}};
static const posse_part linear_mixture = {
    .kind = "mixture", .options = {{.key = "components", .part = two_linears, .list = two_weights, .count = 2}}};
static const posse_part own_gaussian = {.kind = "gaussian", .options = {NUMBER("mean", 0.3), NUMBER("sd", 0.5)}};
static const double two_rows[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.3, 0.2, 0.1, -0.1};
static const posse_part two_tables = {.kind = "hypotheses", .options = {LIST("table", two_rows), NUMBER("noise", 2)}};

/* The learner plays the best arm of a world drawn from a second copy of its belief, on the learner's own stream. */
static void check_thompson(const posse_part *world, const posse_part *believed) {
    posse_environment *e = environment_made(world, 2);
    posse_part learner = {.kind = "thompson", .options = {{.key = "belief", .part = believed}}};
    if (believed == NULL) learner.options[0] = (posse_option){0};
    posse_def def = posse_environment_def(e);
    posse *p = alone_made(e, &learner);
    twin t;
    twin_open(&t, &def, believed);
    twin_begin(&t, 0, stream_named(STREAM_LEARNER, "thompson"));
    for (int n = 0; n < ROUNDS; n++) {
        posse_decision d;
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        assert_int_equal(d.arm, twin_draw(&t));
        for (int j = 0; d.arm < 0 && j < def.dim; j++) assert_close(d.point[j], t.point[j], 1e-15);
        double reward = posse_environment_reward(e, &d);
        object_settle(p, &d, reward);
        twin_learn(&t, &d, reward);
    }
    twin_close(&t);
    posse_free(p);
    posse_environment_free(e);
}

LAW(thompson_plays_the_best_arm_of_a_drawn_world) {
    for (int w = 0; w < WORLDS; w++) check_thompson(worlds[w], NULL);
    check_thompson(&gaussian_world, &own_gaussian);
    check_thompson(&gaussian_world, &two_tables);
    check_thompson(&linear_world, &own_gaussian);
    check_thompson(&linear_world, &linear_mixture);
    check_thompson(&ball_world, &linear_mixture);
}

/* --------------------------------------------------- frequencies ----------------------------------------------- */

/* The arms are so far apart that the greedy arm is 3 once all were tried. All other plays are random, equally often
 * for each arm. */
LAW(epsilon_greedy_explores_as_often_as_told) {
    const double means[] = {0.0, 1.0, 2.0, 50.0}, rounds = 100000.0;
    const posse_part world = {.kind = "gaussian", .options = {NUMBER("arms", 4), LIST("means", means)}};
    const double epsilons[] = {0.01, 0.1, 0.7};
    posse_environment *e = environment_made(&world, 1);
    for (int i = 0; i < LENGTH(epsilons); i++) {
        posse *p = alone_made(e, &(posse_part){.kind = "epsilon-greedy", .options = {NUMBER("epsilon", epsilons[i])}});
        double plays[4] = {0};
        for (int n = 0; n < rounds; n++) {
            posse_decision d;
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            plays[d.arm] += 1.0;
        }
        for (int a = 0; a < 3; a++) { /* the first try of an arm adds at most one play */
            double chance = epsilons[i] / 4, z = (plays[a] - rounds * chance) / sqrt(rounds * chance * (1 - chance));
            assert_that(fabs(z) < Z_MAX, "epsilon %g: arm %d played %g times, z = %.2f", epsilons[i], a, plays[a], z);
        }
        posse_free(p);
    }
    posse_environment_free(e);
}

/* A learner with a few rewards, and V and b of the same rewards. */
static posse *taught(const posse_environment *e, const posse_part *learner, ridge *r) {
    posse *p = alone_made(e, learner);
    ridge_start(r, p->space->dim, 1.0);
    for (int n = 0; n < 10; n++) {
        posse_decision d = foreign_play(p, n * n, NULL);
        double reward = 0.5 + 0.2 * (n % 3);
        object_settle(p, &d, reward);
        ridge_learn(r, d.point, reward, 1.0);
    }
    return p;
}

/* theta = mean + scale L^-T z with V = L L^T. This draws from N(mean, scale^2 V^-1) without Potter's square root. */
static void cholesky_draw(const ridge *r, double scale, posse_draw *draw, long double *theta) {
    ridge copy = *r;
    long double mean[SOLVE_MAX];
    ridge_mean(r, mean);
    cholesky(r->dim, copy.v);
    for (int i = r->dim - 1; i >= 0; i--) {
        theta[i] = posse_draw_normal(draw);
        for (int k = i + 1; k < r->dim; k++) theta[i] -= copy.v[k][i] * theta[k];
        theta[i] /= copy.v[i][i];
    }
    for (int i = 0; i < r->dim; i++) theta[i] = mean[i] + scale * theta[i];
}

static int best_for(const posse_space *space, const long double *theta) {
    int best = 0;
    long double top = -INFINITY;
    for (int a = 0; a < space->arms; a++) {
        long double value = 0.0L;
        for (int j = 0; j < space->dim; j++) value += theta[j] * posse_space_point(space, a)[j];
        if (value > top) {
            top = value;
            best = a;
        }
    }
    return best;
}

/* While nothing more is learned, each arm is played as often as it is best in draws from N(mean, width^2 d V^-1). */
LAW(linear_thompson_draws_from_the_posterior) {
    const int draws = 100000;
    const double width = 0.7;
    posse_environment *e = environment_made(&linear_world, 3);
    ridge r;
    posse *p = taught(e, &(posse_part){.kind = "linear-thompson", .options = {NUMBER("width", width)}}, &r);
    posse_draw draw;
    draw_open(&draw, 99, 0, 1, 0);
    double mine[ARMS_CAP] = {0}, theirs[ARMS_CAP] = {0};
    for (int n = 0; n < draws; n++) {
        posse_decision d;
        long double theta[SOLVE_MAX];
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        mine[d.arm] += 1.0;
        cholesky_draw(&r, width * sqrt(r.dim), &draw, theta);
        theirs[best_for(p->space, theta)] += 1.0;
    }
    for (int a = 0; a < p->space->arms; a++) {
        double both = mine[a] + theirs[a], z = both > 0.0 ? (mine[a] - theirs[a]) / sqrt(both) : 0.0;
        assert_that(fabs(z) < Z_MAX, "arm %d: %g plays, %g by the law, z = %.2f", a, mine[a], theirs[a], z);
    }
    posse_free(p);
    posse_environment_free(e);
}

/* The draw itself, from the learner's state: mean V^-1 b and covariance scale^2 V^-1, entry by entry. */
LAW(linear_thompson_draws_have_its_moments) {
    posse_environment *e = environment_made(&linear_world, 3);
    ridge r;
    posse *p = taught(e, &(posse_part){.kind = "linear-thompson"}, &r);
    const double scale = sqrt(r.dim);
    long double mean[SOLVE_MAX];
    moments first[SOLVE_MAX] = {0}, second[SOLVE_MAX][SOLVE_MAX] = {0};
    ridge_mean(&r, mean);
    for (int n = 0; n < 100000; n++) {
        double theta[SOLVE_MAX];
        regression_draw(p->members[0].state, r.dim, scale, p->members[0].draw, theta);
        for (int i = 0; i < r.dim; i++) {
            moments_add(&first[i], theta[i]);
            for (int j = 0; j <= i; j++)
                moments_add(&second[i][j], (theta[i] - (double)mean[i]) * (theta[j] - (double)mean[j]));
        }
    }
    for (int i = 0; i < r.dim; i++) {
        assert_mean(&first[i], (double)mean[i]);
        for (int j = 0; j <= i; j++) { /* entry ij of V^-1, by polarisation */
            double one[SOLVE_MAX] = {0}, other[SOLVE_MAX] = {0};
            one[i] += 1.0, one[j] += 1.0, other[i] += 1.0, other[j] -= 1.0;
            long double entry = (ridge_variance(&r, one) - ridge_variance(&r, other)) / 4.0L;
            assert_mean(&second[i][j], scale * scale * (double)entry);
        }
    }
    posse_free(p);
    posse_environment_free(e);
}
