/* SPDX-License-Identifier: MIT */
/*
 * UCB: plays the arm with the largest upper confidence bound,
 *
 *     mean_a + width * sqrt( log(2 K N / delta) / n_a ),
 *
 * where n_a is the number of rewards it has learned of arm a, N that of all arms, and K the number of arms. N and K
 * include retired arms, because the bounds hold for all arms that ever existed. Arms without rewards are played first,
 * lowest index first (model/tally.h explains what happens if the reward is late or never arrives); ties go to the
 * lowest index. With a window or a discount, n_a, N and the mean are those of the rewards that are remembered, with
 * their weights (fading.h). In contexts it ignores the features, and all of this holds for the available arms.
 * Reference: Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem (2002), in the form of
 * the paper's appendix.
 */
#include "learner/learner.h"

#include <math.h>
#include <string.h>

#include "base/shared_table.h"
#include "learner/fading.h"
#include "model/abreast_form.h"

enum { WIDTH, DELTA, WINDOW, DISCOUNT };

static const posse_param params[] = {{.name = "width",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 1.0,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "c: factor on the confidence radius"},
                                     {.name = "delta",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.05,
                                      .low = 1e-100,
                                      .high = 1.0,
                                      .help = "probability with which the bounds may fail"},
                                     PARAMETER_WINDOW,
                                     PARAMETER_DISCOUNT,
                                     PARAMETERS_END};

/* The radius, which takes a logarithm, is looked up for counts below this. */
#define TABULATED 1024

typedef struct plan {
    int arms;
    const posse_space *space;
    double width;
    double log_factor;    /* 2 K / delta, to be multiplied by N */
    shared_table *radii;  /* of N */
    const fading *fading; /* NULL: nothing is forgotten */
} plan;

/*
 * A bound is mean + radius(N) shrink(n_a). Each factor changes only when its count does, and is kept. A learner that
 * shares data learns far more often than it acts, so a radius that is not in the table is computed only when it is
 * needed, or when it will probably be needed soon.
 */
typedef struct state {
    double learned; /* N */
    double radius;  /* width sqrt(log(2 K N / delta)); negative: computed ahead of use; 0: to be computed */
    double tried;   /* arms with a reward */
} state;

/* The state is followed by a tally per arm, then by 1 / sqrt(n_a) of each arm, then by the state of fading.h. */
static tally *tallies_of(const void *state_) {
    return (tally *)((state *)(uintptr_t)state_ + 1);
}

static double *shrinks_of(const plan *p, const void *state_) {
    return (double *)(tallies_of(state_) + p->arms);
}

static void *ucb_fading_of(const plan *p, const void *state_) {
    return shrinks_of(p, state_) + p->arms;
}

static double radius_at(const void *plan_, double learned) {
    const plan *p = plan_;
    return p->width * sqrt(posse_log(p->log_factor * learned));
}

static double shrink_at(double count) {
    return 1.0 / sqrt(count);
}

static posse_error ucb_tabulate(const posse_setup *setup, plan *p) {
    table_key radii = {radius_at, TABULATED, {p->width, p->log_factor}};
    return part_share_table(setup, &radii, &p->radii);
}

static posse_error ucb_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "ucb");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = setup->space->arms;
    p->space = setup->space;
    p->width = setup->settings[WIDTH].number;
    p->log_factor = 2.0 * p->arms / setup->settings[DELTA].number;
    *out = p;
    error = fading_prepare(setup, &setup->settings[WINDOW], &setup->settings[DISCOUNT], &p->fading);
    return error == POSSE_OK ? ucb_tabulate(setup, p) : error;
}

static bool ucb_forgets(const plan *p) {
    return p->fading != NULL;
}

static size_t ucb_state_size(const void *plan_) {
    const plan *p = plan_;
    return sizeof(state) + (size_t)p->arms * (sizeof(tally) + sizeof(double)) + fading_size(p->fading);
}

static void ucb_start(const void *plan_, void *state_) {
    const plan *p = plan_;
    memset(state_, 0, ucb_state_size(p));
    tallies_start(tallies_of(state_), p->arms);
    learner_retire_tallies(p->space, tallies_of(state_));
}

static bool ucb_sane(const void *plan_, const void *state_) {
    const plan *p = plan_;
    const state *s = state_;
    if (!(s->learned >= 0.0) || !isfinite(s->learned) || !isfinite(s->radius) || !isfinite(s->tried)) return false;
    for (int a = 0; a < p->arms; a++)
        if (!isfinite(shrinks_of(p, state_)[a])) return false;
    if (!tallies_sane(tallies_of(state_), p->arms)) return false;
    return !ucb_forgets(p) || fading_sane(p->fading, ucb_fading_of(p, state_), tallies_of(state_));
}

