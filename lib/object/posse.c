/* SPDX-License-Identifier: MIT */
/*
 * The object an application holds.
 */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/lockstep.h"
#include "belief/belief.h"
#include "model/registry.h"
#include "object/former_defaults.h"
#include "object/modes.h"
#include "object/object.h"
#include "object/recipe.h"

#define PLACES_MIN 8

/*
 * The approximate memory of a posse, of a selector, a learner and a belief, and what they have for every arm. It is
 * reserved at once, so that nearly all of a posse with a few arms is in one block. What does not fit gets further
 * blocks. The first includes 48 bytes for the alignment of large allocations, which depends on where the block is.
 */
#define BYTES_OF_POSSE 864
#define BYTES_OF_SELECTOR(places) (256 + 32 * (places))
#define BYTES_OF_RECORDS(places, arms) (64 + 8 * (places) * (arms))
#define BYTES_OF_BUDGET(places, arms) (8 * (places) * ((arms) + 2))
#define BYTES_OF_LEARNER(arms, options) (216 + 40 * (arms) + 60 * (options))
#define BYTES_OF_BELIEF(arms) (104 + 16 * (arms))
#define ARMS_FEW 32

/* The cookie of a definition: a mark in the upper bits, and the size of the struct in the lower 24. */
#define COOKIE_MARK UINT64_C(0x706f737365000000)
#define COOKIE_SIZE UINT64_C(0xffffff)

posse_def posse_default_def(void) {
    return (posse_def){.cookie = COOKIE_MARK | sizeof(posse_def), .selector = {.kind = POSSE_RECOMMENDED}, .seed = 1};
}

/* ------------------------------------------- making and freeing ------------------------------------------- */

/* Whether all learners are external. Unknown kinds pass here; members_add reports them. */
static bool all_external(const posse_def *def) {
    bool all = true;
    for (int i = 0; i < def->learner_count; i++) {
        const posse_kind *kind =
            registry_kind(POSSE_FAMILY_LEARNER, posse_kind_find(POSSE_FAMILY_LEARNER, def->learners[i].kind));
        all = all && (kind == NULL || learner_is_external(OPS_OF(posse_learner_ops, kind)));
    }
    return all;
}

/* The tournament decided on bms-plus (docs/comparison.md). It needs a belief about arms. */
static posse_part selector_of(const posse_def *def) {
    posse_part selector = def->selector;
    bool left = selector.kind != NULL && strcmp(selector.kind, POSSE_RECOMMENDED) == 0;
    bool rewards_alone = def->prior.kind == NULL && all_external(def);
    if (left) selector.kind = rewards_alone ? "thompson" : "bms-plus";
    return selector;
}

/* Without learners, a posse with a prior has those that are recommended for rewards such as the prior's. */
static posse_def with_learners(const posse_def *def, posse_part team[POSSE_RECOMMENDED_LEARNERS]) {
    posse_def whole = *def;
    if (def->learners != NULL || def->learner_count != 0 || def->prior.kind == NULL) return whole;
    posse_recommend(&whole, posse_reward_kind_of(POSSE_FAMILY_BELIEF, &def->prior), team);
    whole.prior = def->prior;
    return whole;
}

/*
 * The log is read only where it can be trusted: in a definition with the mark, whatever its size, and in one that was
 * initialised with zeros and some fields. Any other cookie may be uninitialised memory, or the arms of version 0.2.
 */
static posse_error check_cookie(const posse_def *def) {
    if (def->cookie == (COOKIE_MARK | sizeof(posse_def))) return POSSE_OK;
    if ((def->cookie & ~COOKIE_SIZE) == COOKIE_MARK)
        complain(&def->host.log, NULL, NULL,
                 "the definition has %u bytes, but %zu bytes in this library, version %s: build with its posse.h",
                 (unsigned)(def->cookie & COOKIE_SIZE), sizeof(posse_def), posse_version());
    else if (def->cookie == 0)
        complain(&def->host.log, NULL, NULL, "the definition has no defaults: start from posse_default_def()");
    return POSSE_ERROR_ARGUMENT;
}

