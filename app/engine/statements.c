/* SPDX-License-Identifier: MIT */
/*
 * The statements of the store, each prepared once, and the ways to run them.
 */
#include "engine/store_inside.h"

#include <math.h>
#include <stdio.h>

static const char *const sentences[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_ADD_POSSE] =
        "INSERT INTO posse(id, name, key, description, records, expire_seconds) VALUES (?, ?, ?, ?, ?, ?)",
    [SQL_DROP_POSSE] = "UPDATE posse SET dropped = datetime('now') WHERE id = ?",
    [SQL_FORGET_SNAPSHOT] = "DELETE FROM snapshot WHERE posse = ?",
    [SQL_FORGET_MARK] = "DELETE FROM mark WHERE posse = ?",
    [SQL_TIME] = "INSERT OR REPLACE INTO clock VALUES (?, ?, ?)",
    [SQL_FORGET_TIMES] = "DELETE FROM clock WHERE posse = ? AND decides < ?",
    [SQL_CLOCK] = "UPDATE about SET boot = ?, ahead = ?",
    [SQL_APPEND] = ("INSERT INTO log(lsn, posse, kind, decides, decision, learner, arm, propensity, reward, at, body, "
                    "mode, unit, now, deferred) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    [SQL_APPEND_PLAIN] = ("INSERT INTO log(lsn, posse, kind, decides, decision, learner, arm, propensity, reward, at) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    [SQL_SETTLES] = "INSERT INTO settled VALUES (?, ?, ?, ?)",
    [SQL_MARK] = ("INSERT INTO mark VALUES (?, ?, ?, ?, ?) ON CONFLICT(posse) DO UPDATE SET decides = "
                  "excluded.decides, epoch = excluded.epoch, rewards = excluded.rewards, reward_sum = "
                  "excluded.reward_sum"),
    [SQL_SNAPSHOT] = "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)",
    [SQL_LARGE] = "INSERT OR REPLACE INTO large VALUES (?, ?, ?)",
    [SQL_FORGET_LARGE] = "DELETE FROM large WHERE posse = ?",
    [SQL_PIECE] = "INSERT INTO state VALUES (?, ?, ?)",
    [SQL_FORGET_PIECE] =
        ("DELETE FROM state WHERE rowid = (SELECT rowid FROM state WHERE id <> ? AND id NOT IN (SELECT "
         "state FROM large) LIMIT 1)"),
    [SQL_EPOCH] = "INSERT INTO epoch(epoch) VALUES (?)",
    [SQL_FLOOR] = "UPDATE about SET floor = ?",
    [SQL_SETTLED] =
        ("SELECT decision, kind, reward FROM settled JOIN log ON lsn BETWEEN first AND last AND log.posse = "
         "?1 WHERE settled.posse = ?1 AND bucket = ?2 AND decision >> ?3 = ?2 AND kind IN ('learn', "
         "'forget') ORDER BY first"),
    [SQL_OLDEST] = "SELECT lsn, at FROM log WHERE lsn <= (SELECT floor FROM about) ORDER BY lsn LIMIT ?",
    [SQL_TRIM] = "DELETE FROM log WHERE lsn <= ?",
    [SQL_TRIMMED] = "UPDATE about SET trimmed = ?",
    [SQL_STALE] = ("SELECT posse, bucket, first, last FROM settled WHERE (posse, bucket, first) > (?, ?, ?) "
                   "ORDER BY posse, bucket, first LIMIT ?"),
    [SQL_FORGET_SETTLED] = "DELETE FROM settled WHERE posse = ? AND bucket = ? AND first = ?",
    [SQL_ERASE] = "INSERT OR REPLACE INTO erasing VALUES (?, ?, ?, 0)",
    [SQL_ERASES] = ("UPDATE log SET body = NULL, unit = NULL, now = NULL WHERE lsn > ?3 AND lsn <= ?4 AND posse = ?1 "
                    "AND kind IN ('decide', 'acted', 'teach') AND (body IS NOT NULL OR unit IS NOT NULL)"),
    [SQL_NOTE_UNIT] = ("INSERT OR IGNORE INTO erasing_decision SELECT posse, unit, decision FROM log WHERE lsn > ?3 "
                       "AND lsn <= ?4 AND posse = ?1 AND unit = ?2"),
    [SQL_ERASES_UNIT] =
        ("UPDATE log SET body = iif(body IS NULL, NULL, ''), unit = NULL, now = NULL WHERE lsn > ?3 AND lsn <= ?4 AND "
         "posse = ?1 AND kind IN ('decide', 'acted') AND decision IN (SELECT decision FROM erasing_decision WHERE "
         "posse = ?1 AND unit = ?2)"),
    [SQL_KEEP_DECISIONS] = "UPDATE OR REPLACE erasing_decision SET unit = '' WHERE posse = ? AND unit = ?",
    [SQL_ERASED_DECISION] = "SELECT 1 FROM erasing_decision WHERE posse = ? AND unit = '' AND decision = ?",
    [SQL_FORGET_DECISION] = "DELETE FROM erasing_decision WHERE posse = ? AND unit = '' AND decision = ?",
    [SQL_ERASED] = "UPDATE erasing SET done = ?4 WHERE posse = ?1 AND unit = ?2",
    [SQL_ERASED_WHOLE] = "DELETE FROM erasing WHERE posse = ? AND unit = ?",
    [SQL_POINT] = "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [SQL_POINT_AGAIN] = ("INSERT OR IGNORE INTO history SELECT posse, ?2, decisions, rewards, reward_sum, regret, "
                         "best_mean, plays FROM history WHERE posse = ?1 AND at < ?2 ORDER BY at DESC LIMIT 1"),
    [SQL_THIN] =
        ("DELETE FROM history WHERE posse = ?1 AND at < ?2 AND at > (SELECT min(at) FROM history WHERE posse = "
         "?1) AND at NOT IN (SELECT max(at) FROM history WHERE posse = ?1 AND at < ?2 GROUP BY at / ?3)"),
    [SQL_FORGET_HISTORY] = "DELETE FROM history WHERE posse = ?",
    [SQL_EVENT] = ("INSERT INTO event(posse, name, at, lsn, decision, arm, played, request, answer) VALUES (?, ?, ?, "
                   "?, ?, ?, ?, ?, ?)"),
    [SQL_FIND_EVENT] =
        "SELECT posse, name, lsn, decision, arm, played, request, answer FROM event WHERE posse = ? AND name = ?",
    [SQL_BODY] = "SELECT body FROM log WHERE lsn = ? AND posse = ? AND decision = ? AND kind = 'decide'",
    [SQL_OLD_EVENTS] = "SELECT id, posse, decision, at, lsn FROM event WHERE id > ? ORDER BY id LIMIT ?",
    [SQL_FORGET_EVENT] = "DELETE FROM event WHERE id = ?",
    [SQL_EVENT_SHOWN] =
        "UPDATE event SET id = (SELECT max(id) + 1 FROM event), at = ?3, lsn = ?4 WHERE posse = ?1 AND name = ?2",
    [SQL_FORGET_EVENTS] = "DELETE FROM event WHERE id IN (SELECT id FROM event WHERE posse = ? LIMIT ?)",
    [SQL_EMPTY_ANSWER] = "UPDATE event SET answer = '' WHERE id = ? AND answer <> ''",
};

