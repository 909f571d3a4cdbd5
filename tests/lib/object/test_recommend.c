/* SPDX-License-Identifier: MIT */
/* Recommended teams: a posse can be made of them whatever the arms and rewards are, and they are plain descriptions. */
#include <string.h>

#include "brought.h"
#include "helpers.h"
#include "law.h"
#include "posse_all.h"

static const double points[] = {1.0, 0.0, 0.0, 1.0, 0.6, 0.8};

/* Independent arms, points, the ball, features of arms, shared features, and both. */
static const posse_def spaces[] = {{.arms = 3},
                                   {.arms = 3, .dim = 2, .points = points},
                                   {.dim = 2},
                                   {.arms = 3, .dim = 2},
                                   {.arms = 3, .context = 40},
                                   {.arms = 3, .dim = 2, .context = 1}};

static posse_def definition_of(const posse_def *space) {
    posse_def def = posse_default_def();
    def.arms = space->arms, def.dim = space->dim, def.points = space->points, def.context = space->context;
    return def;
}

LAW(recommended_teams_can_be_made_for_all_arms_and_rewards) {
    for (int s = 0; s < LENGTH(spaces); s++)
        for (int rewards = POSSE_REWARDS_NUMBERS; rewards <= POSSE_REWARDS_COUNTS; rewards++) {
            posse_part room[POSSE_RECOMMENDED_LEARNERS];
            posse_def def = definition_of(&spaces[s]);
            posse *p;
            assert_int_equal(posse_recommend(&def, (posse_reward_kind)rewards, room), POSSE_OK);
            assert_true(def.learners == room && def.learner_count >= 2);
            assert_int_equal(posse_create(&def, &p), POSSE_OK);
            assert_int_equal(posse_learner_count(p), def.learner_count);
            posse_free(p);
        }
}

/* Weights are narrower the more features there are, and clicks have a belief of clicks. */
LAW(recommended_beliefs_suit_rewards_and_features) {
    static const struct {
        int space;
        posse_reward_kind rewards;
        const char *kind;
    } expected[] = {{0, POSSE_REWARDS_NUMBERS, "normal-gamma"}, {0, POSSE_REWARDS_CLICKS, "beta"},
                    {0, POSSE_REWARDS_COUNTS, "gamma"},         {4, POSSE_REWARDS_NUMBERS, "linear"},
                    {4, POSSE_REWARDS_CLICKS, "logistic"},      {1, POSSE_REWARDS_CLICKS, "logistic"},
                    {2, POSSE_REWARDS_CLICKS, "linear"}};
    for (int i = 0; i < LENGTH(expected); i++) {
        posse_def def = definition_of(&spaces[expected[i].space]);
        assert_int_equal(posse_recommend(&def, expected[i].rewards, NULL), POSSE_OK);
        assert_string_equal(def.prior.kind, expected[i].kind);
        assert_int_equal(def.learner_count, 0);
    }
    posse_part room[POSSE_RECOMMENDED_LEARNERS];
    posse_def wide = definition_of(&spaces[4]), narrow = definition_of(&spaces[3]);
    posse_recommend(&wide, POSSE_REWARDS_CLICKS, room);
    posse_recommend(&narrow, POSSE_REWARDS_CLICKS, NULL);
    assert_true(posse_part_option(&wide.prior, "precision")->number == 4.0);
    assert_true(posse_part_option(&narrow.prior, "precision")->number == 1.0);
    for (int i = 0; i < wide.learner_count; i++) assert_true(posse_part_option(&room[i], "precision")->number == 4.0);
}

/* Products of features are for one dense vector that all arms share. */
LAW(products_are_recommended_for_shared_features_alone) {
    for (int s = 0; s < LENGTH(spaces); s++) {
        posse_part room[POSSE_RECOMMENDED_LEARNERS];
        posse_def def = definition_of(&spaces[s]);
        posse_recommend(&def, POSSE_REWARDS_CLICKS, room);
        for (int i = 0; i < def.learner_count; i++)
            assert_true((posse_part_option(&room[i], "products") != NULL) == (def.context > 0 && def.dim == 0));
        def.nonzeros = 4;
        posse_recommend(&def, POSSE_REWARDS_CLICKS, room);
        assert_true(posse_part_option(&room[0], "products") == NULL);
    }
}

/* Numbers have any scale: learners standardise them in rounds with features, where they can, and the noise is unknown.
 */
