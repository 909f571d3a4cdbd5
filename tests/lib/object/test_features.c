/* SPDX-License-Identifier: MIT */
/*
 * Tests of features by name. A twin makes the numbers of a round the long way (visits.h). Names must give the decisions
 * of these numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keeping.h"
#include "visits.h"

/* ----------------------------------------------------- settings --------------------------------------------------- */

static const char *const crossings[] = {"user*item", "context*arm", "user*user", "item*context"};

/* Where features go, and which learners there are. */
typedef struct setting {
    int dim, context, nonzeros, interactions;
    bool without_constant;
} setting;

static const setting settings[] = {{.context = 16, .interactions = 3},
                                   {.dim = 32, .interactions = 4},
                                   {.dim = 24, .context = 8, .interactions = 4},
                                   {.dim = 12, .without_constant = true},
                                   {.dim = 4000, .nonzeros = 200, .interactions = 4},
                                   {.dim = 2000, .context = 1500, .nonzeros = 200, .interactions = 4},
                                   {.context = 3, .interactions = 2}};

static posse_def setting_def(const setting *s, posse_feature_def *map) {
    static const posse_part learners[] = {{.kind = "linear-ucb", .options = {{.key = "width", .number = 0.3}}},
                                          {.kind = "linear-thompson"},
                                          {.kind = "ucb"}};
    posse_def def = posse_default_def();
    *map = (posse_feature_def){
        .interactions = crossings, .interaction_count = s->interactions, .without_constant = s->without_constant};
    def.arms = 6;
    def.dim = s->dim;
    def.context = s->context;
    def.nonzeros = s->nonzeros;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = 3;
    def.features = map;
    return def;
}

/* The round of a visit in numbers, made by the twin. */
static posse_context visit_numbers(const visit *v, const posse_def *def, double *points, double *shared) {
    static double all[SLOTS_MAX];
    for (int a = 0; a < ROUND_ARMS; a++) {
        twin_numbers(def, &v->named, a, all);
        if (def->dim > 0) memcpy(points + a * def->dim, all, (size_t)def->dim * sizeof *points);
    }
    if (def->context > 0) memcpy(shared, all + def->dim, (size_t)def->context * sizeof *shared);
    return (posse_context){.count = ROUND_ARMS,
                           .arms = v->arms,
                           .points = def->dim > 0 ? points : NULL,
                           .shared = def->context > 0 ? shared : NULL};
}

static void assert_same_decision(const posse_decision *x, const posse_decision *y) {
    assert_int_equal(x->arm, y->arm);
    assert_int_equal(x->learner, y->learner);
    assert_true(x->probability == y->probability);
}

LAW(features_by_name_decide_as_numbers) {
    static double points[ROUND_ARMS * SLOTS_MAX], shared[SLOTS_MAX];
    for (int k = 0; k < LENGTH(settings); k++) {
        posse_feature_def map;
        posse_def def = setting_def(&settings[k], &map), plain = def;
        plain.features = NULL;
        posse *named = posse_made(&def), *numbered = posse_made(&plain);
        uint32_t chance = 7 + (uint32_t)k;
        for (int n = 0; n < 60; n++) {
            visit v;
            posse_decision x, y;
            double means[ROUND_ARMS], same[ROUND_ARMS];
            visit_make(&v, &chance, def.dim > 0);
            posse_context numbers = visit_numbers(&v, &def, points, shared);
            assert_int_equal(posse_means(named, &v.context, means), POSSE_OK);
            assert_int_equal(posse_means(numbered, &numbers, same), POSSE_OK);
            assert_memory_equal(means, same, sizeof means);
            assert_int_equal(posse_decide(named, &v.context, &x), POSSE_OK);
            assert_int_equal(posse_decide(numbered, &numbers, &y), POSSE_OK);
            assert_same_decision(&x, &y);
            double reward = visit_number(&chance);
            assert_int_equal(posse_learn(named, x.id, reward), POSSE_OK);
            assert_int_equal(posse_learn(numbered, y.id, reward), POSSE_OK);
            posse_action play = {.arm = v.arms[n % ROUND_ARMS], .context = &v.context}, told = play;
            told.context = &numbers;
            assert_int_equal(posse_teach(named, &play, 0.5), POSSE_OK);
            assert_int_equal(posse_teach(numbered, &told, 0.5), POSSE_OK);
        }
        posse_free(named);
        posse_free(numbered);
    }
}

