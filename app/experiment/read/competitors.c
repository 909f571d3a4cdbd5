/* SPDX-License-Identifier: MIT */
#include "experiment/read/competitors.h"

#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "describe/convert.h"
#include "describe/scalar.h"
#include "describe/trial.h"

#define NAME_BYTES_MAX 100
#define COMPETITORS_MAX 10000 /* learners, or selectors: results number them in 16 bits */

/* ---------------------------------------------------- names ------------------------------------------------------ */

/* The first draft of that name before `before`, or NULL. */
static const competitor_draft *find_before(const competitor_drafts *all, const char *name,
                                           const competitor_draft *before) {
    for (int i = 0; i < all->count && &all->list[i] != before; i++)
        if (all->list[i].part.name != NULL && strcmp(all->list[i].part.name, name) == 0) return &all->list[i];
    return NULL;
}

const competitor_draft *competitors_find(const competitor_drafts *all, const char *name) {
    return find_before(all, name, NULL);
}

static bool has_control_characters(const char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f) return true;
    return false;
}

bool competitors_replay_a_log(const reading *r) {
    posse_logbook log;
    return r->environment != NULL && posse_environment_logbook(r->environment, &log) == POSSE_OK;
}

/* Names go into tables, pictures and claims, so each must be one line of limited length. */
static void competitors_read_name(reading *r, const node *map, const char **out) {
    const node *n = node_name(map);
    const char *name;
    if (n == NULL) problem_missing(r->found, map, "name", "a text");
    if (n == NULL || !take_text(r->found, n, &name)) return;
    if (*name == '\0')
        problem_at(r->found, at_node(n), "the name is empty");
    else if (has_control_characters(name))
        problem_at(r->found, at_node(n), "the name must not hold control characters");
    else if (strlen(name) > NAME_BYTES_MAX)
        problem_at(r->found, at_node(n), "the name is too long; at most %d bytes", NAME_BYTES_MAX);
    else if (strcmp(name, "oracle") == 0)
        problem_at(r->found, at_node(n), "the name \"oracle\" is taken: in each run it is the best learner");
    else if (strcmp(name, EXPERIMENT_LOG) == 0 && competitors_replay_a_log(r))
        problem_at(r->found, at_node(n), "the name \"%s\" is taken: it is the policy that made the log", name);
    else
        *out = name;
}

static void check_name_is_free(reading *r, const competitor_draft *one, const competitor_draft *earlier) {
    if (earlier == NULL) return;
    problem_beside(r->found, at_node(node_name(one->map)), at_node(node_name(earlier->map)), "; names must differ",
                   "the name \"%s\" is taken", one->part.name);
}

void competitors_check_names(reading *r, const competitor_drafts *learners, const competitor_drafts *selectors) {
    for (int i = 0; i < learners->count; i++) {
        const competitor_draft *one = &learners->list[i];
        if (one->part.name != NULL) check_name_is_free(r, one, find_before(learners, one->part.name, one));
    }
    for (int i = 0; i < selectors->count; i++) {
        const competitor_draft *one = &selectors->list[i];
        if (one->part.name == NULL) continue;
        const competitor_draft *earlier = competitors_find(learners, one->part.name);
        check_name_is_free(r, one, earlier != NULL ? earlier : find_before(selectors, one->part.name, one));
    }
}

void competitors_read(reading *r, const node *list, posse_family family, competitor_drafts *out) {
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        bool learners = family == POSSE_FAMILY_LEARNER;
        refuse_node(r->found, list, learners ? "a list of learners, or the word recommended," : "a list of selectors");
        return;
    }
    if (list->count > COMPETITORS_MAX) {
        problem_at(r->found, at_node(list), "%zu are too many; at most %d", list->count, COMPETITORS_MAX);
        return;
    }
    out->list = pool_allocate(r->memory, (list->count + 1) * sizeof *out->list);
    for (const node *n = out->list != NULL ? list->first : NULL; n != NULL; n = n->next) {
        competitor_draft *one = &out->list[out->count++];
        one->map = n;
        one->ok = convert_part(r, n, family, &one->part);
        if (n->type == NODE_MAP || is_word(n)) competitors_read_name(r, n, &one->part.name);
    }
}

/* ---------------------------------------------------- teams ------------------------------------------------------ */

/* The learners that selectors can name, for one selector after the other. */
typedef struct roll {
    const competitor_drafts *learners;
    int *everyone; /* 0, 1, .. */
    int *called;   /* of each learner: the last selector that named it, counted from 1 */
} roll;

/* False: no memory. */
static bool make_roll(reading *r, const competitor_drafts *learners, roll *out) {
    size_t count = (size_t)learners->count + 1;
    *out =
        (roll){learners, pool_allocate(r->memory, count * sizeof(int)), pool_allocate(r->memory, count * sizeof(int))};
    if (out->everyone == NULL || out->called == NULL) return false;
    for (int m = 0; m < learners->count; m++) out->everyone[m] = m;
    return true;
}

