/* SPDX-License-Identifier: MIT */
/*
 * Answers wait until the changes that they report are on disk: one transaction for many requests, then all answers.
 */
#include <event2/buffer.h>
#include <event2/keyvalq_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "serve/loop.h"
#include "serve/watchers.h"

#define WAITING_SECONDS 0.1 /* the most that an answer waits for slow requests behind it */

static const char *reason_of(int status) {
    switch (status) {
    case STATUS_OK:
        return "OK";
    case STATUS_CREATED:
        return "Created";
    case STATUS_EMPTY:
        return "No Content";
    case STATUS_WRONG:
        return "Bad Request";
    case STATUS_UNKNOWN:
        return "Unauthorized";
    case STATUS_FORBIDDEN:
        return "Forbidden";
    case STATUS_ABSENT:
        return "Not Found";
    case STATUS_METHOD:
        return "Method Not Allowed";
    case STATUS_CONFLICT:
        return "Conflict";
    case STATUS_LARGE:
        return "Content Too Large";
    case STATUS_CROWDED:
        return "Too Many Requests";
    default:
        return "Service Unavailable";
    }
}

static const char *method_name(enum evhttp_cmd_type method) {
    switch (method) {
    case EVHTTP_REQ_GET:
        return "GET";
    case EVHTTP_REQ_POST:
        return "POST";
    case EVHTTP_REQ_HEAD:
        return "HEAD";
    case EVHTTP_REQ_DELETE:
        return "DELETE";
    case EVHTTP_REQ_PUT:
        return "PUT";
    case EVHTTP_REQ_PATCH:
        return "PATCH";
    default:
        return "OPTIONS";
    }
}

/* The page may run its own scripts and send requests to its own server only, whatever names it shows. */
#define PAGE_POLICY                                                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "    \
    "form-action 'none'; frame-ancestors 'none'"

static void add_headers(server *s, const waiting *w) {
    struct evkeyvalq *headers = evhttp_request_get_output_headers(w->http);
    if (w->type != NULL && strcmp(w->type, TYPE_PAGE) == 0) {
        evhttp_add_header(headers, "Content-Security-Policy", PAGE_POLICY);
        evhttp_add_header(headers, "Referrer-Policy", "no-referrer");
    }
    if (w->status != STATUS_EMPTY)
        evhttp_add_header(headers, "Content-Type", w->type != NULL ? w->type : "application/json");
    evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
    evhttp_add_header(headers, "Cache-Control", "no-store");
    if (w->status == STATUS_UNKNOWN) evhttp_add_header(headers, "WWW-Authenticate", "Bearer");
    if (w->status == STATUS_CROWDED || w->status == STATUS_DOWN) evhttp_add_header(headers, "Retry-After", "1");
    if (s->service.draining) evhttp_add_header(headers, "Connection", "close");
}

/* The answer to HEAD has the length of the body, and no body. A stream of events has no length. */
static void leave_out_body(waiting *w) {
    char text[24];
    size_t length = w->body != NULL ? evbuffer_get_length(w->body) : 0;
    snprintf(text, sizeof text, "%zu", length);
    if (length > 0) evhttp_add_header(evhttp_request_get_output_headers(w->http), "Content-Length", text);
    if (length > 0) evbuffer_drain(w->body, length);
}

/* What the access log has about a request, while its connection is there. */
static void note_request(const request *r, struct evhttp_request *http, access_line *line) {
    struct evhttp_connection *connection = evhttp_request_get_connection(http);
    char *client = NULL;
    ev_uint16_t port;
    const char *method;
    if (connection != NULL) evhttp_connection_get_peer(connection, &client, &port);
    snprintf(line->client, sizeof line->client, "%s", client != NULL ? client : "");
    snprintf(line->posse, sizeof line->posse, "%s", r->hosted != NULL ? r->hosted->name : "");
    line->route = request_route(r->route, &method);
    line->method = method_name(r->method);
    line->received = r->length;
}

/* An answer is counted, and is in the access log. */
static void note_answer(server *s, waiting *w) {
    double seconds = clock_now() - w->arrived;
    metrics_answer(&s->service.metrics, w->status, w->route, seconds);
    if (s->service.access == NULL) return;
    w->logged.status = w->status;
    w->logged.seconds = seconds;
    w->logged.sent = w->body != NULL ? evbuffer_get_length(w->body) : 0;
    access_note(s->service.access, &w->logged);
}

