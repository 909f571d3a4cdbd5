/* SPDX-License-Identifier: MIT */
/*
 * An index of how decisions were settled, which is only needed if a client repeats a request. An entry for each
 * decision would cost as much as the records. So neighbouring decisions form a bucket, and an entry has the first and
 * the last record of a commit that settled decisions of the bucket.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/store_inside.h"

#define BUCKET_BITS 8   /* decisions of a bucket: 256 */
#define BUCKETS_OPEN 32 /* buckets of a commit that are searched for each record */
#define BUCKET_GAP 16   /* the most records between two of an entry, so an entry covers few of other buckets */
#define BUCKETS_READ 64 /* buckets in memory, for clients that repeat many rewards */

/* How the decisions of a bucket were settled, as it was read from the database. */
typedef struct bucket_read {
    int64_t posse; /* 0: none was read into this place */
    uint64_t number;
    int8_t kinds[1 << BUCKET_BITS]; /* -1: not settled */
    double rewards[1 << BUCKET_BITS];
} bucket_read;

/* An entry of the index while a commit is written. */
typedef struct bucket {
    int64_t posse;
    uint64_t number, first, last;
} bucket;

static bool settled_write(store *s, const bucket *list, size_t count) {
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
static bool settled_extend(bucket *list, size_t *count, const record *r) {
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

static bucket_read *settled_bucket_at(store *s, uint64_t number) {
    return &s->read[number % BUCKETS_READ];
}

/* A bucket in memory is out of date after more of its decisions were settled. */
static void settled_out_of_date(store *s, const record *r) {
    bucket_read *read = s->read != NULL ? settled_bucket_at(s, r->decision >> BUCKET_BITS) : NULL;
    if (read != NULL && read->posse == r->posse) read->posse = 0;
}

bool settled_enter(store *s, const record *records, size_t count) {
    bucket open[BUCKETS_OPEN];
    size_t opened_count = 0;
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++) {
        const record *r = &records[i];
        if (r->kind != RECORD_LEARN && r->kind != RECORD_FORGET) continue;
        settled_out_of_date(s, r);
        if (settled_extend(open, &opened_count, r)) continue;
        fine = settled_write(s, open, opened_count);
        opened_count = 0;
        settled_extend(open, &opened_count, r);
    }
    return fine && settled_write(s, open, opened_count);
}

/* Reads a bucket as a whole: a client that repeats one reward repeats others. */
static bool settled_read(store *s, int64_t posse, uint64_t number, bucket_read *out) {
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
        out->rewards[at] = store_real_at(made, 2);
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
    if (s->read == NULL && (s->read = calloc(BUCKETS_READ, sizeof *s->read)) == NULL)
        return store_fail_with(s, "no memory");
    bucket_read *read = settled_bucket_at(s, number);
    if ((read->posse != posse || read->number != number) && !settled_read(s, posse, number, read)) return false;
    *found = read->kinds[at] >= 0;
    if (!*found) return true;
    *kind = (record_kind)read->kinds[at];
    *reward = read->rewards[at];
    return true;
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