/* The place of the learner that a node names, or -1; `caller` must not have named it before. */
static int competitors_find_learner(reading *r, const roll *all, const node *n, int caller) {
    const char *name;
    if (!take_text(r->found, n, &name)) return -1;
    const competitor_draft *found = competitors_find(all->learners, name);
    if (found == NULL) {
        suggestion near = {.word = name};
        for (int m = 0; m < all->learners->count; m++)
            if (all->learners->list[m].part.name != NULL) suggestion_consider(&near, all->learners->list[m].part.name);
        problem_at(r->found, at_node(n), "there is no learner \"%.80s\"%s", name, suggestion_text(&near));
        return -1;
    }
    int place = (int)(found - all->learners->list);
    bool again = all->called[place] == caller;
    all->called[place] = caller;
    if (again) problem_at(r->found, at_node(n), "the learner \"%s\" is named already; once is enough", name);
    return again ? -1 : place;
}

/* If there are no learners, names are not checked: the missing learners are the problem. */
static void competitors_read_team(reading *r, const roll *all, competitor_draft *selector, int caller) {
    const node *list = node_find(selector->map, "learners");
    selector->team = (selector_team){all->everyone, all->learners->count};
    selector->team_complete = list == NULL;
    if (list == NULL || all->learners->count == 0) return;
    if (list->type != NODE_LIST || list->count == 0) {
        if (list->type == NODE_LIST)
            problem_at(r->found, at_node(list),
                       "a list without learners; a selector that plays all of them has no such key");
        else
            refuse_node(r->found, list, "a list of names of learners");
        return;
    }
    int *team = pool_allocate(r->memory, list->count * sizeof *team), count = 0;
    for (const node *n = team != NULL ? list->first : NULL; n != NULL; n = n->next) {
        int place = competitors_find_learner(r, all, n, caller);
        if (place >= 0) team[count++] = place;
    }
    selector->team = (selector_team){team, count};
    selector->team_complete = (size_t)count == list->count;
}

void competitors_read_teams(reading *r, const competitor_drafts *learners, competitor_drafts *selectors) {
    roll all;
    if (!make_roll(r, learners, &all)) return;
    for (int s = 0; s < selectors->count; s++)
        if (node_kind(selectors->list[s].map) != NULL) competitors_read_team(r, &all, &selectors->list[s], s + 1);
}

/* ---------------------------------------------------- trials ----------------------------------------------------- */

/* Names of their own for learners that are tried together, because the names in the file may be missing or double. */
static const char **make_names(reading *r, int count) {
    const char **names = pool_allocate(r->memory, ((size_t)count + 1) * sizeof *names);
    for (int i = 0; names != NULL && i < count; i++)
        if ((names[i] = pool_format(r->memory, "%d", i)) == NULL) return NULL;
    return names;
}

/* Gathers the learners of a selector's team that can be used; returns their number. */
static int gather_team(const competitor_draft *selector, const competitor_drafts *learners, const char **names,
                       posse_part *team) {
    int count = 0;
    for (int k = 0; k < selector->team.count; k++) {
        const competitor_draft *learner = &learners->list[selector->team.learners[k]];
        if (!learner->ok) continue;
        team[count] = learner->part;
        team[count].name = names[count];
        count++;
    }
    return count;
}

/*
 * If some of the team are missing, a list with a number for each learner cannot be checked, so the trial is without
 * lists.
 */
static void try_selector(reading *r, competitor_draft *one, const posse_part *team, int count) {
    one->ok = one->ok && convert_check_rows(r, one->map, POSSE_FAMILY_SELECTOR);
    if (!one->ok || count == 0) return;
    bool complete = one->team_complete && count == one->team.count;
    posse_part tried = complete ? one->part : convert_without_lists(&one->part);
    one->ok = trial_selector(r, one->map, &tried, team, count);
}

/* An experiment has no application that could act for an external learner. */
static bool acts_itself(reading *r, const competitor_draft *learner) {
    int kind = posse_kind_find(POSSE_FAMILY_LEARNER, learner->part.kind);
    if ((posse_kind_traits(POSSE_FAMILY_LEARNER, kind) & POSSE_TRAIT_EXTERNAL) == 0) return true;
    problem_at(r->found, at_node(node_find(learner->map, "kind")),
               "external learners act in an application; an experiment has none");
    return false;
}

void competitors_try(reading *r, competitor_drafts *learners, competitor_drafts *selectors) {
    const char **names = make_names(r, learners->count);
    posse_part *team = pool_allocate(r->memory, ((size_t)learners->count + 1) * sizeof *team);
    if (names == NULL || team == NULL) return;
    for (int i = 0; i < learners->count; i++) {
        competitor_draft *one = &learners->list[i];
        one->ok = one->ok && acts_itself(r, one) && convert_check_rows(r, one->map, POSSE_FAMILY_LEARNER) &&
                  trial_learner(r, one->map, &one->part);
    }
    for (int i = 0; i < selectors->count; i++)
        try_selector(r, &selectors->list[i], team, gather_team(&selectors->list[i], learners, names, team));
}

posse_part *competitors_parts(reading *r, const competitor_drafts *all, int *count) {
    posse_part *parts = pool_allocate(r->memory, ((size_t)all->count + 1) * sizeof *parts);
    *count = 0;
    for (int i = 0; parts != NULL && i < all->count; i++)
        if (all->list[i].ok) parts[(*count)++] = all->list[i].part;
    return parts;
}
