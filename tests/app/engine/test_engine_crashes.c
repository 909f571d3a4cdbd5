/* SPDX-License-Identifier: MIT */
/*
 * The engine after a crash is what it was at its last commit. The oracle is a set of plain posses that get the same
 * calls through posse.h. The test compares the saved bytes of both.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "asking.h"
#include "common/file.h"
#include "keeping.h"
#include "law.h"
#include "posse_inside.h"

#define CRASHES 200
enum { POSSES = 3, TOKENS = 4000, PATH = 160 };

static const char *const descriptions[POSSES] = {
    "{\"name\": \"plain\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\", \"thompson\"], "
    "\"expire_after\": 300, \"expire_reward\": 0.5, \"propensity_draws\": 3}",
    "{\"name\": \"outside\", \"arms\": 3, \"record\": true, \"prior\": {\"kind\": \"gaussian\", \"mean\": 0, \"sd\": 1, "
    "\"noise\": 1}, \"learners\": [\"ucb\", {\"kind\": \"external\", \"name\": \"somebody\"}]}",
    "{\"name\": \"contexts\", \"arms\": 3, \"dim\": 2, \"prior\": {\"kind\": \"linear\", \"precision\": 1, \"noise\": 1}, "
    "\"learners\": [\"linear-ucb\", \"linear-thompson\"], \"expire_after\": 100, \"propensity_draws\": 2}",
};

/* ----------------------------------------------------- the oracle ------------------------------------------------ */

static posse *load(saved s) {
    posse *p;
    assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &p), POSSE_OK);
    return p;
}

/* A decision that a client has received. */
typedef struct given {
    int posse;
    char token[TOKEN_TEXT + 1];
    uint64_t id;
    bool untold;
} given;

/* The decisions that clients hold and the saved states of the oracle, at one moment. */
typedef struct moment {
    saved posses[POSSES];
    given list[TOKENS];
    int count;
} moment;

typedef struct stage {
    engine *engine;
    hosted *hosted[POSSES];
    posse *oracle[POSSES];
    given list[TOKENS];
    int count, newcomers;
} stage;

static uint64_t random_state;

static uint32_t draw(uint32_t below) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

static void note(const stage *s, moment *m) {
    for (int i = 0; i < POSSES; i++) {
        saved_drop(&m->posses[i]);
        m->posses[i] = saved_from(s->oracle[i]);
    }
    memcpy(m->list, s->list, sizeof m->list);
    m->count = s->count;
}

/* ----------------------------------------------------- what happens ---------------------------------------------- */

static void decide(stage *s, int i) {
    double points[6];
    char text[200];
    for (int k = 0; k < 6; k++) points[k] = draw(100) / 64.0;
    snprintf(text, sizeof text, "{\"points\": [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]]}", points[0], points[1],
             points[2], points[3], points[4], points[5]);
    json_t *context = i == 2 ? json_loads(text, 0, NULL) : NULL;
    size_t count = 1 + draw(4);
    served_decision d[4];
    assert_int_equal(ask_decide(s->engine, s->hosted[i], count, context, d), SERVED_DONE);
    for (size_t k = 0; k < count; k++) {
        posse_decision expected;
        const posse_context known = {.count = 3, .points = points};
        posse_error error = posse_decide(s->oracle[i], i == 2 ? &known : NULL, &expected);
        assert_int_equal(error, POSSE_OK);
        assert_true(d[k].decision.id == expected.id);
        assert_int_equal(d[k].decision.arm, expected.arm);
        assert_int_equal(d[k].decision.learner, expected.learner);
        given *g = &s->list[s->count++];
        *g = (given){.posse = i, .id = expected.id, .untold = expected.arm == POSSE_ARM_UNTOLD};
        memcpy(g->token, d[k].token, sizeof g->token);
    }
    json_decref(context);
}

