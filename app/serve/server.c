/* SPDX-License-Identifier: MIT */
#include "serve/server.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/machine.h"
#include "serve/incoming.h"
#include "serve/jobs.h"
#include "serve/listen.h"
#include "serve/request.h"
#include "serve/slow.h"
#include "serve/watchers.h"

#define BODY_REFUSED (4u << 20) /* libevent rejects longer bodies before it has read them, with its own message */
#define HEADERS_MAX 16384
#define IDLE_SECONDS 60
#define DRAIN_SECONDS 5.0
#define QUIET_SECONDS 0.2   /* the server ends after this time without a request while draining */
#define FILES_MAX 20000     /* connections, and a few files */
#define WAITING_MAX 512     /* answers that wait; then it commits, even if more requests can be read */
#define WORK_SECONDS 0.01   /* time for requests before others are read and answers are written */
#define PIECE_SECONDS 0.004 /* time for a piece of a long request */
#define WAIT_SECONDS 0.001  /* between two looks at the thread beside */
#define TIDY_SECONDS 0.02   /* between two pieces of work on the log, and of expiry by the clock */
#define WAITING_SECONDS 0.1 /* the most that an answer waits for slow requests behind it */

/*
 * The order of events that are ready at the same time: signals, then a commit that is overdue, then reading, writing
 * and handling requests, which libevent gives the middle priority, then the commit.
 */
enum { PRIORITY_SIGNAL, PRIORITY_USUAL, PRIORITY_WORK, PRIORITY_COMMIT, PRIORITIES };

/* An answer that waits for the commit. */
typedef struct waiting {
    struct evhttp_request *http;
    int status;
    struct evbuffer *body;
    const char *type;
    int route;
    bool nests; /* request_nests */
    double arrived;
    access_line logged; /* if there is an access log */
} waiting;

typedef struct server {
    service service;
    const server_settings *settings;
    struct event_base *base;
    struct evhttp *http;
    listening listenings[LISTEN_MAX];
    struct evhttp_bound_socket *bound[LISTEN_MAX];
    int listening_count;
    struct event *commit, *overdue, *work, *piece, *tick, *expiry, *tidy, *signals[4], *drain, *resume;
    bool commit_due;
    arrival requests[FILES_MAX]; /* a ring of requests to handle; a connection has one at a time */
    size_t request_first, request_count;
    jobs jobs;          /* requests that are done in pieces */
    double piece_ended; /* when the latest piece was done */
    waiting answers[WAITING_MAX];
    size_t answer_count;
    double waiting_since, work_began; /* when the first answer began to wait; when requests were last handled */
    double last_request, drain_began;
    double complained; /* when a failed commit was last reported */
    bool local_only;   /* without tokens: reject cross-origin requests of browsers (CSRF, DNS rebinding) */
} server;

/* ----------------------------------------------------- answering ------------------------------------------------- */

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

/* The reason why the database could not be written, at most once in ten seconds. */
static void server_complain(server *s) {
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
    server_complain(s);
}

