/* SPDX-License-Identifier: MIT */
/*
 * Posses on disk: their descriptions, marks, snapshots, and times.
 */
#include "engine/store_inside.h"

#include <string.h>

bool store_add_posse(store *s, const kept_posse *p) {
    sqlite3_stmt *made = store_statement(s, SQL_ADD_POSSE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, p->id);
    store_bind_text(made, 2, p->name);
    sqlite3_bind_blob(made, 3, p->key, sizeof p->key, SQLITE_STATIC);
    store_bind_text(made, 4, p->description);
    sqlite3_bind_int(made, 5, p->records);
    sqlite3_bind_int64(made, 6, (int64_t)p->expire_seconds);
    return store_run(s, made);
}

bool store_drop_posse(store *s, int64_t posse) {
    return store_run_with(s, SQL_DROP_POSSE, posse) && store_run_with(s, SQL_FORGET_SNAPSHOT, posse) &&
           store_run_with(s, SQL_FORGET_MARK, posse) && store_run_with(s, SQL_FORGET_HISTORY, posse) &&
           store_drop_times(s, posse, INT64_MAX);
}

bool store_mark(store *s, const kept_mark *m) {
    sqlite3_stmt *made = store_statement(s, SQL_MARK);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, m->posse);
    sqlite3_bind_int64(made, 2, (int64_t)m->decides);
    sqlite3_bind_int64(made, 3, m->epoch);
    sqlite3_bind_int64(made, 4, (int64_t)m->rewards);
    sqlite3_bind_double(made, 5, m->reward_sum);
    return store_run(s, made);
}

bool store_snapshot(store *s, int64_t posse, uint64_t lsn, const void *bytes, size_t length) {
    sqlite3_stmt *made = store_statement(s, SQL_SNAPSHOT);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)lsn);
    sqlite3_bind_blob64(made, 3, bytes, length, SQLITE_STATIC);
    return store_run(s, made);
}

bool store_add_time(store *s, const kept_time *t) {
    sqlite3_stmt *made = store_statement(s, SQL_TIME);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, t->posse);
    sqlite3_bind_int64(made, 2, (int64_t)t->decides);
    sqlite3_bind_double(made, 3, t->at);
    return store_run(s, made);
}

bool store_drop_times(store *s, int64_t posse, uint64_t below) {
    sqlite3_stmt *made = store_statement(s, SQL_FORGET_TIMES);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)below);
    return store_run(s, made);
}

/* ---------------------------------------------------- reading ----------------------------------------------------- */

typedef struct posse_taker {
    bool (*take)(void *context, const kept_posse *p);
    void *context;
} posse_taker;

static bool posses_take(store *s, sqlite3_stmt *made, void *context) {
    const posse_taker *taker = context;
    kept_posse p = {.id = sqlite3_column_int64(made, 0),
                    .name = (const char *)sqlite3_column_text(made, 1),
                    .description = (const char *)sqlite3_column_text(made, 3),
                    .records = sqlite3_column_int(made, 4) != 0,
                    .expire_seconds = (uint64_t)sqlite3_column_int64(made, 5),
                    .decides = (uint64_t)sqlite3_column_int64(made, 6),
                    .epoch = (uint32_t)sqlite3_column_int64(made, 7),
                    .snapshot_lsn = (uint64_t)sqlite3_column_int64(made, 8),
                    .snapshot = sqlite3_column_blob(made, 9),
                    .snapshot_length = (size_t)sqlite3_column_bytes(made, 9),
                    .rewards = (uint64_t)sqlite3_column_int64(made, 10),
                    .reward_sum = sqlite3_column_double(made, 11)};
    if (sqlite3_column_bytes(made, 2) != SIPHASH_KEY || p.name == NULL || p.snapshot == NULL)
        return store_fail_with(s, "a posse in it is damaged");
    memcpy(p.key, sqlite3_column_blob(made, 2), SIPHASH_KEY);
    return taker->take(taker->context, &p);
}

#define POSSES(sums, which)                                                                                            \
    "SELECT id, name, key, description, records, expire_seconds, mark.decides, mark.epoch, snapshot.lsn, "             \
    "snapshot.bytes, " sums " FROM posse LEFT JOIN mark ON mark.posse = id LEFT JOIN snapshot ON snapshot.posse = id " \
    "WHERE dropped IS NULL " which

/* Before format 4, sums of rewards were not kept. */
#define POSSES_OF(s, which) ((s)->format < 4 ? POSSES("0, 0", which) : POSSES("mark.rewards, mark.reward_sum", which))

bool store_each_posse(store *s, bool (*take)(void *context, const kept_posse *p), void *context) {
    posse_taker taker = {take, context};
    return store_each(s, store_query(s, POSSES_OF(s, "ORDER BY id")), posses_take, &taker);
}

bool store_read_posse(store *s, int64_t posse, bool (*take)(void *context, const kept_posse *p), void *context) {
    posse_taker taker = {take, context};
    sqlite3_stmt *made = store_query(s, POSSES_OF(s, "AND id = ?"));
    if (made != NULL) sqlite3_bind_int64(made, 1, posse);
    return store_each(s, made, posses_take, &taker);
}

typedef struct time_taker {
    bool (*take)(void *context, const kept_time *t);
    void *context;
} time_taker;

static bool posses_take_time(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    const time_taker *taker = context;
    kept_time t = {.posse = sqlite3_column_int64(made, 0),
                   .decides = (uint64_t)sqlite3_column_int64(made, 1),
                   .at = sqlite3_column_double(made, 2)};
    return taker->take(taker->context, &t);
}

bool store_each_time(store *s, bool (*take)(void *context, const kept_time *t), void *context) {
    time_taker taker = {take, context};
    return store_each(s, store_query(s, "SELECT posse, decides, at FROM clock ORDER BY posse, decides"),
                      posses_take_time, &taker);
}
