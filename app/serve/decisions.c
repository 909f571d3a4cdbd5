/* SPDX-License-Identifier: MIT */
/*
 * Requests for decisions, and for settling them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posse_features.h"
#include "serve/request.h"
#include "served/context.h"
#include "served/cost.h"

#define ROUNDS_QUICK 65536 /* bytes of rounds that are read at once */

/* ------------------------------------------------------ bodies --------------------------------------------------- */

static bool has_only(request *r, const char *const *keys, int *status) {
    return request_has_only(r, r->json, NULL, keys, status);
}

/* The same for a request with a round. Its arms stand beside the context if features have names. */
static bool round_has_only(request *r, const char *const *keys, int *status) {
    const char *allowed[8] = {"arms"};
    for (int i = 0; keys[i] != NULL; i++) allowed[1 + i] = keys[i];
    if (!has_only(r, allowed, status)) return false;
    if (posse_takes_names(r->hosted->served.posse) || json_object_get(r->json, "arms") == NULL) return true;
    *status = request_fail(r, STATUS_WRONG, "arms", "features of this posse have no names; give arms in the context");
    return false;
}

static bool take_count(request *r, int64_t n, size_t *out, int *status) {
    *out = (size_t)n;
    if (n >= 1 && n <= DECISIONS_MAX) return true;
    *status = request_fail(r, STATUS_WRONG, "n", "it must be a whole number from 1 to %d", DECISIONS_MAX);
    return false;
}

/* A list of rounds stands alone, because each decision has a round of its own. */
static bool decisions_read_rounds(request *r, served_work *out, int *status) {
    out->rounds = json_object_get(r->json, "rounds");
    out->decision_count = json_array_size(out->rounds);
    bool listed = out->decision_count >= 1 && out->decision_count <= DECISIONS_MAX;
    if (listed && json_object_size(r->json) == 1) return true;
    *status = !listed ? request_fail(r, STATUS_WRONG, "rounds", "it must be a list of 1 to %d rounds", DECISIONS_MAX)
                      : request_fail(r, STATUS_WRONG, "rounds", "it stands alone, because each round has its context");
    return false;
}

static bool read_count(request *r, size_t *out, int *status) {
    const json_t *n = json_object_get(r->json, "n");
    int64_t count = 1;
    if (n != NULL && !whole_read(n, 1, DECISIONS_MAX, &count)) count = 0;
    return take_count(r, count, out, status);
}

static bool is_too_long(request *r, const char *key, size_t count, int *status) {
    if (count <= REWARDS_MAX) return false;
    *status = request_fail(r, STATUS_WRONG, key, "it must be a list of at most %d", REWARDS_MAX);
    return true;
}

/* Checks a body that was read without a tree (rewards.h). */
static bool check_listed(request *r, size_t *count, int *status) {
    return take_count(r, r->rewards.n >= 0 ? r->rewards.n : 1, count, status) &&
           !is_too_long(r, "rewards", r->rewards.count, status);
}

static bool decisions_read_token(request *r, json_t *from, served_reward *out, int *status) {
    const json_t *text = json_object_get(from, "token");
    if (json_is_string(text)) {
        out->token = json_string_value(text);
        out->token_length = json_string_length(text);
        return true;
    }
    char path[48];
    snprintf(path, sizeof path, "%s%stoken", out->path, out->path[0] != '\0' ? "." : "");
    *status = request_fail(r, STATUS_WRONG, path, "the token of a decision is needed");
    return false;
}

/* The reward of an object at a path, which is "" for the body. */
static bool take_reward(request *r, const json_t *from, const char *path, double *out, int *status) {
    const json_t *reward = json_object_get(from, "reward");
    if (json_is_number(reward) || json_is_boolean(reward)) {
        *out = json_is_boolean(reward) ? json_is_true(reward) : json_number_value(reward);
        return true;
    }
    char where[48];
    snprintf(where, sizeof where, "%s%sreward", path, path[0] != '\0' ? "." : "");
    *status = request_fail(r, STATUS_WRONG, where, "a reward is a number, or true or false");
    return false;
}

