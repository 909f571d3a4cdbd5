/* SPDX-License-Identifier: MIT */
/*
 * Every learner in contexts is compared with a rival that follows its formula directly (formula_rivals.h). The
 * available arms change from round to round.
 */
#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "formula_rivals.h"

#define ROUNDS REWARDS_CAP

/* ---------------------------------------------------- duels ---------------------------------------------------- */

typedef struct duel {
    posse_part learner;
    pick *pick;
    rival rival;
} duel;

static void rival_start(rival *r, const duel *u, const setting *s, const posse *p) {
    *r = u->rival;
    for (int j = 0; r->dim == 0 && j < s->own + s->shared; j++) r->seen[j] = j;
    if (r->dim == 0) r->dim = s->own + s->shared;
    if (r->precision == 0.0) r->precision = 1.0;
    if (r->forget == 0.0) r->forget = 1.0;
    for (int a = 0; a < ARMS_CAP; a++) {
        ridge_start(&r->thetas[a], r->dim, r->precision);
        ridge_start(&r->products[a], products_of(r), products_of(r));
    }
    draw_open(&r->draw, p->seed, p->run, stream_named(STREAM_LEARNER, p->members[0].name), 0);
}

/* A reward that depends on the features, differently for each arm. For a logistic learner it is in [0, 1]. */
static double pay(const rival *r, int arm, const double *features, int width, uint64_t *source) {
    double score = 0.2 * arm - 0.5;
    for (int j = 0; j < width; j++) score += features[j] * ((arm + 2 * j) % 3 - 0.7 * (j % 2));
    if (!r->logistic) return score + feature(source);
    if (random_below(source, 5) == 0) return random_uniform(source);
    return random_uniform(source) < 1.0 / (1.0 + exp(-score)) ? 1.0 : 0.0;
}

/* The means and the variances of weights, slot by slot, in the learner's state. */
static void check_diagonals(rival *r, const double *state, int arms) {
    int count = r->disjoint ? arms : 1;
    for (int t = 0; t < count; t++) {
        long double mean[SOLVE_MAX];
        ridge_mean(&r->thetas[t], mean);
        for (int j = 0; j < r->dim; j++) {
            const double *learned = state + 1 + 2 * (j * count + t);
            assert_close(learned[0], (double)mean[j], 1e-9 * (1.0 + fabs(learned[0])));
            assert_close(learned[1] * (double)r->thetas[t].v[j][j], 1.0, 1e-9);
        }
    }
}

/* S S^T V = I and mean = V^-1 b in the learner's state. */
static void check_thetas(rival *r, const double *state, int arms) {
    int dim = r->dim, count = r->disjoint ? arms : 1;
    for (int t = 0; t < count; t++) {
        const double *learned = state + 1 + t * (dim + dim * dim);
        long double mean[SOLVE_MAX];
        ridge_mean(&r->thetas[t], mean);
        for (int i = 0; i < dim; i++) {
            assert_close(learned[i], (double)mean[i], 1e-9 * (1.0 + fabs(learned[i])));
            for (int j = 0; j < dim; j++) {
                long double product = 0.0L;
                for (int k = 0; k < dim; k++)
                    for (int c = 0; c < dim; c++)
                        product +=
                            (long double)learned[dim + c * dim + i] * learned[dim + c * dim + k] * r->thetas[t].v[k][j];
                assert_close((double)product, i == j, 1e-9);
            }
        }
    }
}

/*
 * The means and the variances of the weights of products, row by row, behind `before` numbers of the learner's state.
 * Rows and features are few, so that each row fills one vector.
 */
static void check_products(rival *r, const double *state, int before, int arms) {
    int count = r->disjoint ? arms : 1, each = 8 * r->dim, n = 0;
    for (int t = 0; t < count; t++, n = 0) {
        long double mean[SOLVE_MAX];
        ridge_mean(&r->products[t], mean);
        for (int i = 0; i < r->dim; i++)
            for (int j = 0; j <= i; j++, n++) {
                const double *learned = state + before + 2 * each * t + 8 * i + j;
                assert_close(learned[0], (double)mean[n], 1e-9 * (1.0 + fabs(learned[0])));
                assert_close(learned[each] * (double)r->products[t].v[n][n], 1.0, 1e-9);
            }
    }
}

