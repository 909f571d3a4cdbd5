/* SPDX-License-Identifier: MIT */
/*
 * Tests of decisions that are shown later, of events, which outlive their decisions, and of what is erased while they
 * wait.
 */
#include "databases.h"
#include "posse_modes.h"

#define DAY 86400

static served_decision deferred(engine *e, hosted *h) {
    served_decision d;
    served_work work = {.decision_count = 1, .decisions = &d, .visit = {.defer = true}};
    assert_int_equal(engine_do(e, h, &work), SERVED_DONE);
    return d;
}

static served_status activated(engine *e, hosted *h, const served_decision *d) {
    return engine_activate(e, h, &(served_reward){.token = d->token, .token_length = TOKEN_TEXT});
}

static size_t dropped(engine *e, hosted *h, uint64_t age) {
    served_work work = {.expires = true, .deferred = true, .age = age};
    assert_int_equal(engine_do(e, h, &work), SERVED_DONE);
    return work.settled;
}

/* ------------------------------------------------------- expiry --------------------------------------------------- */

/*
 * The clock does not touch a deferred decision before it is shown. Then it has the whole time, although no decision was
 * made in between, and although the server is killed.
 */
LAW(deferred_decisions_expire_from_their_activation) {
    engine *e = fresh();
    hosted *h = created(e, "{\"name\": \"x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"], "
                           "\"expire_seconds\": 60, \"expire_reward\": 0.25}");
    double begin = engine_now(e);
    decided(e, h);
    served_decision shown = deferred(e, h), never = deferred(e, h);
    assert_true(engine_commit(e));
    tick(e, begin, begin + 200.0);
    assert_int_equal(posse_pending_count(h->served.posse), 2); /* the plain one has expired */
    assert_int_equal(h->served.rewards, 1);
    e = killed(e);
    h = engine_find(e, "x");
    assert_int_equal(posse_deferred_count(h->served.posse), 2);
    assert_int_equal(learned(e, h, shown.token, 1.0), SERVED_CONFLICT);
    double before = engine_now(e);
    assert_int_equal(activated(e, h, &shown), SERVED_DONE);
    assert_int_equal(activated(e, h, &shown), SERVED_DONE); /* again */
    assert_true(engine_commit(e));
    double after = engine_now(e);
    e = killed(e); /* the time of the activation is in the log */
    h = engine_find(e, "x");
    engine_expire(e, before + 59.0);
    assert_int_equal(posse_pending_count(h->served.posse), 2);
    engine_snapshot_after(e, 1);
    assert_int_equal(learned(e, h, decided(e, h).token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    e = killed(e); /* and in the snapshot */
    h = engine_find(e, "x");
    engine_expire(e, before + 59.0);
    assert_int_equal(posse_pending_count(h->served.posse), 2);
    engine_expire(e, after + 62.0);
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    assert_true(engine_commit(e));
    assert_int_equal(answer("SELECT count(*) FROM log WHERE kind = 'expire' AND reward = 0.25"), 2);
    assert_int_equal(learned(e, h, shown.token, 1.0), SERVED_CONFLICT);
    engine_expire(e, after + 1e6);
    assert_int_equal(posse_deferred_count(h->served.posse), 1);
    assert_int_equal(dropped(e, h, 2), 0);
    assert_int_equal(dropped(e, h, 1), 1);
    assert_int_equal(activated(e, h, &never), SERVED_CONFLICT);
    assert_true(engine_commit(e));
    e = killed(e);
    assert_int_equal(posse_pending_count(engine_find(e, "x")->served.posse), 0);
    closed(e);
}

/* If the machine's time was put back, the time of a decision that was shown begins anew. */
LAW(shown_in_the_future_begins_now) {
    engine *e = fresh();
    hosted *h = created(e, "{\"name\": \"x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"], "
                           "\"expire_seconds\": 60}");
    served_decision d = deferred(e, h);
    assert_int_equal(activated(e, h, &d), SERVED_DONE);
    assert_true(engine_commit(e));
    tick(e, 1000.0, 1060.0);
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    tick(e, 1061.0, 1063.0);
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    closed(e);
}

