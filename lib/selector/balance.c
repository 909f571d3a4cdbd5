/* SPDX-License-Identifier: MIT */
#include "selector/balance.h"

#include <math.h>
#include <string.h>

enum { CONFIDENCE, DELTA, DMIN };

const posse_param balance_params[] = {PARAMETER_SCALED_CONFIDENCE, PARAMETER_DELTA(0.01), PARAMETER_DMIN,
                                      PARAMETERS_END};

typedef balance_plan plan;

typedef struct account {
    double coefficient; /* d_i */
    double before;      /* phi_i before the latest play; the present phi_i is the charge in its earnings */
} account;
_Static_assert(sizeof(account) % 8 == 0, "a state is made of 8-byte numbers");

/* All rewards of learners that were not retired then. */
typedef struct rewards {
    double count, mean, scatter; /* scatter: the summed squares about the mean */
} rewards;

/*
 * The state: how many learners there are, then the earnings of every place, then the account of every place. If
 * something is scaled, the rewards of all learners come last.
 */
typedef struct view {
    double *learners;
    earnings *earnings;
    account *accounts;
    rewards *rewards;
} view;

static view balance_view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    earnings *list = (earnings *)(at + 1);
    account *accounts = (account *)(list + p->places);
    return (view){at, list, accounts, (rewards *)(accounts + p->places)};
}

static bool balance_scales(const plan *p) {
    return p->scales_radius || p->scales_coefficients;
}

posse_error balance_read(const posse_setup *setup, const posse_option *confidence_, const posse_option *delta,
                         const posse_option *dmin, const posse_option *best, size_t size, void **out) {
    plan *p = posse_setup_allocate(setup, size);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->places = setup->learners;
    p->scales_radius = confidence_->word != NULL;
    p->scales_coefficients = dmin != NULL && dmin->word != NULL;
    p->confidence = (confidence){p->scales_radius ? 1.0 : confidence_->number, delta->number};
    p->smallest = p->scales_coefficients ? 1.0 : dmin != NULL ? dmin->number : 0.0;
    p->knows_best = best != NULL;
    p->best = best != NULL ? best->number : 0.0;
    *out = p;
    return POSSE_OK;
}

posse_error balance_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    return balance_read(setup, &given[CONFIDENCE], &given[DELTA], &given[DMIN], NULL, sizeof(plan), out);
}

size_t balance_state_size(const void *plan_) {
    const plan *p = plan_;
    size_t list = (size_t)p->places * (sizeof(earnings) + sizeof(account));
    return sizeof(double) + list + (balance_scales(p) ? sizeof(rewards) : 0);
}

void balance_start(const void *plan_, void *state) {
    const plan *p = plan_;
    memset(state, 0, balance_state_size(p));
    earnings_start(balance_view_of(p, state).earnings, p->places);
}

static bool balance_rewards_sane(const rewards *r) {
    return r->count >= 0.0 && r->count < 1e18 && fabs(r->mean) <= 1e120 && r->scatter >= 0.0 && r->scatter <= 1e250;
}

bool balance_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = balance_view_of(p, state);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) {
        const account *a = &v.accounts[i];
        if (!isfinite(a->coefficient) || !isfinite(a->before)) return false;
        active += v.earnings[i].active;
    }
    return earnings_sane(v.earnings, p->places) && active == *v.learners &&
           (!balance_scales(p) || balance_rewards_sane(v.rewards));
}

/* A new learner begins as all the others did. */
void balance_admit(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    view v = balance_view_of(p, state);
    v.earnings[learner].active = 1.0;
    v.earnings[learner].charge = p->smallest;
    v.accounts[learner] = (account){p->smallest, p->smallest};
    *v.learners += 1.0;
    earnings_recount(v.earnings, p->places, &p->confidence, *v.learners);
}

void balance_retire(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    view v = balance_view_of(p, state);
    v.earnings[learner].active = 0.0;
    *v.learners -= 1.0;
    earnings_recount(v.earnings, p->places, &p->confidence, *v.learners);
}

int balance_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)draw, (void)ties;
    const plan *p = plan_;
    *probability = 1.0;
    return earnings_least(balance_view_of(p, state).earnings, p->places);
}

/* phi_i after `plays` plays, from its value before the latest one. */
static double potential_of(const account *a, double plays) {
    double wanted = a->coefficient * sqrt(plays), most = 2.0 * a->before;
    return wanted < a->before ? a->before : wanted > most ? most : wanted;
}

void balance_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)arm, (void)point;
    view v = balance_view_of(plan_, state);
    earnings *e = &v.earnings[learner];
    account *a = &v.accounts[learner];
    e->plays += 1.0;
    a->before = e->charge;
    e->charge = potential_of(a, e->plays);
}

static void balance_count_reward(rewards *r, double reward) {
    double distance = reward - r->mean;
    r->count += 1.0;
    r->mean += distance / r->count;
    r->scatter += distance * (reward - r->mean);
}

/* The standard deviation of all rewards, or 1 while they are equal. */
static double balance_unit(const rewards *r) {
    double unit = sqrt(r->scatter / r->count);
    return unit > SCALE_MIN ? unit : 1.0;
}

bool balance_hear(const balance_plan *p, void *state, const posse_outcome *o, balance_view *out) {
    view v = balance_view_of(p, state);
    earnings *e = &v.earnings[o->learner];
    if (e->active == 0.0) return false;
    earnings_hear(e, &p->confidence, *v.learners, o->reward);
    if (balance_scales(p)) balance_count_reward(v.rewards, o->reward);
    double factor = p->scales_radius ? balance_unit(v.rewards) : 1.0;
    double unit = p->scales_coefficients ? balance_unit(v.rewards) : 1.0;
    double low = p->knows_best ? p->best : earnings_low(v.earnings, p->places, factor);
    *out = (balance_view){.heard = e->heard,
                          .mean = e->mean / unit,
                          .radius = factor * e->radius / unit,
                          .sum = e->sum,
                          .low = low / unit,
                          .coefficient = v.accounts[o->learner].coefficient,
                          .smallest = p->smallest};
    return true;
}

void balance_raise(const balance_plan *p, void *state, int learner, double potential) {
    earnings *e = &balance_view_of(p, state).earnings[learner];
    if (potential > e->charge) e->charge = potential;
}

void balance_learn(const void *plan_, void *state, const posse_outcome *o, double (*revise)(const balance_view *v)) {
    balance_view given;
    if (!balance_hear(plan_, state, o, &given)) return;
    view v = balance_view_of(plan_, state);
    account *a = &v.accounts[o->learner];
    a->coefficient = revise(&given);
    v.earnings[o->learner].charge = potential_of(a, v.earnings[o->learner].plays);
}

double balance_double(const balance_view *v) {
    bool caught = v->mean + v->coefficient / sqrt(v->heard) + v->radius < v->low;
    return caught ? 2.0 * v->coefficient : v->coefficient;
}

void balance_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *q = smaller_plan;
    view to = balance_view_of(plan_, state), from = balance_view_of(q, smaller_state);
    *to.learners = *from.learners;
    memcpy(to.earnings, from.earnings, (size_t)q->places * sizeof *to.earnings);
    memcpy(to.accounts, from.accounts, (size_t)q->places * sizeof *to.accounts);
    if (balance_scales(q)) *to.rewards = *from.rewards;
}

void balance_potentials(const void *plan_, const void *state, int learners, double *out) {
    view v = balance_view_of(plan_, state);
    for (int i = 0; i < learners; i++) out[i] = v.earnings[i].active != 0.0 ? v.earnings[i].charge : INFINITY;
}