/* An arm is added after a third of the rounds, with the prior of that moment. Another is retired after two thirds. */
static void change_arms(posse *p, rival *r, int n) {
    if (n == ROUNDS / 3) {
        if (r->disjoint) ridge_start(&r->thetas[posse_arm_count(p)], r->dim, r->precision);
        assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    }
    if (n == 2 * ROUNDS / 3) assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
}

static void fight(const duel *u, const setting *s, uint64_t seed) {
    posse_def def = setting_def(s, &u->learner, seed);
    posse *p = posse_made(&def);
    uint64_t source = 17 * seed + (uint64_t)s->arms;
    rival r;
    rival_start(&r, u, s, p);
    for (int n = 0; n < ROUNDS; n++) {
        brought b;
        posse_decision d;
        change_arms(p, &r, n);
        bring(s, p, &source, &b);
        assert_int_equal(posse_decide(p, &b.context, &d), POSSE_OK);
        int place = place_of(&b, d.arm);
        int expected = u->pick(&r, &b, p->members[0].state, posse_arm_count(p), place);
        assert_that(place == expected, "%s, %s, seed %d, round %d: arm %d, not %d", u->learner.kind, s->name, (int)seed,
                    n, d.arm, b.arms[expected]);
        double reward = pay(&r, d.arm, b.rows[place], s->own + s->shared, &source);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        rival_learn(&r, d.arm, b.rows[place], reward);
        if (n % 100 == 99 && r.diagonal) check_diagonals(&r, p->members[0].state, posse_arm_count(p));
        if (n % 100 == 99 && u->pick != ucb_pick && !r.diagonal)
            check_thetas(&r, p->members[0].state, posse_arm_count(p));
        int thetas = r.disjoint ? posse_arm_count(p) : 1, each = r.dim + (r.diagonal ? r.dim : r.dim * r.dim);
        if (n % 100 == 99 && r.multiplies)
            check_products(&r, p->members[0].state, 1 + thetas * each, posse_arm_count(p));
    }
    assert_int_equal(p->members[0].draw->position, r.draw.position);
    assert_that(r.close_calls <= 2, "%s, %s: %d rounds too close to call", u->learner.kind, s->name, r.close_calls);
    posse_free(p);
}

/* Adds the options of a model to the learner, and the same settings to its rival. */
static void add_options(duel *u, bool disjoint, bool some, bool forget) {
    static const double features[] = {3.0, 0.0, 2.0};
    u->learner = with_option(u->learner, (posse_option)WORD("model", disjoint ? "disjoint" : "joint"));
    u->rival.disjoint = disjoint;
    if (some) u->learner = with_option(u->learner, (posse_option)LIST("features", features));
    for (int j = 0; some && j < LENGTH(features); j++) u->rival.seen[u->rival.dim++] = (int)features[j];
    u->rival.forget = forget ? 0.95 : 1.0;
    if (forget) u->learner = with_option(u->learner, (posse_option)NUMBER("forget", 0.95));
}

/* All combinations of joint or disjoint, all features or some, with `forget` or without, in every setting that they
 * fit. */
static void fight_all(const duel *u) {
    for (int i = 0; i < LENGTH(settings); i++)
        for (int options = 0; options < 8; options++) {
            duel other = *u;
            bool disjoint = options & 1;
            if (!disjoint && settings[i]->own == 0) continue;
            add_options(&other, disjoint, options & 2, options & 4);
            fight(&other, settings[i], (uint64_t)options + 1);
        }
}

/* The same with a diagonal covariance, which does not forget. only_disjoint: the learner draws a joint theta otherwise.
 */