static void act(stage *s, given *g) {
    int arm = (int)draw(3);
    served_reward r = {.token = g->token, .token_length = TOKEN_TEXT};
    posse_error expected = posse_acted(s->oracle[g->posse], g->id, &(posse_action){.arm = arm});
    served_status status = engine_acted(s->engine, s->hosted[g->posse], &r, &(served_play){.arm = arm});
    assert_true((status == SERVED_DONE) == (expected == POSSE_OK));
    g->untold = false;
}

/* Settles a decision by a reward or by forgetting it. If it has expired, engine and oracle must both refuse. */
static void settle(stage *s, int at) {
    given g = s->list[at];
    if (g.untold) {
        act(s, &s->list[at]);
        return;
    }
    served_reward r = {.token = g.token, .token_length = TOKEN_TEXT, .reward = draw(5) / 4.0};
    bool forgets = draw(8) == 0;
    served_status status =
        forgets ? ask_forget(s->engine, s->hosted[g.posse], &r, 1) : ask_learn(s->engine, s->hosted[g.posse], &r, 1);
    posse_error expected =
        forgets ? posse_forget(s->oracle[g.posse], g.id) : posse_learn(s->oracle[g.posse], g.id, r.reward);
    assert_that((status == SERVED_DONE) == (expected == POSSE_OK), "the engine says %d, the oracle %s", (int)status,
                posse_error_name(expected));
    s->list[at] = s->list[--s->count];
}

static void change(stage *s) {
    char name[20], text[80];
    int place = posse_learner_count(s->oracle[0]);
    snprintf(name, sizeof name, "newcomer %d", s->newcomers++);
    snprintf(text, sizeof text, "{\"kind\": \"ucb\", \"name\": \"%s\", \"width\": 0.5}", name);
    posse_part learner = {.kind = "ucb", .name = name, .options = {{.key = "width", .number = 0.5}}};
    assert_int_equal(ask_learner(s->engine, s->hosted[0], text), SERVED_DONE);
    assert_int_equal(posse_learner_add(s->oracle[0], &learner, NULL), POSSE_OK);
    const char *oldest = posse_learner_name(s->oracle[0], place - 2);
    reshape retires = {.kind = RESHAPE_RETIRE_LEARNER, .name = oldest};
    assert_int_equal(engine_reshape(s->engine, s->hosted[0], &retires), SERVED_DONE);
    assert_int_equal(posse_learner_retire(s->oracle[0], place - 2), POSSE_OK);
}

static void happen(stage *s) {
    uint32_t what = draw(40);
    if (what < 20 && s->count + 4 < TOKENS)
        decide(s, (int)draw(POSSES));
    else if (what < 39 && s->count > 0)
        settle(s, (int)draw((uint32_t)s->count));
    else if (what == 39 && draw(5) == 0)
        change(s);
}

static void batch(stage *s) {
    for (int i = 1 + (int)draw(12); i > 0; i--) happen(s);
    assert_true(engine_commit(s->engine));
}

/* ------------------------------------------------------- crashes ------------------------------------------------- */

static char paths[2][64]; /* databases, used in turn */

static void path_of(char out[PATH], int which, const char *end) {
    snprintf(out, PATH, "%s%s", paths[which], end);
}

static void remove_database(int which) {
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[PATH];
    for (int i = 0; i < 3; i++) {
        path_of(name, which, ends[i]);
        unlink(name);
    }
}

static size_t size_of(int which, const char *end) {
    struct stat about;
    char name[PATH];
    path_of(name, which, end);
    return stat(name, &about) == 0 ? (size_t)about.st_size : 0;
}

/* Copies what a crash leaves of a file: its first `length` bytes, of which the one at `wrong` is damaged. */
static void leave(int from, int to, const char *end, size_t length, size_t wrong) {
    char name[PATH];
    size_t size;
    path_of(name, from, end);
    char *bytes = file_read(name, FILE_ANY_SIZE, &size);
    assert_non_null(bytes);
    if (wrong < size) bytes[wrong] ^= 0x10;
    path_of(name, to, end);
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length < size ? length : size, out), length < size ? length : size);
    fclose(out);
    free(bytes);
}

