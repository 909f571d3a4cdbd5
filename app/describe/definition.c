/* SPDX-License-Identifier: MIT */
#include "describe/definition.h"

#include <string.h>

#include "describe/convert.h"
#include "describe/recommend.h"
#include "describe/scalar.h"
#include "describe/sweep.h"
#include "describe/trial.h"

static void definition_read_part(reading *r, const node *map, posse_family family, posse_part *out) {
    if (map == NULL || !convert_part(r, map, family, out)) return;
    convert_check_rows(r, map, family);
    const node *name = node_find(map, "name");
    if (name != NULL && family == POSSE_FAMILY_LEARNER) take_text(r->found, name, &out->name);
    const node *team = node_find(map, "learners");
    if (team != NULL && family == POSSE_FAMILY_SELECTOR)
        problem_at(r->found, at_key(team), "the selector of a posse plays all of its learners");
}

/* Whether a selector is left to the library. It has no options then, because its kind is not known here. */
static bool definition_recommends(const node *selector) {
    const node *kind = node_kind(selector);
    bool alone = kind == selector || selector->count == 1;
    return kind != NULL && alone && is_word(kind) && strcmp(kind->text, POSSE_RECOMMENDED) == 0;
}

static void definition_read_selector(reading *r, const node *n, posse_part *out) {
    if (n != NULL && definition_recommends(n))
        out->kind = POSSE_RECOMMENDED;
    else
        definition_read_part(r, n, POSSE_FAMILY_SELECTOR, out);
}

static void definition_read_learners(reading *r, const node *list, definition *d) {
    if (list == NULL || list->type != NODE_LIST) return; /* the library reports missing learners */
    d->learners = pool_allocate(r->memory, (list->count + 1) * sizeof *d->learners);
    for (const node *n = d->learners != NULL ? list->first : NULL; n != NULL; n = n->next)
        definition_read_part(r, n, POSSE_FAMILY_LEARNER, &d->learners[d->learner_count++]);
}

static reading open_reading(definition *d, pool *memory, problems *found, const posse_def *arms, prior_taker *priors) {
    reading r = {.memory = memory, .found = found, .folder = "", .priors = priors, .def = *arms};
    *d = (definition){0};
    return r;
}

static bool is_right(const reading *r) {
    return r->found->count == 0 && !reading_failed(r);
}

bool definition_read(definition *d, const node **root, pool *memory, problems *found, const posse_def *arms,
                     prior_taker *priors) {
    reading r = open_reading(d, memory, found, arms, priors);
    const recommend_facts facts = {.arms = arms, .rewards = POSSE_REWARDS_UNKNOWN, .whole = true};
    const node *swept = sweep_expand(*root, memory, found);
    const node *expanded = swept != NULL ? recommend_expand(swept, &facts, memory, found) : NULL;
    if (expanded == NULL) return false;
    *root = expanded;
    trial_listen(&r);
    definition_read_part(&r, node_find(expanded, "prior"), POSSE_FAMILY_BELIEF, &d->prior);
    definition_read_selector(&r, node_find(expanded, "selector"), &d->selector);
    definition_read_learners(&r, node_find(expanded, "learners"), d);
    return is_right(&r);
}

bool definition_read_learner(definition *d, const node *root, pool *memory, problems *found, const posse_def *arms,
                             prior_taker *priors) {
    reading r = open_reading(d, memory, found, arms, priors);
    trial_listen(&r);
    d->learners = pool_allocate(r.memory, sizeof *d->learners);
    d->learner_count = 1;
    if (d->learners != NULL) definition_read_part(&r, root, POSSE_FAMILY_LEARNER, d->learners);
    return is_right(&r);
}
