/* SPDX-License-Identifier: MIT */
/*
 * Worlds that change: beliefs that drift, learners with windows and discounts, and environments whose means move. Each
 * rule is compared with a slow version that stores the whole history. (oracle.c has Kalman filters in long double, the
 * tests over the menagerie include all these kinds, and test_fading.c tests the discount of B-MS.)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "environment/environment.h"
#include "oracle.h"
#include "posse_abreast.h"
#include "scenes.h"

/* ------------------------------------- beliefs: the joint posterior from scratch ------------------------------- */

#define JOINT_ROUNDS 40

/*
 * All rewards of a history and the coordinates in the round after them are jointly normal. So the posterior comes from
 * one system of equations with the covariance of all rewards. A coordinate in rounds s and t, counted from 0, has
 * covariance 1 / precision + drift^2 min(s, t). x: the coordinates of each reward.
 */
typedef struct joint {
    int dim, count;
    long double start[COORDINATES_MAX]; /* variance in the first round */
    long double prior[COORDINATES_MAX]; /* mean in all rounds */
    long double step, noise;            /* variances */
    long double x[JOINT_ROUNDS][COORDINATES_MAX], reward[JOINT_ROUNDS];
    long double factor[JOINT_ROUNDS * JOINT_ROUNDS], residual[JOINT_ROUNDS];
} joint;

static long double covariance_at(const joint *g, int j, int s, int t) {
    return g->start[j] + g->step * (s < t ? s : t);
}

static void joint_solve(joint *g) {
    for (int s = 0; s < g->count; s++) {
        g->residual[s] = g->reward[s];
        for (int j = 0; j < g->dim; j++) g->residual[s] -= g->x[s][j] * g->prior[j];
        for (int t = 0; t < g->count; t++) {
            long double sum = s == t ? g->noise : 0.0L;
            for (int j = 0; j < g->dim; j++) sum += g->x[s][j] * g->x[t][j] * covariance_at(g, j, s, t);
            g->factor[s * g->count + t] = sum;
        }
    }
    factorize(g->count, g->factor);
    solve(g->count, g->factor, g->residual);
}

/* The mean of coordinate j in the round after the rewards, and its covariance with coordinate k. */
static long double joint_mean(const joint *g, int j) {
    long double mean = g->prior[j];
    for (int s = 0; s < g->count; s++) mean += g->x[s][j] * covariance_at(g, j, s, g->count) * g->residual[s];
    return mean;
}

static long double joint_covariance(const joint *g, int j, int k) {
    long double gain[JOINT_ROUNDS], sum = j == k ? covariance_at(g, j, g->count, g->count) : 0.0L;
    for (int s = 0; s < g->count; s++) gain[s] = g->x[s][k] * covariance_at(g, k, s, g->count);
    solve(g->count, g->factor, gain);
    for (int s = 0; s < g->count; s++) sum -= g->x[s][j] * covariance_at(g, j, s, g->count) * gain[s];
    return sum;
}

/* The predictive variance of a reward, from its density at the predictive mean. */
static double predicted_variance(const twin *t, const habitat *h, event e, double mean) {
    e.reward = mean;
    return exp(-2.0 * foretell(t, h, &e)) / (2.0 * acos(-1.0));
}

static void assert_joint(const specimen *s, joint *g, const history *past) {
    twin t;
    double mean[COORDINATES_MAX];
    open_after(&t, s, past);
    mean_of(&t, mean);
    joint_solve(g);
    for (int j = 0; j < g->dim; j++) assert_close(mean[j], (double)joint_mean(g, j), 1e-12);
    history probes = history_make(s->home, 10, 77);
    for (int n = 0; n < probes.count; n++) {
        long double variance = g->noise, center = 0.0L;
        for (int j = 0; j < g->dim; j++)
            for (int k = 0; k < g->dim; k++) {
                long double xj = s->home->dim > 0 ? probes.events[n].point[j] : probes.events[n].arm == j;
                long double xk = s->home->dim > 0 ? probes.events[n].point[k] : probes.events[n].arm == k;
                variance += xj * xk * joint_covariance(g, j, k);
                if (k == 0) center += xj * joint_mean(g, j);
            }
        double ours = predicted_variance(&t, s->home, probes.events[n], (double)center);
        assert_close(ours / (double)variance, 1.0, 1e-11);
    }
    free(probes.events);
    twin_close(&t);
}

