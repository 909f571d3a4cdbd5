/* SPDX-License-Identifier: MIT */
#include "redis/api.h"

/* clang-format off */
#define API_DEFINE(result, name, arguments) result (*RedisModule_##name) arguments;
/* clang-format on */
API_FUNCTIONS(API_DEFINE)
API_OPTIONAL(API_DEFINE)

/* A context begins with a pointer to the function that finds the others. It writes the address of each to `out`. */
typedef int (*finder)(const char *name, void *out);

const char *api_fetch(RedisModuleCtx *ctx) {
    finder find = *(finder *)ctx;
#define API_FIND(result, name, arguments)                                                                              \
    if (find("RedisModule_" #name, (void *)&RedisModule_##name) != REDISMODULE_OK) return #name;
    API_FUNCTIONS(API_FIND)
#define API_TRY(result, name, arguments) find("RedisModule_" #name, (void *)&RedisModule_##name);
    API_OPTIONAL(API_TRY)
    return NULL;
}
