/* SPDX-License-Identifier: MIT */
/*
 * The history of posses on disk. A point has sums since the beginning, so what happened between two points is their
 * difference, and points may be left out without changing the others.
 */
#include <math.h>

#include "engine/store_inside.h"

static void history_bind_real(sqlite3_stmt *made, int place, double x) {
    if (isfinite(x))
        sqlite3_bind_double(made, place, x);
    else
        sqlite3_bind_null(made, place);
}

bool store_add_point(store *s, const kept_point *p) {
    sqlite3_stmt *made = store_statement(s, SQL_POINT);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, p->posse);
    sqlite3_bind_int64(made, 2, p->at);
    sqlite3_bind_int64(made, 3, (int64_t)p->decisions);
    sqlite3_bind_int64(made, 4, (int64_t)p->rewards);
    sqlite3_bind_double(made, 5, p->reward_sum);
    history_bind_real(made, 6, p->regret);
    history_bind_real(made, 7, p->best_mean);
    store_bind_text(made, 8, p->plays);
    return store_run(s, made);
}

bool store_repeat_point(store *s, int64_t posse, int64_t at) {
    sqlite3_stmt *made = store_statement(s, SQL_POINT_AGAIN);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, at);
    return store_run(s, made);
}

bool store_thin_points(store *s, int64_t posse, int64_t before, int64_t width) {
    sqlite3_stmt *made = store_statement(s, SQL_THIN);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, before);
    sqlite3_bind_int64(made, 3, width);
    return store_run(s, made);
}

typedef struct point_taker {
    void (*take)(void *context, const kept_point *p);
    void *context;
} point_taker;

static bool history_take(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    const point_taker *taker = context;
    kept_point p = {.posse = sqlite3_column_int64(made, 0),
                    .at = sqlite3_column_int64(made, 1),
                    .decisions = (uint64_t)sqlite3_column_int64(made, 2),
                    .rewards = (uint64_t)sqlite3_column_int64(made, 3),
                    .reward_sum = sqlite3_column_double(made, 4),
                    .regret = store_real_at(made, 5),
                    .best_mean = store_real_at(made, 6),
                    .plays = (const char *)sqlite3_column_text(made, 7)};
    taker->take(taker->context, &p);
    return true;
}

/* With max(), the other columns are those of the row that has it. */
bool store_each_point(store *s, int64_t posse, int64_t from, int64_t width,
                      void (*take)(void *context, const kept_point *p), void *context) {
    point_taker taker = {take, context};
    sqlite3_stmt *made = store_query(
        s,
        "SELECT * FROM (SELECT posse, max(at) AS at, decisions, rewards, reward_sum, regret, best_mean, plays FROM "
        "history WHERE posse = ?1 AND at < ?2 HAVING max(at) IS NOT NULL UNION ALL SELECT posse, max(at), decisions, "
        "rewards, reward_sum, regret, best_mean, plays FROM history WHERE posse = ?1 AND at >= ?2 GROUP BY at / ?3) "
        "ORDER BY at");
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, from);
    sqlite3_bind_int64(made, 3, width);
    return store_each(s, made, history_take, &taker);
}

typedef struct point_ends {
    int64_t first, last;
} point_ends;

static bool history_take_ends(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    point_ends *out = context;
    out->first = sqlite3_column_int64(made, 0);
    out->last = sqlite3_column_int64(made, 1);
    return true;
}

bool store_point_ends(store *s, int64_t posse, int64_t *first, int64_t *last) {
    point_ends ends = {0};
    sqlite3_stmt *made = store_query(s, "SELECT min(at), max(at) FROM history WHERE posse = ?");
    if (made != NULL) sqlite3_bind_int64(made, 1, posse);
    bool fine = store_each(s, made, history_take_ends, &ends);
    *first = ends.first;
    *last = ends.last;
    return fine;
}
