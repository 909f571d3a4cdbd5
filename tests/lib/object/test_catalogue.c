/* SPDX-License-Identifier: MIT */
/*
 * A catalogue of arms that changes all the time, under B-MS, against formulas. A chronicle stores every play and every
 * reward. In every round it computes the posterior of each arm, the charges of the learners and the pick of the chosen
 * learner from the whole history. Rewards come late, in any order, or never, also after their arm was retired. The
 * chronicle shares nothing with the library except the streams and, for a linear world, the root of its covariance
 * (helpers.h, twin).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"

#define ROUNDS 10000
#define ARMS_MOST 128
#define DIM 3
#define CREW 4

typedef struct play {
    int learner, arm;
    double reward;
    bool heard, open;
} play;

/* A form of arms and rewards, and learners whose picks have a formula. */
typedef struct form {
    const char *name;
    int arms, dim;
    bool unit;
    posse_part prior;
    posse_part crew[CREW];
    double tolerance; /* of charges; for points they are sums of coordinates that were rounded to 2^-32 */
} form;

#define MEAN 0.3
#define SD 0.8
#define NOISE 1.2
#define ALPHA 2.0
#define BETA 1.5
#define PRECISION 2.0
#define WIDTH 0.4
#define DELTA 0.1

static const form forms[] = {
    {.name = "normal",
     .arms = 4,
     .prior = {.kind = "gaussian", .options = {NUMBER("mean", MEAN), NUMBER("sd", SD), NUMBER("noise", NOISE)}},
     .crew = {{.kind = "thompson"},
              {.kind = "ucb", .options = {NUMBER("width", WIDTH), NUMBER("delta", DELTA)}},
              {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.0)}},
              {.kind = "thompson", .name = "another"}},
     .tolerance = 1e-9},
    {.name = "coins",
     .arms = 3,
     .unit = true,
     .prior = {.kind = "beta", .options = {NUMBER("alpha", ALPHA), NUMBER("beta", BETA)}},
     .crew = {{.kind = "thompson"},
              {.kind = "ucb", .options = {NUMBER("width", WIDTH), NUMBER("delta", DELTA)}},
              {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.0)}},
              {.kind = "thompson", .name = "another"}},
     .tolerance = 1e-9},
    {.name = "points",
     .arms = 4,
     .dim = DIM,
     .prior = {.kind = "linear", .options = {NUMBER("precision", PRECISION), NUMBER("noise", NOISE)}},
     .crew = {{.kind = "linear-ucb", .options = {NUMBER("width", WIDTH)}},
              {.kind = "linear-thompson", .options = {NUMBER("width", 0.0)}},
              {.kind = "ucb", .options = {NUMBER("width", WIDTH), NUMBER("delta", DELTA)}},
              {.kind = "linear-ucb", .name = "bolder", .options = {NUMBER("width", WIDTH)}}},
     .tolerance = 1e-4},
};

typedef struct chronicle {
    const form *form;
    bool share;
    double patience; /* 0: unlimited */
    posse *p;
    twin linear; /* draws linear worlds */
    posse_draw selector_draw, learner_draws[CREW];
    int arms;
    bool active[ARMS_MOST];
    double points[ARMS_MOST * DIM], truth[ARMS_MOST];
    play plays[ROUNDS];
    int count, open;
    uint64_t source;
} chronicle;

static const double *point_of(const chronicle *c, int arm) {
    return c->form->dim > 0 ? c->points + DIM * arm : NULL;
}

/* ------------------------------------------------ what was learned --------------------------------------------- */

/* The number and the sum of the rewards of each arm, over all plays or over those that a learner has learned. */
typedef struct sums {
    long double count[ARMS_MOST], sum[ARMS_MOST], all;
} sums;

#define EVERYBODY (-1)

static bool hears(const chronicle *c, const play *x, int learner) {
    return x->heard && (learner == EVERYBODY || c->share || x->learner == learner);
}

