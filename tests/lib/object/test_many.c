/* SPDX-License-Identifier: MIT */
/*
 * Many decisions in one call. Every test plays a posse beside a twin that decides in a loop: all decisions, all saved
 * bytes and all messages are the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"
#include "object/forecast.h"
#include "stage.h"

#define STRETCH_MOST 41

/* --------------------------------------------------- the rounds ------------------------------------------------- */

/* How contexts differ: all arms in every round, some of them, the same few, or features as pairs. */
typedef enum variety { ALL_ARMS, SOME_ARMS, SAME_ARMS, PAIRS, VARIETIES } variety;

static staged rounds[STRETCH_MOST];
static posse_context contexts[STRETCH_MOST];
static posse_sparse pairs[STRETCH_MOST][STAGE_ARMS + 1];
static int every_index[STAGE_NUMBERS];

static posse_sparse as_pairs(const double *features, int count) {
    for (int j = 0; j < count; j++) every_index[j] = j;
    return (posse_sparse){count, every_index, features};
}

static void turn_into_pairs(const posse *p, int i) {
    posse_context *c = &contexts[i];
    int shared = posse_shared_feature_count(p), own = posse_feature_count(p) - shared;
    posse_sparse *list = pairs[i];
    for (int k = 0; k < c->count && own > 0; k++) list[k] = as_pairs(c->points + k * own, own);
    list[STAGE_ARMS] = as_pairs(c->shared, shared);
    *c = (posse_context){.count = c->count,
                         .arms = c->arms,
                         .sparse_shared = shared > 0 ? &list[STAGE_ARMS] : NULL,
                         .sparse_points = own > 0 ? list : NULL};
}

/* The contexts of the next rounds; NULL without features. */
static const posse_context *bring(const posse *p, variety v, int count) {
    if (posse_feature_count(p) == 0) return NULL;
    for (int i = 0; i < count; i++) {
        uint64_t n = posse_decision_count(p) + (uint64_t)i;
        stage_round(p, v == SOME_ARMS ? n : 3 * n, &rounds[i]);
        contexts[i] = rounds[i].context;
        if (v == ALL_ARMS && contexts[i].count == posse_arm_count(p)) contexts[i].arms = NULL;
        if (v == SAME_ARMS) contexts[i].count = 1 + contexts[i].count / 2;
        if (v == SAME_ARMS && i % 2 == 0) contexts[i].arms = rounds[0].arms;
        if (v == PAIRS) turn_into_pairs(p, i);
    }
    return contexts;
}

/* ---------------------------------------------------- the twins ------------------------------------------------- */

typedef struct twins {
    posse *looped, *batched;
    const char *name;
} twins;

static void twins_close(twins *t) {
    posse_free(t->looped);
    posse_free(t->batched);
}

static void assert_alike(const twins *t) {
    saved a = saved_from(t->looped), b = saved_from(t->batched);
    assert_that(saved_equal(&a, &b), "%s: saved bytes differ after %d decisions", t->name,
                (int)posse_decision_count(t->looped));
    saved_drop(&a);
    saved_drop(&b);
}

static int point_numbers(const posse *p) {
    return posse_feature_count(p) > 0 ? posse_feature_count(p) : posse_dim(p);
}

static void assert_same_decision(const twins *t, const posse_decision *a, const posse_decision *b) {
    bool same = a->id == b->id && a->learner == b->learner && a->arm == b->arm && a->probability == b->probability &&
                a->propensity == b->propensity && a->probe == b->probe && a->floor == b->floor && a->mode == b->mode;
    assert_that(same, "%s: decision %d differs", t->name, (int)a->id);
    assert_true((a->point == NULL) == (b->point == NULL));
    if (a->point == NULL) return;
    size_t size = (size_t)point_numbers(t->looped) * sizeof(double);
    assert_that(memcmp(a->point, b->point, size) == 0, "%s: the point of decision %d differs", t->name, (int)a->id);
}