static void fight_diagonal(const duel *u, bool only_disjoint) {
    for (int i = 0; i < LENGTH(settings); i++)
        for (int options = 0; options < 4; options++) {
            duel other = *u;
            bool disjoint = options & 1;
            if (!disjoint && (settings[i]->own == 0 || only_disjoint)) continue;
            add_options(&other, disjoint, options & 2, false);
            other.learner = with_option(other.learner, (posse_option)WORD("covariance", "diagonal"));
            other.rival.diagonal = true;
            fight(&other, settings[i], (uint64_t)options + 1);
        }
}

LAW(diagonal_models_are_the_marginals_of_full_steps) {
    fight_diagonal(&(duel){.learner = {.kind = "linear-ucb", .options = {NUMBER("width", 0.3), NUMBER("precision", 4)}},
                           .pick = bound_pick,
                           .rival = {.width = 0.3, .precision = 4.0}},
                   false);
    fight_diagonal(&(duel){.learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}},
                           .pick = greedy_pick,
                           .rival = {.epsilon = 0.3}},
                   false);
    fight_diagonal(
        &(duel){.learner = {.kind = "square-cb"}, .pick = square_cb_pick, .rival = {.gamma = 10, .exponent = 0.5}},
        false);
    fight_diagonal(
        &(duel){.learner = {.kind = "linear-thompson"}, .pick = linear_thompson_pick, .rival = {.width = 0.05}}, true);
    fight_diagonal(&(duel){.learner = {.kind = "logistic-ucb",
                                       .options = {NUMBER("width", 0.5), NUMBER("bias", -1), NUMBER("precision", 0.2)}},
                           .pick = bound_pick,
                           .rival = {.width = 0.5, .bias = -1.0, .precision = 0.2, .logistic = true}},
                   false);
    fight_diagonal(&(duel){.learner = {.kind = "logistic-thompson", .options = {NUMBER("bias", 0.5)}},
                           .pick = logistic_thompson_pick,
                           .rival = {.width = 0.1, .bias = 0.5, .logistic = true}},
                   true);
}

/* Products beside a full covariance and beside a diagonal one. The key of a drawn diagonal theta is not followed. */
static void fight_products(const duel *u, bool draws) {
    for (int i = 0; i < LENGTH(settings); i++)
        for (int options = 0; options < 8; options++) {
            duel other = *u;
            bool disjoint = options & 1, diagonal = options & 4;
            if (!disjoint && (settings[i]->own == 0 || (draws && diagonal))) continue;
            add_options(&other, disjoint, options & 2, false);
            other.learner = with_option(other.learner, (posse_option)NUMBER("products", 1));
            if (diagonal) other.learner = with_option(other.learner, (posse_option)WORD("covariance", "diagonal"));
            other.rival.diagonal = diagonal;
            other.rival.multiplies = true;
            fight(&other, settings[i], (uint64_t)options + 1);
        }
}

LAW(products_are_the_marginals_of_full_steps_beside_the_linear_part) {
    fight_products(&(duel){.learner = {.kind = "linear-ucb", .options = {NUMBER("bias", 0.7)}},
                           .pick = bound_pick,
                           .rival = {.width = 0.5, .bias = 0.7}},
                   false);
    fight_products(&(duel){.learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}},
                           .pick = greedy_pick,
                           .rival = {.epsilon = 0.3}},
                   false);
    fight_products(
        &(duel){.learner = {.kind = "square-cb"}, .pick = square_cb_pick, .rival = {.gamma = 10, .exponent = 0.5}},
        false);
    fight_products(
        &(duel){.learner = {.kind = "linear-thompson"}, .pick = linear_thompson_pick, .rival = {.width = 0.05}}, true);
    fight_products(&(duel){.learner = {.kind = "logistic-ucb",
                                       .options = {NUMBER("width", 0.5), NUMBER("bias", -1), NUMBER("precision", 0.2)}},
                           .pick = bound_pick,
                           .rival = {.width = 0.5, .bias = -1.0, .precision = 0.2, .logistic = true}},
                   false);
    fight_products(&(duel){.learner = {.kind = "logistic-thompson", .options = {NUMBER("bias", 0.5)}},
                           .pick = logistic_thompson_pick,
                           .rival = {.width = 0.1, .bias = 0.5, .logistic = true}},
                   true);
}