/* Many that were shown between two decisions expire with one, and a kill changes nothing of it. */
LAW(many_shown_decisions_expire_with_one) {
    static served_decision list[300], two[2];
    engine *e = fresh();
    hosted *h = created(e, "{\"name\": \"x\", \"arms\": 3, \"prior\": \"beta\", \"learners\": [\"ucb\", \"thompson\"], "
                           "\"expire_after\": 2, \"expire_reward\": 0.5}");
    for (int i = 0; i < 300; i++) list[i] = deferred(e, h);
    for (int i = 300; i-- > 100;) assert_int_equal(activated(e, h, &list[i]), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_int_equal(ask_decide(e, h, 2, NULL, two), SERVED_DONE);
    assert_int_equal(posse_pending_count(h->served.posse), 102);
    assert_int_equal(h->served.rewards, 200);
    assert_int_equal(engine_count(e).served.expired, 200);
    assert_true(engine_commit(e));
    assert_int_equal(answer("SELECT count(*) FROM log WHERE kind = 'expire' AND reward = 0.5"), 200);
    double means[2][3];
    assert_int_equal(posse_means(h->served.posse, NULL, means[0]), POSSE_OK);
    e = killed(e);
    h = engine_find(e, "x");
    assert_int_equal(posse_pending_count(h->served.posse), 102);
    assert_int_equal(posse_means(h->served.posse, NULL, means[1]), POSSE_OK);
    assert_memory_equal(means[0], means[1], sizeof means[0]);
    closed(e);
}

/* Those that are never shown count as pending, and the refusal names them and the way out. */
LAW(deferred_decisions_are_limited) {
    engine *e = fresh();
    hosted *h = created(e, ads);
    for (int i = 0; i < 1000; i++) deferred(e, h);
    served_decision d;
    assert_int_equal(ask_decide(e, h, 1, NULL, &d), SERVED_CROWDED);
    const problems *found = engine_problems(e);
    assert_non_null(strstr(found->list[0].text, "1000 of them were deferred"));
    assert_int_equal(dropped(e, h, 500), 500);
    assert_int_equal(ask_decide(e, h, 1, NULL, &d), SERVED_DONE);
    closed(e);
}

/* ------------------------------------------------------- events --------------------------------------------------- */

#define MENU                                                                                                           \
    "{\"name\": \"menu\", \"arms\": [\"pasta\", \"soup\"], \"prior\": \"beta\", \"learners\": [\"thompson\"], "        \
    "\"record\": true}"

static void ranked(engine *e, hosted *h, const char *name, bool defer) {
    static char text[3000];
    memset(text, 'x', sizeof text);
    served_rank made = {.first = "pasta", .visit.defer = defer};
    assert_int_equal(engine_rank(e, h, &made), SERVED_DONE);
    assert_int_equal(engine_event_add(e, h, name, &made, 7, text, sizeof text), SERVED_DONE);
}

/* An event lasts until it is shown, and then for a day and its window from there, so that its reward may be repeated.
 */
LAW(events_last_from_their_activation) {
    engine *e = fresh();
    hosted *h = created(e, MENU);
    ranked(e, h, "late", true);
    ranked(e, h, "never", true);
    assert_true(engine_commit(e));
    execute("UPDATE event SET at = at - 10 * 86400");
    int64_t now = answer("SELECT max(at) FROM log");
    tidied(e, now);
    assert_int_equal(answer("SELECT count(*) FROM event"), 2);
    assert_int_equal(engine_event_reward(e, h, "late", 1.0), SERVED_CONFLICT);
    assert_int_equal(engine_event_activate(e, h, "late"), SERVED_DONE);
    assert_int_equal(engine_event_activate(e, h, "late"), SERVED_DONE);
    assert_int_equal(engine_event_reward(e, h, "late", 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    e = killed(e);
    h = engine_find(e, "menu");
    tidied(e, now + 1000);
    assert_int_equal(engine_event_reward(e, h, "late", 1.0), SERVED_DONE); /* again */
    assert_int_equal(engine_event_activate(e, h, "late"), SERVED_DONE);
    tidied(e, now + 2 * DAY);
    assert_int_equal(engine_event_reward(e, h, "late", 1.0), SERVED_ABSENT);
    assert_int_equal(engine_event_reward(e, h, "never", 1.0), SERVED_CONFLICT);
    closed(e);
}

/* Answers, which are most of an event, end with their records. The events themselves can still get their rewards. */
LAW(events_are_part_of_the_size_of_the_log) {
    limits.log_size = 1;
    engine *e = fresh();
    hosted *h = created(e, MENU);
    engine_snapshot_after(e, 1);
    for (int i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof name, "visit %d", i);
        ranked(e, h, name, i % 2 == 0);
        assert_true(engine_commit(e));
    }
    int64_t before = answer("SELECT sum(length(answer)) FROM event");
    tidied(e, answer("SELECT max(at) FROM log"));
    assert_int_equal(before, 50 * 3000);
    assert_int_equal(answer("SELECT count(*) FROM log"), 0);
    assert_int_equal(answer("SELECT count(*) FROM event"), 50);
    assert_int_equal(answer("SELECT sum(length(answer)) FROM event"), 0);
    assert_int_equal(engine_event_activate(e, h, "visit 4"), SERVED_DONE);
    assert_int_equal(engine_event_reward(e, h, "visit 4", 1.0), SERVED_DONE);
    assert_int_equal(engine_event_reward(e, h, "visit 5", 1.0), SERVED_DONE);
    closed(e);
    limits.log_size = 0;
}

/* Events of a posse that was dropped go with it, and others stay. */
LAW(events_of_dropped_posses_go_at_once) {
    engine *e = fresh();
    hosted *h = created(e, MENU), *other = created(e, "{\"name\": \"other\", \"arms\": 2, \"prior\": \"beta\", "
                                                      "\"learners\": [\"thompson\"]}");
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "visit %d", i);
        ranked(e, h, name, false);
    }
    served_rank made = {.first = "0"};
    assert_int_equal(engine_rank(e, other, &made), SERVED_DONE);
    assert_int_equal(engine_event_add(e, other, "visit", &made, 7, "{}", 2), SERVED_DONE);
    assert_true(engine_commit(e));
    tidied(e, answer("SELECT max(at) FROM log"));
    assert_int_equal(answer("SELECT count(*) FROM event"), 21);
    assert_int_equal(engine_drop(e, h), SERVED_DONE);
    assert_true(engine_commit(e));
    e = killed(e); /* before anything was tidied */
    tidied(e, answer("SELECT max(at) FROM log"));
    assert_int_equal(answer("SELECT count(*) FROM event"), 1);
    closed(e);
}

