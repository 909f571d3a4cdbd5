/* SPDX-License-Identifier: MIT */
/*
 * Tests of memory: a posse needs little memory, and not more as rounds go by. Equal posses share their tables. If
 * memory runs out, the call that fails changes nothing and leaks nothing.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/shared_table.h"
#include "menagerie.h"
#include "random/stream.h"
#include "stage.h"

/* --------------------------------------------------- arenas ---------------------------------------------------- */

/* The blocks of an arena grow with it: much memory is in few blocks, and most of it is in use. */
LAW(an_arena_of_many_pieces_has_few_blocks) {
    enum { PIECES = 200000, SIZE = 48 };
    purse mine = {0};
    arena a = {.allocator = purse_host(&mine).allocator};
    for (int i = 0; i < PIECES; i++) {
        char *piece = arena_allocate(&a, SIZE);
        assert_non_null(piece);
        for (int k = 0; k < SIZE; k++) assert_int_equal(piece[k], 0);
        memset(piece, 1, SIZE);
    }
    assert_in_range(mine.calls, 1, 1000);
    assert_in_range(mine.bytes, (size_t)PIECES * SIZE, (size_t)PIECES * SIZE * 9 / 8);
    arena_release(&a);
    assert_int_equal(mine.bytes, 0);
}

/* --------------------------------------------------- memory ---------------------------------------------------- */

/*
 * The memory in use stays constant while `pending_count` decisions are pending. The streams are as large as they get,
 * after posse_restart.
 */
static void stays_flat(const habitat *h, int pending_count, int rounds) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    assert_int_equal(posse_restart(p, 0), POSSE_OK);
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
    if (!p->fallible) assert_int_equal(mine.calls, calls); /* else states are copied, to undo a choice that fails */
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
    assert_int_equal(mine.bytes, 0);
}

LAW(memory_does_not_grow_without_pending) {
    stays_flat(&habitats[ARMS_5], 0, 100000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 0, 2000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 100, 2000);
}

/* ------------------------------------------------ small and many ---------------------------------------------- */

/* The learners of docs/performance.md. */
static const posse_part six_learners[] = {{.kind = "ucb"},
                                          {.kind = "thompson"},
                                          {.kind = "epsilon-greedy"},
                                          {.kind = "ucb", .options = {{.key = "width", .number = 0.5}}},
                                          {.kind = "thompson"},
                                          {.kind = "epsilon-greedy", .options = {{.key = "epsilon", .number = 0.05}}}};

static posse_def small_def(const char *prior) {
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = prior};
    def.learners = six_learners;
    def.learner_count = 3;
    return def;
}

/* Decides and learns; returns a number that depends on every decision. */
static uint64_t history(posse *p, int rounds) {
    uint64_t hash = 1;
    for (int n = 0; n < rounds; n++) {
        posse_decision d;
        if (stage_decide(p, &d) != POSSE_OK || posse_learn(p, d.id, 0.2 * d.arm) != POSSE_OK) return 0;
        hash = hash * 1000003 + (uint64_t)(10 * d.learner + d.arm);
    }
    return hash;
}

static const char *const small_priors[] = {"gaussian", "beta"};

/* docs/performance.md has these bytes. They include the table of pending decisions. */
LAW(a_posse_is_small) {
    static const struct {
        const char *selector;
        size_t three, six;                                      /* the most bytes, by the number of learners */
    } most[] = {{"bms", 4472, 6288}, {"bms-plus", 4920, 6736}}; /* 448 of the latter are for the budget */
    for (int i = 0; i < LENGTH(small_priors) * LENGTH(most); i++)
        for (int learners = 3; learners <= 6; learners += 3) {
            purse mine = {0};
            posse_def def = small_def(small_priors[i / LENGTH(most)]);
            def.selector.kind = most[i % LENGTH(most)].selector;
            def.learner_count = learners;
            def.host = purse_host(&mine);
            posse *p = posse_made(&def);
            assert_in_range(mine.calls, 1, 4);
            decided(p);
            assert_in_range(mine.bytes, 1, learners == 3 ? most[i % LENGTH(most)].three : most[i % LENGTH(most)].six);
            assert_in_range(mine.calls, 1, 5);
            posse_free(p);
            assert_int_equal(mine.bytes, 0);
        }
}

