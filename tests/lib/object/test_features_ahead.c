/* SPDX-License-Identifier: MIT */
/*
 * Tests of features that are read ahead of their rounds. The twin is a posse that reads every round by itself. Both
 * must make the same decisions, write the same messages, and save the same bytes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "helpers.h"
#include "keeping.h"

#define ARMS 4
#define LIST_MAX 8

static uint32_t ahead_random(uint32_t *chance, uint32_t most) {
    *chance = *chance * 1664525u + 1013904223u;
    return (*chance >> 8) % most;
}

/* ------------------------------------------------------ rounds ---------------------------------------------------- */

/* Names and words of every sort: names that begin others, keys that two features can have, and equal texts apart. */
static const char twin_of_age[] = "age";
static const posse_feature alphabet[] = {
    {.name = "age"},
    {.name = twin_of_age, .word = "old"},
    {.name = "a"},
    {.name = "a", .word = "b"},
    {.name = "a=b"},
    {.name = "a=b", .word = "c"},
    {.name = "a=", .word = "b"},
    {.name = "user.near"},
    {.name = "user.likes", .word = "x"},
    {.name = "user.likes", .word = "y"},
    {.name = "user.likes", .word = ""},
    {.name = "user.like"},
    {.name = "item.topic", .word = "\xe6\x97\xa5\xe6\x9c\xac"},
    {.name = "item.topic", .word = "sport"},
    {.name = "item.price"},
    {.name = "price"},
    {.name = "context.age"},
    {.name = "z", .word = "a*b"},
};

/* What a round may have only if it is to be refused. */
static const posse_feature wrong[] = {
    {.name = ""}, {.name = "\xff"}, {.name = "age", .word = "\xff"}, {.name = "a", .number = INFINITY}};

typedef struct ahead_round {
    posse_feature features[1 + ARMS][LIST_MAX];
    posse_feature_list points[ARMS];
    posse_named named;
    posse_context context;
} ahead_round;

/* Some of the alphabet in any order. Lists with a name or a key twice come about by themselves. */
static posse_feature_list ahead_list(posse_feature *list, uint32_t *chance, bool spoilt) {
    int count = (int)ahead_random(chance, LIST_MAX);
    for (int i = 0; i < count; i++) {
        int letter = (int)ahead_random(chance, LENGTH(alphabet));
        list[i] = alphabet[letter];
        list[i].ahead = letter + 1;
        list[i].truth = list[i].word == NULL && ahead_random(chance, 4) == 0;
        list[i].number = list[i].truth ? ahead_random(chance, 2) : (double)ahead_random(chance, 2001) / 50.0 - 20.0;
        if (ahead_random(chance, 12) == 0) list[i].ahead = (int)ahead_random(chance, LENGTH(alphabet) + 2);
    }
    if (spoilt && count > 0) list[ahead_random(chance, (uint32_t)count)] = wrong[ahead_random(chance, LENGTH(wrong))];
    return (posse_feature_list){count, list};
}

static void ahead_make(ahead_round *r, uint32_t *chance, bool own) {
    bool spoilt = ahead_random(chance, 20) == 0;
    *r = (ahead_round){0};
    r->named.shared = ahead_list(r->features[0], chance, spoilt);
    for (int k = 0; own && k < ARMS; k++) r->points[k] = ahead_list(r->features[1 + k], chance, false);
    if (own && ahead_random(chance, 3) > 0) r->named.points = r->points;
    r->context = (posse_context){.named = &r->named};
}

/* ----------------------------------------------------- settings --------------------------------------------------- */

typedef struct ahead_setting {
    int dim, context, nonzeros, interactions;
    uint64_t learn_scale;
    bool declared;
} ahead_setting;

static const ahead_setting settings[] = {{.context = 16},
                                         {.context = 7, .interactions = 4, .learn_scale = 30},
                                         {.dim = 12, .interactions = 4, .learn_scale = 200},
                                         {.dim = 9, .context = 5, .interactions = 2, .declared = true},
                                         {.dim = 3000, .nonzeros = 400, .interactions = 4, .learn_scale = 5},
                                         {.context = 40, .learn_scale = 1, .declared = true}};

