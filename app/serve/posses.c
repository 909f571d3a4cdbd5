/* SPDX-License-Identifier: MIT */
/*
 * Requests about posses, their learners and their arms.
 */
#include <event2/keyvalq_struct.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "data/decimal.h"
#include "describe/definition_text.h"
#include "describe/report_text.h"
#include "posse_features.h"
#include "posse_inside.h"
#include "serve/frame.h"
#include "serve/request.h"
#include "served/health.h"

/* ------------------------------------------------------- asking -------------------------------------------------- */

static uint64_t *posses_plays_of(const posse *p) {
    uint64_t *plays = calloc((size_t)posse_learner_count(p) + 1, sizeof *plays);
    if (plays != NULL) posse_plays(p, plays);
    return plays;
}

static int posses_no_memory(request *r) {
    return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
}

static void posses_put_learners(request *r, const posse *p, const uint64_t *plays) {
    json_key(&r->out, "learners");
    json_open(&r->out, '[');
    for (int i = 0; i < posse_learner_count(p); i++) {
        json_open(&r->out, '{');
        json_text_at(&r->out, "name", posse_learner_name(p, i));
        json_whole_at(&r->out, "plays", (int64_t)plays[i]);
        json_flag_at(&r->out, "active", posse_learner_active(p, i));
        json_close(&r->out, '}');
    }
    json_close(&r->out, ']');
}

static int put_state(request *r, const hosted *h, int status) {
    const posse *p = h->served.posse;
    posse_rewards range = posse_reward_range(p);
    uint64_t *plays = posses_plays_of(p);
    if (plays == NULL) return posses_no_memory(r);
    json_open(&r->out, '{');
    json_text_at(&r->out, "name", h->name);
    json_whole_at(&r->out, "decisions", (int64_t)posse_decision_count(p));
    json_whole_at(&r->out, "pending", (int64_t)posse_pending_count(p));
    json_whole_at(&r->out, "deferred", (int64_t)posse_deferred_count(p));
    json_whole_at(&r->out, "epoch", posse_epoch(p));
    if (posse_selector(p) != NULL) json_text_at(&r->out, "selector", posse_selector(p));
    json_whole_at(&r->out, "arms", posse_arm_count(p));
    json_whole_at(&r->out, "dim", posse_dim(p));
    json_whole_at(&r->out, "features", posse_feature_count(p));
    json_whole_at(&r->out, "shared_features", posse_shared_feature_count(p));
    json_flag_at(&r->out, "unit_rewards", posse_unit_rewards(p));
    json_number_at(&r->out, "reward_low", range.low);
    json_number_at(&r->out, "reward_high", range.high);
    put_modes(&r->out, p);
    put_surprise(&r->out, p);
    put_alarms(&r->out, h);
    posses_put_learners(r, p, plays);
    json_close(&r->out, '}');
    free(plays);
    return status;
}

int handle_state(request *r) {
    return put_state(r, r->hosted, STATUS_OK);
}

int handle_definition(request *r) {
    const hosted *h = r->hosted;
    char *text = definition_text(h->served.posse, &(definition_served){h->name, h->served.expire_seconds, h->records});
    if (text == NULL) return posses_no_memory(r);
    json_put_copy(&r->out, text, strlen(text));
    free(text);
    return STATUS_OK;
}

