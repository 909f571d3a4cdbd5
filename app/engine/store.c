/* SPDX-License-Identifier: MIT */
/*
 * The store in SQLite: a write-ahead log that is synced at every commit. A commit that a crash has cut short is absent
 * afterwards: SQLite detects it by the checksums of its frames.
 */
#include "engine/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define FORMAT 3
#define BUCKET_BITS 8         /* decisions of a bucket: 256 */
#define BUCKETS_OPEN 32       /* buckets of a commit that are searched for each record */
#define BUCKET_GAP 16         /* the most records between two of an entry, so an entry covers few of other buckets */
#define BUCKETS_READ 64       /* buckets in memory, for clients that repeat many rewards */
#define BUSY_MILLISECONDS 200 /* how long a commit waits while another process writes */

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
    SQL_SETTLES,
    SQL_MARK,
    SQL_SNAPSHOT,
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
    SQL_ERASED,
    SQL_ERASED_WHOLE,
    SQL_COUNT
};

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
    [SQL_APPEND] = ("INSERT INTO log(lsn, posse, kind, decides, decision, learner, arm, propensity, reward, body, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    [SQL_SETTLES] = "INSERT INTO settled VALUES (?, ?, ?, ?)",
    [SQL_MARK] = ("INSERT INTO mark VALUES (?, ?, ?) "
                  "ON CONFLICT(posse) DO UPDATE SET decides = excluded.decides, epoch = excluded.epoch"),
    [SQL_SNAPSHOT] = "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)",
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
    [SQL_ERASE] = "INSERT OR REPLACE INTO erasing VALUES (?, ?, 0)",
    [SQL_ERASES] = ("UPDATE log SET body = NULL WHERE lsn > ? AND lsn <= ? AND posse = ? AND body IS NOT NULL AND kind "
                    "IN ('decide', 'acted', 'teach')"),
    [SQL_ERASED] = "UPDATE erasing SET done = ? WHERE posse = ?",
    [SQL_ERASED_WHOLE] = "DELETE FROM erasing WHERE posse = ?",
};

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

static const char from_format_1[] = "BEGIN IMMEDIATE;" CLOCK_TABLES TRIM_TABLES "UPDATE about SET format = 3; COMMIT;";
static const char from_format_2[] = "BEGIN IMMEDIATE;" TRIM_TABLES "UPDATE about SET format = 3; COMMIT;";

static const char schema[] =
    "BEGIN;"
    "CREATE TABLE about(format INTEGER NOT NULL, floor INTEGER NOT NULL);"
    "INSERT INTO about VALUES (3, 0);"
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
        TRIM_TABLES "COMMIT;";

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
};

/* How the decisions of a bucket were settled, as it was read from the database. */
typedef struct bucket_read {
    int64_t posse; /* 0: none was read into this place */
    uint64_t number;
    int8_t kinds[1 << BUCKET_BITS]; /* -1: not settled */
    double rewards[1 << BUCKET_BITS];
} bucket_read;

struct store {
    sqlite3 *database;
    int lock; /* of the database file: one process at a time serves it */
    sqlite3_stmt *made[SQL_COUNT];
    int format; /* of the database, as it was found */
    struct {
        int64_t posse, bucket, first;
    } swept;           /* the last entry of `settled` that store_sweep has looked at */
    int64_t now;       /* the time of the transaction: seconds since 1970 */
    bucket_read *read; /* BUCKETS_READ of them; NULL: nothing was looked up so far */
    char why[200];
};

static bool store_kind_of(const char *name, record_kind *out) {
    for (int k = 0; k < RECORD_KINDS; k++)
        if (name != NULL && strcmp(name, kind_names[k]) == 0) {
            *out = (record_kind)k;
            return true;
        }
    return false;
}

/* -------------------------------------------------- statements --------------------------------------------------- */

const char *store_why(const store *s) {
    return s->why;
}

static bool store_fail(store *s) {
    snprintf(s->why, sizeof s->why, "%s", sqlite3_errmsg(s->database));
    return false;
}

