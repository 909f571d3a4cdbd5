/* SPDX-License-Identifier: MIT */
/*
 * Shifting environment: as the gaussian one, and now and then all means are drawn anew from the prior: before every
 * round but the first with probability 1 / every, or before the rounds that `at` lists. Its own prior is the gaussian
 * belief without any shift, which is right up to the first shift.
 */
#include <math.h>
#include <string.h>

#include "environment/normal_arms.h"

enum { NOISE = NORMAL_OPTIONS, EVERY, AT };

static const posse_param params[] = {
    NORMAL_ARMS_PARAMETERS,
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
    {.name = "every",
     .type = POSSE_TYPE_REAL,
     .fallback = 1000.0,
     .low = 1.0,
     .high = SCALE_MAX,
     .help = "mean number of rounds between shifts, which happen at random"},
    {.name = "at",
     .type = POSSE_TYPE_REALS,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 2.0,
     .high = 1e9,
     .excludes = "every",
     .help = "instead of `every`: the rounds, counted from 1, that begin with new means"},
    PARAMETERS_END};

typedef struct plan {
    normal_arms normal;
    double chance; /* of a shift before a round; 0 if the rounds are given */
    size_t count;
    const double *at;
} plan;

/* The instance is the independent arms, and the numbers of rewards paid and of shifts made follow the means. */
static double *shifting_paid_of(const plan *p, independent_arms *instance) {
    return instance->means + p->normal.arms;
}

static double *shifts_of(const plan *p, independent_arms *instance) {
    return instance->means + p->normal.arms + 1;
}

static posse_error take_rounds(const posse_setup *setup, const posse_option *at, plan *p) {
    p->count = at->list != NULL ? at->count : 1;
    posse_error error = posse_setup_numbers(setup, at, (int)p->count, "rounds", &p->at);
    double before = 1.0;
    for (size_t i = 0; i < p->count && error == POSSE_OK; i++) {
        if (p->at[i] != floor(p->at[i]) || p->at[i] <= before)
            error = posse_setup_refuse(setup, "at", (int)i,
                                       "%g: rounds are whole numbers, each larger than the one before", p->at[i]);
        before = p->at[i];
    }
    return error;
}

static posse_error shifting_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    const posse_option *settings = setup->settings;
    posse_error error = normal_arms_prepare(setup, &settings[NOISE], NULL, &p->normal);
    if (error == POSSE_OK && settings[AT].key != NULL) return take_rounds(setup, &settings[AT], p);
    p->chance = 1.0 / settings[EVERY].number;
    return error;
}

static size_t shifting_state_size(const void *plan_) {
    return independent_size(((const plan *)plan_)->normal.arms + 2);
}

static posse_arm_set shifting_arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->normal.arms};
}

static posse_part shifting_prior(const void *plan_) {
    return normal_arms_prior(&((const plan *)plan_)->normal, 0.0);
}

static void shifting_begin(const void *plan_, void *instance, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    normal_arms_draw(&p->normal, instance, draw);
    *shifting_paid_of(p, instance) = *shifts_of(p, instance) = 0.0;
}

/* Whether the next round begins with new means. */
static bool shifts_now(const plan *p, independent_arms *instance, posse_draw *noise) {
    if (p->at == NULL) return posse_draw_uniform(noise) < p->chance;
    size_t next = (size_t)*shifts_of(p, instance);
    return next < p->count && p->at[next] == *shifting_paid_of(p, instance) + 1.0;
}

/* A shift takes draws from the noise stream, but whether there is one does not depend on the arm. */
static double shifting_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    const plan *p = plan_;
    if (*shifting_paid_of(p, instance) > 0.0 && shifts_now(p, instance, noise)) {
        normal_arms_draw(&p->normal, instance, noise);
        *shifts_of(p, instance) += 1.0;
    }
    *shifting_paid_of(p, instance) += 1.0;
    return normal_arms_reward(&p->normal, instance, arm, noise);
}

const posse_environment_ops environment_shifting = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "shifting",
             .help = "as gaussian, with means that are all drawn again from time to time",
             .params = params,
             .prepare = shifting_prepare,
             .state_size = shifting_state_size},
    .arms = shifting_arms,
    .prior = shifting_prior,
    .begin = shifting_begin,
    .reward = shifting_reward,
    .regret = independent_regret,
    .means = independent_means,
    .moves = true,
};
