/* SPDX-License-Identifier: MIT */
/*
 * A request that is being handled, and the table of what can be asked for.
 */
#ifndef SERVE_REQUEST_H
#define SERVE_REQUEST_H

#include <event2/http.h>

#include "engine/engine.h"
#include "serve/access.h"
#include "serve/bearers.h"
#include "serve/json_out.h"
#include "serve/metrics.h"
#include "serve/rewards.h"

enum {
    STATUS_LATER = 1,  /* there is work to do in pieces before the answer: request.work */
    STATUS_BEHIND = 2, /* such work has the posse, and this request has to wait for it */
    STATUS_OK = 200,
    STATUS_CREATED = 201,
    STATUS_EMPTY = 204, /* the answer has no body */
    STATUS_WRONG = 400,
    STATUS_UNKNOWN = 401, /* there is no valid token */
    STATUS_FORBIDDEN = 403,
    STATUS_ABSENT = 404,
    STATUS_METHOD = 405,
    STATUS_CONFLICT = 409,
    STATUS_LARGE = 413,
    STATUS_CROWDED = 429,
    STATUS_DOWN = 503
};

/* What every handler may use. */
typedef struct service {
    engine *engine;
    bearers *bearers; /* NULL: every client may do everything */
    metrics metrics;
    access_log *access; /* NULL: there is none */
    struct watchers *watchers;
    double rate;              /* requests a second for each posse; 0: without a limit */
    bool draining;            /* it is about to end */
    const char *const *shown; /* the posses that /metrics has by their names */
    int shown_count;
} service;

#define TYPE_PAGE "text/html; charset=utf-8"

#define SEGMENTS_MAX 8
#define REWARDS_MAX 10000     /* or tokens, in one request */
#define ROUTE_NONE ROUTES_MAX /* the number of requests that have no route */

typedef struct request {
    service *service;
    enum evhttp_cmd_type method;
    int route;                    /* its number, or ROUTE_NONE */
    char *segments[SEGMENTS_MAX]; /* of the path, decoded */
    int segment_count;
    const char *query; /* or NULL */
    const char *body;  /* not ended by a zero */
    size_t length;
    json_t *json;  /* the body, where the route reads it as JSON, and it was not read as a list of rewards */
    json_t *round; /* the context and the arms, if features of the posse have names; else NULL */
    bool listed;
    reward_list rewards;
    bearer bearer; /* the rights of the token of the request */
    uint8_t hash[SHA256_BYTES];
    hosted *hosted;                                         /* the posse that it is about, or NULL */
    json_out out;                                           /* the answer */
    const char *type;                                       /* of the answer, if it is not JSON */
    char allowed[40];                                       /* the other methods, where this one is not allowed */
    bool watches;                                           /* the answer is a stream of server-sent events */
    uint64_t frames;                                        /* the number of events in that stream; 0: no end */
    engine_work *work;                                      /* of a long request; NULL: none */
    int (*answer)(struct request *r, const served_work *w); /* writes the answer after it */
} request;

/* A request that was read and is not handled yet. */
typedef struct arrival {
    struct evhttp_request *http;
    double at;
} arrival;

/* Makes the answer to a request, and returns its status. */
int request_answer(request *r);
void request_close(request *r);

/* Whether a problem is an object in the answer, as clients of Personalizer read it. */
bool request_nests(const request *r);

/* Writes a problem. path: in the body of the request, or NULL. */
void request_put_problem(json_out *out, bool nests, int status, const char *message, const char *path);

/* The path of a route, with {} for names, and its method. NULL: there is no such route. */
const char *request_route(int number, const char **method);

/* The roles of the client for a posse. name NULL: its roles for all posses. */
unsigned request_roles(const request *r, const char *name);

/* Answers with a problem. path: in the body of the request, or NULL. */
__attribute__((format(printf, 4, 5))) int request_fail(request *r, int status, const char *path, const char *format,
                                                       ...);

/* Whether an object has no other keys than these; NULL ends the list. where: the object, NULL for the body. False: the
 * answer is made. */
bool request_has_only(request *r, json_t *object, const trail *where, const char *const *keys, int *status);

/* The unit of a request; NULL: it names none. False: the answer is made. */
bool request_read_unit(request *r, const json_t *unit, const char **out, int *status);

/* Changes the posse, at once or in pieces, and then writes the answer. */
int request_reshape(request *r, const reshape *asked, int (*answer)(request *r, const served_work *w));

/* Answers with the problems that the engine has reported. */
int request_refuse(request *r, served_status status);

/* --- posses.c --- */

int handle_list(request *r);
int handle_create(request *r);
int handle_state(request *r);
int handle_definition(request *r);
int handle_features(request *r);
int handle_report(request *r);
int handle_drop(request *r);
int handle_erase(request *r);
int handle_potentials(request *r);
int handle_plays(request *r);
int handle_arms(request *r);
int handle_learner_add(request *r);
int handle_learner_retire(request *r);
int handle_arm_add(request *r);
int handle_arm_retire(request *r);

/* --- decisions.c --- */

int handle_decide(request *r);
int handle_learn(request *r);
int handle_turn(request *r);
int handle_forget(request *r);
int handle_acted(request *r);
int handle_teach(request *r);
int handle_expire(request *r);
int handle_next_task(request *r);
int handle_peek(request *r);
int handle_activate(request *r);

/* --- personalizer.c --- */

int handle_rank(request *r);
int handle_reward(request *r);
int handle_shown(request *r);

/* --- modes.c --- */

int handle_modes(request *r);
int handle_set_modes(request *r);

/* --- about.c --- */

int handle_health(request *r);
int handle_ready(request *r);

/* --- past.c --- */

int handle_history(request *r);

/* --- scrape.c --- */

int handle_metrics(request *r);

/* --- board.c --- */

int handle_board(request *r);
int handle_board_style(request *r);
int handle_board_script(request *r);
int handle_board_charts(request *r);
int handle_board_history(request *r);
int handle_openapi(request *r);

/* --- watchers.c --- */

int handle_events(request *r);

#endif
