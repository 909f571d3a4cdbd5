/* SPDX-License-Identifier: MIT */
/*
 * Tests of posses whose states are large: a thread beside makes and changes them, and their states are written in
 * pieces. They end as small ones, and a crash or a failed commit at any moment leaves all of a request or nothing.
 */
#include <sched.h>

#include "databases.h"

enum { WIDE = 700 };

/* About 3 MB, or 6 pieces. */
#define LARGE(name)                                                                                                    \
    "{\"name\": \"" name "\", \"arms\": 12000, \"prior\": \"beta\", \"seed\": 7, \"record\": true, \"learners\": "     \
    "[\"ucb\", \"thompson\", \"epsilon-greedy\"]}"
static const char large[] = LARGE("large"), twin[] = LARGE("twin");
static const char other[] = "{\"name\": \"other\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\"]}";
static const char joins[] = "{\"name\": \"large\", \"arms\": [\"x\", \"y\"], \"dim\": 700, \"seed\": 7, \"joins\": 9, "
                            "\"prior\": \"linear\", \"learners\": [\"linear-ucb\", \"linear-thompson\"]}";

static served_status create_later(engine *e, const char *text, engine_work *w, hosted **out) {
    served_status status = engine_describe(e, text, strlen(text), w);
    return status == SERVED_DONE ? engine_create_later(e, w, out) : status;
}

static engine *begun(void) {
    limits.pending = 100000;
    return fresh();
}

/* ------------------------------------------------------ crashes -------------------------------------------------- */

/* What a start finds after a crash at this moment. Epochs differ from start to start, and are made equal. */
static void crash(saved *of_large, uint64_t *of_other) {
    engine *e = copy_opened();
    hosted *h = engine_find(e, "large");
    *of_large = (saved){0};
    if (h != NULL) posse_set_epoch(h->served.posse, 1);
    if (h != NULL) *of_large = save(h);
    *of_other = posse_decision_count(engine_find(e, "other")->served.posse);
    copy_closed(e);
}

/* The state of a posse, as a start would have it. */
static saved renewed(const hosted *h) {
    posse *loaded = NULL;
    saved s = save(h);
    assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &loaded), POSSE_OK);
    saved_drop(&s);
    assert_int_equal(posse_set_epoch(loaded, 1), POSSE_OK);
    s = saved_from(loaded);
    posse_free(loaded);
    return s;
}

/* --------------------------------------------------------- work -------------------------------------------------- */

/* Does work to its end, while decisions of another posse are made and committed. Returns the number of pieces. */
static size_t done(engine *e, engine_work *w, served_status expected, void (*between)(engine *e, void *context),
                   void *context) {
    bool over = false;
    size_t pieces = 0;
    served_status status = engine_work_begin(e, w);
    while (status == SERVED_DONE && !over) {
        served_decision d;
        status = engine_work_continue(e, w, &over);
        if (w->waits) sched_yield();
        if (w->waits || over || status != SERVED_DONE) continue;
        pieces++;
        assert_int_equal(ask_decide(e, engine_find(e, "other"), 1, NULL, &d), SERVED_DONE);
        assert_true(engine_commit(e));
        if (between != NULL) between(e, context);
    }
    assert_int_equal(status, expected);
    engine_work_finish(e, w);
    engine_work_free(w);
    return pieces;
}

static hosted *created_in_pieces(engine *e, const char *text, void (*between)(engine *e, void *context),
                                 void *context) {
    engine_work w = {0};
    hosted *h = NULL;
    assert_int_equal(create_later(e, text, &w, &h), SERVED_DONE);
    assert_true(h == NULL);
    size_t pieces = done(e, &w, SERVED_DONE, between, context);
    assert_that(pieces > 3, "only %zu pieces", pieces);
    return w.hosted;
}

static void reshaped(engine *e, hosted *h, reshape asked_for) {
    engine_work w = {.hosted = h, .reshape = asked_for};
    assert_true(engine_is_large(h));
    done(e, &w, SERVED_DONE, NULL, NULL);
    assert_true(engine_commit(e));
}