/* The features that have come so far, and the scales of numbers. */
int handle_features(request *r) {
    const posse *p = r->hosted->served.posse;
    json_out *out = &r->out;
    posse_feature_seen seen;
    posse_feature_scale scale;
    json_open(out, '{');
    json_key(out, "seen");
    json_open(out, '[');
    for (int i = 0; posse_feature_at(p, i, &seen) == POSSE_OK; i++) {
        json_open(out, '{');
        json_text_at(out, "name", seen.key);
        json_whole_at(out, "slot", seen.slot);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_whole_at(out, "most", POSSE_FEATURE_SEEN_MAX);
    json_key(out, "scales");
    json_open(out, '[');
    for (int i = 0; posse_feature_scale_at(p, i, &scale) == POSSE_OK; i++) {
        json_open(out, '{');
        json_text_at(out, "name", scale.name);
        json_number_at(out, "mean", scale.mean);
        json_number_at(out, "sd", scale.sd);
        json_whole_at(out, "count", (int64_t)scale.count);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    return STATUS_OK;
}

static int put_report(request *r, const char *control_name) {
    int control;
    const char *alarms[ALARMS + 1];
    served_status status = engine_control(r->service->engine, r->hosted, control_name, &control);
    if (status != SERVED_DONE) return request_refuse(r, status);
    health_list(engine_alarms(r->service->engine, r->hosted), alarms);
    char *text = report_text(r->hosted->served.posse, control, alarms);
    if (text == NULL) return posses_no_memory(r);
    json_put_copy(&r->out, text, strlen(text));
    free(text);
    return STATUS_OK;
}

/* ?control=NAME: what the lifts are compared with. */
int handle_report(request *r) {
    struct evkeyvalq pairs;
    if (r->query == NULL) return put_report(r, NULL);
    if (evhttp_parse_query_str(r->query, &pairs) != 0)
        return request_fail(r, STATUS_WRONG, NULL, "behind the ? there may be control=NAME");
    int status = put_report(r, evhttp_find_header(&pairs, "control"));
    evhttp_clear_headers(&pairs);
    return status;
}

int handle_plays(request *r) {
    uint64_t *plays = posses_plays_of(r->hosted->served.posse);
    if (plays == NULL) return posses_no_memory(r);
    json_open(&r->out, '{');
    posses_put_learners(r, r->hosted->served.posse, plays);
    json_close(&r->out, '}');
    free(plays);
    return STATUS_OK;
}

int handle_potentials(request *r) {
    const posse *p = r->hosted->served.posse;
    double *potentials = calloc((size_t)posse_learner_count(p) + 1, sizeof *potentials);
    if (potentials == NULL) return posses_no_memory(r);
    posse_error error = posse_potentials(p, potentials);
    if (error != POSSE_OK) {
        free(potentials);
        return request_fail(r, STATUS_ABSENT, NULL, "the selector of this posse has no potentials");
    }
    json_open(&r->out, '{');
    json_key(&r->out, "potentials");
    json_open(&r->out, '[');
    for (int i = 0; i < posse_learner_count(p); i++) {
        json_open(&r->out, '{');
        json_text_at(&r->out, "learner", posse_learner_name(p, i));
        json_number_at(&r->out, "potential", potentials[i]);
        json_close(&r->out, '}');
    }
    json_close(&r->out, ']');
    json_close(&r->out, '}');
    free(potentials);
    return STATUS_OK;
}

static void put_arm_name(request *r, int arm) {
    const char *name = posse_arm_name(r->hosted->served.posse, arm);
    if (name != NULL) json_text_at(&r->out, "name", name);
}

/* The selector's belief about each arm; null where it has none. */
int handle_arms(request *r) {
    const posse *p = r->hosted->served.posse;
    size_t count = (size_t)posse_arm_count(p);
    double *means = calloc(2 * count + 1, sizeof *means), *deviations = means + count;
    if (means == NULL) return posses_no_memory(r);
    bool asks = posse_feature_count(p) == 0 && count > 0;
    bool expects = asks && posse_means(p, NULL, means) == POSSE_OK;
    bool knows_how_well = asks && posse_deviations(p, NULL, deviations) == POSSE_OK;
    json_open(&r->out, '{');
    json_key(&r->out, "arms");
    json_open(&r->out, '[');
    for (int i = 0; i < posse_arm_count(p); i++) {
        json_open(&r->out, '{');
        json_whole_at(&r->out, "arm", i);
        put_arm_name(r, i);
        json_flag_at(&r->out, "active", posse_arm_active(p, i));
        json_number_at(&r->out, "mean", expects ? means[i] : NAN);
        json_number_at(&r->out, "deviation", knows_how_well ? deviations[i] : NAN);
        json_close(&r->out, '}');
    }
    json_close(&r->out, ']');
    json_close(&r->out, '}');
    free(means);
    return STATUS_OK;
}

/* The posses whose names contain a text. At most `limit` are listed, but all of them are counted. */
typedef struct listing {
    request *r;
    const char *contains;
    uint64_t limit, count;
} listing;

static void posses_put_name(void *context, hosted *h) {
    listing *l = context;
    request *r = l->r;
    if (request_roles(r, h->name) == 0 || strstr(h->name, l->contains) == NULL) return;
    if (l->count++ >= l->limit) return;
    json_open(&r->out, '{');
    json_text_at(&r->out, "name", h->name);
    json_whole_at(&r->out, "decisions", (int64_t)posse_decision_count(h->served.posse));
    json_whole_at(&r->out, "pending", (int64_t)posse_pending_count(h->served.posse));
    put_modes(&r->out, h->served.posse);
    put_surprise(&r->out, h->served.posse);
    put_alarms(&r->out, h);
    json_close(&r->out, '}');
}

/* False: the text is no limit. */
static bool posses_read_limit(const char *said, uint64_t *out) {
    *out = UINT64_MAX;
    size_t digits = said != NULL ? decimal_read_whole(said, out) : 0;
    return said == NULL || (digits > 0 && digits <= 9 && said[digits] == '\0');
}

static int posses_put_list(request *r, const struct evkeyvalq *pairs) {
    const char *contains = pairs != NULL ? evhttp_find_header(pairs, "contains") : NULL;
    listing l = {.r = r, .contains = contains != NULL ? contains : ""};
    if (!posses_read_limit(pairs != NULL ? evhttp_find_header(pairs, "limit") : NULL, &l.limit))
        return request_fail(r, STATUS_WRONG, NULL, "limit is a whole number of up to 9 digits");
    json_open(&r->out, '{');
    json_key(&r->out, "posses");
    json_open(&r->out, '[');
    engine_each(r->service->engine, posses_put_name, &l);
    json_close(&r->out, ']');
    json_whole_at(&r->out, "count", (int64_t)l.count);
    json_close(&r->out, '}');
    return STATUS_OK;
}

int handle_list(request *r) {
    struct evkeyvalq pairs;
    if (r->query == NULL) return posses_put_list(r, NULL);
    if (evhttp_parse_query_str(r->query, &pairs) != 0)
        return request_fail(r, STATUS_WRONG, NULL, "behind the ? there must be NAME=VALUE, with & between them");
    int status = posses_put_list(r, &pairs);
    evhttp_clear_headers(&pairs);
    return status;
}

/* ------------------------------------------------------- changing ------------------------------------------------ */

/* A token may be valid for some names only. A description is read for those alone that may create any posse. */
static bool may_create_any(const request *r) {
    return r->service->bearers == NULL || bearer_has(&r->bearer, ROLE_ADMIN);
}

static int refuse_creation(request *r) {
    return request_fail(r, STATUS_FORBIDDEN, NULL, "this token may not create this posse");
}

static int answer_create(request *r, const served_work *w) {
    (void)w;
    return put_state(r, r->work->hosted, STATUS_CREATED);
}

int handle_create(request *r) {
    hosted *h = NULL;
    if (!may_create_any(r)) return refuse_creation(r);
    r->work = calloc(1, sizeof *r->work);
    r->answer = answer_create;
    if (r->work == NULL) return posses_no_memory(r);
    served_status status = engine_describe(r->service->engine, r->body, r->length, r->work);
    const char *name = r->work->reshape.name;
    if (name != NULL && (request_roles(r, name) & ROLE_ADMIN) == 0) return refuse_creation(r);
    if (status == SERVED_DONE) status = engine_create_later(r->service->engine, r->work, &h);
    if (status != SERVED_DONE) return request_refuse(r, status);
    return h != NULL ? put_state(r, h, STATUS_CREATED) : STATUS_LATER;
}

/* Whether the query has ?confirm=NAME. */
static bool is_confirmed(const request *r, const char *name) {
    struct evkeyvalq pairs;
    if (r->query == NULL || evhttp_parse_query_str(r->query, &pairs) != 0) return false;
    const char *said = evhttp_find_header(&pairs, "confirm");
    bool confirmed = said != NULL && strcmp(said, name) == 0;
    evhttp_clear_headers(&pairs);
    return confirmed;
}

static int put_done(request *r, const char *key, const char *value, int status) {
    json_open(&r->out, '{');
    json_text_at(&r->out, key, value);
    json_close(&r->out, '}');
    return status;
}

int handle_drop(request *r) {
    const char *name = r->hosted->name;
    if (!is_confirmed(r, name))
        return request_fail(r, STATUS_WRONG, NULL, "to delete it for good, add ?confirm=%s", name);
    served_status status = engine_drop(r->service->engine, r->hosted);
    return status == SERVED_DONE ? put_done(r, "deleted", name, STATUS_OK) : request_refuse(r, status);
}

static int answer_erase(request *r, const served_work *w) {
    (void)w;
    json_open(&r->out, '{');
    json_text_at(&r->out, "erasing", r->hosted->name);
    if (r->work->reshape.name != NULL) json_flag_at(&r->out, "known", r->work->reshape.known);
    json_close(&r->out, '}');
    return STATUS_OK;
}

/* The contexts and units of a living posse, or those of one unit, which cannot be undone either. */
int handle_erase(request *r) {
    const char *name = r->hosted->name;
    const json_t *unit = json_object_get(r->json, "unit");
    reshape asked = {.kind = RESHAPE_ERASE};
    int answer = STATUS_OK;
    if (json_object_size(r->json) > (unit != NULL))
        return request_fail(r, STATUS_WRONG, "", "it takes a unit, {\"unit\": \"..\"}, or nothing");
    if (!request_read_unit(r, unit, &asked.name, &answer)) return answer;
    if (!is_confirmed(r, name)) return request_fail(r, STATUS_WRONG, NULL, "to erase for good, add ?confirm=%s", name);
    return request_reshape(r, &asked, answer_erase);
}

static int answer_learner_add(request *r, const served_work *w) {
    (void)w;
    return put_done(r, "learner", posse_learner_name(r->hosted->served.posse, r->work->reshape.place), STATUS_CREATED);
}

int handle_learner_add(request *r) {
    reshape asked = {.kind = RESHAPE_ADD_LEARNER, .text = r->body, .length = r->length};
    return request_reshape(r, &asked, answer_learner_add);
}

static int answer_learner_retire(request *r, const served_work *w) {
    (void)w;
    return put_done(r, "retired", r->segments[4], STATUS_OK);
}

int handle_learner_retire(request *r) {
    return request_reshape(r, &(reshape){.kind = RESHAPE_RETIRE_LEARNER, .name = r->segments[4]},
                           answer_learner_retire);
}

static int put_arm(request *r, const char *key, int arm, int status) {
    json_open(&r->out, '{');
    json_whole_at(&r->out, key, arm);
    put_arm_name(r, arm);
    json_close(&r->out, '}');
    return status;
}

static int answer_arm_add(request *r, const served_work *w) {
    (void)w;
    return put_arm(r, "arm", r->work->reshape.place, STATUS_CREATED);
}

int handle_arm_add(request *r) {
    const char *key;
    json_t *value;
    json_object_foreach(r->json, key,
                        value) if (strcmp(key, "point") != 0 &&
                                   strcmp(key, "name") !=
                                       0) return request_fail(r, STATUS_WRONG, key,
                                                              "an arm has a name and a point, or neither");
    const json_t *name = json_object_get(r->json, "name");
    if (name != NULL && !json_is_string(name)) return request_fail(r, STATUS_WRONG, "name", "it must be a text");
    reshape asked = {
        .kind = RESHAPE_ADD_ARM, .name = json_string_value(name), .value = json_object_get(r->json, "point")};
    return request_reshape(r, &asked, answer_arm_add);
}

static int answer_arm_retire(request *r, const served_work *w) {
    (void)w;
    return put_arm(r, "retired", r->work->reshape.place, STATUS_OK);
}

int handle_arm_retire(request *r) {
    return request_reshape(r, &(reshape){.kind = RESHAPE_RETIRE_ARM, .name = r->segments[4]}, answer_arm_retire);
}
