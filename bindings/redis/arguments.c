/* SPDX-License-Identifier: MIT */
#include "redis/arguments.h"

#include <string.h>
#include <strings.h>

#include "engine/context.h"
#include "posse_inside.h"
#include "redis/words.h"

#define ARM_MAX 1000000

bool argument_is(const RedisModuleString *argument, const char *word) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

bool argument_whole(const RedisModuleString *argument, const char *what, long long low, long long high,
                    long long *out) {
    if (RedisModule_StringToLongLong(argument, out) == REDISMODULE_OK && *out >= low && *out <= high) return true;
    words_say("", "%s must be a whole number from %lld to %lld", what, low, high);
    return false;
}

/* Whether an argument is hexadecimal, such as 0x1p3, which Redis would accept as a number. */
static bool is_hexadecimal(const RedisModuleString *argument) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    return memchr(text, 'x', length) != NULL || memchr(text, 'X', length) != NULL;
}

bool argument_reward(const RedisModuleString *argument, const char *path, double *out) {
    if (!is_hexadecimal(argument) && RedisModule_StringToDouble(argument, out) == REDISMODULE_OK) return true;
    words_say(path, "a reward must be a number");
    return false;
}

json_t *argument_json(const RedisModuleString *argument, const char *what) {
    size_t length;
    json_error_t error;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (value == NULL && json_error_code(&error) == json_error_numeric_overflow)
        words_say("", "%s has a number that is too large, at byte %d", what, error.position);
    else if (value == NULL)
        words_say("", "%s is not JSON: %s, at byte %d", what, error.text, error.position);
    return value;
}

bool argument_arm(const RedisModuleString *argument, const posse *p, pool *memory, arm_argument *out) {
    size_t length;
    long long number = -1;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    *out = (arm_argument){.arm = -1};
    if (length == 0 || text[0] != '[') {
        bool fine = argument_whole(argument, "the arm", 0, ARM_MAX, &number);
        out->arm = (int)number;
        return fine;
    }
    json_t *list = argument_json(argument, "the point");
    if (list == NULL) return false;
    out->point = numbers_read(list, (size_t)posse_dim(p), "point", memory, words_list());
    json_decref(list);
    return out->point != NULL;
}
