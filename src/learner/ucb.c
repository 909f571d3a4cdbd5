/*
 * UCB: plays the arm with the largest upper confidence bound,
 *
 *     mean_a + width * sqrt( log(2 K N / delta) / n_a ),
 *
 * n_a the rewards it has learned of arm a, N all of them, K the arms. An arm without rewards comes first, lowest index
 * first; ties go to the lowest index.
 * Reference: Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem (2002), in the form of
 * the paper's appendix.
 */
#include "learner/learner.h"

#include <math.h>

enum { WIDTH, DELTA };

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
                                     PARAMETERS_END};

/* Functions of a count are looked up for counts below this and computed beyond, by the same expression. */
#define TABULATED 1024

typedef struct plan {
    int arms;
    double width;
    double log_factor;        /* 2 K / delta, to be multiplied by N */
    double radius[TABULATED]; /* of N */
    double shrink[TABULATED]; /* of n_a */
} plan;

/* A bound is mean + radius(N) shrink(n_a); each factor changes only when its count does, and is kept. */
typedef struct state {
    double learned; /* N */
    double radius;  /* width sqrt(log(2 K N / delta)) */
    double tried;   /* arms with a reward; the first of the others is played next */
} state;

typedef struct arm_state {
    tally rewards;
    double shrink; /* 1 / sqrt(n_a) */
} arm_state;

static arm_state *arms_of(const void *state_) {
    return (arm_state *)((state *)(uintptr_t)state_ + 1);
}

static double radius_at(const plan *p, double learned) {
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
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return sizeof(state) + (size_t)((const plan *)plan_)->arms * sizeof(arm_state);
}

static bool sane(const void *plan_, const void *state_) {
    const plan *p = plan_;
    const state *s = state_;
    const arm_state *arms = arms_of(state_);
    if (!(s->learned >= 0.0) || !isfinite(s->learned) || !isfinite(s->radius) || !isfinite(s->tried)) return false;
    for (int a = 0; a < p->arms; a++)
        if (!tallies_sane(&arms[a].rewards, 1) || !isfinite(arms[a].shrink)) return false;
    return true;
}

static int first_untried(const plan *p, const arm_state *arms) {
    for (int a = 0; a < p->arms; a++)
        if (arms[a].rewards.count == 0.0) return a;
    return 0;
}

static int act(const void *plan_, void *state_, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    const state *s = state_;
    const arm_state *arms = arms_of(state_);
    if (s->tried < p->arms) return first_untried(p, arms);
    int best = 0;
    double bound = -INFINITY;
    for (int a = 0; a < p->arms; a++) {
        double other = arms[a].rewards.mean + s->radius * arms[a].shrink;
        bool more = other > bound;
        best = more ? a : best;
        bound = more ? other : bound;
    }
    return best;
}

static void learn(const void *plan_, void *state_, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    state *s = state_;
    arm_state *a = &arms_of(state_)[arm];
    if (a->rewards.count == 0.0) s->tried += 1.0;
    tally_add(&a->rewards, reward);
    s->learned += 1.0;
    double count = a->rewards.count;
    a->shrink = count < TABULATED ? p->shrink[(int)count] : shrink_at(count);
    s->radius = s->learned < TABULATED ? p->radius[(int)s->learned] : radius_at(p, s->learned);
}

const posse_learner_ops learner_ucb = {
    .version = POSSE_EXTENSION_VERSION,
    .kind = {.name = "ucb",
             .help = "the arm with the largest upper confidence bound",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .sane = sane},
    .act = act,
    .learn = learn,
};