static posse *ahead_posse(const ahead_setting *s, const posse_logger *log) {
    static const char *const crossings[] = {"user*item", "context*arm", "user*user", "item*context"};
    static const posse_feature_scale scales[] = {{"age", 3.0, 2.0, 0}, {"arm.price", -1.0, 0.5, 0}};
    static const posse_part learners[] = {{.kind = "linear-ucb"}, {.kind = "linear-thompson"}};
    posse_feature_def map = {.interactions = crossings,
                             .interaction_count = s->interactions,
                             .scales = scales,
                             .scale_count = s->declared ? LENGTH(scales) : 0,
                             .learn_scale = s->learn_scale};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = s->dim;
    def.context = s->context;
    def.nonzeros = s->nonzeros;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    def.features = &map;
    if (log != NULL) def.host.log = *log;
    return posse_made(&def);
}

static void assert_saved_same(const posse *p, const posse *q) {
    saved one = saved_from(p), other = saved_from(q);
    assert_true(saved_equal(&one, &other));
    saved_drop(&one);
    saved_drop(&other);
}

/* ------------------------------------------------------- laws ----------------------------------------------------- */

LAW(features_read_ahead_change_nothing) {
    for (int k = 0; k < LENGTH(settings); k++) {
        notes here = {0}, ahead = {0};
        posse_logger to_here = notes_logger(&here), to_ahead = notes_logger(&ahead);
        posse *p = ahead_posse(&settings[k], &to_here), *q = ahead_posse(&settings[k], &to_ahead);
        uint32_t chance = 3 + (uint32_t)k;
        int refused = 0, made = 0;
        for (int n = 0; n < 600; n++) {
            ahead_round r;
            posse_decision x, y;
            if (n % 50 == 0)
                assert_int_equal(posse_read_ahead(q, alphabet, n % 100 == 0 ? LENGTH(alphabet) : 9), POSSE_OK);
            ahead_make(&r, &chance, settings[k].dim > 0);
            here.count = ahead.count = 0;
            here.text[0] = ahead.text[0] = '\0';
            assert_int_equal(posse_check_decide(q, &r.context), posse_check_decide(p, &r.context));
            posse_error error = posse_decide(p, &r.context, &x);
            assert_int_equal(posse_decide(q, &r.context, &y), error);
            assert_string_equal(here.text, ahead.text);
            refused += error != POSSE_OK;
            made += error == POSSE_OK;
            if (error != POSSE_OK) continue;
            assert_int_equal(x.arm, y.arm);
            assert_true(x.probability == y.probability);
            double reward = (double)ahead_random(&chance, 100) / 50.0 - 1.0;
            assert_int_equal(posse_learn(p, x.id, reward), POSSE_OK);
            assert_int_equal(posse_learn(q, y.id, reward), POSSE_OK);
            if (n % 20 == 0) assert_saved_same(p, q);
        }
        assert_true(refused > 20 && made > 100);
        assert_saved_same(p, q);
        assert_int_equal(posse_read_ahead(q, NULL, 0), POSSE_OK);
        assert_saved_same(p, q);
        posse_free(p);
        posse_free(q);
    }
}

LAW(only_posses_with_a_map_read_ahead) {
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = &(posse_part){.kind = "ucb"};
    def.learner_count = 1;
    posse *p = posse_made(&def), *q = ahead_posse(&settings[0], NULL);
    assert_int_equal(posse_read_ahead(p, alphabet, 2), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_read_ahead(NULL, alphabet, 2), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_read_ahead(q, alphabet, -1), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_read_ahead(q, NULL, 2), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_read_ahead(q, &(posse_feature){0}, 1), POSSE_ERROR_ARGUMENT);
    posse_free(p);
    posse_free(q);
}

/* A number far from a frozen scale is too large, and no check of its round alone can see that. */
LAW(checks_in_a_row_follow_the_scales) {
    posse *p = ahead_posse(&(ahead_setting){.context = 8, .learn_scale = 2}, NULL);
    const double numbers[] = {0.0, 1.0, 1e9};
    for (int turn = 0; turn < 3; turn++) {
        bool in_a_row = turn > 0;
        saved before = saved_from(p);
        if (in_a_row) assert_int_equal(posse_trial_begin(p), POSSE_OK);
        for (int i = 0; i < 3; i++) {
            posse_feature one = {.name = "age", .number = numbers[i]};
            posse_context c = {.named = &(posse_named){.shared = {1, &one}}};
            assert_int_equal(posse_check_decide(p, &c), in_a_row && i == 2 ? POSSE_ERROR_CONTEXT : POSSE_OK);
        }
        if (in_a_row) posse_trial_end(p, false);
        saved after = saved_from(p);
        assert_true(saved_equal(&before, &after));
        saved_drop(&before);
        saved_drop(&after);
    }
    assert_int_equal(posse_trial_begin(NULL), POSSE_ERROR_ARGUMENT);
    posse_trial_end(NULL, false);
    posse_free(p);
}

