/* SPDX-License-Identifier: MIT */
/*
 * Contexts as an application gives them: which ones are refused, and what a floor does. General tests of the object
 * include contexts by the habitats of the menagerie.
 */
#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "law.h"
#include "menagerie.h"
#include "model/round.h"
#include "object/object.h"
#include "stage.h"

/* ---------------------------------------------- wrong contexts ------------------------------------------------- */

static posse *noted_posse(int habitat_, notes *n) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[habitat_], selector_part("bms", true, 1), crew);
    def.host.log = notes_logger(n);
    return posse_made(&def);
}

/* Nothing changes, and the log gets the place and what would be right. */
static void refuses(posse *p, notes *n, const posse_context *context, const char *excerpt) {
    posse_decision d;
    double numbers[STAGE_ARMS];
    *n = (notes){0};
    assert_refused(p, posse_decide(p, context, &d), POSSE_ERROR_CONTEXT);
    assert_noted(n, excerpt);
    *n = (notes){0};
    assert_refused(p, posse_check_decide(p, context), POSSE_ERROR_CONTEXT);
    assert_noted(n, excerpt);
    posse_action play = {.arm = 0, .context = context};
    assert_refused(p, posse_check_teach(p, &play, 0.5), POSSE_ERROR_CONTEXT);
    assert_refused(p, posse_teach(p, &play, 0.5), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_means(p, context, numbers), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_propensities(p, context, 10, &(posse_propensity){.arms = numbers}), POSSE_ERROR_CONTEXT);
}

