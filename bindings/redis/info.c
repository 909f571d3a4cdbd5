/* SPDX-License-Identifier: MIT */
/*
 * POSSE.INFO key [ARMS]: the state of the posse, as a map. With ARMS also the expected reward of each arm. The map has
 * the surprise if the selector watches its belief or has a robust one.
 */
#include <math.h>
#include <stdlib.h>

#include "describe/definition_text.h"
#include "describe/report_text.h"
#include "posse_modes.h"
#include "redis/arguments.h"
#include "redis/module.h"
#include "redis/words.h"
#include "served/health.h"

static void put_whole(RedisModuleCtx *ctx, const char *key, long long number) {
    RedisModule_ReplyWithCString(ctx, key);
    RedisModule_ReplyWithLongLong(ctx, number);
}

static void info_put_number(RedisModuleCtx *ctx, const char *key, double number) {
    RedisModule_ReplyWithCString(ctx, key);
    if (isnan(number))
        RedisModule_ReplyWithNull(ctx);
    else
        RedisModule_ReplyWithDouble(ctx, number);
}

/* A function of the library that returns a number for each learner, or for each arm. */
typedef posse_error (*question)(const posse *p, double *out);

static double *info_asked(const posse *p, question ask, int count, bool sensible) {
    double *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    bool known = numbers != NULL && sensible && ask(p, numbers) == POSSE_OK;
    for (int i = 0; numbers != NULL && !known && i < count; i++) numbers[i] = NAN;
    return numbers;
}

static void info_put_learners(RedisModuleCtx *ctx, const posse *p) {
    int count = posse_learner_count(p);
    uint64_t *plays = calloc((size_t)count + 1, sizeof *plays);
    double *potentials = info_asked(p, posse_potentials, count, true);
    double *probabilities = info_asked(p, posse_probabilities, count, true);
    bool fine = plays != NULL && potentials != NULL && probabilities != NULL;
    if (fine) posse_plays(p, plays);
    RedisModule_ReplyWithCString(ctx, "learners");
    RedisModule_ReplyWithArray(ctx, fine ? count : 0);
    for (int i = 0; fine && i < count; i++) {
        RedisModule_ReplyWithMap(ctx, 5);
        RedisModule_ReplyWithCString(ctx, "name");
        RedisModule_ReplyWithCString(ctx, posse_learner_name(p, i));
        put_whole(ctx, "plays", (long long)plays[i]);
        put_whole(ctx, "active", posse_learner_active(p, i));
        info_put_number(ctx, "potential", potentials[i]);
        info_put_number(ctx, "probability", probabilities[i]);
    }
    free(plays);
    free(potentials);
    free(probabilities);
}

static posse_error info_means(const posse *p, double *means) {
    return posse_means(p, NULL, means);
}

static posse_error info_deviations(const posse *p, double *deviations) {
    return posse_deviations(p, NULL, deviations);
}

static void info_put_arms(RedisModuleCtx *ctx, const posse *p) {
    int count = posse_arm_count(p);
    bool sensible = posse_feature_count(p) == 0 && count > 0;
    double *means = info_asked(p, info_means, count, sensible);
    double *deviations = info_asked(p, info_deviations, count, sensible);
    bool fine = means != NULL && deviations != NULL;
    RedisModule_ReplyWithCString(ctx, "expectations");
    RedisModule_ReplyWithArray(ctx, fine ? count : 0);
    for (int i = 0; fine && i < count; i++) {
        const char *name = posse_arm_name(p, i);
        RedisModule_ReplyWithMap(ctx, 3 + (name != NULL));
        if (name != NULL) {
            RedisModule_ReplyWithCString(ctx, "name");
            RedisModule_ReplyWithCString(ctx, name);
        }
        put_whole(ctx, "active", posse_arm_active(p, i));
        info_put_number(ctx, "mean", means[i]);
        info_put_number(ctx, "deviation", deviations[i]);
    }
    free(means);
    free(deviations);
}

static void info_put_alarms(RedisModuleCtx *ctx, const value *v) {
    const char *names[ALARMS + 1];
    int count = 0;
    health_list(health_alarms(&v->served, module_serving.now), names);
    while (names[count] != NULL) count++;
    RedisModule_ReplyWithCString(ctx, "alarms");
    RedisModule_ReplyWithArray(ctx, count);
    for (int k = 0; k < count; k++) RedisModule_ReplyWithCString(ctx, names[k]);
}