static bool decisions_read_reward(request *r, json_t *from, served_reward *out, int *status) {
    static const char *const keys[] = {"token", "reward", NULL};
    const trail entry = {.key = out->path}, *where = out->path[0] != '\0' ? &entry : NULL;
    return request_has_only(r, from, where, keys, status) && decisions_read_token(r, from, out, status) &&
           take_reward(r, from, out->path, &out->reward, status);
}

/* An entry of a list of tokens. */
static bool read_bare_token(request *r, json_t *from, served_reward *out, int *status) {
    out->path_whole = true;
    if (!json_is_string(from)) {
        *status = request_fail(r, STATUS_WRONG, out->path, "the token of a decision is needed");
        return false;
    }
    out->token = json_string_value(from);
    out->token_length = json_string_length(from);
    return true;
}

typedef bool (*entry_reader)(request *r, json_t *from, served_reward *out, int *status);

/* Reads the entries of the list `key` into r->rewards. False: the answer is made. */
static bool decisions_read_list(request *r, const char *key, entry_reader read, int *status) {
    const json_t *list = json_object_get(r->json, key);
    size_t count = json_array_size(list);
    if (is_too_long(r, key, json_is_array(list) ? count : SIZE_MAX, status)) return false;
    served_reward *rewards = r->rewards.list = calloc(count + 1, sizeof *rewards);
    if (rewards == NULL) *status = request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    for (size_t i = 0; rewards != NULL && i < count; i++) {
        snprintf(rewards[i].path, sizeof rewards[i].path, "%s[%zu]", key, i);
        if (!read(r, json_array_get(list, i), &rewards[i], status)) return false;
    }
    r->rewards.count = count;
    return rewards != NULL;
}

/* Reads a single entry, which is the body itself. False: the answer is made. */
static bool read_single(request *r, entry_reader read, int *status) {
    r->rewards.list = calloc(1, sizeof *r->rewards.list);
    r->rewards.count = 1;
    if (r->rewards.list != NULL) return read(r, r->json, r->rewards.list, status);
    *status = request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    return false;
}

/* ----------------------------------------------------- decisions ------------------------------------------------- */

/* The token, as one piece of text. There is nothing in a token to escape. */
static void put_token(json_out *out, const char *given) {
    char text[] = "\"token\":\"........................\",\"arm\":";
    _Static_assert(sizeof text == 9 + TOKEN_TEXT + 8 + 1, "the dots stand for a token");
    memcpy(text + 9, given, TOKEN_TEXT);
    json_put_copy(out, text, sizeof text - 1);
}

static void put_decision(request *r, const served_decision *d) {
    const posse *p = r->hosted->served.posse;
    json_open(&r->out, '{');
    if (d->token[0] != '\0')
        put_token(&r->out, d->token);
    else
        json_put_copy(&r->out, "\"token\":null,\"arm\":", 19);
    if (d->decision.arm >= 0)
        json_put_whole(&r->out, d->decision.arm);
    else
        json_put_null(&r->out);
    const char *name = posse_arm_name(p, d->decision.arm);
    if (name != NULL) json_text_at(&r->out, "name", name);
    json_text_at(&r->out, "learner", posse_learner_name(p, d->decision.learner));
    if (d->decision.arm == POSSE_ARM_UNTOLD) json_flag_at(&r->out, "external", true);
    if (d->point != NULL) {
        json_key(&r->out, "point");
        json_open(&r->out, '[');
        for (int i = 0; i < posse_dim(p); i++) json_put_number(&r->out, d->point[i]);
        json_close(&r->out, ']');
    }
    if (d->decision.propensity > 0.0) json_number_at(&r->out, "propensity", d->decision.propensity);
    if (d->decision.mode != POSSE_MODE_NONE) json_text_at(&r->out, "mode", posse_mode_name(d->decision.mode));
    json_close(&r->out, '}');
}

