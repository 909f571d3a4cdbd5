/* SPDX-License-Identifier: MIT */
#include "experiment/read/claims.h"

#include <string.h>

#include "base/suggestion.h"
#include "describe/scalar.h"

static size_t claims_characters(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes && text[i] != '\0'; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/*
 * The place of a byte of a claim's text in the file or, if the text is folded or escaped there, the place where it
 * begins.
 */
static location at_column(const node *holds, size_t column) {
    location where = at_node(holds);
    if (holds->text_at.line > 0)
        where.at = (spot){holds->text_at.line, holds->text_at.column + (int)claims_characters(holds->text, column)};
    return where;
}

/* The parts of the experiment that are read before its claims. */
typedef struct claim_context {
    reading *r;
    const competitor_drafts *learners, *selectors;
    const experiment *e;
} claim_context;

static void consider_names(suggestion *near, const competitor_drafts *all) {
    for (int i = 0; i < all->count; i++)
        if (all->list[i].part.name != NULL) suggestion_consider(near, all->list[i].part.name);
}

static void refuse_competitor(const claim_context *c, location where, const char *name) {
    suggestion near = {.word = name};
    if (competitors_find(c->learners, name) != NULL || strcmp(name, "oracle") == 0) {
        problem_at(c->r->found, where, "\"%s\" is not run alone; that takes solo: true", name);
        return;
    }
    consider_names(&near, c->selectors);
    if (c->e->solo) consider_names(&near, c->learners);
    if (c->e->solo) suggestion_consider(&near, "oracle");
    if (competitors_replay_a_log(c->r)) suggestion_consider(&near, EXPERIMENT_LOG);
    problem_at(c->r->found, where, "there is no competitor \"%.80s\"%s", name, suggestion_text(&near));
}

/* Whether the environment measures the quantity: value only on a log, and the others only elsewhere. */
static bool is_measured(const claim_context *c, location where, const claim_term *term) {
    if (c->r->environment == NULL || term->quantity == CLAIM_BEST_LEARNER) return true;
    bool logged = competitors_replay_a_log(c->r);
    if (logged && term->quantity != CLAIM_VALUE)
        problem_at(c->r->found, where, "on a log there is no regret; value(..) can be compared");
    if (!logged && term->quantity == CLAIM_VALUE)
        problem_at(c->r->found, where, "value(..) is for logs; regret(..) can be compared here");
    return logged == (term->quantity == CLAIM_VALUE);
}

static void check_term(const claim_context *c, const node *holds, const claim_term *term) {
    problems *found = c->r->found;
    location where = at_column(holds, term->column);
    if (!is_measured(c, where, term)) return;
    if (term->quantity == CLAIM_VALUE && strcmp(term->name, "oracle") == 0) {
        problem_at(found, where, "on a log there is no oracle, because the best learner is not known");
        return;
    }
    if (term->quantity == CLAIM_BEST_LEARNER) {
        if (!c->e->solo) problem_at(found, where, "best_learner() is about learners alone; that takes solo: true");
        return;
    }
    bool logs = term->quantity == CLAIM_VALUE && strcmp(term->name, EXPERIMENT_LOG) == 0;
    bool among = competitors_find(c->selectors, term->name) != NULL || logs;
    bool alone = competitors_find(c->learners, term->name) != NULL || strcmp(term->name, "oracle") == 0;
    if (!among && !(alone && c->e->solo)) refuse_competitor(c, where, term->name);
    if (term->round > c->e->rounds && !c->r->rounds_wrong)
        problem_at(found, where, "there is no round %llu; they count from 1 to %llu", (unsigned long long)term->round,
                   (unsigned long long)c->e->rounds);
    if (term->quantity == CLAIM_OPTIMAL && c->r->environment != NULL && c->r->def.arms == 0)
        problem_at(found, where, "the continuous ball has no optimal rate");
}

static void claims_refuse_key(problems *found, const node *n) {
    suggestion near = {.word = n->key};
    suggestion_consider(&near, "says");
    suggestion_consider(&near, "holds");
    bool comma = n->type == NODE_SCALAR && n->plain && *n->text == '\0' && near.best == NULL;
    problem_at(found, at_key(n), "a claim has no key \"%.80s\"%s", n->key,
               comma ? "; in braces a text with a comma needs quotes" : suggestion_text(&near));
}

static void read_claim(const claim_context *c, const node *map, claim *out) {
    problems *found = c->r->found;
    if (map->type != NODE_MAP) {
        refuse_node(found, map, "a claim, {says: .., holds: ..},");
        return;
    }
    const node *says = node_find(map, "says"), *holds = node_find(map, "holds");
    for (const node *n = map->first; n != NULL; n = n->next)
        if (n != says && n != holds) claims_refuse_key(found, n);
    if (says == NULL) problem_missing(found, map, "says", "a sentence");
    if (holds == NULL) problem_missing(found, map, "holds", "a comparison");
    if (says != NULL) take_text(found, says, &out->says);
    if (holds == NULL || !take_text(found, holds, &out->holds)) return;
    size_t column;
    const char *message;
    if (!claim_parse(out, c->r->memory, &column, &message)) {
        problem_at(found, at_column(holds, column), "%s", message);
        return;
    }
    for (size_t k = 0; k < out->term_count; k++) check_term(c, holds, &out->terms[k]);
}

void claims_read(reading *r, const node *list, const competitor_drafts *learners, const competitor_drafts *selectors,
                 experiment *e) {
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        refuse_node(r->found, list, "a list of claims");
        return;
    }
    const claim_context c = {r, learners, selectors, e};
    e->claims = pool_allocate(r->memory, (list->count + 1) * sizeof *e->claims);
    for (const node *n = e->claims != NULL ? list->first : NULL; n != NULL; n = n->next)
        read_claim(&c, n, &e->claims[e->claim_count++]);
}
