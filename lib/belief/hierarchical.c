/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical belief: tasks whose instances are alike. In each task, the mean reward of arm a is drawn anew around
 * mu_a. All tasks share mu_a and the standard deviation g around it, and both are unknown:
 *
 *     theta_a ~ N(mu_a, g^2) in each task,   mu_a ~ N(mean_a, mean_sd_a^2) once,
 *     g is one of the spreads,   the noise s is known
 *
 * Given g, the belief about mu_a after the earlier tasks is N(m_a, V_a), so that before its first reward theta_a ~
 * N(m_a, V_a + g^2). After n_a rewards with sum y_a, with S = V_a + g^2,
 *
 *     theta_a ~ N( m_a + S (y_a - n_a m_a) / (n_a S + s^2),  S s^2 / (n_a S + s^2) )
 *
 * and the weight of g is multiplied by the density of every reward. At the end of a task, each arm with a reward counts
 * as one observation of mu_a with variance q = g^2 + s^2 / n_a:
 *
 *     m_a += V_a / (V_a + q) (y_a / n_a - m_a),   V_a = V_a q / (V_a + q)
 *
 * This is the exact posterior, however the arms to play were chosen. Reference: Hong, Kveton, Zaheer, Ghavamzadeh,
 * Hierarchical Bayesian bandits (2022). With the method `meta`, g and mu are drawn once when a task begins and taken
 * for the truth until it ends: Kveton, Konobeev, Zaheer, Hsu, Mladenov, Boutilier, Szepesvari, Meta-Thompson sampling
 * (2021).
 */
#include "belief/hierarchical.h"

#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "belief/robust.h"
#include "belief/weights.h"
#include "numeric/density.h"
#include "random/stream.h"

#define SPREADS_MAX 64

enum { MEAN, MEAN_SD, SPREAD, NOISE, METHOD };

static const posse_param params[] = {
    {.name = "mean",
     .type = POSSE_TYPE_REALS,
     .fallback = 0.0,
     .low = -REAL_MAX,
     .high = REAL_MAX,
     .help = "expected mean reward of an arm over all tasks: one for all arms, or a list"},
    {.name = "mean-sd",
     .type = POSSE_TYPE_REALS,
     .fallback = 1.0,
     .low = SCALE_MIN,
     .high = SCALE_MAX,
     .help = "standard deviation of that expectation: one for all arms, or a list"},
    {.name = "spread",
     .type = POSSE_TYPE_REALS,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = SCALE_MIN,
     .high = SCALE_MAX,
     .help =
         "sd of an arm's mean reward from task to task: one, or a list of possible ones; default 0.1 to 1.7 times noise"},
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
    {.name = "method",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "exact",
     .words = "exact|meta",
     .help = "exact, or meta: each task begins with one prior drawn from the belief about priors"},
    PARAMETERS_END};

static const double usual_spreads[] = {0.1, 0.2, 0.35, 0.6, 1.0, 1.7};
enum { USUAL_SPREADS = sizeof usual_spreads / sizeof *usual_spreads };

typedef struct plan {
    int arms, spreads;
    bool meta;
    double noise_variance;
    const double *mean, *mean_sd;
    double spread_variance[SPREADS_MAX];
} plan;

/* ------------------------------------------------- the state -------------------------------------------------- */

/*
 * The state begins with the weights of the spreads (weights.h). With the method meta, the index of the drawn spread
 * follows, -1 for none. Then there are columns with a number for each arm: the number of rewards in this task and their
 * sum; for each spread m and V, and the mean and the standard deviation of theta; with the method meta, the mean and
 * the variance that were drawn as the prior of the task.
 */
enum { TASK_COLUMNS = 2, SPREAD_COLUMNS = 4, META_COLUMNS = 2 };

typedef struct view {
    double *weights, *drawn;
    double *count, *sum;
    double *prior_mean, *prior_variance; /* of the task, where one was drawn */
} view;

/* The belief given one of the spreads. */
typedef struct branch {
    double *m, *v;
    double *mean, *sd;
} branch;

static size_t columns_at(const plan *p) {
    return 2 * (size_t)p->spreads + (p->meta ? 1 : 0);
}

static int column_count(const plan *p) {
    return TASK_COLUMNS + SPREAD_COLUMNS * p->spreads + (p->meta ? META_COLUMNS : 0);
}

static double *hierarchical_column(const plan *p, const void *state, int c) {
    return (double *)(uintptr_t)state + columns_at(p) + (size_t)c * (size_t)p->arms;
}

static view hierarchical_view_of(const plan *p, const void *state) {
    double *numbers = (double *)(uintptr_t)state;
    int last = TASK_COLUMNS + SPREAD_COLUMNS * p->spreads;
    return (view){.weights = numbers,
                  .drawn = p->meta ? numbers + 2 * p->spreads : NULL,
                  .count = hierarchical_column(p, state, 0),
                  .sum = hierarchical_column(p, state, 1),
                  .prior_mean = p->meta ? hierarchical_column(p, state, last) : NULL,
                  .prior_variance = p->meta ? hierarchical_column(p, state, last + 1) : NULL};
}