LAW(wrong_contexts_are_refused) {
    static const int twice[] = {1, 3, 3}, falling[] = {1, 4, 3}, beyond[] = {1, 3, 6}, negative[] = {-1, 0, 1};
    notes n = {0};
    posse *p = noted_posse(OFFERS_6, &n);
    for (int i = 0; i < 20; i++) decided(p);
    double points[18] = {0.0}, bad[18] = {0.0}, large[18] = {0.0}, endless[18] = {0.0};
    bad[7] = NAN;
    large[8] = 1.1e6;
    endless[0] = -INFINITY;
    const struct {
        posse_context context;
        const char *excerpt;
    } wrong[] = {
        {{.count = -1, .points = points}, "context.count: -1 arms; a round has at least one arm"},
        {{.count = 0, .arms = twice, .points = points}, "context.count: 0 arms; a round has at least one arm"},
        {{.count = 7, .points = points}, "context.count: 7 arms, and there are only 6 in all"},
        {{.count = 3, .arms = twice, .points = points}, "context.arms[2]: arm 3 is there twice"},
        {{.count = 3, .arms = falling, .points = points},
         "context.arms[2]: arm 3 comes after arm 4; the numbers must rise"},
        {{.count = 3, .arms = beyond, .points = points}, "context.arms[2]: there is no arm 6, only 0 to 5"},
        {{.count = 3, .arms = negative, .points = points}, "context.arms[0]: there is no arm -1, only 0 to 5"},
        {{.count = 3}, "context.points: is missing; there must be 9 numbers"},
        {{.count = 3, .points = points, .shared = points}, "context.shared: given, but rounds of this posse have none"},
        {{.points = bad}, "context.points[7]: nan is no feature; they must be finite and at most 1e+06"},
        {{.points = large}, "context.points[8]: 1.1e+06 is no feature"},
        {{.points = endless}, "context.points[0]: -inf is no feature"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) refuses(p, &n, &wrong[i].context, wrong[i].excerpt);
    refuses(p, &n, NULL, "context: is missing; rounds have 3 features");
    posse_decision d;
    assert_refused(p, posse_decide(p, NULL, &d), POSSE_ERROR_CONTEXT);
    assert_refused(p, posse_teach(p, &(posse_action){.arm = 0}, 0.5), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_means(p, NULL, points), POSSE_ERROR_CONTEXT);
    posse_free(p);
}

LAW(shared_features_are_checked_too) {
    notes n = {0};
    posse *p = noted_posse(VISITORS_4, &n);
    double numbers[4] = {0.5, 0.5, NAN, 0.5};
    refuses(p, &n, &(posse_context){.count = 2}, "context.shared: is missing; there must be 3 numbers");
    refuses(p, &n, &(posse_context){.shared = numbers}, "context.shared[2]: nan is no feature");
    refuses(p, &n, &(posse_context){.shared = numbers, .points = numbers}, "context.shared[2]: nan");
    posse_free(p);
}

/* A posse without features has no contexts to decide in. */
LAW(contexts_are_for_rounds_that_bring_features) {
    posse *p = two_ucbs((posse_part){.kind = "bms"});
    posse_decision d;
    double numbers[5];
    posse_context all = {0};
    assert_refused(p, posse_decide(p, &all, &d), POSSE_ERROR_CONTEXT);
    assert_refused(p, posse_teach(p, &(posse_action){.arm = 0, .context = &all}, 0.5), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_means(p, &all, numbers), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_feature_count(p), 0);
    posse_free(p);
}

/* ------------------------------------------------- the floor --------------------------------------------------- */

/* Counts of rounds with a floor. */
typedef struct floor_count {
    double rounds, drawn, inverse; /* inverse: sum of 1 / propensity over plays of arm 0 */
} floor_count;

static floor_count count_floor(posse *p, int rounds) {
    floor_count c = {.rounds = rounds};
    for (int i = 0; i < rounds; i++) {
        posse_decision d = decided(p);
        c.drawn += d.floor;
        if (d.arm == 0) c.inverse += 1.0 / d.propensity;
        assert_int_equal(posse_learn(p, d.id, 0.1 * d.arm), POSSE_OK);
    }
    return c;
}

/* Propensities are right: the expected sum of 1 / propensity over the rounds that play an arm is the number of
 * rounds. */
LAW(a_floor_makes_propensities_exact) {
    const double floor_ = 0.3;
    const int rounds = 40000;
    posse *p = fixed_team(with_option((posse_part){.kind = "bms"}, (posse_option)NUMBER("floor", floor_)), 4);
    floor_count c = count_floor(p, rounds);
    double expected = floor_ * 4.0 / 5.0, sd = sqrt(rounds * expected * (1.0 - expected));
    assert_that(fabs(c.drawn - rounds * expected) < Z_MAX * sd, "%g drawn", c.drawn);
    double spread = sqrt(rounds * (5.0 / floor_)); /* at most: the variance of a term is that of the rarest arm */
    assert_that(fabs(c.inverse - rounds) < Z_MAX * spread, "%g in place of %d", c.inverse, rounds);
    posse_free(p);
}

/* No learner is charged for an arm that the floor drew. All learn from it, as by posse_teach. */
LAW(what_the_floor_draws_is_taught) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], selector_part("bms", false, 1), crew);
    def.selector = with_option(def.selector, (posse_option)NUMBER("floor", 0.999));
    posse *p = posse_made(&def);
    def.selector = selector_part("bms", false, 1);
    posse *q = posse_made(&def);
    uint64_t before[TEAM_MAX], after[TEAM_MAX];
    int seen = 0;
    for (int i = 0; i < 400; i++) {
        assert_int_equal(posse_plays(p, before), POSSE_OK);
        posse_decision d;
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        assert_int_equal(posse_plays(p, after), POSSE_OK);
        if (!d.floor) break; /* from here on the two posses differ */
        seen++;
        assert_memory_equal(before, after, (size_t)def.learner_count * sizeof *before);
        assert_true(fabs(d.propensity - 0.999 / 5.0) < 1e-15);
        assert_int_equal(posse_learn(p, d.id, 0.3), POSSE_OK);
        assert_int_equal(posse_teach(q, &(posse_action){.arm = d.arm}, 0.3), POSSE_OK);
        double means[2][5];
        assert_int_equal(posse_means(p, NULL, means[0]), POSSE_OK);
        assert_int_equal(posse_means(q, NULL, means[1]), POSSE_OK);
        assert_memory_equal(means[0], means[1], sizeof means[0]);
    }
    assert_true(seen > 0);
    posse_free(p);
    posse_free(q);
}

LAW(pending_decisions_keep_their_propensity) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[CLICKS_5],
                             with_option(selector_part("bms", true, 1), (posse_option)NUMBER("floor", 0.4)), crew);
    posse *p = posse_made(&def);
    posse_decision made[60];
    double features[60][3];
    for (int i = 0; i < 60; i++) {
        made[i] = decided(p);
        memcpy(features[i], made[i].point, sizeof features[i]);
    }
    saved s = saved_from(p);
    posse *again = saved_loaded(&s);
    for (int i = 0; i < 60; i++) {
        posse_pending kept;
        assert_int_equal(posse_pending_find(again, made[i].id, &kept), POSSE_OK);
        assert_true(kept.propensity == made[i].propensity && kept.floor == made[i].floor);
        assert_memory_equal(kept.point, features[i], sizeof features[i]);
    }
    saved_drop(&s);
    posse_free(again);
    posse_free(p);
}

