/* SPDX-License-Identifier: MIT */
/*
 * Rank, reward and activate, as clients of Azure Personalizer send them (docs/personalizer.md). An action is an arm,
 * and an event is a decision that has the client's name. A rank is the decision that `decide` would make in the same
 * round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "posse_features.h"
#include "serve/request.h"
#include "served/siphash.h"

#define ACTIONS_MAX 1000
#define NAME_MAX_BYTES 255 /* of a feature */

typedef struct ranked_action {
    const char *id;
    bool excluded;
    double probability;
} ranked_action;

typedef struct ranking {
    request *r;
    char event[EVENT_NAME_MAX + 1]; /* "": the client names none */
    ranked_action *actions;
    size_t count;
    json_t *context, *arms; /* features by their full names; those of the arms by their ids */
    uint64_t hash;          /* of everything but the event */
    served_visit visit;
    int status; /* of the answer, once something is wrong */
} ranking;

/* Refuses the request. The value is false. */
#define refuse(k, path, ...) ((k)->status = request_fail((k)->r, STATUS_WRONG, path, __VA_ARGS__), false)
#define refuse_at(k, where, ...) refuse(k, trail_text(where, (char[TRAIL_TEXT]){0}), __VA_ARGS__)

/* ----------------------------------------------------- features -------------------------------------------------- */

static bool features_are(const json_t *list, bool (*is)(const json_t *value)) {
    size_t i = 0;
    while (i < json_array_size(list) && is(json_array_get(list, i))) i++;
    return i == json_array_size(list);
}

static bool personalizer_is_word(const json_t *value) {
    return json_is_string(value);
}

static bool personalizer_is_number(const json_t *value) {
    return json_is_number(value);
}

static bool features_set(ranking *k, json_t *out, const trail *where, const char *name, json_t *value) {
    const trail here = {.outer = where, .key = name};
    if (json_object_get(out, name) != NULL) return refuse_at(k, &here, "this feature is there twice");
    bool list = json_is_array(value);
    if (list && !features_are(value, personalizer_is_word))
        return refuse_at(k, &here, "a list of features has words alone, or numbers alone");
    if (json_object_set(out, name, value) == 0) return true;
    k->status = request_fail(k->r, STATUS_DOWN, NULL, "there is not enough memory");
    return false;
}

static bool features_flatten(ranking *k, json_t *out, const trail *where, const char *name, json_t *value);

/* A feature inside of `space`, or outside of all if that is NULL. */
static bool features_enter(ranking *k, json_t *out, const trail *where, const char *space, const char *key,
                           json_t *value) {
    char name[NAME_MAX_BYTES + 1];
    int length = snprintf(name, sizeof name, "%s%s%s", space != NULL ? space : "", space != NULL ? "." : "", key);
    if (length > NAME_MAX_BYTES)
        return refuse_at(k, where, "the name of a feature has at most %d bytes, with all names around it",
                         NAME_MAX_BYTES);
    return features_flatten(k, out, where, name, value);
}

static bool features_enter_all(ranking *k, json_t *out, const trail *where, const char *space, json_t *map) {
    const char *key;
    json_t *value;
    json_object_foreach(map, key, value) {
        if (!features_enter(k, out, where, space, key, value)) return false;
    }
    return true;
}

/* A list of numbers is a vector, whose features have the index as their last name. */
static bool features_enter_vector(ranking *k, json_t *out, const trail *where, const char *name, json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        if (!features_enter(k, out, where, name, index, json_array_get(list, i))) return false;
    }
    return true;
}

/* Adds a value under its full name: names inside of others are joined by dots. */
static bool features_flatten(ranking *k, json_t *out, const trail *where, const char *name, json_t *value) {
    if (json_is_null(value)) return true;
    if (json_is_object(value)) return features_enter_all(k, out, where, name, value);
    if (json_is_array(value) && json_array_size(value) > 0 && features_are(value, personalizer_is_number))
        return features_enter_vector(k, out, where, name, value);
    return features_set(k, out, where, name, value);
}

/* Features as Personalizer has them: a list of objects, or null. */
static bool personalizer_read_features(ranking *k, const trail *where, json_t *list, json_t *out) {
    if (list == NULL || json_is_null(list)) return true;
    if (!json_is_array(list)) return refuse_at(k, where, "features are a list of objects");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *map = json_array_get(list, i);
        const trail here = {.outer = where, .index = i};
        if (!json_is_object(map)) return refuse_at(k, &here, "features are a list of objects");
        if (!features_enter_all(k, out, &here, NULL, map)) return false;
    }
    return true;
}