/* The numbers themselves, and whatever order the features come in. */
LAW(numbers_of_names_are_the_twins) {
    static double all[SLOTS_MAX];
    for (int k = 0; k < LENGTH(settings); k++) {
        posse_feature_def map;
        posse_def def = setting_def(&settings[k], &map);
        posse *p = posse_made(&def);
        uint32_t chance = 1;
        for (int n = 0; n < 20; n++) {
            visit v;
            posse_context numbers;
            visit_make(&v, &chance, def.dim > 0);
            assert_int_equal(posse_named_numbers(p, &v.context, &numbers), POSSE_OK);
            for (int a = 0; a < ROUND_ARMS; a++) {
                twin_numbers(&def, &v.named, a, all);
                for (int half_of = 0; half_of < 2; half_of++) {
                    int first = half_of == 1 ? def.dim : 0, slots = half_of == 1 ? def.context : def.dim;
                    if (slots == 0) continue;
                    const posse_sparse *row = half_of == 1 ? numbers.sparse_shared : &numbers.sparse_points[a];
                    for (int i = 0, j = 0; i < slots; i++) {
                        double value = j < row->count && row->indices[j] == i ? row->values[j++] : 0.0;
                        assert_true(value == all[first + i]);
                    }
                }
            }
        }
        posse_free(p);
    }
}

/* The values that posse.hashed of Python has always had. */
LAW(hashed_features_have_pythons_values) {
    const posse_feature list[] = {{.name = "age", .number = 0.3},
                                  {.name = "new", .number = 1.0, .truth = true},
                                  {.name = "country", .word = "de"},
                                  {.name = "words", .word = "red"},
                                  {.name = "words", .word = "car"}};
    double out[64], sum = 0.0;
    assert_int_equal(posse_hash_features(list, LENGTH(list), 64, out), POSSE_OK);
    double expected[64] = {0};
    twin_add("age", 0.3, expected, 64);
    twin_add("new", 1.0, expected, 64);
    twin_add("country=de", 1.0, expected, 64);
    twin_add("words=red", 1.0, expected, 64);
    twin_add("words=car", 1.0, expected, 64);
    assert_memory_equal(out, expected, sizeof out);
    for (int i = 0; i < 64; i++) sum += fabs(out[i]);
    assert_close(sum, 4.3, 1e-12);
    assert_int_equal(posse_hash_features(list, LENGTH(list), 0, out), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_hash_features(&(posse_feature){.name = "x", .number = NAN}, 1, 4, out),
                     POSSE_ERROR_ARGUMENT);
}

/* ------------------------------------------------------- scales --------------------------------------------------- */

static posse_def scaled_def(posse_feature_def *map, uint64_t learn) {
    static const posse_feature_scale declared[] = {{"age", 40.0, 12.0, 0}, {"context.height", 1.7, 0.5, 0}};
    setting s = {.context = 16};
    posse_def def = setting_def(&s, map);
    map->scales = declared;
    map->scale_count = 2;
    map->learn_scale = learn;
    return def;
}

static posse_error decide_on(posse *p, const posse_feature *list, int count) {
    posse_decision d;
    posse_named named = {.shared = {count, list}};
    posse_error error = posse_decide(p, &(posse_context){.named = &named}, &d);
    return error == POSSE_OK ? posse_learn(p, d.id, list[0].number > 0.0) : error;
}

/* The number of a slot that one feature alone has. */
static double number_of(const posse *p, const char *name, double number) {
    posse_feature one = {.name = name, .number = number};
    posse_named named = {.shared = {1, &one}};
    posse_context numbers;
    char key[300];
    snprintf(key, sizeof key, "context.%s", name);
    assert_int_equal(posse_named_numbers(p, &(posse_context){.named = &named}, &numbers), POSSE_OK);
    uint32_t hash = twin_hash(key);
    for (int i = 0; i < numbers.sparse_shared->count; i++)
        if (numbers.sparse_shared->indices[i] == (int)((hash >> 1) % 16))
            return hash & 1 ? numbers.sparse_shared->values[i] : -numbers.sparse_shared->values[i];
    return 0.0;
}