/* A rank whose answer could not be made leaves no decision that would wait for a reward. */
LAW(a_rank_without_an_answer_is_forgotten) {
    engine *e = fresh();
    hosted *h = created(e, MENU);
    served_rank made = {.first = "pasta"};
    assert_int_equal(engine_rank(e, h, &made), SERVED_DONE);
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    engine_rank_undo(e, h, &made);
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    assert_true(engine_commit(e));
    e = killed(e);
    h = engine_find(e, "menu");
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    assert_int_equal(posse_decision_count(h->served.posse), 1);
    assert_int_equal(learned(e, h, made.decision.token, 1.0), SERVED_CONFLICT);
    closed(e);
}

/* ------------------------------------------------------ erasing --------------------------------------------------- */

static served_status erased(engine *e, hosted *h, const char *unit, bool *known) {
    reshape asked = {.kind = RESHAPE_ERASE, .name = unit};
    served_status status = engine_reshape(e, h, &asked);
    *known = asked.known;
    return status;
}

static served_decision decided_for(engine *e, hosted *h, const char *unit, double feature) {
    json_t *context = json_pack("{s:[f, f]}", "shared", 1.0, feature);
    served_decision d;
    served_work work = {
        .decision_count = 1, .source = context, .decisions = &d, .visit = {.unit = unit, .defer = true}};
    assert_int_equal(engine_do(e, h, &work), SERVED_DONE);
    json_decref(context);
    return d;
}

static void acted_on(engine *e, hosted *h, const served_decision *d, double feature) {
    json_t *context = json_pack("{s:[f, f]}", "shared", 1.0, feature);
    served_reward which = {.token = d->token, .token_length = strlen(d->token)};
    served_play play = {.arm = (d->decision.arm + 1) % 3, .source = context};
    assert_int_equal(engine_acted(e, h, &which, &play), SERVED_DONE);
    assert_true(engine_commit(e));
    json_decref(context);
}

static bool file_has(const char *text) {
    char command[300];
    snprintf(command, sizeof command, "grep -aqF '%s' %s %s-wal 2>/dev/null", text, database, database);
    return system(command) == 0;
}

#define VISITS                                                                                                         \
    "{\"name\": \"a\", \"arms\": 3, \"context\": 2, \"prior\": \"linear\", \"learners\": [\"linear-ucb\", "            \
    "\"linear-thompson\"]}"

/*
 * What belongs to one unit is gone, although a kill comes first and the record of the play is far behind its decision
 * in the log. Others keep everything, and the features of an erased decision are not taken from the one before it.
 */
