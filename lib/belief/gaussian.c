/* SPDX-License-Identifier: MIT */
/*
 * Gaussian belief: independent arms, mean reward of arm a ~ N(mean_a, sd_a^2), rewards with known noise.
 *
 *     precision_a = 1 / sd_a^2 + n_a / noise^2
 *     posterior   = N( (mean_a / sd_a^2 + sum_a / noise^2) / precision_a,  1 / precision_a )
 *
 * with n_a and sum_a the number and the sum of the rewards of arm a. A reward changes its own arm alone, so the
 * posterior's mean and sd are kept and never recomputed for the others. If the means drift, the posterior is that of
 * walk.h instead.
 */
#include "belief/belief.h"

#include <math.h>

#include "belief/robust.h"
#include "belief/walk.h"
#include "model/abreast_form.h"
#include "numeric/density.h"
#include "random/stream.h"

enum { MEAN, SD, NOISE, DRIFT };

static const posse_param params[] = {PARAMETER_PRIOR_MEAN("mean"),
                                     {.name = "sd",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = SCALE_MIN,
                                      .high = SCALE_MAX,
                                      .help = "prior standard deviation: one for all arms, or a list"},
                                     PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
                                     PARAMETER_DRIFT("each mean's", SCALE_MAX),
                                     PARAMETERS_END};

/* The posterior's spread depends on the number of rewards only. */
typedef struct spread {
    double variance, sd;
} spread;

typedef struct plan {
    int arms;
    double noise;
    double noise_precision;
    double prior_precision; /* of all arms; 0 if they differ in it */
    const double *mean;
    const double *sd;
    const walk *walk; /* if the means drift, and then it defines the state; else NULL */
} plan;

/* Numbers per arm, each in an array of its own, so that a draw reads means and sds one after the other. */
enum { COLUMNS = 4 };

typedef struct view {
    double *mean, *sd, *count, *weighted_sum;
} view;

static view gaussian_view_of(const plan *p, const void *state) {
    double *numbers = (double *)(uintptr_t)state;
    size_t arms = (size_t)p->arms;
    return (view){numbers, numbers + arms, numbers + 2 * arms, numbers + 3 * arms};
}

static double prior_precision(const plan *p, int arm) {
    return 1.0 / (p->sd[arm] * p->sd[arm]);
}

/* That of all arms is not computed again for every reward. */
static inline spread spread_after(const plan *p, int arm, double count) {
    double prior = p->prior_precision > 0.0 ? p->prior_precision : prior_precision(p, arm);
    double variance = 1.0 / (prior + count * p->noise_precision);
    return (spread){variance, sqrt(variance)};
}

static double common_precision(const plan *p) {
    for (int a = 1; a < p->arms; a++)
        if (p->sd[a] != p->sd[0]) return 0.0;
    return prior_precision(p, 0);
}

static posse_error prepare_walk(const posse_setup *setup, plan *p) {
    double drift = setup->settings[DRIFT].number;
    walk *w = posse_setup_allocate(setup, sizeof *w);
    if (w == NULL) return POSSE_ERROR_MEMORY;
    *w = (walk){p->arms, drift * drift, p->noise * p->noise, p->mean, p->sd};
    p->walk = w;
    return POSSE_OK;
}

static posse_error gaussian_prepare(const posse_setup *setup, void **out) {
    posse_error error = belief_needs_arms(setup, "a gaussian belief");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = setup->space->arms;
    p->noise = setup->settings[NOISE].number;
    p->noise_precision = 1.0 / (p->noise * p->noise);
    *out = p;
    error = posse_setup_numbers(setup, &setup->settings[MEAN], p->arms, "arms", &p->mean);
    if (error == POSSE_OK) error = posse_setup_numbers(setup, &setup->settings[SD], p->arms, "arms", &p->sd);
    if (error != POSSE_OK) return error;
    p->prior_precision = common_precision(p);
    return setup->settings[DRIFT].number > 0.0 ? prepare_walk(setup, p) : POSSE_OK;
}

static size_t gaussian_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->walk != NULL ? walk_size(p->walk) : COLUMNS * (size_t)p->arms * sizeof(double);
}

static abreast_start start_of(const void *plan_, int arm) {
    const plan *p = plan_;
    double precision = prior_precision(p, arm);
    return (abreast_start){p->mean[arm], p->sd[arm], precision, precision * p->mean[arm]};
}

static double noise_precision(const void *plan_) {
    return ((const plan *)plan_)->noise_precision;
}

