/* SPDX-License-Identifier: MIT */
/*
 * The object an application holds.
 */
#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "posse/object.h"
#include "posse/recipe.h"

#define PLACES_MIN 8

/* The tournament's choice (docs/comparison.md): the paper's rule is the kind's own default, `patience: endless`. */
posse_def posse_default_def(void) {
    static const posse_part selector = {.kind = "bms",
                                        .options = {{"patience", 40.0}, {"commitment", 0.0}, {"share", 1.0}}};
    return (posse_def){.selector = selector, .seed = 1};
}

/* ------------------------------------------- making and freeing ------------------------------------------- */

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
    return POSSE_OK;
}

static posse_error copy_recipe(posse *p, const char *what, const posse_part *from, posse_part *to) {
    posse_place where = {NULL, what, -1};
    return recipe_copy(from, &p->memory, &p->host.log, &where, to);
}

/* A prior that is given must fit the arms, even where no part starts from it. */
static posse_error check_prior(posse *p) {
    if (p->prior.kind == NULL) return POSSE_OK;
    posse_place where = {NULL, "prior", -1};
    arena scratch = {p->host.allocator, NULL};
    part_context context = {{.space = p->space, .seed = p->seed}, &scratch, &p->host.log, &where};
    posse_belief unused;
    posse_error error = belief_make_at(&context, &p->prior, &unused);
    arena_release(&scratch);
    return error;
}

static posse_error fill(posse *p, const posse_def *def, int places) {
    posse_error error = space_make(def->arms, def->dim, def->points, &p->host.log, &p->memory, &p->space);
    if (error == POSSE_OK) error = copy_recipe(p, "prior", &def->prior, &p->prior);
    if (error == POSSE_OK) error = copy_recipe(p, "selector", &def->selector, &p->selector_recipe);
    if (error == POSSE_OK) error = check_prior(p);
    if (error != POSSE_OK) return error;
    int point_dim = p->space->arms == 0 ? p->space->dim : 0;
    pending_open(&p->pending, point_dim);
    p->point = arena_allocate(&p->memory, (size_t)point_dim * sizeof(double));
    if (p->point == NULL) return POSSE_ERROR_MEMORY;
    if (p->selector_recipe.kind != NULL) error = chooser_make(p, places, def->learner_count);
    return error;
}

posse_error posse_open(const posse_def *def, int places, size_t state_max, posse **out) {
    posse *p = memory_allocate(&def->host.allocator, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->host = def->host;
    p->memory.allocator = def->host.allocator;
    p->seed = def->seed;
    p->run = def->run;
    p->rounds = def->rounds;
    p->state_max = state_max;
    p->batch = 1;
    p->next_id = 1;
    posse_error error = fill(p, def, places > PLACES_MIN ? places : PLACES_MIN);
    if (error != POSSE_OK) {
        posse_free(p);
        p = NULL;
    }
    *out = p;
    return error;
}

void posse_begin(posse *p, uint32_t run) {
    p->run = run;
    p->current = 0;
    p->probability = 1.0;
    p->batch_left = 0;
    pending_clear(&p->pending);
    members_start(p);
    chooser_start(p);
}

posse_error posse_create(const posse_def *def, posse **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (def == NULL) return POSSE_ERROR_ARGUMENT;
    posse *p = NULL;
    posse_error error = check_def(def);
    if (error == POSSE_OK) error = posse_open(def, def->learner_count, SIZE_MAX, &p);
    for (int i = 0; i < def->learner_count && error == POSSE_OK; i++)
        error = members_add(p, &def->learners[i], def->learners[i].name);
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
    arena_release(&p->memory);
    memory_release(&allocator, p);
}

/* ------------------------------------------------- a round ------------------------------------------------- */

static void choose_learner(posse *p) {
    const chooser *c = &p->selector;
    p->current = 0;
    p->probability = 1.0;
    if (c->ops != NULL)
        p->current = c->ops->choose(c->part.plan, c->state, &p->selector_draw, &p->ties_draw, &p->probability);
    p->batch_left = p->batch;
}

/* On the ball, rounding may put a point of the surface slightly outside. */
static bool arm_exists(const posse *p, int arm) {
    if (p->space->arms > 0) return arm >= 0 && arm < p->space->arms;
    return arm == -1 && dot(p->point, p->point, p->space->dim) <= 1.0 + 1e-9;
}

/* The arm that the selector names itself; -1: none, the learner is to be asked. */
static int named_arm(posse *p) {
    const chooser *c = &p->selector;
    return c->ops->probe(c->part.plan, c->state, p->current, &p->selector_draw);
}

posse_error posse_choose(posse *p, posse_decision *d) {
    if (p->batch_left == 0) choose_learner(p);
    if (p->current < 0 || p->current >= p->count || !p->members[p->current].active) return POSSE_ERROR_LEARNER;
    member *m = &p->members[p->current];
    int arm = p->selector.probes ? named_arm(p) : -1;
    d->probe = arm >= 0;
    if (!d->probe) arm = m->ops->act(m->part.plan, m->state, m->draw, p->point);
    bool ball = p->space->arms == 0;
    if (!arm_exists(p, arm)) return POSSE_ERROR_ARM;
    p->batch_left--;
    m->plays++;
    d->learner = p->current;
    d->arm = arm;
    d->probability = p->probability;
    d->point = ball ? p->point : space_point(p->space, arm);
    const chooser *c = &p->selector;
    if (c->ops != NULL) c->ops->played(c->part.plan, c->state, d->learner, arm, d->point);
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

/* ------------------------------------------ decisions and rewards ------------------------------------------ */

/* Room for the decision is made first, so that a choice once made is never lost for lack of memory. */
posse_error posse_decide(posse *p, posse_decision *d) {
    if (p == NULL || d == NULL) return POSSE_ERROR_ARGUMENT;
    posse_error error = pending_reserve(&p->pending, &p->host.allocator);
    if (error == POSSE_OK) error = posse_choose(p, d);
    if (error != POSSE_OK) return error;
    d->id = p->next_id++;
    pending_entry *entry = pending_add(&p->pending, d->id);
    entry->learner = d->learner;
    entry->arm = d->arm;
    entry->probability = d->probability;
    entry->probe = d->probe;
    if (d->arm < 0) memcpy(entry->point, d->point, (size_t)p->space->dim * sizeof(double));
    return POSSE_OK;
}

static posse_error find_pending(const posse *p, uint64_t id, pending_entry **out) {
    *out = pending_find(&p->pending, id);
    if (*out != NULL) return POSSE_OK;
    return id == 0 || id >= p->next_id ? POSSE_ERROR_UNKNOWN : POSSE_ERROR_SETTLED;
}

posse_error posse_learn(posse *p, uint64_t id, double reward) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = find_pending(p, id, &entry);
    if (error != POSSE_OK) return error;
    if (!posse_reward_fits(p, reward)) return POSSE_ERROR_REWARD;
    posse_decision d = {.id = id,
                        .learner = (int)entry->learner,
                        .arm = (int)entry->arm,
                        .probability = entry->probability,
                        .probe = entry->probe != 0};
    d.point = d.arm < 0 ? entry->point : space_point(p->space, d.arm);
    posse_settle(p, &d, reward);
    pending_remove(&p->pending, entry);
    return POSSE_OK;
}

posse_error posse_forget(posse *p, uint64_t id) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = find_pending(p, id, &entry);
    if (error == POSSE_OK) pending_remove(&p->pending, entry);
    return error;
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

/* ---------------------------------------------- looking inside --------------------------------------------- */

int posse_arms(const posse *p) {
    return p != NULL ? p->space->arms : 0;
}

int posse_dim(const posse *p) {
    return p != NULL ? p->space->dim : 0;
}

bool posse_unit_rewards(const posse *p) {
    return p != NULL && p->unit_rewards;
}

size_t posse_pending_count(const posse *p) {
    return p != NULL ? p->pending.count : 0;
}

posse_error posse_plays(const posse *p, uint64_t *plays) {
    if (p == NULL || plays == NULL) return POSSE_ERROR_ARGUMENT;
    for (int i = 0; i < p->count; i++) plays[i] = p->members[i].plays;
    return POSSE_OK;
}

posse_error posse_potentials(const posse *p, double *potentials) {
    if (p == NULL || potentials == NULL) return POSSE_ERROR_ARGUMENT;
    if (p->selector.ops == NULL || p->selector.ops->potentials == NULL) return POSSE_ERROR_ABSENT;
    p->selector.ops->potentials(p->selector.part.plan, p->selector.state, p->count, potentials);
    return POSSE_OK;
}

double posse_play_weight(const posse *p, double rounds) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->play_weight == NULL) return 1.0;
    return p->selector.ops->play_weight(p->selector.part.plan, p->active, rounds);
}

