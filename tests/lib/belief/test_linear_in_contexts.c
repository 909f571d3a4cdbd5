/* SPDX-License-Identifier: MIT */
/*
 * The linear belief in rounds with features, against ridge regressions from scratch: one for all arms, or one for each.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "rounds.h"

#define PRECISION 2.0
#define NOISE 0.7

static const posse_part beliefs[] = {
    {.kind = "linear", .options = {NUMBER("precision", PRECISION), NUMBER("noise", NOISE)}},
    {.kind = "linear", .options = {NUMBER("precision", PRECISION), NUMBER("noise", NOISE), WORD("model", "disjoint")}}};

static posse_def def_with(int dim, int context, posse_part prior) {
    posse_def def = stage_def(&(stage){"", 4, dim, context, prior, false}, 1);
    return def;
}

/* Checks the means and deviations of all arms of a round. */
static void check_round(play *s, const ridge *ridges, bool disjoint, const brought *b) {
    double means[ROUND_ARMS], deviations[ROUND_ARMS], x[ROUND_WIDTH];
    assert_int_equal(posse_means(s->p, &b->context, means), POSSE_OK);
    assert_int_equal(posse_deviations(s->p, &b->context, deviations), POSSE_OK);
    for (int k = 0; k < b->context.count; k++) {
        const ridge *r = &ridges[disjoint ? b->arms[k] : 0];
        long double theta[SOLVE_MAX], mean = 0.0L;
        ridge_mean(r, theta);
        brought_features(b, &s->def, k, x);
        for (int j = 0; j < r->dim; j++) mean += theta[j] * x[j];
        assert_close(means[k], (double)mean, 1e-10);
        assert_close(deviations[k], (double)sqrtl(ridge_variance(r, x)), 1e-10);
    }
}

static void check_belief(int dim, int context, bool disjoint) {
    bool given = disjoint && dim > 0;
    posse_def def = def_with(dim, context, beliefs[given]);
    ridge ridges[ROUND_ARMS];
    play s;
    play_open(&s, &def);
    for (int a = 0; a < ROUND_ARMS; a++) ridge_start(&ridges[a], dim + context, PRECISION);
    for (int round = 0; round < 200; round++) {
        brought next;
        double x[ROUND_WIDTH];
        play_decide(&s, false);
        play_act(&s);
        brought_features(&s.now, &s.def, s.place, x);
        ridge_learn(&ridges[disjoint ? s.d.arm : 0], x, play_learn(&s, false), NOISE);
        brought_draw(&next, &s.def, true, &s.draw);
        check_round(&s, ridges, disjoint, &next);
        if (round != 100) continue;
        assert_int_equal(posse_arm_add(s.p, NULL, NULL), POSSE_OK); /* it has the prior, or the shared theta */
        s.def.arms++;
    }
    play_close(&s);
}

LAW(linear_beliefs_in_contexts_are_ridge_regressions) {
    check_belief(3, 0, false);
    check_belief(2, 2, false);
    check_belief(0, 3, true);
    check_belief(3, 0, true);
    check_belief(2, 1, true);
}

/* The values of each arm in worlds drawn have the mean and the variance of the belief. */
LAW(worlds_in_contexts_are_drawn_from_the_belief) {
    for (int disjoint = 0; disjoint < 2; disjoint++) {
        posse_def def = def_with(2, 1, beliefs[disjoint]);
        twin t;
        posse_draw draw;
        double x[3], values[4];
        moments value[4] = {0}, square[4] = {0};
        twin_open(&t, &def, NULL);
        draw_open(&draw, 4, 0, 1, 0);
        for (int n = 0; n < 30; n++) {
            posse_draw_normals(&draw, x, 3);
            belief_update(&t.belief, t.state, n % 3, x, posse_draw_normal(&draw));
        }
        posse_round round = {4, t.space->every, 3, 0, x};
        for (int n = 0; n < 20000; n++) {
            belief_draw(&t.belief, t.state, &t.draw, t.world);
            belief_values(&t.belief, t.world, &round, values);
            for (int a = 0; a < 4; a++) {
                double mean, variance;
                t.belief.ops->moments(t.belief.part.plan, t.state, a, x, &mean, &variance);
                moments_add(&value[a], (values[a] - mean) / sqrt(variance));
                moments_add(&square[a], (values[a] - mean) * (values[a] - mean) / variance);
            }
        }
        for (int a = 0; a < 4; a++) {
            assert_mean(&value[a], 0.0);
            assert_mean(&square[a], 1.0);
        }
        twin_close(&t);
    }
}

static void check_refused(posse_def def, const char *message) {
    notes log = {0};
    posse *p;
    def.host.log = notes_logger(&log);
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&log, message);
}

static const posse_part joint = {.kind = "linear", .options = {WORD("model", "joint")}};
static const posse_part drifting = {.kind = "linear", .options = {WORD("model", "disjoint"), NUMBER("drift", 0.1)}};
static const posse_part one_of_each[] = {{.kind = "linear", .options = {WORD("model", "joint")}},
                                         {.kind = "linear", .options = {WORD("model", "disjoint")}}};
static const double halves[] = {0.5, 0.5};

LAW(models_that_cannot_be_are_refused) {
    check_refused(def_with(0, 3, joint), "joint, but the arms share all features");
    check_refused(def_with(3, 0, drifting), "the weights of each arm would have to drift");
    posse_part mixed = {.kind = "mixture",
                        .options = {{.key = "components", .part = one_of_each, .list = halves, .count = 2}}};
    check_refused(def_with(3, 0, mixed), "have different coordinates");
    static const double points[] = {1.0, 2.0};
    posse_def plain = def_with(1, 0, joint);
    plain.arms = 2;
    plain.points = points;
    check_refused(plain, "rounds have no features");
}

/* At the least noise and precision and the largest features, rounding must not make the belief surer than it may be. */
LAW(large_features_leave_no_false_certainty) {
    posse_part prior = {.kind = "linear", .options = {NUMBER("precision", 1e-12), NUMBER("noise", 1e-6)}};
    for (int dim = 1; dim <= 3; dim++) {
        posse_def def = def_with(dim, 0, prior);
        posse *p = posse_made(&def);
        double points[12], deviations[4];
        for (int k = 0; k < LENGTH(points); k++) points[k] = 1e6;
        posse_context context = {.points = points};
        for (int n = 1; n <= 100; n++) {
            assert_int_equal(posse_teach(p, &(posse_action){.arm = n % 4, .context = &context}, 1.0), POSSE_OK);
            assert_int_equal(posse_deviations(p, &context, deviations), POSSE_OK);
            double exact = 1e-6 / sqrt(n);
            assert_that(deviations[0] >= exact, "%d features, %d rewards: %g, not %g", dim, n, deviations[0], exact);
        }
        posse_free(p);
    }
}