static bool fail_with(store *s, const char *why) {
    snprintf(s->why, sizeof s->why, "%s", why);
    return false;
}

/* Prepares a statement when it is first needed. NULL: that failed. */
static sqlite3_stmt *store_statement(store *s, int which) {
    if (s->made[which] == NULL && sqlite3_prepare_v3(s->database, sentences[which], -1, SQLITE_PREPARE_PERSISTENT,
                                                     &s->made[which], NULL) != SQLITE_OK)
        store_fail(s);
    return s->made[which];
}

/* Runs a statement that returns nothing. */
static bool store_run(store *s, sqlite3_stmt *made) {
    if (made == NULL) return false;
    bool done = sqlite3_step(made) == SQLITE_DONE;
    if (!done) store_fail(s);
    sqlite3_reset(made);
    return done;
}

static void bind_text(sqlite3_stmt *made, int place, const char *text) {
    if (text != NULL)
        sqlite3_bind_text(made, place, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(made, place);
}

/* SQLite has no NaN, and stores NULL for it. */
static void bind_real(sqlite3_stmt *made, int place, double number) {
    sqlite3_bind_double(made, place, number);
}

static int arm_at(sqlite3_stmt *made, int column) {
    return sqlite3_column_type(made, column) == SQLITE_NULL ? RECORD_NO_ARM : sqlite3_column_int(made, column);
}

static double real_at(sqlite3_stmt *made, int column) {
    return sqlite3_column_type(made, column) == SQLITE_NULL ? NAN : sqlite3_column_double(made, column);
}

/* ---------------------------------------------------- opening ---------------------------------------------------- */

/* Under these names SQLite has databases in memory, or in temporary files. */
static bool is_file(store *s, const char *path) {
    bool file = path[0] != '\0' && strcmp(path, ":memory:") != 0 && strncmp(path, "file:", 5) != 0;
    return file || fail_with(s, "it must be the path of a file, since what is answered is on disk");
}

/* Two servers on one database would each continue from a state that the other has changed. */
static bool lock_file(store *s, const char *path) {
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock < 0) return fail_with(s, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return fail_with(s, errno == EWOULDBLOCK ? "another process is serving it" : strerror(errno));
}

static bool store_execute(store *s, const char *sentences_) {
    return sqlite3_exec(s->database, sentences_, NULL, NULL, NULL) == SQLITE_OK || store_fail(s);
}

/* The whole number that a query returns, or `otherwise` if it returns none. */
static bool store_ask(store *s, const char *question, int64_t otherwise, int64_t *out) {
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

/* A database of an earlier format is converted when it is served. */
static bool check_format(store *s, bool to_write) {
    int64_t tables, format;
    if (!store_ask(s, "SELECT count(*) FROM sqlite_schema", 0, &tables)) return false;
    if (tables == 0) return store_execute(s, schema);
    if (!store_ask(s, "SELECT count(*) FROM sqlite_schema WHERE name IN ('about', 'posse', 'log', 'mark', 'snapshot')",
                   0, &tables))
        return false;
    if (tables != 5) return fail_with(s, "it is a database of something else");
    if (!store_ask(s, "SELECT format FROM about", 0, &format)) return false;
    s->format = (int)format;
    if (format == 1 || format == 2) return !to_write || store_execute(s, format == 1 ? from_format_1 : from_format_2);
    return format == FORMAT || fail_with(s, "it was written by another version of posse");
}

static bool open_database(store *s, const char *path) {
    if (sqlite3_open_v2(path, &s->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        return s->database != NULL ? store_fail(s) : fail_with(s, "no memory");
    sqlite3_busy_timeout(s->database, BUSY_MILLISECONDS);
    /*
     * The frames that a crash has left in the write-ahead log are moved into the database first, so that the log begins
     * empty.
     */
    return store_execute(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF") &&
           check_format(s, true) && store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)");
}

/* Other processes can read the database while a server has it open. */
static bool open_reader(store *s, const char *path) {
    if (sqlite3_open_v2(path, &s->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return s->database != NULL ? store_fail(s) : fail_with(s, "no memory");
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

/* ---------------------------------------------------- writing ---------------------------------------------------- */

bool store_begin(store *s) {
    s->now = (int64_t)time(NULL);
    return store_run(s, store_statement(s, SQL_BEGIN));
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

bool store_add_posse(store *s, const kept_posse *p) {
    sqlite3_stmt *made = store_statement(s, SQL_ADD_POSSE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, p->id);
    bind_text(made, 2, p->name);
    sqlite3_bind_blob(made, 3, p->key, sizeof p->key, SQLITE_STATIC);
    bind_text(made, 4, p->description);
    sqlite3_bind_int(made, 5, p->records);
    sqlite3_bind_int64(made, 6, (int64_t)p->expire_seconds);
    return store_run(s, made);
}

/* Runs a statement with one number. */
static bool run_with(store *s, int which, int64_t number) {
    sqlite3_stmt *made = store_statement(s, which);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, number);
    return store_run(s, made);
}

bool store_erase(store *s, int64_t posse, uint64_t last) {
    sqlite3_stmt *made = store_statement(s, SQL_ERASE);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)last);
    return store_run(s, made);
}

bool store_drop_posse(store *s, int64_t posse) {
    return run_with(s, SQL_DROP_POSSE, posse) && run_with(s, SQL_FORGET_SNAPSHOT, posse) &&
           run_with(s, SQL_FORGET_MARK, posse) && store_drop_times(s, posse, INT64_MAX);
}

static bool append(store *s, const record *r) {
    sqlite3_stmt *made = store_statement(s, SQL_APPEND);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, (int64_t)r->lsn);
    sqlite3_bind_int64(made, 2, r->posse);
    bind_text(made, 3, kind_names[r->kind]);
    sqlite3_bind_int64(made, 4, (int64_t)r->decides);
    if (r->decision != 0)
        sqlite3_bind_int64(made, 5, (int64_t)r->decision);
    else
        sqlite3_bind_null(made, 5);
    bind_text(made, 6, r->learner);
    if (r->arm != RECORD_NO_ARM)
        sqlite3_bind_int(made, 7, r->arm);
    else
        sqlite3_bind_null(made, 7);
    bind_real(made, 8, r->propensity);
    bind_real(made, 9, r->reward);
    bind_text(made, 10, r->body);
    sqlite3_bind_int64(made, 11, s->now);
    return store_run(s, made);
}

/*
 * An index of how decisions were settled, which is only needed if a client repeats a request. An entry for each
 * decision would cost as much as the records. So neighbouring decisions form a bucket, and an entry has the first and
 * the last record of a commit that settled decisions of the bucket.
 */
typedef struct bucket {
    int64_t posse;
    uint64_t number, first, last;
} bucket;

static bool write_buckets(store *s, const bucket *list, size_t count) {
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++) {
        sqlite3_stmt *made = store_statement(s, SQL_SETTLES);
        if (made == NULL) return false;
        sqlite3_bind_int64(made, 1, list[i].posse);
        sqlite3_bind_int64(made, 2, (int64_t)list[i].number);
        sqlite3_bind_int64(made, 3, (int64_t)list[i].first);
        sqlite3_bind_int64(made, 4, (int64_t)list[i].last);
        fine = store_run(s, made);
    }
    return fine;
}

/* Searches from the latest bucket, since rewards of neighbours come together. False: there is no place left. */
static bool store_enter_bucket(bucket *list, size_t *count, const record *r) {
    uint64_t number = r->decision >> BUCKET_BITS;
    for (size_t i = *count; i-- > 0;) {
        if (list[i].number != number || list[i].posse != r->posse || r->lsn - list[i].last > BUCKET_GAP) continue;
        list[i].last = r->lsn;
        return true;
    }
    if (*count == BUCKETS_OPEN) return false;
    list[(*count)++] = (bucket){r->posse, number, r->lsn, r->lsn};
    return true;
}

static bucket_read *place_of_bucket(store *s, uint64_t number) {
    return &s->read[number % BUCKETS_READ];
}

/* A bucket in memory is out of date after more of its decisions were settled. */
static void forget_bucket(store *s, const record *r) {
    bucket_read *read = s->read != NULL ? place_of_bucket(s, r->decision >> BUCKET_BITS) : NULL;
    if (read != NULL && read->posse == r->posse) read->posse = 0;
}

bool store_append(store *s, const record *records, size_t count) {
    bucket open[BUCKETS_OPEN];
    size_t opened_count = 0;
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++) {
        const record *r = &records[i];
        fine = append(s, r);
        if (!fine || (r->kind != RECORD_LEARN && r->kind != RECORD_FORGET)) continue;
        forget_bucket(s, r);
        if (store_enter_bucket(open, &opened_count, r)) continue;
        fine = write_buckets(s, open, opened_count);
        opened_count = 0;
        store_enter_bucket(open, &opened_count, r);
    }
    return fine && write_buckets(s, open, opened_count);
}

bool store_mark(store *s, int64_t posse, uint64_t decides, uint32_t epoch) {
    sqlite3_stmt *made = store_statement(s, SQL_MARK);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)decides);
    sqlite3_bind_int64(made, 3, epoch);
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

bool store_add_epoch(store *s, uint32_t epoch) {
    return run_with(s, SQL_EPOCH, epoch);
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

bool store_set_clock(store *s, const char *boot, double ahead) {
    sqlite3_stmt *made = store_statement(s, SQL_CLOCK);
    if (made == NULL) return false;
    bind_text(made, 1, boot);
    sqlite3_bind_double(made, 2, ahead);
    return store_run(s, made);
}

bool store_set_floor(store *s, uint64_t lsn) {
    return run_with(s, SQL_FLOOR, (int64_t)lsn);
}

/* ---------------------------------------------------- reading ---------------------------------------------------- */

/* Hands each row of a query to `row` until that returns false, and frees the query. */
static bool store_each(store *s, sqlite3_stmt *made, bool (*row)(store *s, sqlite3_stmt *made, void *context),
                       void *context) {
    int status = made != NULL ? sqlite3_step(made) : SQLITE_ERROR;
    bool go_on = true;
    while (status == SQLITE_ROW && (go_on = row(s, made, context))) status = sqlite3_step(made);
    bool fine = go_on && status == SQLITE_DONE;
    if (go_on && !fine) store_fail(s);
    sqlite3_finalize(made);
    return fine;
}

static sqlite3_stmt *store_query(store *s, const char *question) {
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(s->database, question, -1, &made, NULL) != SQLITE_OK) store_fail(s);
    return made;
}

typedef struct posse_taker {
    bool (*take)(void *context, const kept_posse *p);
    void *context;
} posse_taker;

static bool take_posse_row(store *s, sqlite3_stmt *made, void *context) {
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
                    .snapshot_length = (size_t)sqlite3_column_bytes(made, 9)};
    if (sqlite3_column_bytes(made, 2) != SIPHASH_KEY || p.name == NULL || p.snapshot == NULL)
        return fail_with(s, "a posse in it is damaged");
    memcpy(p.key, sqlite3_column_blob(made, 2), SIPHASH_KEY);
    return taker->take(taker->context, &p);
}

