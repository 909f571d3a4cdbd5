/* SPDX-License-Identifier: MIT */
/*
 * Adding and retiring arms, and adding slots for features. A plan never changes, so every part is made again and takes
 * over what the former part has learned (posse_kind.grow). All parts are made before any of them is put in place, so a
 * call that fails leaves everything as it was.
 */
#include <string.h>

#include "object/object.h"
#include "posse_modes.h"

/* What replaces the space, the learners and the selector of a posse. */
typedef struct successor {
    arena memory; /* holds the space, and the features of its rounds */
    posse_space *space;
    double *features;
    member *members;
    chooser selector;
} successor;

/* -------------------------------------------- making the successor ------------------------------------------- */

/*
 * Makes a space with the arms of p and, if newcomer, one more arm, and with `slots` slots for features, if contexts are
 * sparse. point: the coordinates of that arm, or NULL.
 */
static posse_error make_space(const posse *p, bool newcomer, const double *point, int slots, successor *s) {
    const posse_space *space = p->space;
    size_t numbers = space->points != NULL ? (size_t)space->arms * (size_t)space->dim : 0;
    arena scratch = {.allocator = p->host.allocator};
    double *points = NULL;
    if (space->points != NULL) {
        points = arena_allocate(&scratch, (numbers + (size_t)space->dim) * sizeof *points);
        if (points == NULL) return POSSE_ERROR_MEMORY;
        memcpy(points, space->points, numbers * sizeof *points);
        if (newcomer) memcpy(points + numbers, point, (size_t)space->dim * sizeof *points);
    }
    space_def def = space_def_of(space);
    def.arms += newcomer;
    def.points = points;
    def.slots = slots;
    posse_error error = space_make(&def, &p->host.log, &s->memory, &s->space);
    if (error == POSSE_OK) s->space->known = space->known;
    if (error == POSSE_OK) error = context_reserve(s->space, &s->memory, &s->features);
    arena_release(&scratch);
    return error;
}

/* Retires the arms that are retired in p, and this arm, if it is not -1. */
static posse_error retire_arms(const posse *p, int arm, successor *s) {
    if (p->space->retired == NULL && arm < 0) return POSSE_OK;
    arena scratch = {.allocator = p->host.allocator};
    bool *retired = arena_allocate(&scratch, (size_t)s->space->arms * sizeof *retired);
    if (retired == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < s->space->arms; a++) retired[a] = a == arm || (a < p->space->arms && !space_has(p->space, a));
    posse_error error = space_retire(s->space, retired, &s->memory);
    arena_release(&scratch);
    return error;
}

static posse_error make_parts(posse *p, successor *s) {
    s->members = memory_allocate(&p->host.allocator, (size_t)p->count * sizeof *s->members);
    posse_error error = s->members != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    if (error == POSSE_OK && p->selector.ops != NULL) error = chooser_make_again(p, s->space, &s->selector);
    for (int i = 0; i < p->count && error == POSSE_OK; i++) error = members_make_again(p, s->space, i, &s->members[i]);
    return error == POSSE_OK ? object_check_prior(p, s->space) : error;
}

static void arms_drop(const posse *p, successor *s) {
    for (int i = 0; i < p->count && s->members != NULL; i++) members_free(p, &s->members[i]);
    memory_release(&p->host.allocator, s->members);
    arena_release(&s->selector.memory);
    arena_release(&s->memory);
}

/* Puts the successor in place, and frees what it replaces. */
static void arms_succeed(posse *p, successor *s) {
    successor former = {p->space_memory, p->space, p->features, s->members, p->selector};
    for (int i = 0; i < p->count; i++) {
        member m = s->members[i];
        s->members[i] = p->members[i];
        p->members[i] = m;
    }
    p->space_memory = s->memory;
    p->space = s->space;
    p->features = s->features;
    p->selector = s->selector;
    members_share(p);
    chooser_share(p);
    arms_drop(p, &former);
}

/* Replaces all parts by those for another space. */
static posse_error arms_replace(posse *p, bool newcomer, const double *point, int retired, int slots) {
    successor s = {.memory = {.allocator = p->host.allocator}};
    posse_error error = make_space(p, newcomer, point, slots, &s);
    if (error == POSSE_OK) error = retire_arms(p, retired, &s);
    if (error == POSSE_OK) error = make_parts(p, &s);
    if (error == POSSE_OK)
        arms_succeed(p, &s);
    else
        arms_drop(p, &s);
    return error;
}

/* Adds an arm, or retires one. */
static posse_error arms_change(posse *p, bool newcomer, const double *point, int retired) {
    posse_error error = arms_replace(p, newcomer, point, retired, p->space->slots);
    if (error == POSSE_OK) p->batch_left = 0; /* so that the next choice is made for the new set of arms */
    return error;
}

