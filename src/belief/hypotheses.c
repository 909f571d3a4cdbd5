/* SPDX-License-Identifier: MIT */
#include "belief/hypotheses.h"

#include <string.h>

#include "belief/robust.h"
#include "numeric/density.h"

void hypotheses_start(const hypotheses *h, void *state) {
    for (int i = 0; i < h->count; i++) ((double *)state)[i] = h->prior != NULL ? h->prior[i] : 0.0;
    weights_refresh(state, h->count);
}

void hypotheses_update(const hypotheses *h, void *state, int arm, double reward) {
    double *logs = state;
    double precision = 1.0 / (h->noise * h->noise);
    for (int i = 0; i < h->count; i++) {
        double distance = reward - hypotheses_mean(h, i, arm);
        logs[i] -= 0.5 * distance * distance * precision;
    }
    weights_refresh(state, h->count);
}

int lock_regular_arms(int arms) {
    for (int magic = 0, regular = 1; regular + magic <= arms; magic++, regular *= 2)
        if (regular + magic == arms) return regular;
    return 0;
}

double lock_mean(int magic, int best, int arm) {
    if (arm < magic) return (best >> arm) & 1 ? -1.0 : 0.0;
    return arm - magic == best ? 1.0 : 0.5;
}

double hypotheses_mean(const hypotheses *h, int i, int arm) {
    if (h->table == NULL) return lock_mean(h->arms - h->count, i, arm);
    return h->table[(size_t)i * (size_t)h->arms + (size_t)arm];
}

/* Hypotheses can do without an arm, but they say nothing of one that comes later. */
static posse_error refuse_newcomers(const posse_setup *setup, const char *option) {
    if (setup->arms_before == 0 || setup->arms_before == setup->space->arms) return POSSE_OK;
    return posse_setup_refuse(setup, option, -1, "the hypotheses say nothing of an arm that comes later");
}

posse_error hypotheses_of_lock(const posse_setup *setup, double noise, hypotheses *out) {
    posse_error error = refuse_newcomers(setup, NULL);
    if (error != POSSE_OK) return error;
    int arms = setup->space->arms, regular = lock_regular_arms(arms);
    if (regular == 0)
        return posse_setup_refuse(setup, NULL, -1,
                                  "an information lock has K + log2 K arms, K a power of two, and these are %d", arms);
    *out = (hypotheses){.count = regular, .arms = arms, .noise = noise};
    return POSSE_OK;
}

/* -------------------- the two belief kinds: with a given table, and with that of the lock ------------- */

/* In a robust form. */
#define VARIANTS 2

enum { LOCK_NOISE };

static const posse_param lock_params[] = {PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX), PARAMETERS_END};

enum { TABLE, WEIGHTS, NOISE };

static const posse_param table_params[] = {{.name = "table",
                                            .type = POSSE_TABLE,
                                            .flags = POSSE_REQUIRED,
                                            .low = -SCALE_MAX,
                                            .high = SCALE_MAX,
                                            .help = "a row per hypothesis: the mean reward of every arm"},
                                           {.name = "weights",
                                            .type = POSSE_REALS,
                                            .fallback = 1.0,
                                            .low = 0.0,
                                            .high = SCALE_MAX,
                                            .flags = POSSE_ABOVE,
                                            .help = "prior weight of each hypothesis; they need not sum to 1"},
                                           PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
                                           PARAMETERS_END};

static posse_error prepare_lock(const posse_setup *setup, void **out) {
    hypotheses *h = posse_setup_allocate(setup, sizeof *h);
    if (h == NULL) return POSSE_ERROR_MEMORY;
    *out = h;
    return hypotheses_of_lock(setup, setup->settings[LOCK_NOISE].number, h);
}

static posse_error take_weights(const posse_setup *setup, const posse_option *weights, hypotheses *h) {
    if (weights->list == NULL) return POSSE_OK;
    if (weights->count != (size_t)h->count)
        return posse_setup_refuse(setup, "weights", -1, "a list of %zu numbers, but there are %d hypotheses",
                                  weights->count, h->count);
    double *logs = posse_setup_allocate(setup, weights->count * sizeof *logs);
    if (logs == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < h->count; i++) logs[i] = posse_log(weights->list[i]);
    h->prior = logs;
    return POSSE_OK;
}

