/* SPDX-License-Identifier: MIT */
/*
 * Alarms of posses: each is raised and cleared, and healthy posses raise none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asking.h"
#include "law.h"
#include "posse_inside.h"
#include "served/health.h"

static char database[64]; /* one for each process, because tests run in parallel */

/* A posse, and the time that the test lets pass. */
typedef struct ward {
    engine *e;
    hosted *h;
    double now;
    uint64_t noise; /* of the rewards */
} ward;

static void passed(ward *w, double seconds) {
    bool more = true;
    w->now += seconds;
    while (more) assert_true(engine_remember(w->e, w->now, &more));
}

static ward begun(const char *text) {
    char why[300] = "";
    snprintf(database, sizeof database, "/dev/shm/health_law_%ld.db", (long)getpid());
    unlink(database);
    ward w = {.e = engine_open(database, (engine_limits){.pending = 100000}, why)};
    assert_that(w.e != NULL, "%s", why);
    assert_int_equal(engine_create(w.e, text, strlen(text), &w.h), SERVED_DONE);
    assert_true(engine_commit(w.e));
    w.now = engine_now(w.e);
    passed(&w, 1.0);
    return w;
}

static void ended(ward *w) {
    engine_close(w->e);
    unlink(database);
}

static bool raised(const ward *w, health_alarm which) {
    return engine_alarms(w->e, w->h) >> which & 1;
}

static double uniform(ward *w) {
    w->noise = w->noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(w->noise >> 11) * 0x1p-53;
}

static served_decision decided(ward *w) {
    served_decision d;
    assert_int_equal(ask_decide(w->e, w->h, 1, NULL, &d), SERVED_DONE);
    return d;
}

static served_status rewarded(ward *w, const char *text, double reward) {
    served_reward r = {.token = text, .token_length = strlen(text), .reward = reward};
    return ask_learn(w->e, w->h, &r, 1);
}

/* Rounds, in which arm 0 earns with probability `first`, and the others with probability 0.3. */
static void played(ward *w, int rounds, double first) {
    passed(w, rounds);
    for (int i = 0; i < rounds; i++) {
        served_decision d = decided(w);
        double mean = d.decision.arm == 0 ? first : 0.3;
        assert_int_equal(rewarded(w, d.token, uniform(w) < mean), SERVED_DONE);
        if (i % 50 == 49) assert_true(engine_commit(w->e));
    }
    assert_true(engine_commit(w->e));
}

#define POSSE(more)                                                                                                    \
    "{\"name\": \"a\", \"seed\": 5, \"prior\": \"beta\", \"learners\": [\"ucb\", \"thompson\"], " more "}"

LAW(rewards_that_stop_raise_an_alarm) {
    ward w = begun(POSSE("\"arms\": 3"));
    char last[TOKEN_TEXT + 1];
    played(&w, 200, 0.5);
    for (int i = 0; i < 130; i++) memcpy(last, decided(&w).token, sizeof last);
    assert_true(engine_commit(w.e));
    assert_false(raised(&w, ALARM_REWARDS)); /* many decisions, but no time has passed */
    passed(&w, 599.0);
    assert_false(raised(&w, ALARM_REWARDS));
    passed(&w, 2.0);
    assert_true(raised(&w, ALARM_REWARDS));
    assert_int_equal(rewarded(&w, last, 1.0), SERVED_DONE);
    assert_false(raised(&w, ALARM_REWARDS));
    passed(&w, 100000.0); /* time without decisions is quiet */
    assert_false(raised(&w, ALARM_REWARDS));
    ended(&w);
}

/* The pipeline is broken from the first day: decisions expire with a reward, and no client sends any. */
LAW(rewards_that_never_came_raise_an_alarm) {
    for (int expires = 0; expires < 2; expires++) {
        ward w =
            begun(expires ? POSSE("\"arms\": 3, \"expire_after\": 100, \"expire_reward\": 0") : POSSE("\"arms\": 3"));
        char last[TOKEN_TEXT + 1];
        for (int i = 0; i < 5000; i++) {
            decided(&w);
            if (i % 500 == 499) assert_true(engine_commit(w.e));
        }
        passed(&w, 601.0);
        assert_false(raised(&w, ALARM_REWARDS)); /* of fewer decisions, all rewards may be late */
        memcpy(last, decided(&w).token, sizeof last);
        assert_true(engine_commit(w.e));
        assert_true(raised(&w, ALARM_REWARDS));
        assert_int_equal(rewarded(&w, last, 1.0), SERVED_DONE);
        assert_true(engine_commit(w.e));
        assert_false(raised(&w, ALARM_REWARDS));
        ended(&w);
    }
}

