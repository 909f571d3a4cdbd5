/* SPDX-License-Identifier: MIT */
/*
 * The learners of a posse: joining, leaving, names. A call that fails leaves everything as it was.
 */
#include <stdio.h>
#include <string.h>

#include "core/registry.h"
#include "posse/object.h"
#include "posse/recipe.h"

static bool name_is_taken(const posse *p, const char *name) {
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->members[i].name, name) == 0) return true;
    return false;
}

static bool is_of_kind(const member *m, const char *kind) {
    return m->recipe.kind != NULL && strcmp(m->recipe.kind, kind) == 0;
}

/* The given name, or one made from the kind: "ucb", "ucb-2", "ucb-3", … */
static posse_error take_name(const posse *p, const posse_part *description, const char *name, const posse_place *where,
                             char **out) {
    char made[80];
    if (name == NULL && description->kind != NULL) {
        int same = 0; /* where to begin to count, so that a thousand of a kind do not try a thousand names each */
        for (int i = 0; i < p->count; i++) same += is_of_kind(&p->members[i], description->kind);
        snprintf(made, sizeof made, "%.64s", description->kind);
        for (int n = same + 1; name_is_taken(p, made); n++)
            snprintf(made, sizeof made, "%.64s-%d", description->kind, n < 2 ? 2 : n);
        name = made;
    }
    if (name == NULL) name = "?"; /* there is no kind either, and the part will be refused for that */
    if (name[0] == '\0') {
        complain(&p->host.log, where, "name", "is empty; leave it out to have one made from the kind");
        return POSSE_ERROR_NAME;
    }
    if (name_is_taken(p, name)) {
        complain(&p->host.log, where, "name", "\"%s\" is taken; names must differ", name);
        return POSSE_ERROR_NAME;
    }
    *out = memory_allocate(&p->host.allocator, strlen(name) + 1);
    if (*out == NULL) return POSSE_ERROR_MEMORY;
    strcpy(*out, name);
    return POSSE_OK;
}

static posse_error make_member(posse *p, const posse_part *description, const posse_place *where, member *m) {
    posse_error error = recipe_copy(description, &m->memory, &p->host.log, where, &m->recipe);
    if (error != POSSE_OK) return error;
    part_context context = {
        {.space = p->space, .prior = p->prior.kind != NULL ? &p->prior : NULL, .seed = p->seed, .rounds = p->rounds},
        &m->memory,
        &p->host.log,
        where};
    error = part_make(&context, POSSE_LEARNER, &m->recipe, &m->part, NULL);
    if (error != POSSE_OK) return error;
    m->ops = OPS_OF(posse_learner_ops, m->part.kind);
    if (space_is_empty(p->space) && m->ops->act != NULL) {
        complain(&p->host.log, where, NULL, "there are no arms; only an external learner can do without");
        return POSSE_ERROR_FIT;
    }
    if (m->part.state_size > p->state_max) return POSSE_ERROR_DAMAGED;
    m->state = arena_allocate(&m->memory, m->part.state_size);
    m->draw = arena_allocate(&m->memory, sizeof *m->draw);
    if (m->state == NULL || m->draw == NULL) return POSSE_ERROR_MEMORY;
    m->active = true;
    return POSSE_OK;
}

static void drop_member(const posse *p, member *m) {
    arena_release(&m->memory);
    memory_release(&p->host.allocator, m->name);
}

static posse_error reserve_member(posse *p) {
    if (p->count < p->capacity) return POSSE_OK;
    if (p->count >= LEARNERS_MAX) {
        complain(&p->host.log, NULL, "learners", "at most %d", LEARNERS_MAX);
        return POSSE_ERROR_LEARNER;
    }
    int capacity = p->capacity > 0 ? 2 * p->capacity : 8;
    member *members = memory_grow(&p->host.allocator, p->members, (size_t)capacity * sizeof *members);
    if (members == NULL) return POSSE_ERROR_MEMORY;
    p->members = members;
    p->capacity = capacity;
    return POSSE_OK;
}

static void start_member(const posse *p, member *m) {
    part_start(&m->part, m->state);
    draw_open(m->draw, p->seed, p->run, stream_named(STREAM_LEARNER, m->name), 0);
}

static void members_refresh(posse *p) {
    p->unit_rewards = p->selector.ops != NULL && part_unit_rewards(&p->selector.part);
    p->active = 0;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!m->active) continue;
        p->active++;
        p->unit_rewards = p->unit_rewards || part_unit_rewards(&m->part);
    }
}

void members_start(posse *p) {
    for (int i = 0; i < p->count; i++) {
        p->members[i].plays = 0;
        if (p->members[i].active) start_member(p, &p->members[i]);
    }
}

posse_error members_add(posse *p, const posse_part *description, const char *name) {
    posse_place where = {NULL, "learners", p->count};
    member m = {.memory = {.allocator = p->host.allocator}};
    posse_error error = reserve_member(p);
    if (error == POSSE_OK) error = take_name(p, description, name, &where, &m.name);
    if (error == POSSE_OK && description != NULL) error = make_member(p, description, &where, &m);
    if (error != POSSE_OK) {
        drop_member(p, &m);
        return error;
    }
    p->members[p->count++] = m;
    if (m.active) start_member(p, &p->members[p->count - 1]);
    members_refresh(p);
    return POSSE_OK;
}

void members_drop_last(posse *p) {
    drop_member(p, &p->members[--p->count]);
    members_refresh(p);
}

void members_retire(posse *p, int place_) {
    member *m = &p->members[place_];
    arena_release(&m->memory);
    *m = (member){.name = m->name, .plays = m->plays, .memory = m->memory};
    members_refresh(p);
}

void members_release(posse *p) {
    while (p->count > 0) drop_member(p, &p->members[--p->count]);
    memory_release(&p->host.allocator, p->members);
}
