/* SPDX-License-Identifier: MIT */
/*
 * Thompson sampling over learners: draw each learner's mean reward from the posterior of its own rewards, and choose
 * the learner with the largest. Nothing but rewards is used, so it needs no belief about arms, and works without arms.
 *
 * With n rewards of a learner, their sum and their scatter S (the sum of squared distances from their mean), and with
 * N, m, v and W the number, mean, variance and summed scatters of the rewards of all learners, the posteriors are
 *
 *     beta           Beta(1 + sum, 1 + n - sum), for rewards in [0, 1]
 *     gamma          Gamma(1 + sum, rate 1 / m + n), for counts: the prior has mean m
 *     normal-gamma   N(m + (mean - m) n v / (q + n v), v q / (q + n v)): the prior is N(m, v), and the noise has
 *                    variance q, the larger one of two draws:
 *                      1 / q ~ Gamma(2 + N / 2, rate v + W / 2)    of all learners, drawn once a choice
 *                      1 / q ~ Gamma(2 + n / 2, rate v + S / 2)    of this learner
 *
 * The last two take their scale from the rewards themselves, so that choices do not depend on the unit of rewards. The
 * noise of a learner is taken to be at least that of all: a few rewards that happen to be equal, like the first
 * visitors who do not click, would otherwise make a learner look certain, and it would never be chosen again.
 *
 * There are no forced first plays. A new learner begins with the prior. Ties, for example while all rewards are equal,
 * are broken at random.
 *
 * With a discount, n, sum and S of all learners are multiplied by it before each reward is counted.
 *
 * The guarantee of Thompson sampling is for arms whose mean rewards do not change; those of learners do.
 */
#include <math.h>
#include <string.h>

#include "selector/charges.h"

enum { MODEL, DISCOUNT };

static const posse_param params[] = {
    {.name = "model",
     .type = POSSE_TYPE_WORD,
     .flags = POSSE_PARAM_OPTIONAL,
     .words = "beta|gamma|normal-gamma",
     .help =
         "posterior of a mean: beta for clicks, gamma for counts; default by the prior's rewards, else normal-gamma"},
    {.name = "discount",
     .type = POSSE_TYPE_REAL,
     .fallback = 1.0,
     .low = 1e-6,
     .high = 1.0,
     .help = "what the weight of past rewards is multiplied by at each new one; 1: nothing fades"},
    PARAMETERS_END};

typedef enum model { CLICKS, COUNTS, NUMBERS } model;

typedef struct plan {
    int places;
    model model;
    double discount;
} plan;

/* Below this weight the past of a learner is dropped, so that faded numbers do not become denormal. */
#define WEIGHT_LEAST 1e-200

enum { COLUMNS = 5 }; /* numbers per place */

/* The state: COLUMNS numbers per place, column by column. */
typedef struct view {
    double *penalty;   /* 0 for an active learner, and infinite otherwise */
    double *potential; /* minus the mean reward drawn at the latest choice; infinite if none was drawn */
    double *weight;    /* n; with a discount, the sum of the weights of its rewards */
    double *sum;
    double *scatter;
} view;

static view thompson_view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    return (view){at, at + p->places, at + 2 * p->places, at + 3 * p->places, at + 4 * p->places};
}

/* ------------------------------------------- making and starting ------------------------------------------- */

/* The model that fits the rewards of the prior. A belief is made to ask for them, and not kept. */
static posse_error thompson_fitting_model(const posse_setup *setup, model *out) {
    *out = NUMBERS;
    if (setup->prior == NULL) return POSSE_OK;
    arena scratch = {.allocator = *part_allocator(setup)};
    part_context inner = *(const part_context *)setup->reserved;
    posse_place where = {inner.where, "prior", -1};
    inner.memory = &scratch;
    inner.where = &where;
    posse_belief belief;
    posse_error error = belief_make_at(&inner, setup->prior, &belief);
    posse_rewards rewards = error == POSSE_OK ? belief_rewards(&belief) : ALL_REWARDS;
    *out = rewards_are_unit(rewards) ? CLICKS : rewards.low >= 0.0 ? COUNTS : NUMBERS;
    arena_release(&scratch);
    return error;
}