/* ------------------------------------------------ what parts get ------------------------------------------------ */

/* In the features that learners and beliefs get, an arm's own come first and the shared ones follow. */
LAW(own_features_come_before_shared_ones) {
    posse *p = habitat_posse(&habitats[CLICKS_5], selector_part("bms", true, 1));
    staged s;
    for (uint64_t n = 0; n < 50; n++) {
        posse_decision d;
        stage_round(p, n, &s);
        assert_int_equal(posse_decide(p, &s.context, &d), POSSE_OK);
        int place_ = 0;
        while (s.arms[place_] != d.arm) place_++;
        double expected[3] = {s.points[2 * place_], s.points[2 * place_ + 1], s.shared[0]};
        assert_memory_equal(d.point, expected, sizeof expected);
    }
    posse_free(p);
}

/* The means and deviations of the arms of a round, against worlds that the test draws from the belief. */
static void means_are_those_of_draws(const posse *p, const posse_round *round, const double *means, const double *sds) {
    const void *state;
    const posse_belief *b = p->selector.ops->belief(p->selector.part.plan, p->selector.state, &state);
    double values[STAGE_ARMS], world[64];
    moments first[STAGE_ARMS] = {{0}}, second[STAGE_ARMS] = {{0}};
    posse_draw draw;
    draw_open(&draw, 78, 5, stream_named(STREAM_LEARNER, "judge"), 0);
    for (int i = 0; i < 20000; i++) {
        belief_draw(b, state, &draw, world);
        belief_values(b, world, round, values);
        for (int k = 0; k < round->count; k++) {
            moments_add(&first[k], values[k]);
            moments_add(&second[k], (values[k] - means[k]) * (values[k] - means[k]));
        }
    }
    for (int k = 0; k < round->count; k++) {
        assert_mean(&first[k], means[k]);
        assert_mean(&second[k], sds[k] * sds[k]);
    }
}

LAW(means_in_a_context_are_those_of_draws) {
    for (int h = HABITATS_WITHOUT_FEATURES; h < HABITATS; h++) {
        posse *p = habitat_posse(&habitats[h], selector_part("bms", true, 1));
        for (int n = 0; n < 40; n++) {
            posse_decision d = decided(p);
            assert_int_equal(posse_learn(p, d.id, parade_reward(habitats[h].unit, &d)), POSSE_OK);
        }
        staged s;
        posse_round room;
        const posse_round *round;
        double means[STAGE_ARMS], sds[STAGE_ARMS];
        stage_round(p, posse_decision_count(p), &s);
        assert_int_equal(context_round(p, &s.context, &room, &round), POSSE_OK);
        assert_int_equal(posse_means(p, &s.context, means), POSSE_OK);
        assert_int_equal(posse_deviations(p, &s.context, sds), POSSE_OK);
        means_are_those_of_draws(p, round, means, sds);
        posse_free(p);
    }
}

/* A learner of version 2 does not support contexts: it gets no features and needs every arm. */
static int first_arm(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)draw, (void)point;
    return (int)((int64_t *)state)[0];
}

static void learn_blind(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)arm, (void)reward;
    assert_null(point);
    ((int64_t *)state)[1]++;
}

static size_t two_numbers(const void *plan) {
    (void)plan;
    return 2 * sizeof(int64_t);
}

static posse_error no_plan(const posse_setup *setup, void **plan) {
    assert_int_equal(posse_space_dim(setup->space), 0);
    *plan = NULL;
    return POSSE_OK;
}