/* ----------------------------------------------------- requests -------------------------------------------------- */

/* The value of a key; null is as if it was not there. */
static json_t *rank_get(const json_t *from, const char *key) {
    json_t *value = json_object_get(from, key);
    return json_is_null(value) ? NULL : value;
}

static bool rank_read_event(ranking *k) {
    const json_t *event = rank_get(k->r->json, "eventId");
    size_t length = json_string_length(event);
    if (event == NULL) return true;
    if (!json_is_string(event) || length == 0 || length > EVENT_NAME_MAX)
        return refuse(k, "eventId", "it must be a text of 1 to %d bytes", EVENT_NAME_MAX);
    memcpy(k->event, json_string_value(event), length + 1);
    return true;
}

static bool rank_read_visit(ranking *k) {
    const json_t *defer = rank_get(k->r->json, "deferActivation");
    k->visit = (served_visit){.now = (uint64_t)engine_now(k->r->service->engine), .defer = json_is_true(defer)};
    if (!request_read_unit(k->r, rank_get(k->r->json, "unit"), &k->visit.unit, &k->status)) return false;
    return defer == NULL || json_is_boolean(defer) || refuse(k, "deferActivation", "it must be true or false");
}

static bool rank_read_action(ranking *k, json_t *action, size_t i) {
    static const char *const keys[] = {"id", "features", NULL};
    const trail list = {.key = "actions"}, where = {.outer = &list, .index = i}, in_id = {.outer = &where, .key = "id"},
                in_features = {.outer = &where, .key = "features"};
    if (!json_is_object(action))
        return refuse_at(k, &where, "an action is an object, {\"id\": .., \"features\": [..]}");
    if (!request_has_only(k->r, action, &where, keys, &k->status)) return false;
    const char *id = json_string_value(json_object_get(action, "id"));
    if (id == NULL || *id == '\0') return refuse_at(k, &in_id, "it must be a text");
    if (json_object_get(k->arms, id) != NULL) return refuse_at(k, &in_id, "this action is there twice");
    json_t *features = json_object();
    k->actions[i] = (ranked_action){.id = id};
    if (json_object_set_new(k->arms, id, features) == 0)
        return personalizer_read_features(k, &in_features, json_object_get(action, "features"), features);
    k->status = request_fail(k->r, STATUS_DOWN, NULL, "there is not enough memory");
    return false;
}

static bool rank_read_actions(ranking *k) {
    const json_t *list = json_object_get(k->r->json, "actions");
    size_t count = json_array_size(list);
    if (count == 0 || count > ACTIONS_MAX)
        return refuse(k, "actions", "it must be a list of 1 to %d actions", ACTIONS_MAX);
    k->actions = calloc(count, sizeof *k->actions);
    k->arms = json_object();
    if (k->actions == NULL || k->arms == NULL) {
        k->status = request_fail(k->r, STATUS_DOWN, NULL, "there is not enough memory");
        return false;
    }
    for (; k->count < count; k->count++)
        if (!rank_read_action(k, json_array_get(list, k->count), k->count)) return false;
    return true;
}

/* Ids of other actions are accepted: clients may have one list for all their requests. */
static bool rank_read_excluded(ranking *k) {
    const json_t *list = rank_get(k->r->json, "excludedActions");
    if (list != NULL && (!json_is_array(list) || !features_are(list, personalizer_is_word)))
        return refuse(k, "excludedActions", "it must be a list of ids");
    for (size_t i = 0; i < json_array_size(list); i++)
        json_object_del(k->arms, json_string_value(json_array_get(list, i)));
    for (size_t i = 0; i < k->count; i++) k->actions[i].excluded = json_object_get(k->arms, k->actions[i].id) == NULL;
    return json_object_size(k->arms) > 0 || refuse(k, "excludedActions", "no action is left");
}

/* Two requests with the same hash ask for the same. */
static bool rank_hash(ranking *k) {
    json_t *rest = json_copy(k->r->json);
    json_object_del(rest, "eventId");
    char *text = json_text_dump(rest, JSON_COMPACT | JSON_SORT_KEYS);
    if (text != NULL) k->hash = siphash(k->r->hosted->served.key, text, strlen(text));
    if (text == NULL) k->status = request_fail(k->r, STATUS_DOWN, NULL, "there is not enough memory");
    json_decref(rest);
    free(text);
    return text != NULL;
}

