/* SPDX-License-Identifier: MIT */
/*
 * The learners of a posse: adding and retiring them, and their names. A call that fails leaves everything as it was.
 */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "model/abreast_form.h"
#include "model/registry.h"
#include "object/former_defaults.h"
#include "object/object.h"
#include "object/recipe.h"

static bool name_is_taken(const posse *p, const char *name) {
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->members[i].name, name) == 0) return true;
    return false;
}

static bool is_of_kind(const member *m, const char *kind) {
    return m->recipe != NULL && m->recipe->kind != NULL && strcmp(m->recipe->kind, kind) == 0;
}

/* A name made from the kind: "ucb", "ucb-2", "ucb-3", … */
static void make_name(const posse *p, const char *kind, char *made, size_t size) {
    int same = 0; /* learners of the kind: the first number to try, so that not all smaller ones are tried each time */
    for (int i = 0; i < p->count; i++) same += is_of_kind(&p->members[i], kind);
    snprintf(made, size, "%.64s", kind);
    for (int n = same + 1; name_is_taken(p, made); n++) snprintf(made, size, "%.64s-%d", kind, n < 2 ? 2 : n);
}

/* Old versions allowed names that are not UTF-8, so these are accepted while a saved posse is loaded. */
static posse_error check_name(const posse *p, const char *name, const posse_place *where) {
    if (name[0] == '\0') {
        complain(&p->host.log, where, "name", "is empty; leave it out to have one made from the kind");
        return POSSE_ERROR_NAME;
    }
    if (!object_is_loading(p) && name[utf8_valid(name)] != '\0') {
        complain(&p->host.log, where, "name", "is not UTF-8: its byte %zu is 0x%02x", utf8_valid(name) + 1,
                 (unsigned char)name[utf8_valid(name)]);
        return POSSE_ERROR_NAME;
    }
    if (name_is_taken(p, name)) {
        complain(&p->host.log, where, "name", "\"%s\" is taken; names must differ", name);
        return POSSE_ERROR_NAME;
    }
    return POSSE_OK;
}