static void add_up(const chronicle *c, int learner, sums *s) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < c->count; i++) {
        const play *x = &c->plays[i];
        if (!hears(c, x, learner)) continue;
        s->count[x->arm] += 1.0L;
        s->sum[x->arm] += x->reward;
        s->all += 1.0L;
    }
}

static void regress(const chronicle *c, int learner, double noise, ridge *r) {
    ridge_start(r, DIM, PRECISION);
    for (int i = 0; i < c->count; i++)
        if (hears(c, &c->plays[i], learner)) ridge_learn(r, point_of(c, c->plays[i].arm), c->plays[i].reward, noise);
}

static long double along(const long double *theta, const double *point) {
    long double sum = 0.0L;
    for (int j = 0; j < DIM; j++) sum += theta[j] * point[j];
    return sum;
}

/* A world of independent arms, drawn from the posterior. */
static void draw_arms(const chronicle *c, const sums *s, posse_draw *draw, double *world) {
    if (!c->form->unit) posse_draw_normals(draw, world, (size_t)c->arms);
    for (int a = 0; a < c->arms; a++) {
        if (c->form->unit) {
            double alpha = (double)(ALPHA + s->sum[a]), beta = (double)(BETA + s->count[a] - s->sum[a]);
            world[a] = posse_draw_beta(draw, alpha, beta);
        } else {
            long double precision = 1.0L / (SD * SD) + s->count[a] / (NOISE * NOISE);
            long double mean = (MEAN / (SD * SD) + s->sum[a] / (NOISE * NOISE)) / precision;
            world[a] = (double)(mean + world[a] / sqrtl(precision));
        }
    }
}

/* The values of all arms in a world that the selector draws. */
static void draw_world(chronicle *c, double *values) {
    if (c->form->dim > 0) {
        twin_draw(&c->linear);
        for (int a = 0; a < c->arms; a++) values[a] = (double)twin_value(&c->linear, a, point_of(c, a));
        return;
    }
    sums s;
    add_up(c, EVERYBODY, &s);
    draw_arms(c, &s, &c->selector_draw, values);
}

static double best_of(const chronicle *c, const double *values) {
    double best = -INFINITY;
    for (int a = 0; a < c->arms; a++)
        if (c->active[a] && values[a] > best) best = values[a];
    return best;
}

/* --------------------------------------------------- checking -------------------------------------------------- */

static void check_means(const chronicle *c) {
    double means[ARMS_MOST];
    assert_int_equal(posse_means(c->p, NULL, means), POSSE_OK);
    sums s;
    add_up(c, EVERYBODY, &s);
    ridge r;
    long double theta[SOLVE_MAX];
    if (c->form->dim > 0) {
        regress(c, EVERYBODY, NOISE, &r);
        ridge_mean(&r, theta);
    }
    for (int a = 0; a < c->arms; a++) {
        long double normal =
            (MEAN / (SD * SD) + s.sum[a] / (NOISE * NOISE)) / (1.0L / (SD * SD) + s.count[a] / (NOISE * NOISE));
        long double coin = (ALPHA + s.sum[a]) / (ALPHA + BETA + s.count[a]);
        long double right = c->form->dim > 0 ? along(theta, point_of(c, a)) : c->form->unit ? coin : normal;
        assert_close(means[a], (double)right, 1e-9);
    }
}

/* The formula of selector/patience.h with a commitment of 1. For independent arms, its dimension counts all arms,
 * also retired ones. */
static double share_of(const chronicle *c, double plays) {
    double each = c->patience / CREW, b = (c->form->dim > 0 ? DIM : c->arms) * (each > 2.0 ? each : 2.0);
    double s = c->patience > 0.0 ? sqrt(plays / b) : 1.0;
    return s > 1.0 ? 1.0 / (s * (1.0 + log(s))) : 1.0;
}

/*
 * The charge of each learner is the regret of all its past plays in the world drawn, times the share that patience
 * leaves. The learner with the least charge is chosen.
 */
