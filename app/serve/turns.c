/* SPDX-License-Identifier: MIT */
/*
 * Requests take turns: those that are short are handled one after the other, and those that take long are done in
 * pieces, between which others are served.
 */
#include <stdlib.h>

#include "common/clock.h"
#include "serve/incoming.h"
#include "serve/loop.h"
#include "serve/slow.h"

#define PIECE_SECONDS 0.004 /* time for a piece of a long request */
#define WAIT_SECONDS 0.001  /* between two looks at the thread beside */

/* ---------------------------------------------------- long requests ---------------------------------------------- */

/* The next piece comes after requests that can be read now. */
static void turns_plan_piece(server *s, bool waits) {
    const struct timeval then = {0, waits ? (suseconds_t)(1e6 * WAIT_SECONDS) : 0};
    if (s->jobs.first != NULL && !evtimer_pending(s->piece, NULL)) event_add(s->piece, &then);
}

/* Begins with the work of a request after a commit, which may undo what its posse was. */
static int turns_begin_job(server *s, arrival came, request *r) {
    answers_settle(s);
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
static void turns_finish_job(server *s, job *j, served_status status) {
    request *r = &j->request;
    int answer = status == SERVED_DONE ? r->answer(r, &r->work->asked) : request_refuse(r, status);
    answers_settle(s);
    engine_work_finish(s->service.engine, r->work);
    answers_finish(s, j->came, r, answer);
    answers_settle(s);
}

/* The requests that have waited for the posse of a job come next. */
static void turns_release_posse(server *s, job *j) {
    j->request.hosted = NULL;
    while (j->behind_count > 0) {
        s->request_first = (s->request_first + FILES_MAX - 1) % FILES_MAX;
        s->requests[s->request_first] = j->behind[--j->behind_count];
        s->request_count++;
    }
    if (s->request_count > 0) event_active(s->work, EV_TIMEOUT, 0);
}

static void turns_end_job(server *s, job *j, served_status status) {
    if (j->came.http != NULL)
        turns_finish_job(s, j, status);
    else
        request_close(&j->request);
    turns_release_posse(s, j);
    job_free(j);
}

/* A large posse whose snapshot is due. Requests for it wait only until its state was copied. */
void turns_begin_snapshot(server *s) {
    request r = {.service = &s->service, .route = ROUTE_NONE, .hosted = engine_due(s->service.engine)};
    if (r.hosted == NULL || s->service.draining) return;
    r.work = calloc(1, sizeof *r.work);
    if (r.work == NULL) return;
    *r.work = (engine_work){.hosted = r.hosted, .reshape = {.kind = RESHAPE_SNAPSHOT}};
    if (engine_work_begin(s->service.engine, r.work) == SERVED_DONE && jobs_add(&s->jobs, (arrival){0}, &r))
        turns_plan_piece(s, false);
    else
        request_close(&r);
}

static void turns_do_piece(server *s) {
    job *j = jobs_take(&s->jobs);
    double until = clock_now() + PIECE_SECONDS;
    bool over = false;
    served_status status = SERVED_DONE;
    engine_work *work = j->request.work;
    do status = engine_work_continue(s->service.engine, work, &over);
    while (!over && !work->waits && clock_now() < until);
    bool waits = !over && work->waits;
    if (!over && work->hosted == NULL && j->request.hosted != NULL) turns_release_posse(s, j);
    if (over)
        turns_end_job(s, j, status);
    else
        jobs_put(&s->jobs, j);
    s->piece_ended = clock_now();
    turns_plan_piece(s, waits);
}

void turns_on_piece(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    answers_settle(s); /* answers that wait do not wait for the piece */
    if (s->jobs.first != NULL) turns_do_piece(s);
}

/* ------------------------------------------------- one after the other ------------------------------------------- */

static void turns_handle(server *s, arrival came) {
    request r = {.service = &s->service, .route = ROUTE_NONE};
    int status = incoming_answer(&r, came.http, s->local_only);
    if (status == STATUS_BEHIND && jobs_wait(&s->jobs, r.hosted, came)) {
        request_close(&r); /* it is read again when its turn comes */
        return;
    }
    if (status == STATUS_BEHIND) status = request_fail(&r, STATUS_DOWN, NULL, "there is not enough memory");
    if (status == STATUS_LATER) status = turns_begin_job(s, came, &r);
    if (status == STATUS_LATER)
        turns_plan_piece(s, false);
    else
        answers_finish(s, came, &r, status);
}

/* Handles requests until none are left, or until it is time to read others and to write answers. */
void turns_on_work(evutil_socket_t none, short what, void *context) {
    (void)none, (void)what;
    server *s = context;
    s->work_began = clock_now();
    do {
        arrival came = s->requests[s->request_first];
        s->request_first = (s->request_first + 1) % FILES_MAX;
        s->request_count--;
        turns_handle(s, came);
    } while (s->request_count > 0 && clock_now() < s->work_began + WORK_SECONDS);
    if (s->request_count > 0) event_active(s->work, EV_TIMEOUT, 0);
    if (s->jobs.first != NULL && clock_now() > s->piece_ended + WORK_SECONDS)
        turns_do_piece(s); /* also while others never end */
}

void turns_on_request(struct evhttp_request *http, void *context) {
    server *s = context;
    s->service.metrics.requests++;
    s->last_request = clock_now();
    slow_served(evhttp_connection_get_bufferevent(evhttp_request_get_connection(http)));
    arrival came = {http, s->last_request};
    if (s->request_count == FILES_MAX) {
        turns_handle(s, came);
        return;
    }
    s->requests[(s->request_first + s->request_count++) % FILES_MAX] = came;
    if (s->request_count == 1) event_active(s->work, EV_TIMEOUT, 0);
}