static void snapshotted(engine *e, hosted *h, void (*between)(engine *e, void *context), void *context) {
    engine_work w = {.hosted = h, .reshape = {.kind = RESHAPE_SNAPSHOT}};
    uint64_t before = engine_count(e).snapshots;
    done(e, &w, SERVED_DONE, between, context);
    assert_true(engine_count(e).snapshots > before);
}

/* The same rewards of both. */
static void played(engine *e, hosted *h, hosted *same, int rounds) {
    for (int i = 0; i < rounds; i++) {
        served_decision a, b;
        assert_int_equal(ask_decide(e, h, 1, NULL, &a), SERVED_DONE);
        assert_int_equal(ask_decide(e, same, 1, NULL, &b), SERVED_DONE);
        assert_true(a.decision.arm == b.decision.arm);
        served_reward of_a = {.token = a.token, .token_length = TOKEN_TEXT, .reward = i % 2}, of_b = of_a;
        of_b.token = b.token;
        assert_int_equal(ask_learn(e, h, &of_a, 1), SERVED_DONE);
        assert_int_equal(ask_learn(e, same, &of_b, 1), SERVED_DONE);
    }
    assert_true(engine_commit(e));
}

LAW(large_posses_end_as_those_that_are_made_at_once) {
    engine *e = begun();
    created(e, other);
    hosted *h = created_in_pieces(e, large, NULL, NULL);
    assert_true(engine_commit(e));
    hosted *same = created(e, twin);
    assert_same(save(h), save(same), "a posse made beside");
    json_t *modes = json_loads("{\"control\": 2, \"holdback\": 0.2}", 0, NULL);
    const char *text = "{\"kind\": \"ucb\", \"name\": \"newcomer\", \"width\": 0.5}";
    const reshape list[] = {{.kind = RESHAPE_ADD_ARM},
                            {.kind = RESHAPE_RETIRE_ARM, .name = "7"},
                            {.kind = RESHAPE_ADD_LEARNER, .text = text, .length = strlen(text)},
                            {.kind = RESHAPE_RETIRE_LEARNER, .name = "ucb"},
                            {.kind = RESHAPE_ERASE},
                            {.kind = RESHAPE_MODES, .value = modes},
                            {.kind = RESHAPE_NEXT_TASK}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        reshape at_once = list[i];
        played(e, h, same, 20);
        reshaped(e, h, list[i]);
        assert_int_equal(engine_reshape(e, same, &at_once), SERVED_DONE);
        assert_true(engine_commit(e));
        assert_same(save(h), save(same), "a change");
        saved found;
        uint64_t of_other;
        crash(&found, &of_other);
        assert_same(found, renewed(h), "a change, after a crash");
    }
    snapshotted(e, h, NULL, NULL);
    json_decref(modes);
    engine_close(e);
    e = opened(database);
    assert_same(save(engine_find(e, "large")), save(engine_find(e, "twin")), "after a restart");
    engine_close(e);
    remove_database(database);
}

LAW(what_is_wrong_beside_is_reported) {
    engine *e = begun();
    created(e, other);
    hosted *h = created_in_pieces(e, large, NULL, NULL);
    assert_true(engine_commit(e));
    saved before = save(h);
    static const char wrong[] = "{\"name\": \"wrong\", \"arms\": 12000, \"prior\": \"beta\", \"selector\": \"absent\", "
                                "\"learners\": [\"linear-ucb\"]}";
    engine_work again = {0}, bad = {0}, add = {.hosted = h, .reshape = {.kind = RESHAPE_ADD_ARM, .name = "5"}};
    hosted *none = NULL;
    assert_int_equal(create_later(e, large, &again, &none), SERVED_CONFLICT);
    engine_work_free(&again);
    served_status status = create_later(e, wrong, &bad, &none);
    if (status == SERVED_DONE)
        done(e, &bad, SERVED_WRONG, NULL, NULL);
    else
        assert_int_equal(status, SERVED_WRONG);
    assert_true(engine_problems(e)->count > 0);
    engine_work_free(&bad);
    done(e, &add, SERVED_CONFLICT, NULL, NULL); /* an arm is called "5" already */
    assert_true(engine_problems(e)->count > 0);
    assert_true(engine_commit(e));
    assert_same(before, save(h), "after a change that was refused");
    engine_close(e);
    remove_database(database);
}