LAW(linear_ucb_follows_its_formula_in_contexts) {
    fight_all(&(duel){.learner = {.kind = "linear-ucb"}, .pick = bound_pick, .rival = {.width = 0.5}});
    fight_all(&(duel){.learner = {.kind = "linear-ucb", .options = {NUMBER("bias", 0.7)}},
                      .pick = bound_pick,
                      .rival = {.width = 0.5, .bias = 0.7}});
    fight_all(&(duel){.learner = {.kind = "linear-ucb", .options = {NUMBER("width", 0.3), NUMBER("precision", 4)}},
                      .pick = bound_pick,
                      .rival = {.width = 0.3, .precision = 4.0}});
}

LAW(linear_thompson_follows_its_formula_in_contexts) {
    fight_all(&(duel){.learner = {.kind = "linear-thompson"}, .pick = linear_thompson_pick, .rival = {.width = 0.05}});
    fight_all(&(duel){.learner = {.kind = "linear-thompson", .options = {NUMBER("width", 0), NUMBER("precision", 0.5)}},
                      .pick = linear_thompson_pick,
                      .rival = {.precision = 0.5}});
}

/* In every form of the model: joint and disjoint, forgetting, diagonal, with products. */
LAW(standardised_rewards_have_a_learned_zero_and_unit) {
    static const posse_option standardised = WORD("rewards", "standardised");
    duel duels[] = {
        {.learner = {.kind = "linear-ucb"}, .pick = bound_pick, .rival = {.width = 0.5}},
        {.learner = {.kind = "square-cb"}, .pick = square_cb_pick, .rival = {.gamma = 10, .exponent = 0.5}},
        {.learner = {.kind = "epsilon-greedy"}, .pick = greedy_pick, .rival = {.epsilon = 0.1}},
        {.learner = {.kind = "linear-thompson"}, .pick = linear_thompson_pick, .rival = {.width = 0.05}},
    };
    for (int i = 0; i < LENGTH(duels); i++) {
        bool draws = duels[i].pick == linear_thompson_pick;
        duels[i].learner = with_option(duels[i].learner, standardised);
        duels[i].rival.standardised = true;
        fight_all(&duels[i]);
        fight_diagonal(&duels[i], draws);
        fight_products(&duels[i], draws);
    }
}

/* Counts rounds in which two learners play alike, if the rewards of the second one are scale r + shift. */
static int rounds_alike(const posse_part *learner, const setting *s, double scale, double shift) {
    posse_def def = setting_def(s, learner, 3);
    posse *one = posse_made(&def), *other = posse_made(&def);
    uint64_t source = 5;
    rival pays = {.logistic = false};
    int alike = 0;
    for (int n = 0; n < ROUNDS; n++) {
        brought b;
        posse_decision d, e;
        bring(s, one, &source, &b);
        assert_int_equal(posse_decide(one, &b.context, &d), POSSE_OK);
        assert_int_equal(posse_decide(other, &b.context, &e), POSSE_OK);
        alike += d.arm == e.arm;
        double reward = pay(&pays, d.arm, b.rows[place_of(&b, d.arm)], s->own + s->shared, &source);
        posse_action same = {.arm = d.arm, .context = &b.context};
        assert_int_equal(posse_learn(one, d.id, reward), POSSE_OK);
        assert_int_equal(posse_forget(other, e.id), POSSE_OK);
        assert_int_equal(posse_teach(other, &same, scale * reward + shift), POSSE_OK);
    }
    posse_free(one);
    posse_free(other);
    return alike;
}

