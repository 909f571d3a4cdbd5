/* SPDX-License-Identifier: MIT */
/*
 * Tests of what comes from outside: external learners, and rewards without a decision of the posse.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

/* ---------------------------------------------- external learners ---------------------------------------------- */

enum { INSIDE = 3, ROUNDS = 3000 };

static const posse_part bold = {.kind = "ucb", .name = "bold", .options = {NUMBER("width", 0.1)}};

static const posse_part team_inside[INSIDE] = {{.kind = "ucb", .name = "cautious"},
                                               {.kind = "ucb", .name = "bold", .options = {NUMBER("width", 0.1)}},
                                               {.kind = "epsilon-greedy", .name = "dice"}};

static posse *team_with(const posse_part *second, posse_part selector) {
    posse_part learners[INSIDE] = {team_inside[0], *second, team_inside[2]};
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = "gaussian"};
    def.selector = selector;
    def.learners = learners;
    def.learner_count = INSIDE;
    def.rounds = ROUNDS;
    return posse_made(&def);
}

/* The model of the application: the same ucb in another posse, which learns by posse_teach. */
static posse *model(void) {
    posse_def def = posse_default_def();
    def.arms = 5;
    def.selector = (posse_part){0};
    def.learners = &bold;
    def.learner_count = 1;
    return posse_made(&def);
}

/* The next arm of the model. The decision is forgotten, because the model learns by posse_teach. */
static int model_arm(posse *m) {
    posse_decision d = decided(m);
    assert_int_equal(posse_forget(m, d.id), POSSE_OK);
    return d.arm;
}

static void plays_from_outside(posse_part selector) {
    static const posse_part external = {.kind = "external", .name = "bold"};
    posse *inside = team_with(&bold, selector), *outside = team_with(&external, selector), *m = model();
    bool share = false;
    for (int i = 0; i < POSSE_OPTIONS_MAX && selector.options[i].key != NULL; i++)
        share = share || (strcmp(selector.options[i].key, "share") == 0 && selector.options[i].number != 0.0);
    int told = 0;
    for (int n = 0; n < ROUNDS; n++) {
        posse_decision a = decided(inside), b;
        assert_int_equal(stage_decide(outside, &b), POSSE_OK);
        assert_int_equal(a.learner, b.learner);
        bool external_acts = b.arm == POSSE_ARM_UNTOLD;
        assert_int_equal(external_acts, b.learner == 1 && !b.probe);
        if (external_acts) {
            assert_null(b.point);
            assert_int_equal(posse_learn(outside, b.id, 0.0), POSSE_ERROR_UNTOLD);
            b.arm = model_arm(m);
            assert_int_equal(posse_acted(outside, b.id, &(posse_action){.arm = b.arm}), POSSE_OK);
            assert_int_equal(posse_acted(outside, b.id, &(posse_action){.arm = b.arm}), POSSE_ERROR_SETTLED);
            told++;
        }
        assert_int_equal(a.arm, b.arm);
        double reward = parade_reward(true, &a);
        assert_int_equal(posse_learn(inside, a.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(outside, b.id, reward), POSSE_OK);
        if ((share || b.learner == 1) && !b.probe)
            assert_int_equal(posse_teach(m, &(posse_action){.arm = a.arm}, reward), POSSE_OK);
    }
    assert_true(told > 0);
    posse_free(inside);
    posse_free(outside);
    posse_free(m);
}

/* An external ucb makes the same decisions as a ucb in the posse, under every selector. */
LAW(a_learner_outside_decides_as_inside) {
    menagerie_add_examples();
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++)
        for (int share = 0; share < 2; share++)
            plays_from_outside(selector_part(posse_kind_name(POSSE_FAMILY_SELECTOR, s), share == 1, 1));
}

LAW(kinds_say_who_acts) {
    for (int k = 0; k < posse_kind_count(POSSE_FAMILY_LEARNER); k++) {
        bool external = strcmp(posse_kind_name(POSSE_FAMILY_LEARNER, k), "external") == 0;
        assert_int_equal(posse_kind_traits(POSSE_FAMILY_LEARNER, k), external ? POSSE_TRAIT_EXTERNAL : 0);
    }
}

