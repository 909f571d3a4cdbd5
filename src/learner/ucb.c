/* SPDX-License-Identifier: MIT */
/*
 * UCB: plays the arm with the largest upper confidence bound,
 *
 *     mean_a + width * sqrt( log(2 K N / delta) / n_a ),
 *
 * where n_a is the number of rewards it has learned of arm a, N that of all arms, and K the number of arms. Arms
 * without rewards are played first, lowest index first (core/tally.h says what happens if the reward is late or never
 * comes); ties go to the lowest index. With a window or a discount, n_a, N and the mean are those of the rewards that
 * are remembered, as they count (fading.h). Reference: Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the
 * multiarmed bandit problem (2002), in the form of the paper's appendix.
 */
#include "learner/learner.h"

#include <math.h>
#include <string.h>

#include "core/abreast_form.h"
#include "learner/fading.h"

enum { WIDTH, DELTA, WINDOW, DISCOUNT };

static const posse_param params[] = {{.name = "width",
                                      .type = POSSE_REAL,
                                      .fallback = 1.0,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "c: multiplies the confidence radius"},
                                     {.name = "delta",
                                      .type = POSSE_REAL,
                                      .fallback = 0.05,
                                      .low = 1e-100,
                                      .high = 1.0,
                                      .help = "the bounds may fail with this probability"},
                                     PARAMETER_WINDOW,
                                     PARAMETER_DISCOUNT,
                                     PARAMETERS_END};

/* Functions of a count are looked up for counts below this; above, they are computed by the same expression. */
#define TABULATED 1024

typedef struct plan {
    int arms;
    double width;
    double log_factor;        /* 2 K / delta, to be multiplied by N */
    double radius[TABULATED]; /* of N */
    double shrink[TABULATED]; /* of n_a */
    fading fading;
} plan;

/* A bound is mean + radius(N) shrink(n_a); each factor changes only when its count does, and is kept. */
typedef struct state {
    double learned; /* N */
    double radius;  /* width sqrt(log(2 K N / delta)) */
    double tried;   /* arms with a reward */
} state;

/* The state is followed by a tally per arm, then by each arm's 1 / sqrt(n_a), then by what fading.h keeps. */
static tally *tallies_of(const void *state_) {
    return (tally *)((state *)(uintptr_t)state_ + 1);
}

static double *shrinks_of(const plan *p, const void *state_) {
    return (double *)(tallies_of(state_) + p->arms);
}

static void *fading_of(const plan *p, const void *state_) {
    return shrinks_of(p, state_) + p->arms;
}

static double radius_at(const void *plan_, double learned) {
    const plan *p = plan_;
    return p->width * sqrt(posse_log(p->log_factor * learned));
}

static double shrink_at(double count) {
    return 1.0 / sqrt(count);
}

static posse_error prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "ucb");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = setup->space->arms;
    p->width = setup->settings[WIDTH].number;
    p->log_factor = 2.0 * p->arms / setup->settings[DELTA].number;
    for (int n = 1; n < TABULATED; n++) {
        p->radius[n] = radius_at(p, n);
        p->shrink[n] = shrink_at(n);
    }
    *out = p;
    return fading_prepare(setup, &setup->settings[WINDOW], &setup->settings[DISCOUNT], &p->fading);
}

static bool forgets(const plan *p) {
    return fading_is_on(&p->fading);
}

static size_t state_size(const void *plan_) {
    const plan *p = plan_;
    return sizeof(state) + (size_t)p->arms * (sizeof(tally) + sizeof(double)) + fading_size(&p->fading);
}

static void start(const void *plan_, void *state_) {
    const plan *p = plan_;
    memset(state_, 0, state_size(p));
    tallies_start(tallies_of(state_), p->arms);
}

static bool sane(const void *plan_, const void *state_) {
    const plan *p = plan_;
    const state *s = state_;
    if (!(s->learned >= 0.0) || !isfinite(s->learned) || !isfinite(s->radius) || !isfinite(s->tried)) return false;
    for (int a = 0; a < p->arms; a++)
        if (!isfinite(shrinks_of(p, state_)[a])) return false;
    if (!tallies_sane(tallies_of(state_), p->arms)) return false;
    return !forgets(p) || fading_sane(&p->fading, fading_of(p, state_), tallies_of(state_));
}

/* The arm with the largest bound among those with a reward. */
static int largest_bound(const plan *p, const state *s) {
    const tally *tallies = tallies_of(s);
    const double *shrinks = shrinks_of(p, s);
    int best = 0;
    double bound = -INFINITY;
    for (int a = 0; a < p->arms; a++) {
        double other = tallies[a].mean + s->radius * shrinks[a];
        bool more = other > bound;
        best = more ? a : best;
        bound = more ? other : bound;
    }
    return best;
}

static int act(const void *plan_, void *state_, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    const state *s = state_;
    int untried = s->tried < p->arms ? tallies_try(tallies_of(state_), p->arms, p->arms, s->learned) : -1;
    return untried >= 0 ? untried : largest_bound(p, s);
}

/* Counts of several arms have changed, and what all count together. */
static void learn_and_forget(const plan *p, state *s, int arm, double reward) {
    tally *tallies = tallies_of(s);
    fading_learn(&p->fading, fading_of(p, s), tallies, arm, reward);
    s->learned = fading_learned(fading_of(p, s));
    s->radius = radius_at(p, fading_total(fading_of(p, s)));
    s->tried = 0.0;
    for (int a = 0; a < p->arms; a++) {
        bool tried = tallies[a].count > 0.0;
        s->tried += tried;
        shrinks_of(p, s)[a] = tried ? shrink_at(tallies[a].count) : 0.0;
    }
}

static void learn(const void *plan_, void *state_, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    state *s = state_;
    if (forgets(p)) {
        learn_and_forget(p, s, arm, reward);
        return;
    }
    tally *t = &tallies_of(state_)[arm];
    if (t->count == 0.0) s->tried += 1.0;
    tally_add(t, reward);
    s->learned += 1.0;
    shrinks_of(p, s)[arm] = t->count < TABULATED ? p->shrink[(int)t->count] : shrink_at(t->count);
    s->radius = s->learned < TABULATED ? p->radius[(int)s->learned] : radius_at(p, s->learned);
}

static bool remembers_all(const void *plan_) {
    return !forgets(plan_);
}

static const abreast_form abreast = {.fits = remembers_all, .radius = radius_at};

const posse_learner_ops learner_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "ucb",
             .help = "the arm with the largest upper confidence bound",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .start = start,
             .sane = sane,
             .abreast = &abreast},
    .act = act,
    .learn = learn,
};
