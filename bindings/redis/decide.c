/* SPDX-License-Identifier: MIT */
/*
 * POSSE.DECIDE key [COUNT n] [CONTEXT json] [UNIT name] [NOW seconds] [DEFER]
 * POSSE.DECIDE key ROUNDS json
 * POSSE.PEEK key [CONTEXT json] [UNIT name] [NOW seconds] [DEFER]
 * POSSE.TURN key [LEARN token reward ...] DECIDE n [CONTEXT json]
 */
#include "common/clock.h"
#include "redis/arguments.h"
#include "redis/module.h"
#include "served/cost.h"

#define PEEK_OPTIONS "CONTEXT json, UNIT name, NOW seconds and DEFER, each once"
#define DECIDE_OPTIONS "COUNT n, CONTEXT json, UNIT name, NOW seconds and DEFER, each once, or ROUNDS json alone"

/* What a client wants. */
typedef struct wanted {
    const posse *from; /* whose decisions */
    long long count;
    bool list;      /* the answer is a list, even if it has one entry */
    json_t *source; /* the context, or NULL */
    json_t *rounds; /* or a context for each decision */
    served_visit visit;
    bool timed; /* the time was given */
} wanted;

/* UNIT name, NOW seconds, DEFER. Returns how many words these are; 0: none; -1: a problem. */
static int decide_read_visit(RedisModuleString **argv, int argc, wanted *w) {
    long long now;
    if (argument_is(argv[0], "DEFER") && !w->visit.defer) {
        w->visit.defer = true;
        return 1;
    }
    if (argc > 1 && argument_is(argv[0], "UNIT") && w->visit.unit == NULL)
        return argument_arm_name(argv[1], &w->visit.unit) ? 2 : -1;
    if (argc < 2 || !argument_is(argv[0], "NOW") || w->timed) return 0;
    if (!argument_integer(argv[1], "NOW", 0, INT64_MAX / 4, &now)) return -1;
    w->visit.now = (uint64_t)now;
    w->timed = true;
    return 2;
}

/* visits: units and deferred decisions are possible. all: what there may be. */
static bool read_options(RedisModuleString **argv, int argc, bool visits, const char *all, wanted *w) {
    for (int i = 0; i < argc;) {
        bool count = argument_is(argv[i], "COUNT") && !w->list && i + 1 < argc;
        bool source = argument_is(argv[i], "CONTEXT") && w->source == NULL && i + 1 < argc;
        int words = count || source ? 2 : visits ? decide_read_visit(argv + i, argc - i, w) : 0;
        if (words < 0) return false;
        if (words == 0) {
            serving_say(&module_serving, SERVED_WRONG, "", "behind the key there may be %s", all);
            return false;
        }
        if (source && (w->source = argument_json(w->from, argv[i + 1], "CONTEXT", 1)) == NULL) return false;
        w->list = w->list || count;
        if (count && !argument_integer(argv[i + 1], "COUNT", 1, DECISIONS_MAX, &w->count)) return false;
        i += words;
    }
    if (w->list && visits && (w->visit.unit != NULL || w->visit.defer)) {
        serving_say(&module_serving, SERVED_WRONG, "", "with UNIT or DEFER there is one decision, and no COUNT");
        return false;
    }
    if (!w->timed) w->visit.now = (uint64_t)clock_date();
    return true;
}

/* ROUNDS json, with nothing beside. */
static bool decide_read_rounds(RedisModuleString **argv, int argc, wanted *w) {
    size_t most = cost_rounds_max(w->from, module_serving.units_max);
    if (argc != 2) {
        serving_say(&module_serving, SERVED_WRONG, "", "ROUNDS json stands alone, because each round has its context");
        return false;
    }
    w->list = true;
    if ((w->rounds = argument_json(w->from, argv[1], "ROUNDS", most)) == NULL) return false;
    w->count = (long long)json_array_size(w->rounds);
    if (w->count >= 1 && w->count <= DECISIONS_MAX) return true;
    serving_say(&module_serving, SERVED_WRONG, "", "ROUNDS must be a list of 1 to %d rounds", DECISIONS_MAX);
    return false;
}

/* ----------------------------------------------------- answering ------------------------------------------------- */