#define POSSES                                                                                                         \
    "SELECT id, name, key, description, records, expire_seconds, mark.decides, mark.epoch, snapshot.lsn, "             \
    "snapshot.bytes FROM posse LEFT JOIN mark ON mark.posse = id LEFT JOIN snapshot ON snapshot.posse = id "           \
    "WHERE dropped IS NULL"

bool store_each_posse(store *s, bool (*take)(void *context, const kept_posse *p), void *context) {
    posse_taker taker = {take, context};
    return store_each(s, store_query(s, POSSES " ORDER BY id"), take_posse_row, &taker);
}

bool store_read_posse(store *s, int64_t posse, bool (*take)(void *context, const kept_posse *p), void *context) {
    posse_taker taker = {take, context};
    sqlite3_stmt *made = store_query(s, POSSES " AND id = ?");
    if (made != NULL) sqlite3_bind_int64(made, 1, posse);
    return store_each(s, made, take_posse_row, &taker);
}

typedef struct record_taker {
    bool (*take)(void *context, const record *r);
    void *context;
} record_taker;

static bool take_record_row(store *s, sqlite3_stmt *made, void *context) {
    const record_taker *taker = context;
    record r = {.lsn = (uint64_t)sqlite3_column_int64(made, 0),
                .posse = sqlite3_column_int64(made, 1),
                .decides = (uint64_t)sqlite3_column_int64(made, 3),
                .decision = (uint64_t)sqlite3_column_int64(made, 4),
                .learner = (const char *)sqlite3_column_text(made, 5),
                .arm = arm_at(made, 6),
                .propensity = real_at(made, 7),
                .reward = real_at(made, 8),
                .body = (const char *)sqlite3_column_text(made, 9)};
    if (!store_kind_of((const char *)sqlite3_column_text(made, 2), &r.kind))
        return fail_with(s, "its log has a kind of record that this version does not know");
    return taker->take(taker->context, &r);
}

