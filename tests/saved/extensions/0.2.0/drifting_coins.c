/* SPDX-License-Identifier: MIT */
/*
 * An environment of one's own, by posse.h alone: coins whose success rates drift. Rates start uniformly in [0, 1];
 * before each round every one of them makes a normal step of standard deviation `drift`, and is reflected at 0 and 1.
 */
#include <posse.h>
#include <string.h>

enum { ARMS, DRIFT };

static const posse_param params[] = {
    {.name = "arms", .type = POSSE_COUNT, .flags = POSSE_REQUIRED, .low = 1, .high = 1000, .help = "how many coins"},
    {.name = "drift", .type = POSSE_REAL, .fallback = 0.01, .low = 0.0, .high = 0.5, .help = "sd of a rate's step"},
    {.name = NULL}};

typedef struct plan {
    int arms;
    double drift;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){(int)setup->settings[ARMS].number, setup->settings[DRIFT].number};
    *out = p;
    return POSSE_OK;
}

/* The state is the instance that is being played: a rate for each coin. */
static size_t state_size(const void *plan_) {
    return (size_t)((const plan *)plan_)->arms * sizeof(double);
}

static posse_arm_set arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->arms};
}

/* What is known of the rates before the first round: any is as likely as any other. */
static posse_part prior(const void *plan_) {
    (void)plan_;
    return (posse_part){.kind = "beta"};
}

static void begin(const void *plan_, void *instance, const posse_space *space, posse_draw *draw) {
    (void)space;
    double *rates = instance;
    for (int a = 0; a < ((const plan *)plan_)->arms; a++) rates[a] = posse_draw_uniform(draw);
}

/* Reflects a rate back into [0, 1]. Steps are so small that one or two reflections are enough. */
static double reflect(double rate) {
    while (rate < 0.0 || rate > 1.0) rate = rate < 0.0 ? -rate : 2.0 - rate;
    return rate;
}

/*
 * All coins drift, whichever one is tossed, and then one is tossed. So every competitor takes the same draws of the
 * noise and meets the same rates.
 */
static double reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    const plan *p = plan_;
    double *rates = instance;
    for (int a = 0; a < p->arms; a++) rates[a] = reflect(rates[a] + p->drift * posse_draw_normal(noise));
    return posse_draw_uniform(noise) < rates[arm] ? 1.0 : 0.0;
}

static double regret(const void *plan_, const void *instance, int arm, const double *point) {
    (void)point;
    const double *rates = instance;
    double best = rates[0];
    for (int a = 1; a < ((const plan *)plan_)->arms; a++) best = rates[a] > best ? rates[a] : best;
    return best - rates[arm];
}

static void means(const void *plan_, const void *instance, const posse_space *space, double *out) {
    (void)space;
    memcpy(out, instance, state_size(plan_));
}

static const posse_environment_ops drifting_coins = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "drifting-coins",
             .help = "coins whose success rates drift",
             .params = params,
             .prepare = prepare,
             .state_size = state_size},
    .arms = arms,
    .prior = prior,
    .begin = begin,
    .reward = reward,
    .regret = regret,
    .means = means,
    .moves = true,
};

POSSE_API extern const posse_environment_ops *const posse_plugin_environments[];
const posse_environment_ops *const posse_plugin_environments[] = {&drifting_coins, NULL};
