/* SPDX-License-Identifier: MIT */
/*
 * The selector of a posse. It has a fixed number of places. When no place is free, a larger selector is made, which
 * adopts the state of this one.
 */
#include <string.h>

#include "base/assert.h"
#include "belief/belief.h"
#include "model/registry.h"
#include "object/object.h"

/* Makes room for the picks of all learners in a round, if the selector needs them (posse_selector_ops.considers). */
static posse_error make_picks(const posse_space *space, arena *memory, chooser *c) {
    c->picks = NULL;
    if (!space_has_contexts(space) || c->ops->considers == NULL || !c->ops->considers(c->part.plan)) return POSSE_OK;
    c->picks = arena_allocate(memory, (size_t)c->places * sizeof *c->picks);
    return c->picks != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error chooser_make_part(posse *p, const posse_space *space, int places, int founders, chooser *out,
                                     resolution *common) {
    arena *memory = p->founding ? &p->memory : &out->memory;
    posse_part prior = recipe_part(p->prior), description = recipe_part(p->selector_recipe);
    posse_place where = {NULL, "selector", -1};
    part_context context = {.surroundings = object_surroundings(p, space, &prior),
                            .memory = memory,
                            .log = &p->host.log,
                            .where = &where,
                            .kept = !p->founding || object_is_loading(p)};
    context.surroundings.learners = places;
    context.surroundings.founders = founders;
    understanding understood;
    posse_error error = part_understand(&context, POSSE_FAMILY_SELECTOR, &description, &understood);
    if (error != POSSE_OK) return error;
    if (common != NULL) *common = understood.common;
    context.surroundings.share = understood.common.settings[SELECTOR_SHARE].number != 0.0;
    error = part_prepare(&context, &understood, &out->part);
    if (error != POSSE_OK) return error;
    out->ops = OPS_OF(posse_selector_ops, out->part.kind);
    out->places = places;
    out->probes = out->ops->probe != NULL;
    if (out->probes && space_has_contexts(space)) {
        complain(&p->host.log, &where, "kind", "%s picks arms itself, which is not possible if rounds have features",
                 out->ops->kind.name);
        return POSSE_ERROR_FIT;
    }
    if (out->ops->played == NULL && !space_has_contexts(space)) {
        complain(&p->host.log, &where, "kind", "%s needs rounds with features", out->ops->kind.name);
        return POSSE_ERROR_FIT;
    }
    if (out->part.state_size > p->state_max) return POSSE_ERROR_DAMAGED;
    out->state = arena_allocate(memory, out->part.state_size);
    if (out->state == NULL) return POSSE_ERROR_MEMORY;
    part_start(&out->part, out->state);
    return make_picks(space, memory, out);
}

static posse_error make_floor(posse *p) {
    posse_place where = {NULL, "selector", -1};
    if (p->space->arms == 0) {
        complain(&p->host.log, &where, "floor", "there are no separate arms to draw evenly from");
        return POSSE_ERROR_FIT;
    }
    p->floor_draw = draw_make(&p->memory, FLOOR_SLOTS);
    return p->floor_draw != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error chooser_make(posse *p, int places, int founders) {
    resolution common = {0};
    p->selector.memory.allocator = p->host.allocator;
    posse_error error = chooser_make_part(p, p->space, places, founders, &p->selector, &common);
    if (error != POSSE_OK) return error;
    p->share = common.settings[SELECTOR_SHARE].number != 0.0;
    p->batch = (uint64_t)common.settings[SELECTOR_BATCH].number;
    p->floor = common.settings[SELECTOR_FLOOR].number;
    return p->floor > 0.0 ? make_floor(p) : POSSE_OK;
}

static const posse_belief *chooser_belief(const chooser *c) {
    const void *state;
    return c->ops->belief != NULL ? c->ops->belief(c->part.plan, c->state, &state) : NULL;
}

/*
 * The plan of an extension must follow from its options, the arms and their features. Worlds of another shape, or in
 * the same space states of another size, cannot take the place of the former ones.
 */
static posse_error chooser_check_same(posse *p, const chooser *now, bool same_space) {
    const posse_belief *b = chooser_belief(now), *former = chooser_belief(&p->selector);
    if (b == NULL || former == NULL) return b == former ? POSSE_OK : POSSE_ERROR_FIT;
    bool shape = b->shape.one_hot == former->shape.one_hot && b->model.disjoint == former->model.disjoint;
    if (shape && (!same_space || b->part.state_size == former->part.state_size)) return POSSE_OK;
    complain(&p->host.log, &(posse_place){NULL, "selector", -1}, "belief",
             "%s is not the same as before: its `prepare` must make it of its options, arms and features alone",
             b->part.kind->name);
    return POSSE_ERROR_FIT;
}

posse_error chooser_make_room(posse *p) {
    if (p->selector.ops == NULL || p->count <= p->selector.places) return POSSE_OK;
    chooser larger = {.memory = {.allocator = p->host.allocator}};
    posse_error error = chooser_make_part(p, p->space, 2 * p->selector.places, 0, &larger, NULL);
    if (error == POSSE_OK) error = chooser_check_same(p, &larger, true);
    if (error != POSSE_OK) {
        arena_release(&larger.memory);
        return error;
    }
    larger.ops->adopt(larger.part.plan, larger.state, p->selector.part.plan, p->selector.state);
    arena_release(&p->selector.memory);
    p->selector = larger;
    return POSSE_OK;
}

posse_error chooser_make_again(posse *p, const posse_space *space, chooser *out) {
    *out = (chooser){.memory = {.allocator = p->host.allocator}};
    posse_error error = chooser_make_part(p, space, p->selector.places, 0, out, NULL);
    POSSE_ASSERT(p->selector.ops != NULL);
    if (error == POSSE_OK) error = chooser_check_same(p, out, false);
    if (error == POSSE_OK) part_grow(&out->part, out->state, &p->selector.part, p->selector.state);
    return error;
}

/* Begins a task. All learners take their places again. */
static void chooser_begin_task(posse *p) {
    const chooser *c = &p->selector;
    if (c->ops->next_task != NULL) c->ops->next_task(c->part.plan, c->state, p->selector_draw);
    for (int i = 0; i < p->count; i++) c->ops->admit(c->part.plan, c->state, i);
    for (int i = 0; i < p->count; i++)
        if (!p->members[i].active) c->ops->retire(c->part.plan, c->state, i);
}

void chooser_start(posse *p) {
    draw_start(p->selector_draw, p->seed, p->run, stream_named(STREAM_SELECTOR, NULL), 0);
    draw_start(p->ties_draw, p->seed, p->run, stream_named(STREAM_TIES, NULL), 0);
    if (p->floor_draw != NULL) draw_start(p->floor_draw, p->seed, p->run, stream_named(STREAM_FLOOR, NULL), 0);
    if (p->selector.ops == NULL) return;
    part_start(&p->selector.part, p->selector.state);
    chooser_begin_task(p);
}

void chooser_next_task(posse *p) {
    const chooser *c = &p->selector;
    if (c->ops == NULL) return;
    if (c->ops->next_task == NULL) part_start(&c->part, c->state);
    chooser_begin_task(p);
}

/* ------------------------------------ a belief that a learner has, too ------------------------------------- */

void chooser_share(posse *p) {
    chooser *c = &p->selector;
    bool may = p->share && c->ops != NULL && c->ops->learn_by != NULL && !c->probes;
    const void *state;
    const posse_belief *b = may ? c->ops->belief(c->part.plan, c->state, &state) : NULL;
    c->model = NULL;
    for (int i = 0; i < p->count && b != NULL && c->model == NULL; i++) {
        const member *m = &p->members[i];
        if (!m->active || m->ops->as_belief == NULL) continue;
        const void *model = m->ops->as_belief(m->part.plan, m->state, b);
        if (model != NULL && memcmp(model, state, b->part.state_size) == 0) c->model = model;
    }
}
