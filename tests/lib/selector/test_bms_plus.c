/* SPDX-License-Identifier: MIT */
/*
 * bms-plus is bms with other defaults, to the bit, in every habitat and with any other options.
 */
#include <string.h>

#include "menagerie.h"
#include "object/object.h"
#include "object/recipe.h"

/* The defaults of bms-plus. */
static const posse_option defaults[] = {NUMBER("patience", 40), NUMBER("commitment", 0), NUMBER("budget", 1),
                                        NUMBER("share", 1), WORD("consider", "auto")};

/*
 * bms with the options of a bms-plus, and with the defaults of bms-plus for the others. A commitment needs patience,
 * and so does a budget, which also needs plays that do not fade, and no features. `consider` needs features.
 */
static posse_part written_out(posse_part plus, bool features) {
    bool fades = posse_part_option(&plus, "forgetting") != NULL || posse_part_option(&plus, "discount") != NULL;
    const posse_option *patience = posse_part_option(&plus, "patience");
    bool endless = patience != NULL && patience->word != NULL;
    plus.kind = "bms";
    for (int i = 0; i < LENGTH(defaults); i++) {
        if (endless && strcmp(defaults[i].key, "commitment") == 0) continue;
        if (strcmp(defaults[i].key, "budget") == 0 && (endless || fades || features)) continue;
        if (strcmp(defaults[i].key, "consider") == 0 && !features) continue;
        if (posse_part_option(&plus, defaults[i].key) == NULL) plus = with_option(plus, defaults[i]);
    }
    return plus;
}

/* Compares two posses. A learner is added and one is retired, and a posse is saved and loaded on the way. */
static void assert_alike(const habitat *h, posse_part one, posse_part other, uint64_t seed) {
    posse_part crew[TEAM_MAX];
    habitat_team(h, crew);
    parade r;
    parade_begin(&r, h, habitat_posse(h, one), seed);
    r.marchers[r.count++] = habitat_posse(h, other);
    parade_march(&r, 300);
    for (int i = 0; i < r.count; i++) {
        assert_int_equal(posse_learner_add(r.marchers[i], &crew[0], NULL), POSSE_OK);
        assert_int_equal(posse_learner_retire(r.marchers[i], 0), POSSE_OK);
    }
    parade_march(&r, 200);
    parade_join(&r);
    parade_march(&r, 300);
    for (int i = 1; i < r.count; i++) assert_saved_alike(r.marchers[0], r.marchers[i]);
    parade_leave(&r);
}

static void assert_written_out(const habitat *h, posse_part plus, uint64_t seed) {
    assert_alike(h, plus, written_out(plus, h >= &habitats[HABITATS_WITHOUT_FEATURES]), seed);
}

LAW(bms_plus_is_bms_written_out) {
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_SELECTOR, &count);
    for (int h = 0; h < HABITATS; h++)
        for (int i = 0; i < count; i++)
            if (strcmp(all[i].part.kind, "bms-plus") == 0 && specimen_fits(&all[i].part, &habitats[h]))
                assert_written_out(&habitats[h], all[i].part, (uint64_t)(h + 1));
}

LAW(bms_plus_with_the_defaults_of_bms_is_bms) {
    const posse_part plain = {.kind = "bms-plus", .options = {WORD("patience", "endless"), NUMBER("share", 0)}};
    for (int h = 0; h < HABITATS; h++) assert_alike(&habitats[h], plain, algorithm_1, (uint64_t)(h + 1));
}

/* ------------------------------------------------- every key ---------------------------------------------------- */

static const posse_part narrow = {.kind = "gaussian", .options = {NUMBER("sd", 0.5)}};

/* A value other than the default for each key of bms, and for each key that all selectors have. */
static const posse_option given[] = {
    {.key = "belief", .part = &narrow},
    NUMBER("patience", 7),
    WORD("patience", "endless"),
    NUMBER("commitment", 0.5),
    NUMBER("forgetting", 1),
    NUMBER("discount", 0.9),
    NUMBER("watch", 1),
    NUMBER("memory", 5),
    WORD("memory", "all"),
    NUMBER("recency", 3),
    NUMBER("hold", 0),
    NUMBER("hold-most", 3),
    NUMBER("candidates", 2),
    WORD("candidates", "all"),
    NUMBER("consider", 0),
    NUMBER("budget", 0),
    NUMBER("budget", 0.1),
    NUMBER("share", 0),
    NUMBER("batch", 3),
    NUMBER("floor", 0.2),
};

