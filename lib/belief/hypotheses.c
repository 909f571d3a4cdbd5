/* SPDX-License-Identifier: MIT */
#include "belief/hypotheses.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "belief/robust.h"
#include "data/csv.h"
#include "numeric/density.h"
#include "random/stream.h"

/* A kernel with a smaller variance counts as none. */
#define SPREAD_MIN 1e-250

size_t hypotheses_size(const hypotheses *h) {
    size_t sums = h->tight != NULL ? 2 * (size_t)h->arms : 0;
    return weights_size(h->count) + (sums + (h->print != 0)) * sizeof(double);
}

/* The place of the print of a file. */
static uint64_t *print_of(const hypotheses *h, const void *state) {
    return (uint64_t *)(void *)((char *)(uintptr_t)state + hypotheses_size(h)) - 1;
}

/* With a kernel: n_a / noise^2 and sum_a / noise^2 of each arm. */
typedef struct tally {
    double *precision, *sum;
} tally;

static tally tally_of(const hypotheses *h, const void *state) {
    double *numbers = (double *)(uintptr_t)state + 2 * h->count;
    return (tally){numbers, numbers + h->arms};
}

/* How the rewards have moved the mean of an arm in all rows: from x to shrink x + add, with this variance. */
typedef struct move {
    double shrink, add, variance;
} move;

static move move_of(const hypotheses *h, const void *state, int arm) {
    if (h->tight == NULL || h->tight[arm] == INFINITY) return (move){1.0, 0.0, 0.0};
    tally t = tally_of(h, state);
    double variance = 1.0 / (h->tight[arm] + t.precision[arm]);
    return (move){h->tight[arm] * variance, t.sum[arm] * variance, variance};
}

static double hypotheses_moved(const hypotheses *h, const move *m, int i, int arm) {
    return m->shrink * hypotheses_mean(h, i, arm) + m->add;
}

void hypotheses_start(const hypotheses *h, void *state) {
    memset(state, 0, hypotheses_size(h));
    for (int i = 0; i < h->count && h->prior != NULL; i++) ((double *)state)[i] = h->prior[i];
    weights_refresh(state, h->count);
    if (h->print != 0) *print_of(h, state) = h->print;
}

void hypotheses_update(const hypotheses *h, void *state, int arm, double reward) {
    double *logs = state;
    move m = move_of(h, state, arm);
    double precision = 1.0 / (h->noise * h->noise + m.variance);
    for (int i = 0; i < h->count; i++) {
        double distance = reward - hypotheses_moved(h, &m, i, arm);
        logs[i] -= 0.5 * distance * distance * precision;
    }
    weights_refresh(state, h->count);
    if (h->tight == NULL) return;
    tally t = tally_of(h, state);
    t.precision[arm] += 1.0 / (h->noise * h->noise);
    t.sum[arm] += reward / (h->noise * h->noise);
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

/* An arm may be retired, but hypotheses have no mean reward for an arm that is added. */
static posse_error refuse_newcomers(const posse_setup *setup, const char *option) {
    if (setup->arms_before == 0 || setup->arms_before == setup->space->arms) return POSSE_OK;
    return posse_setup_refuse(setup, option, -1, "hypotheses have no mean reward for an arm that is added later");
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

/* ------------------ the belief kinds: with a given table, smoothed or not, and with that of the lock ------------ */

/* The number of variants in a robust form. */
#define VARIANTS 2

enum { LOCK_NOISE };

static const posse_param lock_params[] = {PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX), PARAMETERS_END};

enum { TABLE, WEIGHTS, NOISE, KERNEL, FILE_PATH };

#define PARAMETERS_ROWS(flags_, help_)                                                                                 \
    {.name = "table", .type = POSSE_TYPE_TABLE, .flags = flags_, .low = -SCALE_MAX, .high = SCALE_MAX, .help = help_}, \
        {.name = "weights",                                                                                            \
         .type = POSSE_TYPE_REALS,                                                                                     \
         .fallback = 1.0,                                                                                              \
         .low = 0.0,                                                                                                   \
         .high = SCALE_MAX,                                                                                            \
         .flags = POSSE_PARAM_ABOVE,                                                                                   \
         .help = "prior weight of each row; they need not sum to 1"},                                                  \
        PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX)

static const posse_param table_params[] = {
    PARAMETERS_ROWS(POSSE_PARAM_REQUIRED, "a row for each hypothesis: the mean reward of every arm"), PARAMETERS_END};

static const posse_param particles_params[] = {
    PARAMETERS_ROWS(POSSE_PARAM_OPTIONAL, "a row for each particle: the mean reward of every arm"),
    {.name = "kernel",
     .type = POSSE_TYPE_REAL,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1e3,
     .help = "sd of each mean around its row, relative to the sd of the rows' means; 0: only the rows are possible"},
    {.name = "file",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_OPTIONAL | POSSE_PARAM_PATH,
     .excludes = "table",
     .help = "instead of a table: a CSV file in UTF-8, with a header and a column for each arm"},
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

static posse_error hypotheses_take_table(const posse_setup *setup, hypotheses *h) {
    const posse_option *table = &setup->settings[TABLE];
    size_t arms = (size_t)h->arms;
    if (table->count % arms != 0)
        return posse_setup_refuse(setup, "table", -1, "%zu numbers do not make rows of %zu arms", table->count, arms);
    double *copy = posse_setup_allocate(setup, table->count * sizeof *copy);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, table->list, table->count * sizeof *copy);
    h->table = copy;
    h->count = (int)(table->count / arms);
    return POSSE_OK;
}