LAW(learners_of_version_2_need_every_arm) {
    /* A table of version 2. The bytes behind its end must not be read. */
    static struct {
        char bytes[offsetof(posse_learner_ops, act_in)];
        char beyond[sizeof(posse_learner_ops) - offsetof(posse_learner_ops, act_in)];
    } table;
    posse_learner_ops ops = {.kind = {.version = 2, .name = "blind", .prepare = no_plan, .state_size = two_numbers},
                             .act = first_arm,
                             .learn = learn_blind};
    memcpy(&table, &ops, sizeof table.bytes);
    memset(table.beyond, 0x5a, sizeof table.beyond);
    assert_int_equal(posse_learner_register((const posse_learner_ops *)(const void *)&table), POSSE_OK);
    posse_part blind = {.kind = "blind"};
    notes n = {0};
    posse_def def = habitat_def(&habitats[OFFERS_6]);
    def.learners = &blind;
    def.learner_count = 1;
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def);
    double points[18] = {0.5};
    posse_decision d;
    assert_int_equal(posse_decide(p, &(posse_context){.points = points}, &d), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    int later[] = {2, 4};
    assert_int_equal(posse_decide(p, &(posse_context){.count = 2, .arms = later, .points = points}, &d),
                     POSSE_ERROR_ARM);
    assert_noted(&n, "picked arm 0, which is not available in this round");
    posse_free(p);
}

/* ----------------------------------------------- former defects ------------------------------------------------ */

/* posse_propensities returns the propensities that decisions have, with the floor included. */
LAW(propensities_have_the_floor_in_them) {
    posse_part crew[] = {{.kind = "fixed", .options = {NUMBER("arm", 1)}}};
    posse_def def = habitat_def(&habitats[OFFERS_6]);
    def.selector = with_option((posse_part){.kind = "bms"}, (posse_option)NUMBER("floor", 0.4));
    def.learners = crew;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    double points[9] = {0.5}, arms[6], errors[6];
    static const int there[] = {1, 3, 4};
    posse_context c = {.count = 3, .arms = there, .points = points};
    assert_int_equal(posse_propensities(p, &c, 50, &(posse_propensity){.arms = arms, .arm_errors = errors}), POSSE_OK);
    static const double right[] = {0.0, 0.6 + 0.4 / 3.0, 0.0, 0.4 / 3.0, 0.4 / 3.0, 0.0};
    for (int a = 0; a < 6; a++) assert_true(fabs(arms[a] - right[a]) < 1e-15 && errors[a] == 0.0);
    posse_decision d;
    assert_int_equal(posse_decide(p, &c, &d), POSSE_OK);
    assert_true(fabs(d.propensity - right[d.arm]) < 1e-15);
    posse_free(p);
}

/* posse_acted accepts a round in which an arm has retired since the decision. */
LAW(past_rounds_may_have_retired_arms) {
    posse_part crew[] = {{.kind = "external"}, {.kind = "linear-ucb"}};
    notes n = {0};
    posse_def def = habitat_def(&habitats[OFFERS_6]);
    def.learners = crew;
    def.learner_count = 2;
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def);
    posse_decision d;
    double points[18] = {0.5};
    static const int there[] = {0, 1, 2};
    posse_context c = {.count = 3, .arms = there, .points = points};
    assert_int_equal(posse_decide(p, &c, &d), POSSE_OK);
    assert_int_equal(d.arm, POSSE_ARM_UNTOLD);
    assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
    assert_refused(p, posse_acted(p, d.id, &(posse_action){.arm = 5, .context = &c}), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "context.arms: arm 5 is not among them");
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 1, .context = &c}), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 1, .context = &c}, 0.25), POSSE_OK);
    assert_refused(p, posse_decide(p, &c, &d), POSSE_ERROR_CONTEXT);
    posse_free(p);
}

/* An arm that is added in the middle of a batch ends the batch, so that the jury includes the arm before plays are
 * stored. */
LAW(arms_that_come_end_a_batch) {
    posse_part crew[] = {{.kind = "fixed", .options = {NUMBER("arm", 0)}}};
    for (int batch = 1; batch <= 1000; batch += 999) {
        posse_def def = habitat_def(&habitats[OFFERS_6]);
        def.arms = 3;
        def.dim = 1;
        def.selector = with_option(selector_part("bms", false, batch), (posse_option)NUMBER("candidates", 2));
        def.learners = crew;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        static const double points[] = {1.0, 2.0, 3.0};
        static const int there[] = {0, 1, 2};
        for (int i = 0; i < 31; i++) {
            posse_decision d;
            assert_int_equal(posse_decide(p, &(posse_context){.count = 3, .arms = there, .points = points}, &d),
                             POSSE_OK);
            assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
            if (i == 0) assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
        }
        double regret;
        assert_int_equal(posse_regrets(p, &regret), POSSE_OK);
        assert_that(regret > 50.0, "batch %d: the regret of 31 plays that lack 2 is %g", batch, regret);
        posse_free(p);
    }
}