/* A posse of external learners without arms only has rewards. It chooses as a posse of `fixed` learners does. */
LAW(rewards_alone_need_no_arms) {
    static const char *const kinds[] = {"d3rb", "ed2rb",  "bd3rb",  "perfect-balancing", "corral", "exp3p",
                                        "ucb",  "greedy", "uniform"};
    static const posse_part external[] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}};
    static const posse_part fixed[] = {{.kind = "fixed", .name = "a", .options = {NUMBER("arm", 0)}},
                                       {.kind = "fixed", .name = "b", .options = {NUMBER("arm", 0)}}};
    for (int k = 0; k < LENGTH(kinds); k++) {
        posse_def def = posse_default_def();
        def.selector = selector_part(kinds[k], false, 1);
        def.learner_count = 2;
        def.rounds = 1000;
        def.learners = external;
        posse *without = posse_made(&def);
        def.learners = fixed;
        def.arms = 1;
        posse *with = posse_made(&def);
        for (int n = 0; n < 1000; n++) {
            posse_decision a = decided(with), b = decided(without);
            assert_true(a.learner == b.learner && a.probability == b.probability && b.arm == -1 && b.point == NULL);
            double reward = a.learner == 1 ? 0.7 : 0.4;
            assert_int_equal(posse_learn(with, a.id, reward), POSSE_OK);
            assert_int_equal(posse_learn(without, b.id, reward), POSSE_OK);
        }
        saved s = saved_from(without);
        posse *again = saved_loaded(&s);
        assert_int_equal(decided(again).learner, decided(without).learner);
        assert_int_equal(posse_acted(without, posse_decision_count(without), &(posse_action){.arm = 0}),
                         POSSE_ERROR_SETTLED);
        assert_int_equal(posse_teach(without, &(posse_action){.arm = 0}, 0.5), POSSE_ERROR_ARM);
        saved_drop(&s);
        posse_free(again);
        posse_free(with);
        posse_free(without);
    }
}

LAW(only_external_learners_do_without_arms) {
    static const posse_part mixed[] = {{.kind = "external"}, {.kind = "ucb"}};
    posse_def def = posse_default_def();
    def.selector = selector_part("ucb", false, 1);
    def.learners = mixed;
    def.learner_count = 2;
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    def.learner_count = 1;
    assert_int_equal(posse_create(&def, &p), POSSE_OK);
    assert_int_equal(posse_learner_add(p, &mixed[1], NULL), POSSE_ERROR_FIT);
    assert_int_equal(posse_learner_count(p), 1);
    posse_free(p);
    def.selector = selector_part("bms", false, 1);
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT); /* a belief needs arms */
}

LAW(what_was_not_played_cannot_be_told) {
    static const posse_part external = {.kind = "external", .name = "bold"};
    posse *p = team_with(&external, selector_part("bms", false, 1));
    posse_decision d = decided(p);
    assert_int_equal(d.learner, 0);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 0}),
                     POSSE_ERROR_SETTLED); /* the library's own learner has acted */
    assert_int_equal(stage_decide(p, &d), POSSE_OK);
    assert_int_equal(d.learner, 1);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 5}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = -1}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = POSSE_ARM_UNTOLD}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id + 1, &(posse_action){.arm = 0}), POSSE_ERROR_UNKNOWN);
    assert_int_equal(posse_acted(NULL, d.id, &(posse_action){.arm = 0}), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_acted(p, d.id, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.point = (double[]){0.0}}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.context = &(posse_context){0}}), POSSE_ERROR_CONTEXT);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 3}), POSSE_OK); /* the learner has retired since */
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    posse_free(p);
}

LAW(an_external_learner_may_play_on_the_ball) {
    static const posse_part learners[] = {{.kind = "external"}, {.kind = "linear-thompson"}};
    const double inside[] = {0.6, 0.8, 0.0}, beyond[] = {0.9, 0.8, 0.0}, no_number[] = {NAN, 0.0, 0.0};
    posse_def def = posse_default_def();
    def.dim = 3;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    posse_decision d;
    assert_int_equal(stage_decide(p, &d), POSSE_OK);
    assert_int_equal(d.arm, POSSE_ARM_UNTOLD);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.point = beyond}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.point = no_number}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 0}), POSSE_ERROR_ARM);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = -1}), POSSE_ERROR_ARM);
    saved s = saved_from(p);
    posse *again = saved_loaded(&s);
    for (int i = 0; i < 2; i++) {
        posse *each = i == 0 ? p : again;
        posse_pending one;
        assert_int_equal(posse_acted(each, d.id, &(posse_action){.point = inside}), POSSE_OK);
        assert_int_equal(posse_pending_find(each, d.id, &one), POSSE_OK);
        assert_memory_equal(one.point, inside, sizeof inside);
        assert_int_equal(posse_learn(each, d.id, 1.0), POSSE_OK);
    }
    saved one = saved_from(p), other = saved_from(again);
    assert_true(saved_equal(&one, &other));
    saved_drop(&s);
    saved_drop(&one);
    saved_drop(&other);
    posse_free(p);
    posse_free(again);
}

/* A simulation cannot ask the application for an arm. */
LAW(simulations_refuse_external_learners) {
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 5)}};
    static const posse_part external = {.kind = "external"};
    posse_environment *e = environment_made(&arms, 1);
    posse *p = alone_made(e, &external);
    assert_int_equal(posse_play(p, e, 10, NULL), POSSE_ERROR_FIT);
    posse_free(p);
    posse_environment_free(e);
}

/* -------------------------------------------------- teaching --------------------------------------------------- */

/*
 * The belief and the learners learn as from their own plays, but no learner is charged: means follow the formula of the
 * prior, and plays and regrets are 0.
 */
