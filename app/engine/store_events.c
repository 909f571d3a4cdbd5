/* SPDX-License-Identifier: MIT */
/*
 * Events on disk: decisions by the names that clients give them.
 */
#include "engine/store_inside.h"

#include <string.h>

/* Its id becomes the highest, because events are tidied in the order of their ids. */
static bool events_show(store *s, const kept_event *e) {
    sqlite3_stmt *made = store_statement(s, SQL_EVENT_SHOWN);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, e->posse);
    store_bind_text(made, 2, e->name);
    sqlite3_bind_int64(made, 3, s->now);
    sqlite3_bind_int64(made, 4, (int64_t)e->lsn);
    return store_run(s, made);
}

bool store_add_event(store *s, const kept_event *e) {
    if (e->shown) return events_show(s, e);
    sqlite3_stmt *made = store_statement(s, SQL_EVENT);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, e->posse);
    store_bind_text(made, 2, e->name);
    sqlite3_bind_int64(made, 3, s->now);
    sqlite3_bind_int64(made, 4, (int64_t)e->lsn);
    sqlite3_bind_int64(made, 5, (int64_t)e->decision);
    sqlite3_bind_int(made, 6, e->arm);
    sqlite3_bind_int(made, 7, e->played);
    sqlite3_bind_int64(made, 8, (int64_t)e->request);
    store_bind_text(made, 9, e->answer);
    return store_run(s, made);
}

/* Whether a step of a statement went well: there is a row, or no other. */
static bool events_stepped(store *s, int status) {
    return status == SQLITE_ROW || status == SQLITE_DONE || store_fail(s);
}

bool store_find_event(store *s, int64_t posse, const char *name, void (*take)(void *context, const kept_event *e),
                      void *context) {
    sqlite3_stmt *made = store_statement(s, SQL_FIND_EVENT);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    store_bind_text(made, 2, name);
    int status = sqlite3_step(made);
    bool fine = events_stepped(s, status);
    if (status == SQLITE_ROW)
        take(context, &(kept_event){.posse = sqlite3_column_int64(made, 0),
                                    .name = (const char *)sqlite3_column_text(made, 1),
                                    .lsn = (uint64_t)sqlite3_column_int64(made, 2),
                                    .decision = (uint64_t)sqlite3_column_int64(made, 3),
                                    .arm = sqlite3_column_int(made, 4),
                                    .played = sqlite3_column_int(made, 5),
                                    .request = (uint64_t)sqlite3_column_int64(made, 6),
                                    .answer = (const char *)sqlite3_column_text(made, 7)});
    sqlite3_reset(made);
    return fine;
}

bool store_body_of(store *s, const kept_event *e, char **body) {
    sqlite3_stmt *made = store_statement(s, SQL_BODY);
    *body = NULL;
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, (int64_t)e->lsn);
    sqlite3_bind_int64(made, 2, e->posse);
    sqlite3_bind_int64(made, 3, (int64_t)e->decision);
    int status = sqlite3_step(made);
    bool fine = events_stepped(s, status);
    const char *text = status == SQLITE_ROW ? (const char *)sqlite3_column_text(made, 0) : NULL;
    if (text != NULL && *text != '\0') { /* a context that was erased is empty */
        *body = strdup(text);
        if (*body == NULL) fine = store_fail_with(s, "no memory");
    }
    sqlite3_reset(made);
    return fine;
}

bool store_oldest_events(store *s, int64_t above, int most, kept_age *list, int *count) {
    sqlite3_stmt *made = store_statement(s, SQL_OLD_EVENTS);
    *count = 0;
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, above);
    sqlite3_bind_int(made, 2, most);
    int status;
    while ((status = sqlite3_step(made)) == SQLITE_ROW)
        list[(*count)++] = (kept_age){.id = sqlite3_column_int64(made, 0),
                                      .posse = sqlite3_column_int64(made, 1),
                                      .decision = (uint64_t)sqlite3_column_int64(made, 2),
                                      .at = sqlite3_column_int64(made, 3),
                                      .lsn = (uint64_t)sqlite3_column_int64(made, 4)};
    bool fine = events_stepped(s, status);
    sqlite3_reset(made);
    return fine;
}

bool store_forget_event(store *s, int64_t id) {
    return store_run_with(s, SQL_FORGET_EVENT, id);
}

bool store_forget_dropped_events(store *s, int most, bool *more) {
    int64_t posse = 0;
    *more = false;
    if (!store_ask(s,
                   "SELECT id FROM posse WHERE dropped IS NOT NULL AND EXISTS (SELECT 1 FROM event WHERE posse = "
                   "posse.id) LIMIT 1",
                   0, &posse))
        return false;
    if (posse == 0) return true;
    sqlite3_stmt *made = store_statement(s, SQL_FORGET_EVENTS);
    if (made == NULL) return false;
    sqlite3_bind_int64(made, 1, posse);
    sqlite3_bind_int(made, 2, most);
    *more = true;
    return store_run(s, made);
}

bool store_empty_answer(store *s, int64_t id, bool *some) {
    bool fine = store_run_with(s, SQL_EMPTY_ANSWER, id);
    *some = fine && sqlite3_changes(s->database) > 0;
    return fine;
}