/* One transaction for all requests since the last one, and then their answers. */
static void server_commit(server *s) {
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

static void on_commit(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    s->commit_due = false;
    server_commit(s);
}

/* Connections that never stop sending bodies must not keep the commit, which has the lowest priority, from running. */
static void on_overdue(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    if (s->answer_count > 0) server_commit(s);
}

/*
 * An answer may show changes that are not on disk yet, so it waits for the commit even if its request has changed
 * nothing.
 */
static void server_answer(server *s, waiting w) {
    if (s->answer_count == 0 && !engine_has_changes(s->service.engine)) {
        engine_commit(s->service.engine); /* gives back the memory of a request that was refused */
        send_answer(s, &w);
        return;
    }
    if (s->answer_count == 0) s->waiting_since = s->work_began;
    s->answers[s->answer_count++] = w;
    if (s->answer_count == WAITING_MAX || clock_now() - s->waiting_since > WAITING_SECONDS)
        server_commit(s);
    else {
        static const struct timeval most = {0, (suseconds_t)(1e6 * WAITING_SECONDS)};
        if (s->answer_count == 1) event_add(s->overdue, &most);
        if (!s->commit_due) event_active(s->commit, EV_TIMEOUT, 0);
        s->commit_due = true;
    }
}

/* ------------------------------------------------------ requests ------------------------------------------------- */

/* The answer is written. It is sent after a commit, or begins a stream of events. */
static void finish_request(server *s, arrival came, request *r, int status) {
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
    server_answer(s, w);
}

/* ---------------------------------------------------- long requests ---------------------------------------------- */

static void server_settle(void *context) {
    server *s = context;
    if (s->answer_count > 0 || engine_has_changes(s->service.engine)) server_commit(s);
}

/* The next piece comes after requests that can be read now. */
static void plan_piece(server *s, bool waits) {
    const struct timeval then = {0, waits ? (suseconds_t)(1e6 * WAIT_SECONDS) : 0};
    if (s->jobs.first != NULL && !evtimer_pending(s->piece, NULL)) event_add(s->piece, &then);
}

/* Begins with the work of a request after a commit, which may undo what its posse was. */
static int begin_job(server *s, arrival came, request *r) {
    server_settle(s);
    bool creates = r->work->reshape.kind == RESHAPE_CREATE;
    if (!creates) r->hosted = r->work->hosted = engine_find(s->service.engine, r->segments[2]);
    if (!creates && r->hosted == NULL)
        return request_fail(r, STATUS_ABSENT, NULL, "there is no posse \"%.100s\"", r->segments[2]);
    served_status status = engine_work_begin(s->service.engine, r->work);
    if (status != SERVED_DONE) return request_refuse(r, status);
    if (jobs_add(&s->jobs, came, r)) return STATUS_LATER;
    engine_work_finish(s->service.engine, r->work);
    return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
}

/* Its changes are a batch of their own, with their own commit. */
static void finish_job(server *s, job *j, served_status status) {
    request *r = &j->request;
    int answer = status == SERVED_DONE ? r->answer(r, &r->work->asked) : request_refuse(r, status);
    server_settle(s);
    engine_work_finish(s->service.engine, r->work);
    finish_request(s, j->came, r, answer);
    server_settle(s);
}

/* The requests that have waited for the posse of a job come next. */
static void release_posse(server *s, job *j) {
    j->request.hosted = NULL;
    while (j->behind_count > 0) {
        s->request_first = (s->request_first + FILES_MAX - 1) % FILES_MAX;
        s->requests[s->request_first] = j->behind[--j->behind_count];
        s->request_count++;
    }
    if (s->request_count > 0) event_active(s->work, EV_TIMEOUT, 0);
}

static void end_job(server *s, job *j, served_status status) {
    if (j->came.http != NULL)
        finish_job(s, j, status);
    else
        request_close(&j->request);
    release_posse(s, j);
    job_free(j);
}

/* A large posse whose snapshot is due. Requests for it wait only until its state was copied. */
static void begin_snapshot(server *s) {
    request r = {.service = &s->service, .route = ROUTE_NONE, .hosted = engine_due(s->service.engine)};
    if (r.hosted == NULL || s->service.draining) return;
    r.work = calloc(1, sizeof *r.work);
    if (r.work == NULL) return;
    *r.work = (engine_work){.hosted = r.hosted, .reshape = {.kind = RESHAPE_SNAPSHOT}};
    if (engine_work_begin(s->service.engine, r.work) == SERVED_DONE && jobs_add(&s->jobs, (arrival){0}, &r))
        plan_piece(s, false);
    else
        request_close(&r);
}

static void do_piece(server *s) {
    job *j = jobs_take(&s->jobs);
    double until = clock_now() + PIECE_SECONDS;
    bool over = false;
    served_status status = SERVED_DONE;
    engine_work *work = j->request.work;
    do status = engine_work_continue(s->service.engine, work, &over);
    while (!over && !work->waits && clock_now() < until);
    bool waits = !over && work->waits;
    if (!over && work->hosted == NULL && j->request.hosted != NULL) release_posse(s, j);
    if (over)
        end_job(s, j, status);
    else
        jobs_put(&s->jobs, j);
    s->piece_ended = clock_now();
    plan_piece(s, waits);
}

static void on_piece(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    server_settle(s); /* answers that wait do not wait for the piece */
    if (s->jobs.first != NULL) do_piece(s);
}

/* ------------------------------------------------- one after the other ------------------------------------------- */

static void handle_request(server *s, arrival came) {
    request r = {.service = &s->service, .route = ROUTE_NONE};
    int status = incoming_answer(&r, came.http, s->local_only);
    if (status == STATUS_BEHIND && jobs_wait(&s->jobs, r.hosted, came)) {
        request_close(&r); /* it is read again when its turn comes */
        return;
    }
    if (status == STATUS_BEHIND) status = request_fail(&r, STATUS_DOWN, NULL, "there is not enough memory");
    if (status == STATUS_LATER) status = begin_job(s, came, &r);
    if (status == STATUS_LATER)
        plan_piece(s, false);
    else
        finish_request(s, came, &r, status);
}

/* Handles requests until none are left, or until it is time to read others and to write answers. */
static void on_work(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    s->work_began = clock_now();
    do {
        arrival came = s->requests[s->request_first];
        s->request_first = (s->request_first + 1) % FILES_MAX;
        s->request_count--;
        handle_request(s, came);
    } while (s->request_count > 0 && clock_now() < s->work_began + WORK_SECONDS);
    if (s->request_count > 0) event_active(s->work, EV_TIMEOUT, 0);
    if (s->jobs.first != NULL && clock_now() > s->piece_ended + WORK_SECONDS)
        do_piece(s); /* also while others never end */
}

static void on_request(struct evhttp_request *http, void *context) {
    server *s = context;
    s->service.metrics.requests++;
    s->last_request = clock_now();
    slow_served(evhttp_connection_get_bufferevent(evhttp_request_get_connection(http)));
    arrival came = {http, s->last_request};
    if (s->request_count == FILES_MAX) {
        handle_request(s, came);
        return;
    }
    s->requests[(s->request_first + s->request_count++) % FILES_MAX] = came;
    if (s->request_count == 1) event_active(s->work, EV_TIMEOUT, 0);
}

/* ---------------------------------------------------- other events ----------------------------------------------- */

/* A piece of work on the log, and the next one soon, so that requests are served between them. */
static void on_tidy(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    static const struct timeval soon = {0, (suseconds_t)(1e6 * TIDY_SECONDS)};
    server *s = context;
    bool more, points;
    server_settle(s);
    if (!engine_tidy(s->service.engine, clock_date(), &more)) server_complain(s);
    if (!engine_remember(s->service.engine, engine_now(s->service.engine), &points)) server_complain(s);
    if (more || points) event_add(s->tidy, &soon);
}

static void on_expiry(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    static const struct timeval soon = {0, (suseconds_t)(1e6 * TIDY_SECONDS)};
    server *s = context;
    bool more = engine_expire(s->service.engine, engine_now(s->service.engine));
    server_settle(s);
    if (more) event_add(s->expiry, &soon);
}

static void on_tick(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    if (s->service.access != NULL) access_flush(s->service.access);
    if (!evtimer_pending(s->expiry, NULL)) on_expiry(-1, 0, s);
    if (!evtimer_pending(s->tidy, NULL)) on_tidy(-1, 0, s);
    begin_snapshot(s);
}

static void on_drain(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    double now = clock_now();
    bool idle = s->answer_count == 0 && s->request_count == 0 && !jobs_answer(&s->jobs);
    bool quiet = idle && now - s->last_request > QUIET_SECONDS;
    if ((quiet && now - s->drain_began > QUIET_SECONDS) || now - s->drain_began > DRAIN_SECONDS)
        event_base_loopbreak(s->base);
}

/* Accepts no new connections, and answers the requests that have arrived. */
static void on_end(evutil_socket_t number, short what, void *context) {
    (void)number, (void)what;
    server *s = context;
    const struct timeval often = {0, 50000};
    if (s->service.draining) {
        event_base_loopbreak(s->base);
        return;
    }
    s->service.draining = true;
    s->drain_began = clock_now();
    for (int i = 0; i < s->listening_count; i++) evhttp_del_accept_socket(s->http, s->bound[i]);
    event_add(s->drain, &often);
}

/* If the file of tokens is wrong, the old tokens stay valid. */
static void reload_tokens(server *s) {
    char why[300];
    bearers *again = bearers_read(s->settings->tokens, why);
    if (again == NULL) {
        fprintf(stderr, "posse serve: the tokens stay as they were: %s\n", why);
        return;
    }
    bearers_free(s->service.bearers);
    s->service.bearers = again;
    watchers_check_rights(s->service.watchers);
    fprintf(stderr, "posse serve: the tokens were read again\n");
}

static void on_reload(evutil_socket_t number, short what, void *context) {
    (void)number, (void)what;
    server *s = context;
    char why[300];
    if (s->settings->tokens != NULL) reload_tokens(s);
    if (s->service.access != NULL && !access_reopen(s->service.access, why))
        fprintf(stderr, "posse serve: the access log stays as it was: %s\n", why);
}

/* Every descriptor is in use. The next connections wait until some may have been closed. */
static void on_accept_error(struct evconnlistener *listener, void *context) {
    server *s = context;
    const struct timeval later = {0, 100000};
    evconnlistener_disable(listener);
    event_add(s->resume, &later);
}

static void on_resume(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    for (int i = 0; i < s->listening_count && !s->service.draining; i++)
        evconnlistener_enable(evhttp_bound_socket_get_listener(s->bound[i]));
}

/* -------------------------------------------------- the server --------------------------------------------------- */

static bool server_say(const char *what) {
    fprintf(stderr, "posse serve: %s\n", what);
    return false;
}

static bool open_listenings(server *s) {
    static const char *const usual[] = {"127.0.0.1:7677"};
    const server_settings *settings = s->settings;
    int count = settings->listen_count > 0 ? settings->listen_count : 1;
    const char *const *list = settings->listen_count > 0 ? settings->listen : usual;
    for (int i = 0; i < count; i++) {
        char why[400];
        if (!listen_open(list[i], settings->tokens != NULL, &s->listenings[i], why)) return server_say(why);
        s->listening_count++;
        s->local_only = s->local_only || (settings->tokens == NULL && s->listenings[i].path[0] == '\0');
    }
    return true;
}

static bool accept_all(server *s) {
    for (int i = 0; i < s->listening_count; i++) {
        s->bound[i] = evhttp_accept_socket_with_handle(s->http, s->listenings[i].socket);
        if (s->bound[i] == NULL) return server_say("there is not enough memory");
        evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(s->bound[i]), on_accept_error);
    }
    return true;
}

