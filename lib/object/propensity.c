/* SPDX-License-Identifier: MIT */
/*
 * Propensities: the probability of each learner and each arm in the next round. They are estimated by repeating the
 * choice on copies of the states, with random numbers from a separate stream.
 */
#include <math.h>
#include <string.h>

#include "object/modes.h"
#include "object/object.h"

/* Copies of the states for the simulated choices, and sums of their results. */
typedef struct rehearsal {
    const posse *p;
    const posse_round *round; /* NULL if rounds have no features */
    arena memory;
    void *selector; /* a copy of the selector's state */
    void *learner;  /* room for a copy of any learner's state */
    double *point, *given;
    posse_draw *draw;
    double *learners, *learner_squares, *arms;
} rehearsal;

static size_t largest_state(const posse *p) {
    size_t size = 0;
    for (int i = 0; i < p->count; i++)
        if (p->members[i].active && p->members[i].part.state_size > size) size = p->members[i].part.state_size;
    return size;
}

/* Each decision has a stream of its own, so that decisions share no draws, however many an estimate takes. */
static uint64_t propensity_stream(const posse *p) {
    uint64_t first = stream_named(STREAM_INSIGHT, "propensity"), names = ((uint64_t)1 << 40) - 1;
    return (first & ~names) | ((first + p->decisions) & names);
}

static posse_error open_rehearsal(rehearsal *r, const posse *p, const posse_round *round) {
    *r = (rehearsal){.p = p, .round = round, .memory = {.allocator = p->host.allocator}};
    size_t learners = (size_t)p->count * sizeof(double), arms = (size_t)p->space->arms * sizeof(double);
    size_t states = p->selector.part.state_size + largest_state(p), point = (size_t)p->space->dim * sizeof(double);
    /* Reserved at once, with room for the alignment of each. */
    if (arena_reserve(&r->memory, states + point + 3 * learners + arms + sizeof *r->draw + 8 * 64) != POSSE_OK)
        return POSSE_ERROR_MEMORY;
    r->selector = arena_allocate(&r->memory, p->selector.part.state_size);
    r->learner = arena_allocate(&r->memory, largest_state(p));
    r->point = arena_allocate(&r->memory, point);
    r->given = arena_allocate(&r->memory, learners);
    r->learners = arena_allocate(&r->memory, learners);
    r->learner_squares = arena_allocate(&r->memory, learners);
    r->arms = arena_allocate(&r->memory, arms);
    r->draw = arena_allocate(&r->memory, sizeof *r->draw);
    bool all = r->selector && r->learner && r->point && r->given && r->learners && r->learner_squares && r->arms;
    if (!all || r->draw == NULL) return POSSE_ERROR_MEMORY;
    draw_open(r->draw, p->seed, p->run, propensity_stream(p), 0);
    return POSSE_OK;
}

/*
 * Chooses the learner of the next round, and writes the probability of each learner, given what was drawn, to r->given.
 * -1: the selector has chosen a learner that does not exist or is retired.
 */
static int propensity_choose(rehearsal *r) {
    const posse *p = r->p;
    const chooser *c = &p->selector;
    double probability = 1.0;
    int learner = p->batch_left > 0 ? p->current : 0;
    memset(r->given, 0, (size_t)p->count * sizeof *r->given);
    if (c->ops != NULL) memcpy(r->selector, c->state, c->part.state_size);
    if (c->ops != NULL && p->batch_left == 0)
        learner = c->ops->choose(c->part.plan, r->selector, r->draw, r->draw, &probability);
    if (!posse_learner_active(p, learner)) return -1;
    r->given[learner] = 1.0;
    if (probability < 1.0 && c->ops->probabilities != NULL)
        c->ops->probabilities(c->part.plan, r->selector, p->count, r->given);
    return learner;
}

