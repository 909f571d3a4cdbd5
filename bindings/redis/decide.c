/* SPDX-License-Identifier: MIT */
/*
 * POSSE.DECIDE key [COUNT n] [CONTEXT json]
 * POSSE.TURN key [LEARN token reward ...] DECIDE n [CONTEXT json]
 */
#include <string.h>

#include "engine/context.h"
#include "engine/cost.h"
#include "redis/arguments.h"
#include "redis/module.h"
#include "redis/settle.h"
#include "redis/words.h"

#define DECISIONS_MAX 1000 /* in one command */

/* What a client wants. */
typedef struct wanted {
    long long count;
    bool list; /* the answer is a list, even if it has one entry */
    const RedisModuleString *source;
    pool *memory;
    bool in_context;
    posse_context context;
} wanted;

/* A decision as it is answered. */
typedef struct made {
    char token[TOKEN_TEXT + 1];
    posse_decision decision;
    double *point;
} made;

/* --------------------------------------------------- what is wanted ---------------------------------------------- */

static bool read_options(RedisModuleString **argv, int argc, wanted *w) {
    for (int i = 0; i < argc; i += 2) {
        bool count = argument_is(argv[i], "COUNT") && !w->list;
        bool source = argument_is(argv[i], "CONTEXT") && w->source == NULL;
        if ((!count && !source) || i + 1 == argc) {
            words_say("", "behind the key there may be COUNT n and CONTEXT json, each once");
            return false;
        }
        if (source) w->source = argv[i + 1];
        w->list = w->list || count;
        if (count && !argument_whole(argv[i + 1], "COUNT", 1, DECISIONS_MAX, &w->count)) return false;
    }
    return true;
}

static bool decide_read_context(const posse *p, wanted *w) {
    if (w->source == NULL && posse_feature_count(p) == 0) return true;
    if (w->source == NULL) {
        words_say("context", "is missing; rounds have %d features", posse_feature_count(p));
        return false;
    }
    json_t *source = argument_json(w->source, "CONTEXT");
    if (source == NULL) return false;
    if (w->memory == NULL) w->memory = pool_create(NULL);
    w->in_context = context_read(source, p, w->memory, words_list(), &w->context);
    json_decref(source);
    return w->in_context;
}

/* Commands of the master are not limited, because the limit of a replica may be lower. */
static bool has_room(const held *h, const wanted *w, size_t settled) {
    size_t after = posse_pending_count(h->value->posse) + (size_t)w->count - settled;
    return after <= module_pending_max || !key_is_asked(h->ctx);
}

/* As with the room: what the master has done is done. */
static bool is_quick(const held *h, const wanted *w) {
    size_t most = cost_decisions_max(h->value->posse);
    if ((size_t)w->count <= most || !key_is_asked(h->ctx)) return true;
    words_say("", "%lld decisions would keep other commands waiting: this posse makes at most %zu in a command",
              w->count, most);
    return false;
}

static int answer_crowded(const held *h) {
    words_say("", "%zu decisions wait for their rewards, and at most %zu may", posse_pending_count(h->value->posse),
              module_pending_max);
    return words_answer(h->ctx, "CROWDED", "");
}

/* ----------------------------------------------------- deciding -------------------------------------------------- */

/* The number of coordinates that an answer has. Features are not returned, because the client sent them. */
static size_t decide_point_numbers(const posse *p) {
    return posse_feature_count(p) == 0 ? (size_t)posse_dim(p) : 0;
}

static posse_error decide_one(value *v, wanted *w, made *out) {
    posse_decision *d = &out->decision;
    posse_error error = posse_decide(v->posse, w->in_context ? &w->context : NULL, d);
    if (error != POSSE_OK) return error;
    size_t numbers = d->point != NULL ? decide_point_numbers(v->posse) : 0;
    if (numbers > 0)
        memcpy(out->point, d->point, numbers * sizeof *out->point);
    else
        out->point = NULL;
    token_write(v->secret, (token){d->id, d->arm}, out->token);
    return POSSE_OK;
}

/* Allocates memory for the points before any decision is made. */
static bool decide_prepare(const posse *p, wanted *w, made *list) {
    size_t numbers = decide_point_numbers(p);
    for (long long i = 0; i < w->count; i++) list[i].point = NULL;
    if (numbers == 0) return true;
    if (w->memory == NULL) w->memory = pool_create(NULL);
    for (long long i = 0; i < w->count && w->memory != NULL; i++)
        list[i].point = pool_allocate(w->memory, numbers * sizeof(double));
    return !pool_failed(w->memory);
}

/* *done: how many decisions were made, even if it fails. */
static posse_error decide(value *v, wanted *w, made *list, long long *done) {
    posse_error error = decide_prepare(v->posse, w, list) ? POSSE_OK : POSSE_ERROR_MEMORY;
    for (*done = 0; *done < w->count && error == POSSE_OK;) {
        error = decide_one(v, w, &list[*done]);
        if (error == POSSE_OK) (*done)++;
    }
    return error;
}

/* ----------------------------------------------------- answering ------------------------------------------------- */

static void decide_answer_point(RedisModuleCtx *ctx, const double *point, int dim) {
    RedisModule_ReplyWithArray(ctx, dim);
    for (int i = 0; i < dim; i++) RedisModule_ReplyWithDouble(ctx, point[i]);
}

/* Token, arm, learner; where there is one, the propensity; where arms are points, the propensity or null, and the
 * point. */