/* Decides in these contexts, and returns how many decisions were made. The last error is the same. */
static int decide_both(const twins *t, const posse_context *c, int count, posse_decision *out) {
    static double points[STRETCH_MOST * STAGE_NUMBERS];
    size_t made = 77;
    posse_error error = posse_decide_many(t->batched, c, (size_t)count, out, points, &made), loops = POSSE_OK;
    int i = 0;
    for (; i < count; i++) {
        posse_decision d;
        loops = posse_decide(t->looped, c != NULL ? &c[i] : NULL, &d);
        if (loops != POSSE_OK) break;
        assert_true((size_t)i < made);
        assert_same_decision(t, &d, &out[i]);
    }
    assert_int_equal(error, loops);
    assert_true(made == (size_t)i);
    return i;
}

/* Most decisions get their rewards, some stay pending, and plays of external learners are never reported. */
static void learn_both(const twins *t, const posse_decision *d, bool unit) {
    if (d->id % 5 == 0 || d->arm == POSSE_ARM_UNTOLD || d->mode == POSSE_SUGGESTED) return;
    double reward = parade_reward(unit, d);
    posse_error error = posse_learn(t->looped, d->id, reward);
    assert_int_equal(posse_learn(t->batched, d->id, reward), error);
}

static void play_both(const twins *t, bool unit) {
    static const int stretches[] = {1, 3, 16, 40, 17, 5, 41};
    for (int i = 0; i < LENGTH(stretches) * VARIETIES; i++) {
        int count = stretches[i % LENGTH(stretches)];
        posse_decision made[STRETCH_MOST];
        const posse_context *c = bring(t->looped, (variety)(i % VARIETIES), count);
        assert_int_equal(decide_both(t, c, count, made), count);
        for (int k = 0; k < count; k++) learn_both(t, &made[k], unit);
    }
    assert_alike(t);
}

static void check_def(const char *name, const posse_def *def, bool unit) {
    twins t = {posse_made(def), posse_made(def), name};
    play_both(&t, unit);
    twins_close(&t);
}

/* --------------------------------------------------- every kind ------------------------------------------------- */

static void check_team(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew);
    check_def(selector.kind, &def, h->unit);
}

LAW(many_decisions_of_every_team_are_those_of_a_loop) {
    for_every_team(check_team);
}

LAW(many_decisions_of_every_learner_are_those_of_a_loop) {
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_LEARNER, &count);
    menagerie_add_examples();
    for (int i = 0; i < count; i++) {
        posse_def def = habitat_def(all[i].home);
        def.selector = (posse_part){0};
        def.learners = &all[i].part;
        def.learner_count = 1;
        check_def(all[i].part.kind, &def, all[i].home->unit);
    }
}

/* --------------------------------------------------- every model ------------------------------------------------ */

static const double second_and_fourth[] = {1.0, 3.0};

/* Models that differ in all that their estimates depend on. */
static const posse_part crew[] = {
    {.kind = "logistic-ucb", .name = "narrow", .options = {NUMBER("width", 0.1), NUMBER("products", 1)}},
    {.kind = "logistic-thompson", .name = "sampling", .options = {NUMBER("width", 0.5), NUMBER("products", 1)}},
    {.kind = "logistic-ucb", .name = "no width", .options = {NUMBER("width", 0.0), NUMBER("products", 1)}},
    {.kind = "linear-ucb", .name = "linear"},
    {.kind = "epsilon-greedy", .name = "greedy"},
    {.kind = "square-cb", .name = "square", .options = {NUMBER("products", 1)}},
    {.kind = "linear-thompson", .name = "forgetful", .options = {NUMBER("forget", 0.99)}},
    {.kind = "linear-ucb", .name = "two features", .options = {LIST("features", second_and_fourth)}},
    {.kind = "linear-ucb", .name = "alone", .options = {WORD("covariance", "diagonal")}},
    {.kind = "linear-thompson", .name = "each", .options = {WORD("model", "disjoint")}},
    {.kind = "ucb", .name = "blind"},
};