static posse_error check_def(const posse_def *def) {
    if (def->learner_count > LEARNERS_MAX) {
        complain(&def->host.log, NULL, "learners", "%d are too many; at most %d", def->learner_count, LEARNERS_MAX);
        return POSSE_ERROR_ARGUMENT;
    }
    if (def->learners == NULL || def->learner_count < 1) {
        complain(&def->host.log, NULL, "learners",
                 "there must be at least one; with a prior, or by posse_recommend, a posse has recommended ones");
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
    if (def->joins < 0 || def->joins > ARMS_MAX) {
        complain(&def->host.log, NULL, "joins", "%d is not from 0 to %d", def->joins, ARMS_MAX);
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

posse_error object_check_prior(const posse *p, const posse_space *space) {
    if (p->prior == NULL) return POSSE_OK;
    posse_place where = {NULL, "prior", -1};
    arena scratch = {.allocator = p->host.allocator};
    part_context context = {.surroundings = {.space = space, .seed = p->seed},
                            .memory = &scratch,
                            .log = &p->host.log,
                            .where = &where,
                            .kept = object_is_loading(p)};
    posse_part prior = recipe_part(p->prior);
    posse_belief unused;
    posse_error error = belief_make_at(&context, &prior, &unused);
    arena_release(&scratch);
    return error;
}

static posse_error object_fill(posse *p, const posse_def *def, const bool *retired, int slots, int places) {
    space_def arms = {def->arms, def->dim, def->points, def->context, def->episodes, def->nonzeros, slots};
    posse_error error = space_make(&arms, &p->host.log, &p->memory, &p->space);
    if (error == POSSE_OK && retired != NULL) error = space_retire(p->space, retired, &p->memory);
    if (error == POSSE_OK) error = names_open(p, def->names, def->joins);
    if (error == POSSE_OK && def->report) error = tallies_open(p);
    if (error == POSSE_OK && def->features != NULL)
        error = feature_map_open(def->features, object_feature_slots(p), &p->memory, &p->host.log, &p->map);
    if (error == POSSE_OK) error = copy_recipe(p, "prior", &def->prior, &p->prior);
    posse_part chosen = selector_of(def);
    if (object_is_loading(p)) chosen = former_defaults_in(POSSE_FAMILY_SELECTOR, &chosen, NULL);
    posse_part selector = part_with_kept_defaults(POSSE_FAMILY_SELECTOR, &chosen, NULL);
    if (error == POSSE_OK) error = copy_recipe(p, "selector", &selector, &p->selector_recipe);
    if (error == POSSE_OK) error = object_check_prior(p, p->space);
    if (error != POSSE_OK) return error;
    if (space_has_dictionary(p->space)) {
        p->dictionary = arena_allocate(&p->memory, sizeof *p->dictionary);
        if (p->dictionary == NULL) return POSSE_ERROR_MEMORY;
    }
    p->point_numbers = space_is_ball(p->space) ? p->space->dim : space_row_numbers(p->space);
    p->point = arena_allocate(&p->memory, (size_t)p->point_numbers * sizeof(double));
    p->selector_draw = draw_make(&p->memory, SELECTOR_SLOTS);
    p->ties_draw = draw_make(&p->memory, TIES_SLOTS);
    if (p->point == NULL || p->selector_draw == NULL || p->ties_draw == NULL) return POSSE_ERROR_MEMORY;
    error = context_reserve(p->space, &p->memory, &p->features);
    if (error == POSSE_OK && p->selector_recipe != NULL) error = chooser_make(p, places, def->learner_count);
    p->estimates = p->propensity_draws > 0 && p->space->arms > 0 && p->floor == 0.0;
    p->keeps_propensity = p->floor > 0.0 || p->estimates;
    pending_open(&p->pending, p->point_numbers + p->keeps_propensity);
    return error;
}

static const posse_param *parameter_of(posse_family family, const posse_part *part_, const char *name) {
    return parameters_find(posse_kind_params(family, posse_kind_find(family, part_->kind)), name);
}

static bool object_believes(posse_family family, const posse_part *part_) {
    return parameter_of(family, part_, "belief") != NULL;
}

/* Whether a selector has a budget by default: bms-plus. For bms with one, which is rare, another block is allocated. */
static bool has_budget(const posse_part *selector) {
    const posse_param *budget = parameter_of(POSSE_FAMILY_SELECTOR, selector, "budget");
    return budget != NULL && budget->fallback > 0.0;
}

static size_t bytes_of_learner(const posse_part *learner, size_t arms) {
    size_t options = 0;
    while (options < POSSE_OPTIONS_MAX && learner->options[options].key != NULL) options++;
    return BYTES_OF_LEARNER(arms, options) +
           (object_believes(POSSE_FAMILY_LEARNER, learner) ? BYTES_OF_BELIEF(arms) : 0);
}

static size_t bytes_of_selector(const posse_part *selector, size_t arms, size_t places) {
    if (selector->kind == NULL) return 0;
    if (!object_believes(POSSE_FAMILY_SELECTOR, selector)) return BYTES_OF_SELECTOR(places);
    size_t budget = has_budget(selector) ? BYTES_OF_BUDGET(places, arms) : 0;
    return BYTES_OF_SELECTOR(places) + BYTES_OF_RECORDS(places, arms) + budget + 2 * BYTES_OF_BELIEF(arms);
}

static size_t bytes_of_posse(const posse_def *def, int places) {
    size_t arms = def->arms < ARMS_FEW ? (size_t)def->arms : ARMS_FEW;
    posse_part selector = selector_of(def);
    size_t bytes = BYTES_OF_POSSE + bytes_of_selector(&selector, arms, (size_t)places);
    for (int i = 0; i < def->learner_count; i++) bytes += bytes_of_learner(&def->learners[i], arms);
    return bytes;
}

posse_error object_open(const posse_def *def, const bool *retired, int slots, int places, size_t state_max,
                        posse **out) {
    posse *p = memory_allocate(&def->host.allocator, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->host = def->host;
    p->memory.allocator = p->space_memory.allocator = def->host.allocator;
    p->seed = def->seed;
    p->run = def->run;
    p->rounds = def->rounds;
    p->state_max = state_max;
    p->expiry = (expiry){def->expire_after, def->expire_reward};
    p->expire_learns = def->expire_learns;
    p->propensity_draws = def->propensity_draws;
    p->batch = 1;
    p->fit_mask = STREAMS_FIT_FIRST - 1;
    p->founding = true;
    if (places < PLACES_MIN) places = PLACES_MIN;
    posse_error error = arena_reserve(&p->memory, bytes_of_posse(def, places));
    if (error == POSSE_OK) error = object_fill(p, def, retired, slots, places);
    if (error != POSSE_OK) {
        posse_free(p);
        p = NULL;
    }
    *out = p;
    return error;
}

posse_error object_meet(posse *p, const known_features *known) {
    posse_error error = known->count > 0 && p->dictionary == NULL ? POSSE_ERROR_DAMAGED : POSSE_OK;
    if (p->dictionary == NULL) return error;
    for (int i = 0; i < known->count && error == POSSE_OK; i++) {
        bool again = dictionary_find(p->dictionary, known->indices[i]) >= 0;
        error = again ? POSSE_ERROR_DAMAGED : dictionary_add(p->dictionary, known->indices[i], &p->host.allocator);
    }
    p->space->known = p->dictionary->count;
    return error;
}

static bool object_is_unaided(const posse *p) {
    bool unaided = !space_has_contexts(p->space) && !p->selector.probes && p->floor_draw == NULL && p->modes == NULL;
    for (int i = 0; i < p->count && unaided; i++) unaided = !p->members[i].active || !p->members[i].external;
    return unaided;
}

static bool object_is_plain(const posse *p) {
    return object_is_unaided(p) && !p->fallible && !p->estimates && p->point_numbers == 0 && !p->space->episodes &&
           p->tallies == NULL && p->expiry.after == 0;
}

void object_review(posse *p) {
    p->unaided = object_is_unaided(p);
    p->plain = object_is_plain(p);
}

/* Afterwards no learner is chosen, and no decision is pending. */
static void forget_choices(posse *p) {
    p->current = 0;
    p->probability = 1.0;
    p->batch_left = 0;
    pending_clear(&p->pending);
    tallies_clear(p);
    modes_clear(p);
}

void object_begin(posse *p, uint32_t run) {
    p->founding = false;
    p->run = run;
    forget_choices(p);
    context_forget(p, 0);
    if (p->map != NULL) feature_map_begin(p->map, &p->host.allocator);
    members_start(p);
    chooser_start(p);
    chooser_share(p);
}

posse_error posse_next_task(posse *p) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    forget_choices(p);
    members_next_task(p);
    chooser_next_task(p);
    chooser_share(p);
    return POSSE_OK;
}

static posse_error check_expiry(const posse *p) {
    if (!p->expire_learns || object_reward_fits(p, p->expiry.reward)) return POSSE_OK;
    complain(&p->host.log, NULL, "expire_reward", "%g cannot be learned: %s", p->expiry.reward,
             posse_error_text(POSSE_ERROR_REWARD));
    return POSSE_ERROR_REWARD;
}

posse_error posse_create(const posse_def *given, posse **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (given == NULL) return POSSE_ERROR_ARGUMENT;
    posse *p = NULL;
    posse_part team[POSSE_RECOMMENDED_LEARNERS];
    posse_error error = check_cookie(given);
    if (error != POSSE_OK) return error;
    posse_def whole = with_learners(given, team);
    const posse_def *def = &whole;
    error = check_def(def);
    if (error == POSSE_OK) error = object_open(def, NULL, 0, def->learner_count, SIZE_MAX, &p);
    if (error == POSSE_OK) error = members_reserve(p, def->learner_count);
    for (int i = 0; i < def->learner_count && error == POSSE_OK; i++)
        error = members_add(p, &def->learners[i], def->learners[i].name);
    if (error == POSSE_OK) error = check_expiry(p);
    if (error != POSSE_OK) {
        posse_free(p);
        return error;
    }
    object_begin(p, def->run);
    *out = p;
    return POSSE_OK;
}

void posse_free(posse *p) {
    if (p == NULL) return;
    posse_allocator allocator = p->host.allocator;
    members_release(p);
    names_release(p);
    tallies_release(p);
    modes_release(p);
    feature_map_release(p->map, &allocator);
    streams_release(p);
    pending_release(&p->pending, &allocator);
    if (p->dictionary != NULL) dictionary_release(p->dictionary, &allocator);
    arena_release(&p->selector.memory);
    arena_release(&p->space_memory);
    arena_release(&p->memory);
    memory_release(&allocator, p);
}

/* ------------------------------------------------- a round ------------------------------------------------- */

/* Writes to the log why the selector's choice is refused. */
__attribute__((cold)) static posse_error object_refuse_learner(const posse *p, int learner, double probability) {
    posse_place where = {NULL, "selector", -1};
    if (!posse_learner_active(p, learner))
        complain(&p->host.log, &where, NULL, "chose learner %d, which is not an active one", learner);
    else
        complain(&p->host.log, &where, NULL, "chose learner %d with probability %g, which is not from 1e-30 to 1",
                 learner, probability);
    return POSSE_ERROR_LEARNER;
}

/* The body of object_choose_learner, which every round of object_choose needs too. */
static inline posse_error choose_learner(posse *p) {
    if (p->batch_left > 0) return POSSE_OK;
    const chooser *c = &p->selector;
    int learner = 0;
    double probability = 1.0;
    if (c->ops != NULL) learner = c->ops->choose(c->part.plan, c->state, p->selector_draw, p->ties_draw, &probability);
    bool active = learner >= 0 && learner < p->count && p->members[learner].active;
    if (!active || !object_is_probability(probability)) return object_refuse_learner(p, learner, probability);
    p->current = learner;
    p->probability = probability;
    p->batch_left = p->batch;
    return POSSE_OK;
}

posse_error object_choose_learner(posse *p) {
    return choose_learner(p);
}

/* On the ball there is a tolerance, since rounding may put a point of the surface slightly outside. */
bool object_has_arm(const posse *p, int arm, const double *point) {
    if (p->space->arms > 0) return arm >= 0 && arm < p->space->arms;
    return space_is_ball(p->space) && arm == -1 && dot(point, point, p->space->dim) <= 1.0 + 1e-9;
}

/* Retired arms cannot be picked. They still exist for object_has_arm: for late rewards, and plays outside the posse. */
static bool can_pick(const posse *p, int arm) {
    return object_has_arm(p, arm, p->point) && (p->space->retired == NULL || !p->space->retired[arm]);
}

/* Writes to the log why a learner's arm cannot be picked. */
__attribute__((cold)) static posse_error object_refuse_arm(const posse *p, int learner, int arm) {
    const member *m = &p->members[learner];
    posse_place where = {NULL, "learners", learner};
    if (space_has_contexts(p->space) && space_has(p->space, arm))
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked arm %d, which is not available in this round", m->name,
                 m->ops->kind.name, arm);
    else if (p->space->arms == 0)
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked no point of the unit ball", m->name,
                 m->ops->kind.name);
    else if (object_has_arm(p, arm, p->point))
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked arm %d, which is retired", m->name, m->ops->kind.name,
                 arm);
    else
        complain(&p->host.log, &where, NULL, "\"%s\" (%s) picked arm %d, and there are only arms 0 to %d", m->name,
                 m->ops->kind.name, arm, p->space->arms - 1);
    return POSSE_ERROR_ARM;
}