const char *store_why(const store *s) {
    return s->why;
}

bool store_fail(store *s) {
    snprintf(s->why, sizeof s->why, "%s", sqlite3_errmsg(s->database));
    return false;
}

bool store_fail_with(store *s, const char *why) {
    snprintf(s->why, sizeof s->why, "%s", why);
    return false;
}

sqlite3_stmt *store_statement(store *s, int which) {
    if (s->made[which] == NULL && sqlite3_prepare_v3(s->database, sentences[which], -1, SQLITE_PREPARE_PERSISTENT,
                                                     &s->made[which], NULL) != SQLITE_OK)
        store_fail(s);
    return s->made[which];
}

bool store_run(store *s, sqlite3_stmt *made) {
    if (made == NULL) return false;
    bool done = sqlite3_step(made) == SQLITE_DONE;
    if (!done) store_fail(s);
    sqlite3_reset(made);
    return done;
}

bool store_run_with(store *s, int which, int64_t number) {
    sqlite3_stmt *made = store_statement(s, which);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, number);
    return store_run(s, made);
}

bool store_execute(store *s, const char *several) {
    return sqlite3_exec(s->database, several, NULL, NULL, NULL) == SQLITE_OK || store_fail(s);
}

bool store_ask(store *s, const char *question, int64_t otherwise, int64_t *out) {
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(s->database, question, -1, &made, NULL) != SQLITE_OK) return store_fail(s);
    int status = sqlite3_step(made);
    *out =
        status == SQLITE_ROW && sqlite3_column_type(made, 0) != SQLITE_NULL ? sqlite3_column_int64(made, 0) : otherwise;
    bool answered = status == SQLITE_ROW || status == SQLITE_DONE;
    if (!answered) store_fail(s);
    sqlite3_finalize(made);
    return answered;
}

sqlite3_stmt *store_query(store *s, const char *question) {
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(s->database, question, -1, &made, NULL) != SQLITE_OK) store_fail(s);
    return made;
}

bool store_each(store *s, sqlite3_stmt *made, bool (*row)(store *s, sqlite3_stmt *made, void *context), void *context) {
    int status = made != NULL ? sqlite3_step(made) : SQLITE_ERROR;
    bool go_on = true;
    while (status == SQLITE_ROW && (go_on = row(s, made, context))) status = sqlite3_step(made);
    bool fine = go_on && status == SQLITE_DONE;
    if (go_on && !fine) store_fail(s);
    sqlite3_finalize(made);
    return fine;
}

void store_bind_text(sqlite3_stmt *made, int place, const char *text) {
    if (text != NULL)
        sqlite3_bind_text(made, place, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(made, place);
}

int store_arm_at(sqlite3_stmt *made, int column) {
    return sqlite3_column_type(made, column) == SQLITE_NULL ? RECORD_NO_ARM : sqlite3_column_int(made, column);
}

double store_real_at(sqlite3_stmt *made, int column) {
    return sqlite3_column_type(made, column) == SQLITE_NULL ? NAN : sqlite3_column_double(made, column);
}