/* Doubles the room, so that a posse that meets n features copies its states log n times. */
posse_error object_add_slots(posse *p, int slots) {
    int doubled = p->space->slots <= SPARSE_DIM_MAX / 2 ? 2 * p->space->slots : SPARSE_DIM_MAX;
    return arms_replace(p, false, NULL, -1, slots > doubled ? slots : doubled);
}

/* ------------------------------------------------ the public calls ------------------------------------------- */

static posse_error needs_arms(const posse *p) {
    if (p->space->arms > 0) return POSSE_OK;
    bool ball = space_is_ball(p->space);
    complain(&p->host.log, NULL, "arms", "%s",
             ball ? "every point of the ball is one" : "a posse without any stays so");
    return POSSE_ERROR_FIT;
}

static posse_error check_point(const posse *p, const double *point) {
    if (p->space->dim > 0 && point == NULL)
        complain(&p->host.log, NULL, "point", "is missing; an arm in %d dimensions has as many coordinates",
                 p->space->dim);
    else if (p->space->dim == 0 && point != NULL)
        complain(&p->host.log, NULL, "point", "independent arms have none");
    else
        return POSSE_OK;
    return POSSE_ERROR_ARGUMENT;
}

static posse_error check_coordinates(const posse *p, const double *point) {
    for (int j = 0; j < p->space->dim; j++)
        if (!space_coordinate_fits(point[j])) {
            posse_place where = {NULL, "point", j};
            complain(&p->host.log, &where, NULL, "%g is not finite, or too large", point[j]);
            return POSSE_ERROR_FIT;
        }
    return POSSE_OK;
}

/* name NULL: its number, if arms have names. */
static posse_error arms_add(posse *p, const char *name, const double *point, int *arm) {
    char *kept = NULL;
    bool named = p->names != NULL;
    posse_error error = needs_arms(p);
    if (error == POSSE_OK) error = check_point(p, point);
    if (error == POSSE_OK) error = check_coordinates(p, point);
    if (error == POSSE_OK) error = names_prepare(p, name, &kept);
    if (error == POSSE_OK) error = arms_change(p, true, point, -1);
    if (error != POSSE_OK) {
        names_drop(p, kept);
        if (!named) names_release(p);
        return error;
    }
    if (kept != NULL) names_take(p, kept);
    if (arm != NULL) *arm = p->space->arms - 1;
    return POSSE_OK;
}

posse_error posse_arm_add(posse *p, const double *point, int *arm) {
    return p != NULL ? arms_add(p, NULL, point, arm) : POSSE_ERROR_ARGUMENT;
}

posse_error posse_arm_add_named(posse *p, const char *name, const double *point, int *arm) {
    return p != NULL && name != NULL ? arms_add(p, name, point, arm) : POSSE_ERROR_ARGUMENT;
}

static posse_error arms_refuse_name(const posse *p, const char *name) {
    if (posse_joins(p) > 0)
        complain(&p->host.log, NULL, "arm", "\"%.100s\" cannot join: %d arms are active, and arms join up to %d", name,
                 p->space->active_count, posse_joins(p));
    else
        complain(&p->host.log, NULL, "arm", "there is no arm \"%.100s\"", name);
    return POSSE_ERROR_ARM;
}

posse_error posse_arm_join(posse *p, const char *name, int *arm) {
    if (p == NULL || name == NULL || arm == NULL) return POSSE_ERROR_ARGUMENT;
    *arm = posse_arm_find(p, name);
    if (*arm >= 0) return POSSE_OK;
    if (p->space->active_count >= posse_joins(p)) return arms_refuse_name(p, name);
    return arms_add(p, name, NULL, arm);
}

int posse_joins(const posse *p) {
    return p != NULL && p->names != NULL ? p->names->joins : 0;
}

static posse_error arms_refuse_retiring(const posse *p, int arm) {
    if (arm < 0 || arm >= p->space->arms)
        complain(&p->host.log, NULL, "arm", "there is no arm %d", arm);
    else
        complain(&p->host.log, NULL, "arm", "arm %d %s", arm,
                 space_has(p->space, arm) ? "is the last one that is active" : "is retired already");
    return POSSE_ERROR_ARM;
}

posse_error posse_arm_retire(posse *p, int arm) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    posse_error error = needs_arms(p);
    if (error != POSSE_OK) return error;
    if (!space_has(p->space, arm) || p->space->active_count == 1) return arms_refuse_retiring(p, arm);
    if (arm == posse_modes_of(p).control) {
        complain(&p->host.log, NULL, "arm", "arm %d is the control of the posse's modes; choose another one first",
                 arm);
        return POSSE_ERROR_FIT;
    }
    return arms_change(p, false, NULL, arm);
}

bool posse_arm_active(const posse *p, int arm) {
    return p != NULL && space_has(p->space, arm);
}
