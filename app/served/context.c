/* SPDX-License-Identifier: MIT */
/*
 * Contexts and points as clients send them: {"shared": [..], "arms": [..], "points": [[..], ..]}, or with pairs; and
 * rounds with features by name. Arms are numbers, or names.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "posse_features.h"
#include "posse_inside.h"
#include "served/context.h"

#define FEATURE_MOST 1e6 /* as in the library */

/* An arm of a context, and its place among those that the client sent. */
typedef struct listed_arm {
    int arm;
    size_t place;
} listed_arm;

/* Where a context is read to, and what is wrong with it. */
typedef struct reading {
    pool *memory;
    problems *found;
    arm_finder *finder;
    const trail *arms_at;
    listed_arm *listed; /* the arms in the order of their numbers, if some were given by name; else NULL */
} reading;

static location at_path(const char *path) {
    return (location){.below = *path != '\0' ? path : NULL};
}

/* Adds a problem, with arguments as for printf. The value is false. */
#define refuse(r, path, ...) (problem_at((r)->found, at_path(path), __VA_ARGS__), false)
#define refuse_at(r, where, ...) refuse(r, trail_text(where, (char[TRAIL_TEXT]){0}), __VA_ARGS__)

static const trail in_context = {.key = "context"}, in_shared = {.outer = &in_context, .key = "shared"},
                   in_arms = {.outer = &in_context, .key = "arms"}, in_points = {.outer = &in_context, .key = "points"},
                   arms_beside = {.key = "arms"}; /* beside the context, if features have names */

static void *context_allocate(const reading *r, size_t size) {
    void *memory = r->memory != NULL ? pool_allocate(r->memory, size) : NULL;
    if (memory == NULL) problem_at(r->found, at_path(""), "there is not enough memory");
    return memory;
}

static bool context_read_numbers(const reading *r, const json_t *list, size_t count, const trail *where, double *out) {
    if (!json_is_array(list) || json_array_size(list) != count)
        return refuse_at(r, where, "there must be a list of %zu numbers", count);
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, i);
        const trail here = {.outer = where, .index = i};
        if (!json_is_number(number)) return refuse_at(r, &here, "a number is needed");
        out[i] = json_number_value(number);
        if (r->finder != NULL && r->finder->joins && !(fabs(out[i]) <= FEATURE_MOST))
            return refuse_at(r, &here, "%g is no feature; they must be at most %g", out[i], FEATURE_MOST);
    }
    return true;
}

static double *context_list_of(const reading *r, const json_t *list, size_t count, const trail *where) {
    double *numbers = context_allocate(r, (count + 1) * sizeof *numbers);
    return numbers != NULL && context_read_numbers(r, list, count, where, numbers) ? numbers : NULL;
}

double *numbers_read(const json_t *list, size_t count, const char *path, pool *memory, problems *found) {
    return context_list_of(&(reading){.memory = memory, .found = found}, list, count, &(trail){.key = path});
}

bool points_are_same(const double *a, const double *b, size_t dim) {
    size_t i = 0;
    while (i < dim && a[i] == b[i]) i++;
    return i == dim;
}

bool whole_read(const json_t *value, int64_t low, int64_t high, int64_t *out) {
    double number = json_number_value(value); /* 0 of what is no number */
    if (!json_is_number(value) || !(number >= (double)low && number <= (double)high)) return false;
    *out = json_is_integer(value) ? json_integer_value(value) : (int64_t)number;
    return json_is_integer(value) || (double)*out == number;
}

static bool context_read_arm(const reading *r, const json_t *value, size_t place, int *out) {
    int64_t arm;
    const trail where = {.outer = r->arms_at, .index = place};
    if (json_is_string(value)) return r->finder->find(r->finder, json_string_value(value), &where, out);
    if (!whole_read(value, 0, 1000000, &arm)) return refuse_at(r, &where, "the number or the name of an arm is needed");
    *out = (int)arm;
    return true;
}

