/*
 * A learner at random: what a rule has to beat.
 */
#include <string.h>

#include "selector/selector.h"

typedef struct plan {
    int places;
} plan;

/* The state: how many learners there are, then for every place whether (1) one is there. */
typedef struct view {
    double *learners;
    double *active;
} view;

static view view_of(const void *state) {
    double *at = (double *)(uintptr_t)state;
    return (view){at, at + 1};
}

static posse_error prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->places = setup->learners;
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *plan_) {
    return (1 + (size_t)((const plan *)plan_)->places) * sizeof(double);
}

static bool sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = view_of(state);
    double active = 0.0;
    for (int i = 0; i < p->places; i++) {
        if (v.active[i] != 0.0 && v.active[i] != 1.0) return false;
        active += v.active[i];
    }
    return active > 0.0 && active == *v.learners;
}

static void admit(const void *plan_, void *state, int learner) {
    (void)plan_;
    view v = view_of(state);
    v.active[learner] = 1.0;
    *v.learners += 1.0;
}

static void retire(const void *plan_, void *state, int learner) {
    (void)plan_;
    view v = view_of(state);
    v.active[learner] = 0.0;
    *v.learners -= 1.0;
}

static int choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)ties;
    const plan *p = plan_;
    view v = view_of(state);
    uint64_t rank = posse_draw_index(draw, (uint64_t)*v.learners);
    *probability = 1.0 / *v.learners;
    int i = 0;
    while (i < p->places - 1 && (v.active[i] == 0.0 || rank-- > 0)) i++;
    return i;
}

static void played(const void *plan_, void *state, int learner, int arm, const double *point) {
    (void)plan_, (void)state, (void)learner, (void)arm, (void)point;
}

static void learn(const void *plan_, void *state, const outcome *o) {
    (void)plan_, (void)state, (void)o;
}

static void adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    (void)plan_;
    memcpy(state, smaller_state, state_size(smaller_plan));
}

static void probabilities(const void *plan_, const void *state, int learners, double *out) {
    (void)plan_;
    view v = view_of(state);
    for (int i = 0; i < learners; i++) out[i] = v.active[i] / *v.learners;
}

const selector_ops selector_uniform = {
    .kind =
        {.name = "uniform", .help = "a learner at random", .prepare = prepare, .state_size = state_size, .sane = sane},
    .admit = admit,
    .retire = retire,
    .choose = choose,
    .played = played,
    .learn = learn,
    .adopt = adopt,
    .probabilities = probabilities,
};