static void check_joint(const specimen *s, double start, double step, double noise) {
    static joint g;
    for (int count = 1; count <= JOINT_ROUNDS; count += 13) {
        history past = history_make(s->home, count, (uint64_t)count);
        bool linear = s->home->dim > 0;
        g = (joint){.dim = linear ? s->home->dim : s->home->arms, .count = count, .step = step, .noise = noise};
        for (int j = 0; j < g.dim; j++) g.start[j] = start;
        for (int n = 0; n < count; n++) {
            g.reward[n] = past.events[n].reward;
            for (int j = 0; j < g.dim; j++) g.x[n][j] = linear ? past.events[n].point[j] : past.events[n].arm == j;
        }
        assert_joint(s, &g, &past);
        free(past.events);
    }
}

LAW(a_drifting_posterior_is_that_of_all_rounds_at_once) {
    const specimen arms = {
        &habitats[ARMS_5],
        {.kind = "gaussian", .options = {NUMBER("sd", 2), NUMBER("drift", 0.5), NUMBER("noise", 0.75)}}};
    const specimen points = {&habitats[POINTS_7],
                             {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("drift", 0.5)}}};
    const specimen ball = {&habitats[BALL_3],
                           {.kind = "linear", .options = {NUMBER("drift", 0.25), NUMBER("noise", 0.5)}}};
    check_joint(&arms, 4.0, 0.25, 0.5625);
    check_joint(&points, 4.0, 0.25, 1.0);
    check_joint(&ball, 1.0, 0.0625, 0.25);
}

/* With many coordinates and many updates, the root S of the covariance stays accurate. The comparison is Kalman's
 * recursion for the dense covariance in long double, which loses about 1e-19 an update. */
LAW(a_linear_drift_stays_exact_in_many_dimensions) {
    enum { DIM = 12, ARMS = 40, UPDATES = 3000 };
    static double points[ARMS * DIM];
    static long double covariance[DIM][DIM], mean[DIM];
    uint64_t source = 5;
    for (int i = 0; i < ARMS * DIM; i++) points[i] = 2.0 * random_uniform(&source) - 1.0;
    habitat home = {.arms = ARMS, .dim = DIM, .points = points};
    posse_def def = habitat_def(&home);
    const posse_part belief = {.kind = "linear", .options = {NUMBER("drift", 0.05)}};
    twin t;
    twin_open(&t, &def, &belief);
    memset(covariance, 0, sizeof covariance);
    memset(mean, 0, sizeof mean);
    for (int i = 0; i < DIM; i++) covariance[i][i] = 1.0L;
    for (int n = 0; n < UPDATES; n++) {
        const double *x = points + random_below(&source, ARMS) * DIM;
        long double v[DIM] = {0}, total = 1.0L, off = 3.0 * random_uniform(&source) - 1.0;
        belief_update(&t.belief, t.state, 0, x, (double)off);
        for (int i = 0; i < DIM; i++)
            for (int j = 0; j < DIM; j++) v[i] += covariance[i][j] * x[j];
        for (int i = 0; i < DIM; i++) total += x[i] * v[i], off -= x[i] * mean[i];
        for (int i = 0; i < DIM; i++) {
            mean[i] += v[i] * off / total;
            for (int j = 0; j < DIM; j++) covariance[i][j] -= v[i] * v[j] / total;
            covariance[i][i] += 0.05L * 0.05L;
        }
    }
    const double *ours = t.state, *root = ours + DIM;
    for (int i = 0; i < DIM; i++) {
        assert_close(ours[i], (double)mean[i], 1e-11);
        for (int j = 0; j < DIM; j++) {
            long double sum = 0.0L;
            for (int k = 0; k < DIM; k++) sum += (long double)root[k * DIM + i] * root[k * DIM + j];
            assert_close((double)sum, (double)covariance[i][j], 1e-12);
        }
    }
    twin_close(&t);
}