/* Streams grow with use, up to a size, and then decisions allocate nothing. Their size changes no decision. */
LAW(streams_grow_until_they_suffice) {
    enum { WARM = 20000, ROUNDS = 20000 };
    for (int i = 0; i < LENGTH(small_priors); i++) {
        purse mine = {0};
        posse_def def = small_def(small_priors[i]);
        def.learner_count = LENGTH(six_learners);
        posse *large = posse_made(&def);
        assert_int_equal(posse_restart(large, def.run), POSSE_OK);
        def.host = purse_host(&mine);
        posse *p = posse_made(&def);
        size_t bytes = mine.bytes, streams = (size_t)def.learner_count + 2;
        assert_true(history(p, WARM) == history(large, WARM));
        size_t warm = mine.bytes, calls = mine.calls;
        assert_in_range(warm, bytes + 1024, bytes + streams * sizeof(posse_draw));
        assert_true(history(p, ROUNDS) == history(large, ROUNDS));
        assert_int_equal(mine.bytes, warm);
        assert_int_equal(mine.calls, calls);
        posse_free(p);
        posse_free(large);
        assert_int_equal(mine.bytes, 0);
    }
}

/*
 * A beta belief takes some 20 draws for each world, and blocks of 8 draws are slow. So its stream has become larger
 * when the first 8 decisions are made, and does not wait until it was used much. Before that, a posse stays small.
 */
LAW(streams_that_draw_much_grow_early) {
    enum { EARLY = 8, LATER = 1000 };
    purse mine = {0};
    posse_def def = small_def("beta");
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    decided(p);
    size_t first = mine.bytes;
    history(p, EARLY - 2);
    assert_int_equal(mine.bytes, first);
    history(p, 1);
    assert_in_range(mine.bytes, first + sizeof(posse_draw) / 4, first + 2 * sizeof(posse_draw));
    history(p, LATER);
    assert_in_range(mine.bytes, first + sizeof(posse_draw), first + 3 * sizeof(posse_draw));
    posse_free(p);
    assert_int_equal(mine.bytes, 0);
}

/* Counts how often it is called. */
static double one_more(const void *calls, double count) {
    ++*(int *)(uintptr_t)calls;
    return count + 1.0;
}

LAW(equal_plans_share_a_table) {
    table_key key = {one_more, 100, {1.0, 2.0, 3.0, 4.0}}, other = key;
    other.parameters[3] = 5.0;
    shared_table *a = table_share(&key), *b = table_share(&key), *c = table_share(&other);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    table_release(a);
    int calls = 0;
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < 200; n++) assert_true(table_look_up(b, one_more, &calls, n) == n + 1.0);
    assert_int_equal(calls, 100 + 3 * 100); /* the values that the table has room for, once, and the others each time */
    table_release(b);
    table_release(c);
}

/* If all places for tables are taken, values are computed instead of looked up. */
LAW(tables_are_not_needed) {
    enum { MANY = 20000, ROUNDS = 3000 };
    static shared_table *held[MANY];
    posse_def def = small_def("gaussian");
    posse *p = posse_made(&def);
    uint64_t with_tables = history(p, ROUNDS);
    posse_free(p);
    for (int i = 0; i < MANY; i++) held[i] = table_share(&(table_key){one_more, 1, {i}});
    int calls = 0;
    for (int i = 0; i < 2; i++) assert_true(table_look_up(held[MANY - 1], one_more, &calls, 0.0) == 1.0);
    assert_int_equal(calls, 2);
    p = posse_made(&def);
    assert_true(history(p, ROUNDS) == with_tables);
    posse_free(p);
    for (int i = 0; i < MANY; i++) table_release(held[i]);
}