/* After the checks of a batch, its decisions are those of rounds that were never checked. */
LAW(checks_in_a_row_leave_no_trace) {
    for (int k = 0; k < LENGTH(settings); k++) {
        posse *p = ahead_posse(&settings[k], NULL), *q = ahead_posse(&settings[k], NULL);
        assert_int_equal(posse_read_ahead(q, alphabet, LENGTH(alphabet)), POSSE_OK);
        for (int batch = 0; batch < 6; batch++) {
            uint32_t chance = 11 + (uint32_t)batch, again = chance;
            ahead_round r;
            posse_decision d;
            assert_int_equal(posse_trial_begin(q), POSSE_OK);
            for (int n = 0; n < 40; n++) {
                ahead_make(&r, &chance, settings[k].dim > 0);
                (void)posse_check_decide(q, &r.context);
            }
            posse_trial_end(q, false);
            for (int n = 0; n < 40; n++) {
                ahead_make(&r, &again, settings[k].dim > 0);
                posse_error error = posse_decide(p, &r.context, &d);
                assert_int_equal(posse_decide(q, &r.context, &d), error);
            }
            assert_saved_same(p, q);
        }
        posse_free(p);
        posse_free(q);
    }
}

/* Rounds that are turned into numbers in a trial, and decided afterwards, leave what decisions by name leave. */
LAW(a_trial_that_is_kept_is_the_rounds) {
    for (int k = 0; k < LENGTH(settings); k++) {
        const ahead_setting *s = &settings[k];
        double shared[2][50], points[2][ARMS * 20];
        posse *p = ahead_posse(s, NULL), *q = ahead_posse(s, NULL);
        if (s->nonzeros > 0) {
            ahead_round r = {.context = {.named = &r.named}};
            assert_int_equal(posse_named_write(q, &r.context, shared[0], points[0]), POSSE_ERROR_ARGUMENT);
        }
        uint32_t chance = 5;
        for (int n = 0; n < 200 && s->nonzeros == 0; n++) {
            ahead_round r[2];
            posse_decision x, y;
            bool right = true;
            for (int i = 0; i < 2; i++) ahead_make(&r[i], &chance, s->dim > 0);
            if (n == 50) assert_int_equal(posse_read_ahead(q, alphabet, LENGTH(alphabet)), POSSE_OK);
            assert_int_equal(posse_trial_begin(q), POSSE_OK);
            for (int i = 0; i < 2 && right; i++)
                right = posse_named_write(q, &r[i].context, shared[i], points[i]) == POSSE_OK;
            posse_trial_end(q, right);
            for (int i = 0; i < 2 && right; i++) {
                posse_context numbers = {.shared = s->context > 0 ? shared[i] : NULL,
                                         .points = s->dim > 0 ? points[i] : NULL};
                assert_int_equal(posse_decide(p, &r[i].context, &x), POSSE_OK);
                assert_int_equal(posse_decide(q, &numbers, &y), POSSE_OK);
                assert_int_equal(x.arm, y.arm);
            }
            if (n % 20 == 0) assert_saved_same(p, q);
        }
        assert_saved_same(p, q);
        posse_free(p);
        posse_free(q);
    }
}

LAW(reading_ahead_survives_no_memory) {
    purse mine = {0};
    static const char *const crossings[] = {"user*item"};
    static const posse_part learners[] = {{.kind = "linear-ucb"}};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = 9;
    def.context = 5;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = 1;
    def.features = &(posse_feature_def){.interactions = crossings, .interaction_count = 1, .learn_scale = 9};
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    size_t blocks = mine.blocks;
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_read_ahead(p, alphabet, LENGTH(alphabet));
        if (error != POSSE_OK) assert_int_equal(mine.blocks, blocks);
    }
    mine.calls = 0;
    mine.fail_at = 1;
    assert_int_equal(posse_trial_begin(p), POSSE_ERROR_MEMORY);
    posse_trial_end(p, false);
    mine.fail_at = 0;
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
}