/* The arm that the selector picks itself; -1: none, the learner picks. */
static int named_arm(posse *p) {
    const chooser *c = &p->selector;
    return c->ops->probe(c->part.plan, c->state, p->current, p->selector_draw);
}

/* The arm of an external learner: it is reported later, unless the posse has no arms. */
static int outside_arm(const posse *p) {
    return space_is_empty(p->space) ? -1 : ARM_UNTOLD;
}

/* The arm that a learner picks: an index, or -1 on the ball. An invalid place in the round becomes an invalid arm. */
static inline int picked_arm(const posse *p, member *m, const posse_round *round) {
    if (round == NULL || m->ops->act_in == NULL) return m->ops->act(m->part.plan, m->state, m->draw, p->point);
    shared_state *shared = member_shared(m);
    const forecast *ahead = object_forecast(p);
    posse_estimates *known = ahead != NULL ? forecast_of(ahead, (int)(m - p->members)) : NULL;
    if (known == NULL && shared != NULL && shared->users > 1) known = &shared->estimates;
    int place_ = known != NULL ? m->ops->act_by(m->part.plan, m->state, m->draw, round, known)
                               : m->ops->act_in(m->part.plan, m->state, m->draw, round);
    return place_ >= 0 && place_ < round->count ? round->arms[place_] : p->space->arms;
}

