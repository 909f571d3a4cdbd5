/* SPDX-License-Identifier: MIT */
/*
 * POSSE.LEARN key token reward [token reward ...]
 * POSSE.FORGET key token [token ...]
 * POSSE.EXPIRE key age
 */
#include "redis/settle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/rewards.h"
#include "redis/arguments.h"
#include "redis/words.h"

#define WISHES_MAX 10000

wish *settle_room(int argc) {
    static wish *room;
    static int size;
    if (argc > 2 * WISHES_MAX + 8) {
        words_say("", "there are more than %d tokens", WISHES_MAX);
        return NULL;
    }
    if (argc <= size) return room;
    wish *larger = realloc(room, (size_t)argc * sizeof *larger);
    if (larger == NULL) return NULL;
    room = larger;
    size = argc;
    return room;
}

/* "token 3", or "" if the command has one token only. */
static const char *settle_place_of(const wish *w, int count, char text[24]) {
    text[0] = '\0';
    if (count > 1) snprintf(text, 24, "token %d", w->place);
    return text;
}

bool settle_read(RedisModuleString **argv, int count, bool learns, wish *list) {
    char place[24];
    for (int i = 0; i < count; i++) {
        RedisModuleString **at = argv + (learns ? 2 * i : i);
        list[i] = (wish){.token = at[0], .place = i + 1, .reward = NAN};
        if (learns && !argument_reward(at[1], settle_place_of(&list[i], count, place), &list[i].reward)) return false;
    }
    return true;
}

/* ----------------------------------------------------- checking -------------------------------------------------- */

/*
 * The decision is not pending. That is fine if it was settled in the same way, or if how it was settled is no longer
 * stored.
 */
static const char *settle_look_back(const finding *f, wish *w, const char *place, bool learns) {
    w->done = true;
    if (!f->known || (learns ? f->reward == w->reward : isnan(f->reward))) return NULL;
    if (isnan(f->reward))
        words_say(place, "this decision was forgotten");
    else
        words_say(place, learns ? "this decision has another reward" : "this decision has a reward");
    return "CONFLICT";
}

static const char *check_pending(const value *v, const finding *f, const wish *w, const char *place, bool learns) {
    char message[REWARD_MESSAGE];
    if (!learns) return NULL;
    if (f->pending.arm == POSSE_ARM_UNTOLD) {
        words_say(place, "its learner is external and has not said what it played (POSSE.ACTED)");
        return "CONFLICT";
    }
    if (reward_fits(v->posse, w->reward, message)) return NULL;
    words_say(place, "%s", message);
    return "BADREWARD";
}

static const char *check(const value *v, wish *w, const char *place, bool learns) {
    size_t length;
    finding f;
    const char *text = RedisModule_StringPtrLen(w->token, &length);
    fate what = value_find(v, text, length, &f);
    w->id = f.id;
    w->done = false;
    switch (what) {
    case FATE_PENDING:
        return check_pending(v, &f, w, place, learns);
    case FATE_SETTLED:
        return settle_look_back(&f, w, place, learns);
    case FATE_LOST:
        words_say(place, "this decision was lost in a crash or a failover, or is of an epoch long ago");
        return "LOST";
    case FATE_FORGED:
        words_say(place, "this is not the token of a decision of this posse");
        return "BADTOKEN";
    default:
        words_say(place, "this is not the token of a decision");
        return "BADTOKEN";
    }
}

static int settle_by_id(const void *a_, const void *b_) {
    const wish *a = a_, *b = b_;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* A command may have the same decision twice: with the same reward this is a repetition, otherwise a contradiction. */
static const char *settle_check_twice(wish *list, int count, bool learns) {
    const char *code = NULL;
    wish *sorted = malloc((size_t)count * sizeof *sorted);
    if (sorted == NULL) return "OOM";
    for (int i = 0; i < count; i++) sorted[i] = list[i];
    qsort(sorted, (size_t)count, sizeof *sorted, settle_by_id);
    for (int i = 1; i < count; i++) {
        if (sorted[i].id != sorted[i - 1].id) continue;
        list[sorted[i].place - 1].done = true;
        if (!learns || sorted[i].reward == sorted[i - 1].reward) continue;
        char place[24];
        words_say(settle_place_of(&sorted[i], count, place), "this command has two different rewards for it");
        code = "CONFLICT";
    }
    free(sorted);
    return code;
}

const char *settle_check(value *v, wish *list, int count, bool learns) {
    char place[24];
    const char *worst = NULL;
    for (int i = 0; i < count; i++) {
        const char *code = check(v, &list[i], settle_place_of(&list[i], count, place), learns);
        if (worst == NULL) worst = code;
    }
    return worst == NULL && count > 1 ? settle_check_twice(list, count, learns) : worst;
}

size_t settle_count(const wish *list, int count) {
    size_t open = 0;
    for (int i = 0; i < count; i++) open += !list[i].done;
    return open;
}

posse_error settle_all(value *v, const wish *list, int count, bool learns, int *done) {
    posse_error error = POSSE_OK;
    *done = 0;
    for (int i = 0; i < count && error == POSSE_OK; i++) {
        if (list[i].done) continue;
        error = learns ? value_learn(v, list[i].id, list[i].reward) : value_forget(v, list[i].id);
        *done += error == POSSE_OK;
    }
    return error;
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

static int settle(held *h, RedisModuleString **argv, int count, bool learns) {
    int done;
    wish *list = settle_room(2 * count);
    if (list == NULL) return words_answer(h->ctx, "ERR", "there is not enough memory");
    if (!settle_read(argv, count, learns, list)) return words_answer(h->ctx, "BADREWARD", "");
    const char *code = settle_check(h->value, list, count, learns);
    if (code != NULL) return words_answer(h->ctx, code, "there is not enough memory");
    posse_error error = settle_all(h->value, list, count, learns, &done);
    if (error != POSSE_OK) {
        if (done > 0) key_replaced(h);
        return words_answer_error(h->ctx, error);
    }
    if (done > 0) key_changed(h, learns ? "posse.learn" : "posse.forget");
    return RedisModule_ReplyWithLongLong(h->ctx, done);
}

int command_learn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    if (argc < 4 || argc % 2 != 0) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = settle(&h, argv + 2, (argc - 2) / 2, true);
    key_close(&h);
    return status;
}

int command_forget(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    if (argc < 3) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = settle(&h, argv + 2, argc - 2, false);
    key_close(&h);
    return status;
}

/*
 * Replicas and the log receive POSSE.EXPIRE key age EXACT. Version 0.2 wrote it without that word and took decisions
 * with more than `age` later ones: replayed, such a command still means that.
 */
int command_expire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    long long age;
    size_t expired = 0;
    bool exact = argc == 4 && argument_is(argv[3], "EXACT");
    if (argc != 3 && !exact) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ | REDISMODULE_WRITE)) return REDISMODULE_OK;
    int status = REDISMODULE_OK;
    if (!argument_whole(argv[2], "the age", 0, INT64_MAX, &age))
        status = words_answer(ctx, "ERR", "");
    else {
        bool of_0_2 = !exact && !key_is_asked(ctx);
        posse_expire(h.value->posse, (uint64_t)age + of_0_2, &expired);
        if (expired > 0) {
            key_announce(&h, "posse.expire");
            RedisModule_Replicate(ctx, "POSSE.EXPIRE", "slc", argv[1], age + of_0_2, "EXACT");
        }
        RedisModule_ReplyWithLongLong(ctx, (long long)expired);
    }
    key_close(&h);
    return status;
}
