/* SPDX-License-Identifier: MIT */
/*
 * The store in SQLite: a write-ahead log that is synced at every commit. A commit that a crash has cut short is absent
 * afterwards: SQLite detects it by the checksums of its frames. This file opens the database, and has what is said
 * about the database as a whole.
 */
#include "engine/store_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/clock.h"

#define FORMAT 8
#define BUSY_MILLISECONDS 200 /* how long a commit waits while another process writes */

/* What format 2 adds to format 1. */
#define CLOCK_TABLES                                                                                                   \
    "ALTER TABLE about ADD COLUMN boot TEXT; ALTER TABLE about ADD COLUMN ahead REAL;"                                 \
    "CREATE TABLE clock(posse INTEGER NOT NULL, decides INTEGER NOT NULL, at REAL NOT NULL,"                           \
    "  PRIMARY KEY(posse, decides)) WITHOUT ROWID;"

/* What format 3 adds: up to which record the log was trimmed, and whose contexts are being erased, up to which record.
 */
#define TRIM_TABLES                                                                                                    \
    "ALTER TABLE about ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;"                                                 \
    "CREATE TABLE erasing(posse INTEGER PRIMARY KEY, last INTEGER NOT NULL, done INTEGER NOT NULL);"

/* What format 4 adds: the rewards of a posse so far, and its history, which begins with the conversion. */
#define HISTORY_TABLES                                                                                                 \
    "ALTER TABLE mark ADD COLUMN rewards INTEGER NOT NULL DEFAULT 0;"                                                  \
    "ALTER TABLE mark ADD COLUMN reward_sum REAL NOT NULL DEFAULT 0;"                                                  \
    "CREATE TABLE history(posse INTEGER NOT NULL, at INTEGER NOT NULL, decisions INTEGER NOT NULL,"                    \
    "  rewards INTEGER NOT NULL, reward_sum REAL NOT NULL, regret REAL, best_mean REAL, plays TEXT NOT NULL,"          \
    "  PRIMARY KEY(posse, at)) WITHOUT ROWID;"                                                                         \
    "INSERT INTO history SELECT posse, unixepoch(), decides, 0, 0, NULL, NULL, '[]' FROM mark;"

/* What format 5 adds: by which mode an arm was determined, and the unit that a decision is for. */
#define MODE_COLUMNS                                                                                                   \
    "ALTER TABLE log ADD COLUMN mode TEXT; ALTER TABLE log ADD COLUMN unit TEXT;"                                      \
    "ALTER TABLE log ADD COLUMN now INTEGER; ALTER TABLE log ADD COLUMN deferred INTEGER;"

/* What format 6 adds: erasing by unit, with the decisions of that unit so far; the unit '' is all of them. */
#define UNIT_TABLES                                                                                                    \
    "CREATE TABLE erasing_unit(posse INTEGER NOT NULL, unit TEXT NOT NULL, last INTEGER NOT NULL,"                     \
    "  done INTEGER NOT NULL, PRIMARY KEY(posse, unit)) WITHOUT ROWID;"                                                \
    "INSERT INTO erasing_unit SELECT posse, '', last, done FROM erasing;"                                              \
    "DROP TABLE erasing; ALTER TABLE erasing_unit RENAME TO erasing;"                                                  \
    "CREATE TABLE erasing_decision(posse INTEGER NOT NULL, unit TEXT NOT NULL, decision INTEGER NOT NULL,"             \
    "  PRIMARY KEY(posse, unit, decision)) WITHOUT ROWID;"

/* What format 7 adds: decisions by the names that clients give them. `lsn` is where the log was then. */
#define EVENT_TABLES                                                                                                   \
    "CREATE TABLE event(id INTEGER PRIMARY KEY, posse INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL,"      \
    "  lsn INTEGER NOT NULL, decision INTEGER NOT NULL, arm INTEGER NOT NULL, played INTEGER NOT NULL,"                \
    "  request INTEGER NOT NULL, answer TEXT NOT NULL);"                                                               \
    "CREATE UNIQUE INDEX event_name ON event(posse, name);"

/* What format 8 adds: snapshots of large posses, whose states are in pieces. */
#define STATE_TABLES                                                                                                   \
    "CREATE TABLE large(posse INTEGER PRIMARY KEY, lsn INTEGER NOT NULL, state INTEGER NOT NULL);"                     \
    "CREATE TABLE state(id INTEGER NOT NULL, place INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(id, place));"

