/* SPDX-License-Identifier: MIT */
#include "serve/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "common/clock.h"
#include "common/json_text.h"
#include "served/cost.h"

/* ----------------------------------------------------- the table ------------------------------------------------- */

enum { BODY_NONE, BODY_JSON, BODY_REWARDS, BODY_PLAYS, BODY_ROUNDS, BODY_DESCRIPTION };

typedef struct route {
    enum evhttp_cmd_type method;
    const char *path; /* {} stands for the name of a posse, * for anything */
    unsigned roles;   /* that are needed; 0: any */
    bool open;        /* for clients without a token, too */
    int body;
    int (*handle)(request *r);
} route;

#define PERSONALIZER "v1/posses/{}/personalizer/*" /* and its version */

static const route routes[] = {
    {EVHTTP_REQ_GET, "", 0, true, BODY_NONE, handle_board},
    {EVHTTP_REQ_GET, "board.css", 0, true, BODY_NONE, handle_board_style},
    {EVHTTP_REQ_GET, "board.js", 0, true, BODY_NONE, handle_board_script},
    {EVHTTP_REQ_GET, "charts.js", 0, true, BODY_NONE, handle_board_charts},
    {EVHTTP_REQ_GET, "history.js", 0, true, BODY_NONE, handle_board_history},
    {EVHTTP_REQ_GET, "healthz", 0, true, BODY_NONE, handle_health},
    {EVHTTP_REQ_GET, "readyz", 0, true, BODY_NONE, handle_ready},
    {EVHTTP_REQ_GET, "metrics", 0, false, BODY_NONE, handle_metrics},
    {EVHTTP_REQ_GET, "v1/openapi.json", 0, true, BODY_NONE, handle_openapi},
    {EVHTTP_REQ_GET, "v1/posses", 0, false, BODY_NONE, handle_list},
    {EVHTTP_REQ_POST, "v1/posses", 0, false, BODY_DESCRIPTION, handle_create},
    {EVHTTP_REQ_GET, "v1/posses/{}", 0, false, BODY_NONE, handle_state},
    {EVHTTP_REQ_DELETE, "v1/posses/{}", ROLE_ADMIN, false, BODY_NONE, handle_drop},
    {EVHTTP_REQ_POST, "v1/posses/{}/decide", ROLE_DECIDE, false, BODY_ROUNDS, handle_decide},
    {EVHTTP_REQ_POST, "v1/posses/{}/learn", ROLE_LEARN, false, BODY_REWARDS, handle_learn},
    {EVHTTP_REQ_POST, "v1/posses/{}/turn", ROLE_DECIDE | ROLE_LEARN, false, BODY_REWARDS, handle_turn},
    {EVHTTP_REQ_POST, "v1/posses/{}/forget", ROLE_LEARN, false, BODY_JSON, handle_forget},
    {EVHTTP_REQ_POST, "v1/posses/{}/acted", ROLE_DECIDE, false, BODY_JSON, handle_acted},
    {EVHTTP_REQ_POST, "v1/posses/{}/peek", ROLE_DECIDE, false, BODY_JSON, handle_peek},
    {EVHTTP_REQ_POST, "v1/posses/{}/activate", ROLE_DECIDE, false, BODY_JSON, handle_activate},
    {EVHTTP_REQ_GET, "v1/posses/{}/modes", 0, false, BODY_NONE, handle_modes},
    {EVHTTP_REQ_POST, "v1/posses/{}/modes", ROLE_ADMIN, false, BODY_JSON, handle_set_modes},
    {EVHTTP_REQ_POST, "v1/posses/{}/teach", ROLE_LEARN, false, BODY_PLAYS, handle_teach},
    {EVHTTP_REQ_POST, "v1/posses/{}/expire", ROLE_LEARN, false, BODY_JSON, handle_expire},
    {EVHTTP_REQ_POST, "v1/posses/{}/next_task", ROLE_ADMIN, false, BODY_JSON, handle_next_task},
    {EVHTTP_REQ_POST, "v1/posses/{}/erase", ROLE_ADMIN, false, BODY_JSON, handle_erase},
    {EVHTTP_REQ_GET, "v1/posses/{}/definition", 0, false, BODY_NONE, handle_definition},
    {EVHTTP_REQ_GET, "v1/posses/{}/features", 0, false, BODY_NONE, handle_features},
    {EVHTTP_REQ_GET, "v1/posses/{}/report", 0, false, BODY_NONE, handle_report},
    {EVHTTP_REQ_GET, "v1/posses/{}/history", 0, false, BODY_NONE, handle_history},
    {EVHTTP_REQ_GET, "v1/posses/{}/potentials", 0, false, BODY_NONE, handle_potentials},
    {EVHTTP_REQ_GET, "v1/posses/{}/plays", 0, false, BODY_NONE, handle_plays},
    {EVHTTP_REQ_GET, "v1/posses/{}/arms", 0, false, BODY_NONE, handle_arms},
    {EVHTTP_REQ_GET, "v1/posses/{}/events", 0, false, BODY_NONE, handle_events},
    {EVHTTP_REQ_POST, "v1/posses/{}/learners", ROLE_ADMIN, false, BODY_DESCRIPTION, handle_learner_add},
    {EVHTTP_REQ_DELETE, "v1/posses/{}/learners/*", ROLE_ADMIN, false, BODY_NONE, handle_learner_retire},
    {EVHTTP_REQ_POST, "v1/posses/{}/arms", ROLE_ADMIN, false, BODY_JSON, handle_arm_add},
    {EVHTTP_REQ_DELETE, "v1/posses/{}/arms/*", ROLE_ADMIN, false, BODY_NONE, handle_arm_retire},
    {EVHTTP_REQ_POST, PERSONALIZER "/rank", ROLE_DECIDE, false, BODY_JSON, handle_rank},
    {EVHTTP_REQ_POST, PERSONALIZER "/events/*/reward", ROLE_LEARN, false, BODY_JSON, handle_reward},
    {EVHTTP_REQ_POST, PERSONALIZER "/events/*/activate", ROLE_DECIDE, false, BODY_NONE, handle_shown},
};