/* A power of 2 changes no digit, and other numbers only the last ones. */
LAW(standardised_rewards_may_have_any_scale) {
    static const char *const kinds[] = {"linear-ucb", "linear-thompson", "epsilon-greedy", "square-cb"};
    for (int k = 0; k < LENGTH(kinds); k++)
        for (int i = 0; i < LENGTH(settings); i++) {
            posse_part any = {.kind = kinds[k], .options = {WORD("rewards", "standardised")}};
            posse_part disjoint = with_option(any, (posse_option)WORD("model", "disjoint"));
            assert_int_equal(rounds_alike(&any, settings[i], 0x1p-20, 0.0), ROUNDS);
            assert_int_equal(rounds_alike(&any, settings[i], 40.0, 1000.0), ROUNDS);
            assert_int_equal(rounds_alike(&disjoint, settings[i], 40.0, 1000.0), ROUNDS);
        }
}

LAW(epsilon_greedy_follows_its_formula_in_contexts) {
    fight_all(&(duel){.learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}},
                      .pick = greedy_pick,
                      .rival = {.epsilon = 0.3}});
    fight_all(&(duel){.learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0), NUMBER("bias", -2)}},
                      .pick = greedy_pick,
                      .rival = {.bias = -2.0}});
}

LAW(logistic_ucb_follows_its_formula) {
    fight_all(
        &(duel){.learner = {.kind = "logistic-ucb"}, .pick = bound_pick, .rival = {.width = 0.3, .logistic = true}});
    fight_all(&(duel){.learner = {.kind = "logistic-ucb",
                                  .options = {NUMBER("width", 0.5), NUMBER("bias", -1), NUMBER("precision", 0.2)}},
                      .pick = bound_pick,
                      .rival = {.width = 0.5, .bias = -1.0, .precision = 0.2, .logistic = true}});
}

LAW(logistic_thompson_follows_its_formula) {
    fight_all(&(duel){.learner = {.kind = "logistic-thompson", .options = {NUMBER("bias", 0.5)}},
                      .pick = logistic_thompson_pick,
                      .rival = {.width = 0.1, .bias = 0.5, .logistic = true}});
}

LAW(square_cb_follows_its_formula) {
    fight_all(
        &(duel){.learner = {.kind = "square-cb"}, .pick = square_cb_pick, .rival = {.gamma = 10, .exponent = 0.5}});
    fight_all(&(duel){.learner = {.kind = "square-cb", .options = {NUMBER("gamma", 50), NUMBER("exponent", 0)}},
                      .pick = square_cb_pick,
                      .rival = {.gamma = 50.0}});
}

