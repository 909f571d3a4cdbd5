/* SPDX-License-Identifier: MIT */
/*
 * Tests of the names of arms: they change no decision, are unique, stay taken, and are kept in the saved form.
 */
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

static const char *const colours[] = {"red", "blue", "gr\xc3\xbcn", "7", "a b", "\xe2\x98\x83", "0", "x"};

/* Two learners over this many arms, with names or without. */
static posse_def coloured_def(int arms, bool named) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    posse_def def = posse_default_def();
    def.arms = arms;
    def.names = named ? colours : NULL;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 2;
    return def;
}

/* --------------------------------------------- names and numbers ----------------------------------------------- */

/* Two posses play the same rounds, and decide alike. */
static void decide_alike(posse *a, posse *b, int rounds) {
    for (int n = 0; n < rounds; n++) {
        posse_decision x, y;
        assert_int_equal(stage_decide(a, &x), POSSE_OK);
        assert_int_equal(stage_decide(b, &y), POSSE_OK);
        if (x.arm == POSSE_ARM_UNTOLD) assert_int_equal(stage_acted(a, &x), POSSE_OK);
        if (y.arm == POSSE_ARM_UNTOLD) assert_int_equal(stage_acted(b, &y), POSSE_OK);
        assert_int_equal(x.arm, y.arm);
        assert_int_equal(x.learner, y.learner);
        assert_true(x.probability == y.probability && x.propensity == y.propensity);
        double reward = (double)((x.arm + n) % 3 == 0);
        assert_int_equal(posse_learn(a, x.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(b, y.id, reward), POSSE_OK);
    }
}

static void names_change_nothing(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew);
    if (def.arms == 0 || def.arms > LENGTH(colours)) return;
    posse *numbered = posse_made(&def);
    def.names = colours;
    posse *named = posse_made(&def);
    decide_alike(numbered, named, 30);
    for (int a = 0; a < def.arms; a++) {
        assert_string_equal(posse_arm_name(named, a), colours[a]);
        assert_int_equal(posse_arm_find(named, colours[a]), a);
        assert_null(posse_arm_name(numbered, a));
    }
    posse_free(numbered);
    posse_free(named);
}

LAW(names_and_numbers_decide_alike) {
    for_every_team(names_change_nothing);
}

/* Arms that are added and retired by name are those that are added and retired by number. */
LAW(arms_come_and_go_alike_by_name) {
    posse_def with = coloured_def(3, true), without = coloured_def(3, false);
    posse *named = posse_made(&with), *numbered = posse_made(&without);
    int arm = -1;
    for (int k = 3; k < LENGTH(colours); k++) {
        decide_alike(numbered, named, 25);
        assert_int_equal(posse_arm_add_named(named, colours[k], NULL, &arm), POSSE_OK);
        assert_int_equal(arm, k);
        assert_int_equal(posse_arm_add(numbered, NULL, NULL), POSSE_OK);
        assert_int_equal(posse_arm_retire(named, posse_arm_find(named, colours[k - 3])), POSSE_OK);
        assert_int_equal(posse_arm_retire(numbered, k - 3), POSSE_OK);
    }
    decide_alike(numbered, named, 100);
    posse_free(numbered);
    posse_free(named);
}

LAW(arms_without_names_are_called_by_their_numbers) {
    posse_def def = coloured_def(12, false);
    posse *p = posse_made(&def);
    assert_int_equal(posse_arm_find(p, "0"), 0);
    assert_int_equal(posse_arm_find(p, "11"), 11);
    static const char *const others[] = {"12", "-1", "01", "", "red", "1 ", "99999999999"};
    for (int i = 0; i < LENGTH(others); i++) assert_int_equal(posse_arm_find(p, others[i]), -1);
    assert_null(posse_arm_name(p, 0));
    assert_int_equal(posse_arm_add_named(p, "new", NULL, NULL), POSSE_OK);
    assert_string_equal(posse_arm_name(p, 11), "11");
    assert_string_equal(posse_arm_name(p, 12), "new");
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    assert_string_equal(posse_arm_name(p, 13), "13");
    assert_null(posse_arm_name(p, 14));
    posse_free(p);
}

/* A thousand names are found, also while the table grows. */
LAW(many_names_are_found) {
    posse_def def = coloured_def(1, true);
    posse *p = posse_made(&def);
    char name[20];
    for (int a = 1; a < 1000; a++) {
        snprintf(name, sizeof name, "article-%d", a * 7919);
        assert_int_equal(posse_arm_add_named(p, name, NULL, NULL), POSSE_OK);
    }
    for (int a = 1; a < 1000; a++) {
        snprintf(name, sizeof name, "article-%d", a * 7919);
        assert_int_equal(posse_arm_find(p, name), a);
    }
    assert_int_equal(posse_arm_find(p, "article-1"), -1);
    posse_free(p);
}