static branch branch_of(const plan *p, const void *state, int g) {
    int first = TASK_COLUMNS + SPREAD_COLUMNS * g;
    return (branch){hierarchical_column(p, state, first), hierarchical_column(p, state, first + 1),
                    hierarchical_column(p, state, first + 2), hierarchical_column(p, state, first + 3)};
}

/* Whether the prior of this task was drawn, and is taken for the truth. */
static bool is_drawn(const plan *p, const void *state) {
    return p->meta && *hierarchical_view_of(p, state).drawn >= 0.0;
}

/* ------------------------------------------------ the posterior ----------------------------------------------- */

typedef struct normal {
    double mean, variance;
} normal;

/* The posterior after `count` rewards with this sum. */
static normal hierarchical_posterior(const plan *p, normal prior, double count, double sum) {
    double scale = count * prior.variance + p->noise_variance;
    return (normal){prior.mean + prior.variance * (sum - count * prior.mean) / scale,
                    prior.variance * p->noise_variance / scale};
}

/* Computes the posterior of an arm from its rewards. */
static void hierarchical_refresh(const plan *p, view v, branch b, int g, int arm) {
    normal prior = {b.m[arm], b.v[arm] + p->spread_variance[g]};
    normal now = hierarchical_posterior(p, prior, v.count[arm], v.sum[arm]);
    b.mean[arm] = now.mean;
    b.sd[arm] = sqrt(now.variance);
}

static normal hierarchical_believed(branch b, int arm) {
    return (normal){b.mean[arm], b.sd[arm] * b.sd[arm]};
}

/* The posterior of an arm in a task whose prior was drawn. */
static normal believed_in_task(const plan *p, view v, int arm) {
    return hierarchical_posterior(p, (normal){v.prior_mean[arm], v.prior_variance[arm]}, v.count[arm], v.sum[arm]);
}

static double hierarchical_log_density(const plan *p, normal believed_, double reward) {
    return log_normal_density(reward, believed_.mean, believed_.variance + p->noise_variance);
}

/* -------------------------------------------------- the plan -------------------------------------------------- */

static posse_error take_spreads(const posse_setup *setup, plan *p) {
    const posse_option *given = &setup->settings[SPREAD];
    bool usual = given->key == NULL;
    size_t count = usual ? USUAL_SPREADS : given->list != NULL ? given->count : 1;
    if (count > SPREADS_MAX)
        return posse_setup_refuse(setup, "spread", -1, "%zu numbers are too many; at most %d", count, SPREADS_MAX);
    p->spreads = (int)count;
    for (size_t g = 0; g < count; g++) {
        double spread = usual                 ? usual_spreads[g] * setup->settings[NOISE].number
                        : given->list != NULL ? given->list[g]
                                              : given->number;
        p->spread_variance[g] = spread * spread;
    }
    return POSSE_OK;
}

static posse_error hierarchical_prepare(const posse_setup *setup, void **out) {
    posse_error error = belief_needs_arms(setup, "a hierarchical belief");
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    double noise = setup->settings[NOISE].number;
    p->arms = setup->space->arms;
    p->noise_variance = noise * noise;
    p->meta = strcmp(setup->settings[METHOD].word, "meta") == 0;
    *out = p;
    error = take_spreads(setup, p);
    if (error == POSSE_OK) error = posse_setup_numbers(setup, &setup->settings[MEAN], p->arms, "arms", &p->mean);
    if (error == POSSE_OK) error = posse_setup_numbers(setup, &setup->settings[MEAN_SD], p->arms, "arms", &p->mean_sd);
    return error;
}

static size_t hierarchical_state_size(const void *plan_) {
    const plan *p = plan_;
    return (columns_at(p) + (size_t)column_count(p) * (size_t)p->arms) * sizeof(double);
}

/* Before the first call of next_task no prior is drawn, and both methods are exact. */
static void hierarchical_start(const void *plan_, void *state) {
    const plan *p = plan_;
    view v = hierarchical_view_of(p, state);
    memset(state, 0, hierarchical_state_size(p));
    weights_refresh(v.weights, p->spreads);
    if (p->meta) *v.drawn = -1.0;
    for (int g = 0; g < p->spreads; g++) {
        branch b = branch_of(p, state, g);
        for (int a = 0; a < p->arms; a++) {
            b.m[a] = p->mean[a];
            b.v[a] = p->mean_sd[a] * p->mean_sd[a];
            hierarchical_refresh(p, v, b, g, a);
        }
    }
}

