/* SPDX-License-Identifier: MIT */
/*
 * Tests of the engine: tokens that cannot be confused or forged, and a table of posses that survives crashes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "databases.h"

/* ---------------------------------------------------- the engine ------------------------------------------------- */

LAW(a_reward_may_be_repeated_but_not_changed) {
    engine *e = fresh();
    hosted *h = created(e, ads);
    served_decision a = decided(e, h), b = decided(e, h), c = decided(e, h);
    assert_int_equal(learned(e, h, a.token, 1.0), SERVED_DONE);
    for (int committed = 0; committed < 3; committed++) { /* in the batch, after it, and after a restart */
        assert_int_equal(learned(e, h, a.token, 1.0), SERVED_DONE);
        assert_int_equal(learned(e, h, a.token, 0.0), SERVED_CONFLICT);
        assert_int_equal(forgotten(e, h, a.token), SERVED_CONFLICT);
        assert_int_equal(forgotten(e, h, b.token), SERVED_DONE);
        assert_int_equal(learned(e, h, b.token, 0.0), SERVED_CONFLICT);
        assert_true(engine_commit(e));
        if (committed == 1) {
            engine_close(e);
            e = opened(database);
            h = engine_find(e, "ads");
        }
    }
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    assert_int_equal(learned(e, h, c.token, 0.5), SERVED_DONE); /* made before the restart, and still pending */
    assert_int_equal(learned(e, h, "AAAAAAAAAAAAAAAAAAAAAAAA", 0.5), SERVED_TOKEN);
    assert_int_equal(learned(e, h, "short", 0.5), SERVED_TOKEN);
    closed(e);
}

/* A reward that the library rejects must not be in the log either, because the log could not be replayed. */
LAW(rewards_that_cannot_be_learned_are_refused) {
    engine *e = fresh();
    hosted *h = created(e, "{\"name\": \"shop\", \"arms\": 3, \"prior\": \"gamma\", \"learners\": [\"thompson\"]}");
    served_decision a = decided(e, h);
    assert_int_equal(learned(e, h, a.token, -1.0), SERVED_REWARD);
    assert_int_equal(learned(e, h, a.token, NAN), SERVED_REWARD);
    assert_int_equal(learned(e, h, a.token, 12.0), SERVED_DONE);
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    assert_true(engine_commit(e));
    closed(e);
}

/* A decision of the test below, and how it was settled. */
typedef struct settled_one {
    served_decision made;
    int posse; /* its index in settled_posses */
    double reward;
    bool forgotten;
} settled_one;

#define SETTLED 1500
#define SETTLED_POSSES 3

static uint32_t next_die(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static settled_one all_settled[SETTLED];
static hosted *settled_posses[SETTLED_POSSES];

/* Makes decisions of several posses in random turn, and shuffles them. */
static void make_decisions(engine *e, uint32_t *dice) {
    for (int i = 0; i < SETTLED; i++) {
        settled_one one = {.posse = (int)(next_die(dice) % SETTLED_POSSES), .reward = i % 2};
        assert_int_equal(ask_decide(e, settled_posses[one.posse], 1, NULL, &one.made), SERVED_DONE);
        int other = (int)(next_die(dice) % (uint32_t)(i + 1));
        all_settled[i] = all_settled[other];
        all_settled[other] = one;
    }
}

static served_status settle_one(engine *e, const settled_one *one, bool forget, double reward) {
    hosted *h = settled_posses[one->posse];
    return forget ? forgotten(e, h, one->made.token) : learned(e, h, one->made.token, reward);
}

/* Decisions are settled in any order, in commits of any size. The engine finds how each of them was settled. */
LAW(how_a_decision_was_settled_is_found_again) {
    static const char *const texts[SETTLED_POSSES] = {
        ads, "{\"name\": \"two\", \"arms\": 3, \"prior\": \"beta\", \"learners\": [\"ucb\"]}",
        "{\"name\": \"three\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"]}"};
    uint32_t dice = 5;
    engine *e = fresh();
    for (int i = 0; i < SETTLED_POSSES; i++) settled_posses[i] = created(e, texts[i]);
    make_decisions(e, &dice);
    for (int i = 0; i < SETTLED; i++) {
        settled_one *one = &all_settled[i];
        one->forgotten = next_die(&dice) % 10 == 0;
        assert_int_equal(settle_one(e, one, one->forgotten, one->reward), SERVED_DONE);
        if (next_die(&dice) % 50 == 0) assert_true(engine_commit(e));
    }
    assert_true(engine_commit(e));
    engine_counts before = engine_count(e);
    for (int i = 0; i < SETTLED; i++) {
        const settled_one *one = &all_settled[i];
        assert_int_equal(settle_one(e, one, one->forgotten, one->reward), SERVED_DONE);
        assert_int_equal(settle_one(e, one, false, 1.0 - one->reward), SERVED_CONFLICT);
        assert_int_equal(settle_one(e, one, !one->forgotten, one->reward), SERVED_CONFLICT);
    }
    assert_int_equal(engine_count(e).served.repeats - before.served.repeats, SETTLED);
    assert_int_equal(engine_count(e).served.rewards, before.served.rewards);
    closed(e);
}