static void check_charges(const chronicle *c, const double *values, int chosen, double *below) {
    double potentials[CREW], charges[CREW] = {0.0}, plays[CREW] = {0.0}, best = best_of(c, values);
    for (int i = 0; i < c->count; i++) {
        charges[c->plays[i].learner] += best - values[c->plays[i].arm];
        plays[c->plays[i].learner] += 1.0;
    }
    assert_int_equal(posse_potentials(c->p, potentials), POSSE_OK);
    for (int i = 0; i < CREW; i++) {
        charges[i] *= share_of(c, plays[i]);
        assert_close(potentials[i], charges[i], c->form->tolerance * (1.0 + fabs(charges[i])));
        assert_true(potentials[chosen] <= potentials[i]);
        *below = fmin(*below, charges[i]);
    }
}

/* The value of each arm for a learner, which picks the largest. Returns whether the learner may try an arm without
 * rewards instead, as those do that count rewards. */
static bool judge(chronicle *c, int learner, double *values, const sums *s) {
    const char *kind = c->form->crew[learner].kind;
    ridge r;
    long double theta[SOLVE_MAX];
    bool linear = strncmp(kind, "linear", 6) == 0;
    if (linear) {
        regress(c, learner, 1.0, &r);
        ridge_mean(&r, theta);
    }
    if (strcmp(kind, "thompson") == 0) draw_arms(c, s, &c->learner_draws[learner], values);
    for (int a = 0; a < c->arms; a++) {
        long double mean = s->sum[a] / s->count[a];
        if (strcmp(kind, "ucb") == 0)
            values[a] = (double)(mean + WIDTH * sqrtl(logl(2.0L * c->arms * s->all / DELTA) / s->count[a]));
        if (strcmp(kind, "epsilon-greedy") == 0) values[a] = (double)mean;
        if (linear) values[a] = (double)along(theta, point_of(c, a));
        if (strcmp(kind, "linear-ucb") == 0) values[a] += WIDTH * sqrt((double)ridge_variance(&r, point_of(c, a)));
        if (strcmp(kind, "ucb") == 0 || strcmp(kind, "epsilon-greedy") == 0)
            if (s->count[a] == 0.0L) values[a] = -INFINITY;
    }
    return strcmp(kind, "ucb") == 0 || strcmp(kind, "epsilon-greedy") == 0;
}

static void check_pick(chronicle *c, int learner, int arm) {
    double values[ARMS_MOST];
    sums s;
    add_up(c, learner, &s);
    bool counts = judge(c, learner, values, &s);
    assert_true(c->active[arm]);
    if (counts && s.count[arm] == 0.0L) return;
    assert_that(values[arm] >= best_of(c, values) - 1e-9, "learner %d picked arm %d of %g; the best has %g", learner,
                arm, values[arm], best_of(c, values));
}

/* --------------------------------------------- the life of a posse --------------------------------------------- */

static void place_arm(chronicle *c, int arm) {
    for (int j = 0; j < DIM; j++) c->points[DIM * arm + j] = random_uniform(&c->source) * 2.0 - 1.0;
    c->truth[arm] = random_uniform(&c->source);
    c->active[arm] = true;
}

static void open_chronicle(chronicle *c, const form *f, bool share, double patience) {
    memset(c, 0, sizeof *c);
    c->form = f;
    c->share = share;
    c->patience = patience;
    c->arms = f->arms;
    c->source = 31 + share;
    for (int a = 0; a < f->arms; a++) place_arm(c, a);
    posse_def def = posse_default_def();
    def.arms = f->arms;
    def.dim = f->dim;
    def.points = f->dim > 0 ? c->points : NULL;
    def.prior = f->prior;
    def.selector = with_option(algorithm_1, (posse_option)NUMBER("share", share));
    if (patience > 0.0) def.selector = with_option(def.selector, (posse_option)NUMBER("patience", patience));
    def.learners = f->crew;
    def.learner_count = CREW;
    c->p = posse_made(&def);
    twin_open(&c->linear, &def, NULL);
    draw_open(&c->selector_draw, def.seed, def.run, stream_named(STREAM_SELECTOR, NULL), 0);
    for (int i = 0; i < CREW; i++)
        draw_open(&c->learner_draws[i], def.seed, def.run, stream_named(STREAM_LEARNER, posse_learner_name(c->p, i)),
                  0);
}