#define ROUTES (sizeof routes / sizeof *routes)
_Static_assert(ROUTES <= ROUTES_MAX, "metrics.h has too little room");

/* Whether a path is that of a route, segment by segment. */
static bool request_fits(const route *one, const request *r) {
    const char *at = one->path, *slash = strrchr(at, '/'), *last = slash != NULL ? slash + 1 : at;
    /* Most routes differ in their last segment. */
    if (r->segment_count > 0 && *last != '{' && *last != '*' && strcmp(last, r->segments[r->segment_count - 1]) != 0)
        return false;
    for (int i = 0; i < r->segment_count; i++) {
        size_t length = strcspn(at, "/");
        bool any = (length == 2 && at[0] == '{') || (length == 1 && at[0] == '*');
        if (length == 0 || (!any && (strlen(r->segments[i]) != length || strncmp(at, r->segments[i], length) != 0)))
            return false;
        at += length + (at[length] == '/');
    }
    return *at == '\0';
}

/* HEAD is GET without the body of the answer. */
static const char *method_names(enum evhttp_cmd_type method) {
    return method == EVHTTP_REQ_GET ? "GET, HEAD" : method == EVHTTP_REQ_POST ? "POST" : "DELETE";
}

/* NULL: no route has this path, or none has it with this method; then r->allowed lists the methods that it has. */
static const route *find_route(request *r) {
    enum evhttp_cmd_type method = r->method == EVHTTP_REQ_HEAD ? EVHTTP_REQ_GET : r->method;
    for (size_t i = 0; i < ROUTES; i++) {
        if (!request_fits(&routes[i], r)) continue;
        if (routes[i].method == method) return &routes[i];
        size_t length = strlen(r->allowed);
        snprintf(r->allowed + length, sizeof r->allowed - length, "%s%s", length > 0 ? ", " : "",
                 method_names(routes[i].method));
    }
    return NULL;
}

/* ----------------------------------------------------- problems -------------------------------------------------- */

/* Discards what was written so far. */
static void start_over(request *r) {
    r->out.length = 0;
    r->out.comma = false;
}

/* Clients of Personalizer know three codes. */
static void request_put_nested(json_out *out, int status, const char *message, const char *path) {
    const char *code = status == STATUS_ABSENT ? "ResourceNotFound"
                       : status == STATUS_DOWN ? "InternalServerError"
                                               : "BadRequest";
    json_key(out, "error");
    json_open(out, '{');
    json_text_at(out, "code", code);
    json_text_at(out, "message", message);
    if (path != NULL && *path != '\0') json_text_at(out, "target", path);
    json_close(out, '}');
}

void request_put_problem(json_out *out, bool nests, int status, const char *message, const char *path) {
    json_open(out, '{');
    if (nests)
        request_put_nested(out, status, message, path);
    else
        json_text_at(out, "error", message);
    if (path != NULL && !nests) json_text_at(out, "path", path);
    json_close(out, '}');
}

int request_fail(request *r, int status, const char *path, const char *format, ...) {
    char message[500];
    va_list arguments;
    va_start(arguments, format);
    format_text_list(message, sizeof message, format, arguments);
    va_end(arguments);
    start_over(r);
    request_put_problem(&r->out, request_nests(r), status, message, path);
    return status;
}