static posse_error prepare_table(const posse_setup *setup, void **out) {
    posse_error error = belief_needs_arms(setup, "a hypotheses belief");
    if (error == POSSE_OK) error = refuse_newcomers(setup, "table");
    if (error != POSSE_OK) return error;
    const posse_option *table = &setup->settings[TABLE];
    size_t arms = (size_t)setup->space->arms;
    if (table->count % arms != 0)
        return posse_setup_refuse(setup, "table", -1, "%zu numbers do not make rows of %zu arms", table->count, arms);
    hypotheses *h = posse_setup_allocate(setup, sizeof *h);
    double *copy = posse_setup_allocate(setup, table->count * sizeof *copy);
    if (h == NULL || copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, table->list, table->count * sizeof *copy);
    *h = (hypotheses){(int)(table->count / arms), (int)arms, setup->settings[NOISE].number, copy, NULL};
    *out = h;
    return take_weights(setup, &setup->settings[WEIGHTS], h);
}

static size_t state_size(const void *plan) {
    return weights_size(((const hypotheses *)plan)->count);
}

static void start(const void *plan, void *state) {
    hypotheses_start(plan, state);
}

static bool sane(const void *plan, const void *state) {
    return weights_sane(state, ((const hypotheses *)plan)->count);
}

static void grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    (void)former_plan;
    memcpy(state, former_state, state_size(plan));
}

static posse_belief_shape shape(const void *plan) {
    return (posse_belief_shape){.dim = ((const hypotheses *)plan)->arms, .one_hot = true};
}

static void update(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)point;
    hypotheses_update(plan, state, arm, reward);
}

static void draw(const void *plan, const void *state, posse_draw *draw, double *world) {
    const hypotheses *h = plan;
    int row = (int)posse_draw_weighted(draw, weights_of(state, h->count), (size_t)h->count);
    for (int a = 0; a < h->arms; a++) world[a] = hypotheses_mean(h, row, a);
}

static void add_mean(const void *plan, const void *state, double scale, double *world) {
    const hypotheses *h = plan;
    const double *weights = weights_of(state, h->count);
    double share = scale / weights_total(state, h->count);
    for (int i = 0; i < h->count; i++)
        for (int a = 0; a < h->arms; a++) world[a] += share * weights[i] * hypotheses_mean(h, i, a);
}

static double evidence(const void *plan, const void *state, int arm, const double *point, double reward) {
    (void)point;
    const hypotheses *h = plan;
    const double *logs = state;
    evidence_sum sum = evidence_start();
    for (int i = 0; i < h->count; i++) {
        double m = hypotheses_mean(h, i, arm);
        evidence_add(&sum, logs[i], log_normal_density(reward, m, h->noise * h->noise));
    }
    return evidence_log(&sum, weights_total(state, h->count));
}

static void moments(const void *plan, const void *state, int arm, const double *point, double *mean, double *variance) {
    (void)point;
    const hypotheses *h = plan;
    const double *weights = weights_of(state, h->count);
    double total = weights_total(state, h->count);
    *mean = *variance = 0.0;
    for (int i = 0; i < h->count; i++) *mean += weights[i] / total * hypotheses_mean(h, i, arm);
    for (int i = 0; i < h->count; i++) {
        double distance = hypotheses_mean(h, i, arm) - *mean;
        *variance += weights[i] / total * distance * distance;
    }
}

/* The table is what it is; the noise may be smaller or larger. */
static posse_error vary_noise(const posse_setup *setup, int variant, int noise, posse_option *settings) {
    const robust_scaling variants[VARIANTS] = {{noise, 1.0, 3.0}, {noise, 3.0, 1.0}};
    return robust_scale(setup, &variants[variant], settings);
}

static posse_error vary_lock(const posse_setup *setup, int variant, posse_option *settings) {
    return vary_noise(setup, variant, LOCK_NOISE, settings);
}

static posse_error vary_table(const posse_setup *setup, int variant, posse_option *settings) {
    return vary_noise(setup, variant, NOISE, settings);
}

#define HYPOTHESES_OPS(name_, help_, params_, prepare_, vary_)                                                         \
    {                                                                                                                  \
        .kind = {.version = POSSE_EXTENSION_VERSION,                                                                   \
                 .name = name_,                                                                                        \
                 .help = help_,                                                                                        \
                 .params = params_,                                                                                    \
                 .prepare = prepare_,                                                                                  \
                 .state_size = state_size,                                                                             \
                 .start = start,                                                                                       \
                 .sane = sane,                                                                                         \
                 .grow = grow},                                                                                        \
        .shape = shape, .update = update, .draw = draw, .add_mean = add_mean, .evidence = evidence,                    \
        .variants = VARIANTS, .vary = vary_, .moments = moments                                                        \
    }

const posse_belief_ops belief_hypotheses = HYPOTHESES_OPS(
    "hypotheses", "one of finitely many tables of means, known normal noise", table_params, prepare_table, vary_table);

const posse_belief_ops belief_information_lock = HYPOTHESES_OPS(
    "information-lock", "which regular arm of an information lock is best", lock_params, prepare_lock, vary_lock);
