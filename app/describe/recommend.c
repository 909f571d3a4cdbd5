/* SPDX-License-Identifier: MIT */
#include "describe/recommend.h"

#include <string.h>

#include "data/decimal.h"
#include "describe/scalar.h"

/* A description while its parts are written out. */
typedef struct recommending {
    pool *memory;
    problems *found;
    recommend_rewards rewards;
    posse_def def;                               /* with the recommended prior and learners */
    posse_part room[POSSE_RECOMMENDED_LEARNERS]; /* these learners */
    bool refused;                                /* it was reported that rewards are not known */
} recommending;

/* --------------------------------------------------- rewards ----------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words) {
    while (*words != NULL && strcmp(word, *words) != 0) words++;
    return *words != NULL;
}

recommend_rewards recommend_rewards_of_environment(const posse_part *environment) {
    static const char *const clicks[] = {"bernoulli", "logistic", NULL}, *const counts[] = {"poisson", NULL};
    static const char *const unknown[] = {"log", "worlds", NULL};
    const posse_option *link = posse_part_option(environment, "link");
    if (environment->kind == NULL || is_one_of(environment->kind, unknown)) return RECOMMEND_UNKNOWN;
    if (strcmp(environment->kind, "table") == 0)
        return posse_part_option(environment, "label") != NULL ? RECOMMEND_CLICKS : RECOMMEND_UNKNOWN;
    if (is_one_of(environment->kind, clicks)) return RECOMMEND_CLICKS;
    if (link != NULL && link->word != NULL && strcmp(link->word, "logistic") == 0) return RECOMMEND_CLICKS;
    return is_one_of(environment->kind, counts) ? RECOMMEND_COUNTS : RECOMMEND_NUMBERS;
}

/* The word of the key `rewards`, or what is known without it. */
static recommend_rewards recommend_read_rewards(const node *root, recommend_rewards known, problems *found) {
    static const char *const words[] = {
        [RECOMMEND_NUMBERS] = "numbers", [RECOMMEND_CLICKS] = "clicks", [RECOMMEND_COUNTS] = "counts"};
    const node *given = node_find(root, "rewards"), *prior = node_find(root, "prior");
    const node *kind = prior != NULL ? node_kind(prior) : NULL;
    if (given == NULL && kind != NULL && is_word(kind) && strcmp(kind->text, POSSE_RECOMMENDED) != 0)
        return (recommend_rewards)posse_reward_kind_of(&(posse_part){.kind = kind->text});
    if (given == NULL) return known;
    for (int i = 0; i < 3; i++)
        if (is_word(given) && strcmp(given->text, words[i]) == 0) return (recommend_rewards)i;
    refuse_node(found, given, "clicks, counts or numbers");
    return RECOMMEND_UNKNOWN;
}

/* ---------------------------------------------------- nodes ------------------------------------------------------ */

/* Whether a part, or the list of learners, is the word alone. Python writes a part's word as {kind: word}. */
static bool recommend_asks(const node *n) {
    const node *kind = n != NULL ? node_kind(n) : NULL;
    bool alone = kind == n || (n->type == NODE_MAP && n->count == 1);
    return kind != NULL && alone && is_word(kind) && strcmp(kind->text, POSSE_RECOMMENDED) == 0;
}

static void recommend_append(node *parent, node *entry) {
    if (entry == NULL) return;
    entry->next = NULL;
    entry->index = parent->count++;
    if (parent->last == NULL)
        parent->first = entry;
    else
        parent->last->next = entry;
    parent->last = entry;
}

/* A new node in place of another one: its position and its key stay. */
static node *recommend_node(const recommending *r, const node *at, node_type type, const char *key) {
    node *n = pool_allocate(r->memory, sizeof *n);
    if (n == NULL) return NULL;
    *n = (node){.type = type, .at = at->at, .key = key, .key_at = at->key_at, .parent = at->parent, .index = at->index};
    return n;
}

static node *recommend_scalar(const recommending *r, const node *at, const char *key, const char *text, bool plain) {
    node *n = recommend_node(r, at, NODE_SCALAR, key);
    if (n == NULL) return NULL;
    n->text = text;
    n->plain = plain;
    return n;
}

/* The value of an option, which is a number or a flag. */
static node *recommend_value(const recommending *r, const node *at, posse_family family, const char *kind,
                             const posse_option *o) {
    const posse_param *p = posse_kind_param(family, posse_kind_find(family, kind), o->key);
    if (p != NULL && p->type == POSSE_TYPE_FLAG)
        return recommend_scalar(r, at, o->key, o->number != 0.0 ? "true" : "false", true);
    char text[DECIMAL_TEXT];
    decimal_write(o->number, text);
    const char *kept = pool_copy(r->memory, text, strlen(text));
    return kept != NULL ? recommend_scalar(r, at, o->key, kept, true) : NULL;
}

