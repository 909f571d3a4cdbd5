/* SPDX-License-Identifier: MIT */
/*
 * Laws of memory: a posse takes no more of it as rounds go by, and where there is none left, what fails changes nothing
 * and leaks nothing.
 */
#include <stdlib.h>

#include "menagerie.h"

/* --------------------------------------------------- memory ---------------------------------------------------- */

/* Bytes in use while so many decisions are pending at any time. */
static void stays_flat(const habitat *h, int pending_count, int rounds) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    for (int n = 0; n < 2 * pending_count; n++) decided(p);
    for (int n = 0; n < pending_count; n++) assert_int_equal(posse_forget(p, (uint64_t)(2 * n + 1)), POSSE_OK);
    posse_decision d = decided(p);
    assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    size_t bytes = mine.bytes, calls = mine.calls;
    for (int n = 0; n < rounds; n++) {
        d = decided(p);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    }
    assert_int_equal(mine.bytes, bytes);
    assert_int_equal(mine.calls, calls);
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
    assert_int_equal(mine.bytes, 0);
}

LAW(memory_does_not_grow_without_pending) {
    stays_flat(&habitats[ARMS_5], 0, 100000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 0, 2000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 100, 2000);
}

/* ------------------------------------------------- no memory --------------------------------------------------- */

/* Every n-th allocation fails in its turn, until there are none left to fail. */
static void creation_survives(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    posse_def def = team_def(h, selector, crew);
    def.host = purse_host(&mine);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse *p = (posse *)&def;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_create(&def, &p);
        assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
        assert_int_equal(p == NULL, error != POSSE_OK);
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
}

/* The fourth place, the ninth, and the seventeenth: members and selector grow at different ones. */
static void additions_survive(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    int kinds = habitat_team(h, crew);
    posse_def def = team_def(h, selector, crew);
    def.learner_count = 3;
    def.host = purse_host(&mine);
    parade r;
    parade_begin(&r, h, posse_made(&def), 13);
    posse *p = r.marchers[0];
    parade_march(&r, 30);
    for (int place_at = 3; place_at < 18; place_at++) {
        posse_error error = POSSE_ERROR_MEMORY;
        for (size_t n = 1; error != POSSE_OK; n++) {
            mine.calls = 0;
            mine.fail_at = n;
            saved before = saved_from(p);
            error = posse_learner_add(p, &crew[place_at % kinds], NULL);
            saved after = saved_from(p);
            assert_true(error == POSSE_OK || error == POSSE_ERROR_MEMORY);
            assert_int_equal(saved_equal(&before, &after), error != POSSE_OK);
            assert_int_equal(posse_learner_count(p), place_at + (error == POSSE_OK));
            saved_drop(&before);
            saved_drop(&after);
        }
        mine.fail_at = 0;
        parade_march(&r, 10);
    }
    parade_leave(&r);
    assert_int_equal(mine.blocks, 0);
}

/* The table of pending decisions grows now and then; a decision that finds no room for itself is not made. */
static void decisions_survive(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    posse_def def = team_def(h, selector, crew);
    posse *fed = posse_made(&def);
    def.host = purse_host(&mine);
    posse *hungry = posse_made(&def);
    int refused = 0;
    for (int n = 0; n < 100; n++) {
        posse_decision d = decided(fed), e;
        mine.fail_at = mine.calls + 1;
        saved before = saved_from(hungry);
        posse_error error = posse_decide(hungry, &e);
        if (error != POSSE_OK) {
            saved after = saved_from(hungry);
            assert_int_equal(error, POSSE_ERROR_MEMORY);
            assert_true(saved_equal(&before, &after));
            saved_drop(&after);
            refused++;
            mine.fail_at = 0;
            assert_int_equal(posse_decide(hungry, &e), POSSE_OK);
        }
        saved_drop(&before);
        act_outside(hungry, &e);
        assert_true(d.id == e.id && d.learner == e.learner && d.arm == e.arm);
    }
    assert_true(refused >= 3);
    posse_free(fed);
    posse_free(hungry);
    assert_int_equal(mine.blocks, 0);
}

/* Saving asks for nothing; loading may be refused at any point. */
static void loading_survives(const habitat *h, posse_part selector) {
    purse mine = {0};
    posse_host host = purse_host(&mine);
    parade r;
    parade_begin(&r, h, habitat_posse(h, selector), 14);
    parade_march(&r, 100);
    assert_int_equal(posse_learner_retire(r.marchers[0], 1), POSSE_OK);
    saved s = saved_from(r.marchers[0]);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse *p = (posse *)&s;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_load(s.bytes, s.length, &host, &p);
        assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
        if (error == POSSE_OK) {
            size_t length = s.length;
            uint8_t *copy = malloc(length);
            size_t calls = mine.calls;
            assert_int_equal(posse_save(p, copy, &length), POSSE_OK);
            assert_int_equal(mine.calls, calls);
            free(copy);
        } else {
            assert_null(p);
        }
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
    saved_drop(&s);
    parade_leave(&r);
}

static void environments_survive(void) {
    int count;
    const specimen *all = menagerie(POSSE_ENVIRONMENT, &count);
    assert_menagerie_complete(POSSE_ENVIRONMENT);
    for (int i = 0; i < count; i++) {
        purse mine = {0};
        posse_host host = purse_host(&mine);
        posse_error error = POSSE_ERROR_MEMORY;
        for (size_t n = 1; error != POSSE_OK; n++) {
            posse_environment *e = (posse_environment *)&host;
            mine.calls = 0;
            mine.fail_at = n;
            error = posse_environment_create(&all[i].part, 1, &host, &e);
            assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
            assert_int_equal(e == NULL, error != POSSE_OK);
            posse_environment_free(e);
            assert_int_equal(mine.blocks, 0);
        }
    }
}

/* Every belief there is, as the selector's and as a learner's own. */
static void beliefs_survive(void) {
    int count;
    const specimen *all = menagerie(POSSE_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &all[i].part}}};
        creation_survives(all[i].home, selector);
        loading_survives(all[i].home, selector);
    }
}

LAW(survives_no_memory) {
    menagerie_add_examples();
    assert_menagerie_complete(POSSE_BELIEF);
    assert_menagerie_complete(POSSE_LEARNER);
    for_every_team(creation_survives);
    for_every_team(additions_survive);
    for_every_team(decisions_survive);
    for_every_team(loading_survives);
    environments_survive();
    beliefs_survive();
}