LAW(a_unit_is_erased_alone) {
    static served_decision many[900];
    engine *e = fresh();
    hosted *h = created(e, VISITS);
    json_t *units = json_pack("{s:i, s:i}", "units", 100, "sticky_rounds", 1000000),
           *plain = json_pack("{s:[f, f]}", "shared", 1.0, 0.5);
    assert_int_equal(engine_reshape(e, h, &(reshape){.kind = RESHAPE_MODES, .value = units}), SERVED_DONE);
    served_decision other = decided_for(e, h, "bob-4711", 0.2468013579),
                    d = decided_for(e, h, "ann-0815", 0.8765432101);
    assert_true(engine_commit(e));
    for (int i = 0; i < 12; i++) { /* more than a piece of the erasure */
        assert_int_equal(ask_decide(e, h, 900, plain, many), SERVED_DONE);
        for (size_t k = 0; k < 900; k++) assert_int_equal(forgotten(e, h, many[k].token), SERVED_DONE);
        assert_true(engine_commit(e));
    }
    acted_on(e, h, &d, 0.8765432101);
    acted_on(e, h, &other, 0.2468013579);
    assert_int_equal(learned(e, h, d.token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    bool known;
    assert_int_equal(erased(e, h, "", &known), SERVED_WRONG);
    assert_int_equal(erased(e, h, "ann-0815", &known), SERVED_DONE);
    assert_true(known);
    assert_int_equal(erased(e, h, "never-seen", &known), SERVED_DONE);
    assert_false(known);
    assert_true(engine_commit(e));
    e = killed(e); /* before anything was erased */
    h = engine_find(e, "a");
    assert_int_equal(posse_unit_count(h->served.posse), 1);
    tidied(e, 1000);
    assert_int_equal(answer("SELECT count(*) FROM erasing") + answer("SELECT count(*) FROM erasing_decision"), 0);
    char command[300];
    snprintf(command, sizeof command, "! grep -aqE 'ann-0815|never-seen|0.8765432101' %s %s-wal 2>/dev/null", database,
             database);
    assert_int_equal(system(command), 0);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE unit = 'bob-4711'"), 1);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE body LIKE '%0.2468013579%'"), 2);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE body = ''"), 2);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE kind = 'learn' AND reward = 1"), 1);
    assert_int_equal(learned(e, h, other.token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    json_decref(units);
    json_decref(plain);
    closed(killed(e));
}

/*
 * Features of an erased unit that are reported later are not kept: neither those that come while the erasure is under
 * way, nor those that come after it and after a restart. What the unit does after its erasure is kept.
 */
LAW(plays_of_an_erased_unit_are_not_kept) {
    engine *e = fresh();
    hosted *h = created(e, VISITS);
    served_decision soon = decided_for(e, h, "ann", 0.5), late = decided_for(e, h, "ann", 0.5),
                    settled = decided_for(e, h, "ann", 0.5), other = decided_for(e, h, "bob", 0.5);
    assert_true(engine_commit(e));
    bool known;
    assert_int_equal(erased(e, h, "ann", &known), SERVED_DONE);
    assert_true(engine_commit(e));
    acted_on(e, h, &soon, 0.1122334455);
    served_decision again = decided_for(e, h, "ann", 0.6677889911);
    assert_true(engine_commit(e));
    tidied(e, 1000);
    e = killed(e);
    h = engine_find(e, "a");
    assert_int_equal(posse_pending_count(h->served.posse), 5);
    assert_int_equal(forgotten(e, h, settled.token), SERVED_DONE);
    acted_on(e, h, &late, 0.2233445566);
    acted_on(e, h, &other, 0.3344556677);
    acted_on(e, h, &again, 0.4455667788);
    double means[2][3];
    assert_int_equal(learned(e, h, late.token, 1.0), SERVED_DONE);
    assert_int_equal(learned(e, h, soon.token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    posse_context round = {.shared = (double[]){1.0, 0.5}};
    assert_int_equal(posse_means(h->served.posse, &round, means[0]), POSSE_OK);
    tidied(e, 1000);
    assert_false(file_has("0.1122334455") || file_has("0.2233445566"));
    assert_int_equal(answer("SELECT count(*) FROM log WHERE body LIKE '%0.3344556677%'"), 1);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE body LIKE '%0.4455667788%'"), 1);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE unit = 'ann'"), 1);
    e = killed(e);
    h = engine_find(e, "a");
    assert_int_equal(posse_pending_count(h->served.posse), 2);
    assert_int_equal(posse_means(h->served.posse, &round, means[1]), POSSE_OK);
    assert_memory_equal(means[0], means[1], sizeof means[0]);
    e = killed(e);
    assert_int_equal(answer("SELECT count(*) FROM erasing_decision"), 0);
    closed(e);
}

/* Another process that reads the database keeps the write-ahead log as it is. Once it has gone, the erased bytes go.
 */
LAW(what_was_erased_goes_when_no_one_reads_it) {
    engine *e = fresh();
    hosted *h = created(e, VISITS);
    decided_for(e, h, "ann", 0.1122334455);
    assert_true(engine_commit(e));
    sqlite3 *other;
    assert_int_equal(sqlite3_open(database, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM log", NULL, NULL, NULL), SQLITE_OK);
    bool known;
    assert_int_equal(erased(e, h, "ann", &known), SERVED_DONE);
    assert_true(engine_commit(e));
    tidied(e, 1000);
    assert_true(file_has("0.1122334455"));
    sqlite3_close(other);
    tidied(e, 1001);
    assert_false(file_has("0.1122334455"));
    closed(e);
}
