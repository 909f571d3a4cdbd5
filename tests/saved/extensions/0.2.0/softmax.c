/* SPDX-License-Identifier: MIT */
/*
 * A selector of one's own, by posse.h alone: softmax, which plays learner i with probability proportional to
 * exp(mean reward of i / temperature). A learner without a reward counts as one with the mean of all.
 */
#include <posse.h>
#include <string.h>

enum { TEMPERATURE }; /* the place of each parameter in the list, and in setup->settings */

static const posse_param params[] = {
    {.name = "temperature", .type = POSSE_REAL, .fallback = 0.1, .low = 0.01, .high = 100.0, .help = "high: at random"},
    {.name = NULL}};

typedef struct plan {
    int places;
    double temperature;
} plan;

/* The state: four numbers for each place, stored column by column. */
typedef struct view {
    double *active; /* 1, or 0 for a place that is empty or whose learner is retired */
    double *count, *sum;
    double *chance; /* at the latest choice */
} view;

enum { COLUMNS = 4 };

static view view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    return (view){at, at + p->places, at + 2 * p->places, at + 3 * p->places};
}

static posse_error prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){setup->learners, setup->settings[TEMPERATURE].number};
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return COLUMNS * (size_t)((const plan *)plan_)->places * sizeof(double);
}

/* A state may come from a file: some learner must be active, and no number may be infinite. */
static bool sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = view_of(p, state);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) {
        if (v.active[i] != 0.0 && v.active[i] != 1.0) return false;
        if (!(v.count[i] >= 0.0 && v.count[i] <= 1e18) || !(v.sum[i] >= -1e120 && v.sum[i] <= 1e120)) return false;
        if (!(v.chance[i] >= 0.0 && v.chance[i] <= 1.0)) return false;
        active += v.active[i];
    }
    return active > 0.0;
}

static void admit(const void *plan_, void *state, int learner) {
    view_of(plan_, state).active[learner] = 1.0;
}

static void retire(const void *plan_, void *state, int learner) {
    view_of(plan_, state).active[learner] = 0.0;
}

static double mean_of_all(const plan *p, view v) {
    double count = 0.0, sum = 0.0;
    for (int i = 0; i < p->places; i++) {
        count += v.count[i];
        sum += v.sum[i];
    }
    return count > 0.0 ? sum / count : 0.0;
}

/* Writes the chances of all places. */
static void weigh(const plan *p, view v) {
    double otherwise = mean_of_all(p, v), best = -1e300, total = 0.0;
    for (int i = 0; i < p->places; i++) {
        v.chance[i] = v.count[i] > 0.0 ? v.sum[i] / v.count[i] : otherwise;
        if (v.active[i] != 0.0 && v.chance[i] > best) best = v.chance[i];
    }
    for (int i = 0; i < p->places; i++) { /* relative to the best, so that nothing overflows */
        v.chance[i] = v.active[i] != 0.0 ? posse_exp((v.chance[i] - best) / p->temperature) : 0.0;
        total += v.chance[i];
    }
    for (int i = 0; i < p->places; i++) v.chance[i] /= total;
}

static int choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)ties;
    const plan *p = plan_;
    view v = view_of(p, state);
    weigh(p, v);
    int learner = (int)posse_draw_weighted(draw, v.chance, (size_t)p->places);
    *probability = v.chance[learner];
    return learner;
}

/* Only rewards count here, not plays. */
static void played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)plan_, (void)state, (void)learner, (void)arm, (void)point;
}

static void learn(const void *plan_, void *state, const posse_outcome *outcome) {
    view v = view_of(plan_, state);
    v.count[outcome->learner] += 1.0;
    v.sum[outcome->learner] += outcome->reward;
}

/* There are more places now: the columns of the smaller selector are the beginnings of these. */
static void adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *p = plan_, *q = smaller_plan;
    for (int column = 0; column < COLUMNS; column++)
        memcpy((double *)state + column * p->places, (const double *)smaller_state + column * q->places,
               (size_t)q->places * sizeof(double));
}

static void probabilities(const void *plan_, const void *state, int learners, double *out) {
    memcpy(out, view_of(plan_, state).chance, (size_t)learners * sizeof *out);
}

static const posse_selector_ops softmax = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "softmax",
             .help = "a learner by the exponential of its mean reward",
             .params = params,
             .prepare = prepare,
             .state_size = state_size,
             .sane = sane,
             .grow = adopt},
    .admit = admit,
    .retire = retire,
    .choose = choose,
    .played = played,
    .learn = learn,
    .adopt = adopt,
    .probabilities = probabilities,
};

POSSE_API extern const posse_selector_ops *const posse_plugin_selectors[];
const posse_selector_ops *const posse_plugin_selectors[] = {&softmax, NULL};
