/* SPDX-License-Identifier: MIT */
/*
 * One frame is made for each posse that is watched, and is copied to all its watchers. A frame with the same hash as
 * the last one is not sent, so that a posse to which nothing happens costs its watchers no bytes.
 */
#include "serve/watchers.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/keyvalq_struct.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/fingerprint.h"
#include "data/decimal.h"
#include "serve/frame.h"
#include "served/description.h"

#define FRAMES_MAX 1000000
#define WRITE_SECONDS 20 /* a watcher that reads nothing at all for this time is dropped */

typedef struct watcher {
    watchers *all;
    struct evhttp_request *http; /* NULL: the place is free */
    char name[POSSE_NAME_MAX + 1];
    int64_t posse;
    uint8_t hash[SHA256_BYTES]; /* of the token of the request */
    uint64_t frames_left;       /* 0: without end */
    uint64_t told;              /* the hash of the latest frame */
    double told_at;
} watcher;

struct watchers {
    service *service;
    struct event *look;
    void (*settle)(void *context);
    void *context;
    size_t count;
    watcher list[WATCHERS_MAX];
};

/* ----------------------------------------------------- leaving --------------------------------------------------- */

static void watchers_leave(watcher *one) {
    one->http = NULL;
    one->all->count--;
    if (one->all->count == 0) event_del(one->all->look);
}

/* The connection is closed. The request belongs to the watcher until it is ended, which frees it. */
static void on_close(struct evhttp_connection *connection, void *context) {
    (void)connection;
    watcher *one = context;
    struct evhttp_request *http = one->http;
    if (http == NULL) return;
    watchers_leave(one);
    if (evhttp_request_get_connection(http) == NULL) evhttp_send_reply_end(http);
}

static struct evhttp_connection *watchers_silenced(watcher *one) {
    struct evhttp_connection *connection = evhttp_request_get_connection(one->http);
    if (connection != NULL) evhttp_connection_set_closecb(connection, NULL, NULL);
    return connection;
}

/* Ends the stream after all that was written has been sent. */
static void watchers_end(watcher *one) {
    struct evhttp_request *http = one->http;
    watchers_silenced(one);
    watchers_leave(one);
    evhttp_send_reply_end(http);
}

/* Closes the connection without waiting for the watcher to read. */
static void watchers_drop(watcher *one) {
    struct evhttp_connection *connection = watchers_silenced(one);
    watchers_leave(one);
    if (connection != NULL) evhttp_connection_free(connection);
}

/* ---------------------------------------------------- sending ---------------------------------------------------- */

static size_t watchers_unread(const watcher *one) {
    struct bufferevent *stream = evhttp_connection_get_bufferevent(evhttp_request_get_connection(one->http));
    return evbuffer_get_length(bufferevent_get_output(stream));
}

__attribute__((format(printf, 2, 3))) static void watchers_tell(watcher *one, const char *format, ...) {
    struct evbuffer *piece = evbuffer_new();
    va_list arguments;
    if (piece == NULL) return;
    va_start(arguments, format);
    if (evbuffer_add_vprintf(piece, format, arguments) >= 0) evhttp_send_reply_chunk(one->http, piece);
    va_end(arguments);
    evbuffer_free(piece);
}

/* A frame that was made in this call of on_look. */
typedef struct shown {
    int64_t posse; /* 0: none yet */
    uint64_t hash;
    json_out text;
} shown;

static const shown *frame_of(const hosted *h, shown *list) {
    int i = 0;
    while (list[i].posse != 0 && list[i].posse != h->id) i++;
    if (list[i].posse == 0) {
        frame_write(h, &list[i].text);
        list[i].posse = h->id;
        list[i].hash = fingerprint_memory(FINGERPRINT_START, list[i].text.text, list[i].text.length);
    }
    return &list[i];
}

static void watchers_show(watcher *one, const shown *frame, double now) {
    if (frame->text.failed) return; /* no memory: perhaps the next time */
    if (frame->hash == one->told) {
        if (now - one->told_at < WATCH_SILENCE) return;
        watchers_tell(one, ": nothing new\n\n");
    } else {
        watchers_tell(one, "id: %.0f\nevent: state\ndata: %.*s\n\n", 1000.0 * now, (int)frame->text.length,
                      frame->text.text);
        one->told = frame->hash;
        if (one->frames_left > 0 && --one->frames_left == 0) {
            watchers_end(one);
            return;
        }
    }
    one->told_at = now;
}

