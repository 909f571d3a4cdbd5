/* SPDX-License-Identifier: MIT */
/*
 * Plays of external learners, and plays that no decision asked for. An arm is a number, or [0.5, 0.1] where arms are
 * points.
 *   POSSE.ACTED key token arm [CONTEXT json]
 *   POSSE.TEACH key arm reward [CONTEXT json]
 */
#include "engine/context.h"
#include "engine/rewards.h"
#include "redis/arguments.h"
#include "redis/module.h"
#include "redis/words.h"

/* What was played, from the arguments behind the key. */
typedef struct played {
    pool *memory;
    arm_argument arm;
    bool in_context;
    posse_context context;
} played;

static bool play_read_context(const posse *p, RedisModuleString **argv, int argc, played *out) {
    if (argc == 0) return true;
    if (argc != 2 || !argument_is(argv[0], "CONTEXT")) {
        words_say("", "behind it there may only be CONTEXT json");
        return false;
    }
    json_t *source = argument_json(argv[1], "CONTEXT");
    if (source == NULL) return false;
    out->in_context = context_read(source, p, out->memory, words_list(), &out->context);
    json_decref(source);
    return out->in_context;
}

/* argv: two arguments, of which argv[at] is the arm, and behind them the context. */
static bool read_played(const posse *p, RedisModuleString **argv, int argc, int at, played *out) {
    *out = (played){.memory = pool_create(NULL)};
    return out->memory != NULL && argument_arm(argv[at], p, out->memory, &out->arm) &&
           play_read_context(p, argv + 2, argc - 2, out);
}

static posse_action play_action(const played *what) {
    return (posse_action){what->arm.arm, what->arm.point, what->in_context ? &what->context : NULL};
}

static posse_error play_act(posse *p, uint64_t id, const played *what) {
    posse_action action = play_action(what);
    return posse_acted(p, id, &action);
}

/* Whether the client has reported the same before. */
static bool is_acted(const posse *p, const posse_pending *pending, const arm_argument *arm) {
    if (arm->point == NULL) return pending->arm == arm->arm;
    return pending->point != NULL && points_are_same(arm->point, pending->point, (size_t)posse_dim(p));
}

static int play_acted(held *h, RedisModuleString **argv, int argc, played *what) {
    size_t length;
    finding f;
    const char *text = RedisModule_StringPtrLen(argv[0], &length);
    if (!read_played(h->value->posse, argv, argc, 1, what)) return words_answer(h->ctx, "ERR", "no memory");
    switch (value_find(h->value, text, length, &f)) {
    case FATE_PENDING:
        break;
    case FATE_LOST:
        return RedisModule_ReplyWithError(h->ctx, "LOST this decision was lost in a crash or a failover");
    case FATE_SETTLED:
        return RedisModule_ReplyWithError(h->ctx, "CONFLICT this decision is not pending");
    default:
        return RedisModule_ReplyWithError(h->ctx, "BADTOKEN this is not the token of a decision of this posse");
    }
    if (f.pending.arm != POSSE_ARM_UNTOLD && is_acted(h->value->posse, &f.pending, &what->arm))
        return RedisModule_ReplyWithLongLong(h->ctx, 0); /* a repeated command */
    posse_error error = play_act(h->value->posse, f.id, what);
    if (error == POSSE_ERROR_SETTLED)
        return RedisModule_ReplyWithError(h->ctx, "CONFLICT the arm that was played is known already");
    if (error != POSSE_OK) return words_answer_error(h->ctx, error);
    key_changed(h, "posse.acted");
    return RedisModule_ReplyWithLongLong(h->ctx, 1);
}

static posse_error play_teach(posse *p, const played *what, double reward) {
    posse_action action = play_action(what);
    return posse_teach(p, &action, reward);
}

static int play_taught(held *h, RedisModuleString **argv, int argc, played *what) {
    double reward;
    char message[REWARD_MESSAGE];
    if (!read_played(h->value->posse, argv, argc, 0, what)) return words_answer(h->ctx, "ERR", "no memory");
    if (!argument_reward(argv[1], "", &reward)) return words_answer(h->ctx, "BADREWARD", "");
    if (!reward_fits(h->value->posse, reward, message)) {
        words_say("", "%s", message);
        return words_answer(h->ctx, "BADREWARD", "");
    }
    posse_error error = play_teach(h->value->posse, what, reward);
    if (error != POSSE_OK) return words_answer_error(h->ctx, error);
    key_changed(h, "posse.teach");
    return RedisModule_ReplyWithSimpleString(h->ctx, "OK");
}

typedef int (*player)(held *h, RedisModuleString **argv, int argc, played *what);

static int play(RedisModuleCtx *ctx, RedisModuleString **argv, int argc, player how) {
    held h;
    played what = {0};
    if (argc < 4) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = how(&h, argv + 2, argc - 2, &what);
    pool_free(what.memory);
    key_close(&h);
    return status;
}

int command_acted(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return play(ctx, argv, argc, play_acted);
}

int command_teach(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    return play(ctx, argv, argc, play_taught);
}
