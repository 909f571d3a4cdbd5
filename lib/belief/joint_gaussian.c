/* SPDX-License-Identifier: MIT */
/*
 * Joint Gaussian belief: the mean rewards of all arms together ~ N(mean, covariance), known noise. A reward of one arm
 * also changes the belief about the arms that are correlated with it. The posterior is that of a linear model in which
 * arm a is the a-th unit vector, kept in square-root form (regression.h): with s_a the a-th row of the root S,
 *
 *     alpha = noise^2 + s_a.s_a,   mean += S s_a (r - mean_a) / alpha,   S -= S s_a s_a^T / (alpha + noise sqrt(alpha))
 *
 * in O(arms^2). The covariance is given as a table, or as standard deviations and one correlation for all pairs.
 */
#include "belief/belief.h"

#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "belief/robust.h"
#include "numeric/density.h"

enum { MEAN, COVARIANCE, SD, CORRELATION, NOISE };

#define VARIANCE_MAX (LINEAR_NOISE_MAX * LINEAR_NOISE_MAX)

static const posse_param params[] = {PARAMETER_PRIOR_MEAN("mean"),
                                     {.name = "covariance",
                                      .type = POSSE_TYPE_TABLE,
                                      .flags = POSSE_PARAM_OPTIONAL,
                                      .low = -VARIANCE_MAX,
                                      .high = VARIANCE_MAX,
                                      .excludes = "sd|correlation",
                                      .help = "a row for each arm: its prior covariance with every arm"},
                                     {.name = "sd",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = LINEAR_NOISE_MIN,
                                      .high = LINEAR_NOISE_MAX,
                                      .help = "prior standard deviation: one for all arms, or a list"},
                                     {.name = "correlation",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.0,
                                      .low = 0.0,
                                      .high = 1.0,
                                      .help = "prior correlation of any two arms"},
                                     PARAMETER_NOISE(0, LINEAR_NOISE_MIN, LINEAR_NOISE_MAX),
                                     PARAMETERS_END};

typedef struct plan {
    int arms;
    double noise;
    double correlation; /* 0 if a table is given instead */
    const double *mean;
    double *root; /* of the prior covariance, column by column, lower triangular */
} plan;

/* Relative tolerance for a zero pivot: smaller differences of variances are rounding errors. */
#define ROUNDING 1e-12

/* ------------------------------------------------ the prior's root ------------------------------------------- */

static double *joint_gaussian_entry(double *table, int arms, int i, int j) {
    return &table[(size_t)j * (size_t)arms + (size_t)i];
}

static posse_error refuse_entry(const posse_setup *setup, int i, int j, const char *why) {
    return posse_setup_refuse(setup, "covariance", i, "row %d, column %d: %s", i + 1, j + 1, why);
}

static posse_error check_symmetry(const posse_setup *setup, double *c, int arms) {
    for (int i = 0; i < arms; i++)
        for (int j = 0; j < i; j++) {
            double a = *joint_gaussian_entry(c, arms, i, j), b = *joint_gaussian_entry(c, arms, j, i);
            if (fabs(a - b) > 1e-9 * (fabs(a) + fabs(b)))
                return refuse_entry(setup, i, j, "it is not the same as in the other half of the table");
        }
    return POSSE_OK;
}

static posse_error joint_gaussian_take_table(const posse_setup *setup, const posse_option *table, plan *p) {
    size_t arms = (size_t)p->arms;
    if (table->count != arms * arms)
        return posse_setup_refuse(setup, "covariance", -1, "%zu numbers are not %zu rows of %zu, one for each arm",
                                  table->count, arms, arms);
    memcpy(p->root, table->list, arms * arms * sizeof *p->root);
    return check_symmetry(setup, p->root, p->arms);
}

static posse_error take_correlation(const posse_setup *setup, plan *p) {
    const double *sd;
    posse_error error = posse_setup_numbers(setup, &setup->settings[SD], p->arms, "arms", &sd);
    if (error != POSSE_OK) return error;
    p->correlation = setup->settings[CORRELATION].number;
    for (int i = 0; i < p->arms; i++)
        for (int j = 0; j < p->arms; j++)
            *joint_gaussian_entry(p->root, p->arms, i, j) = (i == j ? 1.0 : p->correlation) * sd[i] * sd[j];
    return POSSE_OK;
}

