/* SPDX-License-Identifier: MIT */
/*
 * What the files of the server share: its state, the answers that wait for a commit (answers.c), and the requests whose
 * turn comes (turns.c).
 */
#ifndef POSSE_SERVE_LOOP_H
#define POSSE_SERVE_LOOP_H

#include <event2/event.h>
#include <event2/http.h>

#include "serve/jobs.h"
#include "serve/listen.h"
#include "serve/request.h"
#include "serve/server.h"

#define FILES_MAX 20000   /* connections, and a few files */
#define WAITING_MAX 512   /* answers that wait; then it commits, even if more requests can be read */
#define WORK_SECONDS 0.01 /* time for requests before others are read and answers are written */

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

/* ---- answers.c ---- */

/* Takes the answer that the request holds. It is sent after a commit, or begins a stream of events. */
void answers_finish(server *s, arrival came, request *r, int status);
/* One transaction for all requests since the last one, and then their answers. Nothing, if there are none. */
void answers_settle(void *context);
/* Prints why the database could not be written, at most once in ten seconds. */
void answers_complain(server *s);
void answers_on_commit(evutil_socket_t none, short what, void *context);
void answers_on_overdue(evutil_socket_t none, short what, void *context);

/* ---- turns.c ---- */

void turns_on_request(struct evhttp_request *http, void *context);
void turns_on_work(evutil_socket_t none, short what, void *context);
void turns_on_piece(evutil_socket_t none, short what, void *context);
/* Begins to write a large posse whose snapshot is due. */
void turns_begin_snapshot(server *s);

#endif