static bool object_is_there(const posse *p, const posse_round *round, int arm) {
    return round != NULL ? round_place(round, arm) >= 0 : can_pick(p, arm);
}

/* Replaces the picked arm, with the probability of the floor, by one that is drawn evenly. Writes the propensity. */
static int object_raise_to_floor(posse *p, const posse_round *round, int picked, posse_decision *d) {
    const int *arms = round != NULL ? round->arms : p->space->active;
    int count = round != NULL ? round->count : p->space->active_count, arm = picked;
    if (posse_draw_uniform(p->floor_draw) < p->floor) {
        int k = (int)posse_draw_index(p->floor_draw, (uint64_t)count);
        arm = arms != NULL ? arms[k] : k;
    }
    d->floor = arm != picked;
    d->propensity = p->floor / count + (d->floor ? 0.0 : 1.0 - p->floor);
    return arm;
}

static inline const double *point_of(const posse *p, const posse_round *round, int arm) {
    if (round == NULL) return arm >= 0 ? space_point(p->space, arm) : p->point;
    context_copy_features(p->space, p->point, round_features(round, round_place(round, arm)));
    return p->point;
}

const double *object_point_of(const posse *p, const posse_round *round, int arm) {
    return point_of(p, round, arm);
}

/* The body of object_note_play, which every round of object_choose needs too. */
static inline void note_play(posse *p, int learner, const posse_round *round, int arm, const double *point) {
    const chooser *c = &p->selector;
    if (c->ops == NULL) return;
    if (round != NULL && c->ops->played_in != NULL)
        c->ops->played_in(c->part.plan, c->state, learner, round, round_place(round, arm), p->selector_draw);
    else
        c->ops->played(c->part.plan, c->state, learner, arm, point);
}