LAW(ucb_follows_its_formula_among_the_arms_there) {
    for (int i = 0; i < LENGTH(settings); i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            fight(&(duel){.learner = {.kind = "ucb"}, .pick = ucb_pick, .rival = {.width = 1.0, .delta = 0.05}},
                  settings[i], seed);
}

/* The joint model is the default if arms have their own features, unless the learner sees shared features only. */
LAW(models_fit_the_features_that_are_seen) {
    duel u = {.learner = {.kind = "linear-ucb"}, .pick = bound_pick, .rival = {.width = 0.5}};
    fight(&u, &joint_setting, 1);
    fight(&u, &both_setting, 1);
    u.rival.disjoint = true;
    fight(&u, &shared_setting, 1);
    static const double shared[] = {4.0, 3.0};
    u.learner = with_option(u.learner, (posse_option)LIST("features", shared));
    u.rival.dim = 2;
    u.rival.seen[0] = 4;
    u.rival.seen[1] = 3;
    fight(&u, &both_setting, 1);
    u.learner = with_option(u.learner, (posse_option)NUMBER("features", 4));
    u.rival.dim = 1;
    fight(&u, &both_setting, 1);
}

/* ------------------------------------- Thompson sampling, and a single arm ------------------------------------- */

/* The value of an arm in a world, by the model of the belief. */
static long double worth(const twin *t, int arm, const double *x, int width) {
    const posse_belief_model *m = &t->belief.model;
    if (t->belief.shape.one_hot) return t->world[arm];
    long double value = 0.0L;
    for (int j = 0; j < width; j++) value += (long double)t->world[(m->disjoint ? arm * width : 0) + j] * x[j];
    return m->logistic ? 1.0L / (1.0L + expl(-value - m->bias)) : value;
}

static void check_thompson(const setting *s, const posse_part *belief) {
    posse_part learner = {.kind = "thompson", .options = {{.key = "belief", .part = belief}}};
    posse_def def = setting_def(s, &learner, 5);
    posse *p = posse_made(&def);
    uint64_t source = 3;
    int close_calls = 0;
    rival unit = {.logistic = true};
    twin t;
    twin_open(&t, &def, belief);
    twin_begin(&t, 0, stream_named(STREAM_LEARNER, "thompson"));
    for (int n = 0; n < ROUNDS; n++) {
        brought b;
        posse_decision d;
        long double values[ARMS_CAP];
        bring(s, p, &source, &b);
        assert_int_equal(posse_decide(p, &b.context, &d), POSSE_OK);
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        for (int k = 0; k < b.count; k++) values[k] = worth(&t, b.arms[k], b.rows[k], s->own + s->shared);
        int place = place_of(&b, d.arm);
        assert_int_equal(place, called_largest(values, b.count, place, 1e-12, &close_calls));
        double reward = pay(&unit, d.arm, b.rows[place], s->own + s->shared, &source);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        belief_update(&t.belief, t.state, d.arm, b.rows[place], reward);
    }
    assert_true(close_calls <= 1);
    twin_close(&t);
    posse_free(p);
}

LAW(thompson_plays_the_best_arm_there_of_a_drawn_world) {
    static const posse_part beliefs[] = {{.kind = "gaussian"},
                                         {.kind = "beta"},
                                         {.kind = "logistic", .options = {NUMBER("bias", -1.0)}},
                                         {.kind = "logistic", .options = {WORD("model", "disjoint")}}};
    for (int i = 0; i < LENGTH(settings); i++)
        for (int k = 0; k < LENGTH(beliefs); k++) check_thompson(settings[i], &beliefs[k]);
}

LAW(fixed_plays_its_arm_where_it_is_there) {
    posse_part learner = {.kind = "fixed", .options = {NUMBER("arm", 3)}};
    posse_def def = setting_def(&joint_setting, &learner, 1);
    posse *p = posse_made(&def);
    uint64_t source = 11;
    for (int n = 0; n < ROUNDS; n++) {
        brought b;
        posse_decision d;
        bool there = false;
        bring(&joint_setting, p, &source, &b);
        for (int k = 0; k < b.count; k++) there = there || b.arms[k] == 3;
        assert_int_equal(posse_decide(p, &b.context, &d), POSSE_OK);
        assert_int_equal(d.arm, there ? 3 : b.arms[0]);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    }
    posse_free(p);
}

/* --------------------------------------------------- frequencies ----------------------------------------------- */

typedef void chances_of(rival *r, const brought *b, long double *chances);

static void square_cb_chances(rival *r, const brought *b, long double *chances) {
    weigh(r, b, chances);
}

static void epsilon_greedy_chances(rival *r, const brought *b, long double *chances) {
    int best = 0;
    for (int k = 0; k < b->count; k++) {
        chances[k] = r->epsilon / b->count;
        if (value_of(r, b, k) > value_of(r, b, best)) best = k;
    }
    chances[best] += 1.0L - r->epsilon;
}

/* A learner with a few rewards plays the same round again and again, and learns nothing more. */
static void count_plays(const duel *u, chances_of *chances_of_, uint64_t seed) {
    const int draws = (int)(100000 * law_effort());
    posse_def def = setting_def(&joint_setting, &u->learner, seed);
    posse *p = posse_made(&def);
    uint64_t source = seed;
    brought b;
    rival r;
    rival_start(&r, u, &joint_setting, p);
    for (int n = 0; n < 30; n++) {
        bring(&joint_setting, p, &source, &b);
        double reward = pay(&r, b.arms[0], b.rows[0], joint_setting.own, &source);
        assert_int_equal(posse_teach(p, &(posse_action){.arm = b.arms[0], .context = &b.context}, reward), POSSE_OK);
        rival_learn(&r, b.arms[0], b.rows[0], reward);
    }
    double plays[ARMS_CAP] = {0}, chi_square = 0.0;
    long double chances[ARMS_CAP];
    chances_of_(&r, &b, chances);
    for (int n = 0; n < draws; n++) {
        posse_decision d;
        assert_int_equal(posse_decide(p, &b.context, &d), POSSE_OK);
        assert_int_equal(posse_forget(p, d.id), POSSE_OK);
        plays[place_of(&b, d.arm)] += 1.0;
    }
    for (int k = 0; k < b.count; k++)
        chi_square += pow(plays[k] - draws * (double)chances[k], 2.0) / (draws * (double)chances[k]);
    double z = chi_square_z(chi_square, b.count - 1);
    assert_that(z < Z_MAX, "%s, seed %d: chi-square %.1f of %d arms, %.1f sigmas", u->learner.kind, (int)seed,
                chi_square, b.count, z);
    posse_free(p);
}

LAW(square_cb_plays_as_often_as_its_probabilities_say) {
    const duel u = {.learner = {.kind = "square-cb", .options = {NUMBER("gamma", 2)}},
                    .rival = {.gamma = 2.0, .exponent = 0.5}};
    for (uint64_t seed = 1; seed <= 5; seed++) count_plays(&u, square_cb_chances, seed);
}

LAW(epsilon_greedy_explores_as_often_as_told_in_contexts) {
    const duel u = {.learner = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.2)}},
                    .rival = {.epsilon = 0.2}};
    for (uint64_t seed = 1; seed <= 5; seed++) count_plays(&u, epsilon_greedy_chances, seed);
}