bool store_each_record(store *s, uint64_t above, int64_t posse, bool (*take)(void *context, const record *r),
                       void *context) {
    record_taker taker = {take, context};
    sqlite3_stmt *made =
        store_query(s, "SELECT lsn, posse, kind, decides, decision, learner, arm, propensity, reward, body "
                       "FROM log WHERE lsn > ? AND (?2 = 0 OR posse = ?2) ORDER BY lsn");
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, (int64_t)above);
    sqlite3_bind_int64(made, 2, posse);
    return store_each(s, made, take_record_row, &taker);
}

typedef struct time_taker {
    bool (*take)(void *context, const kept_time *t);
    void *context;
} time_taker;

static bool take_time_row(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    const time_taker *taker = context;
    kept_time t = {.posse = sqlite3_column_int64(made, 0),
                   .decides = (uint64_t)sqlite3_column_int64(made, 1),
                   .at = sqlite3_column_double(made, 2)};
    return taker->take(taker->context, &t);
}

bool store_each_time(store *s, bool (*take)(void *context, const kept_time *t), void *context) {
    time_taker taker = {take, context};
    return store_each(s, store_query(s, "SELECT posse, decides, at FROM clock ORDER BY posse, decides"), take_time_row,
                      &taker);
}

typedef struct kept_clock {
    char *boot;
    double *ahead;
} kept_clock;