LAW(declared_scales_standardise) {
    posse_feature_def map;
    posse_def def = scaled_def(&map, 0);
    posse *p = posse_made(&def);
    assert_close(number_of(p, "age", 52.0), 1.0, 1e-15);
    assert_close(number_of(p, "height", 1.45), -0.5, 1e-15);
    assert_close(number_of(p, "weight", 3.0), 3.0, 1e-15);
    assert_int_equal(posse_feature_scales(p), 2);
    posse_free(p);
}

/* Against a mean and a standard deviation in two passes. After `learn` numbers the scale is frozen. */
LAW(learned_scales_are_those_of_the_numbers) {
    enum { learn = 50, rounds = 80 };
    posse_feature_def map;
    posse_def def = scaled_def(&map, learn);
    posse *p = posse_made(&def);
    double seen[rounds];
    uint32_t chance = 3;
    for (int n = 0; n < rounds; n++) {
        seen[n] = 1000.0 + 30.0 * visit_number(&chance);
        int count = n < learn ? n + 1 : learn;
        double mean = 0.0, squares = 0.0;
        for (int i = 0; i < count; i++) mean += seen[i] / count;
        for (int i = 0; i < count; i++) squares += (seen[i] - mean) * (seen[i] - mean) / count;
        double expected = n > 0 ? (seen[n] - mean) / sqrt(squares) : 0.0;
        assert_close(number_of(p, "income", seen[n]), expected, 1e-9);
        assert_close(number_of(p, "income", seen[n]), expected, 1e-9); /* a question teaches nothing */
        posse_feature list[] = {{.name = "income", .number = seen[n]},
                                {.name = "yes", .number = 1.0, .truth = true},
                                {.name = "age", .number = 40.0}};
        assert_int_equal(decide_on(p, list, 3), POSSE_OK);
    }
    posse_feature_scale scale;
    assert_int_equal(posse_feature_scales(p), 3); /* truth values have none */
    assert_int_equal(posse_feature_scale_at(p, 2, &scale), POSSE_OK);
    assert_string_equal(scale.name, "context.income");
    assert_int_equal(scale.count, learn);
    assert_int_equal(posse_feature_scale_at(p, 3, &scale), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

/* ------------------------------------------------------- saving --------------------------------------------------- */

static posse_error visit_play(posse *p, const visit *v, double reward) {
    posse_decision d;
    posse_error error = posse_decide(p, &v->context, &d);
    return error == POSSE_OK ? posse_learn(p, d.id, reward) : error;
}

LAW(names_of_features_survive_saving) {
    for (int k = 0; k < LENGTH(settings); k++) {
        posse_feature_def map;
        posse_feature_scale declared = {"item.fresh", 0.5, 2.0, 0};
        const char *names[] = {"age",        "new",        "price",      "user.country",
                               "user.likes", "item.topic", "item.fresh", "user.near"};
        posse_def def = setting_def(&settings[k], &map);
        map.learn_scale = 40;
        map.scales = &declared;
        map.scale_count = 1;
        map.names = k % 2 == 0 ? names : NULL;
        map.name_count = k % 2 == 0 ? LENGTH(names) : 0;
        posse *p = posse_made(&def);
        uint32_t chance = 11;
        visit v;
        for (int n = 0; n < 30; n++) {
            visit_make(&v, &chance, def.dim > 0);
            assert_int_equal(visit_play(p, &v, visit_number(&chance)), POSSE_OK);
        }
        saved s = saved_from(p);
        posse *q = NULL;
        assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &q), POSSE_OK);
        assert_true(posse_takes_names(q));
        for (int n = 0; n < 40; n++) {
            visit_make(&v, &chance, def.dim > 0);
            double reward = visit_number(&chance);
            assert_int_equal(visit_play(p, &v, reward), POSSE_OK);
            assert_int_equal(visit_play(q, &v, reward), POSSE_OK);
        }
        saved a = saved_from(p), b = saved_from(q);
        assert_true(saved_equal(&a, &b));
        assert_int_equal(posse_features_seen(p), posse_features_seen(q));
        saved_drop(&s);
        saved_drop(&a);
        saved_drop(&b);
        posse_free(p);
        posse_free(q);
    }
}

