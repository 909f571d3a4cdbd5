/* SPDX-License-Identifier: MIT */
/*
 * Information lock: K regular arms (a power of two) of mean 1/2, the best one 1, and log2 K magic arms, which come
 * first: magic arm n has mean -(bit n of the best regular arm's index), least significant bit first. Magic arms never
 * pay, but together they reveal which arm is the best. Every regular arm is equally likely to be the best; reward =
 * mean + noise z. Reference: the paper's information lock example, after Foster and Rakhlin, Foundations of
 * reinforcement learning and interactive decision making (2023).
 */
#include "belief/hypotheses.h"
#include "environment/environment.h"
#include "random/stream.h"

enum { ARMS, NOISE };

/* 2^19 regular arms, the largest power of two with its magic arms inside ARMS_MAX. */
#define REGULAR_MAX 524288
_Static_assert(REGULAR_MAX == 1 << 19 && REGULAR_MAX + 19 <= ARMS_MAX, "the arms of the largest lock fit a space");

static const posse_param params[] = {{.name = "arms",
                                      .type = POSSE_TYPE_COUNT,
                                      .flags = POSSE_PARAM_REQUIRED,
                                      .low = 1,
                                      .high = REGULAR_MAX,
                                      .help = "number K of regular arms, a power of two; log2 K magic arms are added"},
                                     PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
                                     PARAMETERS_END};

typedef struct plan {
    int regular, magic;
    double noise;
} plan;

typedef struct instance {
    int64_t best;
} instance;

static posse_error lock_prepare(const posse_setup *setup, void **out) {
    int regular = (int)setup->settings[ARMS].number, magic = 0;
    while (1 << magic < regular) magic++;
    if (1 << magic != regular)
        return posse_setup_refuse(setup, "arms", -1, "%d is not a power of two; %d and %d are", regular,
                                  1 << (magic - 1), 1 << magic);
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){regular, magic, setup->settings[NOISE].number};
    *out = p;
    return POSSE_OK;
}

static size_t lock_state_size(const void *plan_) {
    (void)plan_;
    return sizeof(instance);
}

static posse_arm_set lock_arms(const void *plan_) {
    const plan *p = plan_;
    return (posse_arm_set){.arms = p->magic + p->regular};
}

static posse_part lock_prior(const void *plan_) {
    return (posse_part){.kind = "information-lock",
                        .options = {{.key = "noise", .number = ((const plan *)plan_)->noise}}};
}

static void lock_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    ((instance *)instance_)->best = (int64_t)posse_draw_index(draw, (uint64_t)((const plan *)plan_)->regular);
}

static double lock_mean_of(const plan *p, const void *instance_, int arm) {
    return lock_mean(p->magic, (int)((const instance *)instance_)->best, arm);
}

static double lock_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)point;
    const plan *p = plan_;
    return lock_mean_of(p, instance_, arm) + p->noise * draw_normal(noise);
}

static double lock_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)point;
    return 1.0 - lock_mean_of(plan_, instance_, arm);
}

static void lock_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    for (int a = 0; a < space->arms; a++) out[a] = lock_mean_of(plan_, instance_, a);
}

const posse_environment_ops environment_information_lock = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "information-lock",
             .help = "magic arms pay nothing, but reveal the index of the best arm bit by bit",
             .params = params,
             .prepare = lock_prepare,
             .state_size = lock_state_size},
    .arms = lock_arms,
    .prior = lock_prior,
    .begin = lock_begin,
    .reward = lock_reward,
    .regret = lock_regret,
    .means = lock_means,
};