static struct bufferevent *new_connection(struct event_base *base, void *context) {
    (void)context;
    return slow_watch(bufferevent_socket_new(base, -1, 0));
}

static bool make_http(server *s) {
    s->http = evhttp_new(s->base);
    if (s->http == NULL) return false;
    evhttp_set_gencb(s->http, on_request, s);
    evhttp_set_bevcb(s->http, new_connection, s);
    evhttp_set_max_headers_size(s->http, HEADERS_MAX);
    evhttp_set_max_body_size(s->http, BODY_REFUSED);
    evhttp_set_timeout(s->http, IDLE_SECONDS);
    evhttp_set_default_content_type(s->http, NULL);
    evhttp_set_allowed_methods(s->http, EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_DELETE | EVHTTP_REQ_HEAD |
                                            EVHTTP_REQ_PUT | EVHTTP_REQ_PATCH | EVHTTP_REQ_OPTIONS);
    return true;
}

static struct event *server_on_signal(server *s, int number, event_callback_fn act) {
    struct event *e = evsignal_new(s->base, number, act, s);
    if (e != NULL) event_priority_set(e, PRIORITY_SIGNAL);
    if (e != NULL) event_add(e, NULL);
    return e;
}

static bool make_events(server *s) {
    const struct timeval second = {1, 0};
    s->commit = event_new(s->base, -1, 0, on_commit, s);
    s->work = event_new(s->base, -1, 0, on_work, s);
    s->overdue = event_new(s->base, -1, 0, on_overdue, s);
    s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
    s->piece = evtimer_new(s->base, on_piece, s);
    s->expiry = evtimer_new(s->base, on_expiry, s);
    s->tidy = evtimer_new(s->base, on_tidy, s);
    s->drain = event_new(s->base, -1, EV_PERSIST, on_drain, s);
    s->resume = event_new(s->base, -1, 0, on_resume, s);
    s->signals[0] = server_on_signal(s, SIGTERM, on_end);
    s->signals[1] = server_on_signal(s, SIGINT, on_end);
    s->signals[2] = server_on_signal(s, SIGHUP, on_reload);
    s->service.watchers = watchers_make(s->base, PRIORITY_COMMIT, &s->service, server_settle, s);
    struct event *const events[] = {s->commit, s->overdue, s->work,  s->piece, s->tick,
                                    s->expiry, s->tidy,    s->drain, s->resume};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i] == NULL) return false;
    if (s->service.watchers == NULL) return false;
    event_priority_set(s->commit, PRIORITY_COMMIT);
    event_priority_set(s->piece, PRIORITY_COMMIT);
    event_priority_set(s->overdue, PRIORITY_USUAL);
    event_priority_set(s->work, PRIORITY_WORK);
    return event_add(s->tick, &second) == 0;
}