static void close_chronicle(chronicle *c) {
    twin_close(&c->linear);
    posse_free(c->p);
}

static void change_arms(chronicle *c) {
    uint64_t fate = random_below(&c->source, 150);
    int arm = (int)random_below(&c->source, (uint64_t)c->arms), left = 0;
    for (int a = 0; a < c->arms; a++) left += c->active[a];
    if (fate == 0 && c->arms < ARMS_MOST) {
        place_arm(c, c->arms);
        assert_int_equal(posse_arm_add(c->p, point_of(c, c->arms), &arm), POSSE_OK);
        assert_int_equal(arm, c->arms++);
    } else if (fate == 1 && left > 1 && c->active[arm]) {
        assert_int_equal(posse_arm_retire(c->p, arm), POSSE_OK);
        c->active[arm] = false;
    }
}

static void hear(chronicle *c, int at) {
    play *x = &c->plays[at];
    double u = random_uniform(&c->source);
    x->reward = c->form->unit ? (u < c->truth[x->arm] ? 1.0
                                 : u > 0.95           ? 0.5
                                                      : 0.0)
                              : c->truth[x->arm] + 2.0 * (u - 0.5);
    x->heard = true;
    x->open = false;
    assert_int_equal(posse_learn(c->p, (uint64_t)at + 1, x->reward), POSSE_OK);
    posse_decision d = {.arm = x->arm, .point = point_of(c, x->arm)};
    if (c->form->dim > 0) twin_learn(&c->linear, &d, x->reward);
}

/* Most rewards come at once, some late, some never. */
static void settle(chronicle *c) {
    uint64_t fate = random_below(&c->source, 100);
    c->plays[c->count - 1].open = true;
    if (fate < 70) hear(c, c->count - 1);
    if (fate < 5) {
        int at = (int)random_below(&c->source, (uint64_t)c->count);
        for (; at < c->count; at++)
            if (c->plays[at].open) {
                hear(c, at);
                break;
            }
    }
    if (fate == 99) {
        assert_int_equal(posse_forget(c->p, (uint64_t)c->count), POSSE_OK);
        c->plays[c->count - 1].open = false;
    }
}

static void live(const form *f, bool share, double patience) {
    static chronicle c;
    double below = 0.0;
    int rounds = (int)(ROUNDS * law_effort());
    open_chronicle(&c, f, share, patience);
    while (c.count < rounds) {
        double values[ARMS_MOST];
        change_arms(&c);
        bool draws = c.count >= CREW; /* after each learner's first play */
        if (draws) draw_world(&c, values);
        posse_decision d = decided(c.p);
        if (draws) check_charges(&c, values, d.learner, &below);
        check_pick(&c, d.learner, d.arm);
        c.plays[c.count++] = (play){.learner = d.learner, .arm = d.arm};
        settle(&c);
        if (c.count % 100 == 0) check_means(&c);
    }
    int gone = 0;
    for (int a = 0; a < c.arms; a++) gone += !c.active[a];
    assert_that(gone > rounds / 1000 && c.arms > f->arms + rounds / 1000, "%s: %d arms, %d of them retired", f->name,
                c.arms, gone);
    assert_that(below < 0.0 || law_effort() < 1.0, "%s: plays of retired arms were never a credit",
                f->name); /* otherwise this tests less */
    close_chronicle(&c);
}

LAW(changing_arms_are_their_formulas_gaussian) {
    live(&forms[0], false, 0.0);
    live(&forms[0], true, 40.0);
}

LAW(changing_arms_are_their_formulas_beta) {
    live(&forms[1], false, 0.0);
    live(&forms[1], true, 40.0);
}

LAW(changing_arms_are_their_formulas_linear) {
    live(&forms[2], false, 0.0);
    live(&forms[2], true, 40.0);
}
