/* SPDX-License-Identifier: MIT */
/*
 * The object an application holds.
 */
#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "core/registry.h"
#include "posse/object.h"
#include "posse/recipe.h"

#define PLACES_MIN 8

/* The memory of a posse of a few arms, about: then nearly all of it is one block. */
#define BYTES_OF_POSSE 2688
#define BYTES_OF_LEARNER 832

/* The tournament's choice (docs/comparison.md): the paper's rule is the kind's own default, `patience: endless`. */
posse_def posse_default_def(void) {
    static const posse_part selector = {.kind = "bms",
                                        .options = {{"patience", 40.0}, {"commitment", 0.0}, {"share", 1.0}}};
    return (posse_def){.selector = selector, .seed = 1};
}

/* ------------------------------------------- making and freeing ------------------------------------------- */

/* Kinds that do not exist count as external here: they are complained of by name later. */
static bool all_external(const posse_def *def) {
    bool all = true;
    for (int i = 0; i < def->learner_count; i++) {
        const posse_kind *kind = registry_kind(POSSE_LEARNER, posse_kind_find(POSSE_LEARNER, def->learners[i].kind));
        all = all && (kind == NULL || OPS_OF(posse_learner_ops, kind)->act == NULL);
    }
    return all;
}

static posse_error check_def(const posse_def *def) {
    if (def->learner_count > LEARNERS_MAX) {
        complain(&def->host.log, NULL, "learners", "%d are too many; at most %d", def->learner_count, LEARNERS_MAX);
        return POSSE_ERROR_ARGUMENT;
    }
    if (def->learners == NULL || def->learner_count < 1) {
        complain(&def->host.log, NULL, "learners", "there must be at least one");
        return POSSE_ERROR_ARGUMENT;
    }
    if (def->selector.kind == NULL && def->learner_count > 1) {
        complain(&def->host.log, NULL, "selector", "is missing; only a single learner can play without one");
        return POSSE_ERROR_FIT;
    }
    if (def->propensity_draws > PROPENSITY_DRAWS_MAX) {
        complain(&def->host.log, NULL, "propensity_draws", "%u are too many for every decision; at most %d",
                 def->propensity_draws, PROPENSITY_DRAWS_MAX);
        return POSSE_ERROR_ARGUMENT;
    }
    if (def->arms == 0 && def->dim == 0 && !all_external(def)) {
        complain(&def->host.log, NULL, "arms", "there must be at least one; only external learners can do without");
        return POSSE_ERROR_FIT;
    }
    return POSSE_OK;
}

static posse_error copy_recipe(posse *p, const char *what, const posse_part *from, const kept_recipe **to) {
    posse_place where = {NULL, what, -1};
    posse_error error = recipe_copy(from, &p->memory, &p->host.log, &where, to);
    if (from->kind == NULL) *to = NULL;
    return error;
}

posse_error posse_check_prior(const posse *p, const posse_space *space) {
    if (p->prior == NULL) return POSSE_OK;
    posse_place where = {NULL, "prior", -1};
    arena scratch = {.allocator = p->host.allocator};
    part_context context = {{.space = space, .seed = p->seed}, &scratch, &p->host.log, &where};
    posse_part prior = recipe_part(p->prior);
    posse_belief unused;
    posse_error error = belief_make_at(&context, &prior, &unused);
    arena_release(&scratch);
    return error;
}

static posse_error fill(posse *p, const posse_def *def, const bool *retired, int places) {
    posse_error error = space_make(def->arms, def->dim, def->points, &p->host.log, &p->memory, &p->space);
    if (error == POSSE_OK && retired != NULL) error = space_retire(p->space, retired, &p->memory);
    if (error == POSSE_OK) error = copy_recipe(p, "prior", &def->prior, &p->prior);
    if (error == POSSE_OK) error = copy_recipe(p, "selector", &def->selector, &p->selector_recipe);
    if (error == POSSE_OK) error = posse_check_prior(p, p->space);
    if (error != POSSE_OK) return error;
    int point_dim = space_is_ball(p->space) ? p->space->dim : 0;
    pending_open(&p->pending, point_dim);
    p->point = arena_allocate(&p->memory, (size_t)point_dim * sizeof(double));
    p->selector_draw = draw_make(&p->memory, SELECTOR_SLOTS);
    p->ties_draw = draw_make(&p->memory, TIES_SLOTS);
    if (p->point == NULL || p->selector_draw == NULL || p->ties_draw == NULL) return POSSE_ERROR_MEMORY;
    if (p->selector_recipe != NULL) error = chooser_make(p, places, def->learner_count);
    return error;
}

