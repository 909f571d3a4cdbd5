/* SPDX-License-Identifier: MIT */
#include "redis/arguments.h"

#include <string.h>

#include "base/ascii.h"
#include "common/json_text.h"
#include "data/decimal.h"
#include "redis/module.h"
#include "served/cost.h"

#define ARM_MAX 1000000

bool argument_is(const RedisModuleString *argument, const char *word) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    return length == strlen(word) && ascii_begins(text, word);
}

bool argument_integer(const RedisModuleString *argument, const char *what, long long low, long long high,
                      long long *out) {
    if (RedisModule_StringToLongLong(argument, out) == REDISMODULE_OK && *out >= low && *out <= high) return true;
    serving_say(&module_serving, SERVED_WRONG, "", "%s must be a whole number from %lld to %lld", what, low, high);
    return false;
}

/* Redis' own reader also takes hexadecimal numbers and infinity. */
bool argument_reward(const RedisModuleString *argument, const char *path, double *out) {
    size_t length;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    if (strlen(text) == length && decimal_read(text, out) == DECIMAL_FINE) return true;
    serving_say(&module_serving, SERVED_REWARD, path, "a reward must be a number");
    return false;
}

static void argument_refuse_json(const json_fault *fault, const char *what, size_t values_max) {
    serving *s = &module_serving;
    switch (fault->kind) {
    case JSON_FAULT_NUMBER:
        serving_say(s, SERVED_WRONG, "", "%s has a number that is too large, at byte %d", what, fault->at.position);
        break;
    case JSON_FAULT_VALUES:
        serving_say(s, SERVED_WRONG, fault->key,
                    "%s is too long, at byte %d; at most %zu values, for the rounds of this command", what,
                    fault->at.position, values_max);
        break;
    case JSON_FAULT_DEPTH:
        serving_say(s, SERVED_WRONG, fault->key, "%s is nested more than %d deep, at byte %d", what, JSON_NESTING_MAX,
                    fault->at.position);
        break;
    case JSON_FAULT_MEMORY:
        serving_no_memory(s);
        break;
    case JSON_FAULT_TEXT:
        serving_say(s, SERVED_WRONG, "", "%s is not JSON: %s, at byte %d", what, fault->at.text, fault->at.position);
        break;
    }
}

json_t *argument_json(const posse *p, const RedisModuleString *argument, const char *what, size_t rounds) {
    size_t length, values_max = module_serving.unlimited ? SIZE_MAX : cost_values_max(p, rounds, 0);
    json_fault fault;
    const char *text = RedisModule_StringPtrLen(argument, &length);
    json_t *read = json_read(text, length, values_max, &fault);
    if (read == NULL) argument_refuse_json(&fault, what, values_max);
    return read;
}

bool argument_arm_name(const RedisModuleString *argument, const char **out) {
    size_t length;
    *out = RedisModule_StringPtrLen(argument, &length);
    if (strlen(*out) == length) return true;
    serving_say(&module_serving, SERVED_WRONG, "", "the name of an arm must not contain a zero byte");
    return false;
}

bool argument_play(const posse *p, const RedisModuleString *arm, RedisModuleString **rest, int count,
                   served_play *out) {
    size_t length;
    long long number = -1;
    const char *text = RedisModule_StringPtrLen(arm, &length);
    bool named = posse_arm_name(p, 0) != NULL, point = length > 0 && text[0] == '[' && !named;
    *out = (served_play){.arm = -1};
    if (count != 0 && (count != 2 || !argument_is(rest[0], "CONTEXT"))) {
        serving_say(&module_serving, SERVED_WRONG, "", "behind it there may only be CONTEXT json");
        return false;
    }
    if (point && (out->point = argument_json(p, arm, "the point", 1)) == NULL) return false;
    if (named && !argument_arm_name(arm, &out->name)) return false;
    if (!named && !point && !argument_integer(arm, "the arm", 0, ARM_MAX, &number)) return false;
    if (count == 2 && (out->source = argument_json(p, rest[1], "CONTEXT", 1)) == NULL) return false;
    out->arm = (int)number;
    return true;
}

void arguments_release(served_play *play) {
    json_decref((json_t *)play->point);
    json_decref((json_t *)play->source);
}