static const posse_param *param_of(const char *kind, const char *name) {
    const posse_param *p = posse_kind_param(POSSE_FAMILY_SELECTOR, posse_kind_find(POSSE_FAMILY_SELECTOR, kind), name);
    assert_that(p != NULL, "%s has no %s", kind, name);
    return p;
}

LAW(every_key_of_bms_can_be_given_to_bms_plus) {
    const posse_param *lists[] = {
        posse_kind_params(POSSE_FAMILY_SELECTOR, posse_kind_find(POSSE_FAMILY_SELECTOR, "bms")),
        posse_family_params(POSSE_FAMILY_SELECTOR)};
    for (int i = 0; i < LENGTH(lists); i++)
        for (const posse_param *p = lists[i]; p->name != NULL; p++) {
            int found = 0;
            for (int k = 0; k < LENGTH(given); k++) found += strcmp(given[k].key, p->name) == 0;
            assert_that(found > 0, "%s is not tried", p->name);
        }
    for (int k = 0; k < LENGTH(given); k++) {
        const posse_part plus = {.kind = "bms-plus", .options = {given[k]}};
        bool in_contexts = strncmp(param_of("bms-plus", given[k].key)->help, "in contexts", 11) == 0;
        assert_written_out(&habitats[in_contexts ? OFFERS_6 : ARMS_5], plus, (uint64_t)k);
    }
}

/* ------------------------------------------------- declarations ------------------------------------------------- */

static const posse_option *default_of(const char *name) {
    for (int i = 0; i < LENGTH(defaults); i++)
        if (strcmp(defaults[i].key, name) == 0) return &defaults[i];
    return NULL;
}

static bool same_option(const posse_option *a, const posse_option *b) {
    bool words = a->word == b->word || (a->word != NULL && b->word != NULL && strcmp(a->word, b->word) == 0);
    return strcmp(a->key, b->key) == 0 && a->number == b->number && words && a->list == b->list && a->part == b->part;
}

static int count_of(const posse_part *part_) {
    int count = 0;
    while (count < POSSE_OPTIONS_MAX && part_->options[count].key != NULL) count++;
    return count;
}

/* The five defaults are in the declarations, which `posse list` and Python show, and in a resolved part, as in
 * manifests. bms has no default for `consider`. */
LAW(bms_plus_differs_from_bms_in_five_defaults) {
    posse_part plus = {.kind = "bms-plus"}, out, plain;
    posse_part bms = with_option(written_out(plus, false), (posse_option)WORD("consider", "auto"));
    posse_part paper = {.kind = "bms"};
    assert_int_equal(posse_part_resolve(POSSE_FAMILY_SELECTOR, &plus, NULL, NULL, &out), POSSE_OK);
    assert_int_equal(posse_part_resolve(POSSE_FAMILY_SELECTOR, &bms, NULL, NULL, &bms), POSSE_OK);
    assert_int_equal(posse_part_resolve(POSSE_FAMILY_SELECTOR, &paper, NULL, NULL, &plain), POSSE_OK);
    assert_string_equal(out.kind, "bms-plus");
    assert_true(count_of(&out) == count_of(&bms) && count_of(&out) == count_of(&plain) + 1);
    for (int i = 0; i < count_of(&out); i++) {
        const posse_option *o = &out.options[i];
        assert_true(posse_part_option(&out, o->key) == o); /* no key occurs twice */
        assert_true(same_option(o, posse_part_option(&bms, o->key)));
        const posse_option *other = posse_part_option(&plain, o->key);
        assert_int_equal(other != NULL && same_option(o, other), default_of(o->key) == NULL);
        posse_option declared;
        assert_true(posse_param_default(param_of("bms-plus", o->key), &declared));
        assert_true(same_option(o, &declared));
    }
}

/* A posse that was saved as bms is loaded as bms. */
LAW(saves_keep_the_name_of_the_kind) {
    static const char *const kinds[] = {"bms", "bms-plus"};
    for (int i = 0; i < 2; i++) {
        posse *p = two_ucbs((posse_part){.kind = kinds[i]});
        saved s = saved_from(p);
        posse *q = saved_loaded(&s);
        assert_string_equal(q->selector_recipe->kind, kinds[i]);
        assert_int_equal(q->share, i == 1);
        posse_free(p);
        posse_free(q);
        saved_drop(&s);
    }
}