/* -------------------------------------------------- wrong names ------------------------------------------------- */

static void assert_not_created(const char *second, const char *message) {
    const char *const names[] = {"red", second};
    posse_def def = coloured_def(2, false);
    notes n = {0};
    posse *p;
    def.names = names;
    def.host.log = notes_logger(&n);
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_NAME);
    assert_noted(&n, message);
}

LAW(wrong_names_are_refused) {
    char longest[POSSE_ARM_NAME_MAX + 2];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_not_created("red", "arms[1]: \"red\" is the name of arm 0; names must differ");
    assert_not_created("", "arms[1]: the name of an arm is empty");
    assert_not_created("a\xff", "arms[1]: the name of an arm is not UTF-8: its byte 2 is 0xff");
    assert_not_created(longest, "arms[1]: the name of an arm has 256 bytes; at most 255");
    posse_def def = coloured_def(3, true);
    posse *p = posse_made(&def);
    assert_refused(p, posse_arm_add_named(p, "red", NULL, NULL), POSSE_ERROR_NAME);
    assert_refused(p, posse_arm_add_named(p, longest, NULL, NULL), POSSE_ERROR_NAME);
    assert_refused(p, posse_arm_add_named(p, NULL, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    assert_refused(p, posse_arm_add_named(p, "red", NULL, NULL), POSSE_ERROR_NAME); /* it stays taken */
    longest[POSSE_ARM_NAME_MAX] = '\0';
    assert_int_equal(posse_arm_add_named(p, longest, NULL, NULL), POSSE_OK);
    posse_free(p);
}

/* The number of a new arm may be the name of another one. */
LAW(a_number_that_is_a_name_is_refused) {
    static const char *const names[] = {"1", "2"};
    posse_def def = coloured_def(2, false);
    def.names = names;
    posse *p = posse_made(&def);
    assert_refused(p, posse_arm_add(p, NULL, NULL), POSSE_ERROR_NAME);
    assert_int_equal(posse_arm_find(p, "2"), 1);
    posse_free(p);
}

LAW(points_of_the_ball_have_no_names) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[BALL_3], algorithm_1, crew);
    posse *p;
    def.names = colours;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
}

/* ----------------------------------------------------- joining -------------------------------------------------- */

LAW(arms_join_up_to_the_limit) {
    posse_def def = coloured_def(2, true);
    notes n = {0};
    int arm = -1;
    def.joins = 3;
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def);
    assert_int_equal(posse_joins(p), 3);
    assert_int_equal(posse_arm_join(p, "blue", &arm), POSSE_OK);
    assert_int_equal(arm, 1);
    assert_int_equal(posse_arm_join(p, "third", &arm), POSSE_OK);
    assert_int_equal(arm, 2);
    assert_refused(p, posse_arm_join(p, "fourth", &arm), POSSE_ERROR_ARM);
    assert_noted(&n, "arm: \"fourth\" cannot join: 3 arms are active, and arms join up to 3");
    assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    assert_int_equal(posse_arm_join(p, "fourth", &arm), POSSE_OK); /* one has made room */
    assert_int_equal(arm, 3);
    posse_free(p);
}

LAW(no_arm_joins_by_default) {
    posse_def def = coloured_def(2, true);
    notes n = {0};
    int arm = -1;
    def.host.log = notes_logger(&n);
    posse *p = posse_made(&def), *none;
    assert_refused(p, posse_arm_join(p, "third", &arm), POSSE_ERROR_ARM);
    assert_noted(&n, "arm: there is no arm \"third\"");
    posse_free(p);
    def.joins = -1;
    assert_int_equal(posse_create(&def, &none), POSSE_ERROR_ARGUMENT);
}

/* ------------------------------------------------------ saving -------------------------------------------------- */