LAW(numbers_are_standardised_where_rounds_have_features) {
    for (int s = 0; s < LENGTH(spaces); s++)
        for (int rewards = POSSE_REWARDS_NUMBERS; rewards <= POSSE_REWARDS_COUNTS; rewards++) {
            posse_part room[POSSE_RECOMMENDED_LEARNERS];
            posse_def def = definition_of(&spaces[s]);
            posse_recommend(&def, (posse_reward_kind)rewards, room);
            bool features = s >= 3 && rewards != POSSE_REWARDS_CLICKS;
            for (int i = 0; i < def.learner_count; i++)
                assert_true((posse_part_option(&room[i], "rewards") != NULL) == features);
            assert_true((posse_part_option(&def.prior, "noise.scale") != NULL) == features);
        }
}

/* A power of 2 changes no digit. */
LAW(numbers_of_any_scale_are_played_alike) {
    for (int i = 0; i < SETTINGS; i++)
        for (int k = 0; k < 2; k++) {
            posse_part room[POSSE_RECOMMENDED_LEARNERS];
            posse_def def = setting_def(settings[i], NULL, 3);
            uint64_t source = 11;
            def.selector = posse_default_def().selector;
            assert_int_equal(posse_recommend(&def, POSSE_REWARDS_NUMBERS, room), POSSE_OK);
            posse *p = posse_made(&def), *q = posse_made(&def);
            for (int n = 0; n < 300; n++) {
                brought b;
                posse_decision d, e;
                bring(settings[i], p, &source, &b);
                assert_int_equal(posse_decide(p, &b.context, &d), POSSE_OK);
                assert_int_equal(posse_decide(q, &b.context, &e), POSSE_OK);
                assert_true(d.arm == e.arm && d.learner == e.learner);
                double reward = b.rows[place_of(&b, d.arm)][0] + feature(&source);
                assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
                assert_int_equal(posse_learn(q, e.id, (k == 0 ? 0x1p20 : 0x1p-20) * reward), POSSE_OK);
            }
            posse_free(p);
            posse_free(q);
        }
}

/* Without learners, a posse with a prior has those that are recommended for the prior's rewards; the prior stays. */
LAW(a_posse_without_learners_has_recommended_ones) {
    posse_part room[POSSE_RECOMMENDED_LEARNERS];
    posse_def bare = definition_of(&spaces[0]), full = definition_of(&spaces[0]);
    bare.prior = (posse_part){.kind = "beta", .options = {{.key = "alpha", .number = 3.0}}};
    assert_int_equal(posse_recommend(&full, POSSE_REWARDS_CLICKS, room), POSSE_OK);
    full.prior = bare.prior;
    posse *a, *b;
    assert_int_equal(posse_create(&bare, &a), POSSE_OK);
    assert_int_equal(posse_create(&full, &b), POSSE_OK);
    for (int n = 0; n < 200; n++) {
        posse_decision d = decided(a), e = decided(b);
        assert_true(d.arm == e.arm && d.learner == e.learner);
        assert_int_equal(posse_learn(a, d.id, d.arm == 1), POSSE_OK);
        assert_int_equal(posse_learn(b, e.id, d.arm == 1), POSSE_OK);
    }
    posse_free(a);
    posse_free(b);
    bare.prior.kind = NULL;
    assert_int_equal(posse_create(&bare, &a), POSSE_ERROR_ARGUMENT);
}

/* Rules without arms get the selector's model of their rewards; their learners stay. */
LAW(recommended_selectors_of_rules_have_a_model_of_the_rewards) {
    static const char *const models[] = {"normal-gamma", "beta", "gamma"};
    static const posse_part rules[] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}};
    for (int rewards = POSSE_REWARDS_NUMBERS; rewards <= POSSE_REWARDS_COUNTS; rewards++) {
        posse_part room[POSSE_RECOMMENDED_LEARNERS];
        posse_def def = posse_default_def();
        def.learners = rules, def.learner_count = LENGTH(rules);
        posse *p;
        assert_int_equal(posse_recommend(&def, (posse_reward_kind)rewards, room), POSSE_OK);
        assert_string_equal(posse_part_option(&def.selector, "model")->word, models[rewards]);
        assert_true(def.learners == rules && def.prior.kind == NULL);
        assert_int_equal(posse_create(&def, &p), POSSE_OK);
        posse_free(p);
        def.selector = (posse_part){0};
        assert_int_equal(posse_recommend(&def, (posse_reward_kind)rewards, NULL), POSSE_OK);
        assert_string_equal(posse_part_option(&def.selector, "model")->word, models[rewards]);
        assert_true(def.prior.kind == NULL);
    }
}

/* The selector that was given stays where there are no rules, with arms and without. */
LAW(recommended_parts_come_beside_any_selector) {
    for (int arms = 0; arms < 4; arms += 3) {
        posse_part room[POSSE_RECOMMENDED_LEARNERS];
        posse_def def = posse_default_def();
        def.arms = arms;
        def.selector = (posse_part){.kind = "ucb"};
        assert_int_equal(posse_recommend(&def, POSSE_REWARDS_CLICKS, room), POSSE_OK);
        assert_string_equal(def.selector.kind, "ucb");
        assert_true(def.learners == room && def.prior.kind != NULL);
    }
}

