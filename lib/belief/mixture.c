/* SPDX-License-Identifier: MIT */
/*
 * Mixture belief: one of several beliefs is right, and the weights learn which by marginal likelihood.
 *
 *     weight_c *= p_c(reward | arm),    then component c learns the reward itself
 *
 * A draw picks a component by weight and draws a world from it. This is a remedy for an uncertain prior (Hong et al.
 * 2022).
 */
#include "belief/mixture.h"

#include <string.h>

#include "base/assert.h"
#include "belief/belief.h"
#include "belief/weights.h"

#define COMPONENTS_MAX 64

enum { COMPONENTS };

static const posse_param params[] = {{.name = "components",
                                      .type = POSSE_TYPE_PARTS,
                                      .flags = POSSE_PARAM_REQUIRED | POSSE_PARAM_ABOVE,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "the beliefs, each with a prior weight; the weights need not sum to 1"},
                                     PARAMETERS_END};

typedef struct plan {
    int count;
    posse_belief components[COMPONENTS_MAX];
    size_t offsets[COMPONENTS_MAX + 1]; /* where each component's state begins, in bytes; the last: the end */
    double prior[COMPONENTS_MAX];       /* log weights */
    bool carries;                       /* a component learns across tasks */
} plan;

/* The state is that described in weights.h, followed by the components' states. */
static void *component_state(const plan *p, const void *state, int c) {
    return (char *)(uintptr_t)state + p->offsets[c];
}

static bool same_coordinates(const posse_belief *a, const posse_belief *b) {
    return a->shape.dim == b->shape.dim && a->shape.one_hot == b->shape.one_hot &&
           a->model.disjoint == b->model.disjoint && a->model.logistic == b->model.logistic &&
           a->model.bias == b->model.bias;
}

/*
 * Beliefs with different ranges of rewards have likelihoods of different sorts (of successes, of counts, densities),
 * which cannot be compared.
 */
static bool same_rewards(const posse_belief *a, const posse_belief *b) {
    posse_rewards one = belief_rewards(a), other = belief_rewards(b);
    return one.low == other.low && one.high == other.high;
}

static posse_error mixture_add(const posse_setup *setup, const posse_option *components, int c, plan *p) {
    posse_belief *b = &p->components[c];
    posse_error error = belief_make(setup, &components->part[c], "components", c, b);
    if (error != POSSE_OK) return error;
    if (!same_coordinates(b, &p->components[0]))
        return posse_setup_refuse(setup, "components", c, "a %s belief and a %s belief have different coordinates",
                                  b->part.kind->name, p->components[0].part.kind->name);
    if (!same_rewards(b, &p->components[0]))
        return posse_setup_refuse(setup, "components", c,
                                  "probabilities (beta, gamma) cannot be mixed with densities, nor with each other");
    p->carries = p->carries || b->carries;
    p->prior[c] = posse_log(components->list[c]);
    p->offsets[c + 1] = p->offsets[c] + b->part.state_size;
    return POSSE_OK;
}

static posse_error mixture_prepare(const posse_setup *setup, void **out) {
    const posse_option *components = &setup->settings[COMPONENTS];
    if (components->count > COMPONENTS_MAX)
        return posse_setup_refuse(setup, "components", -1, "%zu are too many; at most %d", components->count,
                                  COMPONENTS_MAX);
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->count = (int)components->count;
    p->offsets[0] = weights_size(p->count);
    *out = p;
    posse_error error = POSSE_OK;
    for (int c = 0; c < p->count && error == POSSE_OK; c++) error = mixture_add(setup, components, c, p);
    return error;
}

static size_t mixture_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->offsets[p->count];
}

static void mixture_start(const void *plan_, void *state) {
    const plan *p = plan_;
    memcpy(state, p->prior, (size_t)p->count * sizeof(double));
    weights_refresh(state, p->count);
    for (int c = 0; c < p->count; c++) part_start(&p->components[c].part, component_state(p, state, c));
}

static bool mixture_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    bool all = weights_sane(state, p->count);
    for (int c = 0; c < p->count; c++)
        all = all && part_state_sane(&p->components[c].part, component_state(p, state, c));
    return all;
}

static void mixture_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    memcpy(state, former_state, weights_size(p->count));
    for (int c = 0; c < p->count; c++)
        part_grow(&p->components[c].part, component_state(p, state, c), &q->components[c].part,
                  component_state(q, former_state, c));
}

static posse_rewards mixture_rewards(const void *plan_) {
    return belief_rewards(&((const plan *)plan_)->components[0]);
}