static void open_stage(stage *s, int which) {
    char why[300] = "";
    s->engine = engine_open(paths[which], (engine_limits){.pending = 1000000}, why);
    assert_that(s->engine != NULL, "it does not open again: %s", why);
    engine_snapshot_after(s->engine, 400);
    static const char *const names[POSSES] = {"plain", "outside", "contexts"};
    for (int i = 0; i < POSSES; i++) s->hosted[i] = engine_find(s->engine, names[i]);
}

/* Whether the engine is in the state of a moment, each posse in its new epoch. If so, the oracle continues from
 * there. */
static bool is_at(stage *s, const moment *m) {
    bool all = true;
    posse *oracle[POSSES];
    for (int i = 0; i < POSSES; i++) {
        oracle[i] = load(m->posses[i]);
        assert_int_equal(posse_set_epoch(oracle[i], engine_epoch(s->engine)), POSSE_OK);
        saved a = saved_from(oracle[i]), b = saved_from(s->hosted[i]->served.posse);
        all = all && saved_equal(&a, &b);
        saved_drop(&a);
        saved_drop(&b);
    }
    for (int i = 0; i < POSSES; i++) {
        if (all) {
            posse_free(s->oracle[i]);
            s->oracle[i] = oracle[i];
        } else
            posse_free(oracle[i]);
    }
    if (!all) return false;
    memcpy(s->list, m->list, sizeof s->list);
    s->count = m->count;
    return true;
}

static void make_stage(stage *s) {
    for (int i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "engine_crashes_%ld_%d.db", (long)getpid(), i);
        remove_database(i);
    }
    open_stage(s, 0);
    for (int i = 0; i < POSSES; i++) {
        served_status status = engine_create(s->engine, descriptions[i], strlen(descriptions[i]), &s->hosted[i]);
        assert_that(status == SERVED_DONE, "%s", engine_problems(s->engine)->list[0].text);
    }
    assert_true(engine_commit(s->engine));
    for (int i = 0; i < POSSES; i++) {
        saved first = saved_from(s->hosted[i]->served.posse);
        s->oracle[i] = load(first);
        saved_drop(&first);
    }
}

static void free_stage(stage *s, moment *a, moment *b) {
    engine_close(s->engine);
    for (int i = 0; i < POSSES; i++) {
        posse_free(s->oracle[i]);
        saved_drop(&a->posses[i]);
        saved_drop(&b->posses[i]);
    }
    for (int i = 0; i < 2; i++) remove_database(i);
}

LAW(after_a_crash_it_is_what_it_was_at_a_commit) {
    static stage s;
    static moment answered, unanswered;
    int torn = 0, whole = 0;
    random_state = 5;
    make_stage(&s);
    for (int crash = 0; crash < CRASHES; crash++) {
        int here = crash % 2, there = 1 - here;
        for (int i = (int)draw(15); i > 0; i--) batch(&s);
        note(&s, &answered);
        size_t before = size_of(here, "-wal");
        batch(&s);
        note(&s, &unanswered);
        size_t after = size_of(here, "-wal"), tail = after > before ? after - before : 0;
        /* The tail is cut, damaged, or whole. If the log was restarted, the position of the tail is unknown, and it
         * stays whole. */
        bool cut = tail > 0 && draw(3) > 0, damaged = tail > 0 && !cut && draw(2) == 0;
        remove_database(there);
        leave(here, there, "", SIZE_MAX, SIZE_MAX);
        leave(here, there, "-wal", cut ? before + draw((uint32_t)tail) : SIZE_MAX,
              damaged ? before + draw((uint32_t)tail) : SIZE_MAX);
        engine_close(s.engine);
        open_stage(&s, there);
        bool lost = cut || damaged;
        assert_that(is_at(&s, lost ? &answered : &unanswered), "crash %d: it is not at the commit %s", crash,
                    lost ? "that was answered" : "that was whole");
        torn += lost;
        whole += !lost;
    }
    free_stage(&s, &answered, &unanswered);
    assert_that(torn > 50 && whole > 20, "only %d torn and %d whole tails", torn, whole);
}

