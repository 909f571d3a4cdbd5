/* SPDX-License-Identifier: MIT */
/*
 * Learners of the same model share one state. Every test plays a posse beside a twin whose learners were given states
 * of their own: all decisions and all saved bytes are the same.
 */
#include <math.h>
#include <string.h>

#include "helpers.h"
#include "keeping.h"
#include "object/object.h"

#define FEATURES_MAX 24
#define ARMS_MOST 8

/* Four groups: two logistic and two linear ones, each of learners that differ only in how they explore. */
static const posse_part crew[] = {
    {.kind = "logistic-ucb", .name = "narrow", .options = {NUMBER("width", 0.1)}},
    {.kind = "linear-ucb", .name = "linear", .options = {NUMBER("width", 0.25)}},
    {.kind = "logistic-ucb", .name = "wide", .options = {NUMBER("width", 1.0)}},
    {.kind = "logistic-thompson", .name = "sampling", .options = {NUMBER("width", 0.5)}},
    {.kind = "epsilon-greedy", .name = "greedy", .options = {NUMBER("epsilon", 0.1)}},
    {.kind = "logistic-ucb", .name = "firm", .options = {NUMBER("precision", 5.0)}},
    {.kind = "square-cb", .name = "square"},
    {.kind = "ucb", .name = "blind"},
    {.kind = "linear-thompson", .name = "forgetful", .options = {NUMBER("forget", 0.99)}},
    {.kind = "linear-ucb", .name = "forgetful-too", .options = {NUMBER("forget", 0.99)}},
};

typedef struct scene {
    const char *name;
    int own, shared, arms;
    posse_part selector;
} scene;

static const scene scenes[] = {
    {"one vector", 0, 9, 5, {.kind = "bms-plus", .options = {NUMBER("consider", 1)}}},
    {"one long vector", 0, FEATURES_MAX - 1, 3, {.kind = "bms-plus", .options = {NUMBER("consider", 1)}}},
    {"features of each arm", 4, 0, 6, {.kind = "bms-plus"}},
    {"both, watched", 5, 6, 6, {.kind = "bms-plus", .options = {NUMBER("watch", 1), NUMBER("floor", 0.1)}}},
    {"every reward shared", 3, 0, 4, {.kind = "greedy", .options = {NUMBER("share", 1)}}},
};

static posse_def def_of(const scene *s) {
    posse_def def = posse_default_def();
    def.arms = s->arms;
    def.dim = s->own;
    def.context = s->shared;
    def.prior = (posse_part){.kind = "logistic", .options = {NUMBER("precision", 2.0)}};
    def.selector = s->selector;
    def.learners = crew;
    def.learner_count = LENGTH(crew);
    def.rounds = 1000;
    return def;
}

/* Gives every learner a state of its own, and the belief its own update. */
static void set_apart(posse *p) {
    p->selector.model = NULL;
    for (int i = 0; i < p->count; i++) {
        member *m = &p->members[i];
        if (!m->echoes) continue;
        shared_state *own = shared_state_make(&p->host.allocator, m->part.state_size, p->space->arms);
        assert_non_null(own);
        memcpy(own->numbers, m->state, m->part.state_size);
        shared_state_leave(member_shared(m), &p->host.allocator);
        m->state = own->numbers;
        m->echoes = false;
    }
}

/* ------------------------------------------------- twins ------------------------------------------------------- */

typedef struct twins {
    posse *together, *apart;
    posse_draw draw;
} twins;

static void twins_open(twins *t, const scene *s) {
    posse_def def = def_of(s);
    *t = (twins){posse_made(&def), posse_made(&def), {0}};
    set_apart(t->apart);
    draw_open(&t->draw, 3, 0, 1, 0);
}

static void twins_close(twins *t) {
    posse_free(t->together);
    posse_free(t->apart);
}

static void assert_alike(const twins *t, const char *name, int round) {
    saved a = saved_from(t->together), b = saved_from(t->apart);
    assert_that(saved_equal(&a, &b), "%s: saved bytes differ in round %d", name, round);
    saved_drop(&a);
    saved_drop(&b);
}

static void twins_play(twins *t, const scene *s, int rounds) {
    for (int i = 0; i < rounds; i++) {
        double points[ARMS_MOST * FEATURES_MAX], shared[FEATURES_MAX];
        posse_draw_normals(&t->draw, points, LENGTH(points));
        posse_draw_normals(&t->draw, shared, LENGTH(shared));
        posse_context c = {.points = s->own > 0 ? points : NULL, .shared = s->shared > 0 ? shared : NULL};
        posse_decision a, b;
        assert_int_equal(posse_decide(t->together, &c, &a), POSSE_OK);
        assert_int_equal(posse_decide(t->apart, &c, &b), POSSE_OK);
        assert_that(a.arm == b.arm && a.learner == b.learner && a.floor == b.floor, "%s: round %d", s->name, i);
        double reward = posse_draw_uniform(&t->draw) < 0.2 + 0.1 * a.arm;
        bool late = i % 7 == 3; /* some rewards come one round late, after the model has changed */
        if (late) continue;
        assert_int_equal(posse_learn(t->together, a.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(t->apart, b.id, reward), POSSE_OK);
        if (i % 7 != 4) continue;
        assert_int_equal(posse_learn(t->together, a.id - 1, 1.0 - reward), POSSE_OK);
        assert_int_equal(posse_learn(t->apart, b.id - 1, 1.0 - reward), POSSE_OK);
    }
    assert_alike(t, s->name, rounds);
}

static const member *member_named(const posse *p, const char *name) {
    int i = 0;
    while (strcmp(posse_learner_name(p, i), name) != 0) i++;
    return &p->members[i];
}

static bool share_a_state(const posse *p, const char *a, const char *b) {
    return member_named(p, a)->state == member_named(p, b)->state;
}

/* The groups that the crew has, and no others. */
static void assert_groups(const posse *p) {
    assert_true(share_a_state(p, "narrow", "wide") && share_a_state(p, "wide", "sampling"));
    assert_true(share_a_state(p, "linear", "greedy") && share_a_state(p, "linear", "square"));
    assert_true(share_a_state(p, "forgetful", "forgetful-too"));
    assert_false(share_a_state(p, "narrow", "linear") || share_a_state(p, "narrow", "firm") ||
                 share_a_state(p, "linear", "forgetful"));
}

LAW(one_state_for_many_learners_changes_no_bit) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        twins t;
        twins_open(&t, &scenes[i]);
        assert_groups(t.together);
        bool believes = strcmp(scenes[i].selector.kind, "bms-plus") == 0;
        assert_true((t.together->selector.model != NULL) == believes);
        twins_play(&t, &scenes[i], 150);
        assert_groups(t.together);
        twins_close(&t);
    }
}

