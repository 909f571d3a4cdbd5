/* SPDX-License-Identifier: MIT */
#include "selector/bounds.h"

#include <math.h>
#include <string.h>

bounds_view bounds_of(const bounds_plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    earnings *list = (earnings *)(at + 1);
    return (bounds_view){at, list, (double *)(list + p->places)};
}

/* ------------------------------------------- making and starting ------------------------------------------- */

static double bounds_largest_of(const posse_option *setting) {
    double largest = setting->list != NULL ? setting->list[0] : setting->number;
    for (size_t i = 0; i < setting->count; i++) largest = setting->list[i] > largest ? setting->list[i] : largest;
    return largest;
}

posse_error bounds_numbers(const posse_setup *setup, const posse_option *setting, const double **out) {
    bool listed = setting->list != NULL, grown = setup->founders == 0;
    if (listed && !grown && setting->count != (size_t)setup->founders)
        return posse_setup_refuse(setup, setting->key, -1, "a list of %zu numbers, but there are %d learners",
                                  setting->count, setup->founders);
    double *numbers = posse_setup_allocate(setup, (size_t)setup->learners * sizeof *numbers);
    if (numbers == NULL) return POSSE_ERROR_MEMORY;
    double largest = bounds_largest_of(setting);
    for (int i = 0; i < setup->learners; i++) numbers[i] = (size_t)i < setting->count ? setting->list[i] : largest;
    *out = numbers;
    return POSSE_OK;
}

size_t bounds_state_size(const void *plan) {
    return sizeof(double) + (size_t)((const bounds_plan *)plan)->places * (sizeof(earnings) + sizeof(double));
}

void bounds_start(const void *plan, void *state) {
    const bounds_plan *p = plan;
    memset(state, 0, bounds_state_size(p));
    earnings_start(bounds_of(p, state).earnings, p->places);
}

bool bounds_sane(const void *plan, const void *state) {
    const bounds_plan *p = plan;
    bounds_view v = bounds_of(p, state);
    double there = 0.0;
    for (int i = 0; i < p->places; i++) {
        if ((v.there[i] != 0.0 && v.there[i] != 1.0) || v.there[i] < v.earnings[i].active) return false;
        there += v.there[i];
    }
    return earnings_sane(v.earnings, p->places) && there == *v.learners;
}

/* ----------------------------------------- learners join and leave ----------------------------------------- */

static void bounds_recount(const bounds_plan *p, bounds_view v, double learners) {
    *v.learners = learners;
    earnings_recount(v.earnings, p->places, &p->confidence, learners);
}

void bounds_admit(const void *plan, void *state, int learner) {
    bounds_view v = bounds_of(plan, state);
    v.earnings[learner].active = v.there[learner] = 1.0;
    bounds_recount(plan, v, *v.learners + 1.0);
}

void bounds_retire(const void *plan, void *state, int learner) {
    bounds_view v = bounds_of(plan, state);
    v.earnings[learner].active = v.there[learner] = 0.0;
    bounds_recount(plan, v, *v.learners - 1.0);
}

void bounds_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state) {
    const bounds_plan *q = smaller_plan;
    bounds_view to = bounds_of(plan, state), from = bounds_of(q, smaller_state);
    *to.learners = *from.learners;
    memcpy(to.earnings, from.earnings, (size_t)q->places * sizeof *to.earnings);
    memcpy(to.there, from.there, (size_t)q->places * sizeof *to.there);
}

/* -------------------------------------------------- a round ------------------------------------------------ */

int bounds_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)draw, (void)ties;
    const bounds_plan *p = plan;
    *probability = 1.0;
    return earnings_least(bounds_of(p, state).earnings, p->places);
}

void bounds_played(const void *plan, void *state, int learner, int arm, const double *point) {
    (void)arm, (void)point;
    const bounds_plan *p = plan;
    earnings *e = &bounds_of(p, state).earnings[learner];
    e->plays += 1.0;
    e->charge = p->slopes[learner] * p->slopes[learner] * e->plays;
}

bool bounds_hear(const bounds_plan *p, void *state, const posse_outcome *o) {
    bounds_view v = bounds_of(p, state);
    if (v.there[o->learner] == 0.0) return false;
    earnings_hear(&v.earnings[o->learner], &p->confidence, *v.learners, o->reward);
    return true;
}

double bounds_most(const bounds_plan *p, const earnings *e, int learner) {
    return e->mean + p->coefficients[learner] / sqrt(e->heard) + e->radius;
}

void bounds_potentials(const void *plan, const void *state, int learners, double *out) {
    bounds_view v = bounds_of(plan, state);
    for (int i = 0; i < learners; i++) out[i] = v.earnings[i].active != 0.0 ? sqrt(v.earnings[i].charge) : INFINITY;
}