/* --------------------------------------------------- forgetting ------------------------------------------------ */

/* Features of 0 carry no information, so the precision of each weight stays near that of the prior, however many
 * rewards there are. It is exact if the prior's share is added back to every weight in every round. */
LAW(what_is_forgotten_ends_at_the_prior) {
    const double forgets[] = {1e-3, 0.3, 0.9, 0.95, 0.99, 0.995, 0.9999};
    for (int i = 0; i < LENGTH(forgets); i++) {
        posse_part learner = {.kind = "linear-ucb",
                              .options = {NUMBER("forget", forgets[i]), NUMBER("precision", 4.0)}};
        posse_def def = setting_def(&joint_setting, &learner, 1);
        posse *p = posse_made(&def);
        const double zeros[ARMS_CAP * WIDTH_CAP] = {0};
        for (int n = 0; n < 5000; n++) {
            assert_int_equal(
                posse_teach(p, &(posse_action){.arm = 0, .context = &(posse_context){.points = zeros}}, 1.0), POSSE_OK);
            const double *mean = (const double *)p->members[0].state + 1;
            for (int j = 0; j < joint_setting.own; j++) {
                double unit[WIDTH_CAP] = {0};
                unit[j] = 1.0;
                double precision = 1.0 / regression_variance(mean, joint_setting.own, unit);
                assert_that(precision > 0.8 * 4.0 && precision < 1.2 * 4.0, "forget %g, weight %d: precision %g",
                            forgets[i], j, precision);
                assert_true(mean[j] == 0.0);
                if (forgets[i] <= 0.9) assert_close(precision, 4.0, 1e-9);
            }
        }
        posse_free(p);
    }
}

/* ------------------------------------------------ wrong options ------------------------------------------------ */

