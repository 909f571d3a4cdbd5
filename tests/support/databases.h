/* SPDX-License-Identifier: MIT */
/*
 * Engines on databases that live as long as a test.
 */
#ifndef SUPPORT_DATABASES_H
#define SUPPORT_DATABASES_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asking.h"
#include "keeping.h"
#include "law.h"
#include "posse_inside.h"

static char database[64]; /* one for each process, because tests run in parallel */

static inline void remove_database(const char *path) {
    char name[200];
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}

static engine_limits limits = {.pending = 1000};

static inline engine *opened(const char *path) {
    char why[300] = "";
    engine *e = engine_open(path, limits, why);
    assert_that(e != NULL, "%s cannot be opened: %s", path, why);
    return e;
}

static inline engine *fresh(void) {
    snprintf(database, sizeof database, "engine_law_%ld.db", (long)getpid());
    remove_database(database);
    return opened(database);
}

/* Ends a test: closes the engine and removes its database. */
static inline void closed(engine *e) {
    engine_close(e);
    remove_database(database);
}

static inline hosted *created(engine *e, const char *text) {
    hosted *h = NULL;
    served_status status = engine_create(e, text, strlen(text), &h);
    const problems *found = engine_problems(e);
    assert_that(status == SERVED_DONE, "%s: %s: %s", text, found->list[0].path, found->list[0].text);
    assert_true(engine_commit(e));
    return h;
}

static const char ads[] = "{\"name\": \"ads\", \"arms\": 4, \"prior\": \"beta\", \"seed\": 7, \"learners\": "
                          "[{\"kind\": \"ucb\", \"width\": 0.3}, \"thompson\", \"epsilon-greedy\"]}";

static inline served_decision decided(engine *e, hosted *h) {
    served_decision d;
    assert_int_equal(ask_decide(e, h, 1, NULL, &d), SERVED_DONE);
    return d;
}

static inline served_status learned(engine *e, hosted *h, const char *text, double reward) {
    served_reward r = {.token = text, .token_length = strlen(text), .reward = reward};
    return ask_learn(e, h, &r, 1);
}

static inline served_status forgotten(engine *e, hosted *h, const char *text) {
    served_reward r = {.token = text, .token_length = strlen(text)};
    return ask_forget(e, h, &r, 1);
}

/* Once a second, as a server does it. Returns how many commits that took. */
static inline uint64_t tick(engine *e, double from, double to) {
    uint64_t before = engine_count(e).commits;
    for (double now = from; now <= to; now += 1.0) {
        engine_expire(e, now);
        assert_true(engine_commit(e));
    }
    return engine_count(e).commits - before;
}

static inline void execute(const char *sentence) {
    sqlite3 *other;
    assert_int_equal(sqlite3_open(database, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, sentence, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
}

static inline int64_t answer(const char *question) {
    sqlite3 *other;
    sqlite3_stmt *made;
    assert_int_equal(sqlite3_open(database, &other), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(other, question, -1, &made, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(made), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(made, 0);
    sqlite3_finalize(made);
    sqlite3_close(other);
    return number;
}

/* The path of a copy, beside the database. */
static inline const char *database_copy(void) {
    static char copy[80];
    snprintf(copy, sizeof copy, "%s-copy", database);
    return copy;
}

static inline void copy_file(const char *end) {
    char from[100], to[100], bytes[4096];
    snprintf(from, sizeof from, "%s%s", database, end);
    snprintf(to, sizeof to, "%s%s", database_copy(), end);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) assert_true(fwrite(bytes, 1, n, out) == n);
    fclose(in);
    fclose(out);
}

/* A start on the files that a crash at this moment leaves. The engine itself stays open. */
static inline engine *copy_opened(void) {
    remove_database(database_copy());
    copy_file("");
    copy_file("-wal");
    return opened(database_copy());
}

static inline void copy_closed(engine *e) {
    engine_close(e);
    remove_database(database_copy());
}

/* Opens a copy of the database as a kill would leave it. */
static inline engine *killed(engine *e) {
    char command[200];
    remove_database(database_copy());
    snprintf(command, sizeof command, "VACUUM INTO '%s'", database_copy());
    execute(command);
    engine_close(e);
    remove_database(database);
    assert_int_equal(rename(database_copy(), database), 0);
    return opened(database);
}

/* ---- states ---- */

static inline saved save(const hosted *h) {
    return saved_from(h->served.posse);
}

/* Both are freed. */
static inline void assert_same(saved a, saved b, const char *when) {
    assert_that(saved_equal(&a, &b), "%s: the states differ", when);
    saved_drop(&a);
    saved_drop(&b);
}

static inline void tidied(engine *e, int64_t now) {
    bool more = true;
    while (more) assert_true(engine_tidy(e, now, &more));
}

#endif