/* The arm that the learner would play; -1: it is unknown, or not one of the arms. */
static int propensity_act(rehearsal *r, int learner) {
    const posse *p = r->p;
    const chooser *c = &p->selector;
    const member *m = &p->members[learner];
    int arm = c->probes ? c->ops->probe(c->part.plan, r->selector, learner, r->draw) : -1;
    if (arm >= 0 || m->external) return arm < p->space->arms ? arm : -1;
    memcpy(r->learner, m->state, m->part.state_size);
    if (r->round != NULL && m->ops->act_in != NULL) {
        int place_ = m->ops->act_in(m->part.plan, r->learner, r->draw, r->round);
        return place_ >= 0 && place_ < r->round->count ? r->round->arms[place_] : -1;
    }
    arm = m->ops->act(m->part.plan, r->learner, r->draw, r->point);
    return arm < p->space->arms ? arm : -1;
}

static posse_error propensity_rehearse(rehearsal *r, uint32_t draws) {
    for (uint32_t i = 0; i < draws; i++) {
        int learner = propensity_choose(r);
        if (learner < 0) return POSSE_ERROR_LEARNER;
        int arm = propensity_act(r, learner);
        if (arm >= 0) r->arms[arm] += 1.0;
        for (int k = 0; k < r->p->count; k++) {
            r->learners[k] += r->given[k];
            r->learner_squares[k] += r->given[k] * r->given[k];
        }
    }
    return POSSE_OK;
}

/* The mean of `draws` numbers and its standard error, from their sum and the sum of their squares. */
static void propensity_write_share(double sum, double squares, double draws, int at, double *shares, double *errors) {
    double mean = sum / draws, variance = squares / draws - mean * mean;
    if (shares != NULL) shares[at] = mean;
    if (errors != NULL) errors[at] = sqrt(variance > 0.0 ? variance / draws : 0.0);
}

/* Corrects the estimates for the floor, which lowers the share of every pick and adds its own to available arms. */
static void propensity_raise_to_floor(const posse *p, const posse_round *round, int arm, const posse_propensity *out) {
    bool there = round != NULL ? round_place(round, arm) >= 0 : space_has(p->space, arm);
    int count = round != NULL ? round->count : p->space->active_count;
    if (p->floor == 0.0) return;
    if (out->arms != NULL) out->arms[arm] = (1.0 - p->floor) * out->arms[arm] + (there ? p->floor / count : 0.0);
    if (out->arm_errors != NULL) out->arm_errors[arm] *= 1.0 - p->floor;
}

static posse_error propensity_propensities(const posse *p, const posse_round *round, uint32_t draws,
                                           const posse_propensity *out) {
    if ((out->arms != NULL || out->arm_errors != NULL) && p->space->arms == 0) return POSSE_ERROR_ABSENT;
    rehearsal r;
    posse_error error = open_rehearsal(&r, p, round);
    if (error == POSSE_OK) error = propensity_rehearse(&r, draws);
    if (error == POSSE_OK) {
        for (int i = 0; i < p->count; i++)
            propensity_write_share(r.learners[i], r.learner_squares[i], draws, i, out->learners, out->learner_errors);
        for (int a = 0; a < p->space->arms; a++) {
            propensity_write_share(r.arms[a], r.arms[a], draws, a, out->arms, out->arm_errors);
            propensity_raise_to_floor(p, round, a, out);
        }
    }
    arena_release(&r.memory);
    return error;
}

posse_error posse_propensities(const posse *p, const posse_context *context, uint32_t draws,
                               const posse_propensity *out) {
    if (p == NULL || out == NULL || draws == 0) return POSSE_ERROR_ARGUMENT;
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    posse_error error = context_round(p, context, &room, &round);
    if (error == POSSE_OK) error = propensity_propensities(p, round, draws, out);
    if (error == POSSE_OK && p->modes != NULL) modes_correct(p, round, out);
    context_forget(p, known);
    return error;
}

uint32_t posse_propensity_draws(const posse *p) {
    return p != NULL ? p->propensity_draws : 0;
}

posse_error propensity_of_arms(const posse *p, const posse_round *round, uint32_t draws, double *arms) {
    return propensity_propensities(p, round, draws, &(posse_propensity){.arms = arms});
}