double posse_charge_share(const posse *p, double rounds, double plays) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->charge_share == NULL) return 1.0;
    return p->selector.ops->charge_share(p->selector.part.plan, p->active, rounds, plays);
}

double posse_play_discount(const posse *p) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->play_discount == NULL) return 1.0;
    return p->selector.ops->play_discount(p->selector.part.plan);
}

posse_error posse_probabilities(const posse *p, double *probabilities) {
    if (p == NULL || probabilities == NULL) return POSSE_ERROR_ARGUMENT;
    bool chosen = false;
    for (int i = 0; i < p->count; i++) chosen = chosen || p->members[i].plays > 0;
    if (!chosen) return POSSE_ERROR_ABSENT;
    for (int i = 0; i < p->count; i++) probabilities[i] = i == p->current ? 1.0 : 0.0;
    const chooser *c = &p->selector;
    bool drawn = p->probability < 1.0 && c->ops != NULL && c->ops->probabilities != NULL;
    if (drawn) c->ops->probabilities(c->part.plan, c->state, p->count, probabilities);
    return POSSE_OK;
}

posse_error posse_clipped(const posse *p, uint64_t *rewards) {
    if (p == NULL || rewards == NULL) return POSSE_ERROR_ARGUMENT;
    const chooser *c = &p->selector;
    if (c->ops == NULL || c->ops->clipped == NULL) return POSSE_ERROR_ABSENT;
    *rewards = (uint64_t)c->ops->clipped(c->part.plan, c->state);
    return POSSE_OK;
}

posse_error posse_surprise(const posse *p, double *surprise) {
    if (p == NULL || surprise == NULL) return POSSE_ERROR_ARGUMENT;
    const chooser *c = &p->selector;
    if (c->ops == NULL || c->ops->surprise == NULL) return POSSE_ERROR_ABSENT;
    return c->ops->surprise(c->part.plan, c->state, surprise) ? POSSE_OK : POSSE_ERROR_ABSENT;
}

posse_error posse_means(const posse *p, double *means) {
    if (p == NULL || means == NULL) return POSSE_ERROR_ARGUMENT;
    if (p->selector.ops == NULL || p->selector.ops->add_means == NULL) return POSSE_ERROR_ABSENT;
    int count = p->space->arms > 0 ? p->space->arms : p->space->dim;
    memset(means, 0, (size_t)count * sizeof *means);
    p->selector.ops->add_means(p->selector.part.plan, p->selector.state, means);
    return POSSE_OK;
}