LAW(a_commit_that_fails_has_not_happened) {
    static stage s;
    static moment before, none;
    sqlite3 *other;
    random_state = 6;
    make_stage(&s);
    assert_int_equal(sqlite3_open(paths[0], &other), SQLITE_OK);
    for (int i = 0; i < 20; i++) {
        batch(&s);
        note(&s, &before);
        assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK); /* the write lock */
        decide(&s, (int)draw(POSSES));
        for (int k = 0; k < 6; k++) happen(&s);
        hosted *h;
        char text[100];
        snprintf(text, sizeof text, "{\"name\": \"other\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"]}");
        assert_int_equal(engine_create(s.engine, text, strlen(text), &h), SERVED_DONE);
        assert_false(engine_commit(s.engine));
        assert_false(engine_is_lost(s.engine));
        assert_null(engine_find(s.engine, "other"));
        assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
        for (int k = 0; k < POSSES; k++) {
            saved is = saved_from(s.hosted[k]->served.posse);
            assert_true(saved_equal(&is, &before.posses[k]));
            saved_drop(&is);
            posse_free(s.oracle[k]);
            s.oracle[k] = load(before.posses[k]);
        }
        memcpy(s.list, before.list, sizeof s.list);
        s.count = before.count;
    }
    sqlite3_close(other);
    free_stage(&s, &before, &none);
}

enum { MANY = 300, LOGGED = 20000 };

static void log_rewards(engine *e, hosted *h) {
    served_decision d[100];
    served_reward list[100];
    for (int i = 0; i < LOGGED; i += 100) {
        assert_int_equal(ask_decide(e, h, 100, NULL, d), SERVED_DONE);
        for (int k = 0; k < 100; k++)
            list[k] = (served_reward){.token = d[k].token, .token_length = TOKEN_TEXT, .reward = 1.0};
        assert_int_equal(ask_learn(e, h, list, 100), SERVED_DONE);
    }
    assert_true(engine_commit(e));
}

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A commit of many posses that fails reads the log once, as a start after a crash does, and not once for each. */
LAW(a_failed_commit_costs_no_more_than_a_start) {
    static stage s;
    static moment none;
    hosted *many[MANY];
    sqlite3 *other;
    make_stage(&s);
    engine_snapshot_after(s.engine, 1000000);
    for (int i = 0; i < MANY; i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"name\": \"p%d\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"]}",
                 i);
        assert_int_equal(engine_create(s.engine, text, strlen(text), &many[i]), SERVED_DONE);
    }
    assert_true(engine_commit(s.engine));
    served_decision d;
    for (int i = 0; i < MANY; i++) assert_int_equal(ask_decide(s.engine, many[i], 1, NULL, &d), SERVED_DONE);
    log_rewards(s.engine, s.hosted[0]);
    assert_int_equal(sqlite3_open(paths[0], &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    for (int i = 0; i < MANY; i++) assert_int_equal(ask_decide(s.engine, many[i], 1, NULL, &d), SERVED_DONE);
    double before = processor_seconds();
    assert_false(engine_commit(s.engine));
    double failed = processor_seconds() - before;
    assert_false(engine_is_lost(s.engine));
    for (int i = 0; i < MANY; i++) assert_int_equal(posse_decision_count(many[i]->served.posse), 1);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    leave(0, 1, "", SIZE_MAX, SIZE_MAX);
    leave(0, 1, "-wal", SIZE_MAX, SIZE_MAX);
    engine_close(s.engine);
    before = processor_seconds();
    open_stage(&s, 1);
    double start = processor_seconds() - before;
    assert_that(failed < 2.0 * start, "%g seconds of the processor, and a start takes %g", failed, start);
    free_stage(&s, &none, &none);
}