/* Those that change what an operator has to expect; POSSE.MODES has all. */
static void info_put_modes(RedisModuleCtx *ctx, const posse *p) {
    posse_modes m = posse_modes_of(p);
    put_whole(ctx, "paused", m.paused);
    put_whole(ctx, "shadow", m.shadow);
    info_put_number(ctx, "holdback", m.holdback);
}

/* A learner alone has no selector. */
static void info_put_selector(RedisModuleCtx *ctx, const posse *p) {
    RedisModule_ReplyWithCString(ctx, "selector");
    if (posse_selector(p) != NULL)
        RedisModule_ReplyWithCString(ctx, posse_selector(p));
    else
        RedisModule_ReplyWithNull(ctx);
}

static void info_put_all(RedisModuleCtx *ctx, const value *v, bool arms) {
    const posse *p = v->served.posse;
    posse_rewards range = posse_reward_range(p);
    double surprise;
    bool watched = posse_surprise(p, &surprise) == POSSE_OK;
    RedisModule_ReplyWithMap(ctx, 18 + watched + arms);
    put_whole(ctx, "decisions", (long long)posse_decision_count(p));
    put_whole(ctx, "pending", (long long)posse_pending_count(p));
    put_whole(ctx, "deferred", (long long)posse_deferred_count(p));
    put_whole(ctx, "epoch", posse_epoch(p));
    info_put_selector(ctx, p);
    put_whole(ctx, "arms", posse_arm_count(p));
    put_whole(ctx, "named", posse_arm_name(p, 0) != NULL);
    put_whole(ctx, "dim", posse_dim(p));
    put_whole(ctx, "features", posse_feature_count(p));
    put_whole(ctx, "shared_features", posse_shared_feature_count(p));
    info_put_number(ctx, "reward_low", range.low);
    info_put_number(ctx, "reward_high", range.high);
    put_whole(ctx, "memory", (long long)(sizeof *v + v->bytes));
    info_put_modes(ctx, p);
    if (watched) info_put_number(ctx, "surprise", surprise);
    info_put_alarms(ctx, v);
    info_put_learners(ctx, p);
    if (arms) info_put_arms(ctx, p);
}

/* POSSE.DEFINITION key: the description that would create the posse again, with defaults filled in. */
int redis_definition(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    if (argc != 2) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ)) return REDISMODULE_OK;
    char *text = definition_text(h.value->served.posse, NULL);
    if (text != NULL)
        RedisModule_ReplyWithCString(ctx, text);
    else
        RedisModule_ReplyWithError(ctx, "OOM there is not enough memory");
    free(text);
    key_close(&h);
    return REDISMODULE_OK;
}

static int info_report(held *h, const char *name) {
    int control;
    const char *alarms[ALARMS + 1];
    served_status status = served_find_control(&module_serving, &h->value->served, name, &control);
    if (status != SERVED_DONE) return words_refuse(h->ctx, status);
    health_list(health_alarms(&h->value->served, module_serving.now), alarms);
    char *text = report_text(h->value->served.posse, control, alarms);
    int answer = text != NULL ? RedisModule_ReplyWithCString(h->ctx, text)
                              : RedisModule_ReplyWithError(h->ctx, "OOM there is not enough memory");
    free(text);
    return answer;
}

/* POSSE.REPORT key [CONTROL arm]: by when one will know, as JSON. */
int redis_report(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    const char *name = NULL;
    if (argc != 2 && !(argc == 4 && argument_is(argv[2], "CONTROL"))) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ)) return REDISMODULE_OK;
    int status =
        argc == 4 && !argument_arm_name(argv[3], &name) ? words_refuse(ctx, SERVED_WRONG) : info_report(&h, name);
    key_close(&h);
    return status;
}

int redis_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    held h;
    bool arms = argc == 3 && argument_is(argv[2], "ARMS");
    if (argc != 2 && !arms) return RedisModule_WrongArity(ctx);
    if (!key_open(&h, ctx, argv[1], REDISMODULE_READ)) return REDISMODULE_OK;
    info_put_all(ctx, h.value, arms);
    key_close(&h);
    return REDISMODULE_OK;
}
