/* SPDX-License-Identifier: MIT */
/*
 * Events: decisions by the names that clients give them. A name belongs to its decision for as long as that is pending,
 * and for a while after, so that clients may repeat requests. They are rows of the database and take no memory.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "engine/inside.h"

#define DAY 86400
#define EVENTS_AT_ONCE 1000
#define EVENTS_SECONDS 60 /* from one look at all old events to the next */

/* ----------------------------------------------------- finding --------------------------------------------------- */

const kept_event *events_find(const engine_batch *b, int64_t owner, const char *name) {
    for (size_t i = b->event_count; i-- > 0;)
        if (b->events[i].posse == owner && strcmp(b->events[i].name, name) == 0) return &b->events[i];
    return NULL;
}

typedef struct event_copy {
    pool *memory;
    kept_event *out;
    bool found;
} event_copy;

static void events_take(void *context, const kept_event *kept) {
    event_copy *copy = context;
    copy->found = true;
    *copy->out = *kept;
    copy->out->name = pool_copy(copy->memory, kept->name, strlen(kept->name));
    copy->out->answer = pool_copy(copy->memory, kept->answer, strlen(kept->answer));
}

served_status engine_event_find(engine *e, hosted *h, const char *name, bool *found, kept_event *out) {
    if (!engine_enter(e)) return SERVED_DOWN;
    const kept_event *young = events_find(&e->batch, h->id, name);
    event_copy copy = {serving_memory(&e->serving), out, young != NULL};
    *found = copy.found;
    if (young != NULL) *out = *young;
    if (young != NULL) return SERVED_DONE;
    if (copy.memory == NULL) return serving_no_memory(&e->serving);
    if (!store_find_event(e->store, h->id, name, events_take, &copy))
        return serving_say(&e->serving, SERVED_DOWN, "", "%s", store_why(e->store));
    *found = copy.found;
    return *found && (out->name == NULL || out->answer == NULL) ? serving_no_memory(&e->serving) : SERVED_DONE;
}

/* The event, and the token of its decision. */
static served_status events_open(engine *e, hosted *h, const char *name, kept_event *out, served_reward *which,
                                 char text[TOKEN_TEXT + 1]) {
    bool found;
    served_status status = engine_event_find(e, h, name, &found, out);
    if (status != SERVED_DONE) return status;
    if (!found) return serving_say(&e->serving, SERVED_ABSENT, "", "there is no event \"%.100s\"", name);
    token_write(h->served.key, (token){out->decision, out->arm}, text);
    *which = (served_reward){.token = text, .token_length = TOKEN_TEXT, .path = "value", .path_whole = true};
    return SERVED_DONE;
}

/* ----------------------------------------------------- ranking --------------------------------------------------- */

served_status engine_rank(engine *e, hosted *h, served_rank *r) {
    return engine_enter(e) ? served_rank_do(&e->serving, &h->served, r) : SERVED_DOWN;
}

void engine_rank_undo(engine *e, hosted *h, const served_rank *r) {
    served_rank_undo(&e->serving, &h->served, r);
}

/*
 * Where the record of a decision is in the log, once the batch is written. Not every decision has one. Then it is the
 * place of the next record, so that the event does not end before that is deleted.
 */
static uint64_t events_lsn(const engine *e, int64_t owner, uint64_t decision) {
    size_t i = e->batch.record_count;
    while (i > 0 && !(e->batch.records[i - 1].kind == RECORD_DECIDE && e->batch.records[i - 1].posse == owner &&
                      e->batch.records[i - 1].decision == decision))
        i--;
    return e->lsn + (i > 0 ? i : e->batch.record_count + 1);
}

served_status engine_event_add(engine *e, hosted *h, const char *name, const served_rank *made, uint64_t request,
                               const char *answer, size_t length) {
    engine_batch *b = &e->batch;
    const posse_decision *d = &made->decision.decision;
    pool *memory = serving_memory(&e->serving);
    kept_event one = {.posse = h->id,
                      .name = memory != NULL ? pool_copy(memory, name, strlen(name)) : NULL,
                      .lsn = events_lsn(e, h->id, d->id),
                      .decision = d->id,
                      .arm = d->arm,
                      .played = made->played,
                      .request = request,
                      .answer = memory != NULL ? pool_copy(memory, answer, length) : NULL};
    if (one.name == NULL || one.answer == NULL ||
        !batch_make_room((void **)&b->events, &b->event_room, b->event_count + 1, sizeof *b->events)) {
        engine_rank_undo(e, h, made);
        return serving_no_memory(&e->serving);
    }
    b->events[b->event_count++] = one;
    return SERVED_DONE;
}

bool events_write(engine *e) {
    bool fine = true;
    for (size_t i = 0; fine && i < e->batch.event_count; i++) fine = store_add_event(e->store, &e->batch.events[i]);
    return fine;
}

/* ------------------------------------------------- rewards and shows --------------------------------------------- */