LAW(a_request_with_one_wrong_reward_changes_nothing) {
    engine *e = fresh();
    hosted *h = created(e, ads);
    served_decision d[3];
    assert_int_equal(ask_decide(e, h, 3, NULL, d), SERVED_DONE);
    served_reward list[3];
    for (int i = 0; i < 3; i++) {
        list[i] = (served_reward){.token = d[i].token, .token_length = TOKEN_TEXT, .reward = 0.5};
        snprintf(list[i].path, sizeof list[i].path, "rewards[%d]", i);
    }
    list[2].reward = 2.0; /* the belief takes 0 to 1 */
    assert_int_equal(ask_learn(e, h, list, 3), SERVED_REWARD);
    assert_string_equal(engine_problems(e)->list[0].path, "rewards[2].reward");
    list[2] = list[0];
    list[2].reward = 0.25; /* a contradiction */
    assert_int_equal(ask_learn(e, h, list, 3), SERVED_CONFLICT);
    assert_int_equal(posse_pending_count(h->served.posse), 3);
    list[2].reward = 0.5; /* a repetition */
    assert_int_equal(ask_learn(e, h, list, 3), SERVED_DONE);
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    closed(e);
}

LAW(wrong_descriptions_are_told_by_path) {
    static const struct {
        const char *text, *path;
    } wrong[] = {
        {"{\"name\": \"x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [{\"kind\": \"ucb\", \"width\": -1}]}",
         "learners[0].width"},
        {"{\"name\": \"x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [{\"kind\": \"ubc\"}]}",
         "learners[0].kind"},
        {"{\"name\": \"../x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"]}", "name"},
        {"{\"name\": \"x\", \"arms\": \"two\", \"prior\": \"beta\", \"learners\": [\"ucb\"]}", "arms"},
        {"{\"name\": \"x\", \"arms\": 2, \"priro\": \"beta\", \"learners\": [\"ucb\"]}", "priro"},
        {"{\"name\": \"x\", \"arms\": 2, \"prior\": {\"kind\": \"particles\", \"file\": \"/dev/zero\"}, \"learners\": "
         "[\"thompson\"]}",
         "prior.file"},
        {"[1, 2]", ""},
        {"{\"name\": ", ""},
        {"", ""},
    };
    engine *e = fresh();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hosted *h = NULL;
        assert_int_equal(engine_create(e, wrong[i].text, strlen(wrong[i].text), &h), SERVED_WRONG);
        problems *found = engine_problems(e);
        problems_sort(found);
        assert_that(strcmp(found->list[0].path, wrong[i].path) == 0, "%s: the path is \"%s\": %s", wrong[i].text,
                    found->list[0].path, found->list[0].text);
    }
    assert_int_equal(engine_posses(e), 0);
    assert_false(engine_has_changes(e));
    closed(e);
}