LAW(taught_rewards_teach_and_charge_nobody) {
    posse *p = team_with(&bold, selector_part("bms", false, 1));
    uint64_t source = 3, plays[INSIDE];
    double count[5] = {0}, sum[5] = {0}, means[5], sds[5], regrets[INSIDE];
    for (int n = 0; n < 500; n++) {
        int arm = (int)random_below(&source, 5);
        double reward = 0.3 * arm + random_uniform(&source);
        count[arm] += 1.0;
        sum[arm] += reward;
        assert_int_equal(posse_teach(p, &(posse_action){.arm = arm}, reward), POSSE_OK);
    }
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, sds), POSSE_OK);
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_int_equal(posse_regrets(p, regrets), POSSE_OK);
    for (int a = 0; a < 5; a++) {
        assert_close(means[a], sum[a] / (1.0 + count[a]), 1e-12);
        assert_close(sds[a], 1.0 / sqrt(1.0 + count[a]), 1e-12);
    }
    for (int i = 0; i < INSIDE; i++) assert_true(plays[i] == 0 && regrets[i] == 0.0);
    assert_int_equal(posse_decision_count(p), 0);
    for (int n = 0; n < 30; n++) {
        posse_decision d = decided(p);
        assert_true(d.learner == 2 || d.arm == 4); /* 0.3 better than the next; each has 100 rewards */
    }
    posse_free(p);
}

/* A learner without a selector that is taught every reward decides the same as one that made the decisions. */
LAW(a_taught_learner_is_as_good_as_an_experienced_one) {
    for (int h = 0; h < HABITATS; h++) {
        if (habitats[h].arms == 0) continue;
        posse_part crew[TEAM_MAX];
        int count = habitat_team(&habitats[h], crew);
        for (int i = 0; i < count; i++) {
            posse_def def = habitat_def(&habitats[h]);
            def.selector = (posse_part){0};
            def.learners = &crew[i];
            def.learner_count = 1;
            posse *p = posse_made(&def), *taught = posse_made(&def);
            for (int n = 0; n < 200; n++) {
                posse_decision d = decided(p), same = decided(taught);
                assert_int_equal(d.arm, same.arm);
                double reward = parade_reward(habitats[h].unit, &d);
                assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
                assert_int_equal(posse_forget(taught, same.id), POSSE_OK);
                assert_int_equal(stage_teach(taught, d.arm, reward), POSSE_OK);
            }
            posse_free(p);
            posse_free(taught);
        }
    }
}

LAW(wrong_lessons_are_refused) {
    posse *p = habitat_posse(&habitats[COINS_4], selector_part("bms", false, 1));
    saved before = saved_from(p);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = -1}, 0.5), POSSE_ERROR_ARM);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 4}, 0.5), POSSE_ERROR_ARM);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 0}, 1.5), POSSE_ERROR_REWARD);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 0}, NAN), POSSE_ERROR_REWARD);
    assert_int_equal(posse_teach(NULL, &(posse_action){.arm = 0}, 0.5), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_teach(p, &(posse_action){.point = (double[]){0.5}}, 0.5), POSSE_ERROR_ARM);
    assert_int_equal(posse_teach(p, NULL, 0.5), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_teach(p, &(posse_action){.context = &(posse_context){0}}, 0.5), POSSE_ERROR_CONTEXT);
    saved after = saved_from(p);
    assert_true(saved_equal(&before, &after));
    saved_drop(&before);
    saved_drop(&after);
    posse_free(p);
}

static bool saves(const posse *p, double number) {
    saved s = saved_from(p);
    bool found = false;
    for (size_t i = 0; i + sizeof number <= s.length; i++)
        found = found || memcmp(s.bytes + i, &number, sizeof number) == 0;
    saved_drop(&s);
    return found;
}

/* A decision whose play is not reported yet may have the memory of one that was settled. Its features are gone. */
LAW(settled_features_are_not_saved_with_later_decisions) {
    static const posse_part outside = {.kind = "external"};
    posse_def def = posse_default_def();
    def.arms = 3;
    def.context = 2;
    def.selector = (posse_part){0};
    def.learners = &outside;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    for (int n = 0; n < 50; n++) {
        const double features[] = {0.0123456789, 0.5};
        posse_context c = {.shared = features};
        posse_decision known, later;
        assert_int_equal(posse_decide(p, &c, &known), POSSE_OK);
        assert_int_equal(posse_acted(p, known.id, &(posse_action){.arm = 1, .context = &c}), POSSE_OK);
        assert_true(saves(p, features[0]));
        assert_int_equal(posse_forget(p, known.id), POSSE_OK);
        assert_int_equal(posse_decide(p, &c, &later), POSSE_OK);
        assert_false(saves(p, features[0]));
        assert_int_equal(posse_forget(p, later.id), POSSE_OK);
    }
    posse_free(p);
}