/* A name stays taken after its learner is retired, so it is stored in the memory of the posse. */
static posse_error keep_name(posse *p, const char *name, member *m) {
    char *copy = arena_allocate(&p->memory, strlen(name) + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    m->name = strcpy(copy, name);
    return POSSE_OK;
}

/* The slots of a learner's stream. A learner with a radius, UCB, draws nothing, so it gets the smallest stream. */
static int members_slots_of(const posse *p, const part *learner) {
    const abreast_form *form = learner->kind->reserved;
    if (p->simulates) return STREAM_SLOTS;
    return form != NULL && form->radius != NULL ? 4 : LEARNER_SLOTS;
}

/* The memory of a learner: that of the posse, if it is created with the posse, or an arena of its own. */
static arena *members_memory(posse *p, member *m) {
    if (p->founding) return &p->memory;
    m->memory = arena_open(&p->host.allocator);
    return m->memory;
}

void members_free(const posse *p, member *m) {
    shared_state_leave(member_shared(m), &p->host.allocator);
    draw_release(m->draw, &p->host.allocator);
    arena_close(m->memory);
}

/* Learners of the same model learn the same rewards if rewards are shared. */
static bool members_may_share(const posse *p, const member *m) {
    return p->share && !m->blind && m->ops->same_model != NULL && m->ops->act_by != NULL;
}

static posse_error members_make_state(const posse *p, const posse_space *space, arena *memory, member *m) {
    if (members_may_share(p, m)) {
        shared_state *own = shared_state_make(&p->host.allocator, m->part.state_size, space->arms);
        m->shares = own != NULL;
        m->state = own != NULL ? own->numbers : NULL;
    } else
        m->state = arena_allocate(memory, m->part.state_size);
    return m->state != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* The defaults that may change are those of models, so a posse without coordinates and features need not keep any. */
static posse_part members_complete(const posse *p, const posse_space *space, const posse_part *description,
                                   const posse_part *prior) {
    if (space->dim == 0 && !space_has_contexts(space)) return *description;
    if (object_is_loading(p)) return former_defaults_in(POSSE_FAMILY_LEARNER, description, prior);
    return part_with_kept_defaults(POSSE_FAMILY_LEARNER, description, prior);
}

static posse_error make_member(posse *p, const posse_space *space, const posse_part *description,
                               const posse_place *where, member *m) {
    arena *memory = members_memory(p, m);
    if (memory == NULL) return POSSE_ERROR_MEMORY;
    posse_part prior = recipe_part(p->prior);
    posse_part whole = members_complete(p, space, description, &prior);
    posse_error error = recipe_copy(&whole, memory, &p->host.log, where, &m->recipe);
    if (error != POSSE_OK) return error;
    posse_part kept = recipe_part(m->recipe);
    part_context context = {.surroundings = object_surroundings(p, space, &prior),
                            .memory = memory,
                            .log = &p->host.log,
                            .where = where,
                            .kept = space != p->space || object_is_loading(p) || p->replays};
    error = part_make(&context, POSSE_FAMILY_LEARNER, &kept, &m->part);
    if (error != POSSE_OK) return error;
    m->ops = OPS_OF(posse_learner_ops, m->part.kind);
    m->external = learner_is_external(m->ops);
    m->blind = space_has_contexts(space) && m->ops->act_in == NULL;
    if (space_is_empty(p->space) && !m->external) {
        complain(&p->host.log, where, NULL, "there are no arms; only an external learner can do without");
        return POSSE_ERROR_FIT;
    }
    if (m->ops->act == NULL && !m->external && !space_has_contexts(space)) {
        complain(&p->host.log, where, "kind", "%s picks arms only in rounds with features, which this posse has not",
                 m->ops->kind.name);
        return POSSE_ERROR_FIT;
    }
    if (space_is_sparse(space) && m->ops->act_in != NULL &&
        !registry_is_built_in(POSSE_FAMILY_LEARNER, m->ops->kind.name)) {
        complain(&p->host.log, where, "kind", "%s is an extension, which cannot read sparse contexts",
                 m->ops->kind.name);
        return POSSE_ERROR_FIT;
    }
    if (m->part.state_size > p->state_max) return POSSE_ERROR_DAMAGED;
    m->draw = draw_make(memory, members_slots_of(p, &m->part));
    if (m->draw == NULL) return POSSE_ERROR_MEMORY;
    error = members_make_state(p, space, memory, m);
    if (error != POSSE_OK) return error;
    m->active = true;
    return POSSE_OK;
}

static posse_error resize_members(posse *p, int capacity) {
    member *members = memory_grow(&p->host.allocator, p->members, (size_t)capacity * sizeof *members);
    if (members == NULL) return POSSE_ERROR_MEMORY;
    p->members = members;
    p->capacity = capacity;
    return POSSE_OK;
}

posse_error members_reserve(posse *p, int count) {
    return p->capacity == 0 ? resize_members(p, count) : POSSE_OK;
}

static posse_error reserve_member(posse *p) {
    if (p->count < p->capacity) return POSSE_OK;
    if (p->count >= LEARNERS_MAX) {
        complain(&p->host.log, NULL, "learners", "at most %d", LEARNERS_MAX);
        return POSSE_ERROR_LEARNER;
    }
    return resize_members(p, p->capacity > 0 ? 2 * p->capacity : 4);
}

static void members_begin_task(member *m) {
    if (m->ops->next_task != NULL) m->ops->next_task(m->part.plan, m->state, m->draw);
}

static void start_member(const posse *p, member *m) {
    if (!m->echoes) part_start(&m->part, m->state);
    draw_start(m->draw, p->seed, p->run, stream_named(STREAM_LEARNER, m->name), 0);
    members_begin_task(m);
}

/* Whether a description and all parts inside it are of the library's own kinds. NULL: there is none. */
static bool is_all_built_in(posse_family family, const posse_part *part_) {
    bool all = registry_is_built_in(family, part_->kind);
    for (int i = 0; i < POSSE_OPTIONS_MAX && part_->options[i].key != NULL; i++) {
        const posse_option *o = &part_->options[i];
        size_t count = o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
        for (size_t k = 0; k < count; k++) all = all && is_all_built_in(POSSE_FAMILY_BELIEF, &o->part[k]);
    }
    return all;
}

static bool recipe_is_built_in(posse_family family, const kept_recipe *recipe) {
    posse_part described = recipe_part(recipe);
    return recipe == NULL || is_all_built_in(family, &described);
}

/* Without act_in a learner does not see which arms are available in a round. */
static bool members_can_fail(const posse *p) {
    bool can = !recipe_is_built_in(POSSE_FAMILY_SELECTOR, p->selector_recipe) ||
               !recipe_is_built_in(POSSE_FAMILY_BELIEF, p->prior);
    for (int i = 0; i < p->count && !can; i++) {
        const member *m = &p->members[i];
        if (!m->active) continue;
        can = !recipe_is_built_in(POSSE_FAMILY_LEARNER, m->recipe) ||
              (space_has_contexts(p->space) && m->ops->act_in == NULL);
    }
    return can;
}

static void members_refresh(posse *p) {
    p->fallible = members_can_fail(p);
    p->rewards = p->selector.ops != NULL ? part_rewards(POSSE_FAMILY_SELECTOR, &p->selector.part) : ALL_REWARDS;
    p->active = 0;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!m->active) continue;
        p->active++;
        p->rewards = rewards_common(p->rewards, part_rewards(POSSE_FAMILY_LEARNER, &m->part));
    }
    object_review(p);
}

