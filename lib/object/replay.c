/* SPDX-License-Identifier: MIT */
/*
 * The value of a posse on a log. The posse decides in every row. If it picks the logged arm, it may accept the row and
 * learn from it. If p(a) is the probability with which the log plays arm a, the posse's arm is the logged one and is
 * accepted with probability p(a) (least / p(a)) = least, whatever the arm is. So acceptance does not depend on the
 * posse's preferences, and the accepted rows are rounds that it could have played itself.
 * Reference: Li, Chu, Langford and Wang, Unbiased offline evaluation of contextual-bandit-based news article
 * recommendation algorithms (WSDM 2011); Dudik, Erhan, Langford and Li, Sample-efficient nonstationary policy
 * evaluation for contextual bandits (UAI 2012).
 */
#include <string.h>

#include "environment/environment.h"
#include "object/object.h"
#include "object/round.h"

/* A posse as it was before its decision: everything that a choice changes, except the streams. */
typedef struct before {
    arena memory;
    void *selector, *learners; /* learners: the states of the learners that are asked, one after the other */
    int current, asked;        /* asked: the chosen learner, -1 before the choice */
    double probability;
    uint64_t batch_left, plays;
} before;

/* Whether learner i is asked for its arm if `chosen` is chosen. */
static bool is_asked(const posse *p, int chosen, int i) {
    return p->members[i].active && (i == chosen || p->selector.picks != NULL);
}

static posse_error open_before(before *b, const posse *p) {
    *b = (before){.memory = {.allocator = p->host.allocator}};
    size_t largest = 0, all = 0;
    for (int i = 0; i < p->count; i++) {
        size_t size = p->members[i].active ? p->members[i].part.state_size : 0;
        if (size > largest) largest = size;
        all += size;
    }
    b->selector = arena_allocate(&b->memory, p->selector.part.state_size);
    b->learners = arena_allocate(&b->memory, p->selector.picks != NULL ? all : largest);
    return b->selector != NULL && b->learners != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static void keep_selector(before *b, const posse *p) {
    b->current = p->current;
    b->probability = p->probability;
    b->batch_left = p->batch_left;
    b->asked = -1;
    if (p->selector.ops != NULL) memcpy(b->selector, p->selector.state, p->selector.part.state_size);
}

static void keep_learners(before *b, const posse *p) {
    if (!posse_learner_active(p, p->current)) return;
    b->asked = p->current;
    b->plays = p->members[b->asked].plays;
    char *at = b->learners;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!is_asked(p, b->asked, i)) continue;
        memcpy(at, m->state, m->part.state_size);
        at += m->part.state_size;
    }
}

static void replay_restore(const before *b, posse *p) {
    p->current = b->current;
    p->probability = b->probability;
    p->batch_left = b->batch_left;
    if (p->selector.ops != NULL) memcpy(p->selector.state, b->selector, p->selector.part.state_size);
    if (b->asked < 0) return;
    p->members[b->asked].plays = b->plays;
    const char *at = b->learners;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!is_asked(p, b->asked, i)) continue;
        memcpy(m->state, at, m->part.state_size);
        at += m->part.state_size;
    }
}

/* What a row adds to the sums of the estimate (posse_appraisal). */
typedef struct share {
    double term, weight;
} share;

static share share_of(const posse_environment *e, posse_estimate estimate, const posse_logged *row,
                      const posse_decision *d, bool accepted) {
    bool matches = d->arm == row->arm;
    double weight = matches ? 1.0 / row->probability : 0.0;
    if (estimate == POSSE_ESTIMATE_REPLAY) return (share){accepted ? row->reward : 0.0, accepted ? 1.0 : 0.0};
    if (estimate == POSSE_ESTIMATE_SNIPS) return (share){weight * row->reward, weight};
    if (estimate == POSSE_ESTIMATE_IPS) return (share){weight * row->reward, 1.0};
    double expected = e->ops->expected(e->part.plan, e->instance, d->arm, d->point);
    return (share){expected + weight * (matches ? row->reward - expected : 0.0), 1.0};
}

/* The random number for acceptance is drawn in every row, so that all posses get the same ones in a run. */
static posse_error replay_row(posse *p, posse_environment *e, const posse_logbook *log, before *b, posse_decision *d,
                              share *out) {
    const posse_round *round = environment_bring(e);
    posse_logged row = e->ops->logged(e->part.plan, e->instance);
    double lot = posse_draw_uniform(e->noise);
    if (!object_reward_fits(p, row.reward)) return POSSE_ERROR_REWARD;
    keep_selector(b, p);
    posse_error error = object_choose_learner(p);
    if (error == POSSE_OK) keep_learners(b, p);
    if (error == POSSE_OK) error = object_choose(p, round, d);
    bool accepted = error == POSSE_OK && d->arm == row.arm && lot < log->least_probability / row.probability;
    if (error == POSSE_OK) *out = share_of(e, log->estimate, &row, d, accepted);
    if (accepted)
        object_settle(p, d, row.reward);
    else
        replay_restore(b, p);
    return error;
}

static void write_row(const posse_appraisal *out, size_t i, const posse_decision *d, share added) {
    if (out->learners != NULL) out->learners[i] = d->learner;
    if (out->arms != NULL) out->arms[i] = d->arm;
    if (out->terms != NULL) out->terms[i] = added.term;
    if (out->weights != NULL) out->weights[i] = added.weight;
}

posse_error posse_replay(posse *p, posse_environment *e, size_t rows, const posse_appraisal *out) {
    if (p == NULL || e == NULL) return POSSE_ERROR_ARGUMENT;
    if (e->ops->logbook == NULL) return POSSE_ERROR_ABSENT;
    posse_logbook log = e->ops->logbook(e->part.plan);
    if (e->brought > log.rows || rows > log.rows - e->brought) return POSSE_ERROR_ARGUMENT;
    posse_error error = run_prepare(p, e);
    if (error != POSSE_OK) return error;
    before b;
    const posse_appraisal nobody_asks = {0};
    error = open_before(&b, p);
    for (size_t i = 0; i < rows && error == POSSE_OK; i++) {
        posse_decision d;
        share added = {0.0, 0.0};
        error = replay_row(p, e, &log, &b, &d, &added);
        if (error == POSSE_OK) write_row(out != NULL ? out : &nobody_asks, i, &d, added);
    }
    arena_release(&b.memory);
    return error;
}