static bool take_clock_row(store *s, sqlite3_stmt *made, void *context) {
    (void)s;
    const kept_clock *out = context;
    const char *boot = (const char *)sqlite3_column_text(made, 0);
    snprintf(out->boot, 40, "%s", boot != NULL ? boot : "");
    *out->ahead = sqlite3_column_double(made, 1);
    return true;
}

bool store_clock(store *s, char boot[40], double *ahead) {
    kept_clock out = {boot, ahead};
    return store_each(s, store_query(s, "SELECT boot, ahead FROM about"), take_clock_row, &out);
}

/* Reads a bucket as a whole: a client that repeats one reward repeats others. */
static bool read_bucket(store *s, int64_t posse, uint64_t number, bucket_read *out) {
    sqlite3_stmt *made = store_statement(s, SQL_SETTLED);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int64(made, 2, (int64_t)number);
    sqlite3_bind_int(made, 3, BUCKET_BITS);
    memset(out->kinds, -1, sizeof out->kinds);
    int status;
    while ((status = sqlite3_step(made)) == SQLITE_ROW) {
        size_t at = (size_t)sqlite3_column_int64(made, 0) % (1 << BUCKET_BITS);
        record_kind kind;
        if (!store_kind_of((const char *)sqlite3_column_text(made, 1), &kind)) continue;
        out->kinds[at] = (int8_t)kind;
        out->rewards[at] = real_at(made, 2);
    }
    bool fine = status == SQLITE_DONE;
    if (!fine) store_fail(s);
    sqlite3_reset(made);
    out->number = number;
    out->posse = fine ? posse : 0;
    return fine;
}