bool request_has_only(request *r, json_t *object, const trail *where, const char *const *keys, int *status) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        int i = 0;
        while (keys[i] != NULL && strcmp(keys[i], key) != 0) i++;
        if (keys[i] != NULL) continue;
        char text[TRAIL_TEXT], *path = NULL; /* keys are as long as clients like */
        bool made = asprintf(&path, "%s%s%s", trail_text(where, text), where != NULL ? "." : "", key) >= 0;
        *status = request_fail(r, STATUS_WRONG, made ? path : key, "there is no such key here");
        if (made) free(path);
        return false;
    }
    return true;
}

bool request_read_unit(request *r, const json_t *unit, const char **out, int *status) {
    *out = json_string_value(unit);
    if (unit == NULL || *out != NULL) return true;
    *status = request_fail(r, STATUS_WRONG, "unit", "it must be a text, such as the id of a visitor");
    return false;
}

static const char *problem_shown(const problem *one, pool *memory) {
    const char *text = problem_text(one, false, memory);
    return text != NULL ? text : one->text;
}

static void put_problem(request *r, const problem *one, pool *memory) {
    json_text_at(&r->out, "error", problem_shown(one, memory));
    json_text_at(&r->out, "path", one->path != NULL ? one->path : "");
}

static int request_status_of(served_status status) {
    static const int statuses[] = {
        [SERVED_DONE] = STATUS_OK,       [SERVED_WRONG] = STATUS_WRONG,     [SERVED_TOKEN] = STATUS_WRONG,
        [SERVED_REWARD] = STATUS_WRONG,  [SERVED_ABSENT] = STATUS_ABSENT,   [SERVED_CONFLICT] = STATUS_CONFLICT,
        [SERVED_LOST] = STATUS_CONFLICT, [SERVED_CROWDED] = STATUS_CROWDED, [SERVED_LARGE] = STATUS_LARGE,
        [SERVED_DOWN] = STATUS_DOWN};
    return statuses[status];
}

/* The first problem is the answer; where there are several, all of them follow. */
int request_refuse(request *r, served_status status) {
    problems *found = engine_problems(r->service->engine);
    problems_sort(found);
    size_t count = problems_kept(found);
    if (count == 0 || problems_failed(found)) return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    if (request_nests(r))
        return request_fail(r, request_status_of(status), found->list[0].path, "%s",
                            problem_shown(&found->list[0], found->memory));
    start_over(r);
    json_open(&r->out, '{');
    put_problem(r, &found->list[0], found->memory);
    if (count > 1) {
        json_key(&r->out, "problems");
        json_open(&r->out, '[');
        for (size_t i = 0; i < count; i++) {
            json_open(&r->out, '{');
            put_problem(r, &found->list[i], found->memory);
            json_close(&r->out, '}');
        }
        json_close(&r->out, ']');
    }
    json_close(&r->out, '}');
    return request_status_of(status);
}

/* ---------------------------------------------------- changes ---------------------------------------------------- */

int request_reshape(request *r, const reshape *asked, int (*answer)(request *r, const served_work *w)) {
    engine_work *work = r->work = calloc(1, sizeof *work);
    if (work == NULL) return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    work->hosted = r->hosted;
    work->reshape = *asked;
    r->answer = answer;
    if (engine_is_large(r->hosted)) return STATUS_LATER;
    served_status status = engine_reshape(r->service->engine, r->hosted, &work->reshape);
    return status == SERVED_DONE ? answer(r, &work->asked) : request_refuse(r, status);
}

/* ---------------------------------------------------- rights ----------------------------------------------------- */

unsigned request_roles(const request *r, const char *name) {
    if (r->service->bearers == NULL) return ROLE_ALL;
    return bearer_roles(&r->bearer, name);
}

static int check_rights(request *r, const route *one) {
    bool about_posse = strstr(one->path, "{}") != NULL;
    if (one->open || r->service->bearers == NULL) return STATUS_OK;
    if (r->bearer.count == 0)
        return request_fail(r, STATUS_UNKNOWN, NULL,
                            "a token that the server has is needed: Authorization: Bearer TOKEN");
    if (!about_posse) return STATUS_OK; /* the handler checks the rights for each posse */
    unsigned roles = request_roles(r, r->segments[2]);
    if (roles == 0 || (roles & one->roles) != one->roles)
        return request_fail(r, STATUS_FORBIDDEN, NULL, "this token may not do that with this posse");
    return STATUS_OK;
}

/* A token bucket for each posse, which fills at the rate and holds the requests of one second, at least one. */
static bool is_within_rate(const service *s, hosted *h) {
    if (s->rate <= 0.0) return true;
    double seconds = clock_now(), most = s->rate > 1.0 ? s->rate : 1.0;
    h->rate_tokens = h->rate_at == 0.0 ? most : h->rate_tokens + s->rate * (seconds - h->rate_at);
    if (h->rate_tokens > most) h->rate_tokens = most;
    h->rate_at = seconds;
    if (h->rate_tokens < 1.0) return false;
    h->rate_tokens -= 1.0;
    return true;
}