/*
 * Prepares a belief whose rows `take` reads, from the table or from a file of particles. Each row has a number for
 * every arm.
 */
static posse_error prepare_rows(const posse_setup *setup, const char *what,
                                posse_error (*take)(const posse_setup *setup, hypotheses *h), void **out) {
    posse_error error = belief_needs_arms(setup, what);
    if (error == POSSE_OK) error = refuse_newcomers(setup, NULL);
    if (error != POSSE_OK) return error;
    hypotheses *h = posse_setup_allocate(setup, sizeof *h);
    if (h == NULL) return POSSE_ERROR_MEMORY;
    *h = (hypotheses){.arms = setup->space->arms, .noise = setup->settings[NOISE].number};
    *out = h;
    error = take(setup, h);
    return error == POSSE_OK ? take_weights(setup, &setup->settings[WEIGHTS], h) : error;
}

static posse_error prepare_table(const posse_setup *setup, void **out) {
    return prepare_rows(setup, "a hypotheses belief", hypotheses_take_table, out);
}

/* ---- particles ---- */

/* Reads the rows of an open file, twice: to count them, and to take them. */
static posse_error hypotheses_read_rows(const posse_setup *setup, csv *c, hypotheses *h) {
    posse_error error = POSSE_OK;
    bool more = true;
    if (c->columns != h->arms)
        return csv_refuse_file(c, "it has %d columns, but there are %d arms", c->columns, h->arms);
    while (error == POSSE_OK && more && h->count < INT32_MAX) {
        error = csv_next(c, &more);
        h->count += more && error == POSSE_OK;
    }
    if (error == POSSE_OK && h->count == 0) return csv_refuse_file(c, "it has no rows");
    size_t arms = (size_t)h->arms;
    double *rows = error == POSSE_OK ? posse_setup_allocate(setup, (size_t)h->count * arms * sizeof *rows) : NULL;
    if (rows == NULL) return error == POSSE_OK ? POSSE_ERROR_MEMORY : error;
    csv_rewind(c);
    for (size_t i = 0; i < (size_t)h->count && error == POSSE_OK; i++) {
        error = csv_next(c, &more);
        for (int a = 0; a < h->arms && error == POSSE_OK; a++) {
            error = csv_number(c, a, &rows[i * arms + (size_t)a]);
            if (error == POSSE_OK && fabs(rows[i * arms + (size_t)a]) > SCALE_MAX)
                error = csv_refuse(c, a, "out of range; it must be at least %g and at most %g", -SCALE_MAX, SCALE_MAX);
        }
    }
    h->table = rows;
    return error;
}

static posse_error take_file(const posse_setup *setup, hypotheses *h) {
    csv c;
    posse_error error = csv_open(&c, setup->settings[FILE_PATH].word, part_allocator(setup));
    if (error == POSSE_OK) error = hypotheses_read_rows(setup, &c, h);
    if (error == POSSE_ERROR_FIT) error = posse_setup_refuse(setup, "file", -1, "%s", c.problem);
    csv_close(&c);
    if (error == POSSE_OK) h->print = hash_bytes(h->table, (size_t)h->count * (size_t)h->arms * sizeof *h->table) | 1;
    return error;
}

static posse_error take_particles(const posse_setup *setup, hypotheses *h) {
    if (setup->settings[FILE_PATH].key != NULL) return take_file(setup, h);
    if (setup->settings[TABLE].key != NULL) return hypotheses_take_table(setup, h);
    return posse_setup_refuse(setup, NULL, -1, "particles are needed: give the option `table` or the option `file`");
}

/*
 * The variance of an arm's mean over the rows, by their prior weights. If these differ by many powers of ten, rounding
 * may bring the sum below 0.
 */
static double variance_of_rows(const hypotheses *h, int arm) {
    double total = 0.0, mean = 0.0, variance = 0.0;
    for (int i = 0; i < h->count; i++) {
        double weight = h->prior != NULL ? posse_exp(h->prior[i]) : 1.0, off = hypotheses_mean(h, i, arm) - mean;
        total += weight;
        mean += weight / total * off;
        variance += weight * off * (hypotheses_mean(h, i, arm) - mean);
    }
    return variance > 0.0 ? variance / total : 0.0;
}

