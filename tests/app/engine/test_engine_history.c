/* SPDX-License-Identifier: MIT */
/*
 * The history of a posse, against a record of everything that was done to it.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asking.h"
#include "law.h"
#include "posse_inside.h"

#define HOUR 3600
#define DAY 86400
#define TRUTHS 40000

static char database[64]; /* one for each process, because tests run in parallel */

static const char ads[] = "{\"name\": \"ads\", \"arms\": 3, \"prior\": \"beta\", \"seed\": 7, \"learners\": [\"ucb\", "
                          "\"thompson\"]}";

/* What the test knows: how far the posse was when each second began, in the seconds that it has looked at. */
typedef struct truth {
    int64_t at;
    uint64_t decisions, rewards, plays[2];
    double reward_sum, regret;
} truth;

typedef struct play {
    engine *e;
    hosted *h;
    truth *list;
    int count;
    uint64_t rewards;
    double reward_sum;
    int64_t now;
} play;

static void opened(play *p) {
    char why[300] = "";
    p->e = engine_open(database, (engine_limits){.pending = 1000}, why);
    assert_that(p->e != NULL, "%s", why);
    p->h = engine_find(p->e, "ads");
}

static void begun(play *p) {
    snprintf(database, sizeof database, "/dev/shm/history_law_%ld.db", (long)getpid());
    unlink(database);
    *p = (play){.list = calloc(TRUTHS, sizeof *p->list)};
    opened(p);
    assert_int_equal(engine_create(p->e, ads, strlen(ads), &p->h), SERVED_DONE);
    assert_true(engine_commit(p->e));
    p->now = (int64_t)engine_now(p->e);
}

static void ended(play *p) {
    engine_close(p->e);
    free(p->list);
    unlink(database);
}

/* The server looks at the clock, and writes what is due. */
static void ticked(play *p, int64_t now) {
    bool more = true;
    double regrets[2];
    assert_true(now > p->now && p->count < TRUTHS);
    p->now = now;
    while (more) assert_true(engine_remember(p->e, (double)now, &more));
    truth *t = &p->list[p->count++];
    *t = (truth){now, posse_decision_count(p->h->served.posse), p->rewards, {0}, p->reward_sum, 0.0};
    posse_plays(p->h->served.posse, t->plays);
    posse_regrets(p->h->served.posse, regrets);
    t->regret = regrets[0] + regrets[1];
}

/* Then requests arrive. */
static void busy(play *p, int rounds) {
    for (int i = 0; i < rounds; i++) {
        served_decision d;
        assert_int_equal(ask_decide(p->e, p->h, 1, NULL, &d), SERVED_DONE);
        served_reward r = {.token = d.token, .token_length = strlen(d.token), .reward = d.decision.arm == 1};
        assert_int_equal(ask_learn(p->e, p->h, &r, 1), SERVED_DONE);
        p->rewards++;
        p->reward_sum += r.reward;
    }
    assert_true(engine_commit(p->e));
}

static const truth *truth_at(const play *p, int64_t at) {
    const truth *found = NULL;
    for (int i = 0; i < p->count && p->list[i].at <= at; i++) found = &p->list[i];
    return found;
}

typedef struct look_back {
    const play *p;
    int count;
    int64_t first, last;
    uint64_t decisions;
    bool unknown; /* a point without plays */
} look_back;

static void agrees(void *context, const kept_point *k) {
    look_back *r = context;
    const truth *t = truth_at(r->p, k->at);
    uint64_t plays[2] = {0};
    bool present = k->at >= r->p->now; /* the last one, which is now */
    if (r->count == 0) r->first = k->at;
    assert_true(k->at > r->last || r->count == 0);
    assert_true(k->decisions >= r->decisions);
    if (present) {
        assert_true(k->decisions == posse_decision_count(r->p->h->served.posse) && k->rewards == r->p->rewards);
    } else if (t != NULL) {
        assert_that(k->decisions == t->decisions && k->rewards == t->rewards && k->reward_sum == t->reward_sum,
                    "at %lld: %llu decisions, %llu rewards", (long long)(k->at - r->p->list[0].at),
                    (unsigned long long)k->decisions, (unsigned long long)k->rewards);
        r->unknown = r->unknown || sscanf(k->plays, "[%lu,%lu]", &plays[0], &plays[1]) != 2;
        assert_true(r->unknown || (plays[0] == t->plays[0] && plays[1] == t->plays[1] && k->regret == t->regret));
    }
    r->last = k->at;
    r->decisions = k->decisions;
    r->count++;
}

static look_back read_back(play *p, int64_t span) {
    look_back r = {.p = p};
    assert_true(engine_history(p->e, p->h, span, agrees, &r));
    assert_true(r.decisions == posse_decision_count(p->h->served.posse));
    return r;
}