/* --------------------------------------------------- at every moment --------------------------------------------- */

static void nothing_yet(engine *e, void *context) {
    saved found;
    uint64_t of_other, *others = context;
    (void)e;
    crash(&found, &of_other);
    assert_true(found.bytes == NULL && of_other == ++*others);
    assert_int_equal((int)answer("SELECT count(*) FROM large"), 0);
}

LAW(a_crash_leaves_a_large_posse_whole_or_not_at_all) {
    engine *e = begun();
    uint64_t others = 0;
    saved found;
    created(e, other);
    hosted *h = created_in_pieces(e, large, nothing_yet, &others);
    uint64_t of_other;
    crash(&found, &of_other);
    assert_true(found.bytes == NULL);
    assert_true(answer("SELECT count(*) FROM state") > 3);
    assert_true(engine_commit(e));
    crash(&found, &of_other);
    assert_same(found, renewed(h), "after the commit");
    engine_close(e);
    remove_database(database);
}

typedef struct moving {
    hosted *h, *same;
    uint64_t others;
} moving;

/* Requests continue once the state was copied, and each survives a crash. */
static void goes_on(engine *e, void *context) {
    moving *m = context;
    saved found;
    uint64_t of_other;
    if (!m->h->held) played(e, m->h, m->same, 3);
    crash(&found, &of_other);
    assert_true(of_other == ++m->others);
    assert_same(found, renewed(m->h), "while its snapshot is written");
    assert_same(save(m->h), save(m->same), "while its snapshot is written");
}

LAW(requests_go_on_while_a_large_snapshot_is_written) {
    engine *e = begun();
    created(e, other);
    moving m = {.h = created(e, large), .same = created(e, twin)};
    engine_snapshot_after(e, 40);
    played(e, m.h, m.same, 30);
    assert_true(engine_due(e) == m.h || engine_due(e) == m.same); /* no commit writes such a snapshot */
    snapshotted(e, m.h, goes_on, &m);
    played(e, m.h, m.same, 3);
    reshaped(e, m.h, (reshape){.kind = RESHAPE_ADD_ARM});
    saved found;
    uint64_t of_other;
    crash(&found, &of_other);
    assert_same(found, renewed(m.h), "after an arm was added, which is replayed");
    assert_true(engine_due(e) == m.h);
    engine_close(e);
    remove_database(database);
}

/* --------------------------------------------------- failed commits ---------------------------------------------- */

