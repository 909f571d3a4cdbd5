/* SPDX-License-Identifier: MIT */
#include "serve/server.h"

#include <errno.h>
#include <event2/bufferevent.h>
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
#include "serve/loop.h"
#include "serve/slow.h"
#include "serve/watchers.h"

#define BODY_REFUSED (4u << 20) /* libevent rejects longer bodies before it has read them, with its own message */
#define HEADERS_MAX 16384
#define IDLE_SECONDS 60
#define DRAIN_SECONDS 5.0
#define QUIET_SECONDS 0.2 /* the server ends after this time without a request while draining */
#define TIDY_SECONDS 0.02 /* between two pieces of work on the log, and of expiry by the clock */

/*
 * The order of events that are ready at the same time: signals, then a commit that is overdue, then reading, writing
 * and handling requests, which libevent gives the middle priority, then the commit.
 */
enum { PRIORITY_SIGNAL, PRIORITY_USUAL, PRIORITY_WORK, PRIORITY_COMMIT, PRIORITIES };

/* ---------------------------------------------------- other events ----------------------------------------------- */

/* A piece of work on the log, and the next one soon, so that requests are served between them. */
static void on_tidy(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    static const struct timeval soon = {0, (suseconds_t)(1e6 * TIDY_SECONDS)};
    server *s = context;
    bool more, points;
    answers_settle(s);
    if (!engine_tidy(s->service.engine, clock_date(), &more)) answers_complain(s);
    if (!engine_remember(s->service.engine, engine_now(s->service.engine), &points)) answers_complain(s);
    if (more || points) event_add(s->tidy, &soon);
}

static void on_expiry(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    static const struct timeval soon = {0, (suseconds_t)(1e6 * TIDY_SECONDS)};
    server *s = context;
    bool more = engine_expire(s->service.engine, engine_now(s->service.engine));
    answers_settle(s);
    if (more) event_add(s->expiry, &soon);
}

static void on_tick(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    if (s->service.access != NULL) access_flush(s->service.access);
    if (!evtimer_pending(s->expiry, NULL)) on_expiry(-1, 0, s);
    if (!evtimer_pending(s->tidy, NULL)) on_tidy(-1, 0, s);
    turns_begin_snapshot(s);
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

static bool server_accept_all(server *s) {
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
    evhttp_set_gencb(s->http, turns_on_request, s);
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
    s->commit = event_new(s->base, -1, 0, answers_on_commit, s);
    s->work = event_new(s->base, -1, 0, turns_on_work, s);
    s->overdue = event_new(s->base, -1, 0, answers_on_overdue, s);
    s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
    s->piece = evtimer_new(s->base, turns_on_piece, s);
    s->expiry = evtimer_new(s->base, on_expiry, s);
    s->tidy = evtimer_new(s->base, on_tidy, s);
    s->drain = event_new(s->base, -1, EV_PERSIST, on_drain, s);
    s->resume = event_new(s->base, -1, 0, on_resume, s);
    s->signals[0] = server_on_signal(s, SIGTERM, on_end);
    s->signals[1] = server_on_signal(s, SIGINT, on_end);
    s->signals[2] = server_on_signal(s, SIGHUP, on_reload);
    s->service.watchers = watchers_make(s->base, PRIORITY_COMMIT, &s->service, answers_settle, s);
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
    return server_accept_all(s);
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