LAW(wrong_rewards_are_not_recommended_for) {
    posse_def def = definition_of(&spaces[0]);
    assert_int_equal(posse_recommend(NULL, POSSE_REWARDS_CLICKS, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_recommend(&def, (posse_reward_kind)3, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_recommend(&def, (posse_reward_kind)-1, NULL), POSSE_ERROR_ARGUMENT);
    assert_true(def.prior.kind == NULL);
    assert_int_equal(posse_recommend(&def, POSSE_REWARDS_UNKNOWN, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, NULL), POSSE_REWARDS_NUMBERS);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_ENVIRONMENT, NULL), POSSE_REWARDS_UNKNOWN);
}

static posse_reward_kind about(const char *kind) {
    return posse_reward_kind_of(POSSE_FAMILY_BELIEF, &(posse_part){.kind = kind});
}

static posse_reward_kind paid(posse_part environment) {
    return posse_reward_kind_of(POSSE_FAMILY_ENVIRONMENT, &environment);
}

/* Beliefs and environments state in their tables what rewards are; some environments by an option. */
LAW(rewards_follow_from_beliefs_and_environments) {
    assert_int_equal(about("beta"), POSSE_REWARDS_CLICKS);
    assert_int_equal(about("logistic"), POSSE_REWARDS_CLICKS);
    assert_int_equal(about("gamma"), POSSE_REWARDS_COUNTS);
    assert_int_equal(about("gaussian"), POSSE_REWARDS_NUMBERS);
    assert_int_equal(about("mixture"), POSSE_REWARDS_NUMBERS);
    assert_int_equal(about("no such belief"), POSSE_REWARDS_NUMBERS);
    assert_int_equal(paid((posse_part){.kind = "bernoulli"}), POSSE_REWARDS_CLICKS);
    assert_int_equal(paid((posse_part){.kind = "logistic"}), POSSE_REWARDS_CLICKS);
    assert_int_equal(paid((posse_part){.kind = "poisson"}), POSSE_REWARDS_COUNTS);
    assert_int_equal(paid((posse_part){.kind = "linear"}), POSSE_REWARDS_NUMBERS);
    assert_int_equal(paid((posse_part){.kind = "log"}), POSSE_REWARDS_UNKNOWN);
    assert_int_equal(paid((posse_part){.kind = "worlds"}), POSSE_REWARDS_UNKNOWN);
    assert_int_equal(paid((posse_part){.kind = "contextual"}), POSSE_REWARDS_NUMBERS);
    assert_int_equal(paid((posse_part){.kind = "contextual", .options = {{.key = "link", .word = "logistic"}}}),
                     POSSE_REWARDS_CLICKS);
    assert_int_equal(paid((posse_part){.kind = "table"}), POSSE_REWARDS_UNKNOWN);
    assert_int_equal(paid((posse_part){.kind = "table", .options = {{.key = "label", .word = "class"}}}),
                     POSSE_REWARDS_CLICKS);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_LEARNER, &(posse_part){.kind = "ucb"}), POSSE_REWARDS_UNKNOWN);
}

static posse_part mixture_of(const posse_part *beliefs, const double *weights, size_t count) {
    return (posse_part){.kind = "mixture",
                        .options = {{.key = "components", .part = beliefs, .list = weights, .count = count}}};
}

/* A mixture is about the rewards of its components, also of a mixture in it. One that contains itself has an end. */
LAW(a_mixture_is_about_the_rewards_of_its_components) {
    static const double weights[] = {1.0, 1.0};
    posse_part betas[] = {{.kind = "beta"}, {.kind = "beta", .options = {{.key = "alpha", .number = 9.0}}}};
    posse_part clicks = mixture_of(betas, weights, 2), inside[] = {clicks, clicks};
    posse_part deep = mixture_of(inside, weights, 2), gamma = {.kind = "gamma"};
    posse_part counts = mixture_of(&gamma, weights, 1), circle;
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &clicks), POSSE_REWARDS_CLICKS);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &deep), POSSE_REWARDS_CLICKS);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &counts), POSSE_REWARDS_COUNTS);
    circle = mixture_of(&circle, weights, 1);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &circle), POSSE_REWARDS_NUMBERS);
    posse_part logistic = {.kind = "logistic"};
    posse_def def = definition_of(&spaces[3]);
    def.prior = mixture_of(&logistic, weights, 1);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_OK);
    assert_string_equal(posse_learner_name(p, 0), "logistic-ucb 0.1");
    posse_free(p);
}
