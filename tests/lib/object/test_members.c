/* SPDX-License-Identifier: MIT */
/*
 * Tests of the learners of a posse: one alone, learners that are added and retired, their names and their batches.
 */
#include <math.h>

#include "menagerie.h"
#include "model/tally.h"

/* ------------------------------------------------- a learner alone --------------------------------------------- */

LAW(a_learner_alone_needs_no_selector) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        int count = habitat_team(&habitats[h], crew);
        for (int i = 0; i < count; i++) {
            posse_def def = habitat_def(&habitats[h]);
            def.selector = (posse_part){0};
            def.learners = &crew[i];
            def.learner_count = 1;
            parade r;
            parade_begin(&r, &habitats[h], posse_made(&def), 5);
            parade_march(&r, 200);
            double numbers[8];
            assert_int_equal(posse_potentials(r.marchers[0], numbers), POSSE_ERROR_ABSENT);
            assert_int_equal(posse_means(r.marchers[0], NULL, numbers), POSSE_ERROR_ABSENT);
            assert_refused(r.marchers[0], posse_learner_retire(r.marchers[0], 0), POSSE_ERROR_LEARNER);
            assert_refused(r.marchers[0], posse_learner_add(r.marchers[0], &crew[i], NULL), POSSE_ERROR_FIT);
            posse_decision d = decided(r.marchers[0]);
            assert_true(d.probability == 1.0 && d.learner == 0);
            parade_leave(&r);
        }
    }
}

LAW(several_learners_need_a_selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], (posse_part){0}, crew);
    posse *p = (posse *)&def;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_null(p);
}

/* A learner without a selector decides the same as in a posse of one learner, because it has its own stream. */
LAW(a_posse_of_one_plays_as_its_learner_alone) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        int count = habitat_team(&habitats[h], crew);
        for (int i = 0; i < count; i++) {
            posse_def def = habitat_def(&habitats[h]);
            def.learners = &crew[i];
            def.learner_count = 1;
            parade r;
            parade_begin(&r, &habitats[h], posse_made(&def), 6);
            def.selector = (posse_part){0};
            r.marchers[r.count++] = posse_made(&def);
            parade_march(&r, 300);
            parade_leave(&r);
        }
    }
}

/* ---------------------------------------- adding and retiring learners ----------------------------------------- */

/* Adds learners at places 2, 3, .., beyond the 8 and the 64 places that selectors are created with. Each is played
 * next. */
static void newcomers_are_played(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    int kinds = habitat_team(h, crew);
    posse_def def = team_def(h, selector, crew);
    def.learner_count = 2;
    parade r;
    parade_begin(&r, h, posse_made(&def), 7);
    posse *p = r.marchers[0];
    parade_march(&r, 20);
    for (int next = 2; next < 70; next++) {
        uint64_t before[80], after[80];
        assert_int_equal(posse_plays(p, before), POSSE_OK);
        int at = -1;
        assert_int_equal(posse_learner_add(p, &crew[next % kinds], &at), POSSE_OK);
        assert_int_equal(at, next);
        assert_int_equal(posse_learner_count(p), next + 1);
        assert_true(posse_learner_active(p, at));
        assert_int_equal(posse_plays(p, after), POSSE_OK);
        assert_memory_equal(before, after, (size_t)next * sizeof *before);
        assert_int_equal(after[next], 0);
        posse_decision d = decided(p);
        assert_int_equal(d.learner, next);
        assert_int_equal(posse_learn(p, d.id, parade_reward(h->unit, &d)), POSSE_OK);
        parade_march(&r, 2);
    }
    parade_join(&r);
    parade_march(&r, 100);
    parade_leave(&r);
}

/* Only for selectors that play a learner before they judge it. The others are tested in test_newcomers.c. */
LAW(added_learners_are_played_next) {
    static const char *const curious[] = {"bms", "balancing", "ucb", "greedy"};
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < LENGTH(curious); s++)
            newcomers_are_played(&habitats[h], specimen_of(POSSE_FAMILY_SELECTOR, curious[s])->part);
}

/* The ninth learner of `grown` is the tenth of `roomy`. Both have the same name, and so the same stream. */
static void decide_alike_but_for_the_ninth(posse *grown, posse *roomy, uint64_t *source) {
    posse_decision d = decided(grown), e = decided(roomy);
    assert_that(d.arm == e.arm && (d.learner == e.learner || (d.learner == 8 && e.learner == 9)),
                "%s: %d with room that it was given, %d with room that it had", grown->selector_recipe->kind, d.learner,
                e.learner);
    assert_close(d.probability, e.probability, 1e-12);
    if (random_below(source, 4) == 0) return; /* a reward that never comes */
    assert_int_equal(posse_learn(grown, d.id, parade_reward(false, &d)), POSSE_OK);
    assert_int_equal(posse_learn(roomy, e.id, parade_reward(false, &d)), POSSE_OK);
    double a[9], b[10];
    if (posse_potentials(grown, a) != POSSE_OK) return;
    assert_int_equal(posse_potentials(roomy, b), POSSE_OK);
    assert_memory_equal(a, b, 8 * sizeof *a);
    assert_true(a[8] == b[9] && b[8] == INFINITY);
}