LAW(rewards_have_ten_minutes_to_come) {
    ward w = begun(POSSE("\"arms\": 3"));
    for (int i = 0; i < 6000; i++) {
        decided(&w);
        if (i % 500 == 499) assert_true(engine_commit(w.e));
    }
    passed(&w, 598.0);
    assert_false(raised(&w, ALARM_REWARDS));
    passed(&w, 3.0);
    assert_true(raised(&w, ALARM_REWARDS));
    ended(&w);
}

/* Rewards that come once a day in a batch are no alarm, until more than four days pass without any. */
LAW(rewards_in_batches_raise_no_alarm) {
    ward w = begun(POSSE("\"arms\": 3"));
    static char tokens[200][TOKEN_TEXT + 1];
    for (int day = 0; day < 30; day++) {
        for (int i = 0; i < 200; i++) {
            memcpy(tokens[i], decided(&w).token, sizeof tokens[i]);
            assert_true(engine_commit(w.e));
            passed(&w, 432.0);
            assert_false(raised(&w, ALARM_REWARDS));
        }
        for (int i = 0; i < 200; i++) assert_int_equal(rewarded(&w, tokens[i], 0.0), SERVED_DONE);
        assert_true(engine_commit(w.e));
    }
    int quiet = 0;
    while (quiet < 10000 && !raised(&w, ALARM_REWARDS)) {
        decided(&w);
        assert_true(engine_commit(w.e));
        passed(&w, 432.0);
        quiet++;
    }
    assert_that(quiet == 100 + 4 * 200 + 1, "%d decisions", quiet);
    ended(&w);
}

/* A selector that goes by rewards alone, over two rules: the better one pays no longer. */
LAW(a_share_that_collapses_raises_an_alarm) {
    ward w =
        begun("{\"name\": \"a\", \"arms\": 2, \"seed\": 5, \"prior\": \"beta\", \"selector\": {\"kind\": \"thompson\", "
              "\"discount\": 0.999}, \"learners\": [{\"kind\": \"fixed\", \"name\": \"x\", \"arm\": 0}, {\"kind\": "
              "\"fixed\", \"name\": \"y\", \"arm\": 1}]}");
    played(&w, 12000, 0.9);
    assert_false(raised(&w, ALARM_SHARE));
    bool seen = false;
    for (int i = 0; i < 60 && !seen; i++) {
        played(&w, 100, 0.0);
        seen = raised(&w, ALARM_SHARE);
    }
    assert_true(seen);
    played(&w, 10000, 0.0); /* which is usual by then */
    assert_false(raised(&w, ALARM_SHARE));
    ended(&w);
}

LAW(rewards_that_contradict_the_prior_raise_an_alarm) {
    ward w = begun(
        "{\"name\": \"a\", \"arms\": 2, \"seed\": 5, \"learners\": [\"ucb\", \"thompson\"], \"prior\": {\"kind\": "
        "\"beta\", \"alpha\": 50, \"beta\": 50, \"robust\": true}}");
    assert_false(raised(&w, ALARM_SURPRISE));
    played(&w, 200, 0.999);
    assert_true(raised(&w, ALARM_SURPRISE));
    assert_int_equal(engine_reshape(w.e, w.h, &(reshape){.kind = RESHAPE_NEXT_TASK}), SERVED_DONE);
    assert_true(engine_commit(w.e));
    assert_false(raised(&w, ALARM_SURPRISE));
    ended(&w);
}

LAW(small_propensities_raise_an_alarm) {
    ward w = begun(POSSE("\"arms\": 100, \"selector\": {\"kind\": \"bms-plus\", \"floor\": 0.05}"));
    played(&w, 1000, 0.9);
    assert_true(raised(&w, ALARM_PROPENSITIES)); /* 0.05 / 100, in about 5 of 100 rounds */
    for (int i = 10; i < 100; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(engine_reshape(w.e, w.h, &(reshape){.kind = RESHAPE_RETIRE_ARM, .name = name}), SERVED_DONE);
    }
    assert_true(engine_commit(w.e));
    played(&w, 1001, 0.9);
    assert_false(raised(&w, ALARM_PROPENSITIES));
    ended(&w);
}