typedef struct scene {
    const char *name;
    int own, shared, arms;
    posse_part selector;
    uint32_t draws;
    uint64_t expires;
    bool expires_learning;
} scene;

#define CONSIDERS                                                                                                      \
    {                                                                                                                  \
        .kind = "bms-plus", .options = { NUMBER("consider", 1) }                                                       \
    }

static const scene scenes[] = {
    {.name = "one vector", .shared = 5, .arms = 4, .selector = CONSIDERS},
    {.name = "one long vector", .shared = 23, .arms = 3, .selector = CONSIDERS},
    {.name = "features of each arm", .own = 4, .arms = 6, .selector = CONSIDERS},
    {.name = "both", .own = 9, .shared = 8, .arms = 5, .selector = CONSIDERS},
    {.name = "a floor",
     .shared = 5,
     .arms = 4,
     .selector = {.kind = "bms-plus", .options = {NUMBER("consider", 1), NUMBER("floor", 0.3)}}},
    {.name = "one learner a round",
     .shared = 5,
     .arms = 4,
     .selector = {.kind = "bms", .options = {NUMBER("share", 1), NUMBER("batch", 3)}}},
    {.name = "propensities", .shared = 5, .arms = 4, .selector = CONSIDERS, .draws = 7},
    {.name = "decisions expire", .shared = 5, .arms = 4, .selector = CONSIDERS, .expires = 9},
    {.name = "they learn", .shared = 5, .arms = 4, .selector = CONSIDERS, .expires = 9, .expires_learning = true},
};

static posse_def scene_def(const scene *s) {
    posse_def def = posse_default_def();
    def.arms = s->arms;
    def.dim = s->own;
    def.context = s->shared;
    def.prior = (posse_part){.kind = "logistic", .options = {NUMBER("precision", 2.0)}};
    def.selector = s->selector;
    def.learners = crew;
    def.learner_count = LENGTH(crew) - 1; /* the blind learner may pick an arm that is not available */
    def.propensity_draws = s->draws;
    def.expire_after = s->expires;
    def.expire_learns = s->expires_learning;
    def.report = true;
    return def;
}

LAW(many_decisions_of_every_model_are_those_of_a_loop) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        posse_def def = scene_def(&scenes[i]);
        check_def(scenes[i].name, &def, true);
    }
}

/* Each learner of the crew alone has a state that nobody shares. */
LAW(many_decisions_of_a_model_alone_are_those_of_a_loop) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < LENGTH(crew) - 1; k++) {
            posse_def def = scene_def(&scenes[i]);
            def.selector = (posse_part){0};
            def.learners = &crew[k];
            def.learner_count = 1;
            check_def(crew[k].name, &def, true);
        }
}

LAW(many_decisions_in_every_mode_are_those_of_a_loop) {
    static const posse_modes all[] = {{.control = 2, .holdback = 0.3},
                                      {.control = 1, .paused = true},
                                      {.control = -1, .shadow = true},
                                      {.control = 2, .holdback = 0.2, .units = 10, .sticky_rounds = 20}};
    for (int i = 0; i < LENGTH(all); i++) {
        posse_def def = scene_def(&scenes[0]);
        twins t = {posse_made(&def), posse_made(&def), "modes"};
        assert_int_equal(posse_set_modes(t.looped, &all[i]), POSSE_OK);
        assert_int_equal(posse_set_modes(t.batched, &all[i]), POSSE_OK);
        for (int n = 0; n < 6; n++) {
            posse_decision made[STRETCH_MOST];
            const posse_context *c = bring(t.looped, ALL_ARMS, 20);
            assert_int_equal(decide_both(&t, c, 20, made), 20);
            for (int k = 0; k < 20; k++) learn_both(&t, &made[k], true);
        }
        assert_alike(&t);
        twins_close(&t);
    }
}

