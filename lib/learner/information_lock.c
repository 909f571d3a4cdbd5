/* SPDX-License-Identifier: MIT */
/*
 * The solver of the information lock: it uses the code with which the magic arms encode the best regular arm. It keeps
 * the exact posterior over which regular arm is best. While no arm has `confidence` of the mass, it plays the magic arm
 * whose bit is least certain (probability nearest 1/2), otherwise the most likely regular arm. It learns throughout.
 * Ties go to the lowest index.
 */
#include <math.h>

#include "belief/hypotheses.h"
#include "learner/learner.h"

enum { CONFIDENCE, NOISE };

static const posse_param params[] = {{.name = "confidence",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.9,
                                      .low = 0.0,
                                      .high = 1.0,
                                      .flags = POSSE_PARAM_ABOVE,
                                      .help = "posterior probability at which it commits to an arm"},
                                     PARAMETER_NOISE(POSSE_PARAM_INHERITED, SCALE_MIN, SCALE_MAX),
                                     PARAMETERS_END};

typedef struct plan {
    hypotheses lock;
    int magic;
    double confidence;
} plan;

static posse_error lock_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = hypotheses_of_lock(setup, setup->settings[NOISE].number, &p->lock);
    p->magic = p->lock.arms - p->lock.count;
    p->confidence = setup->settings[CONFIDENCE].number;
    *out = p;
    return error;
}

static size_t lock_state_size(const void *plan_) {
    return weights_size(((const plan *)plan_)->lock.count);
}

static void lock_start(const void *plan_, void *state) {
    hypotheses_start(&((const plan *)plan_)->lock, state);
}

static bool lock_sane(const void *plan_, const void *state) {
    return weights_sane(state, ((const plan *)plan_)->lock.count);
}

static double bit_mass(const plan *p, const double *weights, int bit) {
    double mass = 0.0;
    for (int j = 0; j < p->lock.count; j++)
        if ((j >> bit) & 1) mass += weights[j];
    return mass;
}

static int least_certain_bit(const plan *p, const double *weights, double total) {
    int best = 0;
    double nearest = INFINITY;
    for (int bit = 0; bit < p->magic; bit++) {
        double distance = fabs(bit_mass(p, weights, bit) / total - 0.5);
        if (distance < nearest) {
            nearest = distance;
            best = bit;
        }
    }
    return best;
}

static int lock_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const plan *p = plan_;
    const double *weights = weights_of(state, p->lock.count);
    double total = weights_total(state, p->lock.count);
    int likely = largest(weights, p->lock.count);
    if (weights[likely] >= p->confidence * total) return p->magic + likely;
    return least_certain_bit(p, weights, total);
}

static void lock_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)point;
    hypotheses_update(&((const plan *)plan_)->lock, state, arm, reward);
}

const posse_learner_ops learner_information_lock = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "information-lock",
             .help = "reads the index of the best arm from the magic arms of an information lock",
             .params = params,
             .prepare = lock_prepare,
             .state_size = lock_state_size,
             .start = lock_start,
             .sane = lock_sane},
    .act = lock_act,
    .learn = lock_learn,
};