/* Creates and frees posses. Every other one is equal to those of the other threads, and may fill shared tables. */
static void *create_and_free(void *expected_) {
    const uint64_t *expected = expected_;
    bool same = true;
    for (int n = 0; n < 200; n++) {
        posse_def def = small_def("gaussian");
        posse_part crew[3] = {six_learners[0], six_learners[1], six_learners[2]};
        if (n % 2 == 1) crew[0].options[0] = (posse_option)NUMBER("width", 1.0 + n);
        def.learners = crew;
        posse *p = NULL;
        same = same && posse_create(&def, &p) == POSSE_OK;
        uint64_t seen = history(p, 40 + n);
        same = same && (n % 2 == 1 ? seen != 0 : seen == expected[n]);
        posse_free(p);
    }
    return same ? expected_ : NULL;
}

LAW(threads_create_and_free_at_once) {
    enum { THREADS = 4 };
    uint64_t expected[200];
    for (int n = 0; n < 200; n++) {
        posse_def def = small_def("gaussian");
        posse *p = posse_made(&def);
        expected[n] = history(p, 40 + n);
        posse_free(p);
    }
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, create_and_free, expected), 0);
    for (int i = 0; i < THREADS; i++) {
        void *same;
        pthread_join(threads[i], &same);
        assert_ptr_equal(same, expected);
    }
}

/* Simulations switch to large random buffers. Without memory for them, a posse plays the same. */
LAW(plays_without_memory_for_large_streams) {
    enum { ROUNDS = 500 };
    static int arms[2][ROUNDS];
    posse_environment *e = environment_made(&(posse_part){.kind = "gaussian", .options = {{"arms", 5.0}}}, 1);
    for (int i = 0; i < 2; i++) {
        purse mine = {0};
        posse_def def = small_def("gaussian");
        def.host = purse_host(&mine);
        posse *p = posse_made(&def);
        size_t bytes = mine.bytes;
        if (i == 1) mine.fail_at = 1;
        posse_environment_begin(e, 7);
        assert_int_equal(posse_restart(p, 7), POSSE_OK);
        assert_int_equal(posse_play(p, e, ROUNDS, &(posse_trace){.arms = arms[i]}), POSSE_OK);
        assert_int_equal(mine.bytes > bytes, i == 0);
        posse_free(p);
        assert_int_equal(mine.bytes, 0);
    }
    assert_memory_equal(arms[0], arms[1], sizeof arms[0]);
    posse_environment_free(e);
}

/* ------------------------------------------------- no memory --------------------------------------------------- */

/* The n-th allocation fails, for n = 1, 2, .. until creation needs fewer. */
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

/* Adds 15 learners. The fourth, the ninth and the seventeenth make the list of members or the selector grow. */
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

/* The table of pending decisions grows now and then. If it cannot grow, the decision is not made. */
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
        posse_error error = stage_decide(hungry, &e);
        if (error != POSSE_OK) {
            saved after = saved_from(hungry);
            assert_int_equal(error, POSSE_ERROR_MEMORY);
            assert_true(saved_equal(&before, &after));
            saved_drop(&after);
            refused++;
            mine.fail_at = 0;
            assert_int_equal(stage_decide(hungry, &e), POSSE_OK);
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

/* Saving allocates nothing. Loading may fail at any allocation. */
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
    const specimen *all = menagerie(POSSE_FAMILY_ENVIRONMENT, &count);
    assert_menagerie_complete(POSSE_FAMILY_ENVIRONMENT);
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

/* Every belief in the menagerie, as the selector's and as a learner's. */
static void beliefs_survive(void) {
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &all[i].part}}};
        creation_survives(all[i].home, selector);
        loading_survives(all[i].home, selector);
    }
}

LAW(survives_no_memory) {
    menagerie_add_examples();
    assert_menagerie_complete(POSSE_FAMILY_BELIEF);
    assert_menagerie_complete(POSSE_FAMILY_LEARNER);
    for_every_team(creation_survives);
    for_every_team(additions_survive);
    for_every_team(decisions_survive);
    for_every_team(loading_survives);
    environments_survive();
    beliefs_survive();
}