/* The conversions from earlier formats to this one. */
#define FROM_7 STATE_TABLES "UPDATE about SET format = 8; COMMIT;"
#define FROM_6 EVENT_TABLES FROM_7
#define FROM_5 UNIT_TABLES FROM_6
#define FROM_4 MODE_COLUMNS FROM_5
#define FROM_3 HISTORY_TABLES FROM_4
#define FROM_2 TRIM_TABLES FROM_3
static const char *const conversions[FORMAT] = {
    [1] = "BEGIN IMMEDIATE;" CLOCK_TABLES FROM_2,
    [2] = "BEGIN IMMEDIATE;" FROM_2,
    [3] = "BEGIN IMMEDIATE;" FROM_3,
    [4] = "BEGIN IMMEDIATE;" FROM_4,
    [5] = "BEGIN IMMEDIATE;" FROM_5,
    [6] = "BEGIN IMMEDIATE;" FROM_6,
    [7] = "BEGIN IMMEDIATE;" FROM_7,
};

static const char schema[] =
    "BEGIN;"
    "CREATE TABLE about(format INTEGER NOT NULL, floor INTEGER NOT NULL);"
    "INSERT INTO about VALUES (8, 0);"
    "CREATE TABLE epoch(epoch INTEGER PRIMARY KEY, began TEXT NOT NULL DEFAULT (datetime('now')));"
    "CREATE TABLE posse(id INTEGER PRIMARY KEY, name TEXT NOT NULL, key BLOB NOT NULL, description TEXT NOT NULL,"
    "  records INTEGER NOT NULL, expire_seconds INTEGER NOT NULL,"
    "  created TEXT NOT NULL DEFAULT (datetime('now')), dropped TEXT);"
    "CREATE UNIQUE INDEX posse_name ON posse(name) WHERE dropped IS NULL;"
    "CREATE TABLE log(lsn INTEGER PRIMARY KEY, posse INTEGER NOT NULL,"
    "  at INTEGER NOT NULL, kind TEXT NOT NULL, decides INTEGER NOT NULL, decision INTEGER,"
    "  learner TEXT, arm INTEGER, propensity REAL, reward REAL, body TEXT);"
    "CREATE TABLE settled(posse INTEGER NOT NULL, bucket INTEGER NOT NULL, first INTEGER NOT NULL,"
    "  last INTEGER NOT NULL, PRIMARY KEY(posse, bucket, first)) WITHOUT ROWID;"
    "CREATE TABLE mark(posse INTEGER PRIMARY KEY, decides INTEGER NOT NULL, epoch INTEGER NOT NULL);"
    "CREATE TABLE snapshot(posse INTEGER PRIMARY KEY, lsn INTEGER NOT NULL, bytes BLOB NOT NULL);" CLOCK_TABLES
        TRIM_TABLES HISTORY_TABLES MODE_COLUMNS UNIT_TABLES EVENT_TABLES STATE_TABLES "COMMIT;";

/* ---------------------------------------------------- opening ----------------------------------------------------- */

/* Under these names SQLite has databases in memory, or in temporary files. */
static bool is_file(store *s, const char *path) {
    bool file = path[0] != '\0' && strcmp(path, ":memory:") != 0 && strncmp(path, "file:", 5) != 0;
    return file || store_fail_with(s, "it must be the path of a file, since what is answered is on disk");
}

/* Two servers on one database would each continue from a state that the other has changed. */
static bool lock_file(store *s, const char *path) {
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock < 0) return store_fail_with(s, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return store_fail_with(s, errno == EWOULDBLOCK ? "another process is serving it" : strerror(errno));
}

/* A database of an earlier format is converted when it is served. */
static bool check_format(store *s, bool to_write) {
    int64_t tables, format;
    if (!store_ask(s, "SELECT count(*) FROM sqlite_schema", 0, &tables)) return false;
    s->format = FORMAT;
    if (tables == 0) return store_execute(s, schema);
    if (!store_ask(s, "SELECT count(*) FROM sqlite_schema WHERE name IN ('about', 'posse', 'log', 'mark', 'snapshot')",
                   0, &tables))
        return false;
    if (tables != 5) return store_fail_with(s, "it is a database of something else");
    if (!store_ask(s, "SELECT format FROM about", 0, &format)) return false;
    if (format >= 1 && format < FORMAT && to_write) return store_execute(s, conversions[format]);
    s->format = (int)format;
    return (format >= 1 && format < FORMAT) || format == FORMAT ||
           store_fail_with(s, "it was written by another version of posse");
}