bool store_find_settled(store *s, int64_t posse, uint64_t decision, bool *found, record_kind *kind, double *reward) {
    uint64_t number = decision >> BUCKET_BITS, at = decision % (1 << BUCKET_BITS);
    if (s->read == NULL && (s->read = calloc(BUCKETS_READ, sizeof *s->read)) == NULL) return fail_with(s, "no memory");
    bucket_read *read = place_of_bucket(s, number);
    if ((read->posse != posse || read->number != number) && !read_bucket(s, posse, number, read)) return false;
    *found = read->kinds[at] >= 0;
    if (!*found) return true;
    *kind = (record_kind)read->kinds[at];
    *reward = read->rewards[at];
    return true;
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

bool store_has_epoch(store *s, uint32_t epoch, bool *has) {
    char question[80];
    int64_t count = 0;
    snprintf(question, sizeof question, "SELECT count(*) FROM epoch WHERE epoch = %lu", (unsigned long)epoch);
    bool fine = store_ask(s, question, 0, &count);
    *has = count > 0;
    return fine;
}

/* ----------------------------------------------------- tidying --------------------------------------------------- */

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

/* The last record that may go: of at most `most`, all before it may go, too. 0: none. */
static bool find_cut(store *s, bool large, int64_t before, int most, int64_t *cut) {
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
    if (!find_cut(s, large, before, most, &cut)) return false;
    if (cut == 0) return true;
    *more = true;
    return run_with(s, SQL_TRIM, cut) && run_with(s, SQL_TRIMMED, cut);
}

bool store_sweep(store *s, int most, bool *end) {
    int64_t trimmed, found = 0, stale[3];
    sqlite3_stmt *made = store_statement(s, SQL_STALE), *drop = store_statement(s, SQL_FORGET_SETTLED);
    if (made == NULL || drop == NULL || !store_ask(s, "SELECT trimmed FROM about", 0, &trimmed)) return false;
    sqlite3_bind_int64(made, 1, s->swept.posse);
    sqlite3_bind_int64(made, 2, s->swept.bucket);
    sqlite3_bind_int64(made, 3, s->swept.first);
    sqlite3_bind_int(made, 4, most);
    bool fine = true;
    int status = SQLITE_DONE;
    while (fine && (status = sqlite3_step(made)) == SQLITE_ROW) {
        for (int i = 0; i < 3; i++) stale[i] = sqlite3_column_int64(made, i);
        s->swept.posse = stale[0];
        s->swept.bucket = stale[1];
        s->swept.first = stale[2];
        found++;
        if (sqlite3_column_int64(made, 3) > trimmed) continue;
        for (int i = 0; i < 3; i++) sqlite3_bind_int64(drop, i + 1, stale[i]);
        fine = store_run(s, drop);
    }
    if (fine && status != SQLITE_DONE) fine = store_fail(s);
    sqlite3_reset(made);
    *end = found < most;
    if (*end) s->swept.posse = s->swept.bucket = s->swept.first = 0;
    return fine;
}

bool store_erasing(store *s, int64_t *posse, int64_t *last, int64_t *done) {
    return store_ask(s, "SELECT posse FROM erasing ORDER BY posse LIMIT 1", 0, posse) &&
           store_ask(s, "SELECT last FROM erasing ORDER BY posse LIMIT 1", 0, last) &&
           store_ask(s, "SELECT done FROM erasing ORDER BY posse LIMIT 1", 0, done);
}

bool store_erase_some(store *s, int64_t posse, int64_t from, int64_t to, bool last) {
    sqlite3_stmt *made = store_statement(s, SQL_ERASES), *note = store_statement(s, SQL_ERASED);
    if (made == NULL || note == NULL) return false;
    sqlite3_bind_int64(made, 1, from);
    sqlite3_bind_int64(made, 2, to);
    sqlite3_bind_int64(made, 3, posse);
    if (!store_run(s, made)) return false;
    if (last) return run_with(s, SQL_ERASED_WHOLE, posse);
    sqlite3_bind_int64(note, 1, to);
    sqlite3_bind_int64(note, 2, posse);
    return store_run(s, note);
}

bool store_secure(store *s, bool on) {
    return store_execute(s, on ? "PRAGMA secure_delete = ON" : "PRAGMA secure_delete = FAST");
}

bool store_checkpoint(store *s) {
    return store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)");
}

