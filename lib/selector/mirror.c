/* SPDX-License-Identifier: MIT */
#include "selector/mirror.h"

#include <math.h>
#include <string.h>

#include "numeric/vectors.h"

enum { RATE, RANGE };
enum { COLUMNS = 4 }; /* numbers per place */

const posse_param mirror_params[] = {{.name = "rate",
                                      .type = POSSE_TYPE_REAL,
                                      .flags = POSSE_PARAM_OPTIONAL,
                                      .low = 1e-12,
                                      .high = 1e6,
                                      .help = "eta: the learning rate; default 1 / sqrt(rounds)"},
                                     PARAMETER_RANGE,
                                     PARAMETERS_END};

typedef struct header {
    double learners;
    double plays;
    double clipped;
} header;

/* The state: the header, then COLUMNS numbers per place, column by column. A place with p = 0 is empty. */
typedef struct view {
    header *header;
    double *p, *chance, *rate, *floor; /* chance: q at the latest choice */
} view;

static view mirror_view_of(const mirror_plan *p, const void *state) {
    header *h = (header *)(uintptr_t)state;
    double *at = (double *)(h + 1);
    return (view){h, at, at + p->places, at + 2 * p->places, at + 3 * p->places};
}

/* ------------------------------------------------- the step ------------------------------------------------ */

/*
 * The largest accepted distance of the sum from 1: about the rounding error of a sum of many terms, and well within the
 * 1e-12 that is promised.
 */
#define SOLVED 1e-14
#define STEPS_MAX 200
#define RATE_MAX 1e12 /* in a saved state: rates begin at 1e6 at most and seldom grow tenfold */

typedef struct step {
    const double *p, *rate;
    int count, loser;
    double loss;
} step;

/* 1 / (1 / p_j + rate_j (l_j - lambda)), with one division. Not positive where lambda is too large. */
static double mirror_stepped(const step *s, int j, double lambda) {
    double loss = j == s->loser ? s->loss : 0.0;
    return s->p[j] / (1.0 + s->p[j] * s->rate[j] * (loss - lambda));
}

/* The sum of the new probabilities at a lambda, infinite if lambda is too large, and the slope of the sum. */
static double mirror_sum_at(const step *s, double lambda, double *slope) {
    double sum = 0.0;
    bool positive = true;
    *slope = 0.0;
    for (int j = 0; j < s->count; j++) {
        double own = mirror_stepped(s, j, lambda);
        positive = positive && own >= 0.0 && own < INFINITY;
        sum += own;
        *slope += s->rate[j] * own * own;
    }
    return positive ? sum : INFINITY;
}

/*
 * The sum grows with lambda and is convex, so Newton's steps approach the solution from above. A step that leaves the
 * interval known to contain the solution is replaced by halving that interval.
 */
static double mirror_solve(const step *s) {
    double low = 0.0, high = s->loss, lambda = 0.0, slope;
    for (int i = 0; i < STEPS_MAX; i++) {
        double excess = mirror_sum_at(s, lambda, &slope) - 1.0;
        if (fabs(excess) <= SOLVED) break;
        *(excess > 0.0 ? &high : &low) = lambda;
        double next = lambda - excess / slope;
        if (!(next > low && next < high)) next = low + 0.5 * (high - low);
        if (next == lambda) return excess < INFINITY ? lambda : low; /* no double is between the ends */
        lambda = next;
    }
    return lambda;
}

void mirror_step(const double *p, const double *rate, int count, int loser, double loss, double *out) {
    step s = {p, rate, count, loser, loss};
    double lambda = mirror_solve(&s);
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += out[j] = mirror_stepped(&s, j, lambda);
    for (int j = 0; j < count; j++) out[j] /= sum; /* removes the error of a lambda of 53 bits if rate * loss is huge */
}

/* ------------------------------------------- making and starting ------------------------------------------- */

posse_error mirror_prepare(const posse_setup *setup, const char *kind, mirror_plan *out) {
    posse_error error = selector_needs_rounds(setup, kind);
    if (error != POSSE_OK) return error;
    const posse_option *rate = &setup->settings[RATE];
    double rounds = (double)setup->rounds, logarithm = posse_log(rounds);
    *out = (mirror_plan){.places = setup->learners,
                         .range = range_of(&setup->settings[RANGE]),
                         .rate = rate->key != NULL ? rate->number : 1.0 / sqrt(rounds),
                         .gamma = 1.0 / rounds,
                         .growth = posse_exp(1.0 / (logarithm > 1.0 ? logarithm : 1.0))};
    return POSSE_OK;
}

size_t mirror_state_size(const void *plan) {
    return sizeof(header) + COLUMNS * (size_t)((const mirror_plan *)plan)->places * sizeof(double);
}