/*
 * Computes column j of the Cholesky factor from the rest of the table that the columns before it leave. If nothing is
 * left on the diagonal, nothing may be left below it.
 */
static posse_error factor_column(const posse_setup *setup, double *c, int arms, const double *variances, int j) {
    double left = *joint_gaussian_entry(c, arms, j, j), nothing = ROUNDING * arms * variances[j];
    if (!(left >= -nothing)) return refuse_entry(setup, j, j, "the table is not positive semidefinite");
    double pivot = left > nothing ? sqrt(left) : 0.0;
    *joint_gaussian_entry(c, arms, j, j) = pivot;
    for (int i = j + 1; i < arms; i++) {
        double *below = joint_gaussian_entry(c, arms, i, j);
        if (pivot == 0.0 && fabs(*below) > 1e-5 * sqrt(variances[i] * variances[j]))
            return refuse_entry(setup, i, j, "the table is not positive semidefinite");
        *below = pivot > 0.0 ? *below / pivot : 0.0;
    }
    for (int k = j + 1; k < arms; k++)
        for (int i = k; i < arms; i++)
            *joint_gaussian_entry(c, arms, i, k) -=
                *joint_gaussian_entry(c, arms, i, j) * *joint_gaussian_entry(c, arms, k, j);
    for (int i = 0; i < j; i++) *joint_gaussian_entry(c, arms, i, j) = 0.0;
    return POSSE_OK;
}

static posse_error joint_gaussian_factor(const posse_setup *setup, plan *p) {
    double *variances = posse_setup_allocate(setup, (size_t)p->arms * sizeof *variances), most = 0.0;
    if (variances == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < p->arms; i++) {
        variances[i] = *joint_gaussian_entry(p->root, p->arms, i, i);
        if (!(variances[i] >= 0.0)) return refuse_entry(setup, i, i, "a variance below 0");
        if (variances[i] > most) most = variances[i];
    }
    if (p->noise < 1e-7 * sqrt(most))
        return posse_setup_refuse(setup, "noise", -1, "%g is lost beside means of standard deviation %g", p->noise,
                                  sqrt(most));
    posse_error error = POSSE_OK;
    for (int j = 0; j < p->arms && error == POSSE_OK; j++) error = factor_column(setup, p->root, p->arms, variances, j);
    return error;
}

static posse_error joint_gaussian_prepare(const posse_setup *setup, void **out) {
    posse_error error = belief_needs_arms(setup, "a joint-gaussian belief");
    if (error != POSSE_OK) return error;
    size_t arms = (size_t)setup->space->arms;
    if (arms > DIM_MAX)
        return posse_setup_refuse(setup, NULL, -1, "%zu arms are too many for a joint belief; at most %d", arms,
                                  DIM_MAX);
    plan *p = posse_setup_allocate(setup, sizeof *p);
    double *root = posse_setup_allocate(setup, arms * arms * sizeof *root);
    if (p == NULL || root == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){.arms = (int)arms, .noise = setup->settings[NOISE].number, .root = root};
    *out = p;
    const posse_option *table = &setup->settings[COVARIANCE];
    error = posse_setup_numbers(setup, &setup->settings[MEAN], p->arms, "arms", &p->mean);
    if (error == POSSE_OK)
        error = table->key != NULL ? joint_gaussian_take_table(setup, table, p) : take_correlation(setup, p);
    return error == POSSE_OK ? joint_gaussian_factor(setup, p) : error;
}

/* ------------------------------------------------- the posterior --------------------------------------------- */

static size_t joint_gaussian_state_size(const void *plan_) {
    return regression_size(((const plan *)plan_)->arms);
}

static void joint_gaussian_start(const void *plan_, void *state) {
    const plan *p = plan_;
    size_t arms = (size_t)p->arms;
    memcpy(state, p->mean, arms * sizeof(double));
    memcpy((double *)state + arms, p->root, arms * arms * sizeof(double));
}

static bool joint_gaussian_sane(const void *plan_, const void *state) {
    return regression_sane(state, ((const plan *)plan_)->arms);
}

/*
 * Adds arm K + 1 to K arms, all of one mean and standard deviation, by its prior given the others. With correlation c
 * and b = c / (1 + (K - 1) c) this prior is
 *
 *     N(mean + b sum of (theta_a - mean), sd^2 (1 - K b c))
 *
 * So the new row of S is b times the sum of the other rows and, in a column of its own, the rest.
 */