static void put_decisions(request *r, const served_decision *list, size_t count) {
    json_key(&r->out, "decisions");
    json_open(&r->out, '[');
    for (size_t i = 0; i < count; i++) put_decision(r, &list[i]);
    json_close(&r->out, ']');
}

/* Without a tree r->json is NULL, which json_object_get accepts. */
static const json_t *context_of(request *r) {
    json_t *context = json_object_get(r->json, "context"), *arms = json_object_get(r->json, "arms");
    if (!posse_takes_names(r->hosted->served.posse) || (context == NULL && arms == NULL)) return context;
    r->round = json_object();
    if (context != NULL) json_object_set(r->round, "context", context);
    if (arms != NULL) json_object_set(r->round, "arms", arms);
    return r->round;
}

/* The unit of a decision, and whether it is deferred. False: the answer is made. */
static bool decisions_read_visit(request *r, size_t count, served_visit *out, int *status) {
    const json_t *defer = json_object_get(r->json, "defer");
    *out = (served_visit){.now = (uint64_t)engine_now(r->service->engine), .defer = json_is_true(defer)};
    if (!request_read_unit(r, json_object_get(r->json, "unit"), &out->unit, status)) return false;
    bool flag = defer == NULL || json_is_boolean(defer);
    bool single = (out->unit == NULL && !out->defer) || count == 1;
    if (!flag)
        *status = request_fail(r, STATUS_WRONG, "defer", "it must be true or false");
    else if (!single)
        *status = request_fail(r, STATUS_WRONG, "n", "a request with a unit, or a deferred one, is for one decision");
    return flag && single;
}

/* -------------------------------------------------------- work --------------------------------------------------- */

typedef int (*answer_writer)(request *r, const served_work *w);

/* The server does the work in pieces, with other requests between them. */
static int decisions_do_later(request *r, const served_work *asked, answer_writer answer) {
    engine_work *work = r->work = calloc(1, sizeof *work);
    if (work != NULL) {
        work->hosted = r->hosted;
        work->asked = *asked;
        work->asked.room = calloc(2 * asked->reward_count + 1, sizeof *work->asked.room);
        work->asked.decisions = calloc(asked->decision_count + 1, sizeof *work->asked.decisions);
    }
    if (work == NULL || work->asked.room == NULL || work->asked.decisions == NULL)
        return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    r->answer = answer;
    return STATUS_LATER;
}

static int decisions_do(request *r, served_work *asked, answer_writer answer) {
    static served_decision list[DECISIONS_MAX];
    size_t expiring = asked->expires ? posse_pending_count(r->hosted->served.posse) : 0;
    bool rounds = asked->rounds != NULL && r->length > ROUNDS_QUICK;
    if (rounds || engine_is_long(r->hosted, asked->reward_count + expiring, asked->decision_count))
        return decisions_do_later(r, asked, answer);
    asked->decisions = list;
    served_status status = engine_do(r->service->engine, r->hosted, asked);
    return status == SERVED_DONE ? answer(r, asked) : request_refuse(r, status);
}

/* ----------------------------------------------------- deciding -------------------------------------------------- */

static int answer_decide(request *r, const served_work *w) {
    if (json_object_get(r->json, "n") == NULL && w->rounds == NULL) {
        put_decision(r, &w->decisions[0]);
        return STATUS_OK;
    }
    json_open(&r->out, '{');
    put_decisions(r, w->decisions, w->decision_count);
    json_close(&r->out, '}');
    return STATUS_OK;
}

int handle_decide(request *r) {
    static const char *const keys[] = {"n", "context", "unit", "defer", NULL};
    served_work asked = {.decision_count = 0};
    int answer = STATUS_OK;
    if (json_object_get(r->json, "rounds") != NULL)
        return decisions_read_rounds(r, &asked, &answer) ? decisions_do(r, &asked, answer_decide) : answer;
    asked.source = context_of(r);
    if (!round_has_only(r, keys, &answer) || !read_count(r, &asked.decision_count, &answer) ||
        !decisions_read_visit(r, asked.decision_count, &asked.visit, &answer))
        return answer;
    return decisions_do(r, &asked, answer_decide);
}

