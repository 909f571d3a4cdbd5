/* SPDX-License-Identifier: MIT */
/*
 * The part of the Redis modules API (version 7) that the module uses, declared from its documentation. Redis has no
 * library to link with: a module asks for each function by its name when it is loaded.
 */
#ifndef REDIS_API_H
#define REDIS_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RedisModuleCtx RedisModuleCtx;
typedef struct RedisModuleKey RedisModuleKey;
typedef struct RedisModuleString RedisModuleString;
typedef struct RedisModuleType RedisModuleType;
typedef struct RedisModuleIO RedisModuleIO;
typedef struct RedisModuleDigest RedisModuleDigest;
typedef struct RedisModuleCommand RedisModuleCommand;

typedef struct RedisModuleEvent {
    uint64_t id, version;
} RedisModuleEvent;

typedef int (*RedisModuleCmdFunc)(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
typedef void (*RedisModuleEventCallback)(RedisModuleCtx *ctx, RedisModuleEvent event, uint64_t what, void *data);

/* The methods of a native type, version 3. */
typedef struct RedisModuleTypeMethods {
    uint64_t version;
    void *(*rdb_load)(RedisModuleIO *rdb, int encoding);
    void (*rdb_save)(RedisModuleIO *rdb, void *value);
    void (*aof_rewrite)(RedisModuleIO *aof, RedisModuleString *key, void *value);
    size_t (*mem_usage)(const void *value);
    void (*digest)(RedisModuleDigest *digest, void *value);
    void (*free)(void *value);
    int (*aux_load)(RedisModuleIO *rdb, int encoding, int when);
    void (*aux_save)(RedisModuleIO *rdb, int when);
    int aux_save_triggers;
    size_t (*free_effort)(RedisModuleString *key, const void *value);
    void (*unlink)(RedisModuleString *key, const void *value);
    void *(*copy)(RedisModuleString *from, RedisModuleString *to, const void *value);
    int (*defrag)(void *ctx, RedisModuleString *key, void **value);
} RedisModuleTypeMethods;

/* The description of a command (RedisModule_SetCommandInfo, version 1): how its key is used, and a line for people. */
typedef struct RedisModuleCommandKeySpec {
    const char *notes;
    uint64_t flags;
    int begin_search_type;
    union {
        struct {
            int pos;
        } index;
        struct {
            const char *keyword;
            int startfrom;
        } keyword;
    } bs;
    int find_keys_type;
    union {
        struct {
            int lastkey, keystep, limit;
        } range;
        struct {
            int keynumidx, firstkey, keystep;
        } keynum;
    } fk;
} RedisModuleCommandKeySpec;

typedef struct RedisModuleCommandHistoryEntry {
    const char *since, *changes;
} RedisModuleCommandHistoryEntry;

typedef struct RedisModuleCommandArg {
    const char *name;
    int type, key_spec_index;
    const char *token, *summary, *since;
    int flags;
    const char *deprecated_since;
    struct RedisModuleCommandArg *subargs;
} RedisModuleCommandArg;

typedef struct RedisModuleCommandInfoVersion {
    int version;
    size_t sizeof_historyentry, sizeof_keyspec, sizeof_arg;
} RedisModuleCommandInfoVersion;

typedef struct RedisModuleCommandInfo {
    const RedisModuleCommandInfoVersion *version;
    const char *summary, *complexity, *since;
    RedisModuleCommandHistoryEntry *history;
    const char *tips;
    int arity;
    RedisModuleCommandKeySpec *key_specs;
    RedisModuleCommandArg *args;
} RedisModuleCommandInfo;

enum {
    REDISMODULE_KSPEC_BS_INDEX = 2,
    REDISMODULE_KSPEC_FK_RANGE = 2,
    REDISMODULE_CMD_KEY_RO = 1 << 0,
    REDISMODULE_CMD_KEY_RW = 1 << 1,
    REDISMODULE_CMD_KEY_ACCESS = 1 << 4,
    REDISMODULE_CMD_KEY_UPDATE = 1 << 5,
};

enum {
    REDISMODULE_OK = 0,
    REDISMODULE_ERR = 1,
    REDISMODULE_APIVER_1 = 1,
    REDISMODULE_TYPE_METHOD_VERSION = 3,
    REDISMODULE_READ = 1 << 0,
    REDISMODULE_WRITE = 1 << 1,
    REDISMODULE_KEYTYPE_EMPTY = 0,
    REDISMODULE_NOTIFY_MODULE = 1 << 13,
    REDISMODULE_CTX_FLAGS_REPLICATED = 1 << 12, /* the command came from the master */
    REDISMODULE_CTX_FLAGS_LOADING = 1 << 13,    /* the command is read from a file */
    REDISMODULE_OPTIONS_HANDLE_IO_ERRORS = 1 << 0,
    REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED = 1 << 1,
    REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD = 1 << 2,
    REDISMODULE_EVENT_REPLICATION_ROLE_CHANGED = 0,
    REDISMODULE_EVENT_REPLROLECHANGED_NOW_MASTER = 0,
};

/* Result, name behind RedisModule_, arguments. */
#define API_FUNCTIONS(X)                                                                                               \
    X(void *, TryAlloc, (size_t size))                                                                                 \
    X(void, Free, (void *block))                                                                                       \
    X(size_t, MallocSize, (void *block))                                                                               \
    X(int, SetModuleAttribs, (RedisModuleCtx * ctx, const char *name, int version, int api_version))                   \
    X(int, IsModuleNameBusy, (const char *name))                                                                       \
    X(void, SetModuleOptions, (RedisModuleCtx * ctx, int options))                                                     \
    X(int, CreateCommand,                                                                                              \
      (RedisModuleCtx * ctx, const char *name, RedisModuleCmdFunc function, const char *flags, int first, int last,    \
       int step))                                                                                                      \
    X(RedisModuleCommand *, GetCommand, (RedisModuleCtx * ctx, const char *name))                                      \
    X(int, CreateSubcommand,                                                                                           \
      (RedisModuleCommand * parent, const char *name, RedisModuleCmdFunc function, const char *flags, int first,       \
       int last, int step))                                                                                            \
    X(RedisModuleType *, CreateDataType,                                                                               \
      (RedisModuleCtx * ctx, const char *name, int encoding, RedisModuleTypeMethods *methods))                         \
    X(int, SubscribeToServerEvent, (RedisModuleCtx * ctx, RedisModuleEvent event, RedisModuleEventCallback callback))  \
    X(int, GetContextFlags, (RedisModuleCtx * ctx))                                                                    \
    X(void, Log, (RedisModuleCtx * ctx, const char *level, const char *format, ...))                                   \
    X(RedisModuleKey *, OpenKey, (RedisModuleCtx * ctx, RedisModuleString * name, int mode))                           \
    X(int, SignalModifiedKey, (RedisModuleCtx * ctx, RedisModuleString * name))                                        \
    X(void, CloseKey, (RedisModuleKey * key))                                                                          \
    X(int, KeyType, (RedisModuleKey * key))                                                                            \
    X(RedisModuleType *, ModuleTypeGetType, (RedisModuleKey * key))                                                    \
    X(void *, ModuleTypeGetValue, (RedisModuleKey * key))                                                              \
    X(int, ModuleTypeSetValue, (RedisModuleKey * key, RedisModuleType * type, void *value))                            \
    X(int, NotifyKeyspaceEvent, (RedisModuleCtx * ctx, int type, const char *event, RedisModuleString *key))           \
    X(const char *, StringPtrLen, (const RedisModuleString *string, size_t *length))                                   \
    X(int, StringToLongLong, (const RedisModuleString *string, long long *out))                                        \
    X(int, StringToDouble, (const RedisModuleString *string, double *out))                                             \
    X(int, WrongArity, (RedisModuleCtx * ctx))                                                                         \
    X(int, ReplyWithError, (RedisModuleCtx * ctx, const char *message))                                                \
    X(int, ReplyWithSimpleString, (RedisModuleCtx * ctx, const char *message))                                         \
    X(int, ReplyWithLongLong, (RedisModuleCtx * ctx, long long number))                                                \
    X(int, ReplyWithDouble, (RedisModuleCtx * ctx, double number))                                                     \
    X(int, ReplyWithNull, (RedisModuleCtx * ctx))                                                                      \
    X(int, ReplyWithArray, (RedisModuleCtx * ctx, long length))                                                        \
    X(int, ReplyWithMap, (RedisModuleCtx * ctx, long length))                                                          \
    X(int, ReplyWithStringBuffer, (RedisModuleCtx * ctx, const char *bytes, size_t length))                            \
    X(int, ReplyWithCString, (RedisModuleCtx * ctx, const char *text))                                                 \
    X(int, Replicate, (RedisModuleCtx * ctx, const char *command, const char *format, ...))                            \
    X(int, ReplicateVerbatim, (RedisModuleCtx * ctx))                                                                  \
    X(void, SaveStringBuffer, (RedisModuleIO * rdb, const char *bytes, size_t length))                                 \
    X(char *, LoadStringBuffer, (RedisModuleIO * rdb, size_t * length))                                                \
    X(int, IsIOError, (RedisModuleIO * rdb))                                                                           \
    X(void, LogIOError, (RedisModuleIO * rdb, const char *level, const char *format, ...))                             \
    X(void, EmitAOF, (RedisModuleIO * aof, const char *command, const char *format, ...))                              \
    X(void, DigestAddStringBuffer, (RedisModuleDigest * digest, const char *bytes, size_t length))                     \
    X(void, DigestEndSequence, (RedisModuleDigest * digest))

/* Those that not every Redis 7, and not every relative of it, has: they may be NULL. */
#define API_OPTIONAL(X) X(int, SetCommandInfo, (RedisModuleCommand * command, const RedisModuleCommandInfo *info))

/* clang-format off */
#define API_DECLARE(result, name, arguments) extern result (*RedisModule_##name) arguments;
/* clang-format on */
API_FUNCTIONS(API_DECLARE)
API_OPTIONAL(API_DECLARE)
#undef API_DECLARE

/* Asks for all functions. Returns NULL, or the name of a function that this Redis does not have. */
const char *api_fetch(RedisModuleCtx *ctx);

#endif
