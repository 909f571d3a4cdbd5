/* SPDX-License-Identifier: MIT */
/*
 * Regret bound balancing with elimination (Pacchiano, Dann, Gentile, Bartlett, Regret bound balancing and elimination
 * for model selection in bandits and RL, 2020). Each learner comes with a candidate for its regret bound,
 * U_i = d_i sqrt(n_i). The learner with the smallest U_i is chosen; ties go to the lowest index. A learner whose
 * candidate cannot explain how little it has earned,
 *
 *     u_i / n_i + U_i / n_i + rad(i) < max over j of u_j / n_j - rad(j),
 *
 * is dropped: it does not play again and no longer counts as a j. The last learner is never dropped.
 *
 * U counts plays when they are made, the test counts the rewards that have arrived. A new learner has the coefficient
 * given for all, or the largest one of a list, so that it is played least and dropped last. If all learners that are
 * left were dropped, because the others have retired, all of them are taken back.
 */
#include <math.h>
#include <string.h>

#include "selector/earnings.h"
#include "selector/selector.h"

enum { COEFFICIENTS, CONFIDENCE, DELTA };

static const posse_param params[] = {{.name = "coefficients",
                                      .type = POSSE_REALS,
                                      .flags = POSSE_REQUIRED,
                                      .low = SCALE_MIN,
                                      .high = SCALE_MAX,
                                      .help = "d: learner i is said to have regret at most d_i sqrt(n) in n plays"},
                                     PARAMETER_CONFIDENCE,
                                     PARAMETER_DELTA(0.01),
                                     PARAMETERS_END};

typedef struct plan {
    int places;
    confidence confidence;
    const double *coefficients; /* of every place */
} plan;

/*
 * The state: how many learners there are, then the earnings of every place, then for every place whether a learner is
 * there (1) or not (0); a learner that is there but not active was dropped. The charge is U_i^2 = d_i^2 n_i: where
 * bounds tie on paper, charges tie too, as long as d_i^2 is exact.
 */
typedef struct view {
    double *learners;
    earnings *earnings;
    double *there;
} view;

static view view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    earnings *list = (earnings *)(at + 1);
    return (view){at, list, (double *)(list + p->places)};
}

static posse_error check_length(const posse_setup *setup, const posse_option *given) {
    if (given->list == NULL || setup->founders == 0 || given->count == (size_t)setup->founders) return POSSE_OK;
    return posse_setup_refuse(setup, "coefficients", -1, "a list of %zu numbers, but there are %d learners",
                              given->count, setup->founders);
}

static void fill_coefficients(const posse_option *given, double *out, int places) {
    double largest = given->list != NULL ? 0.0 : given->number;
    for (size_t i = 0; i < given->count; i++) largest = given->list[i] > largest ? given->list[i] : largest;
    for (int i = 0; i < places; i++) out[i] = (size_t)i < given->count ? given->list[i] : largest;
}

static posse_error prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    posse_error error = check_length(setup, &given[COEFFICIENTS]);
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    double *coefficients = posse_setup_allocate(setup, (size_t)setup->learners * sizeof *coefficients);
    if (p == NULL || coefficients == NULL) return POSSE_ERROR_MEMORY;
    fill_coefficients(&given[COEFFICIENTS], coefficients, setup->learners);
    *p = (plan){setup->learners, {given[CONFIDENCE].number, given[DELTA].number}, coefficients};
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return sizeof(double) + (size_t)((const plan *)plan_)->places * (sizeof(earnings) + sizeof(double));
}

static void start(const void *plan_, void *state) {
    const plan *p = plan_;
    memset(state, 0, state_size(p));
    earnings_start(view_of(p, state).earnings, p->places);
}

static bool sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = view_of(p, state);
    double there = 0.0;
    for (int i = 0; i < p->places; i++) {
        if ((v.there[i] != 0.0 && v.there[i] != 1.0) || v.there[i] < v.earnings[i].active) return false;
        there += v.there[i];
    }
    return earnings_sane(v.earnings, p->places) && there == *v.learners;
}

static void recount(const plan *p, view v, double learners) {
    *v.learners = learners;
    earnings_recount(v.earnings, p->places, &p->confidence, learners);
}

static void admit(const void *plan_, void *state, int learner) {
    view v = view_of(plan_, state);
    v.earnings[learner].active = v.there[learner] = 1.0;
    recount(plan_, v, *v.learners + 1.0);
}

static void retire(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    view v = view_of(p, state);
    v.earnings[learner].active = v.there[learner] = 0.0;
    recount(p, v, *v.learners - 1.0);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) active += v.earnings[i].active;
    for (int i = 0; i < p->places && active == 0.0; i++) v.earnings[i].active = v.there[i];
}

static int choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)draw, (void)ties;
    const plan *p = plan_;
    *probability = 1.0;
    return earnings_least(view_of(p, state).earnings, p->places);
}

static void played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)arm, (void)point;
    const plan *p = plan_;
    view v = view_of(p, state);
    v.earnings[learner].plays += 1.0;
    double coefficient = p->coefficients[learner];
    v.earnings[learner].charge = coefficient * coefficient * v.earnings[learner].plays;
}

/* The learner with the largest lower bound is never dropped, so that at least one stays. */
static void drop_misfits(const plan *p, view v) {
    double low = earnings_low(v.earnings, p->places);
    for (int i = 0; i < p->places; i++) {
        earnings *e = &v.earnings[i];
        if (e->active == 0.0 || e->heard == 0.0) continue;
        if (e->mean + p->coefficients[i] / sqrt(e->heard) + e->radius < low) e->active = 0.0;
    }
}

static void learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    view v = view_of(p, state);
    earnings *e = &v.earnings[o->learner];
    if (v.there[o->learner] == 0.0) return;
    earnings_hear(e, &p->confidence, *v.learners, o->reward);
    drop_misfits(p, v);
}

static void adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *q = smaller_plan;
    view to = view_of(plan_, state), from = view_of(q, smaller_state);
    *to.learners = *from.learners;
    memcpy(to.earnings, from.earnings, (size_t)q->places * sizeof *to.earnings);
    memcpy(to.there, from.there, (size_t)q->places * sizeof *to.there);
}

static void potentials(const void *plan_, const void *state, int learners, double *out) {
    view v = view_of(plan_, state);
    for (int i = 0; i < learners; i++) out[i] = v.earnings[i].active != 0.0 ? sqrt(v.earnings[i].charge) : INFINITY;
}

const posse_selector_ops selector_balancing = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "balancing",
             .help = "regret bound balancing: the least of the bounds given; learners that break theirs are dropped",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .start = start,
             .sane = sane},
    .admit = admit,
    .retire = retire,
    .choose = choose,
    .played = played,
    .learn = learn,
    .adopt = adopt,
    .potentials = potentials,
};