static void growth_is_not_noticed(posse_part selector) {
    posse_part many[12];
    for (int i = 0; i < 12; i++) {
        static char names[12][16];
        snprintf(names[i], sizeof names[i], "n%d", i);
        many[i] = (posse_part){.kind = "ucb", .name = names[i], .options = {NUMBER("width", 0.2 * i)}};
    }
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector;
    def.learners = many;
    def.learner_count = 8;
    posse *grown = posse_made(&def);
    def.learner_count = 9; /* room for nine */
    posse *roomy = posse_made(&def);
    assert_int_equal(posse_learner_retire(roomy, 8), POSSE_OK);
    parade r;
    parade_begin(&r, &habitats[ARMS_5], grown, 8);
    r.marchers[r.count++] = roomy;
    parade_march(&r, 100);
    assert_int_equal(posse_learner_add(grown, &many[9], NULL), POSSE_OK);
    assert_int_equal(posse_learner_add(roomy, &many[9], NULL), POSSE_OK);
    for (int n = 0; n < 300; n++) decide_alike_but_for_the_ninth(grown, roomy, &r.source);
    parade_leave(&r);
}

/* A selector keeps its state when its places grow: its decisions are those of a selector that had the room from the
 * start. A selector has room if it was created with more learners, of which some retired before the first round. */
LAW(growing_places_changes_no_decision) {
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++)
        growth_is_not_noticed(specimen_of(POSSE_FAMILY_SELECTOR, posse_kind_name(POSSE_FAMILY_SELECTOR, s))->part);
}

/* Result files and pages need UTF-8, so names of learners must be UTF-8. */
LAW(names_are_utf_8) {
    static const char *const wrong[] = {"caf\xe9", "\xc0\xaf", "a\xed\xa0\x80", "\xf5", "half \xe2\x82"};
    static const char *const told[] = {"byte 4 is 0xe9", "byte 1 is 0xc0", "byte 2 is 0xed", "byte 1 is 0xf5",
                                       "byte 6 is 0xe2"};
    for (int i = 0; i < LENGTH(wrong); i++) {
        notes log = {0};
        posse_part crew[TEAM_MAX];
        posse_def def = team_def(&habitats[ARMS_5], (posse_part){.kind = "bms"}, crew);
        posse *p = posse_made(&def);
        posse_part late = {.kind = "ucb", .name = wrong[i]};
        assert_refused(p, posse_learner_add(p, &late, NULL), POSSE_ERROR_NAME);
        posse_free(p);
        crew[1].name = wrong[i];
        def.host.log = notes_logger(&log);
        assert_int_equal(posse_create(&def, &p), POSSE_ERROR_NAME);
        assert_noted(&log, "learners[1].name: is not UTF-8: its ");
        assert_noted(&log, told[i]);
    }
    posse_part right = {.kind = "ucb", .name = "naïve 学 🎲"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = &right;
    def.learner_count = 1;
    posse_free(posse_made(&def));
}

LAW(names_are_unique_and_made_up_where_missing) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "ucb"}, {.kind = "fixed", .name = "ucb-3"}};
    posse_part fixed = with_option(learners[2], (posse_option)NUMBER("arm", 0));
    posse_part all[] = {learners[0], learners[1], fixed};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = all;
    def.learner_count = 3;
    posse *p = posse_made(&def);
    assert_string_equal(posse_learner_name(p, 0), "ucb");
    assert_string_equal(posse_learner_name(p, 1), "ucb-2");
    assert_int_equal(posse_learner_add(p, &learners[0], NULL), POSSE_OK);
    assert_string_equal(posse_learner_name(p, 3), "ucb-4");
    posse_part taken = {.kind = "ucb", .name = "ucb-2"};
    assert_refused(p, posse_learner_add(p, &taken, NULL), POSSE_ERROR_NAME);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_refused(p, posse_learner_add(p, &taken, NULL), POSSE_ERROR_NAME);
    assert_string_equal(posse_learner_name(p, 1), "ucb-2");
    posse_free(p);
    all[1].name = "ucb";
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_NAME);
    assert_null(p);
}