static void decide_answer_point(RedisModuleCtx *ctx, const double *point, int dim) {
    RedisModule_ReplyWithArray(ctx, dim);
    for (int i = 0; i < dim; i++) RedisModule_ReplyWithDouble(ctx, point[i]);
}

/*
 * Token, arm, learner; where there is one, the propensity; where arms are points, the propensity or null, and the
 * point. Where arms have names, all of these, null where there is none, and the name. In a mode, all of these, and the
 * mode. The token of a decision that was only looked at is null.
 */
static void answer_decision(RedisModuleCtx *ctx, const posse *p, const served_decision *m) {
    const posse_decision *d = &m->decision;
    const char *mode = posse_mode_name(d->mode);
    bool propensity = d->propensity > 0.0, point = m->point != NULL;
    bool named = posse_arm_name(p, 0) != NULL || mode != NULL;
    RedisModule_ReplyWithArray(ctx, mode != NULL ? 7 : named ? 6 : point ? 5 : propensity ? 4 : 3);
    if (m->token[0] != '\0')
        RedisModule_ReplyWithStringBuffer(ctx, m->token, TOKEN_TEXT);
    else
        RedisModule_ReplyWithNull(ctx);
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
    const char *name = named ? posse_arm_name(p, d->arm) : NULL;
    if (name != NULL)
        RedisModule_ReplyWithCString(ctx, name);
    else if (named)
        RedisModule_ReplyWithNull(ctx);
    if (mode != NULL) RedisModule_ReplyWithCString(ctx, mode);
}

static void answer_list(RedisModuleCtx *ctx, const posse *p, const served_decision *list, long long count) {
    RedisModule_ReplyWithArray(ctx, (long)count);
    for (long long i = 0; i < count; i++) answer_decision(ctx, p, &list[i]);
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

static served_decision decisions[DECISIONS_MAX];

/* Replicas and the log receive the time of a decision for a unit. The key is closed. */
static void decide_replicate(held *h, RedisModuleString **argv, int argc, const served_visit *visit) {
    RedisModule_Replicate(h->ctx, "POSSE.DECIDE", "vcl", argv + 1, (size_t)(argc - 1), "NOW", (long long)visit->now);
    key_announce(h, "posse.decide");
    key_close(h);
}

int redis_peek(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    wanted w = {.count = 1};
    if (argc < 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    served *p = &h.value->served;
    w.from = p->posse;
    if (!read_options(argv + 2, argc - 2, true, PEEK_OPTIONS, &w))
        status = SERVED_WRONG;
    else if (w.list)
        serving_say(&module_serving, SERVED_WRONG, "", "behind the key there may be %s, and no COUNT", PEEK_OPTIONS);
    else
        status = served_peek(&module_serving, p, w.source, &w.visit, &decisions[0]);
    json_decref(w.source);
    if (key_finish(&h, status, "posse.peek")) answer_decision(ctx, p->posse, &decisions[0]);
    return REDISMODULE_OK;
}

int redis_decide(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    wanted w = {.count = 1};
    if (argc < 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    served *p = &h.value->served;
    w.from = p->posse;
    bool rounds = argc > 2 && argument_is(argv[2], "ROUNDS");
    if (rounds ? decide_read_rounds(argv + 2, argc - 2, &w)
               : read_options(argv + 2, argc - 2, true, DECIDE_OPTIONS, &w))
        status = served_work_do(&module_serving, p,
                                &(served_work){.decision_count = (size_t)w.count,
                                               .source = w.source,
                                               .rounds = w.rounds,
                                               .visit = w.visit,
                                               .decisions = decisions});
    json_decref(w.source);
    json_decref(w.rounds);
    if (status == SERVED_DONE && module_serving.changed && w.visit.unit != NULL && !w.timed)
        decide_replicate(&h, argv, argc, &w.visit);
    else if (!key_finish(&h, status, "posse.decide"))
        return REDISMODULE_OK;
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
    return argument_integer(argv[at + 1], "DECIDE", 1, DECISIONS_MAX, &w->count) &&
           read_options(argv + at + 2, argc - at - 2, false, "CONTEXT json", w);
}

int redis_turn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    int count;
    served_reward *rewards;
    served_work work = {.decisions = decisions};
    wanted w = {.count = 1};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    served_status status = SERVED_WRONG;
    served *p = &h.value->served;
    w.from = p->posse;
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
