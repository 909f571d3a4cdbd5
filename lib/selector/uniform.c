/* SPDX-License-Identifier: MIT */
/* Uniform: draws a learner at random. It is the baseline for other selectors. */
#include <string.h>

#include "numeric/vectors.h"
#include "selector/selector.h"

enum { COLUMNS = 2 }; /* numbers per place */

typedef struct plan {
    int places;
} plan;

/* The state: the number of learners, then COLUMNS numbers per place, column by column. */
typedef struct view {
    double *learners;
    double *active; /* 1, or 0 for a place that is empty or retired */
    double *chance; /* at the latest choice */
} view;

static view uniform_view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    return (view){at, at + 1, at + 1 + p->places};
}

static posse_error uniform_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->places = setup->learners;
    *out = p;
    return POSSE_OK;
}

static size_t uniform_state_size(const void *plan_) {
    return (1 + COLUMNS * (size_t)((const plan *)plan_)->places) * sizeof(double);
}

static bool uniform_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = uniform_view_of(p, state);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) {
        if (v.active[i] != 0.0 && v.active[i] != 1.0) return false;
        if (!(v.chance[i] >= 0.0 && v.chance[i] <= 1.0)) return false;
        active += v.active[i];
    }
    return active > 0.0 && active == *v.learners;
}

static void uniform_admit(const void *plan_, void *state, int learner) {
    view v = uniform_view_of(plan_, state);
    v.active[learner] = 1.0;
    *v.learners += 1.0;
}

static void uniform_retire(const void *plan_, void *state, int learner) {
    view v = uniform_view_of(plan_, state);
    v.active[learner] = 0.0;
    *v.learners -= 1.0;
}

static int uniform_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)ties;
    const plan *p = plan_;
    view v = uniform_view_of(p, state);
    for (int i = 0; i < p->places; i++) v.chance[i] = v.active[i] / *v.learners;
    uint64_t rank = posse_draw_index(draw, (uint64_t)*v.learners);
    *probability = 1.0 / *v.learners;
    int i = 0;
    while (i < p->places - 1 && (v.active[i] == 0.0 || rank-- > 0)) i++;
    return i;
}

static void uniform_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)plan_, (void)state, (void)learner, (void)arm, (void)point;
}

static void uniform_learn(const void *plan_, void *state, const posse_outcome *o) {
    (void)plan_, (void)state, (void)o;
}

static void uniform_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *p = plan_, *q = smaller_plan;
    view to = uniform_view_of(p, state), from = uniform_view_of(q, smaller_state);
    *to.learners = *from.learners;
    copy_columns(to.active, p->places, from.active, q->places, COLUMNS);
}

static void uniform_probabilities(const void *plan_, const void *state, int learners, double *out) {
    memcpy(out, uniform_view_of(plan_, state).chance, (size_t)learners * sizeof *out);
}

const posse_selector_ops selector_uniform = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "uniform",
             .help = "a random learner",
             .prepare = uniform_prepare,
             .state_size = uniform_state_size,
             .sane = uniform_sane,
             .grow = uniform_adopt},
    .admit = uniform_admit,
    .retire = uniform_retire,
    .choose = uniform_choose,
    .played = uniform_played,
    .learn = uniform_learn,
    .adopt = uniform_adopt,
    .probabilities = uniform_probabilities,
};