/* A posse made from the definition of another one makes the same numbers. */
LAW(a_definition_keeps_the_map) {
    const char *names[] = {"user.country", "item.topic", "age",        "price",
                           "new",          "user.likes", "item.fresh", "user.near"};
    posse_feature_def map;
    posse_part learners[3];
    posse_def def = scaled_def(&map, 10), again;
    map.names = names;
    map.name_count = LENGTH(names);
    map.interactions = crossings;
    map.interaction_count = 2;
    map.without_constant = true;
    posse *p = posse_made(&def);
    assert_int_equal(posse_definition(p, &again, learners), POSSE_OK);
    const posse_feature_def *kept = again.features;
    assert_int_equal(kept->name_count, LENGTH(names));
    assert_string_equal(kept->names[0], "age"); /* they are sorted */
    assert_string_equal(kept->interactions[1], "context*arm");
    assert_true(kept->scale_count == 2 && kept->scales[0].sd == 12.0 && kept->learn_scale == 10);
    assert_true(kept->without_constant);
    posse *q = posse_made(&again);
    uint32_t chance = 4;
    for (int n = 0; n < 30; n++) {
        visit v;
        posse_decision x, y;
        visit_make(&v, &chance, false);
        assert_int_equal(posse_decide(p, &v.context, &x), POSSE_OK);
        assert_int_equal(posse_decide(q, &v.context, &y), POSSE_OK);
        assert_same_decision(&x, &y);
        assert_memory_equal(x.point, y.point, 16 * sizeof(double));
        assert_int_equal(posse_learn(p, x.id, n % 2), POSSE_OK);
        assert_int_equal(posse_learn(q, y.id, n % 2), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
}

/* Whatever byte of a saved map is wrong, the posse is refused, or continues to decide. */
LAW(a_damaged_map_is_refused) {
    static const posse_part learner = {.kind = "ucb"};
    posse_feature_def map;
    posse_def def = scaled_def(&map, 10);
    def.selector = def.prior = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    posse_feature list[] = {{.name = "income", .number = 3.0}, {.name = "user.country", .word = "de"}};
    assert_int_equal(decide_on(p, list, 2), POSSE_OK);
    saved s = saved_from(p);
    for (size_t at = SAVED_HEADER; at < s.length; at++) {
        uint8_t held = s.bytes[at];
        posse *q = NULL;
        s.bytes[at] ^= 0x41;
        saved_seal(&s);
        if (posse_load_exact(s.bytes, s.length, NULL, &q) == POSSE_OK) {
            decide_on(q, list, 2);
            posse_free(q);
        }
        s.bytes[at] = held;
    }
    saved_drop(&s);
    posse_free(p);
}

/* ------------------------------------------------------ bad input ------------------------------------------------- */

LAW(bad_features_change_nothing) {
    static char long_name[300], long_word[1100];
    memset(long_name, 'n', sizeof long_name - 1);
    memset(long_word, 'w', sizeof long_word - 1);
    const struct {
        posse_feature list[2];
        int count;
        const char *says;
    } wrong[] = {
        {{{.name = "age", .number = 1.0}, {.name = "age", .number = 2.0}}, 2, "\"context.age\" is there twice"},
        {{{.name = "a=b", .number = 1.0}, {.name = "a", .word = "b"}}, 2, "\"context.a=b\" is there twice"},
        {{{.name = "age", .number = NAN}}, 1, "nan is no feature"},
        {{{.name = "age", .number = INFINITY}}, 1, "inf is no feature"},
        {{{.name = "weight", .number = 2e6}}, 1, "\"context.weight\" is 2e+06; features must be at most 1e+06"},
        {{{.name = "", .number = 1.0}}, 1, "the name of a feature is empty"},
        {{{.name = "\xff", .number = 1.0}}, 1, "the name of a feature is not UTF-8: its byte 1 is 0xff"},
        {{{.name = "city", .word = "K\xf6ln"}}, 1, "context.city: the word is not UTF-8: its byte 2 is 0xf6"},
        {{{.name = long_name, .number = 1.0}}, 1, "the name of a feature has 299 bytes; at most 255"},
        {{{.name = "text", .word = long_word}}, 1, "the word has 1099 bytes; at most 1023"},
        {{{.number = 1.0}}, 1, "a name or the list is missing"},
        {{{0}}, -1, "a name or the list is missing"},
    };
    posse_feature_def map;
    notes n = {0};
    posse_def def = scaled_def(&map, 0);
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def);
    posse_feature fine = {.name = "age", .number = 30.0};
    assert_int_equal(decide_on(p, &fine, 1), POSSE_OK);
    for (int i = 0; i < LENGTH(wrong); i++) {
        n = (notes){0};
        assert_refused(p, decide_on(p, wrong[i].list, wrong[i].count), POSSE_ERROR_CONTEXT);
        assert_noted(&n, wrong[i].says);
    }
    posse_feature_list own[6] = {{1, &fine}};
    posse_decision d;
    posse_named named = {.points = own};
    posse_context round = {.named = &named};
    assert_refused(p, posse_decide(p, &round, &d), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "arms[0]: arms of this posse have no features of their own, because dim is 0");
    double numbers[16] = {0};
    posse_named none = {0};
    posse_context both = {.named = &none, .shared = numbers};
    assert_refused(p, posse_decide(p, &both, &d), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "given by name, and in numbers too");
    posse_free(p);
}

/* A name that is not declared, and a feature of an arm that is also shared. */
LAW(only_declared_features_are_taken) {
    const char *names[] = {"age", "user.country", "item.topic"};
    posse_feature_def map;
    notes n = {0};
    setting s = {.dim = 16, .interactions = 1};
    posse_def def = setting_def(&s, &map);
    def.host.log = notes_logger(&n);
    map.names = names;
    map.name_count = 3;
    posse *p = posse_made(&def);
    posse_feature list[] = {{.name = "age", .number = 1.0}, {.name = "user.country", .word = "de"}};
    assert_int_equal(decide_on(p, list, 2), POSSE_OK);
    list[1].name = "user.county";
    assert_refused(p, decide_on(p, list, 2), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "context.user.county: this posse has no feature of this name");
    posse_feature both = {.name = "item.topic", .number = 1.0};
    posse_feature_list own[6] = {{1, &both}, {1, &both}, {1, &both}, {1, &both}, {1, &both}, {1, &both}};
    posse_named named = {.shared = {1, &both}, .points = own};
    posse_decision d;
    posse_context round = {.named = &named};
    assert_refused(p, posse_decide(p, &round, &d), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "arms[0]: the feature \"item.topic\" is there twice");
    posse_free(p);
}

LAW(wrong_maps_are_refused) {
    static const char *const declared[] = {"user.age", "price"};
    static const char *const twice[] = {"user.age", "user.age"};
    static const char *const unknown[] = {"user*shop"}, *const turned[] = {"user*item", "item*user"};
    static const char *const none[] = {"user"}, *const three[] = {"a*b*c"}, *const half[] = {"a*"};
    static const posse_feature_scale flat = {"age", 1.0, 0.0, 0}, same[] = {{"a", 0, 1, 0}, {"a", 0, 2, 0}};
    const struct {
        posse_feature_def map;
        posse_error error;
        const char *says;
    } wrong[] = {
        {{.names = twice, .name_count = 2}, POSSE_ERROR_NAME, "\"user.age\" is there twice"},
        {{.names = declared, .name_count = 2, .interactions = unknown, .interaction_count = 1},
         POSSE_ERROR_NAME,
         "features.interactions[0]: no declared feature is in the namespace \"shop\""},
        {{.interactions = turned, .interaction_count = 2}, POSSE_ERROR_NAME, "\"item*user\" is there twice"},
        {{.interactions = none, .interaction_count = 1}, POSSE_ERROR_NAME, "\"user\" is no interaction"},
        {{.interactions = three, .interaction_count = 1}, POSSE_ERROR_NAME, "\"a*b*c\" is no interaction"},
        {{.interactions = half, .interaction_count = 1}, POSSE_ERROR_NAME, "\"a*\" is no interaction"},
        {{.scales = &flat, .scale_count = 1}, POSSE_ERROR_OPTION, "the sd must be above 0"},
        {{.scales = same, .scale_count = 2}, POSSE_ERROR_NAME, "\"a\" is there twice"},
        {{.interaction_count = 33}, POSSE_ERROR_ARGUMENT, "33 are too many; at most 32"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        posse_feature_def map;
        notes n = {0};
        posse_def def = setting_def(&settings[0], &map);
        posse *p;
        def.host.log = notes_logger(&n);
        def.features = &wrong[i].map;
        assert_int_equal(posse_create(&def, &p), wrong[i].error);
        assert_noted(&n, wrong[i].says);
    }
    posse_feature_def map = {0};
    posse_def def = setting_def(&settings[0], &map);
    notes n = {0};
    posse *p;
    def.host.log = notes_logger(&n);
    def.features = &map;
    def.context = 0;
    def.prior = (posse_part){.kind = "gaussian"};
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&n, "features have names, but no slots: set dim, context or both");
}

/* Interactions of many features are refused before they take memory. */
LAW(too_many_products_are_refused) {
    enum { many = 600 };
    static posse_feature list[many];
    static char names[many][20];
    static const char *const squares[] = {"user*user"};
    posse_feature_def map;
    notes n = {0};
    posse_def def = setting_def(&settings[0], &map);
    map.interactions = squares;
    map.interaction_count = 1;
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def);
    for (int i = 0; i < many; i++) {
        snprintf(names[i], sizeof names[i], "user.%d", i);
        list[i] = (posse_feature){.name = names[i], .number = 0.01};
    }
    assert_int_equal(decide_on(p, list, many), POSSE_OK); /* 179,700 products */
    def.features = NULL;
    static posse_feature more[2 * many];
    static char other[2 * many][20];
    for (int i = 0; i < 2 * many; i++) {
        snprintf(other[i], sizeof other[i], "user.x%d", i);
        more[i] = (posse_feature){.name = other[i], .number = 0.01};
    }
    assert_refused(p, decide_on(p, more, 2 * many), POSSE_ERROR_CONTEXT);
    assert_noted(&n, "a round has more than 262144 features, with those of interactions");
    posse_free(p);
}