static void answer_decision(RedisModuleCtx *ctx, const posse *p, const made *m) {
    const posse_decision *d = &m->decision;
    bool propensity = d->propensity > 0.0, point = m->point != NULL;
    RedisModule_ReplyWithArray(ctx, point ? 5 : propensity ? 4 : 3);
    RedisModule_ReplyWithStringBuffer(ctx, m->token, TOKEN_TEXT);
    if (d->arm >= 0)
        RedisModule_ReplyWithLongLong(ctx, d->arm);
    else
        RedisModule_ReplyWithNull(ctx);
    RedisModule_ReplyWithCString(ctx, posse_learner_name(p, d->learner));
    if (propensity)
        RedisModule_ReplyWithDouble(ctx, d->propensity);
    else if (point)
        RedisModule_ReplyWithNull(ctx);
    if (point) decide_answer_point(ctx, m->point, posse_dim(p));
}

static void answer_list(RedisModuleCtx *ctx, const posse *p, const made *list, long long count) {
    RedisModule_ReplyWithArray(ctx, (long)count);
    for (long long i = 0; i < count; i++) answer_decision(ctx, p, &list[i]);
}

/* Answers an unexpected failure. If anything has changed, the whole state is sent to replicas and to the log. */
static int answer_failure(held *h, posse_error error, bool changed) {
    if (changed) key_replaced(h);
    return words_answer_error(h->ctx, error);
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

static made decisions[DECISIONS_MAX];

static int decide_and_answer(held *h, wanted *w) {
    long long done;
    if (!decide_read_context(h->value->posse, w) || !is_quick(h, w)) return words_answer(h->ctx, "ERR", "");
    if (!has_room(h, w, 0)) return answer_crowded(h);
    if (!key_begin_epoch(h)) return REDISMODULE_OK;
    posse_error error = decide(h->value, w, decisions, &done);
    if (error != POSSE_OK) return answer_failure(h, error, done > 0);
    if (w->list)
        answer_list(h->ctx, h->value->posse, decisions, done);
    else
        answer_decision(h->ctx, h->value->posse, &decisions[0]);
    key_changed(h, "posse.decide");
    return REDISMODULE_OK;
}

int command_decide(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    wanted w = {.count = 1};
    if (argc < 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = read_options(argv + 2, argc - 2, &w) ? decide_and_answer(&h, &w) : words_answer(ctx, "ERR", "");
    pool_free(w.memory);
    key_close(&h);
    return status;
}

/* LEARN token reward ..., DECIDE n, CONTEXT json. */
static bool decide_read_turn(RedisModuleString **argv, int argc, int *count, wanted *w) {
    int at = 0;
    *count = 0;
    if (argc > 0 && argument_is(argv[0], "LEARN")) {
        while (1 + 2 * *count < argc && !argument_is(argv[1 + 2 * *count], "DECIDE")) (*count)++;
        at = 1 + 2 * *count;
    }
    bool whole = at + 2 <= argc && argument_is(argv[at], "DECIDE");
    if (!whole || (at > 0 && *count == 0)) {
        words_say("", "it must be LEARN token reward .., which may be left out, and DECIDE n");
        return false;
    }
    w->list = true; /* the count is known, so there must be no COUNT */
    return argument_whole(argv[at + 1], "DECIDE", 1, DECISIONS_MAX, &w->count) &&
           read_options(argv + at + 2, argc - at - 2, w);
}

/* Checks a context before anything is learned: the library estimates propensities in it, on copies of the states. */
static bool context_holds(const posse *p, const wanted *w) {
    return !w->in_context || posse_propensities(p, &w->context, 1, &(posse_propensity){0}) == POSSE_OK;
}

/* Everything is checked before anything is changed. */
static int decide_turn(held *h, RedisModuleString **rewards, int count, wish *wishes, wanted *w) {
    long long done;
    int learned = 0;
    if (!settle_read(rewards, count, true, wishes)) return words_answer(h->ctx, "BADREWARD", "");
    const char *code = settle_check(h->value, wishes, count, true);
    if (code != NULL) return words_answer(h->ctx, code, "");
    if (!decide_read_context(h->value->posse, w) || !context_holds(h->value->posse, w))
        return words_answer(h->ctx, "ERR", posse_error_text(POSSE_ERROR_CONTEXT));
    if (!is_quick(h, w)) return words_answer(h->ctx, "ERR", "");
    if (!has_room(h, w, settle_count(wishes, count))) return answer_crowded(h);
    if (!key_begin_epoch(h)) return REDISMODULE_OK;
    posse_error error = settle_all(h->value, wishes, count, true, &learned);
    if (error == POSSE_OK) error = decide(h->value, w, decisions, &done);
    if (error != POSSE_OK) return answer_failure(h, error, true);
    RedisModule_ReplyWithArray(h->ctx, 2);
    RedisModule_ReplyWithLongLong(h->ctx, learned);
    answer_list(h->ctx, h->value->posse, decisions, done);
    key_changed(h, "posse.turn");
    return REDISMODULE_OK;
}

int command_turn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    int count, status;
    wanted w = {.count = 1};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    wish *wishes = settle_room(argc);
    if (wishes != NULL && decide_read_turn(argv + 2, argc - 2, &count, &w))
        status = decide_turn(&h, argv + 3, count, wishes, &w);
    else
        status = words_answer(ctx, "ERR", "there is not enough memory");
    pool_free(w.memory);
    key_close(&h);
    return status;
}