static int find_posse(request *r, const route *one) {
    if (strstr(one->path, "{}") == NULL) return STATUS_OK;
    r->hosted = engine_find(r->service->engine, r->segments[2]);
    if (r->hosted == NULL) return request_fail(r, STATUS_ABSENT, NULL, "there is no posse \"%.100s\"", r->segments[2]);
    if (r->hosted->held) return STATUS_BEHIND;
    if (!is_within_rate(r->service, r->hosted))
        return request_fail(r, STATUS_CROWDED, NULL, "more than %g requests a second for this posse", r->service->rate);
    return STATUS_OK;
}

/* ----------------------------------------------------- the answer ------------------------------------------------ */

static int refuse_json(request *r, const json_fault *fault, size_t values_max) {
    const json_error_t *at = &fault->at;
    switch (fault->kind) {
    case JSON_FAULT_NUMBER:
        return request_fail(r, STATUS_WRONG, "",
                            "a number is too large: whole ones have 64 bits, and others are at most "
                            "1.7e308 (line %d, column %d)",
                            at->line, at->column);
    case JSON_FAULT_VALUES:
        return request_fail(
            r, STATUS_WRONG, fault->key,
            "too long (line %d, column %d); at most %zu values, for %d rewards or tokens and the rounds "
            "of this request",
            at->line, at->column, values_max, REWARDS_MAX);
    case JSON_FAULT_DEPTH:
        return request_fail(r, STATUS_WRONG, fault->key, "nested more than %d deep (line %d, column %d)",
                            JSON_NESTING_MAX, at->line, at->column);
    case JSON_FAULT_MEMORY:
        return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    case JSON_FAULT_TEXT:
        break;
    }
    return request_fail(r, STATUS_WRONG, "", "this is not JSON: %s (line %d, column %d)", at->text, at->line,
                        at->column);
}

/* A request without a body has an empty object. */
static int read_json(request *r, int body) {
    const posse *p = r->hosted->served.posse;
    size_t rounds = body == BODY_PLAYS ? cost_plays_max(p) : body == BODY_ROUNDS ? cost_rounds_max(p, COST_REQUEST) : 1;
    size_t values_max = cost_values_max(p, rounds, REWARDS_MAX);
    json_fault fault = {.kind = JSON_FAULT_MEMORY};
    r->json = r->length > 0 ? json_read(r->body, r->length, values_max, &fault) : json_object();
    if (r->json == NULL) return refuse_json(r, &fault, values_max);
    if (!json_is_object(r->json)) return request_fail(r, STATUS_WRONG, "", "the body must be an object, {..}");
    return STATUS_OK;
}

const char *request_route(int number, const char **method) {
    if ((size_t)number >= ROUTES) return NULL;
    enum evhttp_cmd_type kind = routes[number].method;
    *method = kind == EVHTTP_REQ_GET ? "GET" : kind == EVHTTP_REQ_POST ? "POST" : "DELETE";
    return routes[number].path;
}

bool request_nests(const request *r) {
    return r->segment_count > 3 && strcmp(r->segments[3], "personalizer") == 0;
}

int request_answer(request *r) {
    const route *one = find_route(r);
    r->route = one != NULL ? (int)(one - routes) : ROUTE_NONE;
    if (one != NULL) r->allowed[0] = '\0';
    if (one == NULL && r->allowed[0] != '\0')
        return request_fail(r, STATUS_METHOD, NULL, "use %s for this", r->allowed);
    if (one == NULL) return request_fail(r, STATUS_ABSENT, NULL, "there is nothing here; see /v1/openapi.json");
    int status = check_rights(r, one);
    if (status == STATUS_OK) status = find_posse(r, one);
    if (status == STATUS_OK && one->body == BODY_REWARDS) r->listed = rewards_read(r->body, r->length, &r->rewards);
    bool in_json = one->body != BODY_NONE && one->body != BODY_DESCRIPTION;
    if (status == STATUS_OK && in_json && !r->listed) status = read_json(r, one->body);
    return status == STATUS_OK ? one->handle(r) : status;
}

void request_close(request *r) {
    for (int i = 0; i < r->segment_count; i++) free(r->segments[i]);
    json_decref(r->json);
    json_decref(r->round);
    if (r->work != NULL) {
        engine_work_free(r->work);
        free(r->work->asked.room);
        free(r->work->asked.decisions);
        free(r->work);
    }
    free(r->rewards.list);
    free(r->out.text);
}