posse_error posse_open(const posse_def *def, const bool *retired, int places, size_t state_max, posse **out) {
    posse *p = memory_allocate(&def->host.allocator, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->host = def->host;
    p->memory.allocator = p->space_memory.allocator = def->host.allocator;
    p->seed = def->seed;
    p->run = def->run;
    p->rounds = def->rounds;
    p->state_max = state_max;
    p->expiry = (expiry){def->expire_after, def->expire_learns, def->expire_reward};
    p->propensity_draws = def->propensity_draws;
    p->batch = 1;
    p->founding = true;
    posse_error error = arena_reserve(&p->memory, BYTES_OF_POSSE + (size_t)def->learner_count * BYTES_OF_LEARNER);
    if (error == POSSE_OK) error = fill(p, def, retired, places > PLACES_MIN ? places : PLACES_MIN);
    if (error != POSSE_OK) {
        posse_free(p);
        p = NULL;
    }
    *out = p;
    return error;
}

void posse_begin(posse *p, uint32_t run) {
    p->founding = false;
    p->run = run;
    p->current = 0;
    p->probability = 1.0;
    p->batch_left = 0;
    pending_clear(&p->pending);
    members_start(p);
    chooser_start(p);
}

static posse_error check_expiry(const posse *p) {
    if (!p->expiry.learns || posse_reward_fits(p, p->expiry.reward)) return POSSE_OK;
    complain(&p->host.log, NULL, "expire_reward", "%g cannot be learned: %s", p->expiry.reward,
             posse_error_text(POSSE_ERROR_REWARD));
    return POSSE_ERROR_REWARD;
}

posse_error posse_create(const posse_def *def, posse **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (def == NULL) return POSSE_ERROR_ARGUMENT;
    posse *p = NULL;
    posse_error error = check_def(def);
    if (error == POSSE_OK) error = posse_open(def, NULL, def->learner_count, SIZE_MAX, &p);
    if (error == POSSE_OK) error = members_reserve(p, def->learner_count);
    for (int i = 0; i < def->learner_count && error == POSSE_OK; i++)
        error = members_add(p, &def->learners[i], def->learners[i].name);
    if (error == POSSE_OK) error = check_expiry(p);
    if (error != POSSE_OK) {
        posse_free(p);
        return error;
    }
    posse_begin(p, def->run);
    *out = p;
    return POSSE_OK;
}

void posse_free(posse *p) {
    if (p == NULL) return;
    posse_allocator allocator = p->host.allocator;
    members_release(p);
    pending_release(&p->pending, &allocator);
    arena_release(&p->selector.memory);
    arena_release(&p->space_memory);
    arena_release(&p->memory);
    memory_release(&allocator, p);
}

/* ------------------------------------------------- a round ------------------------------------------------- */

static void choose_learner(posse *p) {
    const chooser *c = &p->selector;
    p->current = 0;
    p->probability = 1.0;
    if (c->ops != NULL)
        p->current = c->ops->choose(c->part.plan, c->state, p->selector_draw, p->ties_draw, &p->probability);
    p->batch_left = p->batch;
}

/* On the ball, rounding may put a point of the surface slightly outside. */
bool posse_has_arm(const posse *p, int arm, const double *point) {
    if (p->space->arms > 0) return arm >= 0 && arm < p->space->arms;
    return space_is_ball(p->space) && arm == -1 && dot(point, point, p->space->dim) <= 1.0 + 1e-9;
}

/* Retired arms are still there for rewards to come and for what others play. */
static bool can_pick(const posse *p, int arm) {
    return posse_has_arm(p, arm, p->point) && (p->space->retired == NULL || !p->space->retired[arm]);
}

/* What the log is told of an arm that cannot be picked. */
static posse_error refuse_arm(const posse *p, int arm) {
    const member *m = &p->members[p->current];
    posse_place where = {NULL, "learners", p->current};
    if (p->space->arms == 0)
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked no point of the unit ball", m->name,
                 m->ops->kind.name);
    else if (posse_has_arm(p, arm, p->point))
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked arm %d, which is retired", m->name, m->ops->kind.name,
                 arm);
    else
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked arm %d, and there are only arms 0 to %d", m->name,
                 m->ops->kind.name, arm, p->space->arms - 1);
    return POSSE_ERROR_ARM;
}