static bool rank_read(ranking *k) {
    static const char *const keys[] = {
        "contextFeatures", "actions", "excludedActions", "eventId", "deferActivation", "unit", NULL};
    k->context = json_object();
    return request_has_only(k->r, k->r->json, NULL, keys, &k->status) && rank_read_event(k) && rank_read_visit(k) &&
           rank_read_actions(k) && rank_read_excluded(k) &&
           personalizer_read_features(k, &(trail){.key = "contextFeatures"},
                                      json_object_get(k->r->json, "contextFeatures"), k->context) &&
           rank_hash(k);
}

/* ------------------------------------------------------ rounds --------------------------------------------------- */

static bool rank_has_features(const ranking *k) {
    const char *id;
    json_t *features;
    json_object_foreach(k->arms, id, features) {
        if (json_object_size(features) > 0) return true;
    }
    return false;
}

/* Without features, all arms are available in every round. */
static bool rank_check_bare(ranking *k) {
    const posse *p = k->r->hosted->served.posse;
    size_t active = 0;
    for (int arm = 0; arm < posse_arm_count(p); arm++) active += posse_arm_active(p, arm);
    if (rank_has_features(k) || json_object_size(k->context) > 0)
        return refuse(k, "contextFeatures",
                      "rounds of this posse have no features; its description needs \"features\"");
    for (size_t i = 0; i < k->count; i++) {
        int arm = posse_arm_find(p, k->actions[i].id);
        if (arm < 0 || !posse_arm_active(p, arm)) active = 0;
    }
    return json_object_size(k->arms) == active ||
           refuse(
               k, "actions",
               "rounds of this posse have no features, so it chooses among all its arms; to leave some out, create a "
               "posse with \"dim\": 16, \"features\": {}");
}

/* Arms without features are a list of their names. */
static json_t *rank_arms(const ranking *k) {
    if (rank_has_features(k)) return json_incref(k->arms);
    json_t *list = json_array();
    for (size_t i = 0; i < k->count; i++)
        if (!k->actions[i].excluded) json_array_append_new(list, json_string(k->actions[i].id));
    return list;
}

/* The round as `decide` takes it: r->round, or NULL if rounds have no features. */
static bool rank_make_round(ranking *k) {
    const posse *p = k->r->hosted->served.posse;
    if (posse_feature_count(p) == 0) return rank_check_bare(k);
    if (!posse_takes_names(p))
        return refuse(k, "contextFeatures", "features of this posse have no names; its description needs \"features\"");
    k->r->round = json_object();
    json_object_set(k->r->round, "context", k->context);
    json_object_set_new(k->r->round, "arms", rank_arms(k));
    return true;
}

/* ------------------------------------------------------ answers -------------------------------------------------- */

/* The action to show comes first, and then the likely ones. */
static void rank_put_next(ranking *k, size_t place) {
    size_t best = place;
    for (size_t i = place; i < k->count; i++)
        if (k->actions[i].probability > k->actions[best].probability) best = i;
    ranked_action one = k->actions[best];
    memmove(&k->actions[place + 1], &k->actions[place], (best - place) * sizeof one);
    k->actions[place] = one;
}

static void rank_sort(ranking *k, const char *shown) {
    size_t first = 0;
    while (first + 1 < k->count && strcmp(k->actions[first].id, shown) != 0) first++;
    ranked_action one = k->actions[first];
    memmove(&k->actions[1], &k->actions[0], first * sizeof one);
    k->actions[0] = one;
    for (size_t i = 1; i < k->count; i++) rank_put_next(k, i);
}

/* The arm's name, or its number if arms have no names. */
static const char *rank_id_of(const ranking *k, int arm) {
    const posse *p = k->r->hosted->served.posse;
    for (size_t i = 0; i < k->count; i++)
        if (posse_arm_find(p, k->actions[i].id) == arm) return k->actions[i].id;
    return "";
}