LAW(failed_commits_undo_changes_of_large_posses) {
    engine *e = begun();
    created(e, other);
    hosted *h = created(e, large), *same = created(e, twin);
    sqlite3 *lock;
    played(e, h, same, 9);
    assert_int_equal(sqlite3_open(database, &lock), SQLITE_OK);
    const char *text = "{\"kind\": \"ucb\", \"name\": \"newcomer\", \"width\": 0.5}";
    const reshape list[] = {{.kind = RESHAPE_ADD_ARM},
                            {.kind = RESHAPE_ADD_LEARNER, .text = text, .length = strlen(text)}};
    for (int i = 0; i < 2; i++) {
        engine_work w = {.hosted = h, .reshape = list[i]};
        done(e, &w, SERVED_DONE, NULL, NULL);
        assert_int_equal(sqlite3_exec(lock, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
        assert_false(engine_commit(e));
        assert_int_equal(sqlite3_exec(lock, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
        assert_same(save(h), save(same), "a change that could not be written");
    }
    engine_work w = {0};
    hosted *none = NULL;
    const char *third = LARGE("third");
    assert_int_equal(create_later(e, third, &w, &none), SERVED_DONE);
    done(e, &w, SERVED_DONE, NULL, NULL);
    assert_int_equal(sqlite3_exec(lock, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(engine_commit(e));
    assert_true(engine_find(e, "third") == NULL);
    sqlite3_close(lock);
    engine_close(e);
    remove_database(database);
}

/* ----------------------------------------------------- what is left ---------------------------------------------- */

LAW(pieces_that_no_snapshot_has_are_deleted) {
    engine *e = begun();
    bool more = true;
    created(e, other);
    hosted *h = created_in_pieces(e, large, NULL, NULL);
    assert_true(engine_commit(e));
    snapshotted(e, h, NULL, NULL);
    engine_work left = {0};
    hosted *none = NULL;
    bool over = false;
    assert_int_equal(create_later(e, twin, &left, &none), SERVED_DONE);
    assert_int_equal(engine_work_begin(e, &left), SERVED_DONE);
    while (answer("SELECT max(id) FROM state") < 3) engine_work_continue(e, &left, &over);
    assert_true(engine_tidy(e, 0, &more)); /* not those that are being written */
    assert_int_equal((int)answer("SELECT count(*) FROM state WHERE id = 3"), 1);
    engine_work_free(&left);
    engine_close(e);
    assert_int_equal((int)answer("SELECT count(DISTINCT id) FROM state"), 3);
    e = opened(database);
    for (more = true; more;) assert_true(engine_tidy(e, 0, &more));
    assert_int_equal((int)answer("SELECT count(DISTINCT id) FROM state"), 1);
    assert_int_equal(engine_drop(e, engine_find(e, "large")), SERVED_DONE);
    assert_true(engine_commit(e));
    for (more = true; more;) assert_true(engine_tidy(e, 0, &more));
    assert_int_equal((int)answer("SELECT count(*) FROM state"), 0);
    engine_close(e);
    remove_database(database);
}

LAW(a_posse_may_be_dropped_while_its_snapshot_is_written) {
    engine *e = begun();
    created(e, other);
    hosted *h = created(e, large);
    engine_work w = {.hosted = h, .reshape = {.kind = RESHAPE_SNAPSHOT}};
    bool over = false;
    assert_int_equal(engine_work_begin(e, &w), SERVED_DONE);
    while (h->held) assert_int_equal(engine_work_continue(e, &w, &over), SERVED_DONE);
    assert_int_equal(engine_drop(e, h), SERVED_DONE);
    assert_true(engine_commit(e));
    while (!over) assert_int_equal(engine_work_continue(e, &w, &over), SERVED_DONE);
    engine_work_finish(e, &w);
    engine_close(e);
    e = opened(database);
    assert_true(engine_find(e, "large") == NULL && engine_posses(e) == 1);
    engine_close(e);
    remove_database(database);
}

LAW(arms_join_a_large_posse_beside) {
    char text[30 * WIDE] = "{\"arms\": [\"x\", \"new\"], \"points\": [[1";
    for (int i = 1; i < WIDE; i++) strcat(text, ", 0");
    strcat(text, "], [0.5");
    for (int i = 1; i < WIDE; i++) strcat(text, ", 0.1");
    strcat(text, "]]}");
    json_t *context = json_loads(text, 0, NULL);
    engine *e = begun();
    served_decision made[3];
    created(e, other);
    engine_work w = {.hosted = created(e, joins), .asked = {.decision_count = 3, .decisions = made, .source = context}};
    assert_true(engine_is_large(w.hosted) && engine_is_long(w.hosted, 0, 1));
    hosted *h = w.hosted;
    done(e, &w, SERVED_DONE, NULL, NULL);
    assert_true(engine_commit(e));
    assert_int_equal(posse_arm_find(h->served.posse, "new"), 2);
    saved found;
    uint64_t of_other;
    crash(&found, &of_other);
    assert_same(found, renewed(h), "after a crash");
    json_decref(context);
    engine_close(e);
    remove_database(database);
}