/* ------------------------------------------- learners that share a state ------------------------------------ */

static bool members_are_alike(const member *a, const member *b) {
    return a->active && b->active && a->shares && b->shares && a->ops->same_model == b->ops->same_model &&
           a->ops->same_model(a->part.plan, b->part.plan);
}

static bool members_have_equal_states(const member *a, const member *b) {
    return a->state == b->state ||
           (a->part.state_size == b->part.state_size && memcmp(a->state, b->state, a->part.state_size) == 0);
}

/* The earliest learner whose state this one can use; NULL: there is none. */
static const member *members_find_equal(const posse *p, const member *m) {
    for (const member *earlier = p->members; earlier < m; earlier++)
        if (members_are_alike(earlier, m) && members_have_equal_states(earlier, m)) return earlier;
    return NULL;
}

static void members_share_one(posse *p, member *m) {
    const member *earlier = m->shares ? members_find_equal(p, m) : NULL;
    m->echoes = earlier != NULL;
    if (earlier == NULL || earlier->state == m->state) return;
    shared_state_leave(member_shared(m), &p->host.allocator);
    m->state = shared_state_join(member_shared(earlier))->numbers;
}

void members_share(posse *p) {
    for (int i = 0; i < p->count; i++) members_share_one(p, &p->members[i]);
}

/* The next learner that uses the state of one that leaves learns for those after it. */
static void members_pass_on(posse *p, const member *from) {
    member *next = p->members;
    if (!from->shares || from->echoes) return;
    while (next < p->members + p->count && (next == from || next->state != from->state)) next++;
    if (next < p->members + p->count) next->echoes = false;
}

static void members_refuse_reward(const posse *p, const posse_place *part_, posse_rewards r, double reward) {
    complain(&p->host.log, part_, NULL, "a reward of %g, but it learns only from those between %g and %g", reward,
             r.low, r.high);
}