static bool stands_still(const void *plan_) {
    return ((const plan *)plan_)->walk == NULL;
}

static void gaussian_start(const void *plan_, void *state) {
    const plan *p = plan_;
    if (p->walk != NULL) {
        walk_start(p->walk, state);
        return;
    }
    view v = gaussian_view_of(p, state);
    for (int a = 0; a < p->arms; a++) {
        abreast_start prior = start_of(p, a);
        v.mean[a] = prior.mean;
        v.sd[a] = prior.sd;
        v.count[a] = 0.0;
        v.weighted_sum[a] = prior.weighted_sum;
    }
}

/* With any rewards that are allowed, the numbers stay well within these bounds; beyond them, worlds could overflow. */
static bool gaussian_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    if (p->walk != NULL) return walk_sane(p->walk, state);
    view v = gaussian_view_of(p, state);
    for (int a = 0; a < p->arms; a++) {
        bool spread_is = v.sd[a] >= 0.0 && v.sd[a] <= SCALE_MAX && v.count[a] >= 0.0;
        if (!spread_is || !(fabs(v.mean[a]) <= 1e150) || !(fabs(v.weighted_sum[a]) <= 1e250)) return false;
    }
    return true;
}

static void gaussian_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    if (p->walk != NULL)
        walk_grow(p->walk, state, q->walk, former_state);
    else
        copy_columns(state, p->arms, former_state, q->arms, COLUMNS);
}

static posse_belief_shape gaussian_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->arms, .one_hot = true};
}

static void gaussian_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    if (p->walk != NULL) {
        walk_update(p->walk, state, arm, reward);
        return;
    }
    view v = gaussian_view_of(p, state);
    double count = v.count[arm] += 1.0;
    v.weighted_sum[arm] += p->noise_precision * reward;
    spread s = spread_after(p, arm, count);
    v.mean[arm] = v.weighted_sum[arm] * s.variance;
    v.sd[arm] = s.sd;
}

static void gaussian_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    if (p->walk != NULL) {
        walk_draw(p->walk, state, draw, world);
        return;
    }
    view v = gaussian_view_of(p, state);
    const double *z = draw_normals(draw, world, (size_t)p->arms);
    for (int a = 0; a < p->arms; a++) world[a] = v.mean[a] + v.sd[a] * z[a];
}

static void gaussian_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const plan *p = plan_;
    const double *means = p->walk != NULL ? walk_means(state) : gaussian_view_of(p, state).mean;
    for (int a = 0; a < p->arms; a++) world[a] += scale * means[a];
}

static double gaussian_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    if (p->walk != NULL) {
        double variance = walk_variance(p->walk, state, arm) + p->walk->noise;
        return log_normal_density(reward, walk_means(state)[arm], variance);
    }
    view v = gaussian_view_of(p, state);
    return log_normal_density(reward, v.mean[arm], v.sd[arm] * v.sd[arm] + p->noise * p->noise);
}

static void gaussian_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                             double *variance) {
    (void)point;
    const plan *p = plan_;
    if (p->walk != NULL) {
        *mean = walk_means(state)[arm];
        *variance = walk_variance(p->walk, state, arm);
        return;
    }
    view v = gaussian_view_of(p, state);
    *mean = v.mean[arm];
    *variance = v.sd[arm] * v.sd[arm];
}

/* The means may vary more than the prior assumes, and the noise may be smaller or larger. */
static const robust_scaling variants[] = {{SD, 3.0, 1.0}, {SD, 10.0, 1.0}, {NOISE, 1.0, 3.0}, {NOISE, 3.0, 1.0}};

static posse_error gaussian_vary(const posse_setup *setup, int variant, posse_option *settings) {
    return robust_scale(setup, &variants[variant], settings);
}

static const abreast_form abreast = {.fits = stands_still, .start = start_of, .noise_precision = noise_precision};

const posse_belief_ops belief_gaussian = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "gaussian",
             .help = "independent normal means, which may drift, and known normal noise",
             .params = params,
             .prepare = gaussian_prepare,
             .state_size = gaussian_state_size,
             .start = gaussian_start,
             .sane = gaussian_sane,
             .grow = gaussian_grow,
             .reserved = &abreast},
    .shape = gaussian_shape,
    .update = gaussian_update,
    .draw = gaussian_draw,
    .add_mean = gaussian_add_mean,
    .evidence = gaussian_evidence,
    .variants = sizeof variants / sizeof variants[0],
    .vary = gaussian_vary,
    .moments = gaussian_moments,
};