static void serve_one(watcher *one, shown *frames, double now) {
    const hosted *h = engine_find(one->all->service->engine, one->name);
    if (evhttp_request_get_connection(one->http) == NULL)
        on_close(NULL, one);
    else if (watchers_unread(one) > WATCH_BEHIND_MAX)
        watchers_drop(one);
    else if (h == NULL || h->id != one->posse) {
        watchers_tell(one, "event: gone\ndata: {}\n\n");
        watchers_end(one);
    } else if (!h->held) /* half of a request in pieces is not shown */
        watchers_show(one, frame_of(h, frames), now);
}

static void on_look(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    watchers *w = context;
    shown frames[WATCHERS_MAX + 1] = {0};
    double now = clock_now();
    w->settle(w->context);
    for (int i = 0; i < WATCHERS_MAX; i++)
        if (w->list[i].http != NULL) serve_one(&w->list[i], frames, now);
    for (int i = 0; frames[i].posse != 0; i++) free(frames[i].text.text);
}

/* ---------------------------------------------------- joining ---------------------------------------------------- */

/* ?frames=N: the stream ends after N frames. */
static bool read_frames(const request *r, uint64_t *out) {
    struct evkeyvalq pairs;
    *out = 0;
    if (r->query == NULL) return true;
    if (evhttp_parse_query_str(r->query, &pairs) != 0) return false;
    const char *said = evhttp_find_header(&pairs, "frames");
    size_t digits = said != NULL ? decimal_read_whole(said, out) : 0;
    bool fine = said == NULL || (digits > 0 && said[digits] == '\0');
    evhttp_clear_headers(&pairs);
    return fine && (said == NULL || (*out >= 1 && *out <= FRAMES_MAX));
}

int handle_events(request *r) {
    if (!read_frames(r, &r->frames))
        return request_fail(r, STATUS_WRONG, NULL, "frames is a whole number from 1 to %d", FRAMES_MAX);
    if (r->service->draining) return request_fail(r, STATUS_DOWN, NULL, "the server is about to end");
    if (watchers_count(r->service->watchers) == WATCHERS_MAX)
        return request_fail(r, STATUS_CROWDED, NULL, "there are %d watchers already, and no more are allowed",
                            WATCHERS_MAX);
    r->watches = true;
    r->type = "text/event-stream";
    return STATUS_OK;
}

static void start_stream(struct evhttp_request *http) {
    const struct timeval patience = {WRITE_SECONDS, 0};
    struct bufferevent *stream = evhttp_connection_get_bufferevent(evhttp_request_get_connection(http));
    struct evkeyvalq *headers = evhttp_request_get_output_headers(http);
    evhttp_add_header(headers, "Content-Type", "text/event-stream");
    evhttp_add_header(headers, "Cache-Control", "no-store");
    evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
    evhttp_add_header(headers, "X-Accel-Buffering", "no"); /* nginx would buffer the stream */
    evhttp_send_reply_start(http, STATUS_OK, "OK");
    bufferevent_set_timeouts(stream, NULL, &patience);
    bufferevent_setwatermark(stream, EV_READ, 0, 4096); /* throttles clients that send while they watch */
}

void watchers_add(watchers *w, struct evhttp_request *http, const request *r) {
    const struct timeval often = {0, 1000 * WATCH_MILLISECONDS};
    watcher *one = w->list;
    while (one->http != NULL) one++; /* handle_events has checked that there is a place */
    *one = (watcher){.all = w, .http = http, .posse = r->hosted->id, .frames_left = r->frames};
    snprintf(one->name, sizeof one->name, "%s", r->hosted->name);
    memcpy(one->hash, r->hash, sizeof one->hash);
    if (w->count++ == 0) event_add(w->look, &often);
    evhttp_connection_set_closecb(evhttp_request_get_connection(http), on_close, one);
    start_stream(http);
    event_active(w->look, EV_TIMEOUT, 0);
}

size_t watchers_count(const watchers *w) {
    return w->count;
}

void watchers_check_rights(watchers *w) {
    const bearers *b = w->service->bearers;
    for (int i = 0; i < WATCHERS_MAX; i++) {
        watcher *one = &w->list[i];
        if (one->http == NULL || b == NULL) continue;
        bearer who = bearers_find(b, one->hash);
        if (bearer_roles(&who, one->name) == 0) watchers_drop(one);
    }
}

watchers *watchers_make(struct event_base *base, int priority, service *s, void (*settle)(void *context),
                        void *context) {
    watchers *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->service = s;
    w->settle = settle;
    w->context = context;
    w->look = event_new(base, -1, EV_PERSIST, on_look, w);
    if (w->look != NULL) {
        event_priority_set(w->look, priority);
        return w;
    }
    free(w);
    return NULL;
}

void watchers_free(watchers *w) {
    if (w == NULL) return;
    for (int i = 0; i < WATCHERS_MAX; i++)
        if (w->list[i].http != NULL) watchers_drop(&w->list[i]);
    event_free(w->look);
    free(w);
}
