/* SPDX-License-Identifier: MIT */
/*
 * Tests of arms without features: their names are their features. The twin is a posse whose rounds have these names
 * written out. Both must make the same decisions and save the same bytes.
 */
#include <stdio.h>
#include <string.h>

#include "helpers.h"
#include "keeping.h"

#define ARMS 3

static const char *const names[ARMS] = {"red", "blue", "green"};
static const char *const numbers[ARMS] = {"0", "1", "2"};

static posse_def arms_def(posse_feature_def *map, bool named) {
    static const char *const crossed[] = {"context*arm"};
    static posse_part learners[] = {{.kind = "linear-ucb"}, {.kind = "linear-thompson"}};
    posse_def def = posse_default_def();
    *map = (posse_feature_def){.interactions = crossed, .interaction_count = 1};
    def.arms = ARMS;
    def.names = named ? names : NULL;
    def.dim = 16;
    def.features = map;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = 2;
    return def;
}

/* Whether a posse plays rounds without features of arms as its twin plays those with the words. */
static void check_arms(posse *p, posse *written_out, const char *const *words) {
    posse_feature own[ARMS];
    posse_feature_list written[ARMS], empty[ARMS] = {{0}};
    for (int k = 0; k < ARMS; k++) {
        own[k] = (posse_feature){.name = "name", .word = words[k]};
        written[k] = (posse_feature_list){1, &own[k]};
    }
    for (int i = 0; i < 60; i++) {
        posse_feature visitor = {.name = "country", .word = i % 3 == 0 ? "de" : "fr"};
        posse_named bare = {.shared = {1, &visitor}, .points = i % 2 == 0 ? empty : NULL};
        posse_named full = {.shared = {1, &visitor}, .points = written};
        int two[] = {0, 2};
        posse_context c = {.named = &bare}, d = {.named = &full};
        posse_feature_list few[] = {written[0], written[2]};
        if (i % 5 == 0) {
            c.count = d.count = 2;
            c.arms = d.arms = two;
            full.points = few;
        }
        posse_decision one, other;
        assert_int_equal(posse_decide(p, &c, &one), POSSE_OK);
        assert_int_equal(posse_decide(written_out, &d, &other), POSSE_OK);
        assert_int_equal(one.arm, other.arm);
        assert_int_equal(posse_learn(p, one.id, one.arm == 1), POSSE_OK);
        assert_int_equal(posse_learn(written_out, other.id, one.arm == 1), POSSE_OK);
    }
    saved a = saved_from(p), b = saved_from(written_out);
    assert_true(saved_equal(&a, &b));
    saved_drop(&a);
    saved_drop(&b);
}

LAW(arms_without_features_have_their_names) {
    for (int named = 0; named < 2; named++) {
        posse_feature_def map;
        posse_def def = arms_def(&map, named);
        posse *p = posse_made(&def), *written_out = posse_made(&def);
        check_arms(p, written_out, named ? names : numbers);
        posse_free(p);
        posse_free(written_out);
    }
}

/* A round in which one arm has a feature is taken as it is, and declared names need not have that of arms. */
LAW(names_of_arms_are_features_only_where_there_are_none) {
    static const char *const declared[] = {"country", "price"};
    posse_feature_def map;
    posse_def def = arms_def(&map, true);
    map.names = declared;
    map.name_count = 2;
    posse *p = posse_made(&def);
    posse_feature visitor = {.name = "country", .word = "de"}, price = {.name = "price", .number = 2.0};
    posse_feature_list own[ARMS] = {{0}, {1, &price}, {0}};
    posse_named some = {.shared = {1, &visitor}, .points = own}, none = {.shared = {1, &visitor}};
    posse_decision d;
    assert_int_equal(posse_decide(p, &(posse_context){.named = &some}, &d), POSSE_OK);
    assert_int_equal(posse_features_seen(p), 2);
    assert_int_equal(posse_decide(p, &(posse_context){.named = &none}, &d), POSSE_OK);
    assert_int_equal(posse_features_seen(p), 2 + ARMS);
    posse_feature_seen seen;
    assert_int_equal(posse_feature_at(p, 3, &seen), POSSE_OK);
    assert_string_equal(seen.key, "arm.name=blue");
    posse_free(p);
}

LAW(names_of_arms_survive_no_memory) {
    posse_feature_def map;
    posse_def def = arms_def(&map, true);
    purse mine = {0};
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    posse_named none = {0};
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error == POSSE_ERROR_MEMORY; n++) {
        posse_decision d;
        saved before = saved_from(p);
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_decide(p, &(posse_context){.named = &none}, &d);
        mine.fail_at = 0;
        saved after = saved_from(p);
        assert_int_equal(saved_equal(&before, &after), error != POSSE_OK);
        saved_drop(&before);
        saved_drop(&after);
    }
    assert_int_equal(error, POSSE_OK);
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
}
