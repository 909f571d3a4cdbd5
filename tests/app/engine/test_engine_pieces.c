/* SPDX-License-Identifier: MIT */
/*
 * Tests of requests in pieces: they end as at once, others are served and stored in between, and a crash or a failed
 * commit leaves all of such a request or nothing.
 */
#include "databases.h"

enum { ROUNDS = 40, DECISIONS = 30, HELD = 4000 };

/* Twins differ in their names and in the keys of their tokens alone. */
static const char twins[] = "{\"name\": \"%s\", \"arms\": 4, \"prior\": \"beta\", \"seed\": 7, \"expire_after\": 90, "
                            "\"expire_reward\": 0, \"propensity_draws\": 3, \"learners\": [\"ucb\", \"thompson\"]}";
static const char contextual[] =
    "{\"name\": \"%s\", \"arms\": [\"x\", \"y\", \"z\"], \"dim\": 2, \"seed\": 7, \"joins\": 5, "
    "\"expire_after\": 90, \"prior\": {\"kind\": "
    "\"linear\", \"precision\": 1, \"noise\": 1}, \"learners\": [\"linear-ucb\", "
    "\"linear-thompson\"]}";

static engine *begun(void) {
    limits.pending = 100000;
    return fresh();
}

static hosted *named(engine *e, const char *format, const char *name) {
    char text[500];
    snprintf(text, sizeof text, format, name);
    return created(e, text);
}

/* ------------------------------------------------------ requests ------------------------------------------------- */

/* What a client holds: tokens that it has received. */
typedef struct client {
    hosted *hosted;
    served_decision made[HELD];
    size_t count;
    served_reward rewards[2 * DECISIONS];
} client;

static uint32_t random_state;