bool store_trimmed(store *s, uint64_t *lsn) {
    int64_t trimmed = 0;
    bool fine = s->format < 3 || store_ask(s, "SELECT trimmed FROM about", 0, &trimmed);
    *lsn = (uint64_t)trimmed;
    return fine;
}

/* --------------------------------------------------- for people -------------------------------------------------- */

typedef struct row_taker {
    void (*take)(void *context, const store_row *row);
    void *context;
    bool fills;   /* rows come in the order of the log, and decisions without a context get the one before */
    char *latest; /* the context before */
} row_taker;

static bool store_take_row(store *s, sqlite3_stmt *made, void *context) {
    row_taker *taker = context;
    store_row row = {.at = (const char *)sqlite3_column_text(made, 0),
                     .kind = (const char *)sqlite3_column_text(made, 1),
                     .decision = (uint64_t)sqlite3_column_int64(made, 2),
                     .learner = (const char *)sqlite3_column_text(made, 3),
                     .arm = arm_at(made, 4),
                     .propensity = real_at(made, 5),
                     .reward = real_at(made, 6),
                     .body = (const char *)sqlite3_column_text(made, 7)};
    bool decides = taker->fills && row.kind != NULL && strcmp(row.kind, kind_names[RECORD_DECIDE]) == 0;
    if (decides && row.body == NULL) row.body = taker->latest;
    if (decides && row.body != NULL && row.body != taker->latest) {
        free(taker->latest);
        taker->latest = strdup(row.body);
        if (taker->latest == NULL) return fail_with(s, "no memory");
    }
    taker->take(taker->context, &row);
    return true;
}

static bool each_row(store *s, const char *name, bool *found, const char *question, row_taker taker) {
    sqlite3_stmt *which = store_query(s, "SELECT max(id) FROM posse WHERE name = ?");
    if (which == NULL) return false;
    bind_text(which, 1, name);
    *found = sqlite3_step(which) == SQLITE_ROW && sqlite3_column_type(which, 0) != SQLITE_NULL;
    int64_t posse = *found ? sqlite3_column_int64(which, 0) : 0;
    sqlite3_finalize(which);
    if (!*found) return true;
    sqlite3_stmt *made = store_query(s, question);
    if (made != NULL) sqlite3_bind_int64(made, 1, posse);
    bool fine = store_each(s, made, store_take_row, &taker);
    free(taker.latest);
    return fine;
}

#define ROW                                                                                                            \
    "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', log.at, 'unixepoch'), log.kind, log.decision, log.learner, log.arm, "       \
    "log.propensity, log.reward, "

bool store_each_row(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                    void *context) {
    return each_row(s, name, found, ROW "body FROM log WHERE posse = ? ORDER BY lsn",
                    (row_taker){.take = take, .context = context, .fills = true});
}

bool store_each_reward(store *s, const char *name, bool *found, void (*take)(void *context, const store_row *row),
                       void *context) {
    return each_row(s, name, found,
                    ROW "said.body FROM log LEFT JOIN (SELECT decision AS made, max(iif(body IS NULL, NULL, lsn)) OVER "
                        "(ORDER BY lsn) AS asked FROM log WHERE posse = ?1 AND kind = 'decide') ON made = log.decision "
                        "LEFT JOIN log AS said ON said.lsn = asked WHERE log.posse = ?1 AND (log.kind = 'learn' OR "
                        "(log.kind = 'expire' AND log.reward IS NOT NULL)) ORDER BY log.lsn",
                    (row_taker){.take = take, .context = context});
}

bool store_describe(store *s, const char *name, char **description, char begins[24]) {
    sqlite3_stmt *made =
        store_query(s, "SELECT description, (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', at, 'unixepoch') FROM "
                       "log ORDER BY lsn LIMIT 1) FROM posse WHERE name = ? ORDER BY id DESC LIMIT 1");
    if (made == NULL) return false;
    bind_text(made, 1, name);
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
