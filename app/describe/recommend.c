/* SPDX-License-Identifier: MIT */
#include "describe/recommend.h"

#include <string.h>

#include "data/decimal.h"
#include "describe/scalar.h"

/* A description while its parts are written out. */
typedef struct recommending {
    pool *memory;
    problems *found;
    posse_reward_kind rewards;
    posse_def def;                               /* with the recommended prior and learners */
    posse_part room[POSSE_RECOMMENDED_LEARNERS]; /* these learners */
    bool refused;                                /* it was reported that nothing can be recommended */
    bool believes;                               /* learners get the recommended belief, because there is no prior */
} recommending;

/* --------------------------------------------------- rewards ----------------------------------------------------- */

/* The belief inside a belief that has a list of them, {weight: .., belief: ..}: that of the first component, or NULL.
 */
static const node *recommend_component(const node *belief) {
    const node *kind = node_kind(belief);
    int index = kind != NULL && is_word(kind) ? posse_kind_find(POSSE_FAMILY_BELIEF, kind->text) : -1;
    const posse_param *p = posse_kind_params(POSSE_FAMILY_BELIEF, index);
    while (p != NULL && p->name != NULL && p->type != POSSE_TYPE_PARTS) p++;
    const node *list = p != NULL && p->name != NULL ? node_find(belief, p->name) : NULL;
    return node_find(node_entry(list, 0), "belief");
}

/* What the rewards are that the prior is about; unknown if it is left out, or recommended itself. */
static posse_reward_kind recommend_believed(const node *prior) {
    const node *inner;
    while ((inner = recommend_component(prior)) != NULL) prior = inner;
    const node *kind = node_kind(prior);
    if (kind == NULL || !is_word(kind) || strcmp(kind->text, POSSE_RECOMMENDED) == 0) return POSSE_REWARDS_UNKNOWN;
    return posse_reward_kind_of(POSSE_FAMILY_BELIEF, &(posse_part){.kind = kind->text});
}