int handle_peek(request *r) {
    static const char *const keys[] = {"context", "unit", "defer", NULL};
    served_decision d;
    served_visit visit;
    int answer = STATUS_OK;
    if (!round_has_only(r, keys, &answer) || !decisions_read_visit(r, 1, &visit, &answer)) return answer;
    served_status status = engine_peek(r->service->engine, r->hosted, context_of(r), &visit, &d);
    if (status != SERVED_DONE) return request_refuse(r, status);
    put_decision(r, &d);
    return STATUS_OK;
}

/* The rewards of a turn, in r->rewards, and how many decisions it wants. False: the answer is made. */
static bool decisions_read_turn(request *r, size_t *count, int *answer) {
    static const char *const keys[] = {"rewards", "n", "context", NULL};
    if (r->listed) return check_listed(r, count, answer);
    if (!round_has_only(r, keys, answer) || !read_count(r, count, answer)) return false;
    return json_object_get(r->json, "rewards") == NULL ||
           decisions_read_list(r, "rewards", decisions_read_reward, answer);
}

static int answer_turn(request *r, const served_work *w) {
    json_open(&r->out, '{');
    json_whole_at(&r->out, "learned", (int64_t)w->reward_count);
    put_decisions(r, w->decisions, w->decision_count);
    json_close(&r->out, '}');
    return STATUS_OK;
}

int handle_turn(request *r) {
    served_work asked = {.source = context_of(r)};
    int answer = STATUS_OK;
    if (!decisions_read_turn(r, &asked.decision_count, &answer)) return answer;
    asked.rewards = r->rewards.list;
    asked.reward_count = r->rewards.count;
    return decisions_do(r, &asked, answer_turn);
}

/* ----------------------------------------------------- settling -------------------------------------------------- */

static int put_count(request *r, const char *key, size_t count) {
    json_open(&r->out, '{');
    json_whole_at(&r->out, key, (int64_t)count);
    json_close(&r->out, '}');
    return STATUS_OK;
}

static int answer_settled(request *r, const served_work *w) {
    return put_count(r, w->forgets ? "forgotten" : "learned", w->reward_count);
}

/* How decisions are settled: one by the body itself, or many by a list in it. */
typedef struct settling {
    const char *list;
    entry_reader read_entry, read_body;
    const char *keys[3]; /* of the body, where there is no list */
    bool forgets;
} settling;

static int decisions_settle_read(request *r, const settling *how) {
    served_work asked = {.rewards = r->rewards.list, .reward_count = r->rewards.count, .forgets = how->forgets};
    return asked.reward_count > 0 ? decisions_do(r, &asked, answer_settled) : answer_settled(r, &asked);
}

static int decisions_settle(request *r, const settling *how) {
    int answer = STATUS_OK;
    bool many = json_object_get(r->json, how->list) != NULL;
    const char *const list_only[] = {how->list, NULL};
    if (!has_only(r, many ? list_only : how->keys, &answer)) return answer;
    bool fine =
        many ? decisions_read_list(r, how->list, how->read_entry, &answer) : read_single(r, how->read_body, &answer);
    return fine ? decisions_settle_read(r, how) : answer;
}

int handle_learn(request *r) {
    static const settling how = {"rewards", decisions_read_reward, decisions_read_reward, {"token", "reward"}, false};
    int answer = STATUS_OK;
    if (!r->listed) return decisions_settle(r, &how);
    if (r->rewards.n >= 0) return request_fail(r, STATUS_WRONG, "n", "there is no such key here");
    if (is_too_long(r, "rewards", r->rewards.count, &answer)) return answer;
    return decisions_settle_read(r, &how);
}

int handle_forget(request *r) {
    static const settling how = {"tokens", read_bare_token, decisions_read_token, {"token"}, true};
    return decisions_settle(r, &how);
}

