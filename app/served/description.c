/* SPDX-License-Identifier: MIT */
#include "served/description.h"

#include <string.h>

#include "base/suggestion.h"
#include "describe/feature_map.h"
#include "describe/json_document.h"
#include "describe/scalar.h"
#include "describe/sweep.h"
#include "posse_inside.h"

#define SECONDS_MAX 1000000000
#define FEATURES_MAX 16777216 /* if contexts are sparse; the library has its own limits */
#define ARMS_MAX 1000000
#define POINT_MAX 1024 /* numbers of a point */

static const char *const keys[] = {
    "name",     "arms",    "dim",     "points",       "context",       "prior",          "selector",
    "learners", "seed",    "rounds",  "expire_after", "expire_reward", "expire_seconds", "propensity_draws",
    "record",   "retired", "rewards", "joins",        "report",        "nonzeros",       "features"};

/* Lists with no more entries than the library takes. Learners are words or maps, so their entries are not bounded. */
static const tree_bound bounds[] = {{"learners", {SWEEP_LEARNERS_MAX, 0}, {NULL}},
                                    {"arms", {ARMS_MAX, 0}, {"a text"}},
                                    {"retired", {ARMS_MAX, 0}, {"a whole number"}},
                                    {"points", {ARMS_MAX, POINT_MAX}, {"an arm's point, [number, ..],", "a number"}},
                                    {NULL, {0}, {NULL}}};

/* ------------------------------------------------- the keys of a posse ------------------------------------------- */

bool description_is_name(const char *text) {
    return *text != '\0' && *text != '.' && strlen(text) <= POSSE_NAME_MAX &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

static void description_check_keys(problems *found, const node *root) {
    for (const node *n = root->first; n != NULL; n = n->next) {
        suggestion near = {.word = n->key};
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            known = known || strcmp(n->key, keys[i]) == 0;
            suggestion_consider(&near, keys[i]);
        }
        if (!known) problem_at(found, at_key(n), "a posse has no key \"%.80s\"%s", n->key, suggestion_text(&near));
    }
}

static void description_read_name(problems *found, const node *root, bool needed, const char **out) {
    const node *n = node_find(root, "name");
    if (n == NULL && !needed) return;
    if (n == NULL)
        problem_missing(found, root, "name", "made of letters, digits, -, _ and .");
    else if (take_text(found, n, out) && !description_is_name(*out))
        problem_at(found, at_node(n),
                   "\"%.120s\" cannot be the name: it must be made of letters, digits, -, _ and ., at most %d, and not "
                   "begin with a dot",
                   *out, POSSE_NAME_MAX);
}

static uint64_t description_read_whole(problems *found, const node *root, const char *key, uint64_t high,
                                       uint64_t otherwise) {
    const node *n = node_find(root, key);
    uint64_t value = otherwise;
    if (n != NULL && !take_whole(found, n, 0, high, &value)) value = otherwise;
    return value;
}

static bool is_point(problems *found, const node *row, int dim) {
    if (row->type == NODE_LIST && row->count == (size_t)dim) return true;
    problem_at(found, at_node(row), "an arm's point is a list of %d numbers, one for each dimension", dim);
    return false;
}

/*
 * The points of the arms, which also determine the number of arms and of dimensions. Rows are counted before memory is
 * allocated, so the memory is in proportion to the request.
 */
static void description_read_points(problems *found, const node *root, pool *memory, posse_def *def) {
    const node *list = node_find(root, "points");
    bool fine = true;
    if (list == NULL) return;
    if (list->type != NODE_LIST || list->count == 0 || list->first->count == 0) {
        refuse_node(found, list, "a list of points, one for each arm,");
        return;
    }
    int arms = (int)list->count, dim = (int)list->first->count, at = 0;
    if (def->arms != 0 && def->arms != arms)
        problem_at(found, at_node(list), "%d points, and there are %d arms", arms, def->arms);
    if (def->dim != 0 && def->dim != dim)
        problem_at(found, at_node(list->first), "%d numbers, and dim is %d", dim, def->dim);
    for (const node *row = list->first; row != NULL && fine; row = row->next) fine = is_point(found, row, dim);
    double *points = fine ? pool_allocate(memory, (size_t)arms * (size_t)dim * sizeof *points) : NULL;
    fine = points != NULL;
    for (const node *row = list->first; row != NULL && fine; row = row->next)
        for (const node *n = row->first; n != NULL && fine; n = n->next) fine = take_number(found, n, &points[at++]);
    def->arms = arms;
    def->dim = dim;
    def->points = points;
}