static int context_by_arm(const void *a_, const void *b_) {
    const listed_arm *a = a_, *b = b_;
    return a->arm != b->arm ? (a->arm < b->arm ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

/* Sorts arms that were given by name. Those that cannot be right are refused here, before any arm joins. */
static bool context_sort_arms(reading *r, const posse *p, int *arms, size_t count) {
    r->listed = context_allocate(r, count * sizeof *r->listed);
    if (r->listed == NULL) return false;
    for (size_t i = 0; i < count; i++) r->listed[i] = (listed_arm){arms[i], i};
    qsort(r->listed, count, sizeof *r->listed, context_by_arm);
    for (size_t i = 0; i < count; i++) {
        const listed_arm *one = &r->listed[i];
        const trail where = {.outer = r->arms_at, .index = one->place};
        if (i > 0 && one->arm == arms[i - 1]) return refuse_at(r, &where, "this arm is there twice");
        if (one->arm < posse_arm_count(p) && !posse_arm_active(p, one->arm))
            return refuse_at(r, &where, "this arm is retired");
        arms[i] = one->arm;
    }
    return true;
}

/* The place of the i-th arm among those that the client sent. */
static size_t context_place(const reading *r, size_t i) {
    return r->listed != NULL ? r->listed[i].place : i;
}

static bool context_read_arms(reading *r, const posse *p, const json_t *list, posse_context *out) {
    size_t count = json_array_size(list);
    bool named = false;
    if (list == NULL) return true;
    if (!json_is_array(list) || count > 1000000)
        return refuse_at(r, r->arms_at, "the available arms of this round must be a list of numbers or names");
    if (count == 0) return refuse_at(r, r->arms_at, "a round has at least one arm");
    int *arms = context_allocate(r, count * sizeof *arms);
    for (size_t i = 0; arms != NULL && i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!context_read_arm(r, value, i, &arms[i])) return false;
        named = named || json_is_string(value);
    }
    out->arms = arms;
    out->count = (int)count;
    return arms != NULL && (!named || context_sort_arms(r, p, arms, count));
}

static int context_active_arms(const posse *p) {
    int count = 0;
    for (int arm = 0; arm < posse_arm_count(p); arm++) count += posse_arm_active(p, arm);
    return count;
}

/* ---------------------------------------------------- pairs ----------------------------------------------------- */

/* An index as a key: digits, without a leading 0. */
static bool index_read(const char *key, int *out) {
    uint64_t number = 0;
    size_t length = strlen(key);
    bool whole =
        length > 0 && length < 10 && (key[0] != '0' || length == 1) && decimal_read_whole(key, &number) == length;
    *out = whole ? (int)number : -1;
    return whole;
}

typedef struct pair {
    int index;
    double value;
} pair;

static int by_index(const void *a, const void *b) {
    return ((const pair *)a)->index - ((const pair *)b)->index;
}

static bool read_one_pair(const reading *r, const char *key, const json_t *value, const trail *map, pair *out) {
    const trail where = {.outer = map, .key = key};
    if (!index_read(key, &out->index)) return refuse_at(r, &where, "the index of a feature is needed, from 0");
    if (!json_is_number(value)) return refuse_at(r, &where, "a number is needed");
    out->value = json_number_value(value);
    return true;
}

/* Keys come in any order, and the library needs them rising. */
static bool context_read_sparse(const reading *r, const json_t *source, const trail *where, posse_sparse *out) {
    size_t count = json_object_size(source), i = 0;
    pair *pairs = context_allocate(r, (count + 1) * sizeof *pairs);
    int *indices = context_allocate(r, (count + 1) * sizeof *indices);
    double *values = context_allocate(r, (count + 1) * sizeof *values);
    if (pairs == NULL || indices == NULL || values == NULL) return false;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)source, key, value) {
        if (!read_one_pair(r, key, value, where, &pairs[i++])) return false;
    }
    qsort(pairs, count, sizeof *pairs, by_index);
    for (i = 0; i < count; i++) {
        indices[i] = pairs[i].index;
        values[i] = pairs[i].value;
    }
    *out = (posse_sparse){(int)count, indices, values};
    return true;
}

/* If one arm has pairs, all have. */
static bool context_read_sparse_points(const reading *r, const json_t *rows, size_t count, posse_context *out) {
    posse_sparse *sparse = context_allocate(r, count * sizeof *sparse);
    for (size_t i = 0; sparse != NULL && i < count; i++) {
        size_t place = context_place(r, i);
        const json_t *row = json_array_get(rows, place);
        const trail where = {.outer = &in_points, .index = place};
        if (!json_is_object(row)) return refuse_at(r, &where, "it must be {\"index\": value, ..}, like the others");
        if (!context_read_sparse(r, row, &where, &sparse[i])) return false;
    }
    out->sparse_points = sparse;
    return sparse != NULL;
}

/* ---------------------------------------------------- in full --------------------------------------------------- */

/* Rows are counted before there is memory for them. */
static bool context_check_rows(const reading *r, const json_t *rows, size_t count, size_t dim) {
    for (size_t i = 0; i < count; i++) {
        const trail where = {.outer = &in_points, .index = i};
        if (json_array_size(json_array_get(rows, i)) != dim) /* 0 of what is no list */
            return refuse_at(r, &where, "there must be a list of %zu numbers", dim);
    }
    return true;
}