/* What was played: an arm or a point, and a context. False: the answer is made. */
static bool decisions_read_play(request *r, served_play *out, int *status) {
    int64_t arm = -1;
    const json_t *said = json_object_get(r->json, "arm");
    *out = (served_play){
        .point = json_object_get(r->json, "point"), .source = context_of(r), .name = json_string_value(said)};
    if (out->point == NULL && out->name == NULL && !whole_read(said, 0, 1000000, &arm)) {
        *status = request_fail(r, STATUS_WRONG, "arm", "the number or the name of the arm that was played is needed");
        return false;
    }
    out->arm = (int)arm;
    return true;
}

int handle_acted(request *r) {
    static const char *const keys[] = {"token", "arm", "point", "context", NULL};
    served_reward which = {0};
    served_play play;
    int answer = STATUS_OK;
    if (!round_has_only(r, keys, &answer) || !decisions_read_token(r, r->json, &which, &answer) ||
        !decisions_read_play(r, &play, &answer))
        return answer;
    served_status status = engine_acted(r->service->engine, r->hosted, &which, &play);
    return status == SERVED_DONE ? put_count(r, "acted", 1) : request_refuse(r, status);
}

int handle_activate(request *r) {
    static const char *const keys[] = {"token", NULL};
    served_reward which = {0};
    int answer = STATUS_OK;
    if (!has_only(r, keys, &answer) || !decisions_read_token(r, r->json, &which, &answer)) return answer;
    served_status status = engine_activate(r->service->engine, r->hosted, &which);
    return status == SERVED_DONE ? put_count(r, "activated", 1) : request_refuse(r, status);
}

static int teach_list(request *r, const json_t *list) {
    static const char *const keys[] = {"plays", NULL};
    int answer = STATUS_OK;
    if (!has_only(r, keys, &answer)) return answer;
    served_status status = engine_teach_list(r->service->engine, r->hosted, list);
    return status == SERVED_DONE ? put_count(r, "taught", json_array_size(list)) : request_refuse(r, status);
}

int handle_teach(request *r) {
    static const char *const keys[] = {"arm", "point", "reward", "context", NULL};
    const json_t *list = json_object_get(r->json, "plays");
    if (list != NULL) return teach_list(r, list);
    served_play play;
    double reward;
    int answer = STATUS_OK;
    if (!round_has_only(r, keys, &answer) || !decisions_read_play(r, &play, &answer) ||
        !take_reward(r, r->json, "", &reward, &answer))
        return answer;
    served_status status = engine_teach(r->service->engine, r->hosted, &play, reward);
    return status == SERVED_DONE ? put_count(r, "taught", 1) : request_refuse(r, status);
}

static int answer_expired(request *r, const served_work *w) {
    return put_count(r, "expired", w->settled);
}

int handle_expire(request *r) {
    static const char *const keys[] = {"age", "deferred", NULL};
    const json_t *deferred = json_object_get(r->json, "deferred");
    int64_t age;
    int answer = STATUS_OK;
    if (!has_only(r, keys, &answer)) return answer;
    if (deferred != NULL && !json_is_boolean(deferred))
        return request_fail(r, STATUS_WRONG, "deferred", "it is true or false");
    if (!whole_read(json_object_get(r->json, "age"), 0, INT64_MAX / 2, &age))
        return request_fail(r, STATUS_WRONG, "age", "the number of later decisions is needed, 0 for all");
    served_work work = {.expires = true, .age = (uint64_t)age, .deferred = json_is_true(deferred)};
    return decisions_do(r, &work, answer_expired);
}

/* The reshape has the number of decisions that were pending. */
static int answer_next_task(request *r, const served_work *w) {
    (void)w;
    return put_count(r, "forgotten", r->work->reshape.length);
}

int handle_next_task(request *r) {
    static const char *const keys[] = {NULL};
    int answer = STATUS_OK;
    if (!has_only(r, keys, &answer)) return answer;
    reshape asked = {.kind = RESHAPE_NEXT_TASK, .length = posse_pending_count(r->hosted->served.posse)};
    return request_reshape(r, &asked, answer_next_task);
}