static uint32_t drawn(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* The same request of each twin: rewards of random decisions, some of them for the second time, and new decisions.
 * source: their context, or a list of rounds. */
static served_work request_of(client *c, uint32_t seed, const json_t *source) {
    random_state = seed;
    served_work w = {.source = source, .decisions = c->made + c->count, .decision_count = 1 + drawn(DECISIONS)};
    if (json_is_array(source)) {
        w.source = NULL;
        w.rounds = source;
        w.decision_count = json_array_size(source);
    }
    size_t most = c->count < 2 * DECISIONS ? c->count : 2 * DECISIONS;
    w.reward_count = most > 0 ? drawn((uint32_t)most) : 0;
    for (size_t i = 0; i < w.reward_count; i++) {
        const served_decision *d = &c->made[c->count - 1 - drawn((uint32_t)most)];
        c->rewards[i] =
            (served_reward){.token = d->token, .token_length = TOKEN_TEXT, .reward = (double)(d->decision.id % 2)};
    }
    w.rewards = c->rewards;
    return w;
}

static served_status in_pieces(engine *e, hosted *h, served_work *asked, hosted *other, size_t *pieces) {
    engine_work w = {.asked = *asked, .hosted = h};
    served_decision d;
    bool over = false;
    w.asked.room = calloc(2 * asked->reward_count + 1, sizeof *w.asked.room);
    served_status status = engine_work_begin(e, &w);
    while (status == SERVED_DONE && !over) {
        status = engine_work_continue(e, &w, &over);
        assert_true(h->held);
        assert_int_equal(ask_decide(e, other, 1, NULL, &d), SERVED_DONE);
        if (drawn(2) == 0) assert_true(engine_commit(e));
        (*pieces)++;
    }
    assert_true(engine_commit(e));
    if (over) engine_work_finish(e, &w);
    assert_false(h->held);
    free(w.asked.room);
    w.asked.room = NULL;
    *asked = w.asked;
    engine_work_free(&w);
    assert_true(engine_commit(e));
    return status;
}

static void compare_twins(const char *format, const json_t *source, const json_t *joins) {
    static client one, two;
    engine *e = begun();
    size_t pieces = 0;
    one = (client){.hosted = named(e, format, "one")};
    two = (client){.hosted = named(e, format, "two")};
    hosted *other = named(e, twins, "other");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const json_t *context = round == ROUNDS / 2 ? joins : source;
        served_work a = request_of(&one, round, context), b = request_of(&two, round, context);
        served_status at_once = engine_do(e, one.hosted, &a);
        assert_true(engine_commit(e));
        assert_int_equal(at_once, in_pieces(e, two.hosted, &b, other, &pieces));
        assert_int_equal(a.settled, b.settled);
        for (size_t i = 0; at_once == SERVED_DONE && i < a.decision_count; i++)
            assert_true(a.decisions[i].decision.arm == b.decisions[i].decision.arm &&
                        a.decisions[i].decision.propensity == b.decisions[i].decision.propensity);
        if (at_once == SERVED_DONE) one.count += a.decision_count;
        if (at_once == SERVED_DONE) two.count += b.decision_count;
        assert_same(save(one.hosted), save(two.hosted), "after a request");
    }
    assert_that(pieces > 10 * ROUNDS, "only %zu pieces", pieces);
    served_work a = {.expires = true, .age = 5}, b = a;
    assert_int_equal(engine_do(e, one.hosted, &a), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_int_equal(in_pieces(e, two.hosted, &b, other, &pieces), SERVED_DONE);
    assert_true(a.settled == b.settled && a.settled > 0);
    assert_same(save(one.hosted), save(two.hosted), "after expiry");
    assert_int_equal((int)one.hosted->served.rewards, (int)two.hosted->served.rewards);
    engine_counts counts = engine_count(e);
    assert_true(counts.served.rewards ==
                one.hosted->served.rewards + two.hosted->served.rewards + other->served.rewards);
    engine_close(e);
    e = opened(database);
    assert_same(save(engine_find(e, "one")), save(engine_find(e, "two")), "after a restart");
    closed(e);
}

LAW(requests_in_pieces_end_as_at_once) {
    json_t *points = json_loads("{\"points\": [[1, 0], [0, 1], [0.5, 0.5]]}", 0, NULL);
    json_t *joins = json_loads("{\"arms\": [\"x\", \"new\"], \"points\": [[1, 0], [0, 1]]}", 0, NULL);
    compare_twins(twins, NULL, NULL);
    compare_twins(contextual, points, joins);
    json_decref(points);
    json_decref(joins);
}

/* A list of rounds, in which one has a context that is wrong; -1: none has. */
static json_t *rounds_of(int wrong) {
    json_t *list = json_array();
    for (int i = 0; i < DECISIONS; i++) {
        double x = i * 0.1, y = i % 3;
        json_t *points = json_pack("[[ff][ff][ff]]", x, y, y, x, 0.5, 0.5);
        if (i == wrong) json_array_remove(points, 0);
        json_array_append_new(list, json_pack("{s{so}}", "context", "points", points));
    }
    return list;
}

LAW(lists_of_rounds_in_pieces_end_as_at_once) {
    json_t *rounds = rounds_of(-1), *wrong = rounds_of(17);
    compare_twins(contextual, rounds, rounds);
    compare_twins(contextual, rounds, wrong);
    json_decref(rounds);
    json_decref(wrong);
}

LAW(a_wrong_round_undoes_its_request_and_is_named_among_others) {
    static served_decision list[DECISIONS];
    json_t *rounds = rounds_of(17), *none = json_object();
    engine *e = begun();
    engine_work w = {.hosted = named(e, contextual, "one"),
                     .asked = {.rounds = rounds, .decision_count = DECISIONS, .decisions = list}};
    hosted *other = named(e, twins, "other");
    served_decision d;
    served_status status = engine_work_begin(e, &w);
    bool over = false;
    while (!over) {
        assert_int_equal(status, SERVED_DONE);
        assert_int_equal(ask_decide(e, other, 1, none, &d), SERVED_WRONG); /* with a problem of its own */
        status = engine_work_continue(e, &w, &over);
    }
    assert_int_equal(status, SERVED_WRONG);
    assert_int_equal((int)problems_kept(engine_problems(e)), 1);
    assert_string_equal(engine_problems(e)->list[0].path, "rounds[17].context.points");
    engine_work_finish(e, &w);
    assert_true(engine_commit(e));
    assert_true(posse_decision_count(engine_find(e, "one")->served.posse) == 0);
    json_decref(rounds);
    json_decref(none);
    closed(e);
}

/* ------------------------------------------------------ crashes -------------------------------------------------- */

/* What a start finds after a crash at this moment: the number of decisions of both posses. */
static void crash(uint64_t *of_one, uint64_t *of_other) {
    engine *e = copy_opened();
    *of_one = posse_decision_count(engine_find(e, "one")->served.posse);
    *of_other = posse_decision_count(engine_find(e, "other")->served.posse);
    copy_closed(e);
}

LAW(a_crash_leaves_a_request_in_pieces_whole_or_not_at_all) {
    static served_decision list[DECISIONS];
    engine *e = begun();
    engine_snapshot_after(e, 20); /* so that commits in between write snapshots */
    engine_work w = {.hosted = named(e, twins, "one"), .asked = {.decision_count = DECISIONS, .decisions = list}};
    hosted *other = named(e, twins, "other");
    served_decision d;
    uint64_t of_one, of_other, others = 0;
    bool over = false;
    assert_int_equal(ask_decide(e, w.hosted, 3, NULL, list), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_int_equal(engine_work_begin(e, &w), SERVED_DONE);
    while (!over) {
        assert_int_equal(engine_work_continue(e, &w, &over), SERVED_DONE);
        assert_int_equal(ask_decide(e, other, 1, NULL, &d), SERVED_DONE);
        assert_true(engine_commit(e));
        others++;
        crash(&of_one, &of_other);
        assert_that(of_one == 3, "%zu decisions of a request that is not whole are on disk", (size_t)of_one - 3);
        assert_true(of_other == others);
    }
    engine_work_finish(e, &w);
    crash(&of_one, &of_other);
    assert_true(of_one == 3);
    assert_true(engine_commit(e));
    crash(&of_one, &of_other);
    assert_true(of_one == 3 + DECISIONS && of_other == others);
    engine_close(e);
    e = opened(database);
    assert_true(posse_decision_count(engine_find(e, "one")->served.posse) == 3 + DECISIONS);
    closed(e);
}

/* A server that ends does not wait for ever. */
LAW(a_request_in_pieces_that_never_ends_has_not_happened) {
    static served_decision list[DECISIONS];
    engine *e = begun();
    engine_work w = {.hosted = named(e, twins, "one"), .asked = {.decision_count = DECISIONS, .decisions = list}};
    bool over;
    assert_int_equal(ask_decide(e, w.hosted, 3, NULL, list), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_int_equal(engine_work_begin(e, &w), SERVED_DONE);
    for (int i = 0; i < 5; i++) assert_int_equal(engine_work_continue(e, &w, &over), SERVED_DONE);
    engine_work_free(&w);
    engine_close(e);
    e = opened(database);
    assert_true(posse_decision_count(engine_find(e, "one")->served.posse) == 3);
    closed(e);
}

LAW(failed_commits_undo_their_own_requests_alone) {
    static served_decision list[DECISIONS];
    engine *e = begun();
    engine_work w = {.hosted = named(e, twins, "one"), .asked = {.decision_count = DECISIONS, .decisions = list}};
    hosted *other = named(e, twins, "other"), *twin = named(e, twins, "twin");
    served_decision d, made[DECISIONS];
    sqlite3 *lock;
    bool over = false;
    assert_int_equal(sqlite3_open(database, &lock), SQLITE_OK);
    assert_int_equal(engine_work_begin(e, &w), SERVED_DONE);
    assert_int_equal(sqlite3_exec(lock, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    while (!over) {
        assert_int_equal(engine_work_continue(e, &w, &over), SERVED_DONE);
        if (w.asked.decisions_done % 10 != 0) continue;
        assert_int_equal(ask_decide(e, other, 1, NULL, &d), SERVED_DONE);
        assert_false(engine_commit(e));
        assert_true(posse_decision_count(other->served.posse) == 0);
    }
    assert_int_equal(sqlite3_exec(lock, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(ask_decide(e, twin, DECISIONS, NULL, made), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_same(save(w.hosted), save(twin), "failures of others");
    uint64_t decisions = engine_count(e).served.decisions;
    assert_int_equal(sqlite3_exec(lock, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    engine_work_finish(e, &w);
    assert_true(engine_count(e).served.decisions == decisions + DECISIONS);
    assert_false(engine_commit(e));
    assert_true(posse_decision_count(w.hosted->served.posse) == 0);
    assert_true(engine_count(e).served.decisions == decisions);
    sqlite3_close(lock);
    assert_int_equal(ask_decide(e, w.hosted, DECISIONS, NULL, made), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_same(save(w.hosted), save(twin), "the same request again");
    closed(e);
}