/* With any rewards that are allowed, the numbers stay well within these bounds; beyond them, worlds could overflow. */
static bool is_mean(double x) {
    return fabs(x) <= 1e150;
}

static bool is_variance(double x) {
    return x >= 0.0 && x <= 10.0 * SCALE_MAX * SCALE_MAX; /* of the mean and of the largest spread together */
}

static bool branch_sane(branch b, int arm) {
    return is_mean(b.m[arm]) && b.v[arm] > 0.0 && is_variance(b.v[arm]) && is_mean(b.mean[arm]) && b.sd[arm] >= 0.0 &&
           is_variance(b.sd[arm] * b.sd[arm]);
}

static bool drawn_sane(const plan *p, view v) {
    if (!p->meta) return true;
    if (!(*v.drawn >= -1.0 && *v.drawn < p->spreads && *v.drawn == floor(*v.drawn))) return false;
    for (int a = 0; a < p->arms; a++)
        if (!is_mean(v.prior_mean[a]) || !is_variance(v.prior_variance[a])) return false;
    return true;
}

static bool hierarchical_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = hierarchical_view_of(p, state);
    bool all = weights_sane(v.weights, p->spreads) && drawn_sane(p, v);
    for (int a = 0; a < p->arms && all; a++) {
        all = v.count[a] >= 0.0 && v.count[a] < 1e18 && v.count[a] == floor(v.count[a]) && fabs(v.sum[a]) <= 1e120;
        for (int g = 0; g < p->spreads && all; g++) all = branch_sane(branch_of(p, state, g), a);
    }
    return all;
}

/* Arms that are added during a task with a drawn prior get the predictive prior of the drawn spread. */
static void hierarchical_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    memcpy(state, former_state, columns_at(p) * sizeof(double));
    copy_columns(hierarchical_column(p, state, 0), p->arms, hierarchical_column(q, former_state, 0), q->arms,
                 column_count(p));
    if (!is_drawn(p, state)) return;
    view v = hierarchical_view_of(p, state);
    branch b = branch_of(p, state, (int)*v.drawn);
    for (int a = q->arms; a < p->arms; a++) {
        v.prior_mean[a] = b.m[a];
        v.prior_variance[a] = b.v[a] + p->spread_variance[(int)*v.drawn];
    }
}

/* ------------------------------------------------- what it does ----------------------------------------------- */

static posse_belief_shape hierarchical_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->arms, .one_hot = true};
}

static void hierarchical_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    view v = hierarchical_view_of(p, state);
    for (int g = 0; g < p->spreads && p->spreads > 1; g++)
        v.weights[g] += hierarchical_log_density(p, hierarchical_believed(branch_of(p, state, g), arm), reward);
    if (p->spreads > 1) weights_refresh(v.weights, p->spreads);
    v.count[arm] += 1.0;
    v.sum[arm] += reward;
    for (int g = 0; g < p->spreads; g++) hierarchical_refresh(p, v, branch_of(p, state, g), g, arm);
}

/* Updates the belief about mu by the rewards of the task. */
static void close_task(const plan *p, view v, branch b, int g) {
    for (int a = 0; a < p->arms; a++) {
        if (v.count[a] == 0.0) continue;
        double q = p->spread_variance[g] + p->noise_variance / v.count[a], share = b.v[a] / (b.v[a] + q);
        b.m[a] += share * (v.sum[a] / v.count[a] - b.m[a]);
        b.v[a] = share * q;
    }
}

static void draw_prior(const plan *p, void *state, posse_draw *draw) {
    view v = hierarchical_view_of(p, state);
    size_t g = posse_draw_weighted(draw, weights_of(v.weights, p->spreads), (size_t)p->spreads);
    branch b = branch_of(p, state, (int)g);
    *v.drawn = (double)g;
    for (int a = 0; a < p->arms; a++) {
        v.prior_mean[a] = b.m[a] + sqrt(b.v[a]) * draw_normal(draw);
        v.prior_variance[a] = p->spread_variance[g];
    }
}

/* The weights of the spreads stay, because every reward of the task has updated them already. */
static void hierarchical_next_task(const void *plan_, void *state, posse_draw *draw) {
    const plan *p = plan_;
    view v = hierarchical_view_of(p, state);
    for (int g = 0; g < p->spreads; g++) close_task(p, v, branch_of(p, state, g), g);
    memset(v.count, 0, (size_t)p->arms * sizeof *v.count);
    memset(v.sum, 0, (size_t)p->arms * sizeof *v.sum);
    for (int g = 0; g < p->spreads; g++)
        for (int a = 0; a < p->arms; a++) hierarchical_refresh(p, v, branch_of(p, state, g), g, a);
    if (p->meta) *v.drawn = -1.0;
    if (p->meta && draw != NULL) draw_prior(p, state, draw);
}