/* The radius, if the table has room for it; else 0. */
static inline double radius_known(const plan *p, double learned) {
    return learned < TABULATED ? table_look_up(p->radii, radius_at, p, learned) : 0.0;
}

/* The radius changes, because it depends on the number of arms. */
static void ucb_grow(const void *plan_, void *state_, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    state *s = state_;
    *s = *(const state *)former_state;
    s->radius = s->learned > 0.0 && !ucb_forgets(p) ? radius_known(p, s->learned) : 0.0;
    memcpy(tallies_of(s), tallies_of(former_state), (size_t)q->arms * sizeof(tally));
    copy_columns(shrinks_of(p, s), p->arms, shrinks_of(q, former_state), q->arms, 1);
    memcpy(ucb_fading_of(p, s), ucb_fading_of(q, former_state), fading_size(p->fading));
    learner_retire_tallies(p->space, tallies_of(s));
}

/* The place of the largest bound among `count` listed arms; list NULL: the first `count` arms. */
static inline int ucb_largest_bound(const plan *p, const state *s, const int *list, int count) {
    const tally *tallies = tallies_of(s);
    const double *shrinks = shrinks_of(p, s);
    int best = 0;
    double bound = -INFINITY;
    for (int k = 0; k < count; k++) {
        int a = list != NULL ? list[k] : k;
        double other = tallies[a].mean + s->radius * shrinks[a];
        bool more = other > bound;
        best = more ? k : best;
        bound = more ? other : bound;
    }
    return best;
}

/* Makes sure that the radius is computed, and marks it as used. */
static inline void use_radius(const plan *p, state *s) {
    if (s->radius == 0.0)
        s->radius = radius_at(p, ucb_forgets(p) ? fading_total(ucb_fading_of(p, s)) : s->learned);
    else
        s->radius = fabs(s->radius);
}

static int ucb_act(const void *plan_, void *state_, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    state *s = state_;
    int untried = s->tried < p->arms ? tallies_try(tallies_of(state_), p->arms, p->arms, s->learned) : -1;
    if (untried >= 0) return untried;
    use_radius(p, s);
    if (p->space->active == NULL) return ucb_largest_bound(p, s, NULL, p->arms);
    return p->space->active[ucb_largest_bound(p, s, p->space->active, p->space->active_count)];
}

static int ucb_act_in(const void *plan_, void *state_, posse_draw *draw, const posse_round *round) {
    (void)draw;
    const plan *p = plan_;
    state *s = state_;
    tally *tallies = tallies_of(s);
    int untried = s->tried < p->arms ? tallies_try_among(tallies, round->arms, round->count, p->arms, s->learned) : -1;
    if (untried >= 0) return untried;
    use_radius(p, s);
    return ucb_largest_bound(p, s, round->arms, round->count);
}

/* A reward changes the counts of several arms and their total, so all that depends on them is computed anew. */
static void learn_and_forget(const plan *p, state *s, int arm, double reward) {
    tally *tallies = tallies_of(s);
    fading_learn(p->fading, ucb_fading_of(p, s), tallies, arm, reward);
    s->learned = fading_learned(ucb_fading_of(p, s));
    s->radius = 0.0;
    s->tried = 0.0;
    for (int a = 0; a < p->arms; a++) {
        bool tried = tallies[a].count > 0.0;
        s->tried += tried;
        shrinks_of(p, s)[a] = tried ? shrink_at(tallies[a].count) : 0.0;
    }
}

/*
 * The radius after a reward. One that is not in the table is computed now if the former one was used: then the learner
 * acts about as often as it learns, and the processor takes the logarithm beside other work. When it acts, all would
 * wait for the logarithm.
 */
static inline double radius_after(const plan *p, const state *s) {
    if (s->learned < TABULATED) return radius_known(p, s->learned);
    return s->radius > 0.0 ? -radius_at(p, s->learned) : 0.0;
}

static void ucb_learn(const void *plan_, void *state_, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    state *s = state_;
    if (ucb_forgets(p)) {
        learn_and_forget(p, s, arm, reward);
        return;
    }
    tally *t = &tallies_of(state_)[arm];
    if (t->count == 0.0) s->tried += 1.0;
    tally_add(t, reward);
    s->learned += 1.0;
    s->radius = radius_after(p, s);
    shrinks_of(p, s)[arm] = shrink_at(t->count);
}

static bool remembers_all(const void *plan_) {
    return !ucb_forgets(plan_);
}

static const abreast_form abreast = {.fits = remembers_all, .radius = radius_at};

const posse_learner_ops learner_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "ucb",
             .help = "the arm with the largest upper confidence bound",
             .params = params,
             .prepare = ucb_prepare,
             .state_size = ucb_state_size,
             .start = ucb_start,
             .sane = ucb_sane,
             .grow = ucb_grow,
             .reserved = &abreast},
    .act = ucb_act,
    .learn = ucb_learn,
    .act_in = ucb_act_in,
};