/* An arm that is added later has its prior in that round and drifts from then on. The other arms are unchanged. */
LAW(a_newcomer_has_its_prior_when_it_comes) {
    const posse_part belief = {.kind = "gaussian", .options = {NUMBER("sd", 2), NUMBER("drift", 0.5)}};
    const posse_part learner = {.kind = "ucb", .options = {NUMBER("window", 6)}};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior = belief;
    def.selector = (posse_part){.kind = "bms", .options = {NUMBER("discount", 0.9)}};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    double before[3], mean[3], deviation[3];
    for (int t = 0; t < 30; t++) assert_int_equal(posse_learn(p, decided(p).id, 0.1 * t), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, before), POSSE_OK);
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    assert_int_equal(posse_means(p, NULL, mean), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, deviation), POSSE_OK);
    assert_true(deviation[0] == before[0] && deviation[1] == before[1]);
    assert_true(mean[2] == 0.0 && deviation[2] == 2.0);
    posse_decision d = decided(p);
    assert_int_equal(d.arm, 2); /* it has no rewards yet */
    assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 0}, 1.0), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, deviation), POSSE_OK);
    assert_true(deviation[2] == sqrt(4.25));
    /* The learner does not try a retired arm again when its rewards leave the window. */
    assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    for (int t = 0; t < 40; t++) {
        d = decided(p);
        assert_true(d.arm != 0);
        assert_int_equal(posse_learn(p, d.id, 0.0), POSSE_OK);
    }
    posse_free(p);
}

/* --------------------------------- learners that forget, from the full history --------------------------------- */

#define MEMORIES_MAX 20000
#define FEW_ARMS 4

typedef struct full_list {
    const posse_part *learner;
    double width, epsilon, window, discount;
    int count, arms[MEMORIES_MAX];
    double rewards[MEMORIES_MAX];
    long double n[FEW_ARMS], mean[FEW_ARMS], total;
} full_list;

static double option_or(const posse_part *described, const char *key, double fallback) {
    const posse_option *o = posse_part_option(described, key);
    return o != NULL ? o->number : fallback;
}

/* Takes counts, means and the total count from the whole history, with the window and the discount. */
static void recollect(full_list *f) {
    memset(f->n, 0, sizeof f->n);
    memset(f->mean, 0, sizeof f->mean);
    f->total = 0.0L;
    long double weight = 1.0L;
    for (int k = f->count - 1; k >= 0; k--, weight *= f->discount) {
        if (f->window > 0.0 && f->count - k > f->window) break;
        f->n[f->arms[k]] += weight;
        f->mean[f->arms[k]] += weight * f->rewards[k];
        f->total += weight;
    }
    for (int a = 0; a < FEW_ARMS; a++) f->mean[a] /= f->n[a];
}

static long double bound_of(const full_list *f, int a) {
    long double log_term = logl(2.0L * FEW_ARMS * f->total / 0.05L);
    return f->mean[a] + f->width * sqrtl(log_term / f->n[a]);
}

/* The arm that the rule plays: the first without rewards, or that with the largest bound; -1: rounding may decide. */
static int arm_wanted(const full_list *f) {
    int best = 0;
    bool close = false;
    for (int a = 0; a < FEW_ARMS; a++)
        if (f->n[a] == 0.0L) return a;
    for (int a = 1; a < FEW_ARMS; a++) {
        long double more = bound_of(f, a) - bound_of(f, best);
        close = more > 0.0L ? more < 1e-9L : close || more > -1e-9L;
        if (more > 0.0L) best = a;
    }
    return close ? -1 : best;
}

/* While rewards are late, arms may have none that count. The learner may then try these arms in any order, or not at
 * all. */
static void check_learner(const posse_part *learner, bool late) {
    static full_list f;
    const posse_part world = {.kind = "drifting", .options = {NUMBER("arms", FEW_ARMS), NUMBER("drift", 0.05)}};
    posse_environment *e = environment_made(&world, 3);
    posse *p = alone_made(e, learner);
    posse_draw draw;
    uint64_t ids[8], source = 9;
    int waiting[8], arms[8], open = 0, doubtful = 0, silent = 0;
    double rewards[8];
    bool greedy = strcmp(learner->kind, "epsilon-greedy") == 0;
    f = (full_list){.learner = learner,
                    .width = greedy ? 0.0 : option_or(learner, "width", 1.0),
                    .epsilon = greedy ? 0.3 : 0.0,
                    .window = option_or(learner, "window", 0.0),
                    .discount = option_or(learner, "discount", 1.0)};
    draw_open(&draw, 3, 0, stream_named(STREAM_LEARNER, learner->name), 0);
    for (int t = 0; t < 3000; t++) {
        recollect(&f);
        int wanted = arm_wanted(&f);
        posse_decision d = decided(p);
        if (greedy && posse_draw_uniform(&draw) < f.epsilon)
            wanted = (int)posse_draw_index(&draw, FEW_ARMS);
        else if (late && wanted >= 0 && f.n[wanted] == 0.0L)
            wanted = -1, silent++;
        if (wanted >= 0) assert_that(d.arm == wanted, "%s, round %d: %d, not %d", learner->name, t, d.arm, wanted);
        doubtful += wanted < 0;
        ids[open] = d.id, arms[open] = d.arm, rewards[open] = posse_environment_reward(e, &d);
        waiting[open++] = late ? (int)random_below(&source, 6) : 0;
        for (int k = 0; k < open; k++) {
            if (waiting[k]-- > 0 && open < 8) continue;
            assert_int_equal(posse_learn(p, ids[k], rewards[k]), POSSE_OK);
            f.arms[f.count] = arms[k], f.rewards[f.count++] = rewards[k];
            open--;
            ids[k] = ids[open], arms[k] = arms[open], rewards[k] = rewards[open], waiting[k] = waiting[open];
            k--;
        }
    }
    assert_that(doubtful - silent < 5, "%s: rounding decides %d times", learner->name, doubtful);
    posse_free(p);
    posse_environment_free(e);
}