static void joint_gaussian_add_arm(const plan *p, double *state, int k) {
    double *root = state + p->arms, b = p->correlation / (1.0 + (k - 1) * p->correlation), sum = 0.0;
    for (int a = 0; a < k; a++) sum += state[a] - p->mean[a];
    state[k] = p->mean[k] + b * sum;
    for (int j = 0; j < k; j++) {
        double of_column = 0.0;
        for (int a = 0; a < k; a++) of_column += *joint_gaussian_entry(root, p->arms, a, j);
        *joint_gaussian_entry(root, p->arms, k, j) = b * of_column;
    }
    double sd = p->root[0], left = 1.0 - k * b * p->correlation;
    *joint_gaussian_entry(root, p->arms, k, k) = left > 0.0 ? sd * sqrt(left) : 0.0;
}

/* Whether a state is that before the first reward. */
static bool is_new(const plan *p, const double *state) {
    size_t arms = (size_t)p->arms;
    return memcmp(state, p->mean, arms * sizeof *state) == 0 &&
           memcmp(state + arms, p->root, arms * arms * sizeof *state) == 0;
}

/*
 * Lists and tables have no numbers for new arms. So if arms are added, one mean, sd and correlation hold for all arms.
 */
static void joint_gaussian_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_;
    int former = ((const plan *)former_plan)->arms;
    if (is_new(former_plan, former_state)) return;
    double *to = state;
    const double *from = former_state;
    memset(to, 0, regression_size(p->arms));
    memcpy(to, from, (size_t)former * sizeof *to);
    for (int j = 0; j < former; j++)
        memcpy(joint_gaussian_entry(to + p->arms, p->arms, 0, j), from + former + (size_t)j * (size_t)former,
               (size_t)former * sizeof *to);
    for (int k = former; k < p->arms; k++) joint_gaussian_add_arm(p, to, k);
}

static posse_belief_shape joint_gaussian_shape(const void *plan_) {
    return (posse_belief_shape){.dim = ((const plan *)plan_)->arms, .one_hot = true};
}

static void joint_gaussian_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    const plan *p = plan_;
    regression_update_coordinate(state, p->arms, p->noise, arm, reward);
}

static void joint_gaussian_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    regression_draw(state, ((const plan *)plan_)->arms, 1.0, draw, world);
}

static void joint_gaussian_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const double *mean = state;
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) world[a] += scale * mean[a];
}

static void joint_gaussian_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                                   double *variance) {
    (void)point;
    *mean = ((const double *)state)[arm];
    *variance = regression_coordinate_variance(state, ((const plan *)plan_)->arms, arm);
}

static double joint_gaussian_evidence(const void *plan_, const void *state, int arm, const double *point,
                                      double reward) {
    const plan *p = plan_;
    double mean, variance;
    joint_gaussian_moments(p, state, arm, point, &mean, &variance);
    return log_normal_density(reward, mean, variance + p->noise * p->noise);
}

/* The means may vary more than the prior assumes, and the noise may be smaller or larger. */
static const robust_scaling variants[] = {{SD, 3.0, 1.0}, {SD, 10.0, 1.0}, {NOISE, 1.0, 3.0}, {NOISE, 3.0, 1.0}};

static posse_error joint_gaussian_vary(const posse_setup *setup, int variant, posse_option *settings) {
    robust_scaling by = variants[variant];
    if (by.setting == SD && settings[COVARIANCE].key != NULL)
        by = (robust_scaling){COVARIANCE, by.times * by.times, by.over};
    return robust_scale(setup, &by, settings);
}

const posse_belief_ops belief_joint_gaussian = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "joint-gaussian",
             .help = "correlated normal means and known normal noise",
             .params = params,
             .prepare = joint_gaussian_prepare,
             .state_size = joint_gaussian_state_size,
             .start = joint_gaussian_start,
             .sane = joint_gaussian_sane,
             .grow = joint_gaussian_grow},
    .shape = joint_gaussian_shape,
    .update = joint_gaussian_update,
    .draw = joint_gaussian_draw,
    .add_mean = joint_gaussian_add_mean,
    .evidence = joint_gaussian_evidence,
    .variants = sizeof variants / sizeof variants[0],
    .vary = joint_gaussian_vary,
    .moments = joint_gaussian_moments,
};