/* A part as a map. */
static node *recommend_map(const recommending *r, const node *at, const char *key, posse_family family,
                           const posse_part *part) {
    node *map = recommend_node(r, at, NODE_MAP, key);
    if (map == NULL) return NULL;
    if (part->name != NULL) recommend_append(map, recommend_scalar(r, at, "name", part->name, false));
    recommend_append(map, recommend_scalar(r, at, "kind", part->kind, false));
    for (const posse_option *o = part->options; o->key != NULL; o++)
        recommend_append(map, recommend_value(r, at, family, part->kind, o));
    for (node *n = map->first; n != NULL; n = n->next) n->parent = map;
    return map;
}

/* ------------------------------------------------- writing out --------------------------------------------------- */

/* Whether something can be recommended. If not, it is reported once. */
static bool recommend_can(recommending *r, const node *at) {
    if (r->rewards != RECOMMEND_UNKNOWN) return true;
    if (!r->refused)
        problem_at(r->found, at_node(at),
                   "which parts are recommended depends on the rewards: add `rewards`, which is clicks, counts or "
                   "numbers, or name the parts");
    r->refused = true;
    return false;
}

static node *recommend_learners(recommending *r, const node *at) {
    bool can = recommend_can(r, at);
    node *list = recommend_node(r, at, can ? NODE_LIST : NODE_REFUSED, "learners");
    for (int i = 0; list != NULL && can && i < r->def.learner_count; i++)
        recommend_append(list, recommend_map(r, at, NULL, POSSE_FAMILY_LEARNER, &r->def.learners[i]));
    return list;
}

static node *recommend_belief(recommending *r, const node *at) {
    bool can = recommend_can(r, at);
    return can ? recommend_map(r, at, at->key, POSSE_FAMILY_BELIEF, &r->def.prior)
               : recommend_node(r, at, NODE_REFUSED, at->key);
}

/* A part with its belief, if that is recommended. */
static node *recommend_part(recommending *r, const node *part) {
    node *copy = recommend_node(r, part, part->type, part->key);
    if (copy == NULL) return NULL;
    *copy = *part;
    if (part->type != NODE_MAP) return copy;
    copy->first = copy->last = NULL;
    copy->count = 0;
    for (const node *n = part->first; n != NULL; n = n->next) {
        bool belief = strcmp(n->key, "belief") == 0 || strcmp(n->key, "prior") == 0;
        node *entry = NULL;
        if (belief && recommend_asks(n)) entry = recommend_belief(r, n);
        if (entry == NULL && (entry = recommend_node(r, n, n->type, n->key)) != NULL) *entry = *n;
        recommend_append(copy, entry);
    }
    return copy;
}

static node *recommend_parts(recommending *r, const node *list) {
    node *copy = recommend_node(r, list, NODE_LIST, list->key);
    for (const node *n = copy != NULL ? list->first : NULL; n != NULL; n = n->next)
        recommend_append(copy, recommend_part(r, n));
    return copy;
}

static node *recommend_entry(recommending *r, const node *n) {
    bool learners = strcmp(n->key, "learners") == 0, selectors = strcmp(n->key, "selectors") == 0;
    if (learners && recommend_asks(n)) return recommend_learners(r, n);
    if ((learners || selectors) && n->type == NODE_LIST) return recommend_parts(r, n);
    if (strcmp(n->key, "prior") == 0 && recommend_asks(n)) return recommend_belief(r, n);
    return recommend_part(r, n);
}

static bool recommend_part_asks(const node *part) {
    return recommend_asks(node_find(part, "belief")) || recommend_asks(node_find(part, "prior"));
}

static bool recommend_list_asks(const node *list) {
    bool asks = false;
    for (const node *n = list != NULL && list->type == NODE_LIST ? list->first : NULL; n != NULL; n = n->next)
        asks = asks || recommend_part_asks(n);
    return asks;
}

static bool recommend_anything(const node *root, bool bare) {
    const node *learners = node_find(root, "learners");
    return bare || recommend_asks(learners) || recommend_part_asks(root) ||
           recommend_part_asks(node_find(root, "selector")) || recommend_list_asks(learners) ||
           recommend_list_asks(node_find(root, "selectors"));
}

const node *recommend_expand(const node *root, const recommend_facts *facts, pool *memory, problems *found) {
    bool bare = facts->whole && node_find(root, "learners") == NULL;
    recommending r = {.memory = memory, .found = found, .def = *facts->arms};
    r.rewards = recommend_read_rewards(root, facts->rewards, found);
    r.refused = r.rewards == RECOMMEND_UNKNOWN && node_find(root, "rewards") != NULL;
    if (!recommend_anything(root, bare)) return root;
    if (r.rewards != RECOMMEND_UNKNOWN) posse_recommend(&r.def, (posse_reward_kind)r.rewards, r.room);
    node *out = recommend_node(&r, root, NODE_MAP, root->key);
    for (const node *n = out != NULL ? root->first : NULL; n != NULL; n = n->next)
        recommend_append(out, recommend_entry(&r, n));
    if (out == NULL) return NULL;
    if (bare) recommend_append(out, recommend_learners(&r, root));
    bool prior = facts->whole && node_find(root, "prior") == NULL && r.rewards != RECOMMEND_UNKNOWN;
    if (prior) recommend_append(out, recommend_map(&r, root, "prior", POSSE_FAMILY_BELIEF, &r.def.prior));
    return pool_failed(memory) ? NULL : out;
}
