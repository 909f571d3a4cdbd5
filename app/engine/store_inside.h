/* SPDX-License-Identifier: MIT */
/*
 * Inside the store: its statements, and what its files share.
 */
#ifndef ENGINE_STORE_INSIDE_H
#define ENGINE_STORE_INSIDE_H

#include <sqlite3.h>

#include "engine/store.h"

enum {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_ADD_POSSE,
    SQL_DROP_POSSE,
    SQL_FORGET_SNAPSHOT,
    SQL_FORGET_MARK,
    SQL_TIME,
    SQL_FORGET_TIMES,
    SQL_CLOCK,
    SQL_APPEND,
    SQL_APPEND_PLAIN,
    SQL_SETTLES,
    SQL_MARK,
    SQL_SNAPSHOT,
    SQL_LARGE,
    SQL_FORGET_LARGE,
    SQL_PIECE,
    SQL_FORGET_PIECE,
    SQL_EPOCH,
    SQL_FLOOR,
    SQL_SETTLED,
    SQL_OLDEST,
    SQL_TRIM,
    SQL_TRIMMED,
    SQL_STALE,
    SQL_FORGET_SETTLED,
    SQL_ERASE,
    SQL_ERASES,
    SQL_ERASES_UNIT,
    SQL_NOTE_UNIT,
    SQL_KEEP_DECISIONS,
    SQL_ERASED_DECISION,
    SQL_FORGET_DECISION,
    SQL_ERASED,
    SQL_ERASED_WHOLE,
    SQL_POINT,
    SQL_POINT_AGAIN,
    SQL_THIN,
    SQL_FORGET_HISTORY,
    SQL_EVENT,
    SQL_FIND_EVENT,
    SQL_BODY,
    SQL_OLD_EVENTS,
    SQL_FORGET_EVENT,
    SQL_EVENT_SHOWN,
    SQL_FORGET_EVENTS,
    SQL_EMPTY_ANSWER,
    SQL_COUNT
};

struct store {
    sqlite3 *database;
    int lock; /* of the database file: one process at a time serves it */
    sqlite3_stmt *made[SQL_COUNT];
    int format; /* of the database; a database that is only read may have an earlier one */
    struct {
        int64_t posse, bucket, first;
    } swept;                  /* the last entry of `settled` that store_sweep has looked at */
    int64_t last_state;       /* the highest number of a state so far; 0: not known yet */
    int64_t now;              /* the time of the transaction: seconds since 1970 */
    struct bucket_read *read; /* buckets of settled decisions in memory; NULL: nothing was looked up so far */
    char why[200];
};

/* --- statements.c --- */

/* Both return false: the reason is SQLite's, or the one that is given. */
bool store_fail(store *s);
bool store_fail_with(store *s, const char *why);

/* Prepares a statement when it is first needed. NULL: that failed. */
sqlite3_stmt *store_statement(store *s, int which);

/* Runs a statement that returns nothing; the second one with one number. */
bool store_run(store *s, sqlite3_stmt *made);
bool store_run_with(store *s, int which, int64_t number);

/* Runs sentences that are needed once. */
bool store_execute(store *s, const char *several);

/* The whole number that a query returns, or `otherwise` if it returns none. */
bool store_ask(store *s, const char *question, int64_t otherwise, int64_t *out);

/* Prepares a query for store_each, which hands each row to `row` until that returns false, and frees the query. */
sqlite3_stmt *store_query(store *s, const char *question);
bool store_each(store *s, sqlite3_stmt *made, bool (*row)(store *s, sqlite3_stmt *made, void *context), void *context);

/* Values of a statement: NULL stands for no text, no arm, and NaN, which SQLite does not have. */
void store_bind_text(sqlite3_stmt *made, int place, const char *text);
int store_arm_at(sqlite3_stmt *made, int column);
double store_real_at(sqlite3_stmt *made, int column);

/* --- store_log.c --- */

/* The kinds of records as the log has them. */
const char *store_kind_name(record_kind kind);
bool store_kind_of(const char *name, record_kind *out);

/* --- settled.c --- */

/* Enters records that settle decisions into the index; within a transaction. */
bool settled_enter(store *s, const record *records, size_t count);

#endif