static void send_answer(server *s, waiting *w) {
    add_headers(s, w);
    if (evhttp_request_get_command(w->http) == EVHTTP_REQ_HEAD) leave_out_body(w);
    note_answer(s, w);
    evhttp_send_reply(w->http, w->status, reason_of(w->status), w->body);
    if (w->body != NULL) evbuffer_free(w->body);
}

void answers_complain(server *s) {
    double now = clock_now();
    if (now - s->complained < 10.0) return;
    s->complained = now;
    fprintf(stderr, "posse serve: the database cannot be written: %s\n", engine_why(s->service.engine));
}

/* The commit failed and was undone, so an error replaces the answer. */
static void replace_by_failure(server *s, waiting *w) {
    json_out out = {0};
    w->status = STATUS_DOWN;
    request_put_problem(&out, w->nests, w->status,
                        "it could not be written and has not happened; the same request may be tried again", NULL);
    w->type = NULL;
    evbuffer_drain(w->body, evbuffer_get_length(w->body));
    evbuffer_add(w->body, out.text, out.length);
    free(out.text);
    answers_complain(s);
}

/* One transaction for all requests since the last one, and then their answers. */
static void answers_commit(server *s) {
    double before = clock_now();
    bool needed = engine_has_changes(s->service.engine), fine = engine_commit(s->service.engine);
    if (needed) metrics_commit(&s->service.metrics, clock_now() - before, s->answer_count);
    size_t count = s->answer_count;
    s->answer_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fine) replace_by_failure(s, &s->answers[i]);
        send_answer(s, &s->answers[i]);
    }
}

void answers_on_commit(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    s->commit_due = false;
    answers_commit(s);
}

/* Connections that never stop sending bodies must not keep the commit, which has the lowest priority, from running. */
void answers_on_overdue(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    if (s->answer_count > 0) answers_commit(s);
}

/*
 * An answer may show changes that are not on disk yet, so it waits for the commit even if its request has changed
 * nothing.
 */
static void answers_put(server *s, waiting w) {
    if (s->answer_count == 0 && !engine_has_changes(s->service.engine)) {
        engine_commit(s->service.engine); /* gives back the memory of a request that was refused */
        send_answer(s, &w);
        return;
    }
    if (s->answer_count == 0) s->waiting_since = s->work_began;
    s->answers[s->answer_count++] = w;
    if (s->answer_count == WAITING_MAX || clock_now() - s->waiting_since > WAITING_SECONDS)
        answers_commit(s);
    else {
        static const struct timeval most = {0, (suseconds_t)(1e6 * WAITING_SECONDS)};
        if (s->answer_count == 1) event_add(s->overdue, &most);
        if (!s->commit_due) event_active(s->commit, EV_TIMEOUT, 0);
        s->commit_due = true;
    }
}

void answers_settle(void *context) {
    server *s = context;
    if (s->answer_count > 0 || engine_has_changes(s->service.engine)) answers_commit(s);
}

void answers_finish(server *s, arrival came, request *r, int status) {
    struct evhttp_request *http = came.http;
    if (r->allowed[0] != '\0') evhttp_add_header(evhttp_request_get_output_headers(http), "Allow", r->allowed);
    waiting w = {.http = http,
                 .status = status,
                 .type = r->type,
                 .route = r->route,
                 .nests = request_nests(r),
                 .arrived = came.at};
    if (s->service.access != NULL) note_request(r, http, &w.logged);
    if (r->watches && r->method != EVHTTP_REQ_HEAD && evhttp_request_get_connection(http) != NULL) {
        note_answer(s, &w);
        watchers_add(s->service.watchers, http, r);
        request_close(r);
        return;
    }
    w.body = evbuffer_new();
    if (r->type == NULL && status != STATUS_EMPTY) json_print(&r->out, "\n"); /* for people who read it in a shell */
    if (r->out.failed || w.body == NULL || evbuffer_add(w.body, r->out.text, r->out.length) != 0)
        w.status = STATUS_DOWN;
    request_close(r);
    answers_put(s, w);
}
