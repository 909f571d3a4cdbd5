/* SPDX-License-Identifier: MIT */
/*
 * UCB over learners: the learner with the largest upper confidence bound on its mean reward,
 *
 *     mean_i + width * sqrt( log(2 M N / delta) / n_i ),
 *
 * the index of the learner `ucb` (learner/ucb.c) with learners as arms. Learners without rewards are played first,
 * lowest index first, and ties go to the lowest index. The guarantee is for arms whose mean rewards do not change;
 * those of learners do.
 */
#include <math.h>

#include "selector/earnings.h"
#include "selector/means.h"

enum { WIDTH, DELTA };

static const posse_param params[] = {{.name = "width",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 1.0,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "c: factor on the confidence radius"},
                                     PARAMETER_DELTA(0.05),
                                     PARAMETERS_END};

typedef struct plan {
    means_plan means;
    double width, delta;
} plan;

static posse_error ucb_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){{setup->learners}, setup->settings[WIDTH].number, setup->settings[DELTA].number};
    *out = p;
    return POSSE_OK;
}

static int ucb_largest_bound(const plan *p, const void *state) {
    const means *m = state;
    const tally *tallies = means_tallies(state);
    double radius = p->width * sqrt(posse_log(2.0 * m->learners / p->delta * m->learned)), bound = -INFINITY;
    int best = -1;
    for (int i = 0; i < p->means.places; i++) {
        if (tallies[i].count == 0.0) continue;
        double own = tallies[i].mean + radius * (1.0 / sqrt(tallies[i].count));
        best = own > bound ? i : best;
        bound = own > bound ? own : bound;
    }
    return best;
}

static int ucb_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)draw, (void)ties;
    const plan *p = plan_;
    int untried = means_try(p, state);
    *probability = 1.0;
    return untried >= 0 ? untried : ucb_largest_bound(p, state);
}

const posse_selector_ops selector_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "ucb",
             .help = "the learner with the largest upper confidence bound",
             .params = params,
             .prepare = ucb_prepare,
             .state_size = means_state_size,
             .start = means_start,
             .sane = means_sane,
             .grow = means_adopt},
    .admit = means_admit,
    .retire = means_retire,
    .choose = ucb_choose,
    .played = means_played,
    .learn = means_learn,
    .adopt = means_adopt,
};
