/* SPDX-License-Identifier: MIT */
/*
 * Gamma belief: independent arms whose rewards are counts, Poisson with mean ~ Gamma(shape_a, rate_a).
 *
 *     posterior = Gamma(shape_a + sum_a, rate_a + n_a)
 *     p(r)      = gamma(shape + r) / (gamma(shape) r!) (rate / (rate + 1))^shape (1 / (rate + 1))^r
 *
 * with n_a and sum_a the number and the sum of the rewards of arm a, and p the negative binomial distribution. This is
 * exact for counts; a reward >= 0 between two counts is learned by the same formulas, with r! = gamma(r + 1).
 */
#include "belief/arm_pairs.h"
#include "numeric/density.h"

static const posse_param params[] = {{.name = "shape",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = GAMMA_MIN,
                                      .high = GAMMA_MAX,
                                      .help = "prior sum of rewards: one for all arms, or a list"},
                                     {.name = "rate",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = GAMMA_MIN,
                                      .high = GAMMA_MAX,
                                      .help = "prior number of rewards: one for all arms, or a list"},
                                     PARAMETERS_END};

typedef struct view {
    double *shape, *rate;
} view;

static inline view gamma_view_of(const void *plan, const void *state) {
    pairs_view v = pairs_of(plan, state);
    return (view){v.first, v.second};
}

static posse_error gamma_prepare(const posse_setup *setup, void **out) {
    return pairs_prepare(setup, "a gamma belief", sizeof(arm_pairs), out);
}

/* With any rewards that are allowed, the numbers stay well within these bounds. */
static bool gamma_sane(const void *plan_, const void *state) {
    const arm_pairs *p = plan_;
    view v = gamma_view_of(p, state);
    for (int a = 0; a < p->arms; a++) {
        bool shape_is = v.shape[a] >= GAMMA_MIN && v.shape[a] <= 1e120;
        if (!shape_is || !(v.rate[a] >= GAMMA_MIN && v.rate[a] <= 1e18)) return false;
    }
    return true;
}

static posse_rewards gamma_rewards(const void *plan_) {
    (void)plan_;
    return (posse_rewards){0.0, REAL_MAX};
}

static void gamma_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    view v = gamma_view_of(plan_, state);
    v.shape[arm] += reward;
    v.rate[arm] += 1.0;
}

static void gamma_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const arm_pairs *p = plan_;
    view v = gamma_view_of(p, state);
    for (int a = 0; a < p->arms; a++) world[a] = posse_draw_gamma(draw, v.shape[a]) / v.rate[a];
}

static void gamma_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const arm_pairs *p = plan_;
    view v = gamma_view_of(p, state);
    for (int a = 0; a < p->arms; a++) world[a] += scale * (v.shape[a] / v.rate[a]);
}

/* log of (rate / (rate + 1))^shape is -shape log(1 + 1 / rate). */
static double gamma_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)point;
    view v = gamma_view_of(plan_, state);
    double a = v.shape[arm], b = v.rate[arm];
    return log_rise(a, reward) - log_rise(1.0, reward) - a * log_one_plus(1.0 / b) - reward * posse_log(b + 1.0);
}

static void gamma_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                          double *variance) {
    (void)point;
    view v = gamma_view_of(plan_, state);
    *mean = v.shape[arm] / v.rate[arm];
    *variance = *mean / v.rate[arm];
}

/* How many times as wide as the given prior of a mean its variants are, with the same mean. */
static const double variants[] = {3.0, 10.0};

/*
 * The prior sum of rewards of a prior `times` as wide. It is at least 1, the exponential distribution, unless less was
 * given.
 */
static double gamma_widened(double shape_, double times) {
    double least = shape_ < 1.0 ? shape_ : 1.0, wider = shape_ / (times * times);
    return wider > least ? wider : least;
}

static arm_pair gamma_varied(arm_pair given, int variant) {
    double wider = gamma_widened(given.first, variants[variant]);
    return (arm_pair){wider, given.second * wider / given.first};
}

static posse_error gamma_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return pairs_vary(setup, variant, settings, gamma_varied);
}

const posse_belief_ops belief_gamma = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "gamma",
             .help = "independent means of counts (Poisson), rewards of at least 0",
             .params = params,
             .prepare = gamma_prepare,
             .state_size = pairs_state_size,
             .start = pairs_start,
             .sane = gamma_sane,
             .grow = pairs_grow},
    .shape = pairs_shape,
    .update = gamma_update,
    .draw = gamma_draw,
    .add_mean = gamma_add_mean,
    .evidence = gamma_evidence,
    .variants = sizeof variants / sizeof variants[0],
    .vary = gamma_vary,
    .moments = gamma_moments,
    .rewards = gamma_rewards,
    .reward_kind = POSSE_REWARDS_COUNTS,
};