/* A saved posse shares states again after loading, and continues with the same bits. */
LAW(loaded_learners_share_what_is_equal) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        twins t;
        twins_open(&t, &scenes[i]);
        twins_play(&t, &scenes[i], 40);
        saved bytes = saved_from(t.apart);
        posse_free(t.together);
        t.together = saved_loaded(&bytes);
        saved_drop(&bytes);
        t.together->epoch = t.apart->epoch;
        assert_groups(t.together);
        assert_true((t.together->selector.model != NULL) == (strcmp(scenes[i].selector.kind, "bms-plus") == 0));
        twins_play(&t, &scenes[i], 40);
        twins_close(&t);
    }
}

static void add_learner(twins *t, const posse_part *learner) {
    assert_int_equal(posse_learner_add(t->together, learner, NULL), POSSE_OK);
    assert_int_equal(posse_learner_add(t->apart, learner, NULL), POSSE_OK);
    set_apart(t->apart);
}

static void retire_learner(twins *t, int place) {
    assert_int_equal(posse_learner_retire(t->together, place), POSSE_OK);
    assert_int_equal(posse_learner_retire(t->apart, place), POSSE_OK);
    set_apart(t->apart);
}

/* A newcomer has not learned what the others have, so its state is its own, also after loading. */
LAW(newcomers_have_a_state_of_their_own) {
    const posse_part late = {.kind = "logistic-ucb", .name = "late", .options = {NUMBER("width", 0.3)}};
    for (int i = 0; i < LENGTH(scenes); i++) {
        twins t;
        twins_open(&t, &scenes[i]);
        twins_play(&t, &scenes[i], 30);
        add_learner(&t, &late);
        assert_false(share_a_state(t.together, "narrow", "late"));
        twins_play(&t, &scenes[i], 30);
        saved bytes = saved_from(t.together);
        posse *loaded = saved_loaded(&bytes);
        assert_groups(loaded);
        assert_false(share_a_state(loaded, "narrow", "late"));
        saved_drop(&bytes);
        posse_free(loaded);
        twins_close(&t);
    }
}

/* When the learner that learned for the others leaves, another one of the group continues. */
LAW(a_state_outlives_the_learner_that_brought_it) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        twins t;
        twins_open(&t, &scenes[i]);
        twins_play(&t, &scenes[i], 30);
        retire_learner(&t, 0);
        assert_true(share_a_state(t.together, "wide", "sampling"));
        twins_play(&t, &scenes[i], 30);
        retire_learner(&t, 2);
        twins_play(&t, &scenes[i], 30);
        retire_learner(&t, 3);
        assert_null(t.together->selector.model);
        twins_play(&t, &scenes[i], 30);
        twins_close(&t);
    }
}

LAW(changed_arms_tasks_and_lessons_keep_states_shared) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        const scene *s = &scenes[i];
        twins t;
        twins_open(&t, s);
        posse *both[] = {t.together, t.apart};
        twins_play(&t, s, 30);
        double points[ARMS_MOST * FEATURES_MAX] = {0.5, -0.5}, shared[FEATURES_MAX] = {1.0};
        posse_context c = {.points = s->own > 0 ? points : NULL, .shared = s->shared > 0 ? shared : NULL};
        for (int k = 0; k < 2; k++)
            assert_int_equal(posse_teach(both[k], &(posse_action){.arm = 1, .context = &c}, 1.0), POSSE_OK);
        twins_play(&t, s, 10);
        for (int k = 0; k < 2; k++) assert_int_equal(posse_arm_add(both[k], NULL, NULL), POSSE_OK);
        assert_groups(t.together);
        set_apart(t.apart);
        twins_play(&t, s, 30);
        for (int k = 0; k < 2; k++) assert_int_equal(posse_arm_retire(both[k], 1), POSSE_OK);
        assert_groups(t.together);
        set_apart(t.apart);
        twins_play(&t, s, 30);
        for (int k = 0; k < 2; k++) assert_int_equal(posse_next_task(both[k]), POSSE_OK);
        set_apart(t.apart);
        twins_play(&t, s, 30);
        twins_close(&t);
    }
}

/* Learners that learn only from their own plays have different data. */
LAW(learners_of_their_own_plays_share_nothing) {
    scene own = scenes[2];
    own.selector = (posse_part){.kind = "bms-plus", .options = {NUMBER("share", 0)}};
    posse_def def = def_of(&own);
    posse *p = posse_made(&def);
    for (int i = 0; i < p->count; i++) assert_false(p->members[i].shares);
    assert_null(p->selector.model);
    posse_free(p);
}