bool mirror_sane(const void *plan, const void *state) {
    const mirror_plan *p = plan;
    view v = mirror_view_of(p, state);
    double there = 0.0, sum = 0.0;
    for (int i = 0; i < p->places; i++) {
        bool fine = v.p[i] >= 0.0 && v.p[i] <= 1.0 + 1e-9 && v.chance[i] >= 0.0 && v.chance[i] <= 1.0 + 1e-9;
        if (!fine || !(v.rate[i] >= 0.0 && v.rate[i] <= RATE_MAX) || !(v.floor[i] >= 0.0)) return false;
        there += v.p[i] > 0.0;
        sum += v.p[i];
    }
    const header *h = v.header;
    return there > 0.0 && there == h->learners && fabs(sum - 1.0) < 1e-9 && h->plays >= 0.0 && h->clipped >= 0.0 &&
           isfinite(h->plays) && h->clipped < 1e18;
}

/* ----------------------------------------- learners join and leave ----------------------------------------- */

static void make_even(const mirror_plan *p, view v) {
    double share = 1.0 / v.header->learners;
    for (int i = 0; i < p->places; i++) {
        if (v.p[i] == 0.0) continue;
        v.p[i] = share;
        v.floor[i] = 0.5 * share;
    }
}

/* Scales the floors too, so that admitting a learner does not raise the learning rates of the others. */
static void scale_others(const mirror_plan *p, view v, double factor) {
    for (int i = 0; i < p->places; i++) {
        v.p[i] *= factor;
        v.floor[i] *= factor;
    }
}

void mirror_admit(const void *plan, void *state, int learner) {
    const mirror_plan *p = plan;
    view v = mirror_view_of(p, state);
    v.header->learners += 1.0;
    double share = 1.0 / v.header->learners;
    scale_others(p, v, 1.0 - share);
    v.p[learner] = share;
    v.rate[learner] = p->rate;
    v.floor[learner] = 0.5 * share;
    if (v.header->plays == 0.0) make_even(p, v);
}

void mirror_retire(const void *plan, void *state, int learner) {
    const mirror_plan *p = plan;
    view v = mirror_view_of(p, state);
    v.header->learners -= 1.0;
    v.p[learner] = v.rate[learner] = v.floor[learner] = 0.0;
    double left = 0.0;
    for (int i = 0; i < p->places; i++) left += v.p[i];
    scale_others(p, v, 1.0 / left);
    if (v.header->plays == 0.0) make_even(p, v);
}

/* -------------------------------------------------- a round ------------------------------------------------ */

static double mirror_mixed(const mirror_plan *p, view v, int i) {
    double chance = (1.0 - p->gamma) * v.p[i] + p->gamma / v.header->learners;
    return v.p[i] == 0.0 ? 0.0 : chance < 1.0 ? chance : 1.0;
}

int mirror_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)ties;
    const mirror_plan *p = plan;
    view v = mirror_view_of(p, state);
    for (int i = 0; i < p->places; i++) v.chance[i] = mirror_mixed(p, v, i);
    int chosen = (int)posse_draw_weighted(draw, v.chance, (size_t)p->places);
    *probability = v.chance[chosen];
    return chosen;
}

void mirror_played(const void *plan, void *state, int learner, int arm, const double *point) {
    (void)learner, (void)arm, (void)point;
    mirror_view_of(plan, state).header->plays += 1.0;
}

void mirror_learn(const void *plan, void *state, const posse_outcome *o) {
    const mirror_plan *p = plan;
    view v = mirror_view_of(p, state);
    double x = range_part(&p->range, o->reward, &v.header->clipped);
    if (v.p[o->learner] == 0.0) return;
    mirror_step(v.p, v.rate, p->places, o->learner, (1.0 - x) / o->probability, v.p);
    for (int i = 0; i < p->places; i++) {
        double chance = mirror_mixed(p, v, i);
        if (!(chance < v.floor[i])) continue;
        v.floor[i] = 0.5 * chance;
        v.rate[i] *= p->growth;
    }
}

void mirror_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state) {
    const mirror_plan *p = plan, *q = smaller_plan;
    view to = mirror_view_of(p, state), from = mirror_view_of(q, smaller_state);
    *to.header = *from.header;
    copy_columns(to.p, p->places, from.p, q->places, COLUMNS);
}

void mirror_probabilities(const void *plan, const void *state, int learners, double *out) {
    memcpy(out, mirror_view_of(plan, state).chance, (size_t)learners * sizeof *out);
}

double mirror_clipped(const void *plan, const void *state) {
    return mirror_view_of(plan, state).header->clipped;
}

void mirror_notice(const mirror_plan *p, void *state, double reward) {
    range_part(&p->range, reward, &mirror_view_of(p, state).header->clipped);
}

bool mirror_has(const mirror_plan *p, const void *state, int place) {
    return mirror_view_of(p, state).p[place] > 0.0;
}

double mirror_chance(const mirror_plan *p, const void *state, int learner) {
    return mirror_view_of(p, state).chance[learner];
}
