/* SPDX-License-Identifier: MIT */
/*
 * Beta belief: independent arms, mean reward of arm a ~ Beta(alpha_a, beta_a), rewards in [0, 1].
 *
 *     posterior = Beta(alpha_a + sum_a, beta_a + n_a - sum_a)
 *
 * which is exact for rewards of 0 and 1; a reward strictly between counts as that fraction of a success. With a factor
 * `forget` below 1, the successes and failures of all arms beyond the prior are multiplied by it after every reward.
 */
#include <math.h>

#include "belief/arm_pairs.h"
#include "numeric/density.h"

enum { ALPHA = PAIRS_FIRST, BETA = PAIRS_SECOND, FORGET = PAIRS_OPTIONS };

static const posse_param params[] = {
    {.name = "alpha",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1e15,
     .help = "prior successes: one for all arms, or a list"},
    {.name = "beta",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1e15,
     .help = "prior failures: one for all arms, or a list"},
    {.name = "forget",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_ABOVE,
     .fallback = 1.0,
     .low = 0.0,
     .high = 1.0,
     .help = "factor on the counts beyond the prior, applied with every reward; 1: nothing is forgotten"},
    PARAMETERS_END};

typedef struct plan {
    arm_pairs prior;
    double forget;
} plan;

typedef struct view {
    double *alpha, *beta;
} view;

static inline view beta_view_of(const plan *p, const void *state) {
    pairs_view v = pairs_of(p, state);
    return (view){v.first, v.second};
}

static posse_error beta_prepare(const posse_setup *setup, void **out) {
    posse_error error = pairs_prepare(setup, "a beta belief", sizeof(plan), out);
    if (error == POSSE_OK) ((plan *)*out)->forget = setup->settings[FORGET].number;
    return error;
}

static bool beta_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = beta_view_of(p, state);
    for (int a = 0; a < p->prior.arms; a++)
        if (!(v.alpha[a] > 0.0) || !(v.beta[a] > 0.0) || !isfinite(v.alpha[a]) || !isfinite(v.beta[a])) return false;
    return true;
}

static bool beta_unit_rewards(const void *plan_) {
    (void)plan_;
    return true;
}

static void beta_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    view v = beta_view_of(p, state);
    v.alpha[arm] += reward;
    v.beta[arm] += 1.0 - reward;
    if (p->forget == 1.0) return;
    for (int a = 0; a < p->prior.arms; a++) {
        v.alpha[a] = p->prior.first[a] + p->forget * (v.alpha[a] - p->prior.first[a]);
        v.beta[a] = p->prior.second[a] + p->forget * (v.beta[a] - p->prior.second[a]);
    }
}

static void beta_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    view v = beta_view_of(p, state);
    for (int a = 0; a < p->prior.arms; a++) world[a] = posse_draw_beta(draw, v.alpha[a], v.beta[a]);
}

static void beta_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const plan *p = plan_;
    view v = beta_view_of(p, state);
    for (int a = 0; a < p->prior.arms; a++) world[a] += scale * (v.alpha[a] / (v.alpha[a] + v.beta[a]));
}

/* The log of B(alpha + r, beta + 1 - r) / B(alpha, beta); for r = 0 and 1 the ratio is a simple fraction. */
static double beta_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)point;
    view v = beta_view_of(plan_, state);
    double a = v.alpha[arm], b = v.beta[arm];
    if (reward == 1.0) return posse_log(a / (a + b));
    if (reward == 0.0) return posse_log(b / (a + b));
    return log_rise(a, reward) + log_rise(b, 1.0 - reward) - posse_log(a + b);
}

static void beta_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                         double *variance) {
    (void)point;
    view v = beta_view_of(plan_, state);
    double a = v.alpha[arm], b = v.beta[arm], sum = a + b;
    *mean = a / sum;
    *variance = (a / sum) * (b / sum) / (sum + 1.0);
}

/*
 * The variants of an arm. If its prior is sharp, they are 3 and 10 times as wide, with the same mean: the sd of Beta(a,
 * b) is proportional to 1 / sqrt(a + b + 1). But a + b is at least 2, as in the uniform distribution. Up to a + b = 26
 * both variants would reach that bound and be the same. There the rate is lower or higher instead: a ninth of the prior
 * successes, or of the prior failures, is left.
 */
#define VARIANTS 2
#define FEWER 9.0

static const double widths[VARIANTS] = {3.0, 10.0};

/* The sum of prior successes and failures of a prior `times` as wide. */
static double beta_widened(double sum, double times) {
    double wider = (sum + 1.0) / (times * times) - 1.0;
    return wider > 2.0 ? wider : 2.0;
}

/* Divides one count by FEWER or, if the result would be too small, multiplies the other by it. */
static void beta_tip(double *less, double *more) {
    if (*less / FEWER >= params[ALPHA].low)
        *less /= FEWER;
    else
        *more *= FEWER;
}

static arm_pair beta_varied(arm_pair given, int variant) {
    double sum = given.first + given.second;
    if (beta_widened(sum, widths[0]) > beta_widened(sum, widths[1])) {
        double wider = beta_widened(sum, widths[variant]);
        return (arm_pair){given.first * wider / sum, given.second * wider / sum};
    }
    if (variant == 0)
        beta_tip(&given.first, &given.second);
    else
        beta_tip(&given.second, &given.first);
    return given;
}

static posse_error beta_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return pairs_vary(setup, variant, settings, beta_varied);
}

const posse_belief_ops belief_beta = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "beta",
             .help = "independent success probabilities, rewards in [0, 1]",
             .params = params,
             .prepare = beta_prepare,
             .state_size = pairs_state_size,
             .start = pairs_start,
             .sane = beta_sane,
             .unit_rewards = beta_unit_rewards,
             .grow = pairs_grow},
    .shape = pairs_shape,
    .update = beta_update,
    .draw = beta_draw,
    .add_mean = beta_add_mean,
    .evidence = beta_evidence,
    .variants = VARIANTS,
    .vary = beta_vary,
    .moments = beta_moments,
    .reward_kind = POSSE_REWARDS_CLICKS,
};
