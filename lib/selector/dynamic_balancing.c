/* SPDX-License-Identifier: MIT */
/*
 * Dynamic balancing (Cutkosky, Dann, Das, Gentile, Pacchiano, Purohit, Dynamic balancing for model selection in bandits
 * and RL, ICML 2021). Each learner comes with a candidate for its regret bound, R_i(n) = d_i sqrt(n). The active
 * learner with the smallest v_i R_i(n_i) is chosen; ties go to the lowest index. After every reward, the selector
 * decides anew for all learners whether they are active. Learner i is active if its candidate can explain how little it
 * has earned,
 *
 *     eta_i + R_i(n_i) / n_i + rad(i) >= max over j of eta_j - rad(j),   eta_i = u_i / n_i - bias_i,
 *
 * or if no reward of it has arrived. There are two differences from balancing: no learner is dropped for good, and j is
 * any learner, active or not.
 *
 * R counts plays when they are made, the test counts the rewards that have arrived. A new learner has the numbers given
 * for all, or the largest of each list. The radii depend on the number of learners, so the selector also decides anew
 * when a learner joins or retires.
 */
#include <math.h>

#include "selector/bounds.h"

enum { COEFFICIENTS, WEIGHTS, BIAS, CONFIDENCE, DELTA };

static const posse_param params[] = {PARAMETER_COEFFICIENTS,
                                     {.name = "weights",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 1.0,
                                      .low = SCALE_MIN,
                                      .high = SCALE_MAX,
                                      .help = "v: the learner with the least v_i d_i sqrt(n) is chosen"},
                                     {.name = "bias",
                                      .type = POSSE_TYPE_REALS,
                                      .fallback = 0.0,
                                      .low = -SCALE_MAX,
                                      .high = SCALE_MAX,
                                      .help = "subtracted from the mean reward of a learner before it is judged"},
                                     PARAMETER_CONFIDENCE,
                                     PARAMETER_DELTA(0.01),
                                     PARAMETERS_END};

typedef struct plan {
    bounds_plan bounds;
    const double *bias; /* of every place */
} plan;

/* The slopes of the bounds that are balanced: v_i d_i of every place. */
static posse_error make_slopes(const posse_setup *setup, const double *coefficients, const double **out) {
    const double *weights;
    posse_error error = bounds_numbers(setup, &setup->settings[WEIGHTS], &weights);
    if (error != POSSE_OK) return error;
    double *slopes = posse_setup_allocate(setup, (size_t)setup->learners * sizeof *slopes);
    if (slopes == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < setup->learners; i++) slopes[i] = weights[i] * coefficients[i];
    *out = slopes;
    return POSSE_OK;
}

static posse_error dynamic_balancing_prepare(const posse_setup *setup, void **out) {
    const posse_option *given = setup->settings;
    const double *coefficients, *slopes, *bias;
    posse_error error = bounds_numbers(setup, &given[COEFFICIENTS], &coefficients);
    if (error == POSSE_OK) error = make_slopes(setup, coefficients, &slopes);
    if (error == POSSE_OK) error = bounds_numbers(setup, &given[BIAS], &bias);
    if (error != POSSE_OK) return error;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->bounds = (bounds_plan){.places = setup->learners,
                              .confidence = {given[CONFIDENCE].number, given[DELTA].number},
                              .coefficients = coefficients,
                              .slopes = slopes};
    p->bias = bias;
    *out = p;
    return POSSE_OK;
}

static double best_lower_bound(const plan *p, bounds_view v) {
    double low = -INFINITY;
    for (int i = 0; i < p->bounds.places; i++) {
        const earnings *e = &v.earnings[i];
        double bound = e->mean - p->bias[i] - e->radius; /* -infinity while no reward has arrived */
        low = v.there[i] != 0.0 && bound > low ? bound : low;
    }
    return low;
}

/* The learner with the largest lower bound always passes, so at least one learner is active. */
static void find_active(const plan *p, bounds_view v) {
    double low = best_lower_bound(p, v);
    for (int i = 0; i < p->bounds.places; i++) {
        earnings *e = &v.earnings[i];
        bool explained = e->heard == 0.0 || bounds_most(&p->bounds, e, i) - p->bias[i] >= low;
        e->active = v.there[i] != 0.0 && explained ? 1.0 : 0.0;
    }
}

static void dynamic_balancing_admit(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    bounds_admit(&p->bounds, state, learner);
    find_active(p, bounds_of(&p->bounds, state));
}

static void dynamic_balancing_retire(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    bounds_retire(&p->bounds, state, learner);
    find_active(p, bounds_of(&p->bounds, state));
}

static void dynamic_balancing_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    if (bounds_hear(&p->bounds, state, o)) find_active(p, bounds_of(&p->bounds, state));
}

/* The plan begins with a bounds_plan, so it can be passed to the functions of bounds.h. */
const posse_selector_ops selector_dynamic_balancing = {
    .kind =
        {.version = POSSE_EXTENSION_VERSION,
         .name = "dynamic-balancing",
         .help =
             "dynamic balancing: the learner with the least weighted bound, among learners that keep to their bounds",
         .params = params,
         .prepare = dynamic_balancing_prepare,
         .state_size = bounds_state_size,
         .start = bounds_start,
         .sane = bounds_sane,
         .grow = bounds_adopt},
    .admit = dynamic_balancing_admit,
    .retire = dynamic_balancing_retire,
    .choose = bounds_choose,
    .played = bounds_played,
    .learn = dynamic_balancing_learn,
    .adopt = bounds_adopt,
    .potentials = bounds_potentials,
};
