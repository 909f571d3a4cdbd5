/* SPDX-License-Identifier: MIT */
/*
 * Logistic belief: the mean reward of an arm with point x is sigmoid(<theta, x> + bias), theta ~ N(0, I / precision).
 * Rewards are in [0, 1]: 1 with that probability and else 0, and a reward in between counts as that fraction of a 1.
 * There is no posterior in closed form. `inference` selects how posterior samples are drawn. All methods use only the
 * numbers and sums of the arms' rewards (logistic_counts.h):
 *
 *   laplace       a normal around the mode, with the curvature there
 *   exact         one of `candidates` (16) candidates around the mode, which resampling picks
 *   langevin      a chain of `steps` (10) steps that starts at a draw of laplace
 *   variational   the normal under the highest bound of Jaakkola and Jordan
 *
 * A chain starts anew with every draw. So a draw does not change the state of the belief, questions to it do not
 * influence decisions, and draws are independent of each other given the rewards.
 *
 * A world has the mean rewards of all arms. The expected reward of an arm and the likelihood of a reward follow from
 * the normal approximation, whichever way samples are drawn. For rounds with features, logistic_in_contexts.c replaces
 * this file.
 */
#include "belief/logistic.h"

#include <string.h>

#include "belief/logistic_counts.h"
#include "belief/logistic_regression.h"
#include "belief/regressions.h"
#include "belief/robust.h"
#include "numeric/elementary.h"

#define CANDIDATES 16
#define CANDIDATES_MAX 4096
#define STEPS 10
#define STEPS_MAX 4096

const posse_param logistic_params[] = {
    PARAMETER_PRECISION("precision", 0, "lambda: each coordinate of theta has prior variance 1 / precision"),
    PARAMETER_BIAS(0),
    {.name = "inference",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "laplace",
     .words = "laplace|exact|langevin|variational",
     .help = "for arms with coordinates: how posterior samples are drawn"},
    {.name = "candidates",
     .type = POSSE_TYPE_COUNT,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 1,
     .high = CANDIDATES_MAX,
     .help = "with inference `exact`: number of candidates for each draw; default 16"},
    {.name = "steps",
     .type = POSSE_TYPE_COUNT,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 1,
     .high = STEPS_MAX,
     .help = "with inference `langevin`: number of steps of the chain for each draw; default 10"},
    PARAMETER_MODEL,
    PARAMETER_COVARIANCE,
    PARAMETERS_END};

typedef struct plan {
    logistic_counts counts;
    int candidates; /* 0: draws are not resampled */
    int steps;      /* 0: there is no chain */
} plan;

static bool logistic_infers(const posse_setup *setup, const char *how) {
    return strcmp(setup->settings[LOGISTIC_INFERENCE].word, how) == 0;
}

static posse_error logistic_check_option(const posse_setup *setup, int setting, const char *goes_with) {
    const posse_option *given = &setup->settings[setting];
    if (given->key == NULL || logistic_infers(setup, goes_with)) return POSSE_OK;
    return posse_setup_refuse(setup, given->key, -1, "goes with inference `%s`, not with `%s`", goes_with,
                              setup->settings[LOGISTIC_INFERENCE].word);
}

posse_error logistic_check_inference(const posse_setup *setup) {
    posse_error error = logistic_check_option(setup, LOGISTIC_CANDIDATES, "exact");
    return error == POSSE_OK ? logistic_check_option(setup, LOGISTIC_STEPS, "langevin") : error;
}

static int count_or(const posse_option *setting, int otherwise) {
    return setting->key != NULL ? (int)setting->number : otherwise;
}

static posse_error logistic_prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    bool disjoint;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->counts.precision = settings[LOGISTIC_PRECISION].number;
    p->counts.bias = settings[LOGISTIC_BIAS].number;
    p->counts.variational = logistic_infers(setup, "variational");
    p->candidates = logistic_infers(setup, "exact") ? count_or(&settings[LOGISTIC_CANDIDATES], CANDIDATES) : 0;
    p->steps = logistic_infers(setup, "langevin") ? count_or(&settings[LOGISTIC_STEPS], STEPS) : 0;
    posse_error error = logistic_check_inference(setup);
    if (error == POSSE_OK) error = logistic_counts_prepare(setup, "a logistic belief", &p->counts);
    if (error == POSSE_OK) error = regression_model(setup, &settings[LOGISTIC_MODEL], &disjoint);
    return error == POSSE_OK ? regressions_refuse_covariance(setup, &settings[LOGISTIC_COVARIANCE]) : error;
}