/* As many connections as the system lets us have, but not so many that idle ones take all memory. */
static void raise_limits(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max < FILES_MAX ? files.rlim_max : FILES_MAX;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* Prints what is served and where, and a command to try. */
static void server_greet(const server *s) {
    size_t count = engine_posses(s->service.engine);
    printf("serving %zu posse%s of %s on", count, count == 1 ? "" : "s", s->settings->database);
    for (int i = 0; i < s->listening_count; i++) printf(" %s", s->listenings[i].address);
    const listening *first = &s->listenings[0];
    bool on_unix = first->path[0] != '\0';
    printf("\ntry: curl %s%s %s/v1/posses%s%s\n", on_unix ? "--unix-socket " : "", on_unix ? first->path : "-s",
           on_unix ? "http://localhost" : first->address,
           s->service.bearers != NULL ? " -H \"Authorization: Bearer $TOKEN\"" : "",
           count > 0 ? ""
                     : " -d '{\"name\": \"ads\", \"arms\": 5, \"prior\": \"beta\", \"learners\": [\"ucb\", "
                       "\"thompson\"]}'");
    fflush(stdout);
}

static bool open_server(server *s) {
    char why[300];
    if (s->settings->tokens != NULL && (s->service.bearers = bearers_read(s->settings->tokens, why)) == NULL)
        return server_say(why);
    if (s->settings->access_log != NULL && (s->service.access = access_open(s->settings->access_log, why)) == NULL)
        return server_say(why);
    return open_listenings(s);
}

/* Three quarters leave room for the database, for connections, and for other programs. */
static engine_limits limits_of(const server_settings *s) {
    size_t memory = s->memory_max > 0 ? s->memory_max : machine_memory() / 4 * 3;
    return (engine_limits){
        .pending = s->pending_max, .memory = memory, .log_days = s->log_days, .log_size = s->log_size};
}

static bool open_engine(server *s) {
    char why[300], told[500];
    struct stat file;
    bool exists = stat(s->settings->database, &file) == 0;
    if (s->settings->must_exist && (!exists || file.st_size == 0)) {
        snprintf(told, sizeof told, "%.150s: %s, and --must-exist does not let it be created", s->settings->database,
                 exists ? "an empty file" : strerror(errno));
        return server_say(told);
    }
    s->service.engine = engine_open(s->settings->database, limits_of(s->settings), why);
    if (s->service.engine != NULL) return true;
    snprintf(told, sizeof told, "%.150s: %s", s->settings->database, why);
    return server_say(told);
}

/* Between requests that take long it looks for signals and new requests. */
static struct event_base *make_base(void) {
    const struct timeval most = {0, (suseconds_t)(1e6 * WORK_SECONDS)};
    struct event_config *config = event_config_new();
    if (config == NULL) return NULL;
    event_config_set_max_dispatch_interval(config, &most, -1, PRIORITY_USUAL);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

static bool make_server(server *s) {
    raise_limits();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* beyond a limit on file sizes, writes then fail as on a full disk, which is handled */
    s->base = make_base();
    if (s->base == NULL || event_base_priority_init(s->base, PRIORITIES) != 0 || !make_http(s) || !make_events(s))
        return server_say("there is not enough memory");
    return accept_all(s);
}

static void close_server(server *s) {
    watchers_free(s->service.watchers);
    jobs_end(&s->jobs);
    if (s->http != NULL) evhttp_free(s->http);
    struct event *const events[] = {s->commit, s->overdue, s->work,   s->piece,      s->tick,       s->expiry,
                                    s->tidy,   s->drain,   s->resume, s->signals[0], s->signals[1], s->signals[2]};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i] != NULL) event_free(events[i]);
    if (s->base != NULL) event_base_free(s->base);
    for (int i = 0; i < s->listening_count; i++) listen_close(&s->listenings[i]);
    engine_close(s->service.engine);
    bearers_free(s->service.bearers);
    access_close(s->service.access);
    slow_end();
    free(s);
}

server_end server_run(const server_settings *settings) {
    server *s = calloc(1, sizeof *s);
    if (s == NULL) return SERVER_FAILED;
    s->settings = settings;
    s->service.rate = settings->rate;
    s->service.shown = settings->shown;
    s->service.shown_count = settings->shown_count;
    server_end end = SERVER_WRONG;
    if (open_server(s)) {
        end = SERVER_FAILED;
        if (open_engine(s) && make_server(s)) {
            server_greet(s);
            end = event_base_dispatch(s->base) >= 0 ? SERVER_DONE : SERVER_FAILED;
        }
    }
    close_server(s);
    return end;
}