LAW(learners_that_forget_go_by_what_they_remember) {
    static const posse_part learners[] = {
        {.kind = "ucb", .name = "all", .options = {NUMBER("width", 0.5)}},
        {.kind = "ucb", .name = "window", .options = {NUMBER("window", 50)}},
        {.kind = "ucb", .name = "short window", .options = {NUMBER("window", 3), NUMBER("width", 0.2)}},
        {.kind = "ucb", .name = "discount", .options = {NUMBER("discount", 0.98)}},
        {.kind = "ucb", .name = "steep discount", .options = {NUMBER("discount", 0.5), NUMBER("width", 0.1)}},
        {.kind = "epsilon-greedy", .name = "greedy window", .options = {NUMBER("window", 40), NUMBER("epsilon", 0.3)}},
        {.kind = "epsilon-greedy",
         .name = "greedy discount",
         .options = {NUMBER("discount", 0.9), NUMBER("epsilon", 0.3)}},
    };
    for (int i = 0; i < LENGTH(learners); i++)
        for (int late = 0; late < 2; late++) check_learner(&learners[i], late);
}

/* A reward of 1e100 destroys the accuracy of the sums that include it. Once it has left the window, no error may
 * remain. */
LAW(rounding_does_not_outlive_a_window) {
    static full_list f;
    const posse_part learner = {.kind = "ucb", .options = {NUMBER("window", 9), NUMBER("width", 0.3)}};
    posse_def def = posse_default_def();
    def.arms = FEW_ARMS;
    def.selector.kind = NULL;
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    uint64_t source = 4;
    f = (full_list){.width = 0.3, .window = 9.0, .discount = 1.0};
    for (int t = 0; t < 1000; t++) {
        recollect(&f);
        int wanted = arm_wanted(&f), spoilt = t % 100;
        posse_decision d = decided(p);
        if (spoilt == 0 || spoilt > 2 * 9) assert_true(wanted < 0 || d.arm == wanted);
        f.arms[f.count] = d.arm;
        f.rewards[f.count++] = spoilt == 1 ? 1e100 : 0.1 * d.arm + random_uniform(&source);
        assert_int_equal(posse_learn(p, d.id, f.rewards[f.count - 1]), POSSE_OK);
    }
    posse_free(p);
}

/* ------------------------------------------------- environments ------------------------------------------------ */

static posse_decision of_arm(int arm) {
    return (posse_decision){.arm = arm};
}

/* Records the means of each round while random arms are played. */
static void follow(posse_environment *e, int rounds, uint64_t seed, double means[][FEW_ARMS]) {
    uint64_t source = seed;
    posse_environment_begin(e, 4);
    for (int t = 0; t < rounds; t++) {
        posse_decision d = of_arm((int)random_below(&source, FEW_ARMS));
        posse_environment_reward(e, &d);
        posse_environment_means(e, means[t]);
        double best = -INFINITY;
        for (int a = 0; a < FEW_ARMS; a++) best = fmax(best, means[t][a]);
        assert_true(posse_environment_regret(e, &d) == best - means[t][d.arm]);
    }
}

#define FOLLOWED 20000
static double followed[FOLLOWED][FEW_ARMS], again[FOLLOWED][FEW_ARMS];