served_status engine_event_reward(engine *e, hosted *h, const char *name, double reward) {
    kept_event event;
    served_reward said;
    char text[TOKEN_TEXT + 1];
    served_status status = events_open(e, h, name, &event, &said, text);
    if (status != SERVED_DONE) return status;
    said.reward = reward;
    return served_reward_shown(&e->serving, &h->served, &said);
}

/* The body of the record of a decision in this batch; NULL: it has none. */
static const char *events_young_body(const engine_batch *b, const kept_event *event, size_t place) {
    const record *r = place > 0 && place <= b->record_count ? &b->records[place - 1] : NULL;
    bool its = r != NULL && r->kind == RECORD_DECIDE && r->posse == event->posse && r->decision == event->decision;
    return its ? r->body : NULL;
}

/* The round of an event's decision, from its record: in this batch, or in the log. NULL: there is none. */
static served_status events_round(engine *e, const kept_event *event, json_t **out) {
    char *body = NULL;
    bool young = event->lsn > e->lsn;
    *out = NULL;
    if (!young && !store_body_of(e->store, event, &body))
        return serving_say(&e->serving, SERVED_DOWN, "", "%s", store_why(e->store));
    const char *text = young ? events_young_body(&e->batch, event, (size_t)(event->lsn - e->lsn)) : body;
    if (text != NULL) *out = json_read_own(text);
    free(body);
    return SERVED_DONE;
}

/*
 * An event whose decision was shown lasts from there on: it is young again, and so is its place in the log. Room for it
 * was made.
 */
static void events_begin_anew(engine *e, kept_event event) {
    event.shown = true;
    event.lsn = e->lsn + e->batch.record_count;
    e->batch.events[e->batch.event_count++] = event;
}

served_status engine_event_activate(engine *e, hosted *h, const char *name) {
    engine_batch *b = &e->batch;
    kept_event event;
    served_reward which;
    char text[TOKEN_TEXT + 1];
    json_t *source = NULL;
    e->serving.now = engine_now(e);
    served_status status = events_open(e, h, name, &event, &which, text);
    if (status == SERVED_DONE) status = events_round(e, &event, &source);
    if (status == SERVED_DONE &&
        !batch_make_room((void **)&b->events, &b->event_room, b->event_count + 1, sizeof *b->events))
        status = serving_no_memory(&e->serving);
    size_t records = b->record_count;
    if (status == SERVED_DONE) status = served_show(&e->serving, &h->served, &which, event.played, source);
    if (status == SERVED_DONE && b->record_count > records) events_begin_anew(e, event);
    json_decref(source);
    return status;
}

/* ----------------------------------------------------- tidying --------------------------------------------------- */

/* Whether the record of its decision has gone from the log. */
static bool events_is_trimmed(const engine *e, const kept_age *age) {
    return e->trimmed > 0 && age->lsn <= e->trimmed;
}

/* Whether an event is old enough, if the decisions of its posse wait for this many seconds. */
static bool events_is_old(const engine *e, const kept_age *age, int64_t now, double waits) {
    return events_is_trimmed(e, age) || (double)(now - age->at) >= DAY + waits;
}

/* Events of a posse that was dropped go with it. */
static bool events_is_over(const engine *e, const kept_age *age, int64_t now) {
    const hosted *h = table_find_number(e, age->posse);
    posse_pending pending;
    if (h == NULL) return true;
    return !h->held && events_is_old(e, age, now, (double)h->served.expire_seconds) &&
           posse_pending_find(h->served.posse, age->decision, &pending) != POSSE_OK;
}

/* If the machine's time was set back, it is time for the next round, too. */
bool events_are_due(engine *e, int64_t now) {
    kept_age next;
    int count = 0;
    if (now < e->events_next && e->events_next - now <= EVENTS_SECONDS) return false;
    if (store_oldest_events(e->store, e->event_seen, 1, &next, &count) && count > 0 &&
        events_is_old(e, &next, now, 0.0))
        return true;
    e->event_seen = 0;
    e->events_next = now + EVENTS_SECONDS;
    return false;
}

/* Deletes an event that is over. One that is pending and whose record has gone loses its answer, which is most of it.
 */
static bool events_end(engine *e, const kept_age *age, int64_t now, bool *some) {
    bool emptied = false;
    if (events_is_over(e, age, now)) {
        *some = true;
        return store_forget_event(e->store, age->id);
    }
    bool fine = !events_is_trimmed(e, age) || store_empty_answer(e->store, age->id, &emptied);
    *some = *some || emptied;
    return fine;
}

/* Old events come first. From the first one that is too young for any posse on, all are. */
bool events_tidy(engine *e, int64_t now, bool *more, bool *some) {
    kept_age list[EVENTS_AT_ONCE];
    int count, i;
    *more = *some = false;
    if (!events_are_due(e, now)) return true;
    if (!store_oldest_events(e->store, e->event_seen, EVENTS_AT_ONCE, list, &count)) return false;
    for (i = 0; i < count && events_is_old(e, &list[i], now, 0.0); i++) {
        e->event_seen = list[i].id;
        if (!events_end(e, &list[i], now, some)) return false;
    }
    *more = i > 0;
    return true;
}