static bool open_database(store *s, const char *path) {
    if (sqlite3_open_v2(path, &s->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        return s->database != NULL ? store_fail(s) : store_fail_with(s, "no memory");
    sqlite3_busy_timeout(s->database, BUSY_MILLISECONDS);
    /*
     * The frames that a crash has left in the write-ahead log are moved into the database first, so that the log begins
     * empty. Deleted bytes are overwritten, so that none stay in free pages.
     */
    return store_execute(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; "
                            "PRAGMA secure_delete = ON") &&
           check_format(s, true) && store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)");
}

/* Other processes can read the database while a server has it open. */
static bool open_reader(store *s, const char *path) {
    if (sqlite3_open_v2(path, &s->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return s->database != NULL ? store_fail(s) : store_fail_with(s, "no memory");
    sqlite3_busy_timeout(s->database, BUSY_MILLISECONDS);
    return store_execute(s, "PRAGMA query_only = ON") && check_format(s, false);
}

static store *store_opened(const char *path, char why[200], bool to_write) {
    store *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(why, 200, "no memory");
        return NULL;
    }
    s->lock = -1;
    if (to_write ? is_file(s, path) && lock_file(s, path) && open_database(s, path) : open_reader(s, path)) return s;
    snprintf(why, 200, "%s", s->why);
    store_close(s);
    return NULL;
}

store *store_open(const char *path, char why[200]) {
    return store_opened(path, why, true);
}

store *store_open_to_read(const char *path, char why[200]) {
    return store_opened(path, why, false);
}

/* The lock is closed last, because closing any descriptor of a database drops the locks that SQLite has on it. */
void store_close(store *s) {
    if (s == NULL) return;
    for (int k = 0; k < SQL_COUNT; k++) sqlite3_finalize(s->made[k]);
    sqlite3_close(s->database);
    if (s->lock >= 0) close(s->lock);
    free(s->read);
    free(s);
}

/* -------------------------------------------------- transactions -------------------------------------------------- */

bool store_begin(store *s) {
    s->now = clock_date();
    return store_run(s, store_statement(s, SQL_BEGIN));
}

bool store_begin_reading(store *s) {
    return store_execute(s, "BEGIN");
}

bool store_commit(store *s) {
    return store_run(s, store_statement(s, SQL_COMMIT));
}

/* Some errors have rolled back already. */
void store_rollback(store *s) {
    char why[sizeof s->why];
    memcpy(why, s->why, sizeof why);
    if (!sqlite3_get_autocommit(s->database)) store_run(s, store_statement(s, SQL_ROLLBACK));
    memcpy(s->why, why, sizeof why);
}

/* It does not wait for readers, because requests would wait, too. */
bool store_checkpoint(store *s, bool *whole) {
    sqlite3_busy_timeout(s->database, 0);
    int status = sqlite3_wal_checkpoint_v2(s->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    sqlite3_busy_timeout(s->database, BUSY_MILLISECONDS);
    *whole = status == SQLITE_OK;
    return *whole || status == SQLITE_BUSY || store_fail(s);
}

/* ----------------------------------------------- about the database ----------------------------------------------- */

bool store_size(store *s, uint64_t *bytes) {
    int64_t used;
    if (!store_ask(s,
                   "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
                   "pragma_page_size",
                   0, &used))
        return false;
    *bytes = (uint64_t)used;
    return true;
}

bool store_set_floor(store *s, uint64_t lsn) {
    return store_run_with(s, SQL_FLOOR, (int64_t)lsn);
}

bool store_ends(store *s, uint64_t *floor_, uint64_t *lsn, int64_t *posse) {
    int64_t lowest, highest;
    if (!store_ask(s, "SELECT floor FROM about", 0, &lowest) ||
        !store_ask(s, "SELECT max(lsn) FROM log", 0, &highest) || !store_ask(s, "SELECT max(id) FROM posse", 0, posse))
        return false;
    *floor_ = (uint64_t)lowest;
    *lsn = (uint64_t)(highest > lowest ? highest : lowest); /* the log may have been trimmed up to the floor */
    return true;
}

bool store_add_epoch(store *s, uint32_t epoch) {
    return store_run_with(s, SQL_EPOCH, epoch);
}

bool store_has_epoch(store *s, uint32_t epoch, bool *has) {
    char question[80];
    int64_t count = 0;
    snprintf(question, sizeof question, "SELECT count(*) FROM epoch WHERE epoch = %lu", (unsigned long)epoch);
    bool fine = store_ask(s, question, 0, &count);
    *has = count > 0;
    return fine;
}

bool store_set_clock(store *s, const char *boot, double ahead) {
    sqlite3_stmt *made = store_statement(s, SQL_CLOCK);
    if (made == NULL) return false;
    store_bind_text(made, 1, boot);
    sqlite3_bind_double(made, 2, ahead);
    return store_run(s, made);
}

typedef struct kept_clock {
    char *boot;
    double *ahead;
} kept_clock;

static bool store_take_clock(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    const kept_clock *out = context;
    const char *boot = (const char *)sqlite3_column_text(made, 0);
    snprintf(out->boot, 40, "%s", boot != NULL ? boot : "");
    *out->ahead = sqlite3_column_double(made, 1);
    return true;
}

bool store_clock(store *s, char boot[40], double *ahead) {
    kept_clock out = {boot, ahead};
    return store_each(s, store_query(s, "SELECT boot, ahead FROM about"), store_take_clock, &out);
}