static bool context_read_points(const reading *r, const posse *p, const json_t *rows, posse_context *out) {
    size_t dim = (size_t)(posse_feature_count(p) - posse_shared_feature_count(p));
    if (dim == 0 && rows == NULL) return true; /* before arms are counted, which takes long if there are many */
    size_t count = out->count > 0 ? (size_t)out->count : (size_t)context_active_arms(p);
    if (!json_is_array(rows) || json_array_size(rows) != count || dim == 0)
        return refuse(r, "context.points", "there must be a list of %zu numbers for each of %zu arms", dim, count);
    if (json_is_object(json_array_get(rows, 0))) return context_read_sparse_points(r, rows, count, out);
    if (!context_check_rows(r, rows, count, dim)) return false;
    double *points = context_allocate(r, count * dim * sizeof *points);
    for (size_t i = 0; points != NULL && i < count; i++) {
        size_t place = context_place(r, i);
        const trail where = {.outer = &in_points, .index = place};
        if (!context_read_numbers(r, json_array_get(rows, place), dim, &where, points + i * dim)) return false;
    }
    out->points = points;
    return points != NULL;
}

static bool context_check_keys(const reading *r, const json_t *source) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)source, key, value) {
        if (strcmp(key, "shared") == 0 || strcmp(key, "arms") == 0 || strcmp(key, "points") == 0) continue;
        return refuse(r, "context", "a context has shared, arms and points, and no key \"%.80s\"", key);
    }
    return true;
}

/* ---------------------------------------------------- by name --------------------------------------------------- */

/* How many features a value is, in a namespace or outside. */
static size_t named_count(const json_t *value) {
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    const char *key;
    json_t *inner;
    if (!json_is_object(value)) return count;
    count = 0;
    json_object_foreach((json_t *)value, key, inner) count += json_is_array(inner) ? json_array_size(inner) : 1;
    return count;
}

/* A list of features that is being read, and its place. */
typedef struct naming {
    const reading *r;
    const trail *where;
    posse_feature *list;
    int count;
} naming;

static bool named_refuse(const naming *n, const char *name, const char *why) {
    const trail where = {.outer = n->where, .key = name};
    return refuse_at(n->r, &where, "%s", why);
}

static bool named_take_words(naming *n, const char *name, const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (word == NULL) return named_refuse(n, name, "a list of words is needed");
        n->list[n->count++] = (posse_feature){.name = name, .word = word};
    }
    return true;
}

/* null is a feature that is not known, and adds nothing. */
static bool named_take(naming *n, const char *name, const json_t *value) {
    posse_feature x = {.name = name};
    if (json_is_null(value)) return true;
    if (json_is_array(value)) return named_take_words(n, name, value);
    if (json_is_string(value))
        x.word = json_string_value(value);
    else if (json_is_boolean(value))
        x = (posse_feature){.name = name, .number = json_is_true(value), .truth = true};
    else if (json_is_number(value))
        x.number = json_number_value(value);
    else
        return named_refuse(n, name, "a feature is a number, a word, true, false, or a list of words");
    n->list[n->count++] = x;
    return true;
}

/* {"age": 33} of the namespace user is "user.age". */
static bool named_take_space(naming *n, const char *space, const json_t *map) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) {
        size_t length = strlen(space) + strlen(key) + 2;
        char *name = context_allocate(n->r, length);
        if (name == NULL) return false;
        snprintf(name, length, "%s.%s", space, key);
        if (!named_take(n, name, value)) return false;
    }
    return true;
}

static bool named_read_list(const reading *r, const trail *where, const json_t *map, posse_feature_list *out) {
    size_t count = 0;
    const char *key;
    json_t *value;
    *out = (posse_feature_list){0};
    if (map == NULL) return true;
    if (!json_is_object(map))
        return refuse_at(r, where, "it must be features by name, {\"age\": 33, \"country\": \"de\"}");
    json_object_foreach((json_t *)map, key, value) count += named_count(value);
    naming n = {r, where, context_allocate(r, (count + 1) * sizeof(posse_feature)), 0};
    if (n.list == NULL) return false;
    json_object_foreach((json_t *)map, key, value) {
        bool fine = json_is_object(value) ? named_take_space(&n, key, value) : named_take(&n, key, value);
        if (!fine) return false;
    }
    *out = (posse_feature_list){n.count, n.list};
    return true;
}

