/* SPDX-License-Identifier: MIT */
/*
 * POSSE.DECIDE key [COUNT n] [CONTEXT json]
 * POSSE.TURN key [LEARN token reward ...] DECIDE n [CONTEXT json]
 */
#include "redis/arguments.h"
#include "redis/module.h"

#define DECISIONS_MAX 1000 /* in one command */

/* What a client wants. */
typedef struct wanted {
    long long count;
    bool list;      /* the answer is a list, even if it has one entry */
    json_t *source; /* the context, or NULL */
} wanted;

static bool read_options(RedisModuleString **argv, int argc, wanted *w) {
    for (int i = 0; i < argc; i += 2) {
        bool count = argument_is(argv[i], "COUNT") && !w->list;
        bool source = argument_is(argv[i], "CONTEXT") && w->source == NULL;
        if ((!count && !source) || i + 1 == argc) {
            serving_say(&module_serving, SERVED_WRONG, "",
                        "behind the key there may be COUNT n and CONTEXT json, each once");
            return false;
        }
        if (source && (w->source = argument_json(argv[i + 1], "CONTEXT")) == NULL) return false;
        w->list = w->list || count;
        if (count && !argument_whole(argv[i + 1], "COUNT", 1, DECISIONS_MAX, &w->count)) return false;
    }
    return true;
}

/* ----------------------------------------------------- answering ------------------------------------------------- */

static void decide_answer_point(RedisModuleCtx *ctx, const double *point, int dim) {
    RedisModule_ReplyWithArray(ctx, dim);
    for (int i = 0; i < dim; i++) RedisModule_ReplyWithDouble(ctx, point[i]);
}

/*
 * Token, arm, learner; where there is one, the propensity; where arms are points, the propensity or null, and the
 * point. Where arms have names, all of these, null where there is none, and the name.
 */
static void answer_decision(RedisModuleCtx *ctx, const posse *p, const served_decision *m) {
    const posse_decision *d = &m->decision;
    bool propensity = d->propensity > 0.0, point = m->point != NULL, named = posse_arm_name(p, 0) != NULL;
    RedisModule_ReplyWithArray(ctx, named ? 6 : point ? 5 : propensity ? 4 : 3);
    RedisModule_ReplyWithStringBuffer(ctx, m->token, TOKEN_TEXT);
    if (d->arm >= 0)
        RedisModule_ReplyWithLongLong(ctx, d->arm);
    else
        RedisModule_ReplyWithNull(ctx);
    RedisModule_ReplyWithCString(ctx, posse_learner_name(p, d->learner));
    if (propensity)
        RedisModule_ReplyWithDouble(ctx, d->propensity);
    else if (point || named)
        RedisModule_ReplyWithNull(ctx);
    if (point)
        decide_answer_point(ctx, m->point, posse_dim(p));
    else if (named)
        RedisModule_ReplyWithNull(ctx);
    if (named && d->arm >= 0)
        RedisModule_ReplyWithCString(ctx, posse_arm_name(p, d->arm));
    else if (named)
        RedisModule_ReplyWithNull(ctx);
}

static void answer_list(RedisModuleCtx *ctx, const posse *p, const served_decision *list, long long count) {
    RedisModule_ReplyWithArray(ctx, (long)count);
    for (long long i = 0; i < count; i++) answer_decision(ctx, p, &list[i]);
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

static served_decision decisions[DECISIONS_MAX];

int command_decide(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    wanted w = {.count = 1};
    if (argc < 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    served *p = &h.value->served;
    if (read_options(argv + 2, argc - 2, &w))
        status = served_work_do(
            &module_serving, p,
            &(served_work){.decision_count = (size_t)w.count, .source = w.source, .decisions = decisions});
    json_decref(w.source);
    if (!key_finish(&h, status, "posse.decide")) return REDISMODULE_OK;
    if (w.list)
        answer_list(ctx, p->posse, decisions, w.count);
    else
        answer_decision(ctx, p->posse, &decisions[0]);
    return REDISMODULE_OK;
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
        serving_say(&module_serving, SERVED_WRONG, "",
                    "it must be LEARN token reward .., which may be left out, and DECIDE n");
        return false;
    }
    w->list = true; /* the count is known, so there must be no COUNT */
    return argument_whole(argv[at + 1], "DECIDE", 1, DECISIONS_MAX, &w->count) &&
           read_options(argv + at + 2, argc - at - 2, w);
}

int command_turn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    int count;
    served_reward *rewards;
    served_work work = {.decisions = decisions};
    wanted w = {.count = 1};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    served *p = &h.value->served;
    if (decide_read_turn(argv + 2, argc - 2, &count, &w)) {
        status = SERVED_REWARD;
        if (settle_read(argv + 3, count, true, &rewards)) {
            work.rewards = rewards;
            work.reward_count = (size_t)count;
            work.decision_count = (size_t)w.count;
            work.source = w.source;
            status = served_work_do(&module_serving, p, &work);
        }
    }
    json_decref(w.source);
    if (!key_finish(&h, status, "posse.turn")) return REDISMODULE_OK;
    RedisModule_ReplyWithArray(ctx, 2);
    RedisModule_ReplyWithLongLong(ctx, (long long)work.settled);
    answer_list(ctx, p->posse, decisions, w.count);
    return REDISMODULE_OK;
}
