/* SPDX-License-Identifier: MIT */
/*
 * EXP3.P (Bubeck, Cesa-Bianchi, Regret analysis of stochastic and nonstochastic multi-armed bandit problems, 2012),
 * with learners as arms. A gain G_i is estimated for every learner. Each round adds beta / p_i to all gains, and
 * x / p_i to the gain of the learner that played, where x is the place of its reward in the range. The choice is drawn
 * from
 *
 *     p = (1 - gamma) softmax(eta G) + gamma / M,
 *
 * beta = sqrt(ln(M / delta) / (M T)), eta = 0.95 sqrt(ln M / (M T)), gamma = min(1, 1.05 sqrt(M ln M / T)).
 *
 * The bonus beta / p_i does not wait for the reward. It is added when the play is made, so that it has the
 * probabilities of its own round even if rewards arrive late. A new learner begins with the gain that gives it 1 / M of
 * the softmax.
 */
#include <math.h>
#include <string.h>

#include "numeric/vectors.h"
#include "selector/earnings.h"
#include "selector/range.h"
#include "selector/selector.h"

enum { DELTA, RANGE };
enum { COLUMNS = 3 }; /* numbers per place */

static const posse_param params[] = {PARAMETER_DELTA(0.05), PARAMETER_RANGE, PARAMETERS_END};

typedef struct plan {
    int places;
    range range;
    double rounds, delta;
} plan;

typedef struct header {
    double learners;
    double clipped;
    double beta, eta, gamma; /* for that number of learners */
} header;

/* The state: the header, then COLUMNS numbers per place, column by column. */
typedef struct view {
    header *header;
    double *active; /* 1, or 0 for a place that is empty or retired */
    double *gain;
    double *chance; /* p at the latest choice */
} view;

static view exp3p_view_of(const plan *p, const void *state) {
    header *h = (header *)(uintptr_t)state;
    double *at = (double *)(h + 1);
    return (view){h, at, at + p->places, at + 2 * p->places};
}

static posse_error exp3p_prepare(const posse_setup *setup, void **out) {
    posse_error error = selector_needs_rounds(setup, "exp3p");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *given = setup->settings;
    *p = (plan){setup->learners, range_of(&given[RANGE]), (double)setup->rounds, given[DELTA].number};
    *out = p;
    return POSSE_OK;
}

static size_t exp3p_state_size(const void *plan_) {
    return sizeof(header) + COLUMNS * (size_t)((const plan *)plan_)->places * sizeof(double);
}

static void exp3p_tune(const plan *p, header *h, double learners) {
    double logarithm = posse_log(learners), plays = learners * p->rounds;
    double gamma = 1.05 * sqrt(learners * logarithm / p->rounds);
    h->learners = learners;
    h->beta = sqrt(posse_log(learners / p->delta) / plays);
    h->eta = 0.95 * sqrt(logarithm / plays);
    h->gamma = gamma < 1.0 ? gamma : 1.0;
}

static bool exp3p_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = exp3p_view_of(p, state);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) {
        if (v.active[i] != 0.0 && v.active[i] != 1.0) return false;
        if (!isfinite(v.gain[i]) || !(v.chance[i] >= 0.0 && v.chance[i] <= 1.0)) return false;
        active += v.active[i];
    }
    header right;
    exp3p_tune(p, &right, active);
    const header *h = v.header;
    return active > 0.0 && h->learners == active && h->beta == right.beta && h->eta == right.eta &&
           h->gamma == right.gamma && h->clipped >= 0.0 && h->clipped < 1e18;
}

static double largest_gain(const plan *p, view v) {
    double largest = -INFINITY;
    for (int i = 0; i < p->places; i++)
        if (v.active[i] != 0.0 && v.gain[i] > largest) largest = v.gain[i];
    return largest;
}

/* The weight of a place relative to that of the largest gain; 0 where no learner is active. */
static double exp3p_weight(view v, int i, double largest) {
    return v.active[i] != 0.0 ? posse_exp(v.header->eta * (v.gain[i] - largest)) : 0.0;
}

static void exp3p_admit(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    view v = exp3p_view_of(p, state);
    double others = v.header->learners, largest = largest_gain(p, v), sum = 0.0;
    exp3p_tune(p, v.header, others + 1.0);
    for (int i = 0; i < p->places; i++) sum += exp3p_weight(v, i, largest);
    if (others > 0.0) v.gain[learner] = largest + posse_log(sum / others) / v.header->eta;
    v.active[learner] = 1.0;
}

static void exp3p_retire(const void *plan_, void *state, int learner) {
    view v = exp3p_view_of(plan_, state);
    exp3p_tune(plan_, v.header, v.header->learners - 1.0);
    v.active[learner] = v.gain[learner] = 0.0;
}

static int exp3p_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)ties;
    const plan *p = plan_;
    view v = exp3p_view_of(p, state);
    const header *h = v.header;
    double largest = largest_gain(p, v), sum = 0.0;
    for (int i = 0; i < p->places; i++) sum += v.chance[i] = exp3p_weight(v, i, largest);
    for (int i = 0; i < p->places; i++) {
        double chance = (1.0 - h->gamma) * (v.chance[i] / sum) + h->gamma / h->learners;
        v.chance[i] = v.active[i] == 0.0 ? 0.0 : chance < 1.0 ? chance : 1.0;
    }
    int chosen = (int)posse_draw_weighted(draw, v.chance, (size_t)p->places);
    *probability = v.chance[chosen];
    return chosen;
}

static void exp3p_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)learner, (void)arm, (void)point;
    const plan *p = plan_;
    view v = exp3p_view_of(p, state);
    for (int i = 0; i < p->places; i++)
        if (v.active[i] != 0.0 && v.chance[i] > 0.0) v.gain[i] += v.header->beta / v.chance[i];
}

static void exp3p_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    view v = exp3p_view_of(p, state);
    double x = range_part(&p->range, o->reward, &v.header->clipped);
    if (v.active[o->learner] != 0.0) v.gain[o->learner] += x / o->probability;
}

static void exp3p_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *p = plan_, *q = smaller_plan;
    view to = exp3p_view_of(p, state), from = exp3p_view_of(q, smaller_state);
    *to.header = *from.header;
    copy_columns(to.active, p->places, from.active, q->places, COLUMNS);
}

static void exp3p_probabilities(const void *plan_, const void *state, int learners, double *out) {
    memcpy(out, exp3p_view_of(plan_, state).chance, (size_t)learners * sizeof *out);
}

static double exp3p_clipped(const void *plan_, const void *state) {
    return exp3p_view_of(plan_, state).header->clipped;
}

const posse_selector_ops selector_exp3p = {
    .kind =
        {.version = POSSE_EXTENSION_VERSION,
         .name = "exp3p",
         .help =
             "EXP3.P: exponential weights on importance-weighted rewards, with a bonus for learners that play seldom",
         .params = params,
         .prepare = exp3p_prepare,
         .state_size = exp3p_state_size,
         .sane = exp3p_sane,
         .grow = exp3p_adopt},
    .admit = exp3p_admit,
    .retire = exp3p_retire,
    .choose = exp3p_choose,
    .played = exp3p_played,
    .learn = exp3p_learn,
    .adopt = exp3p_adopt,
    .probabilities = exp3p_probabilities,
    .clipped = exp3p_clipped,
};
