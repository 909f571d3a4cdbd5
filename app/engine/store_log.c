/* SPDX-License-Identifier: MIT */
/*
 * The log on disk: appending records, reading them back for recovery, deleting old ones, and erasing contexts and
 * units.
 */
#include "engine/store_inside.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[RECORD_KINDS] = {
    [RECORD_DECIDE] = "decide",
    [RECORD_LEARN] = "learn",
    [RECORD_FORGET] = "forget",
    [RECORD_EXPIRE] = "expire",
    [RECORD_ACTED] = "acted",
    [RECORD_ADD_LEARNER] = "add learner",
    [RECORD_RETIRE_LEARNER] = "retire learner",
    [RECORD_ADD_ARM] = "add arm",
    [RECORD_RETIRE_ARM] = "retire arm",
    [RECORD_TEACH] = "teach",
    [RECORD_NEXT_TASK] = "next task",
    [RECORD_MODES] = "modes",
};

const char *store_kind_name(record_kind kind) {
    return kind_names[kind];
}

bool store_kind_of(const char *name, record_kind *out) {
    for (int k = 0; k < RECORD_KINDS; k++)
        if (name != NULL && strcmp(name, kind_names[k]) == 0) {
            *out = (record_kind)k;
            return true;
        }
    return false;
}

static void log_bind_whole(sqlite3_stmt *made, int place, bool there, int64_t number) {
    if (there)
        sqlite3_bind_int64(made, place, number);
    else
        sqlite3_bind_null(made, place);
}

/* Of a decision for a unit, and of a deferred one that was shown. */
static bool log_has_time(const record *r) {
    return r->unit != NULL || (r->kind == RECORD_ACTED && r->now > 0);
}

/* Most records are rewards, which have none of these. They are inserted without them, because that takes less time. */
static bool log_is_plain(const record *r) {
    return r->body == NULL && r->mode == NULL && !log_has_time(r) && !r->deferred;
}

static void log_bind_more(sqlite3_stmt *made, const record *r) {
    store_bind_text(made, 11, r->body);
    store_bind_text(made, 12, r->mode);
    store_bind_text(made, 13, r->unit);
    log_bind_whole(made, 14, log_has_time(r), (int64_t)r->now);
    log_bind_whole(made, 15, r->deferred, 1);
}

static bool log_append(store *s, const record *r) {
    bool plain = log_is_plain(r);
    sqlite3_stmt *made = store_statement(s, plain ? SQL_APPEND_PLAIN : SQL_APPEND);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, (int64_t)r->lsn);
    sqlite3_bind_int64(made, 2, r->posse);
    store_bind_text(made, 3, kind_names[r->kind]);
    sqlite3_bind_int64(made, 4, (int64_t)r->decides);
    log_bind_whole(made, 5, r->decision != 0, (int64_t)r->decision);
    store_bind_text(made, 6, r->learner);
    log_bind_whole(made, 7, r->arm != RECORD_NO_ARM, r->arm);
    sqlite3_bind_double(made, 8, r->propensity);
    sqlite3_bind_double(made, 9, r->reward);
    sqlite3_bind_int64(made, 10, s->now);
    if (!plain) log_bind_more(made, r);
    return store_run(s, made);
}

bool store_append(store *s, const record *records, size_t count) {
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++) fine = log_append(s, &records[i]);
    return fine && settled_enter(s, records, count);
}

/* ---------------------------------------------------- reading ----------------------------------------------------- */

typedef struct record_taker {
    bool (*take)(void *context, const record *r);
    void *context;
} record_taker;

static bool log_take(store *s, sqlite3_stmt *made, void *context) {
    const record_taker *taker = context;
    record r = {.lsn = (uint64_t)sqlite3_column_int64(made, 0),
                .posse = sqlite3_column_int64(made, 1),
                .decides = (uint64_t)sqlite3_column_int64(made, 3),
                .decision = (uint64_t)sqlite3_column_int64(made, 4),
                .learner = (const char *)sqlite3_column_text(made, 5),
                .arm = store_arm_at(made, 6),
                .propensity = store_real_at(made, 7),
                .reward = store_real_at(made, 8),
                .body = (const char *)sqlite3_column_text(made, 9),
                .unit = (const char *)sqlite3_column_text(made, 10),
                .now = (uint64_t)sqlite3_column_int64(made, 11),
                .deferred = sqlite3_column_int(made, 12) != 0};
    if (!store_kind_of((const char *)sqlite3_column_text(made, 2), &r.kind))
        return store_fail_with(s, "its log has a kind of record that this version does not know");
    return taker->take(taker->context, &r);
}

bool store_each_record(store *s, uint64_t above, int64_t posse, bool (*take)(void *context, const record *r),
                       void *context) {
    record_taker taker = {take, context};
    sqlite3_stmt *made =
        store_query(s, "SELECT lsn, posse, kind, decides, decision, learner, arm, propensity, reward, body, "
                       "unit, now, deferred "
                       "FROM log WHERE lsn > ? AND (?2 = 0 OR posse = ?2) ORDER BY lsn");
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, (int64_t)above);
    sqlite3_bind_int64(made, 2, posse);
    return store_each(s, made, log_take, &taker);
}

/* ---------------------------------------------------- tidying ----------------------------------------------------- */