void object_note_play(posse *p, int learner, const posse_round *round, int arm, const double *point) {
    note_play(p, learner, round, arm, point);
}

/*
 * Collects the picks of all learners, for a selector that needs them. The chosen learner has picked this arm already,
 * and external learners cannot be asked. The selector gets the picks later, because one of them may be an arm that is
 * not available.
 */
static posse_error ask_others(posse *p, const posse_round *round, int picked) {
    const chooser *c = &p->selector;
    for (int i = 0; i < p->count; i++) {
        member *m = &p->members[i];
        c->picks[i] = -1;
        if (!m->active || (i != p->current && m->external)) continue;
        int arm = i == p->current ? picked : picked_arm(p, m, round);
        c->picks[i] = round_place(round, arm);
        if (c->picks[i] < 0) return object_refuse_arm(p, i, arm);
    }
    return POSSE_OK;
}

/* Estimates of an earlier round are wrong in this one. */
static void forget_estimates(const posse *p) {
    for (int i = 0; i < p->count; i++)
        if (p->members[i].shares && !p->members[i].echoes) shared_state_forget_estimates(member_shared(&p->members[i]));
}

/* Chooses the arm in the general case: in rounds with features, of external learners, with probes, a floor or modes. */
__attribute__((noinline)) static posse_error choose_any_arm(posse *p, member *m, const posse_round *round,
                                                            posse_decision *d) {
    if (round != NULL) forget_estimates(p);
    int arm = p->selector.probes ? named_arm(p) : -1;
    bool probe = arm >= 0, outside = !probe && m->external;
    if (outside)
        arm = outside_arm(p);
    else if (!probe)
        arm = picked_arm(p, m, round);
    if (!outside && !object_is_there(p, round, arm)) return object_refuse_arm(p, p->current, arm);
    bool considers = !outside && chooser_asks(&p->selector);
    posse_error error = considers ? ask_others(p, round, arm) : POSSE_OK;
    if (error != POSSE_OK) return error;
    *d = (posse_decision){.learner = p->current, .probability = p->probability, .probe = probe};
    int picked = arm;
    if (p->floor_draw != NULL && !outside && !probe) arm = object_raise_to_floor(p, round, arm, d);
    if (p->modes != NULL && !probe && modes_holds_back(p)) arm = modes_hold_back(p, round, picked, arm, d);
    if (d->mode == POSSE_HELD_BACK) outside = false;
    const double *point = outside ? NULL : point_of(p, round, arm);
    p->batch_left--;
    d->arm = arm;
    d->point = point;
    if (d->floor || d->mode == POSSE_HELD_BACK) return POSSE_OK;
    m->plays++;
    const chooser *c = &p->selector;
    if (considers)
        c->ops->considered(c->part.plan, c->state, round, c->picks, p->selector_draw);
    else if (arm != ARM_UNTOLD)
        note_play(p, p->current, round, arm, point);
    return POSSE_OK;
}