static size_t logistic_state_size(const void *plan_) {
    return logistic_counts_size(&((const plan *)plan_)->counts);
}

static void logistic_start(const void *plan_, void *state) {
    logistic_counts_start(&((const plan *)plan_)->counts, state);
}

static bool logistic_sane(const void *plan_, const void *state) {
    return logistic_counts_sane(&((const plan *)plan_)->counts, state);
}

static void logistic_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    logistic_counts_grow(&p->counts, state, &q->counts, former_state);
}

static bool logistic_unit_rewards(const void *plan_) {
    (void)plan_;
    return true;
}

static posse_belief_shape logistic_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->counts.space->arms, .one_hot = true};
}

static void logistic_belief_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    logistic_counts_learn(&((const plan *)plan_)->counts, state, arm, reward);
}

static void draw_theta(const plan *p, const double *state, posse_draw *draw, double *theta) {
    const logistic_counts *c = &p->counts;
    int taken;
    if (p->candidates > 0)
        logistic_counts_resample(c, state, p->candidates, draw, theta);
    else if (p->steps > 0)
        logistic_counts_walk(c, state, p->steps, draw, theta, &taken);
    else
        regression_draw(logistic_counts_normal(c, state), c->space->dim, 1.0, draw, theta);
}

static void logistic_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    double theta[DIM_MAX];
    draw_theta(p, state, draw, theta);
    logistic_counts_scores(&p->counts, theta, world);
    for (int a = 0; a < p->counts.space->arms; a++) world[a] = sigmoid(world[a]);
}

static bool logistic_acceptance(const void *plan_, const void *state, posse_draw *draw, double *out) {
    const plan *p = plan_;
    double theta[DIM_MAX];
    int taken;
    if (p->steps == 0) return false;
    logistic_counts_walk(&p->counts, state, p->steps, draw, theta, &taken);
    *out = (double)taken / p->steps;
    return true;
}

/* The mean and the variance of an arm's score under the normal approximation, less the bias. */
static void score_of(const plan *p, const double *state, int arm, double *mean, double *variance) {
    const logistic_counts *c = &p->counts;
    const double *normal = logistic_counts_normal(c, state), *x = space_point(c->space, arm);
    *mean = dot(normal, x, c->space->dim);
    *variance = regression_variance(normal, c->space->dim, x);
}

static void logistic_belief_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                    double *variance) {
    (void)point;
    const plan *p = plan_;
    double score, spread;
    score_of(p, state, arm, &score, &spread);
    logistic_moments(score, spread, p->counts.bias, mean, variance);
}

static void logistic_add_mean(const void *plan_, const void *state, double scale, double *world) {
    for (int a = 0; a < ((const plan *)plan_)->counts.space->arms; a++) {
        double mean, variance;
        logistic_belief_moments(plan_, state, a, NULL, &mean, &variance);
        world[a] += scale * mean;
    }
}

static double logistic_belief_evidence(const void *plan_, const void *state, int arm, const double *point,
                                       double reward) {
    (void)point;
    const plan *p = plan_;
    double score, spread;
    score_of(p, state, arm, &score, &spread);
    return logistic_evidence(score, spread, p->counts.bias, reward);
}

/* theta may be 3 or 10 times as large as the prior assumes. */
static const robust_scaling variants[LOGISTIC_VARIANTS] = {{LOGISTIC_PRECISION, 1.0, 9.0},
                                                           {LOGISTIC_PRECISION, 1.0, 100.0}};

posse_error logistic_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return robust_scale(setup, &variants[variant], settings);
}

const posse_belief_ops belief_logistic = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "logistic",
             .help = "means that are a sigmoid of a linear score, normal weights, rewards in [0, 1]",
             .params = logistic_params,
             .prepare = logistic_prepare,
             .state_size = logistic_state_size,
             .start = logistic_start,
             .sane = logistic_sane,
             .unit_rewards = logistic_unit_rewards,
             .grow = logistic_grow},
    .shape = logistic_shape,
    .update = logistic_belief_update,
    .draw = logistic_draw,
    .add_mean = logistic_add_mean,
    .evidence = logistic_belief_evidence,
    .variants = LOGISTIC_VARIANTS,
    .vary = logistic_vary,
    .moments = logistic_belief_moments,
    .in_contexts = &belief_logistic_in_contexts,
    .acceptance = logistic_acceptance,
    .reward_kind = POSSE_REWARDS_CLICKS,
};
