/* SPDX-License-Identifier: MIT */
/*
 * Posses on disk: their descriptions, marks, snapshots, and times.
 *
 * A small snapshot is a row. The state of a large one is in pieces, which may be written one by one, long before a row
 * names them as the snapshot of a posse. Pieces that no row names are deleted in time.
 */
#include "engine/store_inside.h"

#include <stdlib.h>
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
           store_run_with(s, SQL_FORGET_LARGE, posse) && store_run_with(s, SQL_FORGET_MARK, posse) &&
           store_run_with(s, SQL_FORGET_HISTORY, posse) && store_drop_times(s, posse, INT64_MAX);
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

/* ---------------------------------------------------- snapshots --------------------------------------------------- */

/* Numbers are never used again while the database is open, so a piece belongs to one state. */
bool store_new_state(store *s, int64_t *state) {
    if (s->last_state == 0 && !store_ask(s, "SELECT max(id) FROM state", 0, &s->last_state)) return false;
    *state = ++s->last_state;
    return true;
}

bool store_add_piece(store *s, int64_t state, size_t place, const void *bytes, size_t length) {
    sqlite3_stmt *made = store_statement(s, SQL_PIECE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, state);
    sqlite3_bind_int64(made, 2, (int64_t)place);
    sqlite3_bind_blob64(made, 3, bytes, length, SQLITE_STATIC);
    return store_run(s, made);
}

bool store_large_snapshot(store *s, int64_t posse, uint64_t lsn, int64_t state) {
    sqlite3_stmt *made = store_statement(s, SQL_LARGE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)lsn);
    sqlite3_bind_int64(made, 3, state);
    return store_run(s, made) && store_run_with(s, SQL_FORGET_SNAPSHOT, posse);
}

static bool store_small_snapshot(store *s, int64_t posse, uint64_t lsn, const void *bytes, size_t length) {
    sqlite3_stmt *made = store_statement(s, SQL_SNAPSHOT);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)lsn);
    sqlite3_bind_blob64(made, 3, bytes, length, SQLITE_STATIC);
    return store_run(s, made) && store_run_with(s, SQL_FORGET_LARGE, posse);
}

bool store_snapshot(store *s, int64_t posse, uint64_t lsn, const void *bytes, size_t length) {
    int64_t state;
    if (length <= STATE_LARGE) return store_small_snapshot(s, posse, lsn, bytes, length);
    bool fine = store_new_state(s, &state);
    for (size_t at = 0; fine && at < length; at += STATE_PIECE)
        fine = store_add_piece(s, state, at / STATE_PIECE, (const char *)bytes + at,
                               length - at < STATE_PIECE ? length - at : STATE_PIECE);
    return fine && store_large_snapshot(s, posse, lsn, state);
}

bool store_forget_piece(store *s, int64_t except, bool *more) {
    bool fine = store_run_with(s, SQL_FORGET_PIECE, except);
    *more = fine && sqlite3_changes(s->database) > 0;
    return fine;
}

/* -------------------------------------------------- clock and times ----------------------------------------------- */

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

/* Joins the pieces of a state: bytes of the heap. NULL: one is missing, or there is no memory. */
static void *posses_join_pieces(store *s, int64_t state, size_t *length) {
    sqlite3_stmt *made = store_query(s, "SELECT place, bytes, (SELECT max(place) FROM state WHERE id = ?1) FROM state "
                                        "WHERE id = ?1 ORDER BY place");
    char *bytes = NULL;
    int64_t next = 0, last = -1;
    *length = 0;
    if (made == NULL) return NULL;
    sqlite3_bind_int64(made, 1, state);
    while (sqlite3_step(made) == SQLITE_ROW && sqlite3_column_int64(made, 0) == next) {
        size_t more = (size_t)sqlite3_column_bytes(made, 1);
        last = sqlite3_column_int64(made, 2);
        if (bytes == NULL) bytes = malloc(((size_t)last + 1) * STATE_PIECE);
        if (bytes == NULL || more > STATE_PIECE || last < next) break;
        memcpy(bytes + *length, sqlite3_column_blob(made, 1), more);
        *length += more;
        next++;
    }
    sqlite3_finalize(made);
    if (bytes != NULL && next == last + 1) return bytes;
    free(bytes);
    return NULL;
}

typedef struct posse_taker {
    bool (*take)(void *context, const kept_posse *p);
    void *context;
} posse_taker;

static bool posses_take(store *s, sqlite3_stmt *made, void *context) {
    const posse_taker *taker = context;
    bool large = sqlite3_column_type(made, 12) != SQLITE_NULL;
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
    void *joined = large ? posses_join_pieces(s, sqlite3_column_int64(made, 12), &p.snapshot_length) : NULL;
    if (large) p.snapshot = joined;
    bool fine = sqlite3_column_bytes(made, 2) == SIPHASH_KEY && p.name != NULL && p.snapshot != NULL;
    if (fine) memcpy(p.key, sqlite3_column_blob(made, 2), SIPHASH_KEY);
    fine = fine ? taker->take(taker->context, &p) : store_fail_with(s, "a posse in it is damaged");
    free(joined);
    return fine;
}

#define POSSES(lsn, sums, state, joins, which)                                                                         \
    "SELECT id, name, key, description, records, expire_seconds, mark.decides, mark.epoch, " lsn ", "                  \
    "snapshot.bytes, " sums ", " state " FROM posse LEFT JOIN mark ON mark.posse = id LEFT JOIN snapshot ON "          \
    "snapshot.posse = id " joins "WHERE dropped IS NULL " which

/* Before format 4, sums of rewards were not kept; before format 8, no snapshot was in pieces. */
#define POSSES_OF(s, which)                                                                                            \
    ((s)->format < 4   ? POSSES("snapshot.lsn", "0, 0", "NULL", "", which)                                             \
     : (s)->format < 8 ? POSSES("snapshot.lsn", "mark.rewards, mark.reward_sum", "NULL", "", which)                    \
                       : POSSES("coalesce(large.lsn, snapshot.lsn)", "mark.rewards, mark.reward_sum", "large.state",   \
                                "LEFT JOIN large ON large.posse = id ", which))

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
