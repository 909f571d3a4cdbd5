/* SPDX-License-Identifier: MIT */
#include "describe/feature_map.h"

#include <string.h>

#include "base/suggestion.h"
#include "describe/scalar.h"

#define LIST_MAX 100000 /* the library has its own limits */

/* ----------------------------------------------------- reading --------------------------------------------------- */

static void features_check_keys(problems *found, const node *map, const char *const *keys, const char *what) {
    for (const node *n = map->first; n != NULL; n = n->next) {
        suggestion near = {.word = n->key};
        bool known = false;
        for (int i = 0; keys[i] != NULL; i++) {
            known = known || strcmp(n->key, keys[i]) == 0;
            suggestion_consider(&near, keys[i]);
        }
        if (!known) problem_at(found, at_key(n), "%s no key \"%.80s\"%s", what, n->key, suggestion_text(&near));
    }
}

static const char *const *features_read_texts(problems *found, const node *list, pool *memory, int *count) {
    if (list == NULL) return NULL;
    if (list->type != NODE_LIST || list->count > LIST_MAX) {
        refuse_node(found, list, "a list of texts");
        return NULL;
    }
    const char **texts = pool_allocate(memory, (list->count + 1) * sizeof *texts);
    for (const node *n = texts != NULL ? list->first : NULL; n != NULL; n = n->next)
        if (take_text(found, n, &texts[*count])) ++*count;
    return texts;
}

static void features_read_scale(problems *found, const node *n, posse_feature_scale *out) {
    static const char *const keys[] = {"mean", "sd", NULL};
    const node *mean = node_find(n, "mean"), *sd = node_find(n, "sd");
    out->name = n->key;
    if (n->type != NODE_MAP || mean == NULL || sd == NULL) {
        refuse_node(found, n, "{mean: .., sd: ..}");
        return;
    }
    features_check_keys(found, n, keys, "a scale has");
    take_number(found, mean, &out->mean);
    take_number(found, sd, &out->sd);
}

static const posse_feature_scale *features_read_scales(problems *found, const node *map, pool *memory, int *count) {
    if (map == NULL) return NULL;
    if (map->type != NODE_MAP || map->count > LIST_MAX) {
        refuse_node(found, map, "a scale for each number, {age: {mean: 40, sd: 12}},");
        return NULL;
    }
    posse_feature_scale *scales = pool_allocate(memory, (map->count + 1) * sizeof *scales);
    for (const node *n = scales != NULL ? map->first : NULL; n != NULL; n = n->next)
        features_read_scale(found, n, &scales[(*count)++]);
    return scales;
}

const posse_feature_def *feature_map_described(problems *found, const node *map, pool *memory) {
    static const char *const keys[] = {"names", "interactions", "scale", "learn_scale", "constant", NULL};
    if (map->type != NODE_MAP) {
        refuse_node(found, map, "a map, {names: .., interactions: .., scale: .., learn_scale: .., constant: ..},");
        return NULL;
    }
    posse_feature_def *def = pool_allocate(memory, sizeof *def);
    if (def == NULL) return NULL;
    *def = (posse_feature_def){0};
    features_check_keys(found, map, keys, "features have");
    def->names = features_read_texts(found, node_find(map, "names"), memory, &def->name_count);
    def->interactions = features_read_texts(found, node_find(map, "interactions"), memory, &def->interaction_count);
    def->scales = features_read_scales(found, node_find(map, "scale"), memory, &def->scale_count);
    const node *learn = node_find(map, "learn_scale"), *constant = node_find(map, "constant");
    bool has_constant = true;
    if (learn != NULL) take_whole(found, learn, 0, UINT64_MAX / 4, &def->learn_scale);
    if (constant != NULL) take_flag(found, constant, &has_constant);
    def->without_constant = !has_constant;
    return def;
}

/* ----------------------------------------------------- writing --------------------------------------------------- */

static json_t *features_texts_json(const char *const *texts, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, json_string(texts[i]));
    return list;
}

json_t *feature_map_json(const posse_feature_def *def) {
    json_t *map = json_object(), *scales = json_object();
    for (int i = 0; i < def->scale_count; i++) {
        const posse_feature_scale *s = &def->scales[i];
        json_object_set_new(scales, s->name, json_pack("{s:f,s:f}", "mean", s->mean, "sd", s->sd));
    }
    if (def->name_count > 0) json_object_set_new(map, "names", features_texts_json(def->names, def->name_count));
    json_object_set_new(map, "interactions", features_texts_json(def->interactions, def->interaction_count));
    json_object_set_new(map, "scale", scales);
    json_object_set_new(map, "learn_scale", json_integer((json_int_t)def->learn_scale));
    json_object_set_new(map, "constant", json_boolean(!def->without_constant));
    return map;
}
