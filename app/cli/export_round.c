/* SPDX-License-Identifier: MIT */
#include "cli/export_round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"

/* ------------------------------------------------------- arms ---------------------------------------------------- */

static int round_by_number(const void *a, const void *b) {
    int x = ((const export_arm *)a)->arm, y = ((const export_arm *)b)->arm;
    return (x > y) - (x < y);
}

static void round_add_arm(export_round *r, int arm, const json_t *features) {
    r->arms[r->count++] = (export_arm){arm, features};
}

/* {"red": {..}, "blue": {..}}, whose keys are names or numbers */
static void round_take_map(export_round *r, const json_t *map, const export_arms *arms) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) round_add_arm(r, posse_arm_find(arms->posse, key), value);
}

/* ["red", 2]; the points are in the same order */
static void round_take_list(export_round *r, const json_t *list, const json_t *points, const export_arms *arms) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        int arm =
            json_is_string(one) ? posse_arm_find(arms->posse, json_string_value(one)) : (int)json_number_value(one);
        round_add_arm(r, arm, json_array_get(points, i));
    }
}

static void round_take_all(export_round *r, const json_t *points, const export_arms *arms, uint64_t decision) {
    for (int arm = 0; arm < arms->count; arm++)
        if (export_arm_available(arms, arm, decision)) round_add_arm(r, arm, json_array_get(points, (size_t)r->count));
}

bool export_round_read(export_round *r, const char *body, const export_arms *arms, uint64_t decision) {
    *r = (export_round){.body = body != NULL ? json_read_own(body) : NULL};
    const json_t *listed = json_object_get(r->body, "arms"), *points = json_object_get(r->body, "points");
    size_t room = json_is_object(listed) ? json_object_size(listed) : json_array_size(listed);
    if (body != NULL && r->body == NULL) return false;
    r->listed = listed != NULL;
    r->named = posse_takes_names(arms->posse);
    r->shared = json_object_get(r->body, r->named ? "context" : "shared");
    r->arms = calloc(room + (size_t)arms->count + 1, sizeof *r->arms);
    if (r->arms == NULL) return false;
    if (json_is_object(listed))
        round_take_map(r, listed, arms);
    else if (listed != NULL)
        round_take_list(r, listed, points, arms);
    else
        round_take_all(r, points, arms, decision);
    qsort(r->arms, (size_t)r->count, sizeof *r->arms, round_by_number);
    return true;
}

void export_round_free(export_round *r) {
    json_decref(r->body);
    free(r->arms);
    *r = (export_round){0};
}

int export_round_find(const export_round *r, int arm) {
    int k = r->count - 1;
    while (k >= 0 && r->arms[k].arm != arm) k--;
    return k;
}

/* ----------------------------------------------------- features -------------------------------------------------- */

#define SPACE_BYTES 256
#define NAME_BYTES 1600 /* a name, = and a word */

typedef struct feature_walk {
    export_feature_taker *take;
    void *context;
    const char *space; /* of names without one */
} feature_walk;

/* The namespace of a name is what precedes its first dot. A dot at either end belongs to the name. */
static void walk_put(const feature_walk *w, const char *name, const char *word, double number) {
    char space[SPACE_BYTES], own[NAME_BYTES];
    const char *dot = strchr(name, '.');
    bool spaced = dot != NULL && dot > name && dot[1] != '\0' && dot - name < SPACE_BYTES;
    snprintf(space, sizeof space, "%.*s", spaced ? (int)(dot - name) : SPACE_BYTES - 1, spaced ? name : w->space);
    snprintf(own, sizeof own, "%s%s%s", spaced ? dot + 1 : name, word != NULL ? "=" : "", word != NULL ? word : "");
    w->take(w->context, space, own, number);
}

static void walk_value(const feature_walk *w, const char *name, const json_t *value) {
    if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++)
            walk_put(w, name, json_string_value(json_array_get(value, i)), 1.0);
    } else if (json_is_string(value)) {
        walk_put(w, name, json_string_value(value), 1.0);
    } else if (!json_is_null(value)) {
        walk_put(w, name, NULL, json_is_boolean(value) ? json_is_true(value) : json_number_value(value));
    }
}

static void walk_space(const feature_walk *w, const char *space, const json_t *map) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%s.%s", space, key);
        walk_value(w, name, value);
    }
}

static void walk_named(const feature_walk *w, const json_t *map) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) {
        if (json_is_object(value))
            walk_space(w, key, value);
        else
            walk_value(w, key, value);
    }
}

/* All numbers, zeros too, because readers number features in the order in which they first appear. */
static void walk_numbers(const feature_walk *w, const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        char name[24];
        snprintf(name, sizeof name, "%s%zu", w->space, i);
        w->take(w->context, w->space, name, json_number_value(json_array_get(list, i)));
    }
}

static void walk_pairs(const feature_walk *w, const json_t *map) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) {
        char name[24];
        snprintf(name, sizeof name, "%s%.20s", w->space, key);
        w->take(w->context, w->space, name, json_number_value(value));
    }
}

void export_each_feature(const export_round *r, const json_t *features, bool own, export_feature_taker *take,
                         void *context) {
    feature_walk w = {take, context, r->named ? (own ? "arm" : "context") : (own ? "x" : "s")};
    if (r->named)
        walk_named(&w, features);
    else if (json_is_object(features))
        walk_pairs(&w, features);
    else
        walk_numbers(&w, features);
}