LAW(drifting_means_make_their_steps) {
    const posse_part world = {.kind = "drifting", .options = {NUMBER("arms", FEW_ARMS), NUMBER("drift", 0.3)}};
    posse_environment *e = environment_made(&world, 2);
    double first[FEW_ARMS];
    posse_environment_begin(e, 4);
    posse_environment_means(e, first);
    follow(e, FOLLOWED, 1, followed);
    follow(e, FOLLOWED, 2, again); /* other arms are played */
    assert_memory_equal(followed, again, sizeof followed);
    assert_memory_equal(followed[0], first, sizeof first); /* the first round has the means of the prior */
    for (int a = 0; a < FEW_ARMS; a++) {
        moments step = {0}, square = {0}, lagged = {0}, mixed = {0};
        for (int t = 2; t < FOLLOWED; t++) {
            double now = followed[t][a] - followed[t - 1][a], before = followed[t - 1][a] - followed[t - 2][a];
            int b = (a + 1) % FEW_ARMS;
            moments_add(&step, now);
            moments_add(&square, now * now);
            moments_add(&lagged, now * before);
            moments_add(&mixed, now * (followed[t][b] - followed[t - 1][b]));
        }
        assert_mean(&step, 0.0);
        assert_mean(&square, 0.09);
        assert_mean(&lagged, 0.0);
        assert_mean(&mixed, 0.0);
    }
    posse_environment_free(e);
}

LAW(shifting_means_are_drawn_anew) {
    const posse_part world = {
        .kind = "shifting",
        .options = {NUMBER("arms", FEW_ARMS), NUMBER("every", 8), NUMBER("prior.mean", 0.5), NUMBER("prior.sd", 2)}};
    posse_environment *e = environment_made(&world, 2);
    follow(e, FOLLOWED, 1, followed);
    follow(e, FOLLOWED, 2, again);
    assert_memory_equal(followed, again, sizeof followed);
    moments shift = {0}, twice = {0}, mean = {0}, square = {0};
    bool before = false;
    for (int t = 1; t < FOLLOWED; t++) {
        bool now = followed[t][0] != followed[t - 1][0];
        for (int a = 0; a < FEW_ARMS; a++) {
            assert_true((followed[t][a] != followed[t - 1][a]) == now); /* all of them or none */
            if (now) moments_add(&mean, followed[t][a]);
            if (now) moments_add(&square, (followed[t][a] - 0.5) * (followed[t][a] - 0.5));
        }
        moments_add(&shift, now);
        if (before) moments_add(&twice, now); /* geometric: a shift now does not change the next probability */
        before = now;
    }
    assert_mean(&shift, 1.0 / 8.0);
    assert_mean(&twice, 1.0 / 8.0);
    assert_mean(&mean, 0.5);
    assert_mean(&square, 4.0);
    posse_environment_free(e);
}

LAW(shifts_come_in_the_rounds_that_are_named) {
    static const double rounds[] = {2, 3, 50, 400};
    const posse_part world = {.kind = "shifting", .options = {NUMBER("arms", FEW_ARMS), LIST("at", rounds)}};
    posse_environment *e = environment_made(&world, 2);
    follow(e, 500, 1, followed);
    for (int t = 1, next = 0; t < 500; t++) {
        bool now = next < LENGTH(rounds) && t + 1 == rounds[next];
        assert_int_equal(memcmp(followed[t], followed[t - 1], sizeof followed[t]) != 0, now);
        next += now;
    }
    posse_environment_free(e);
}

/* -------------------------------------------- choices and the truth -------------------------------------------- */

static double worst_matching(const experiment *e) {
    agenda *a;
    results *r = scene_run(e, 2, &a);
    double worst = 0.0;
    for (int i = 0; i < a->matching_count[0] * a->learners; i++) worst = fmax(worst, fabs(r->matching_z[i]));
    results_free(r);
    agenda_free(a);
    return worst;
}

/*
 * B-MS charges past plays in the world of the present round, and here the true regret is computed in the same way. So
 * choices match the truth if the belief drifts as the world does, with a discount or without. With a belief that does
 * not drift they do not match.
 */
LAW(choices_match_a_truth_that_drifts) {
    const posse_part still = {.kind = "gaussian"};
    const posse_part selectors[] = {
        {.kind = "bms", .name = "right"},
        {.kind = "bms", .name = "right", .options = {NUMBER("discount", 0.95), NUMBER("patience", 3)}},
        {.kind = "bms", .name = "still", .options = {{.key = "belief", .part = &still}}},
    };
    for (int i = 0; i < LENGTH(selectors); i++) {
        posse_part selector = selectors[i];
        experiment e = *scene_named("fading");
        e.runs = (uint32_t)(20000 * law_effort());
        e.rounds = 120;
        e.selectors = &selector;
        e.selector_count = 1;
        scene_settle(&e);
        double worst = worst_matching(&e);
        print_message("%s: worst |z| %.2f\n", selectors[i].name, worst);
        if (i < 2) assert_that(worst < Z_MAX, "worst |z| = %.2f", worst);
        if (i == 2)
            assert_that(worst > 8.0 * sqrt(law_effort()), "a belief that stands still goes unnoticed, %.2f", worst);
    }
}

