/* SPDX-License-Identifier: MIT */
/*
 * The native type: how Redis saves, loads, copies, digests and frees the value of a key.
 */
#include <stdlib.h>

#include "redis/module.h"

#define ENCODING 1

RedisModuleType *value_type;

static void *type_load(RedisModuleIO *rdb, int encoding) {
    size_t length = 0;
    posse_error error = POSSE_ERROR_VERSION;
    serving_begin(&module_serving);
    if (encoding != ENCODING) {
        RedisModule_LogIOError(rdb, "warning", "a posse of a later version of the module");
        return NULL;
    }
    char *bytes = RedisModule_LoadStringBuffer(rdb, &length);
    if (bytes == NULL) return NULL; /* Redis has logged the reason */
    value *v = RedisModule_IsIOError(rdb) ? NULL : value_read(bytes, length, &error);
    RedisModule_Free(bytes);
    if (v == NULL) RedisModule_LogIOError(rdb, "warning", "a posse cannot be loaded: %s", posse_error_text(error));
    return v;
}

/*
 * If there is no memory to save a value, the process ends, as Redis itself does, because a missing file is better than
 * a wrong one.
 */
static char *type_written(value *v, size_t *length) {
    char *bytes = value_write(v, length);
    if (bytes != NULL) return bytes;
    RedisModule_Log(NULL, "warning", "there is not enough memory to save a posse");
    abort();
}

static void type_save(RedisModuleIO *rdb, void *v) {
    size_t length = 0;
    char *bytes = type_written(v, &length);
    RedisModule_SaveStringBuffer(rdb, bytes, length);
    value_release(bytes);
}

static void type_rewrite(RedisModuleIO *aof, RedisModuleString *key, void *v) {
    size_t length = 0;
    char *bytes = type_written(v, &length);
    RedisModule_EmitAOF(aof, "POSSE.RESTORE", "sb", key, bytes, length);
    value_release(bytes);
}

static void type_digest(RedisModuleDigest *out, void *v) {
    size_t length = 0;
    char *bytes = type_written(v, &length);
    RedisModule_DigestAddStringBuffer(out, bytes, length);
    RedisModule_DigestEndSequence(out);
    value_release(bytes);
}

/*
 * The copy has the same pending and settled decisions. Its new decisions have an epoch of their own, as after loading.
 */
static void *type_copy(RedisModuleString *from, RedisModuleString *to, const void *v) {
    (void)from, (void)to;
    size_t length = 0;
    posse_error error;
    char *bytes = value_write(v, &length);
    serving_begin(&module_serving);
    value *twin = bytes != NULL ? value_read(bytes, length, &error) : NULL;
    value_release(bytes);
    return twin;
}

static size_t memory_usage(const void *v) {
    return sizeof(value) + ((const value *)v)->bytes;
}

/* Redis frees a value in the background if this is above 64, which it is for large posses. */
static size_t free_effort(RedisModuleString *key, const void *v) {
    (void)key;
    return 1 + memory_usage(v) / 65536;
}

static void type_discard(void *v) {
    value_free(v);
}

bool type_register(RedisModuleCtx *ctx) {
    RedisModuleTypeMethods methods = {.version = REDISMODULE_TYPE_METHOD_VERSION,
                                      .rdb_load = type_load,
                                      .rdb_save = type_save,
                                      .aof_rewrite = type_rewrite,
                                      .mem_usage = memory_usage,
                                      .digest = type_digest,
                                      .free = type_discard,
                                      .free_effort = free_effort,
                                      .copy = type_copy};
    value_type = RedisModule_CreateDataType(ctx, "posse-key", ENCODING, &methods);
    return value_type != NULL;
}