/* Whether the reward is outside of the range that a part can learn from. If it is, the log gets a message. */
static bool members_refuses(const posse *p, const posse_place *part_, posse_rewards r, double reward) {
    if (reward >= r.low && reward <= r.high) return false;
    if (r.high < REAL_MAX || r.low == -REAL_MAX)
        members_refuse_reward(p, part_, r, reward);
    else
        complain(&p->host.log, part_, NULL, "a reward of %g, but it learns only from those of at least %g", reward,
                 r.low);
    return true;
}

posse_error object_refuse_reward(const posse *p, double reward) {
    const posse_place selector = {NULL, "selector", -1};
    bool told = !(reward >= -REAL_MAX && reward <= REAL_MAX);
    if (told) members_refuse_reward(p, NULL, p->rewards, reward);
    if (!told && p->selector.ops != NULL)
        told = members_refuses(p, &selector, part_rewards(POSSE_FAMILY_SELECTOR, &p->selector.part), reward);
    for (int i = 0; i < p->count && !told; i++) {
        const posse_place learner = {NULL, "learners", i};
        const member *m = &p->members[i];
        told = m->active && members_refuses(p, &learner, part_rewards(POSSE_FAMILY_LEARNER, &m->part), reward);
    }
    return POSSE_ERROR_REWARD;
}

void members_start(posse *p) {
    for (int i = 0; i < p->count; i++) {
        p->members[i].plays = 0;
        if (p->members[i].active) start_member(p, &p->members[i]);
    }
}

void members_next_task(posse *p) {
    for (int i = 0; i < p->count; i++) {
        p->members[i].plays = 0;
        member *m = &p->members[i];
        if (m->active && m->ops->next_task == NULL && !m->echoes) part_start(&m->part, m->state);
        if (m->active) members_begin_task(m);
    }
}

posse_error members_add(posse *p, const posse_part *description, const char *name) {
    posse_place where = {NULL, "learners", p->count};
    member m = {0};
    char made[80] = "?"; /* the name if there is no kind either; the part is refused for that below */
    posse_error error = reserve_member(p);
    if (error != POSSE_OK) return error;
    if (name == NULL && description->kind != NULL) make_name(p, description->kind, made, sizeof made);
    if (name == NULL) name = made;
    error = check_name(p, name, &where);
    if (error == POSSE_OK && description != NULL) error = make_member(p, p->space, description, &where, &m);
    if (error == POSSE_OK) error = keep_name(p, name, &m);
    if (error != POSSE_OK) {
        members_free(p, &m);
        return error;
    }
    p->members[p->count++] = m;
    if (m.active) start_member(p, &p->members[p->count - 1]);
    if (!object_is_loading(p)) members_share_one(p, &p->members[p->count - 1]);
    members_refresh(p);
    return POSSE_OK;
}

void members_drop_last(posse *p) {
    members_free(p, &p->members[--p->count]);
    members_refresh(p);
}

void members_retire(posse *p, int place_) {
    POSSE_ASSERT(place_ >= 0 && place_ < p->count && p->members[place_].active && p->active > 1);
    member *m = &p->members[place_];
    members_pass_on(p, m);
    members_free(p, m);
    *m = (member){.name = m->name, .plays = m->plays};
    members_refresh(p);
}

posse_error members_make_again(posse *p, const posse_space *space, int place_, member *out) {
    const member *former = &p->members[place_];
    posse_place where = {NULL, "learners", place_};
    *out = (member){.name = former->name, .plays = former->plays};
    if (!former->active) return POSSE_OK;
    posse_part recipe = recipe_part(former->recipe);
    posse_error error = make_member(p, space, &recipe, &where, out);
    if (error != POSSE_OK) return error;
    const posse_draw *draw = former->draw;
    draw_start(out->draw, draw->seed, draw->run, draw->stream, draw->position);
    part_grow(&out->part, out->state, &former->part, former->state);
    return POSSE_OK;
}

void members_release(posse *p) {
    while (p->count > 0) members_free(p, &p->members[--p->count]);
    memory_release(&p->host.allocator, p->members);
}