/* The last record that may go: of at most `most`, all before it may go, too. 0: none. */
static bool log_find_cut(store *s, bool large, int64_t before, int most, int64_t *cut) {
    sqlite3_stmt *made = store_statement(s, SQL_OLDEST);
    *cut = 0;
    if (made == NULL) return false;
    sqlite3_bind_int(made, 1, most);
    int status;
    while ((status = sqlite3_step(made)) == SQLITE_ROW && (large || sqlite3_column_int64(made, 1) < before))
        *cut = sqlite3_column_int64(made, 0);
    bool fine = status == SQLITE_ROW || status == SQLITE_DONE;
    if (!fine) store_fail(s);
    sqlite3_reset(made);
    return fine;
}

bool store_trim(store *s, bool large, int64_t before, int most, bool *more) {
    int64_t cut;
    *more = false;
    if (!log_find_cut(s, large, before, most, &cut)) return false;
    if (cut == 0) return true;
    *more = true;
    return store_run_with(s, SQL_TRIM, cut) && store_run_with(s, SQL_TRIMMED, cut);
}

bool store_trimmed(store *s, uint64_t *lsn) {
    int64_t trimmed = 0;
    bool fine = s->format < 3 || store_ask(s, "SELECT trimmed FROM about", 0, &trimmed);
    *lsn = (uint64_t)trimmed;
    return fine;
}

/* ---------------------------------------------------- erasing ----------------------------------------------------- */

bool store_erase(store *s, int64_t posse, const char *unit, uint64_t last) {
    sqlite3_stmt *made = store_statement(s, SQL_ERASE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    store_bind_text(made, 2, unit);
    sqlite3_bind_int64(made, 3, (int64_t)last);
    return store_run(s, made);
}

static bool log_take_erasure(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    kept_erasure *out = context;
    out->posse = sqlite3_column_int64(made, 0);
    snprintf(out->unit, sizeof out->unit, "%s", (const char *)sqlite3_column_text(made, 1));
    out->last = sqlite3_column_int64(made, 2);
    out->done = sqlite3_column_int64(made, 3);
    return true;
}

bool store_erasing(store *s, kept_erasure *out) {
    *out = (kept_erasure){0};
    sqlite3_stmt *made = store_query(s, "SELECT posse, unit, last, done FROM erasing ORDER BY posse, unit LIMIT 1");
    return store_each(s, made, log_take_erasure, out);
}

/* Runs a statement about an erasure: its posse, its unit, and the records of a piece. */
static bool log_run_erasure(store *s, int which, const kept_erasure *e, int64_t to) {
    sqlite3_stmt *made = store_statement(s, which);
    if (made == NULL) return false;
    int parameters = sqlite3_bind_parameter_count(made);
    sqlite3_bind_int64(made, 1, e->posse);
    store_bind_text(made, 2, e->unit);
    if (parameters > 2) sqlite3_bind_int64(made, 3, e->done);
    if (parameters > 3) sqlite3_bind_int64(made, 4, to);
    return store_run(s, made);
}

/*
 * Records of what was played have no unit, so decisions of the unit are noted first: those before the erasure began,
 * while plays that are reported later are erased, too. A context of one unit is replaced
 * by an empty text, because NULL stands for the context of the record before.
 */
bool store_erase_some(store *s, const kept_erasure *which, int64_t to, bool whole) {
    bool all = which->unit[0] == '\0';
    bool erased = all ? log_run_erasure(s, SQL_ERASES, which, to)
                      : log_run_erasure(s, SQL_NOTE_UNIT, which, to < which->last ? to : which->last) &&
                            log_run_erasure(s, SQL_ERASES_UNIT, which, to);
    if (!erased || !whole) return erased && log_run_erasure(s, SQL_ERASED, which, to);
    bool kept = all || log_run_erasure(s, SQL_KEEP_DECISIONS, which, to);
    return kept && log_run_erasure(s, SQL_ERASED_WHOLE, which, to);
}

bool store_is_erased(store *s, int64_t posse, uint64_t decision, bool *erased) {
    sqlite3_stmt *made = store_statement(s, SQL_ERASED_DECISION);
    *erased = false;
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)decision);
    int status = sqlite3_step(made);
    *erased = status == SQLITE_ROW;
    bool fine = *erased || status == SQLITE_DONE || store_fail(s);
    sqlite3_reset(made);
    return fine;
}

typedef struct erased_keeper {
    bool (*keep)(void *context, int64_t posse, uint64_t decision);
    void *context;
} erased_keeper;

static bool log_take_erased(store *s, sqlite3_stmt *row, void *context) {
    const erased_keeper *k = context;
    int64_t posse = sqlite3_column_int64(row, 0), decision = sqlite3_column_int64(row, 1);
    if (k->keep(k->context, posse, (uint64_t)decision)) return true;
    sqlite3_stmt *made = store_statement(s, SQL_FORGET_DECISION);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, decision);
    return store_run(s, made);
}

bool store_each_erased(store *s, int64_t posse, bool (*keep)(void *context, int64_t posse, uint64_t decision),
                       void *context) {
    erased_keeper k = {keep, context};
    sqlite3_stmt *made =
        store_query(s, "SELECT posse, decision FROM erasing_decision WHERE unit = '' AND (?1 = 0 OR posse = ?1)");
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    return store_each(s, made, log_take_erased, &k);
}