static int rows(void) {
    sqlite3 *file;
    sqlite3_stmt *made;
    assert_int_equal(sqlite3_open(database, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, "SELECT count(*) FROM history", -1, &made, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(made), SQLITE_ROW);
    int count = sqlite3_column_int(made, 0);
    sqlite3_finalize(made);
    sqlite3_close(file);
    return count;
}

/* A busy day, quiet weeks, a restart, and years. Every point that is left says what was, and there are few. */
LAW(every_point_of_history_is_what_was) {
    play p;
    begun(&p);
    int64_t start = p.now;
    for (int64_t t = start + 20; t < start + DAY + HOUR; t += 40) { /* every 40 s, with breaks of an hour */
        ticked(&p, t);
        if ((t - start) / HOUR % 3 != 1) busy(&p, 1 + (int)(t % 3));
    }
    look_back hour = read_back(&p, HOUR), day = read_back(&p, DAY);
    assert_that(hour.count >= 40 && hour.count <= 70, "%d points of an hour", hour.count);
    assert_that(day.count >= 60 && day.count <= 135, "%d points of a day", day.count);
    assert_true(hour.first < p.now - HOUR + 120 && day.first < p.now - DAY + 2000);
    engine_close(p.e);
    opened(&p);
    for (int64_t end = p.now + 20 * DAY, t = p.now + HOUR; t < end; t += HOUR) {
        ticked(&p, t);
        busy(&p, 1);
        ticked(&p, t + 70);
    }
    look_back week = read_back(&p, 7 * DAY);
    assert_that(week.count >= 80 && week.count <= 135, "%d points of a week", week.count);
    for (int64_t end = p.now + 1100 * DAY, t = p.now + 2 * DAY; t < end; t += 2 * DAY) {
        ticked(&p, t);
        busy(&p, 1);
        ticked(&p, t + 70);
    }
    look_back all = read_back(&p, 0);
    assert_that(all.count >= 60 && all.count <= 135, "%d points of all", all.count);
    assert_true(all.first == start || all.first == start + 20);
    assert_that(rows() <= 450, "%d rows", rows());
    ended(&p);
}

LAW(a_full_history_stays_small) {
    play p;
    begun(&p);
    int64_t start = p.now;
    int most = 0;
    for (int64_t t = start + 60; t < start + 9 * DAY; t += t < start + 8 * DAY ? 600 : 61) {
        ticked(&p, t);
        busy(&p, 1);
        if (p.count % 100 == 0 && rows() > most) most = rows();
    }
    assert_that(most > 150 && most <= 450, "%d rows", most);
    ended(&p);
}

LAW(a_quiet_posse_writes_no_history) {
    play p;
    begun(&p);
    ticked(&p, p.now + 100);
    int before = rows();
    for (int i = 0; i < 100; i++) ticked(&p, p.now + 61);
    assert_int_equal(rows(), before);
    busy(&p, 1);
    ticked(&p, p.now + 59);
    assert_int_equal(rows(), before);
    ticked(&p, p.now + 1);
    assert_int_equal(rows(), before + 2); /* when it began again, and now */
    ended(&p);
}

/* The sums continue after a crash, to the last reward that was committed; the database is copied as a crash leaves it.
 */
LAW(sums_of_rewards_survive_a_crash) {
    play p;
    char copy[80], command[400];
    begun(&p);
    ticked(&p, p.now + 5);
    busy(&p, 25);
    snprintf(copy, sizeof copy, "%s.copy", database);
    snprintf(command, sizeof command, "cp %s %s && cp %s-wal %s-wal", database, copy, database, copy);
    assert_int_equal(system(command), 0);
    engine_close(p.e);
    assert_int_equal(rename(copy, database), 0);
    snprintf(command, sizeof command, "mv %s-wal %s-wal", copy, database);
    assert_int_equal(system(command), 0);
    opened(&p);
    assert_true(p.h->served.rewards == p.rewards && p.h->served.reward_sum == p.reward_sum);
    ended(&p);
}

LAW(a_dropped_posse_leaves_no_history) {
    play p;
    begun(&p);
    ticked(&p, p.now + 5);
    busy(&p, 5);
    ticked(&p, p.now + 61);
    busy(&p, 5); /* it waits for a point */
    assert_true(rows() > 0);
    assert_int_equal(engine_drop(p.e, p.h), SERVED_DONE);
    assert_true(engine_commit(p.e));
    bool more;
    assert_true(engine_remember(p.e, (double)p.now + 1000, &more));
    assert_int_equal(rows(), 0);
    ended(&p);
}
