/* SPDX-License-Identifier: MIT */
/*
 * The log for people: `posse export` reads it while a server has the database open.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/store_inside.h"

typedef struct row_taker {
    void (*take)(void *context, const store_row *row);
    void *context;
    bool fills;   /* rows come in the order of the log, and decisions without a context get the one before */
    char *latest; /* the context before */
} row_taker;

static bool rows_take(store *s, sqlite3_stmt *made, void *context) {
    row_taker *taker = context;
    store_row row = {.at = (const char *)sqlite3_column_text(made, 0),
                     .kind = (const char *)sqlite3_column_text(made, 1),
                     .decision = (uint64_t)sqlite3_column_int64(made, 2),
                     .learner = (const char *)sqlite3_column_text(made, 3),
                     .arm = store_arm_at(made, 4),
                     .propensity = store_real_at(made, 5),
                     .reward = store_real_at(made, 6),
                     .body = (const char *)sqlite3_column_text(made, 7),
                     .mode = (const char *)sqlite3_column_text(made, 8),
                     .unit = (const char *)sqlite3_column_text(made, 9),
                     .decides = (uint64_t)sqlite3_column_int64(made, 10)};
    bool decides = taker->fills && row.kind != NULL && strcmp(row.kind, store_kind_name(RECORD_DECIDE)) == 0;
    if (decides && row.body == NULL) row.body = taker->latest;
    if (decides && row.body != NULL && row.body != taker->latest) {
        free(taker->latest);
        taker->latest = strdup(row.body);
        if (taker->latest == NULL) return store_fail_with(s, "no memory");
    }
    taker->take(taker->context, &row);
    return true;
}

static bool rows_each(store *s, const char *name, bool *found, const char *question, row_taker taker) {
    sqlite3_stmt *which = store_query(s, "SELECT max(id) FROM posse WHERE name = ?");
    if (which == NULL) return false;
    store_bind_text(which, 1, name);
    *found = sqlite3_step(which) == SQLITE_ROW && sqlite3_column_type(which, 0) != SQLITE_NULL;
    int64_t posse = *found ? sqlite3_column_int64(which, 0) : 0;
    sqlite3_finalize(which);
    if (!*found) return true;
    sqlite3_stmt *made = store_query(s, question);
    if (made != NULL) sqlite3_bind_int64(made, 1, posse);
    bool fine = store_each(s, made, rows_take, &taker);
    free(taker.latest);
    return fine;
}

#define EVENT                                                                                                          \
    "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', log.at, 'unixepoch'), log.kind, log.decision, log.learner, log.arm, "
#define ROW EVENT "log.propensity, log.reward, "

/*
 * Other arms had no chance where a unit kept its arm or the posse was paused, so such a row cannot judge another rule.
 * Of a suggestion, the probability is known only if it was deferred and then shown as it was drawn. Earlier versions
 * wrote it wherever something was played.
 */
#define WEIGHED_ROW                                                                                                    \
    EVENT "CASE WHEN log.mode IN ('kept', 'paused') OR (log.mode = 'suggested' AND (later IS NOT 1 OR drawn IS NOT "   \
          "log.arm)) THEN NULL ELSE log.propensity END, log.reward, "

/* Databases before format 5, which nobody has served since, have no modes and no units. */
#define WITH_MODES ", log.mode, log.unit, log.decides "
#define WITHOUT_MODES ", NULL, NULL, log.decides "
#define HISTORY "FROM log WHERE posse = ? ORDER BY lsn"
#define ARMS "FROM log WHERE posse = ? AND kind IN ('add arm', 'retire arm') ORDER BY lsn"
#define DECISIONS "SELECT decision AS made, max(iif(body IS NULL, NULL, lsn)) OVER (ORDER BY lsn) AS asked"
#define REWARDS_OF(columns)                                                                                            \
    "FROM log LEFT JOIN (" DECISIONS columns " "                                                                       \
    "FROM log WHERE posse = ?1 AND kind = 'decide') ON made = log.decision LEFT JOIN log AS said ON said.lsn = asked " \
    "WHERE log.posse = ?1 AND (log.kind = 'learn' OR (log.kind = 'expire' AND log.reward IS NOT NULL)) ORDER BY log.lsn"

bool store_each_row(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                    void *context) {
    return rows_each(s, name, found, s->format < 5 ? ROW "body" WITHOUT_MODES HISTORY : ROW "body" WITH_MODES HISTORY,
                     (row_taker){.take = take, .context = context, .fills = true});
}

bool store_each_arm(store *s, const char *name, void (*take)(void *context, const store_row *row), void *context) {
    bool found;
    return rows_each(s, name, &found, ROW "body" WITHOUT_MODES ARMS, (row_taker){.take = take, .context = context});
}

bool store_each_reward(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                       void *context) {
    return rows_each(s, name, found,
                     s->format < 5 ? ROW "said.body" WITHOUT_MODES REWARDS_OF("")
                                   : WEIGHED_ROW "said.body" WITH_MODES REWARDS_OF(", deferred AS later, arm AS drawn"),
                     (row_taker){.take = take, .context = context});
}

bool store_describe(store *s, const char *name, char **description, char begins[24]) {
    sqlite3_stmt *made =
        store_query(s, "SELECT description, (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', at, 'unixepoch') FROM "
                       "log ORDER BY lsn LIMIT 1) FROM posse WHERE name = ? ORDER BY id DESC LIMIT 1");
    if (made == NULL) return false;
    store_bind_text(made, 1, name);
    *description = NULL;
    begins[0] = '\0';
    bool fine = sqlite3_step(made) == SQLITE_ROW;
    if (fine) {
        *description = strdup((const char *)sqlite3_column_text(made, 0));
        const char *first = (const char *)sqlite3_column_text(made, 1);
        snprintf(begins, 24, "%s", first != NULL ? first : "");
    }
    sqlite3_finalize(made);
    return !fine || *description != NULL;
}