/* An arm whose name is new in each request, and then arms whose names return. */
LAW(arms_that_are_named_once_raise_an_alarm) {
    ward w = begun(
        "{\"name\": \"a\", \"arms\": [\"p\", \"q\"], \"joins\": 5000, \"prior\": \"beta\", \"learners\": [\"ucb\", "
        "\"thompson\"]}");
    char name[40];
    for (int i = 0; i < 1500; i++) {
        snprintf(name, sizeof name, "visit %d", i);
        served_play said = {.name = i % 20 == 0 ? name : "p"};
        assert_int_equal(engine_teach(w.e, w.h, &said, 1.0), SERVED_DONE);
        if (i < 1000) assert_false(raised(&w, ALARM_ARMS));
    }
    assert_true(engine_commit(w.e));
    for (int i = 0; i < 3000 && !raised(&w, ALARM_ARMS); i++)
        assert_int_equal(engine_teach(w.e, w.h, &(served_play){.name = "q"}, 1.0), SERVED_DONE);
    assert_true(raised(&w, ALARM_ARMS));
    for (int i = 0; i < 128; i++) {
        snprintf(name, sizeof name, "article %d", i / 2);
        assert_int_equal(engine_teach(w.e, w.h, &(served_play){.name = name}, 1.0), SERVED_DONE);
    }
    assert_true(engine_commit(w.e));
    assert_false(raised(&w, ALARM_ARMS));
    ended(&w);
}

LAW(refused_rewards_raise_an_alarm) {
    ward w = begun(POSSE("\"arms\": 3"));
    played(&w, 300, 0.5);
    for (int i = 0; i < 4; i++) assert_int_equal(rewarded(&w, "of nobody", 1.0), SERVED_TOKEN);
    assert_false(raised(&w, ALARM_REFUSED));
    assert_int_equal(rewarded(&w, "of nobody", 1.0), SERVED_TOKEN);
    assert_true(raised(&w, ALARM_REFUSED));
    played(&w, 1000, 0.5);
    assert_false(raised(&w, ALARM_REFUSED));
    ended(&w);
}

/*
 * 200 posses of four learners, with a right prior, a floor and rewards at once, over 10,000 rounds each, looked at
 * after every 100. Each alarm is raised in few of them: the surprise in at most 1 of 20, the others in at most 1 of 50.
 */
LAW(healthy_posses_raise_few_alarms) {
    static const char text[] =
        "{\"name\": \"a\", \"arms\": 5, \"seed\": %d, \"prior\": {\"kind\": \"beta\", \"robust\": true}, \"selector\": "
        "{\"kind\": \"bms-plus\", \"floor\": 0.05}, \"learners\": [{\"kind\": \"ucb\", \"name\": \"bold\", \"width\": 0.1}, "
        "\"ucb\", \"thompson\", \"epsilon-greedy\"]}";
    int posses = 200, ever[ALARMS] = {0};
    for (int run = 0; run < posses; run++) {
        char own[500];
        double means[5];
        snprintf(own, sizeof own, text, run + 1);
        ward w = begun(own);
        w.noise = (uint64_t)run;
        for (int a = 0; a < 5; a++) means[a] = uniform(&w);
        unsigned seen = 0;
        for (int i = 0; i < 10000; i++) {
            served_decision d = decided(&w);
            assert_int_equal(rewarded(&w, d.token, uniform(&w) < means[d.decision.arm]), SERVED_DONE);
            if (i % 100 != 99) continue;
            assert_true(engine_commit(w.e));
            passed(&w, 100.0);
            seen |= engine_alarms(w.e, w.h);
        }
        for (int k = 0; k < ALARMS; k++) ever[k] += seen >> k & 1;
        ended(&w);
    }
    for (int k = 0; k < ALARMS; k++) {
        print_message("%s: %d of %d\n", health_alarm_names[k], ever[k], posses);
        assert_that(ever[k] <= posses / (k == ALARM_SURPRISE ? 20 : 50), "%s: %d of %d", health_alarm_names[k], ever[k],
                    posses);
    }
}
