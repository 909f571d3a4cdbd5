/* SPDX-License-Identifier: MIT */
#include "selector/balance.h"

#include <math.h>
#include <string.h>

enum { CONFIDENCE, DELTA, DMIN };

#define AUTO "auto" /* the only word that these options have */

const posse_param balance_params[] = {
    {.name = "confidence",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_KEPT,
     .fallback_word = AUTO,
     .words = AUTO,
     .low = 0.0,
     .high = SCALE_MAX,
     .help = "factor on the confidence radius of a learner's mean reward; auto: the sd of all rewards so far"},
    PARAMETER_DELTA(0.01),
    {.name = "dmin",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_KEPT,
     .fallback_word = AUTO,
     .words = AUTO,
     .low = SCALE_MIN,
     .high = SCALE_MAX,
     .help = "first and smallest regret coefficient of a learner; auto: the sd of all rewards so far"},
    PARAMETERS_END};

typedef struct plan {
    int places;
    confidence confidence;                   /* with a scaled radius, its factor is 1 */
    double smallest;                         /* with scaled coefficients, 1 */
    bool scales_radius, scales_coefficients; /* by the standard deviation of rewards */
} plan;

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

posse_error balance_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *given = setup->settings;
    p->places = setup->learners;
    p->scales_radius = given[CONFIDENCE].word != NULL;
    p->scales_coefficients = given[DMIN].word != NULL;
    p->confidence = (confidence){p->scales_radius ? 1.0 : given[CONFIDENCE].number, given[DELTA].number};
    p->smallest = p->scales_coefficients ? 1.0 : given[DMIN].number;
    *out = p;
    return POSSE_OK;
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

void balance_learn(const void *plan_, void *state, const posse_outcome *o, double (*revise)(const balance_view *v)) {
    const plan *p = plan_;
    view v = balance_view_of(p, state);
    earnings *e = &v.earnings[o->learner];
    account *a = &v.accounts[o->learner];
    if (e->active == 0.0) return;
    earnings_hear(e, &p->confidence, *v.learners, o->reward);
    if (balance_scales(p)) balance_count_reward(v.rewards, o->reward);
    double factor = p->scales_radius ? balance_unit(v.rewards) : 1.0;
    double unit = p->scales_coefficients ? balance_unit(v.rewards) : 1.0,
           low = earnings_low(v.earnings, p->places, factor);
    a->coefficient = revise(
        &(balance_view){e->heard, e->mean / unit, factor * e->radius / unit, low / unit, a->coefficient, p->smallest});
    e->charge = potential_of(a, e->plays);
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
