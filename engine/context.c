/* SPDX-License-Identifier: MIT */
/*
 * Contexts and points as clients say them: {"shared": [..], "arms": [..], "points": [[..], ..]}.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/inside.h"

const char *body_of(engine *e, const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    const char *kept = text != NULL && batch_memory(e) != NULL ? pool_copy(e->batch, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

static void *batch_allocate(engine *e, size_t size) {
    void *memory = batch_memory(e) != NULL ? pool_allocate(e->batch, size) : NULL;
    if (memory == NULL) engine_say(e, ENGINE_DOWN, "", "there is not enough memory");
    return memory;
}

static bool read_numbers(engine *e, const json_t *list, size_t count, const char *path, double *out) {
    if (!json_is_array(list) || json_array_size(list) != count) {
        engine_say(e, ENGINE_WRONG, path, "there must be a list of %zu numbers", count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, i);
        char where[120];
        snprintf(where, sizeof where, "%s[%zu]", path, i);
        if (!json_is_number(number)) {
            engine_say(e, ENGINE_WRONG, where, "a number is needed");
            return false;
        }
        out[i] = json_number_value(number);
    }
    return true;
}

double *numbers_read(engine *e, const json_t *list, size_t count, const char *path) {
    double *numbers = batch_allocate(e, (count + 1) * sizeof *numbers);
    return numbers != NULL && read_numbers(e, list, count, path, numbers) ? numbers : NULL;
}

static bool read_arms(engine *e, const json_t *list, posse_context *out) {
    size_t count = json_array_size(list);
    if (list == NULL) return true;
    if (!json_is_array(list) || count == 0 || count > 1000000) {
        engine_say(e, ENGINE_WRONG, "context.arms", "the arms that there are in this round must be a list of numbers");
        return false;
    }
    int *arms = batch_allocate(e, count * sizeof *arms);
    for (size_t i = 0; arms != NULL && i < count; i++) {
        const json_t *arm = json_array_get(list, i);
        char where[60];
        snprintf(where, sizeof where, "context.arms[%zu]", i);
        if (!json_is_integer(arm) || json_integer_value(arm) < 0 || json_integer_value(arm) > 1000000) {
            engine_say(e, ENGINE_WRONG, where, "the number of an arm is needed");
            return false;
        }
        arms[i] = (int)json_integer_value(arm);
    }
    out->arms = arms;
    out->count = (int)count;
    return arms != NULL;
}

static int active_arms(const posse *p) {
    int count = 0;
    for (int arm = 0; arm < posse_arms(p); arm++) count += posse_arm_active(p, arm);
    return count;
}

static bool read_points(engine *e, const posse *p, const json_t *rows, posse_context *out) {
    size_t dim = (size_t)(posse_features(p) - posse_shared_features(p));
    size_t count = out->count > 0 ? (size_t)out->count : (size_t)active_arms(p);
    if (dim == 0 && rows == NULL) return true;
    if (!json_is_array(rows) || json_array_size(rows) != count || dim == 0) {
        engine_say(e, ENGINE_WRONG, "context.points", "there must be a list of %zu numbers for each of %zu arms", dim,
                   count);
        return false;
    }
    double *points = batch_allocate(e, count * dim * sizeof *points);
    for (size_t i = 0; points != NULL && i < count; i++) {
        char where[60];
        snprintf(where, sizeof where, "context.points[%zu]", i);
        if (!read_numbers(e, json_array_get(rows, i), dim, where, points + i * dim)) return false;
    }
    out->points = points;
    return points != NULL;
}

static bool check_keys(engine *e, const json_t *source) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)source, key, value) {
        if (strcmp(key, "shared") == 0 || strcmp(key, "arms") == 0 || strcmp(key, "points") == 0) continue;
        engine_say(e, ENGINE_WRONG, "context", "a context has shared, arms and points, and no key \"%.80s\"", key);
        return false;
    }
    return true;
}

bool context_read(engine *e, const posse *p, const json_t *source, posse_context *out) {
    *out = (posse_context){0};
    if (!json_is_object(source)) {
        engine_say(e, ENGINE_WRONG, "context", "it must be {\"shared\": [..], \"arms\": [..], \"points\": [..]}");
        return false;
    }
    const json_t *shared = json_object_get(source, "shared");
    size_t count = (size_t)posse_shared_features(p);
    if (!check_keys(e, source) || !read_arms(e, json_object_get(source, "arms"), out) ||
        !read_points(e, p, json_object_get(source, "points"), out))
        return false;
    if (count == 0 && shared == NULL) return true;
    out->shared = numbers_read(e, shared, count, "context.shared");
    return out->shared != NULL;
}