static void rank_put(ranking *k, const served_rank *made) {
    const posse *p = k->r->hosted->served.posse;
    json_out *out = &k->r->out;
    const char *shown = rank_id_of(k, made->played);
    for (size_t i = 0; i < k->count; i++)
        if (!k->actions[i].excluded)
            k->actions[i].probability = made->probabilities[posse_arm_find(p, k->actions[i].id)];
    rank_sort(k, shown);
    json_open(out, '{');
    json_key(out, "ranking");
    json_open(out, '[');
    for (size_t i = 0; i < k->count; i++) {
        json_open(out, '{');
        json_text_at(out, "id", k->actions[i].id);
        json_number_at(out, "probability", k->actions[i].probability);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_text_at(out, "eventId", k->event);
    json_text_at(out, "rewardActionId", shown);
    json_close(out, '}');
}

/* The action that the client's present rule shows: the first that is not excluded. */
static const char *rank_first(const ranking *k) {
    size_t i = 0;
    while (k->actions[i].excluded) i++;
    return k->actions[i].id;
}

/* Without a name of the client's, the event has the token of its decision as its name. */
static int rank_make(ranking *k) {
    request *r = k->r;
    served_rank made = {.source = r->round, .first = rank_first(k), .visit = k->visit};
    served_status status = engine_rank(r->service->engine, r->hosted, &made);
    if (status != SERVED_DONE) return request_refuse(r, status);
    if (k->event[0] == '\0') memcpy(k->event, made.decision.token, TOKEN_TEXT + 1);
    rank_put(k, &made);
    if (r->out.failed) {
        engine_rank_undo(r->service->engine, r->hosted, &made);
        return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    }
    status = engine_event_add(r->service->engine, r->hosted, k->event, &made, k->hash, r->out.text, r->out.length);
    return status == SERVED_DONE ? STATUS_CREATED : request_refuse(r, status);
}

/* A request that is repeated gets the same answer. */
static int rank_answer(ranking *k) {
    request *r = k->r;
    kept_event before;
    bool found = false;
    served_status status = SERVED_DONE;
    if (k->event[0] != '\0') status = engine_event_find(r->service->engine, r->hosted, k->event, &found, &before);
    if (status != SERVED_DONE) return request_refuse(r, status);
    if (!found) return rank_make_round(k) ? rank_make(k) : k->status;
    if (before.request != k->hash)
        return request_fail(r, STATUS_CONFLICT, "eventId", "this event was ranked before, with another request");
    if (before.answer[0] == '\0')
        return request_fail(r, STATUS_CONFLICT, "eventId",
                            "this event was ranked before, so long ago that the log does not have its answer any more");
    json_put_copy(&r->out, before.answer, strlen(before.answer));
    return STATUS_CREATED;
}

/* Versions whose requests these are. */
static bool rank_is_known(const request *r) {
    const char *version = r->segments[4];
    return strcmp(version, "v1.0") == 0 || strncmp(version, "v1.1-preview.", 13) == 0;
}

static int refuse_version(request *r) {
    return request_fail(r, STATUS_ABSENT, NULL, "there is no version \"%.40s\" here, but v1.0 and v1.1-preview.1 to 3",
                        r->segments[4]);
}

int handle_rank(request *r) {
    ranking k = {.r = r, .status = STATUS_OK};
    if (!rank_is_known(r)) return refuse_version(r);
    int status = rank_read(&k) ? rank_answer(&k) : k.status;
    free(k.actions);
    json_decref(k.context);
    json_decref(k.arms);
    return status;
}

/* ------------------------------------------------- rewards and shows --------------------------------------------- */

/* Of a request about an event. */
static int event_answer(request *r, served_status status) {
    return status == SERVED_DONE ? STATUS_EMPTY : request_refuse(r, status);
}

int handle_reward(request *r) {
    static const char *const keys[] = {"value", NULL};
    const json_t *value = json_object_get(r->json, "value");
    int answer = STATUS_OK;
    if (!rank_is_known(r)) return refuse_version(r);
    if (!request_has_only(r, r->json, NULL, keys, &answer)) return answer;
    if (!json_is_number(value)) return request_fail(r, STATUS_WRONG, "value", "a reward is a number");
    return event_answer(r,
                        engine_event_reward(r->service->engine, r->hosted, r->segments[6], json_number_value(value)));
}

int handle_shown(request *r) {
    if (!rank_is_known(r)) return refuse_version(r);
    return event_answer(r, engine_event_activate(r->service->engine, r->hosted, r->segments[6]));
}