/* No client reaches the parser of YAML, whatever it sends. */
LAW(descriptions_of_clients_are_json_alone) {
    static const char *const texts[] = {
        "name: b\narms: 4\nprior: beta\nlearners:\n- {kind: ucb, width: 0.3}\n- thompson\n",
        "{name: b, arms: 4, prior: beta, learners: [ucb, thompson]}",
        "{\"name\": \"b\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\"],}",
        "# JSON has no comments\n{\"name\": \"b\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\"]}",
        "%YAML 1.2\n--- {\"name\": \"b\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\"]}",
        "{\"name\": &a \"b\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"ucb\"]}",
    };
    engine *e = fresh();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hosted *h = NULL;
        assert_int_equal(engine_create(e, texts[i], strlen(texts[i]), &h), SERVED_WRONG);
        assert_int_equal(engine_problems(e)->count, 1);
        assert_that(strncmp(engine_problems(e)->list[0].text, "this is not JSON: line ", 23) == 0, "%s: %s", texts[i],
                    engine_problems(e)->list[0].text);
    }
    assert_int_equal(engine_posses(e), 0);
    closed(e);
}

LAW(at_most_so_many_decisions_are_pending) {
    static served_decision d[1001];
    engine *e = fresh();
    hosted *h = created(e, ads);
    assert_int_equal(ask_decide(e, h, 1001, NULL, d), SERVED_CROWDED);
    assert_int_equal(ask_decide(e, h, 1000, NULL, d), SERVED_DONE);
    assert_int_equal(ask_decide(e, h, 1, NULL, d), SERVED_CROWDED);
    assert_int_equal(posse_decision_count(h->served.posse), 1000);
    closed(e);
}

#define SHORT_LIVED                                                                                                    \
    "{\"name\": \"x\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [\"ucb\"], \"expire_seconds\": 60"

/* Rewards that were learned before, or stand twice in a turn, settle nothing: only open ones make room. */
LAW(repeated_rewards_make_no_room_for_decisions) {
    static served_decision d[1000], more[2];
    static served_reward list[500];
    engine *e = fresh();
    hosted *h = created(e, ads);
    assert_int_equal(ask_decide(e, h, 1000, NULL, d), SERVED_DONE);
    for (int i = 0; i < 500; i++)
        list[i] = (served_reward){.token = d[0].token, .token_length = TOKEN_TEXT, .reward = 1.0};
    assert_int_equal(ask_turn(e, h, list, 500, 2, more), SERVED_CROWDED);
    assert_int_equal(posse_pending_count(h->served.posse), 1000);
    assert_int_equal(ask_turn(e, h, list, 500, 1, more), SERVED_DONE);
    for (int committed = 0; committed < 2; committed++) {
        assert_int_equal(ask_turn(e, h, list, 500, 1, more), SERVED_CROWDED);
        assert_int_equal(posse_pending_count(h->served.posse), 1000);
        assert_true(engine_commit(e));
    }
    closed(e);
}

LAW(decisions_expire_by_the_clock) {
    engine *e = fresh();
    hosted *h = created(e, SHORT_LIVED "}");
    engine_expire(e, 1000.0);
    served_decision old = decided(e, h);
    engine_expire(e, 1010.0);
    served_decision young = decided(e, h);
    engine_expire(e, 1065.0);
    assert_int_equal(posse_pending_count(h->served.posse), 2);
    engine_expire(e, 1071.0);
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    assert_true(engine_commit(e));
    assert_int_equal(learned(e, h, old.token, 1.0), SERVED_CONFLICT);
    engine_close(e);
    e = opened(database);
    h = engine_find(e, "x");
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    assert_int_equal(learned(e, h, old.token, 1.0), SERVED_CONFLICT);
    assert_int_equal(learned(e, h, young.token, 1.0), SERVED_DONE);
    closed(e);
}