LAW(names_survive_saving) {
    posse_def def = coloured_def(5, true), again;
    posse_part learners[2];
    def.joins = 9;
    posse *p = posse_made(&def);
    assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
    for (int n = 0; n < 40; n++) assert_int_equal(posse_learn(p, decided(p).id, n % 2), POSSE_OK);
    saved s = saved_from(p);
    posse *q = saved_loaded(&s);
    saved after = saved_from(q);
    assert_true(saved_equal(&s, &after));
    for (int a = 0; a < 5; a++) assert_string_equal(posse_arm_name(q, a), colours[a]);
    assert_int_equal(posse_joins(q), 9);
    assert_int_equal(posse_definition(q, &again, learners), POSSE_OK);
    posse *made = posse_made(&again);
    assert_string_equal(posse_arm_name(made, 4), colours[4]);
    assert_int_equal(posse_joins(made), 9);
    decide_alike(p, q, 50);
    saved_drop(&s);
    saved_drop(&after);
    posse_free(made);
    posse_free(p);
    posse_free(q);
}

/* Without names, a posse is saved as it was before there were any. */
LAW(names_cost_nothing_where_there_are_none) {
    posse_def with = coloured_def(3, true), without = coloured_def(3, false);
    posse *named = posse_made(&with), *numbered = posse_made(&without);
    saved a = saved_from(named), b = saved_from(numbered);
    assert_int_equal(a.bytes[8], 5);
    assert_int_equal(b.bytes[8], 3);
    saved_drop(&a);
    saved_drop(&b);
    posse_free(named);
    posse_free(numbered);
}

/* Every byte of the names is changed in turn: the posse is refused, or has other names that are right. */
LAW(forged_names_are_refused) {
    posse_def def = coloured_def(3, true);
    posse *p = posse_made(&def);
    saved s = saved_from(p);
    for (size_t at = SAVED_HEADER; at < SAVED_HEADER + 200; at++)
        for (int bit = 0; bit < 8; bit++) {
            posse *q = NULL;
            s.bytes[at] ^= (uint8_t)(1 << bit);
            saved_seal(&s);
            if (posse_load_exact(s.bytes, s.length, NULL, &q) == POSSE_OK)
                for (int a = 0; a < posse_arm_count(q); a++)
                    if (posse_arm_name(q, a) != NULL) assert_int_equal(posse_arm_find(q, posse_arm_name(q, a)), a);
            posse_free(q);
            s.bytes[at] ^= (uint8_t)(1 << bit);
        }
    saved_drop(&s);
    posse_free(p);
}

/* ------------------------------------------------------ memory -------------------------------------------------- */

/* The n-th allocation fails, for n = 1, 2, .. until the call needs fewer. */
static void adding_survives(bool named) {
    for (size_t n = 1;; n++) {
        purse mine = {0};
        posse_def def = coloured_def(5, named);
        def.host = purse_host(&mine);
        posse *p = posse_made(&def);
        saved before = saved_from(p);
        mine.calls = 0;
        mine.fail_at = n;
        posse_error error = posse_arm_add_named(p, "new", NULL, NULL);
        mine.fail_at = 0;
        saved after = saved_from(p);
        if (error != POSSE_OK) assert_true(saved_equal(&before, &after));
        saved_drop(&before);
        saved_drop(&after);
        posse_free(p);
        assert_int_equal(mine.bytes, 0);
        if (error == POSSE_OK) return;
        assert_int_equal(error, POSSE_ERROR_MEMORY);
    }
}

LAW(names_survive_no_memory) {
    adding_survives(true);
    adding_survives(false);
    for (size_t n = 1;; n++) {
        purse mine = {.fail_at = n};
        posse_def def = coloured_def(8, true);
        posse *p;
        def.host = purse_host(&mine);
        posse_error error = posse_create(&def, &p);
        posse_free(p);
        assert_int_equal(mine.bytes, 0);
        if (error == POSSE_OK) return;
        assert_int_equal(error, POSSE_ERROR_MEMORY);
    }
}

/* -------------------------------------------------- the fuzz target --------------------------------------------- */

/* The seed of the fuzz target `load` with names, retired arms and tallies: the body of a posse in format 5. */
LAW(the_seed_with_names_is_a_saved_posse) {
    posse_def def = coloured_def(1, true);
    posse *p = posse_made(&def);
    saved s = saved_from(p);
    posse_free(p);
    s.bytes = realloc(s.bytes, 1 << 16);
    FILE *file = fopen(SOURCE_FOLDER "/tests/fuzz/corpus/load/named", "rb");
    assert_non_null(file);
    s.length = SAVED_HEADER + fread(s.bytes + SAVED_HEADER, 1, (1 << 16) - SAVED_HEADER, file);
    fclose(file);
    saved_seal(&s);
    p = saved_loaded(&s);
    assert_string_equal(posse_arm_name(p, 0), "red");
    assert_true(posse_reports(p) && !posse_arm_active(p, 1));
    posse_free(p);
    saved_drop(&s);
}