/* Also if the selector would need more places: a small one has eight. */
LAW(failed_additions_change_nothing) {
    posse_part eight[8];
    for (int i = 0; i < 8; i++) eight[i] = (posse_part){.kind = "ucb"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = eight;
    def.learner_count = 8;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 9);
    parade_march(&r, 50);
    posse *p = r.marchers[0];
    posse_part unknown = {.kind = "ubc"}, taken = {.kind = "ucb", .name = "ucb"};
    posse_part wrong = {.kind = "ucb", .options = {NUMBER("width", -1.0)}}, unfit = {.kind = "linear-ucb"};
    int place_at = 99;
    assert_refused(p, posse_learner_add(p, &unknown, &place_at), POSSE_ERROR_KIND);
    assert_refused(p, posse_learner_add(p, &taken, &place_at), POSSE_ERROR_NAME);
    assert_refused(p, posse_learner_add(p, &wrong, &place_at), POSSE_ERROR_OPTION);
    assert_refused(p, posse_learner_add(p, &unfit, &place_at), POSSE_ERROR_FIT);
    assert_refused(p, posse_learner_add(p, NULL, &place_at), POSSE_ERROR_ARGUMENT);
    assert_int_equal(place_at, 99);
    parade_join(&r);
    parade_march(&r, 50);
    parade_leave(&r);
}

static void retired_are_gone(const habitat *h, posse_part selector) {
    for (int share = 0; share < 2; share++) {
        parade r;
        parade_begin(&r, h, habitat_posse(h, with_option(selector, (posse_option)NUMBER("share", share))), 10);
        posse *p = r.marchers[0];
        parade_march(&r, 60);
        int count = posse_learner_count(p);
        for (int gone = 0; gone < count - 1; gone++) {
            uint64_t before[TEAM_MAX], after[TEAM_MAX];
            assert_int_equal(posse_learner_retire(p, gone), POSSE_OK);
            assert_false(posse_learner_active(p, gone));
            assert_refused(p, posse_learner_retire(p, gone), POSSE_ERROR_LEARNER);
            assert_int_equal(posse_plays(p, before), POSSE_OK);
            parade_march(&r, 40); /* with rewards of its pending decisions */
            assert_int_equal(posse_plays(p, after), POSSE_OK);
            for (int i = 0; i <= gone; i++) assert_int_equal(before[i], after[i]);
        }
        assert_refused(p, posse_learner_retire(p, count - 1), POSSE_ERROR_LEARNER);
        assert_refused(p, posse_learner_retire(p, count), POSSE_ERROR_LEARNER);
        assert_refused(p, posse_learner_retire(p, -1), POSSE_ERROR_LEARNER);
        parade_join(&r);
        parade_march(&r, 40);
        parade_leave(&r);
    }
}

LAW(retired_learners_are_never_chosen_again) {
    for_every_team(retired_are_gone);
}

/* Three fixed learners, arms 0, 1 and 2. Learner 0 decides, retires, and then its reward comes. */
LAW(rewards_of_the_retired_still_teach) {
    for (int share = 0; share < 2; share++) {
        const posse_part learners[] = {{.kind = "fixed", .options = {NUMBER("arm", 0)}}, {.kind = "epsilon-greedy"}};
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.learners = learners;
        def.learner_count = 2;
        def.selector = selector_part("bms", share, 1);
        posse *p = posse_made(&def);
        posse_decision d = decided(p);
        assert_int_equal(d.learner, 0);
        assert_int_equal(posse_learner_retire(p, 0), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, 3.0), POSSE_OK);
        double means[5];
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        assert_close(means[0], 1.5, 1e-15); /* N(0, 1), one reward of 3 with noise 1 */
        const tally *greedy = p->members[1].state;
        assert_true(greedy[0].count == (share ? 1.0 : 0.0));
        posse_free(p);
    }
}

/* ------------------------------------------------- batches ----------------------------------------------------- */

LAW(batches_keep_their_learner) {
    posse *p = two_ucbs(selector_part("bms", false, 7));
    for (int n = 0; n < 50; n++) {
        int learner = -1;
        for (int k = 0; k < 7; k++) {
            posse_decision d = decided(p);
            if (k > 0) assert_int_equal(d.learner, learner);
            learner = d.learner;
            assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
        }
    }
    posse_free(p);
}

/* A new learner ends the current batch. A learner that retires in the middle of its batch loses the rest of it. */
LAW(batches_end_early_when_learners_come_or_go) {
    static const posse_part extra = {.kind = "epsilon-greedy"};
    posse *p = two_ucbs(selector_part("bms", false, 5));
    int first = decided(p).learner;
    assert_int_equal(posse_learner_add(p, &extra, NULL), POSSE_OK);
    int next[3] = {decided(p).learner, -1, -1};
    for (int k = 1; k < 5; k++) assert_int_equal(decided(p).learner, next[0]);
    next[1] = decided(p).learner; /* learners not yet played come in order of their places */
    assert_int_equal(first, 0);
    assert_int_equal(next[0], 1);
    assert_int_equal(next[1], 2);
    assert_int_equal(posse_learner_retire(p, 2), POSSE_OK);
    for (int n = 0; n < 20; n++) assert_true(decided(p).learner != 2);
    posse_free(p);

    p = two_ucbs(selector_part("bms", false, 5));
    assert_int_equal(decided(p).learner, 0);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK); /* the retirement of another learner ends no batch */
    for (int k = 1; k < 5; k++) assert_int_equal(decided(p).learner, 0);
    posse_free(p);
}