/* The newest decision expires, too, and then nothing is written any more. */
LAW(the_newest_decision_expires_by_the_clock) {
    engine *e = fresh();
    hosted *h = created(e, SHORT_LIVED ", \"expire_reward\": 0}");
    served_decision only = decided(e, h);
    assert_true(engine_commit(e));
    assert_true(tick(e, 1000.0, 1059.0) <= 1); /* the time of the decision */
    assert_int_equal(posse_pending_count(h->served.posse), 1);
    assert_int_equal(tick(e, 1060.0, 1070.0), 1);
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    assert_int_equal(h->served.rewards, 1);
    assert_int_equal(engine_count(e).served.expired, 1);
    assert_int_equal(tick(e, 1071.0, 1400.0), 0);
    assert_int_equal(learned(e, h, only.token, 1.0), SERVED_CONFLICT);
    closed(e);
}

LAW(ages_survive_restarts) {
    engine *e = fresh();
    hosted *h = created(e, SHORT_LIVED "}");
    for (int start = 0; start < 6; start++) {
        h = engine_find(e, "x");
        decided(e, h);
        assert_true(engine_commit(e));
        assert_int_equal(posse_pending_count(h->served.posse),
                         start < 3 ? start + 1 : 3); /* 60 s, and 20 between starts */
        tick(e, 1000.0 + 20.0 * start, 1020.0 + 20.0 * start);
        engine_close(e);
        e = opened(database);
    }
    h = engine_find(e, "x");
    tick(e, 5.0, 64.0); /* the machine's time was put back: the time begins anew */
    assert_true(posse_pending_count(h->served.posse) > 0);
    tick(e, 65.0, 66.0);
    assert_int_equal(posse_pending_count(h->served.posse), 0);
    closed(e);
}

/* --------------------------------------------------- the log ----------------------------------------------------- */

/* What an export has of a posse. */
typedef struct exported {
    uint64_t rewards, with_probability, contexts;
    double sum;
} exported;

static void take_reward(void *context, const store_row *row) {
    exported *x = context;
    x->rewards++;
    x->with_probability += row->propensity > 0.0;
    x->contexts += row->body != NULL;
    x->sum += row->reward;
}

static exported export_of(const char *name) {
    char why[200];
    bool found;
    exported x = {0};
    store *s = store_open_to_read(database, why);
    assert_that(s != NULL, "%s", why);
    assert_true(store_each_reward(s, name, &found, take_reward, &x) && found);
    store_close(s);
    return x;
}

/* Rewards of decisions that expire are counted and exported as those that clients send. */
LAW(what_expires_with_a_reward_is_in_every_figure) {
    engine *e = fresh();
    hosted *h =
        created(e, "{\"name\": \"clicks\", \"arms\": 3, \"prior\": \"beta\", \"learners\": [\"ucb\", \"thompson\"], "
                   "\"selector\": {\"kind\": \"bms\", \"floor\": 0.3}, \"expire_after\": 20, "
                   "\"expire_reward\": 0}");
    int clicks = 0;
    for (int n = 0; n < 3000; n++) {
        served_decision d = decided(e, h);
        if (clicks < 493 && n % 6 == 0) {
            assert_int_equal(learned(e, h, d.token, 1.0), SERVED_DONE);
            clicks++;
        }
        if (n % 100 == 0) assert_true(engine_commit(e));
    }
    assert_true(engine_commit(e));
    uint64_t expired = 3000 - 493 - posse_pending_count(h->served.posse);
    assert_int_equal(h->served.rewards, 493 + expired);
    assert_true(h->served.reward_sum == 493.0);
    assert_int_equal(engine_count(e).served.rewards, 493 + expired);
    assert_int_equal(engine_count(e).served.expired, expired);
    exported x = export_of("clicks");
    assert_int_equal(x.rewards, 493 + expired);
    assert_int_equal(x.with_probability, x.rewards);
    assert_true(x.sum == 493.0);
    closed(e);
}