/* ----------------------------------------- which options fit together ------------------------------------------ */

static posse_error joins(posse_abreast *a, const posse_environment *e, const posse_part *selector,
                         const posse_part *learner) {
    posse_def def = alone_def(e, learner);
    if (selector != NULL) def.selector = *selector;
    posse *p = posse_made(&def);
    posse_error error = posse_abreast_add(a, p);
    posse_free(p);
    return error;
}

LAW(what_forgets_is_played_run_by_run) {
    static const posse_part walking = {.kind = "gaussian", .options = {NUMBER("drift", 0.1)}};
    static const posse_part standing = {.kind = "gaussian", .options = {NUMBER("drift", 0.0)}};
    const posse_part world = {.kind = "gaussian", .options = {NUMBER("arms", 3)}};
    const posse_part ucb = {.kind = "ucb", .options = {NUMBER("window", 0), NUMBER("discount", 1)}};
    const posse_part bms = {.kind = "bms", .options = {NUMBER("discount", 1), {.key = "belief", .part = &standing}}};
    const posse_part forgetful[] = {{.kind = "ucb", .options = {NUMBER("window", 9)}},
                                    {.kind = "ucb", .options = {NUMBER("discount", 0.9)}},
                                    {.kind = "thompson", .options = {{.key = "belief", .part = &walking}}}};
    const posse_part fading[] = {{.kind = "bms", .options = {NUMBER("discount", 0.9)}},
                                 {.kind = "bms", .options = {{.key = "belief", .part = &walking}}}};
    posse_environment *e = environment_made(&world, 1);
    posse_abreast *a;
    assert_int_equal(posse_abreast_create(e, &a), POSSE_OK);
    assert_int_equal(joins(a, e, NULL, &ucb), POSSE_OK);
    assert_int_equal(joins(a, e, &bms, &ucb), POSSE_OK);
    for (int i = 0; i < LENGTH(forgetful); i++) {
        assert_int_equal(joins(a, e, NULL, &forgetful[i]), POSSE_ERROR_ABSENT);
        assert_int_equal(joins(a, e, &bms, &forgetful[i]), POSSE_ERROR_ABSENT);
    }
    for (int i = 0; i < LENGTH(fading); i++) assert_int_equal(joins(a, e, &fading[i], &ucb), POSSE_ERROR_ABSENT);
    posse_abreast_free(a);
    posse_environment_free(e);
    const posse_part moving[] = {{.kind = "drifting", .options = {NUMBER("arms", 3), NUMBER("drift", 0.1)}},
                                 {.kind = "shifting", .options = {NUMBER("arms", 3)}}};
    for (int i = 0; i < LENGTH(moving); i++) {
        e = environment_made(&moving[i], 1);
        assert_int_equal(posse_abreast_create(e, &a), POSSE_ERROR_ABSENT);
        posse_environment_free(e);
    }
}

static void assert_part_refused(posse_family family, posse_part described, const char *excerpt) {
    notes told = {0};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    posse_part ucb = {.kind = "ucb"};
    def.host.log = notes_logger(&told);
    def.learners = family == POSSE_FAMILY_LEARNER ? &described : &ucb;
    def.learner_count = 1;
    if (family == POSSE_FAMILY_SELECTOR) def.selector = described;
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&told, excerpt);
}

LAW(two_ways_of_forgetting_are_one_too_many) {
    const char *one = "give one of the two";
    const posse_option window = NUMBER("window", 5), discount = NUMBER("discount", 0.9);
    assert_part_refused(POSSE_FAMILY_LEARNER, (posse_part){.kind = "ucb", .options = {window, discount}}, one);
    assert_part_refused(POSSE_FAMILY_LEARNER, (posse_part){.kind = "epsilon-greedy", .options = {window, discount}},
                        one);
    posse_part forgets = {.kind = "bms", .options = {NUMBER("patience", 2), NUMBER("forgetting", 1), discount}};
    assert_part_refused(POSSE_FAMILY_SELECTOR, forgets, one);
}