/* The same where the learner alone determines the arm (`unaided`). Most decisions are made here, so it is short. */
static inline posse_error choose_own_arm(posse *p, member *m, posse_decision *d) {
    int arm = m->ops->act(m->part.plan, m->state, m->draw, p->point);
    if (!can_pick(p, arm)) return object_refuse_arm(p, p->current, arm);
    const double *point = point_of(p, NULL, arm);
    *d = (posse_decision){.learner = p->current, .arm = arm, .probability = p->probability, .point = point};
    p->batch_left--;
    m->plays++;
    note_play(p, p->current, NULL, arm, point);
    return POSSE_OK;
}

posse_error object_choose(posse *p, const posse_round *round, posse_decision *d) {
    POSSE_ASSERT(p->unaided == object_is_unaided(p) && p->plain == object_is_plain(p));
    posse_error error = choose_learner(p);
    lockstep();
    if (error != POSSE_OK) return error;
    member *m = &p->members[p->current];
    return p->unaided ? choose_own_arm(p, m, d) : choose_any_arm(p, m, round, d);
}

posse_error object_refuse_episodes(const posse *p) {
    if (!p->space->episodes) return POSSE_OK;
    complain(&p->host.log, NULL, "episodes",
             "rounds are episodes, whose steps only posse_play reports; such a posse plays simulations alone");
    return POSSE_ERROR_ABSENT;
}