/* Estimates come from the log when decisions are replayed, and reach the records of rewards. */
LAW(estimated_propensities_are_not_drawn_again) {
    engine *e = fresh();
    hosted *h = created(e, "{\"name\": \"x\", \"arms\": 4, \"prior\": \"beta\", \"learners\": [\"thompson\", \"ucb\"], "
                           "\"propensity_draws\": 50}");
    served_decision d[20];
    assert_int_equal(ask_decide(e, h, 20, NULL, d), SERVED_DONE);
    for (int i = 0; i < 10; i++) assert_int_equal(learned(e, h, d[i].token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    exported x = export_of("x");
    assert_int_equal(x.with_probability, 10);
    execute("UPDATE log SET propensity = 0.125 WHERE kind = 'decide'"); /* what no estimate of 50 draws can be */
    e = killed(e);
    h = engine_find(e, "x");
    for (int i = 10; i < 20; i++) {
        posse_pending kept;
        assert_int_equal(posse_pending_find(h->served.posse, d[i].decision.id, &kept), POSSE_OK);
        assert_true(kept.propensity == 0.125);
    }
    closed(e);
}

/* The context of a request is on disk once, and every decision of the request has it all the same. */
LAW(a_request_writes_its_context_once) {
    engine *e = fresh();
    hosted *h =
        created(e, "{\"name\": \"x\", \"arms\": 3, \"context\": 2, \"prior\": {\"kind\": \"linear\", \"model\": "
                   "\"disjoint\", \"precision\": 1, \"noise\": 1}, \"learners\": [\"linear-ucb\"], "
                   "\"selector\": {\"kind\": \"bms\", \"floor\": 0.3}}");
    served_decision d[2][200];
    for (int k = 0; k < 2; k++) {
        json_t *source = json_pack("{s[ii]}", "shared", 1, k);
        assert_int_equal(ask_decide(e, h, 200, source, d[k]), SERVED_DONE);
        json_decref(source);
    }
    assert_true(engine_commit(e));
    assert_int_equal(answer("SELECT count(*) FROM log WHERE kind = 'decide'"), 400);
    assert_int_equal(answer("SELECT count(body) FROM log"), 2);
    e = killed(e);
    h = engine_find(e, "x");
    assert_int_equal(posse_pending_count(h->served.posse), 400);
    for (int i = 0; i < 200; i++)
        for (int k = 0; k < 2; k++) assert_int_equal(learned(e, h, d[k][i].token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    exported x = export_of("x");
    assert_int_equal(x.contexts, 400);
    closed(e);
}

/* ------------------------------------------------------- tidying -------------------------------------------------- */

/* Old records go once snapshots include them. What is left recovers to the same posse, and lsns are not used again. */
LAW(old_records_are_deleted_when_no_recovery_needs_them) {
    limits.log_days = 1;
    engine *e = fresh();
    hosted *h = created(e, ads);
    char first[TOKEN_TEXT + 1];
    for (int i = 0; i < 50; i++) {
        served_decision d = decided(e, h);
        if (i == 0) memcpy(first, d.token, sizeof first);
        assert_int_equal(learned(e, h, d.token, 0.5), SERVED_DONE);
        assert_true(engine_commit(e));
    }
    int64_t now = answer("SELECT max(at) FROM log");
    tidied(e, now + 100);
    assert_int_equal(answer("SELECT count(*) FROM log"), 50); /* young */
    tidied(e, now + 100 + 86400);
    assert_int_equal(answer("SELECT count(*) FROM log"), 50); /* above the floor: recovery needs them */
    engine_snapshot_after(e, 1);
    served_decision last = decided(e, h);
    assert_int_equal(learned(e, h, last.token, 0.5), SERVED_DONE);
    assert_true(engine_commit(e));
    tidied(e, now + 200 + 86400);
    assert_int_equal(answer("SELECT count(*) FROM log"), 0);
    assert_int_equal(answer("SELECT count(*) FROM settled"), 0);
    assert_int_equal(answer("SELECT trimmed FROM about"), 51);
    assert_int_equal(learned(e, h, first, 0.5), SERVED_CONFLICT); /* a repetition, but the log does not have it */
    size_t length = 0, again = 0;
    assert_int_equal(posse_save(h->served.posse, NULL, &length), POSSE_OK);
    engine_snapshot_after(e, 50000);
    e = killed(e);
    h = engine_find(e, "ads");
    assert_int_equal(posse_decision_count(h->served.posse), 51);
    assert_int_equal(posse_save(h->served.posse, NULL, &again), POSSE_OK);
    assert_int_equal(length, again);
    served_decision d = decided(e, h);
    assert_int_equal(learned(e, h, d.token, 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    assert_int_equal(answer("SELECT min(lsn) FROM log"), 52);
    e = killed(e);
    assert_int_equal(posse_decision_count(engine_find(e, "ads")->served.posse), 52);
    closed(e);
    limits.log_days = 0;
}

/* An event whose decision has no record in the log is not as old as the record before it, which may be deleted. */
LAW(events_outlive_the_log_before_them) {
    static const char described[] = "{\"name\": \"menu\", \"arms\": [\"pasta\", \"soup\"], \"prior\": \"beta\", "
                                    "\"learners\": [\"thompson\"]}";
    limits.log_days = 1;
    engine *e = fresh();
    hosted *h = created(e, described);
    engine_snapshot_after(e, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(learned(e, h, decided(e, h).token, 0.5), SERVED_DONE);
        assert_true(engine_commit(e));
    }
    int64_t now = answer("SELECT max(at) FROM log");
    tidied(e, now + 100 + 86400);
    assert_int_equal(answer("SELECT count(*) FROM log"), 0);
    served_rank made = {.first = "pasta"};
    assert_int_equal(engine_rank(e, h, &made), SERVED_DONE);
    assert_int_equal(engine_event_add(e, h, "visit", &made, 7, "{}", 2), SERVED_DONE);
    assert_int_equal(engine_event_reward(e, h, "visit", 1.0), SERVED_DONE);
    assert_true(engine_commit(e));
    tidied(e, now + 200);
    assert_int_equal(engine_event_reward(e, h, "visit", 1.0), SERVED_DONE); /* again */
    tidied(e, now + 300 + 2 * 86400);
    assert_int_equal(engine_event_reward(e, h, "visit", 1.0), SERVED_ABSENT);
    closed(e);
    limits.log_days = 0;
}

/* Contexts of a living posse and of a deleted one are gone, also from the bytes of the file; everything else stays. */
LAW(erased_contexts_are_gone) {
    static const char described[] = "{\"name\": \"a\", \"arms\": 3, \"context\": 2, \"prior\": \"linear\", "
                                    "\"learners\": [\"linear-ucb\", \"linear-thompson\"]}";
    engine *e = fresh();
    hosted *h = created(e, described);
    json_t *context = json_pack("{s:[f, f]}", "shared", 0.8765432101, 0.1357924680);
    served_decision d[4];
    for (int round = 0; round < 2; round++) {
        assert_int_equal(ask_decide(e, h, 4, context, d), SERVED_DONE);
        for (int i = 0; i < 3; i++) assert_int_equal(learned(e, h, d[i].token, 1.0), SERVED_DONE);
        assert_true(engine_commit(e));
    }
    assert_int_equal(answer("SELECT count(body) FROM log"), 2);
    bool known;
    assert_int_equal(ask_erase(e, h, NULL, &known), SERVED_DONE);
    assert_true(engine_commit(e));
    e = killed(e); /* a kill before anything was erased */
    h = engine_find(e, "a");
    tidied(e, 1000);
    assert_int_equal(answer("SELECT count(body) FROM log"), 0);
    assert_int_equal(answer("SELECT count(*) FROM log WHERE kind = 'learn'"), 6);
    assert_int_equal(answer("SELECT count(*) FROM erasing"), 0);
    char command[200];
    snprintf(command, sizeof command, "! grep -aq 0.8765432101 %s %s-wal 2>/dev/null", database, database);
    assert_int_equal(system(command), 0);
    assert_int_equal(posse_pending_count(h->served.posse), 2);
    assert_int_equal(learned(e, h, d[3].token, 1.0), SERVED_DONE); /* pending decisions keep their features */
    assert_int_equal(ask_decide(e, h, 1, context, d), SERVED_DONE);
    assert_true(engine_commit(e));
    e = killed(e);
    assert_int_equal(posse_decision_count(engine_find(e, "a")->served.posse), 9);
    assert_int_equal(engine_drop(e, engine_find(e, "a")), SERVED_DONE);
    assert_true(engine_commit(e));
    tidied(e, 1000);
    assert_int_equal(answer("SELECT count(body) FROM log"), 0);
    assert_int_equal(system(command), 0);
    json_decref(context);
    closed(e);
}

/* Features as pairs decide as a list does, in any order of their keys. Sparse contexts outlive a kill. */
LAW(features_may_be_sent_as_pairs) {
    static const char full[] = "{\"name\": \"full\", \"arms\": 3, \"context\": 4, \"prior\": \"linear\", "
                               "\"learners\": [\"linear-ucb\", \"sgd-bag\"]}",
                      sparse[] = "{\"name\": \"sparse\", \"arms\": 3, \"context\": 16777216, \"nonzeros\": 5, "
                                 "\"prior\": \"logistic\", \"learners\": [\"logistic-ucb\", \"sgd-bag\"]}";
    engine *e = fresh();
    hosted *h = created(e, full), *s = created(e, sparse);
    json_t *list = json_pack("{s:[f, i, f, i]}", "shared", 0.5, 0, 2.0, 0),
           *pairs = json_pack("{s:{s:f, s:f}}", "shared", "2", 2.0, "0", 0.5),
           *words = json_pack("{s:{s:i, s:i}}", "shared", "16777215", 1, "77", 1),
           *wrong = json_pack("{s:{s:i, s:i}}", "shared", "07", 1, "8", 1);
    served_decision d, f;
    for (int round = 0; round < 20; round++) {
        assert_int_equal(ask_decide(e, h, 1, round % 2 ? list : pairs, &d), SERVED_DONE);
        assert_int_equal(learned(e, h, d.token, 1.0), SERVED_DONE);
        assert_int_equal(ask_decide(e, s, 1, words, &f), SERVED_DONE);
        if (round % 3 > 0) assert_int_equal(learned(e, s, f.token, 1.0), SERVED_DONE);
        assert_int_equal(ask_decide(e, s, 1, wrong, &f), SERVED_WRONG);
    }
    double means[2][3];
    posse_context as_list = {.shared = (const double[]){0.5, 0.0, 2.0, 0.0}};
    posse_sparse pair = {2, (const int[]){0, 2}, (const double[]){0.5, 2.0}};
    assert_int_equal(posse_means(h->served.posse, &as_list, means[0]), POSSE_OK);
    assert_int_equal(posse_means(h->served.posse, &(posse_context){.sparse_shared = &pair}, means[1]), POSSE_OK);
    assert_memory_equal(means[0], means[1], sizeof means[0]);
    uint64_t decisions = posse_decision_count(s->served.posse);
    assert_true(engine_commit(e));
    e = killed(e);
    s = engine_find(e, "sparse");
    assert_int_equal(posse_decision_count(s->served.posse), decisions);
    assert_int_equal(posse_known_features(s->served.posse), 2);
    assert_int_equal(posse_pending_count(s->served.posse), 7);
    json_decref(list), json_decref(pairs), json_decref(words), json_decref(wrong);
    closed(e);
}
