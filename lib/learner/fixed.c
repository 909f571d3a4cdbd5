/* SPDX-License-Identifier: MIT */
/*
 * Fixed: always plays the same arm. In contexts, it plays the first available arm if its own is not available. B-MS
 * over one fixed learner per arm is Thompson sampling.
 */
#include "learner/learner.h"
#include "model/abreast_form.h"
#include "model/round.h"

enum { ARM };

static const posse_param params[] = {{.name = "arm",
                                      .type = POSSE_TYPE_COUNT,
                                      .flags = POSSE_PARAM_REQUIRED,
                                      .low = 0,
                                      .high = ARMS_MAX - 1,
                                      .help = "the arm it plays, counted from 0"},
                                     PARAMETERS_END};

typedef struct plan {
    int arm;
} plan;

static posse_error fixed_prepare(const posse_setup *setup, void **out) {
    posse_error error = learner_needs_arms(setup, "fixed");
    if (error != POSSE_OK) return error;
    int arm = (int)setup->settings[ARM].number;
    if (arm >= setup->space->arms)
        return posse_setup_refuse(setup, "arm", -1, "there is no arm %d; they count from 0 to %d", arm,
                                  setup->space->arms - 1);
    if (!space_has(setup->space, arm))
        return posse_setup_refuse(setup, "arm", -1, "arm %d is retired, and a fixed learner plays no other", arm);
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arm = arm;
    *out = p;
    return POSSE_OK;
}

static size_t fixed_state_size(const void *plan_) {
    (void)plan_;
    return 0;
}

static void fixed_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    (void)plan_, (void)state, (void)former_plan, (void)former_state;
}

static int fixed_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)state, (void)draw, (void)point;
    return ((const plan *)plan_)->arm;
}

static int fixed_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    (void)state, (void)draw;
    int place = round_place(round, ((const plan *)plan_)->arm);
    return place >= 0 ? place : 0;
}

static void fixed_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)plan_, (void)state, (void)arm, (void)point, (void)reward;
}

static int fixed_arm(const void *plan_) {
    return ((const plan *)plan_)->arm;
}

static const abreast_form abreast = {.device_only = true, .arm = fixed_arm};

const posse_learner_ops learner_fixed = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "fixed",
             .help = "always plays the same arm",
             .params = params,
             .prepare = fixed_prepare,
             .state_size = fixed_state_size,
             .grow = fixed_grow,
             .reserved = &abreast},
    .act = fixed_act,
    .learn = fixed_learn,
    .act_in = fixed_act_in,
};