/* Arms that are added and retired change the models and the rounds. */
LAW(many_decisions_follow_arms_that_come_and_go) {
    posse_def def = scene_def(&scenes[0]);
    twins t = {posse_made(&def), posse_made(&def), "arms"};
    play_both(&t, true);
    for (int i = 0; i < 2; i++) {
        posse *p = i == 0 ? t.looped : t.batched;
        assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
        assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
        assert_int_equal(posse_learner_retire(p, 0), POSSE_OK);
    }
    play_both(&t, true);
    twins_close(&t);
}

LAW(many_decisions_with_sparse_contexts_are_those_of_a_loop) {
    static const posse_part sparse_crew[] = {{.kind = "logistic-ucb"}, {.kind = "linear-thompson"}};
    for (int i = 0; i < 4; i++) {
        posse_def def = scene_def(&scenes[i]);
        def.nonzeros = def.dim + def.context;
        def.learners = sparse_crew;
        def.learner_count = LENGTH(sparse_crew);
        check_def("sparse", &def, true);
    }
}

/* ----------------------------------------------- when it is worth it --------------------------------------------- */

static int models_ahead(const posse_def *def) {
    posse *p = posse_made(def);
    forecast f;
    forecast_open(&f, p, 100);
    int count = f.models != NULL ? f.model_count : 0;
    forecast_close(&f, p);
    posse_free(p);
    return count;
}

/* Estimates are made ahead for models that are asked in every round, once for learners that share one. */
LAW(estimates_are_made_ahead_where_every_model_is_asked) {
    posse_def def = scene_def(&scenes[0]);
    assert_int_equal(models_ahead(&def), 6); /* three learners have products, and three others share a plain model */
    def.learner_count = 3;
    assert_int_equal(models_ahead(&def), 1);
    def.selector = (posse_part){.kind = "bms", .options = {NUMBER("share", 1)}};
    assert_int_equal(models_ahead(&def), 1);
    def.learner_count = 4;
    assert_int_equal(models_ahead(&def), 0); /* in most rounds one of two models would be estimated in vain */
    posse_def learns = scene_def(&scenes[LENGTH(scenes) - 1]);
    assert_int_equal(models_ahead(&learns), 0);
}

/* ----------------------------------------------------- failures -------------------------------------------------- */

/* The context that does not fit is reported once, after the decisions before it. */
LAW(a_context_that_does_not_fit_stops_many_decisions) {
    static const int wrong_at[] = {0, 1, 7, 16, 18};
    for (int i = 0; i < LENGTH(wrong_at); i++) {
        notes of_loop = {0}, of_batch = {0};
        posse_def def = scene_def(&scenes[0]);
        def.host.log = notes_logger(&of_loop);
        posse *looped = posse_made(&def);
        def.host.log = notes_logger(&of_batch);
        twins t = {looped, posse_made(&def), "a wrong context"};
        posse_decision made[STRETCH_MOST];
        const posse_context *c = bring(t.looped, ALL_ARMS, 20);
        rounds[wrong_at[i]].shared[2] = NAN;
        assert_int_equal(decide_both(&t, c, 20, made), wrong_at[i]);
        assert_int_equal(of_batch.count, 1);
        assert_string_equal(of_loop.text, of_batch.text);
        assert_alike(&t);
        twins_close(&t);
    }
}

static int calls_left; /* the call that fails is the one that makes it 0 */

static int failing_pick(const void *plan, void *state, posse_draw *draw, const posse_round *round) {
    (void)plan;
    *(double *)state += posse_draw_uniform(draw);
    return --calls_left == 0 ? round->count : (int)(*(double *)state) % round->count;
}

static void failing_start(const void *plan, void *state) {
    (void)plan;
    *(double *)state = 0.0;
}

static size_t failing_size(const void *plan) {
    (void)plan;
    return sizeof(double);
}

static posse_error failing_prepare(const posse_setup *setup, void **out) {
    *out = posse_setup_allocate(setup, 1);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static void failing_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)arm, (void)point;
    *(double *)state += reward;
}