/* The word of the key `rewards`, or what is known without it. */
static posse_reward_kind recommend_read_rewards(const node *root, posse_reward_kind known, problems *found) {
    static const char *const words[] = {
        [POSSE_REWARDS_NUMBERS] = "numbers", [POSSE_REWARDS_CLICKS] = "clicks", [POSSE_REWARDS_COUNTS] = "counts"};
    const node *given = node_find(root, "rewards");
    posse_reward_kind believed = recommend_believed(node_find(root, "prior"));
    if (given == NULL) return believed != POSSE_REWARDS_UNKNOWN ? believed : known;
    for (int i = POSSE_REWARDS_NUMBERS; i <= POSSE_REWARDS_COUNTS; i++)
        if (is_word(given) && strcmp(given->text, words[i]) == 0) return (posse_reward_kind)i;
    refuse_node(found, given, "clicks, counts or numbers");
    return POSSE_REWARDS_UNKNOWN;
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

/* The value of an option, which is a word, a flag or a number. */
static node *recommend_value(const recommending *r, const node *at, posse_family family, const char *kind,
                             const posse_option *o, const char *key) {
    const posse_param *p = posse_kind_param(family, posse_kind_find(family, kind), o->key);
    if (o->word != NULL) return recommend_scalar(r, at, key, o->word, false);
    if (p != NULL && p->type == POSSE_TYPE_FLAG)
        return recommend_scalar(r, at, key, o->number != 0.0 ? "true" : "false", true);
    char text[DECIMAL_TEXT];
    decimal_write(o->number, text);
    const char *kept = pool_copy(r->memory, text, strlen(text));
    return kept != NULL ? recommend_scalar(r, at, key, kept, true) : NULL;
}

/* The map in a map that has the options of a prefix, such as `noise` of `noise.shape`. */
static node *recommend_inner(const recommending *r, const node *at, node *map, const char *prefix) {
    for (node *n = map->first; n != NULL; n = n->next)
        if (strcmp(n->key, prefix) == 0) return n;
    node *inner = recommend_node(r, at, NODE_MAP, prefix);
    recommend_append(map, inner);
    return inner;
}

static void recommend_option(const recommending *r, const node *at, node *map, posse_family family, const char *kind,
                             const posse_option *o) {
    const char *dot = strchr(o->key, '.'), *key = dot != NULL ? dot + 1 : o->key;
    const char *prefix = dot != NULL ? pool_copy(r->memory, o->key, (size_t)(dot - o->key)) : NULL;
    node *into = prefix != NULL ? recommend_inner(r, at, map, prefix) : map;
    node *value = recommend_value(r, at, family, kind, o, key);
    if (into == NULL || value == NULL || (dot != NULL && prefix == NULL)) return; /* the pool has failed */
    recommend_append(into, value);
    value->parent = into;
}

/* A part as a map. */
static node *recommend_map(const recommending *r, const node *at, const char *key, posse_family family,
                           const posse_part *part) {
    node *map = recommend_node(r, at, NODE_MAP, key);
    if (map == NULL) return NULL;
    if (part->name != NULL) recommend_append(map, recommend_scalar(r, at, "name", part->name, false));
    recommend_append(map, recommend_scalar(r, at, "kind", part->kind, false));
    for (const posse_option *o = part->options; o->key != NULL; o++)
        recommend_option(r, at, map, family, part->kind, o);
    for (node *n = map->first; n != NULL; n = n->next) n->parent = map;
    return map;
}

/* ------------------------------------------------- writing out --------------------------------------------------- */

/* Whether something can be recommended. If not, it is reported once. */
static bool recommend_can(recommending *r, const node *at) {
    if (r->rewards != POSSE_REWARDS_UNKNOWN) return true;
    if (!r->refused)
        problem_at(r->found, at_node(at),
                   "which parts are recommended depends on the rewards: add `rewards`, which is clicks, counts or "
                   "numbers, or name the parts");
    r->refused = true;
    return false;
}

static node *recommend_learner(const recommending *r, const node *at, const posse_part *part) {
    static const char key[] = "belief";
    node *map = recommend_map(r, at, NULL, POSSE_FAMILY_LEARNER, part);
    int kind = posse_kind_find(POSSE_FAMILY_LEARNER, part->kind);
    if (map != NULL && r->believes && posse_kind_param(POSSE_FAMILY_LEARNER, kind, key) != NULL)
        recommend_append(map, recommend_map(r, at, key, POSSE_FAMILY_BELIEF, &r->def.prior));
    return map;
}

static node *recommend_learners(recommending *r, const node *at) {
    bool can = recommend_can(r, at);
    node *list = recommend_node(r, at, can ? NODE_LIST : NODE_REFUSED, "learners");
    for (int i = 0; list != NULL && can && i < r->def.learner_count; i++)
        recommend_append(list, recommend_learner(r, at, &r->def.learners[i]));
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

/* ------------------------------------------------ rewards alone -------------------------------------------------- */

/* Rules without arms are judged by their rewards alone, so the selector's model is all that is known of these. */
static bool recommend_lacks_model(recommending *r, const node *root, const recommend_facts *facts) {
    const posse_def *def = facts->arms;
    const node *selector = node_find(root, "selector"), *kind = selector != NULL ? node_kind(selector) : NULL;
    const node *learners = node_find(root, "learners");
    r->def.learner_count = learners != NULL && learners->type == NODE_LIST ? (int)learners->count : 0;
    bool alone = facts->whole && r->def.learner_count > 0 && def->arms == 0 && def->dim == 0 && def->context == 0;
    if (!alone || node_find(root, "rewards") == NULL || r->rewards == POSSE_REWARDS_UNKNOWN) return false;
    posse_recommend(&r->def, r->rewards, r->room);
    const posse_part *advised = &r->def.selector;
    bool fits = selector == NULL || recommend_asks(selector) ||
                (kind != NULL && is_word(kind) && strcmp(kind->text, advised->kind) == 0);
    return fits && node_find(selector, advised->options[0].key) == NULL;
}

static node *recommend_model(recommending *r, const node *root, const node *selector) {
    const posse_part *advised = &r->def.selector;
    if (selector == NULL || selector->type != NODE_MAP || recommend_asks(selector))
        return recommend_map(r, root, "selector", POSSE_FAMILY_SELECTOR, advised);
    node *map = recommend_part(r, selector);
    if (map == NULL) return NULL;
    recommend_option(r, root, map, POSSE_FAMILY_SELECTOR, advised->kind, &advised->options[0]);
    for (node *n = map->first; n != NULL; n = n->next) n->parent = map;
    return map;
}

/* The description with the selector's model. */
static const node *recommend_modelled(recommending *r, const node *root) {
    node *out = recommend_node(r, root, NODE_MAP, root->key);
    for (const node *n = out != NULL ? root->first : NULL; n != NULL; n = n->next)
        if (strcmp(n->key, "selector") != 0) recommend_append(out, recommend_part(r, n));
    if (out != NULL) recommend_append(out, recommend_model(r, root, node_find(root, "selector")));
    return pool_failed(r->memory) ? NULL : out;
}

const node *recommend_expand(const node *root, const recommend_facts *facts, pool *memory, problems *found) {
    bool bare = facts->whole && node_find(root, "learners") == NULL;
    recommending r = {.memory = memory, .found = found, .def = *facts->arms};
    r.believes = !facts->whole && facts->arms->prior.kind == NULL;
    r.rewards = recommend_read_rewards(root, facts->rewards, found);
    r.refused = r.rewards == POSSE_REWARDS_UNKNOWN && node_find(root, "rewards") != NULL;
    if (facts->failed) {
        r.rewards = POSSE_REWARDS_UNKNOWN;
        r.refused = true;
    }
    bool anything = recommend_anything(root, bare);
    if (!anything && recommend_lacks_model(&r, root, facts)) return recommend_modelled(&r, root);
    if (!anything) return root;
    if (r.rewards != POSSE_REWARDS_UNKNOWN) posse_recommend(&r.def, r.rewards, r.room);
    node *out = recommend_node(&r, root, NODE_MAP, root->key);
    for (const node *n = out != NULL ? root->first : NULL; n != NULL; n = n->next)
        recommend_append(out, recommend_entry(&r, n));
    if (out == NULL) return NULL;
    if (bare) recommend_append(out, recommend_learners(&r, root));
    bool prior = facts->whole && node_find(root, "prior") == NULL && r.rewards != POSSE_REWARDS_UNKNOWN;
    if (prior) recommend_append(out, recommend_map(&r, root, "prior", POSSE_FAMILY_BELIEF, &r.def.prior));
    return pool_failed(memory) ? NULL : out;
}