/* "arms" is a number, or a list of names. */
static void description_read_arms(problems *found, const node *root, pool *memory, posse_def *def) {
    const node *list = node_find(root, "arms");
    if (list == NULL || list->type != NODE_LIST) {
        def->arms = (int)description_read_whole(found, root, "arms", ARMS_MAX, 0);
        return;
    }
    if (list->count == 0) {
        refuse_node(found, list, "a number of arms, or a list of their names,");
        return;
    }
    const char **names = pool_allocate(memory, list->count * sizeof *names);
    for (const node *n = names != NULL ? list->first : NULL; n != NULL && take_text(found, n, &names[def->arms]);
         n = n->next)
        def->arms++;
    def->names = names;
}

/* Arms that exist and are retired, as the definition of a posse lists them after arms were retired. */
static void description_read_retired(problems *found, const node *root, pool *memory, description *out) {
    const node *list = node_find(root, "retired");
    uint64_t arm;
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        refuse_node(found, list, "a list of arms, by their numbers,");
        return;
    }
    int *arms = pool_allocate(memory, (list->count + 1) * sizeof *arms);
    for (const node *n = arms != NULL ? list->first : NULL; n != NULL && take_whole(found, n, 0, ARMS_MAX, &arm);
         n = n->next)
        arms[out->retired_count++] = (int)arm;
    out->retired = arms;
}

static void description_read_numbers(problems *found, const node *root, pool *memory, description *out) {
    posse_def *def = &out->def;
    const node *reward = node_find(root, "expire_reward"), *records = node_find(root, "record"),
               *report = node_find(root, "report");
    def->dim = (int)description_read_whole(found, root, "dim", FEATURES_MAX, 0);
    def->context = (int)description_read_whole(found, root, "context", FEATURES_MAX, 0);
    def->nonzeros = (int)description_read_whole(found, root, "nonzeros", FEATURES_MAX, 0);
    def->seed = description_read_whole(found, root, "seed", UINT64_MAX, def->seed);
    def->rounds = description_read_whole(found, root, "rounds", UINT64_MAX, 0);
    def->expire_after = description_read_whole(found, root, "expire_after", UINT64_MAX / 4, 0);
    def->propensity_draws = (uint32_t)description_read_whole(found, root, "propensity_draws", UINT32_MAX, 0);
    def->expire_learns = reward != NULL && take_number(found, reward, &def->expire_reward);
    out->expire_seconds = description_read_whole(found, root, "expire_seconds", SECONDS_MAX, 0);
    if (records != NULL) take_flag(found, records, &out->records);
    def->joins = (int)description_read_whole(found, root, "joins", ARMS_MAX, 0);
    const node *features = node_find(root, "features");
    if (features != NULL) def->features = feature_map_described(found, features, memory);
    def->report = true;
    if (report != NULL) take_flag(found, report, &def->report);
}

static bool description_read_part(const char *text, size_t length, bool named, pool *memory, problems *found,
                                  description *out) {
    const node *root = json_document_read(text, length, bounds, memory, found);
    *out = (description){.root = root, .def = posse_default_def()};
    if (root == NULL) return false;
    if (root->type != NODE_MAP) {
        refuse_node(found, root,
                    named ? "a posse, {\"name\": .., \"arms\": .., \"learners\": [..]},"
                          : "a posse, {\"arms\": .., \"learners\": [..]},");
        return false;
    }
    description_check_keys(found, root);
    description_read_name(found, root, named, &out->name);
    description_read_arms(found, root, memory, &out->def);
    description_read_numbers(found, root, memory, out);
    description_read_points(found, root, memory, &out->def);
    description_read_retired(found, root, memory, out);
    definition parts;
    bool fine = definition_read(&parts, &out->root, memory, found, &out->def, NULL);
    out->def.prior = parts.prior;
    if (node_find(out->root, "selector") != NULL) out->def.selector = parts.selector;
    out->def.learners = parts.learners;
    out->def.learner_count = parts.learner_count;
    return fine;
}

bool description_read(const char *text, size_t length, pool *memory, problems *found, description *out) {
    return description_read_part(text, length, true, memory, found, out);
}

bool description_read_nameless(const char *text, size_t length, pool *memory, problems *found, description *out) {
    return description_read_part(text, length, false, memory, found, out);
}

bool description_read_learner(const char *text, size_t length, const posse *p, pool *memory, problems *found,
                              const node **root, posse_part *out) {
    definition parts;
    posse_def arms = {.arms = posse_arm_count(p), .dim = posse_dim(p)};
    *root = json_document_read(text, length, NULL, memory, found);
    if (*root == NULL || !definition_read_learner(&parts, *root, memory, found, &arms, NULL)) return false;
    *out = parts.learners[0];
    return true;
}