static void refused(const setting *s, const posse_part *learner, const char *message) {
    notes n = {0};
    static const double points[] = {0.1, 0.2, 0.3, 0.4};
    posse_def def = setting_def(s, learner, 1);
    if (s->own > 0 && s->arms == 2) def.points = points;
    def.host.log = notes_logger(&n);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&n, message);
    assert_int_equal(n.count, 1);
}

#define REFUSED(setting_, kind_, message_, ...)                                                                        \
    refused(&(setting_), &(posse_part){.kind = kind_, .options = {__VA_ARGS__}}, message_)

LAW(wrong_models_are_refused) {
    static const double half[] = {0.0, 1.5}, beyond[] = {4.0, 5.0}, twice[] = {2.0, 0.0, 2.0}, shared[] = {3.0, 4.0};
    static const char *const kinds[] = {"linear-thompson",   "linear-ucb",   "epsilon-greedy",
                                        "logistic-thompson", "logistic-ucb", "square-cb"};
    for (int i = 0; i < LENGTH(kinds); i++) {
        REFUSED(shared_setting, kinds[i], "learners[0].model: joint, but the arms share all features",
                WORD("model", "joint"));
        REFUSED(both_setting, kinds[i], "learners[0].features: all of these are shared by the arms",
                WORD("model", "joint"), LIST("features", shared));
        REFUSED(joint_setting, kinds[i], "learners[0].features[1]: 1.5 is not a whole number", LIST("features", half));
        REFUSED(joint_setting, kinds[i], "learners[0].features[1]: there is no feature 5; they count from 0 to 4",
                LIST("features", beyond));
        REFUSED(joint_setting, kinds[i], "learners[0].features[2]: feature 2 is there twice", LIST("features", twice));
    }
    REFUSED(joint_setting, "linear-ucb", "learners[0].forget: products cannot forget", NUMBER("forget", 0.9),
            NUMBER("products", 1));
    REFUSED(joint_setting, "linear-ucb", "learners[0].bias: given, but rewards are standardised",
            WORD("rewards", "standardised"), NUMBER("bias", 0.5));
    REFUSED(joint_setting, "epsilon-greedy", "learners[0].window: given, but rounds have features",
            NUMBER("window", 9));
    REFUSED(joint_setting, "epsilon-greedy", "learners[0].discount: given, but rounds have features",
            NUMBER("discount", 0.9));
}

LAW(models_need_rounds_that_bring_features) {
    static const double first[] = {0.0};
    static const setting points = {"points", 2, 2, 0};
    static const char *const kinds[] = {"linear-thompson", "linear-ucb", "epsilon-greedy", "logistic-thompson",
                                        "logistic-ucb"};
    for (int i = 0; i < LENGTH(kinds); i++) {
        REFUSED(points, kinds[i], "learners[0].model: given, but it is for rounds with features",
                WORD("model", "disjoint"));
        REFUSED(points, kinds[i], "learners[0].features: given, but it is for rounds with features",
                LIST("features", first));
        REFUSED(points, kinds[i], "learners[0].forget: given, but it is for rounds with features",
                NUMBER("forget", 0.9));
        REFUSED(points, kinds[i], "learners[0].products: given, but it is for rounds with features",
                NUMBER("products", 1));
    }
    for (int i = 0; i < 3; i++)
        REFUSED(points, kinds[i], "learners[0].rewards: standardised, but that is for rounds with features",
                WORD("rewards", "standardised"));
    REFUSED(points, "square-cb", "learners[0]: square-cb needs rounds with features", {0});
}

/* A disjoint model of many features and arms would need too much memory. */
LAW(models_of_too_many_numbers_are_refused) {
    static const setting vast = {"vast", 10000, 0, 1000};
    REFUSED(vast, "linear-ucb", "learners[0]: weights of 1000 features for each of 10000 arms are too many", {0});
    static const setting wide = {"wide", 300, 0, 1000};
    REFUSED(wide, "linear-ucb", "learners[0].products: given, but those of 1000 features for each of 300 arms",
            WORD("covariance", "diagonal"), NUMBER("products", 1));
}