static posse_error prepare_particles(const posse_setup *setup, void **out) {
    posse_error error = prepare_rows(setup, "a particles belief", take_particles, out);
    double kernel = setup->settings[KERNEL].number;
    if (error != POSSE_OK || kernel == 0.0) return error;
    hypotheses *h = *out;
    double *tight = posse_setup_allocate(setup, (size_t)h->arms * sizeof *tight);
    if (tight == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < h->arms; a++) {
        double spread = kernel * kernel * variance_of_rows(h, a);
        tight[a] = spread > SPREAD_MIN ? 1.0 / spread : INFINITY;
    }
    h->tight = tight;
    return POSSE_OK;
}

/* ---- what all have in common ---- */

static size_t hypotheses_state_size(const void *plan) {
    return hypotheses_size(plan);
}

static void hypotheses_belief_start(const void *plan, void *state) {
    hypotheses_start(plan, state);
}

static bool hypotheses_sane(const void *plan, const void *state) {
    const hypotheses *h = plan;
    tally t = tally_of(h, state);
    bool sums_are = true;
    for (int a = 0; a < h->arms && h->tight != NULL; a++)
        sums_are = sums_are && t.precision[a] >= 0.0 && t.precision[a] <= 1e120 && fabs(t.sum[a]) <= 1e220;
    bool same_file = h->print == 0 || *print_of(h, state) == h->print;
    return same_file && sums_are && weights_sane(state, h->count);
}

static void hypotheses_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    (void)former_plan;
    memcpy(state, former_state, hypotheses_state_size(plan));
}

static posse_belief_shape hypotheses_shape(const void *plan) {
    return (posse_belief_shape){.dim = ((const hypotheses *)plan)->arms, .one_hot = true};
}

static void hypotheses_belief_update(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)point;
    hypotheses_update(plan, state, arm, reward);
}

static void hypotheses_draw(const void *plan, const void *state, posse_draw *draw, double *world) {
    const hypotheses *h = plan;
    int row = (int)posse_draw_weighted(draw, weights_of(state, h->count), (size_t)h->count);
    const double *z = h->tight != NULL ? draw_normals(draw, world, (size_t)h->arms) : NULL;
    for (int a = 0; a < h->arms; a++) {
        move m = move_of(h, state, a);
        double normal = z != NULL ? z[a] : 0.0;
        world[a] = hypotheses_moved(h, &m, row, a) + sqrt(m.variance) * normal;
    }
}

static void hypotheses_add_mean(const void *plan, const void *state, double scale, double *world) {
    const hypotheses *h = plan;
    const double *weights = weights_of(state, h->count);
    double share = scale / weights_total(state, h->count);
    for (int a = 0; a < h->arms; a++) {
        move m = move_of(h, state, a);
        for (int i = 0; i < h->count; i++) world[a] += share * weights[i] * hypotheses_moved(h, &m, i, a);
    }
}

static double hypotheses_evidence(const void *plan, const void *state, int arm, const double *point, double reward) {
    (void)point;
    const hypotheses *h = plan;
    const double *logs = state;
    evidence_sum sum = evidence_start();
    move m = move_of(h, state, arm);
    double variance = h->noise * h->noise + m.variance;
    for (int i = 0; i < h->count; i++)
        evidence_add(&sum, logs[i], log_normal_density(reward, hypotheses_moved(h, &m, i, arm), variance));
    return evidence_log(&sum, weights_total(state, h->count));
}

static void hypotheses_moments(const void *plan, const void *state, int arm, const double *point, double *mean,
                               double *variance) {
    (void)point;
    const hypotheses *h = plan;
    const double *weights = weights_of(state, h->count);
    double total = weights_total(state, h->count);
    move m = move_of(h, state, arm);
    *mean = 0.0;
    *variance = m.variance;
    for (int i = 0; i < h->count; i++) *mean += weights[i] / total * hypotheses_moved(h, &m, i, arm);
    for (int i = 0; i < h->count; i++) {
        double distance = hypotheses_moved(h, &m, i, arm) - *mean;
        *variance += weights[i] / total * distance * distance;
    }
}

/* The variants have the same table, and a smaller or larger noise. */
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
                 .state_size = hypotheses_state_size,                                                                  \
                 .start = hypotheses_belief_start,                                                                     \
                 .sane = hypotheses_sane,                                                                              \
                 .grow = hypotheses_grow},                                                                             \
        .shape = hypotheses_shape, .update = hypotheses_belief_update, .draw = hypotheses_draw,                        \
        .add_mean = hypotheses_add_mean, .evidence = hypotheses_evidence, .variants = VARIANTS, .vary = vary_,         \
        .moments = hypotheses_moments                                                                                  \
    }

const posse_belief_ops belief_hypotheses =
    HYPOTHESES_OPS("hypotheses", "one row of a table of possible means is right, known normal noise", table_params,
                   prepare_table, vary_table);

const posse_belief_ops belief_particles =
    HYPOTHESES_OPS("particles", "as hypotheses, and means may lie around the rows (kernel), known normal noise",
                   particles_params, prepare_particles, vary_table);

const posse_belief_ops belief_information_lock = HYPOTHESES_OPS(
    "information-lock", "which regular arm of an information lock is best", lock_params, prepare_lock, vary_lock);