/* ------------------------------------------------------- names ---------------------------------------------------- */

/* The names of a slot are those that hash to it, and there is a limit. */
LAW(names_seen_are_reported) {
    posse_feature_def map;
    setting s = {.dim = 8, .context = 8};
    posse_def def = setting_def(&s, &map);
    posse *p = posse_made(&def);
    char name[20];
    posse_feature first = {.name = "first", .number = 1.0};
    assert_int_equal(decide_on(p, &first, 1), POSSE_OK);
    int before = 1 + posse_arm_count(p); /* arms without features have their names */
    for (int i = 0; i < POSSE_FEATURE_SEEN_MAX + 100; i++) {
        snprintf(name, sizeof name, "f%d", i);
        posse_feature one = {.name = name, .number = 1.0};
        assert_int_equal(decide_on(p, &one, 1), POSSE_OK);
        assert_int_equal(decide_on(p, &one, 1), POSSE_OK);
        int all = before + i + 1, count = all < POSSE_FEATURE_SEEN_MAX ? all : POSSE_FEATURE_SEEN_MAX;
        assert_int_equal(posse_features_seen(p), count);
        posse_feature_seen seen;
        assert_int_equal(posse_feature_at(p, count - 1, &seen), POSSE_OK);
        uint32_t hash = twin_hash(seen.key);
        assert_int_equal(seen.slot, 8 + (int)((hash >> 1) % 8));
        assert_int_equal(seen.negative, (hash & 1) == 0);
    }
    posse_free(p);
}

