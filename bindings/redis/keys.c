/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "common/clock.h"
#include "redis/module.h"
#include "redis/words.h"

#define EPOCH_TRIES 100

static held *current; /* the key of the command */
static served_store store;

bool key_is_asked(RedisModuleCtx *ctx) {
    return (RedisModule_GetContextFlags(ctx) & (REDISMODULE_CTX_FLAGS_REPLICATED | REDISMODULE_CTX_FLAGS_LOADING)) == 0;
}

/* Commands of the master and of files are not limited, because the limits here may be lower. */
static void key_begin(RedisModuleCtx *ctx) {
    serving_begin(&module_serving);
    serving_forget(&module_serving);
    module_serving.unlimited = !key_is_asked(ctx);
    module_serving.now = clock_now();
}

bool key_open(held *h, RedisModuleCtx *ctx, RedisModuleString *name, int mode) {
    *h = (held){.ctx = ctx, .name = name, .key = RedisModule_OpenKey(ctx, name, mode)};
    key_begin(ctx);
    if (h->key == NULL || RedisModule_KeyType(h->key) == REDISMODULE_KEYTYPE_EMPTY)
        RedisModule_ReplyWithError(ctx, "NOKEY there is no posse at this key: POSSE.CREATE makes one");
    else if (RedisModule_ModuleTypeGetType(h->key) != value_type)
        RedisModule_ReplyWithError(ctx, "WRONGTYPE Operation against a key holding the wrong kind of value");
    else
        h->value = RedisModule_ModuleTypeGetValue(h->key);
    if (h->value == NULL) key_close(h);
    current = h;
    return h->value != NULL;
}

bool key_open_new(held *h, RedisModuleCtx *ctx, RedisModuleString *name) {
    *h = (held){.ctx = ctx, .name = name, .key = RedisModule_OpenKey(ctx, name, REDISMODULE_READ | REDISMODULE_WRITE)};
    key_begin(ctx);
    if (h->key == NULL || RedisModule_KeyType(h->key) == REDISMODULE_KEYTYPE_EMPTY) return true;
    RedisModule_ReplyWithError(ctx, "BUSYKEY there is something at this key already");
    key_close(h);
    return false;
}

void key_close(held *h) {
    if (h->key != NULL) RedisModule_CloseKey(h->key);
    h->key = NULL;
}

/*
 * The epoch is random, so that another server with a copy of this posse, unknown to this one, gets a different epoch.
 */
bool key_draw_epoch(value *v) {
    for (int i = 0; i < EPOCH_TRIES; i++) {
        uint32_t epoch;
        if (getentropy(&epoch, sizeof epoch) != 0) return false;
        epoch &= INT32_MAX;
        if (epoch != 0 && value_begin_epoch(v, epoch) == POSSE_OK) return true;
    }
    return false;
}

/* Begins a new epoch if the next decision could get an id that another server has given. */
static served_status key_begin_epoch(serving *s, value *v) {
    if (v->generation == module_generation || s->unlimited) return SERVED_DONE;
    if (!key_draw_epoch(v)) return serving_say(s, SERVED_WRONG, "", "the system has no random number for a new epoch");
    v->generation = module_generation;
    key_signal(current);
    RedisModule_Replicate(current->ctx, "POSSE.EPOCH", "sl", current->name, (long long)posse_epoch(v->served.posse));
    return SERVED_DONE;
}

static served_status key_prepare(serving *s, served *p, size_t decisions, size_t records) {
    served_status status = value_store.prepare(s, p, decisions, records);
    return status == SERVED_DONE && decisions > 0 ? key_begin_epoch(s, (value *)p) : status;
}

void key_set_up(void) {
    store = value_store;
    store.prepare = key_prepare;
    module_serving.store = &store;
}

/* A command that changed nothing, because it was refused or repeated, must not abort transactions that watch the key.
 */
void key_signal(held *h) {
    RedisModule_SignalModifiedKey(h->ctx, h->name);
}

void key_announce(held *h, const char *event) {
    key_signal(h);
    RedisModule_NotifyKeyspaceEvent(h->ctx, REDISMODULE_NOTIFY_MODULE, event, h->name);
}

void key_changed(held *h, const char *event) {
    RedisModule_ReplicateVerbatim(h->ctx);
    key_announce(h, event);
}

void key_replaced(held *h) {
    size_t length = 0;
    key_signal(h);
    char *bytes = value_write(h->value, &length);
    if (bytes != NULL)
        RedisModule_Replicate(h->ctx, "POSSE.RESTORE", "sbc", h->name, bytes, length, "REPLACE");
    else
        RedisModule_Log(h->ctx, "warning", "there is not enough memory to tell replicas what a posse has become");
    value_release(bytes);
}

bool key_finish(held *h, served_status status, const char *event) {
    bool done = status == SERVED_DONE;
    if (done && module_serving.changed) key_changed(h, event);
    if (!done && module_serving.changed) key_replaced(h);
    if (!done) words_refuse(h->ctx, status);
    key_close(h);
    return done;
}