static inline void object_teach(const member *m, int arm, const double *point, double reward) {
    if (m->active && !m->echoes) m->ops->learn(m->part.plan, m->state, arm, m->blind ? NULL : point, reward);
}

void object_teach_all(posse *p, int arm, const double *point, double reward) {
    for (int i = 0; i < p->count; i++) object_teach(&p->members[i], arm, point, reward);
    const chooser *c = &p->selector;
    if (c->ops != NULL && c->ops->teach != NULL) c->ops->teach(c->part.plan, c->state, arm, point, reward);
}

static inline void teach_learners(posse *p, const posse_outcome *o) {
    if (p->share)
        for (const member *m = p->members, *end = m + p->count; m < end; m++)
            object_teach(m, o->arm, o->point, o->reward);
    else
        object_teach(&p->members[o->learner], o->arm, o->point, o->reward);
}

void object_learn(posse *p, const posse_outcome *o, bool floor) {
    POSSE_ASSERT(o->learner >= 0 && o->learner < p->count && object_reward_fits(p, o->reward));
    POSSE_ASSERT(o->arm < p->space->arms && o->arm != ARM_UNTOLD);
    if (floor) {
        object_teach_all(p, o->arm, o->point, o->reward);
        return;
    }
    if (!o->probe) teach_learners(p, o);
    const chooser *c = &p->selector;
    if (c->ops == NULL) return;
    if (c->model != NULL)
        c->ops->learn_by(c->part.plan, c->state, o, c->model);
    else
        c->ops->learn(c->part.plan, c->state, o);
}

/* ------------------------------------- adding and retiring learners ---------------------------------------- */

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
    chooser_share(p);
    if (out != NULL) *out = p->count - 1;
    return POSSE_OK;
}

posse_error posse_learner_retire(posse *p, int place_) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    if (!posse_learner_active(p, place_) || p->active == 1) {
        bool there = place_ >= 0 && place_ < p->count, active = there && p->members[place_].active;
        complain(&p->host.log, NULL, "learner",
                 active  ? "it is the last one that is active"
                 : there ? "it is retired already"
                         : "there is none at this place");
        return POSSE_ERROR_LEARNER;
    }
    p->selector.ops->retire(p->selector.part.plan, p->selector.state, place_);
    members_retire(p, place_);
    chooser_share(p);
    if (p->current == place_) p->batch_left = 0;
    return POSSE_OK;
}

const char *posse_selector(const posse *p) {
    return p != NULL && p->selector_recipe != NULL ? p->selector_recipe->kind : NULL;
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