static posse_error thompson_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = &setup->settings[MODEL];
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){.places = setup->learners, .discount = setup->settings[DISCOUNT].number};
    *out = p;
    if (given->key == NULL) return thompson_fitting_model(setup, &p->model);
    p->model = strcmp(given->word, "beta") == 0 ? CLICKS : strcmp(given->word, "gamma") == 0 ? COUNTS : NUMBERS;
    return POSSE_OK;
}

static size_t thompson_state_size(const void *plan_) {
    return COLUMNS * (size_t)((const plan *)plan_)->places * sizeof(double);
}

static void thompson_start(const void *plan_, void *state) {
    const plan *p = plan_;
    view v = thompson_view_of(p, state);
    memset(state, 0, thompson_state_size(p));
    for (int i = 0; i < p->places; i++) v.penalty[i] = v.potential[i] = INFINITY;
}

/* With any rewards that are allowed, the numbers stay well within these bounds. */
static bool thompson_place_sane(const plan *p, view v, int i) {
    double n = v.weight[i], sum = v.sum[i];
    if (v.penalty[i] != 0.0 && v.penalty[i] != INFINITY) return false;
    if (!(n == 0.0 || n >= WEIGHT_LEAST) || !(n < 1e18) || isnan(v.potential[i])) return false;
    if (!(v.scatter[i] >= 0.0 && v.scatter[i] <= 1e250) || !(fabs(sum) <= 1e120)) return false;
    return p->model == NUMBERS || (sum >= 0.0 && (p->model == COUNTS || sum <= n));
}

static bool thompson_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = thompson_view_of(p, state);
    bool anybody = false;
    for (int i = 0; i < p->places; i++) {
        if (!thompson_place_sane(p, v, i)) return false;
        anybody = anybody || v.penalty[i] == 0.0;
    }
    return anybody;
}

static posse_rewards thompson_rewards(const void *plan_) {
    model m = ((const plan *)plan_)->model;
    return m == CLICKS ? (posse_rewards){0.0, 1.0} : m == COUNTS ? (posse_rewards){0.0, REAL_MAX} : ALL_REWARDS;
}

/* ----------------------------------------- learners join and leave ----------------------------------------- */

static void thompson_admit(const void *plan_, void *state, int learner) {
    thompson_view_of(plan_, state).penalty[learner] = 0.0;
}

/* The rewards of a retired learner count no longer, not even for the scale. */
static void thompson_retire(const void *plan_, void *state, int learner) {
    view v = thompson_view_of(plan_, state);
    v.penalty[learner] = INFINITY;
    v.weight[learner] = v.sum[learner] = v.scatter[learner] = 0.0;
}

static void thompson_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    copy_columns(state, ((const plan *)plan_)->places, smaller_state, ((const plan *)smaller_plan)->places, COLUMNS);
}

/* -------------------------------------------------- a round ------------------------------------------------ */

/* The rewards of all learners together: their mean and variance, and a draw of the variance of their noise. */
typedef struct pool {
    double mean, variance, noise;
} pool;

/* Draws the variance of noise whose prior is that of one learner with expected variance v. */
static double thompson_draw_noise(double v, double n, double scatter, posse_draw *draw) {
    return (v + 0.5 * scatter) / posse_draw_gamma(draw, 2.0 + 0.5 * n);
}

/* Joins the learners one by one. If all rewards are equal, the variance is exactly 0. */
static pool thompson_pool(const plan *p, view v, posse_draw *draw) {
    pool all = {0};
    double weight = 0.0, within = 0.0, between = 0.0;
    for (int i = 0; i < p->places; i++) {
        if (v.weight[i] == 0.0) continue;
        double together = weight + v.weight[i], distance = v.sum[i] / v.weight[i] - all.mean;
        within += v.scatter[i];
        between += distance * distance * (weight / together * v.weight[i]);
        all.mean += distance * (v.weight[i] / together);
        weight = together;
    }
    if (weight > 0.0) all.variance = (within + between) / weight;
    if (p->model == NUMBERS) all.noise = thompson_draw_noise(all.variance, weight, within, draw);
    return all;
}