/* ------------------------------------------------------- memory --------------------------------------------------- */

LAW(names_of_features_survive_no_memory) {
    posse_feature_def map;
    setting s = {.dim = 2000, .context = 30, .nonzeros = 200, .interactions = 4};
    posse_def def = setting_def(&s, &map);
    map.learn_scale = 5;
    purse mine = {0};
    def.host = purse_host(&mine);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse *p;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_create(&def, &p);
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
    mine.fail_at = 0;
    posse *p = posse_made(&def);
    uint32_t chance = 5;
    for (int round = 0; round < 3; round++) {
        visit v;
        posse_decision d;
        visit_make(&v, &chance, true);
        error = POSSE_ERROR_MEMORY;
        for (size_t n = 1; error == POSSE_ERROR_MEMORY; n++) {
            saved before = saved_from(p);
            mine.calls = 0;
            mine.fail_at = n;
            error = posse_decide(p, &v.context, &d);
            mine.fail_at = 0;
            saved after = saved_from(p);
            assert_int_equal(saved_equal(&before, &after), error != POSSE_OK);
            saved_drop(&before);
            saved_drop(&after);
        }
        assert_int_equal(error, POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    }
    saved kept = saved_from(p);
    error = POSSE_ERROR_MEMORY;
    posse_free(p);
    for (size_t n = 1; error != POSSE_OK; n++) {
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_load(kept.bytes, kept.length, &def.host, &p);
        assert_true(error == POSSE_OK || error == POSSE_ERROR_MEMORY);
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
    saved_drop(&kept);
}