static void draw_in_task(const plan *p, const void *state, posse_draw *draw, double *world) {
    view v = hierarchical_view_of(p, state);
    const double *z = draw_normals(draw, world, (size_t)p->arms);
    for (int a = 0; a < p->arms; a++) {
        normal now = believed_in_task(p, v, a);
        world[a] = now.mean + sqrt(now.variance) * z[a];
    }
}

static void hierarchical_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    if (is_drawn(p, state)) {
        draw_in_task(p, state, draw, world);
        return;
    }
    size_t g = 0;
    if (p->spreads > 1) g = posse_draw_weighted(draw, weights_of(state, p->spreads), (size_t)p->spreads);
    branch b = branch_of(p, state, (int)g);
    const double *z = draw_normals(draw, world, (size_t)p->arms);
    for (int a = 0; a < p->arms; a++) world[a] = b.mean[a] + b.sd[a] * z[a];
}

/* The law of total variance, over the spreads. */
static void hierarchical_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                 double *variance) {
    (void)point;
    const plan *p = plan_;
    if (is_drawn(p, state)) {
        normal now = believed_in_task(p, hierarchical_view_of(p, state), arm);
        *mean = now.mean;
        *variance = now.variance;
        return;
    }
    double weights[SPREADS_MAX];
    hierarchical_weights(p, state, weights);
    *mean = *variance = 0.0;
    for (int g = 0; g < p->spreads; g++) *mean += weights[g] * branch_of(p, state, g).mean[arm];
    for (int g = 0; g < p->spreads; g++) {
        normal now = hierarchical_believed(branch_of(p, state, g), arm);
        double distance = now.mean - *mean;
        *variance += weights[g] * (now.variance + distance * distance);
    }
}

static void hierarchical_add_mean(const void *plan_, const void *state, double scale, double *world) {
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) {
        double mean, variance;
        hierarchical_moments(plan_, state, a, NULL, &mean, &variance);
        world[a] += scale * mean;
    }
}

static double hierarchical_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    if (is_drawn(p, state))
        return hierarchical_log_density(p, believed_in_task(p, hierarchical_view_of(p, state), arm), reward);
    const double *logs = state;
    evidence_sum sum = evidence_start();
    for (int g = 0; g < p->spreads; g++)
        evidence_add(&sum, logs[g],
                     hierarchical_log_density(p, hierarchical_believed(branch_of(p, state, g), arm), reward));
    return evidence_log(&sum, weights_total(state, p->spreads));
}

/* ------------------------------------------------- its robust form -------------------------------------------- */

/*
 * The means may vary more than the prior assumes, among tasks and within them, and the noise may be smaller or larger.
 */
enum { SCALED_MOST = 2 };
static const robust_scaling variants[][SCALED_MOST] = {{{MEAN_SD, 3.0, 1.0}, {SPREAD, 3.0, 1.0}},
                                                       {{MEAN_SD, 10.0, 1.0}, {SPREAD, 10.0, 1.0}},
                                                       {{NOISE, 1.0, 3.0}},
                                                       {{NOISE, 3.0, 1.0}}};

/* The default spreads are multiples of the given noise, so they are fixed before a variant changes the noise. */
static posse_error hierarchical_vary(const posse_setup *setup, int variant, posse_option *settings) {
    if (settings[SPREAD].key == NULL) {
        double *list = posse_setup_allocate(setup, sizeof usual_spreads);
        if (list == NULL) return POSSE_ERROR_MEMORY;
        for (int g = 0; g < USUAL_SPREADS; g++) list[g] = usual_spreads[g] * settings[NOISE].number;
        settings[SPREAD] = (posse_option){.key = params[SPREAD].name, .list = list, .count = USUAL_SPREADS};
    }
    return robust_scale_all(setup, variants[variant], SCALED_MOST, settings);
}

int hierarchical_count(const void *plan_) {
    return ((const plan *)plan_)->spreads;
}

void hierarchical_weights(const void *plan_, const void *state, double *weights) {
    const plan *p = plan_;
    double total = weights_total(state, p->spreads);
    for (int g = 0; g < p->spreads; g++) weights[g] = weights_of(state, p->spreads)[g] / total;
}

const posse_belief_ops belief_hierarchical = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "hierarchical",
             .help = "normal means around a mean that all tasks share and learn together, known normal noise",
             .params = params,
             .prepare = hierarchical_prepare,
             .state_size = hierarchical_state_size,
             .start = hierarchical_start,
             .sane = hierarchical_sane,
             .grow = hierarchical_grow},
    .shape = hierarchical_shape,
    .update = hierarchical_update,
    .draw = hierarchical_draw,
    .add_mean = hierarchical_add_mean,
    .evidence = hierarchical_evidence,
    .variants = sizeof variants / sizeof variants[0],
    .vary = hierarchical_vary,
    .moments = hierarchical_moments,
    .next_task = hierarchical_next_task,
};