static bool failing_sane(const void *plan, const void *state) {
    (void)plan;
    return isfinite(*(const double *)state);
}

/* An extension beside the library's learners draws, changes its state, and fails in the middle of a batch. */
LAW(a_learner_that_fails_stops_many_decisions) {
    static const posse_param none[] = {{0}};
    static const posse_learner_ops failing = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                       .name = "failing-in-a-batch",
                                                       .params = none,
                                                       .prepare = failing_prepare,
                                                       .state_size = failing_size,
                                                       .start = failing_start,
                                                       .sane = failing_sane},
                                              .learn = failing_learn,
                                              .act_in = failing_pick};
    static const posse_part learners[] = {{.kind = "logistic-ucb"}, {.kind = "failing-in-a-batch"}};
    register_once(&failing);
    for (int call = 1; call < 40; call += 3) {
        posse_def def = scene_def(&scenes[0]);
        def.learners = learners;
        def.learner_count = LENGTH(learners);
        twins t = {posse_made(&def), posse_made(&def), "a failing learner"};
        posse_decision made[STRETCH_MOST];
        size_t count;
        const posse_context *c = bring(t.looped, ALL_ARMS, STRETCH_MOST);
        calls_left = call;
        posse_error error = posse_decide_many(t.batched, c, STRETCH_MOST, made, NULL, &count);
        assert_int_equal(error, POSSE_ERROR_ARM);
        assert_true(count == (size_t)call - 1);
        calls_left = call;
        for (size_t i = 0; i <= count; i++) {
            posse_decision d;
            assert_int_equal(posse_decide(t.looped, &c[i], &d), i < count ? POSSE_OK : POSSE_ERROR_ARM);
            if (i < count) assert_int_equal(d.arm, made[i].arm);
            if (i < count) assert_null(made[i].point); /* there was no room for points */
        }
        calls_left = 0;
        assert_alike(&t);
        twins_close(&t);
    }
}

/* Without memory for estimates, decisions compute their own. Without memory for a decision, the batch stops. */
LAW(many_decisions_survive_an_allocator_that_fails) {
    bool done = false;
    for (size_t at = 1; !done; at++) {
        purse mine = {0};
        posse_def def = scene_def(&scenes[3]);
        posse *looped = posse_made(&def);
        def.host = purse_host(&mine);
        twins t = {looped, posse_made(&def), "little memory"};
        posse_decision made[STRETCH_MOST];
        size_t count;
        const posse_context *c = bring(t.looped, ALL_ARMS, STRETCH_MOST);
        mine.fail_at = mine.calls + at;
        posse_error error = posse_decide_many(t.batched, c, STRETCH_MOST, made, NULL, &count);
        done = mine.calls < mine.fail_at;
        mine.fail_at = 0;
        assert_true(error == POSSE_OK ? count == STRETCH_MOST : error == POSSE_ERROR_MEMORY);
        for (size_t i = 0; i < count; i++) {
            posse_decision d;
            assert_int_equal(posse_decide(t.looped, &c[i], &d), POSSE_OK);
            assert_int_equal(d.arm, made[i].arm);
        }
        assert_alike(&t);
        posse_free(t.batched);
        assert_true(mine.blocks == 0);
        posse_free(t.looped);
    }
}

LAW(many_decisions_refuse_missing_arguments) {
    posse_def def = scene_def(&scenes[0]);
    posse *p = posse_made(&def);
    posse_decision d;
    size_t made = 5;
    assert_int_equal(posse_decide_many(NULL, NULL, 1, &d, NULL, &made), POSSE_ERROR_ARGUMENT);
    assert_true(made == 0);
    assert_refused(p, posse_decide_many(p, NULL, 1, NULL, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_decide_many(p, NULL, 1, &d, NULL, &made), POSSE_ERROR_CONTEXT);
    assert_refused(p, posse_decide_many(p, NULL, 0, NULL, NULL, NULL), POSSE_OK);
    posse_free(p);
}