static double thompson_draw_number(const pool *all, double n, double sum, double scatter, posse_draw *draw) {
    double own = thompson_draw_noise(all->variance, n, scatter, draw), noise = own > all->noise ? own : all->noise;
    double chance = posse_draw_normal(draw), spread = all->variance, reach = n * spread;
    if (noise + reach == 0.0) return all->mean;
    double shift = n > 0.0 ? (sum / n - all->mean) * (reach / (noise + reach)) : 0.0;
    return all->mean + shift + sqrt(spread * (noise / (noise + reach))) * chance;
}

/* A learner's mean reward, drawn from its posterior. */
static double thompson_draw_mean(const plan *p, view v, const pool *all, int i, posse_draw *draw) {
    double n = v.weight[i], sum = v.sum[i];
    if (p->model == CLICKS) return posse_draw_beta(draw, 1.0 + sum, 1.0 + (n - sum));
    if (p->model == COUNTS) return all->mean * (posse_draw_gamma(draw, 1.0 + sum) / (1.0 + all->mean * n));
    return thompson_draw_number(all, n, sum, v.scatter[i], draw);
}

static int thompson_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    const plan *p = plan_;
    view v = thompson_view_of(p, state);
    pool all = thompson_pool(p, v, draw);
    kernel_least least = {.value = INFINITY};
    for (int i = 0; i < p->places; i++) {
        double drawn = v.penalty[i] == 0.0 ? -thompson_draw_mean(p, v, &all, i, draw) : INFINITY;
        v.potential[i] = drawn;
        if (drawn < least.value) least = (kernel_least){.value = drawn, .first = (uint32_t)i};
        least.count += drawn == least.value;
    }
    return charges_choose(v.potential, p->places, least, ties, probability);
}

/* Rewards are counted, not plays. */
static void thompson_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)plan_, (void)state, (void)learner, (void)arm, (void)point;
}

static void thompson_fade(const plan *p, view v) {
    for (int i = 0; i < p->places; i++) {
        double factor = v.weight[i] * p->discount < WEIGHT_LEAST ? 0.0 : p->discount;
        v.weight[i] *= factor;
        v.sum[i] *= factor;
        v.scatter[i] *= factor;
    }
}

static void thompson_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    view v = thompson_view_of(p, state);
    int i = o->learner;
    if (v.penalty[i] != 0.0) return;
    if (p->discount < 1.0) thompson_fade(p, v);
    double before = v.weight[i], distance = before > 0.0 ? o->reward - v.sum[i] / before : 0.0;
    v.weight[i] += 1.0;
    v.sum[i] += o->reward;
    v.scatter[i] += distance * distance * (before / v.weight[i]);
}

static void thompson_potentials(const void *plan_, const void *state, int learners, double *out) {
    view v = thompson_view_of(plan_, state);
    charges_potentials(v.penalty, v.potential, learners, out);
}

/* Counts take their scale from the mean of all rewards, and numbers from their variance. Either may be 0. */
static bool thompson_draw_means(const void *plan_, const void *state, int learners, posse_draw *draw, double *out) {
    const plan *p = plan_;
    view v = thompson_view_of(p, state);
    pool all = thompson_pool(p, v, draw);
    if ((p->model == COUNTS && all.mean == 0.0) || (p->model == NUMBERS && all.variance == 0.0)) return false;
    for (int i = 0; i < learners; i++) out[i] = v.penalty[i] == 0.0 ? thompson_draw_mean(p, v, &all, i, draw) : NAN;
    return true;
}

static void thompson_probabilities(const void *plan_, const void *state, int learners, double *out) {
    charges_probabilities(thompson_view_of(plan_, state).potential, learners, out);
}

const posse_selector_ops selector_thompson = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "thompson",
             .help = "the learner whose mean reward, drawn from the posterior of its own rewards, is the largest",
             .params = params,
             .prepare = thompson_prepare,
             .state_size = thompson_state_size,
             .start = thompson_start,
             .sane = thompson_sane,
             .grow = thompson_adopt},
    .admit = thompson_admit,
    .retire = thompson_retire,
    .choose = thompson_choose,
    .played = thompson_played,
    .learn = thompson_learn,
    .adopt = thompson_adopt,
    .potentials = thompson_potentials,
    .probabilities = thompson_probabilities,
    .draw_means = thompson_draw_means,
    .rewards = thompson_rewards,
};