/* The arm that the selector names itself; -1: none, the learner is to be asked. */
static int named_arm(posse *p) {
    const chooser *c = &p->selector;
    return c->ops->probe(c->part.plan, c->state, p->current, p->selector_draw);
}

/* What an external learner plays is known later, except where there is nothing to play. */
static int outside_arm(const posse *p) {
    return space_is_empty(p->space) ? -1 : ARM_UNTOLD;
}

posse_error posse_choose(posse *p, posse_decision *d) {
    if (p->batch_left == 0) choose_learner(p);
    if (p->current < 0 || p->current >= p->count || !p->members[p->current].active) return POSSE_ERROR_LEARNER;
    member *m = &p->members[p->current];
    int arm = p->selector.probes ? named_arm(p) : -1;
    d->probe = arm >= 0;
    bool outside = !d->probe && m->ops->act == NULL;
    if (outside)
        arm = outside_arm(p);
    else if (!d->probe)
        arm = m->ops->act(m->part.plan, m->state, m->draw, p->point);
    if (!outside && !can_pick(p, arm)) return refuse_arm(p, arm);
    p->batch_left--;
    m->plays++;
    d->learner = p->current;
    d->arm = arm;
    d->probability = p->probability;
    d->point = arm >= 0 ? space_point(p->space, arm) : outside ? NULL : p->point;
    const chooser *c = &p->selector;
    if (c->ops != NULL && arm != ARM_UNTOLD) c->ops->played(c->part.plan, c->state, d->learner, arm, d->point);
    return POSSE_OK;
}

static void teach(const member *m, const posse_decision *d, double reward) {
    if (m->active) m->ops->learn(m->part.plan, m->state, d->arm, d->point, reward);
}

static void teach_learners(posse *p, const posse_decision *d, double reward) {
    if (p->share)
        for (int i = 0; i < p->count; i++) teach(&p->members[i], d, reward);
    else
        teach(&p->members[d->learner], d, reward);
}

void posse_settle(posse *p, const posse_decision *d, double reward) {
    if (!d->probe) teach_learners(p, d, reward);
    const chooser *c = &p->selector;
    posse_outcome o = {d->learner, d->arm, d->point, reward, d->probability, d->probe};
    if (c->ops != NULL) c->ops->learn(c->part.plan, c->state, &o);
}

/* ----------------------------------------- learners come and go -------------------------------------------- */

posse_error posse_learner_add(posse *p, const posse_part *learner, int *out) {
    if (p == NULL || learner == NULL) return POSSE_ERROR_ARGUMENT;
    if (p->selector.ops == NULL) {
        complain(&p->host.log, NULL, "selector", "is missing; a posse without one has a single learner");
        return POSSE_ERROR_FIT;
    }
    posse_error error = members_add(p, learner, learner->name);
    if (error != POSSE_OK) return error;
    error = chooser_make_room(p);
    if (error != POSSE_OK) {
        members_drop_last(p);
        return error;
    }
    p->selector.ops->admit(p->selector.part.plan, p->selector.state, p->count - 1);
    p->batch_left = 0;
    if (out != NULL) *out = p->count - 1;
    return POSSE_OK;
}

posse_error posse_learner_retire(posse *p, int place_) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    if (!posse_learner_active(p, place_) || p->active == 1) return POSSE_ERROR_LEARNER;
    p->selector.ops->retire(p->selector.part.plan, p->selector.state, place_);
    members_retire(p, place_);
    if (p->current == place_) p->batch_left = 0;
    return POSSE_OK;
}

int posse_learner_count(const posse *p) {
    return p != NULL ? p->count : 0;
}

static bool has_place(const posse *p, int place_) {
    return place_ >= 0 && place_ < posse_learner_count(p);
}

const char *posse_learner_name(const posse *p, int place_) {
    return has_place(p, place_) ? p->members[place_].name : NULL;
}

bool posse_learner_active(const posse *p, int place_) {
    return has_place(p, place_) && p->members[place_].active;
}