/* The arms are the keys of an object, or a list. */
static bool context_read_named_arms(reading *r, const posse *p, const json_t *source, posse_context *out) {
    size_t count = json_object_size(source), i = 0;
    const char *key;
    json_t *value;
    if (!json_is_object(source)) return context_read_arms(r, p, source, out);
    if (count == 0 || count > 1000000) return refuse_at(r, r->arms_at, "a round has at least one arm");
    int *arms = context_allocate(r, count * sizeof *arms);
    if (arms == NULL) return false;
    json_object_foreach((json_t *)source, key, value) {
        const trail where = {.outer = r->arms_at, .key = key};
        if (!r->finder->find(r->finder, key, &where, &arms[i++])) return false;
    }
    out->arms = arms;
    out->count = (int)count;
    return context_sort_arms(r, p, arms, count);
}

/* The features of each arm, in the order of the arms. */
static bool named_read_points(const reading *r, const json_t *arms, size_t count, posse_named *out) {
    posse_feature_list *lists = context_allocate(r, (count + 1) * sizeof *lists);
    const json_t **given = context_allocate(r, (count + 1) * sizeof *given);
    trail *places = context_allocate(r, (count + 1) * sizeof *places);
    size_t i = 0;
    const char *key;
    json_t *value;
    if (lists == NULL || given == NULL || places == NULL) return false;
    json_object_foreach((json_t *)arms, key, value) {
        places[i] = (trail){.outer = r->arms_at, .key = key};
        given[i++] = value;
    }
    for (i = 0; i < count; i++) {
        size_t place = context_place(r, i);
        if (!named_read_list(r, &places[place], given[place], &lists[i])) return false;
    }
    out->points = lists;
    return true;
}

/* Before an arm joins, the features are checked as if each list belonged to an arm that exists. */
static bool named_check(const reading *r, const posse *p, const posse_named *named, size_t count) {
    int arm = 0;
    posse_context numbers;
    while (arm + 1 < posse_arm_count(p) && !posse_arm_active(p, arm)) arm++;
    for (size_t i = 0; i < count && r->finder->joins; i++) {
        posse_named one = {.shared = named->shared, .points = named->points != NULL ? &named->points[i] : NULL};
        posse_context round = {.count = 1, .arms = &arm, .named = &one};
        if (posse_named_numbers(p, &round, &numbers) != POSSE_OK) return false;
    }
    return true;
}

/* {"context": {..}, "arms": {"red": {..}, "blue": {..}}}, or a list of arms. */
static bool named_read(reading *r, const posse *p, const json_t *source, posse_context *out) {
    const json_t *arms = json_object_get(source, "arms");
    posse_named *named = context_allocate(r, sizeof *named);
    const char *key;
    json_t *value;
    r->arms_at = &arms_beside;
    if (named == NULL) return false;
    *named = (posse_named){0};
    json_object_foreach((json_t *)source, key, value) {
        if (strcmp(key, "context") != 0 && strcmp(key, "arms") != 0)
            return refuse(r, "", "a round with features by name has context and arms, and no key \"%.80s\"", key);
    }
    if (!context_read_named_arms(r, p, arms, out) ||
        !named_read_list(r, &in_context, json_object_get(source, "context"), &named->shared))
        return false;
    out->named = named;
    if (json_is_object(arms) && !named_read_points(r, arms, (size_t)out->count, named)) return false;
    return named_check(r, p, named, (size_t)out->count);
}

bool context_read(const json_t *source, const posse *p, arm_finder *finder, pool *memory, problems *found,
                  posse_context *out) {
    reading r = {.memory = memory, .found = found, .finder = finder, .arms_at = &in_arms};
    *out = (posse_context){0};
    if (posse_takes_names(p)) return named_read(&r, p, source, out);
    if (!json_is_object(source))
        return refuse(&r, "context", "it must be {\"shared\": [..], \"arms\": [..], \"points\": [..]}");
    const json_t *shared = json_object_get(source, "shared");
    size_t count = (size_t)posse_shared_feature_count(p);
    if (!context_check_keys(&r, source) || !context_read_arms(&r, p, json_object_get(source, "arms"), out) ||
        !context_read_points(&r, p, json_object_get(source, "points"), out))
        return false;
    if (count == 0 && shared == NULL) return true;
    if (json_is_object(shared)) {
        posse_sparse *sparse = context_allocate(&r, sizeof *sparse);
        out->sparse_shared = sparse;
        return sparse != NULL && context_read_sparse(&r, shared, &in_shared, sparse);
    }
    out->shared = context_list_of(&r, shared, count, &in_shared);
    return out->shared != NULL;
}