static posse_belief_shape mixture_shape(const void *plan_) {
    return ((const plan *)plan_)->components[0].shape;
}

static posse_belief_model mixture_model(const void *plan_) {
    return ((const plan *)plan_)->components[0].model;
}

static void mixture_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    double evidence[COMPONENTS_MAX];
    for (int c = 0; c < p->count; c++) {
        void *inner = component_state(p, state, c);
        evidence[c] = belief_evidence(&p->components[c], inner, arm, point, reward);
        belief_update(&p->components[c], inner, arm, point, reward);
    }
    weights_learn(state, p->count, evidence);
}

static void mixture_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    const plan *p = plan_;
    int c = (int)posse_draw_weighted(draw, weights_of(state, p->count), (size_t)p->count);
    POSSE_ASSERT(c < p->count);
    belief_draw(&p->components[c], component_state(p, state, c), draw, world);
}

static void mixture_add_mean(const void *plan_, const void *state, double scale, double *world) {
    const plan *p = plan_;
    double share = scale / weights_total(state, p->count);
    for (int c = 0; c < p->count; c++)
        belief_add_mean(&p->components[c], component_state(p, state, c), share * weights_of(state, p->count)[c], world);
}

static double mixture_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    const double *logs = state;
    evidence_sum sum = evidence_start();
    for (int c = 0; c < p->count; c++)
        evidence_add(&sum, logs[c],
                     belief_evidence(&p->components[c], component_state(p, state, c), arm, point, reward));
    return evidence_log(&sum, weights_total(state, p->count));
}

/*
 * The law of total variance, over the components. The variance of a component may be infinite, so components of weight
 * 0 are skipped.
 */
static void mixture_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                            double *variance) {
    const plan *p = plan_;
    double weights[COMPONENTS_MAX], means[COMPONENTS_MAX], variances[COMPONENTS_MAX];
    mixture_weights(p, state, weights);
    *mean = *variance = 0.0;
    for (int c = 0; c < p->count; c++) {
        const posse_belief *b = &p->components[c];
        b->ops->moments(b->part.plan, component_state(p, state, c), arm, point, &means[c], &variances[c]);
        *mean += weights[c] * means[c];
    }
    for (int c = 0; c < p->count; c++) {
        double distance = means[c] - *mean;
        if (weights[c] > 0.0) *variance += weights[c] * (variances[c] + distance * distance);
    }
}

/*
 * If a component learns across tasks, the mixture is a belief about all tasks. Which component is right does not change
 * with the task, so the weights stay. Otherwise the mixture is the prior of one instance, and another component may be
 * right in the next task, so belief_next_task starts the mixture anew.
 */
static void mixture_next_task(const void *plan_, void *state, posse_draw *draw) {
    const plan *p = plan_;
    for (int c = 0; c < p->count; c++) belief_next_task(&p->components[c], component_state(p, state, c), draw);
}

bool mixture_has_moments(const void *plan_) {
    const plan *p = plan_;
    bool all = true;
    for (int c = 0; c < p->count; c++) all = all && p->components[c].moments;
    return all;
}

bool mixture_carries(const void *plan_) {
    return ((const plan *)plan_)->carries;
}

int mixture_count(const void *plan_) {
    return ((const plan *)plan_)->count;
}

void mixture_weights(const void *plan_, const void *state, double *weights) {
    const plan *p = plan_;
    double total = weights_total(state, p->count);
    for (int c = 0; c < p->count; c++) weights[c] = weights_of(state, p->count)[c] / total;
}

double mixture_gain(const void *plan_, const void *state) {
    const plan *p = plan_;
    const double *logs = state;
    double total = 0.0;
    for (int c = 0; c < p->count; c++) total += posse_exp(p->prior[c] - p->prior[0]);
    return posse_log(weights_total(state, p->count) / total) - logs[0];
}

const posse_belief_ops belief_mixture = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "mixture",
             .help = "one of several beliefs is right; rewards raise the weight of that one",
             .params = params,
             .prepare = mixture_prepare,
             .state_size = mixture_state_size,
             .start = mixture_start,
             .sane = mixture_sane,
             .grow = mixture_grow},
    .shape = mixture_shape,
    .update = mixture_update,
    .draw = mixture_draw,
    .add_mean = mixture_add_mean,
    .evidence = mixture_evidence,
    .moments = mixture_moments,
    .model = mixture_model,
    .rewards = mixture_rewards,
    .next_task = mixture_next_task,
};
