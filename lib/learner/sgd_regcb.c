/* SPDX-License-Identifier: MIT */
/*
 * RegCB over a linear model that learns by gradient steps (sgd_model.h), in contexts. The upper bound of an arm is the
 * largest value that the model could have for it without a much larger loss. Adding a reward `high` + 1 that counts u
 * times raises the value v by s u, where s is the model's sensitivity to it, and changes its squared loss by at least
 * u (d^2 - (d - s u)^2) with d = high + 1 - v. The bound is v + s u, moved into [low, high], for the largest u up to d
 * / s with
 *
 *     u (d^2 - (d - s u)^2) <= mellowness (high - low)^2 ln(K t),
 *
 * with K available arms and t one more than the rewards learned. The lower bound is the mirror image, with low - 1. The
 * learner plays the arm with the largest upper bound or, with `eliminate`, any of the arms whose upper bound is at
 * least the largest lower bound, each with the same probability. Reference: Foster, Agarwal, Dudik, Luo, Schapire,
 * Practical contextual bandits with regression oracles (2018). The search by sensitivities is that of Vowpal Wabbit:
 * Krishnamurthy, Agarwal, Huang, Daume, Langford, Active learning for cost-sensitive classification (2017).
 */
#include <math.h>

#include "learner/learner.h"
#include "learner/sgd_model.h"

enum { MELLOWNESS, RANGE, ELIMINATE, MODEL };

static const double unit_range[] = {0.0, 1.0};

static const posse_param params[] = {{.name = "mellowness",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.1,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "how much loss it allows for in its bounds; 0: greedy"},
                                     {.name = "range",
                                      .type = POSSE_TYPE_RANGE,
                                      .fallbacks = unit_range,
                                      .low = -SCALE_MAX,
                                      .high = SCALE_MAX,
                                      .help = "lowest and highest reward"},
                                     {.name = "eliminate",
                                      .type = POSSE_TYPE_FLAG,
                                      .fallback = 0.0,
                                      .low = 0.0,
                                      .high = 1.0,
                                      .help = "play any arm that may be the best, instead of the largest bound"},
                                     PARAMETERS_OF_SGD,
                                     PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double mellowness, low, high;
    bool eliminates;
} plan;

static posse_error sgd_regcb_prepare(const posse_setup *setup, void **out) {
    const posse_option *range = &setup->settings[RANGE];
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->mellowness = setup->settings[MELLOWNESS].number;
    p->low = range->list[0];
    p->high = range->list[1];
    p->eliminates = setup->settings[ELIMINATE].number != 0.0;
    return sgd_prepare(setup, "sgd-regcb", setup->settings + MODEL, 1, &p->model);
}

#define HALVINGS 40

/* The largest s u up to d, by bisection in u. */
static double regcb_farthest(double d, double sensitivity, double loss) {
    if (!(sensitivity > 0.0) || !(d > 0.0)) return 0.0;
    double low = 0.0, high = d / sensitivity;
    if (high * d * d <= loss) return d;
    for (int n = 0; n < HALVINGS; n++) {
        double u = 0.5 * (low + high), left = d - sensitivity * u;
        bool more = u * (d * d - left * left) <= loss;
        low = more ? u : low;
        high = more ? high : u;
    }
    return sensitivity * low;
}

/* The bound of an arm towards a target beyond the range. sign: 1 above, -1 below. */
static double regcb_bound(const plan *p, const void *state, int arm, row x, double loss, double sign) {
    double end = sign > 0.0 ? p->high : p->low, target = end + sign, value = sgd_value(&p->model, state, 0, arm, x);
    double sensitivity = sgd_sensitivity(&p->model, state, 0, arm, x, target);
    double reached = value + sign * regcb_farthest(sign * (target - value), sensitivity, loss);
    return reached < p->low ? p->low : reached > p->high ? p->high : reached;
}

/* An arm at random among those whose upper bound is at least `least`. */
static int regcb_any(const double *uppers, int count, double least, posse_draw *draw) {
    int left = 0;
    for (int k = 0; k < count; k++) left += uppers[k] >= least;
    uint64_t rank = posse_draw_index(draw, (uint64_t)left);
    int k = 0;
    while (uppers[k] < least || rank-- > 0) k++;
    return k;
}

static int sgd_regcb_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    double room[ROW_ROOM], *uppers = sgd_values(&p->model, state, 0, round), least = -INFINITY;
    double wide = p->high - p->low,
           loss = p->mellowness * wide * wide * posse_log(round->count * (1.0 + sgd_learned(state)));
    for (int k = 0; k < round->count; k++) {
        row x = sgd_row(&p->model, round_features(round, k), room);
        double lower = p->eliminates ? regcb_bound(p, state, round->arms[k], x, loss, -1.0) : -INFINITY;
        uppers[k] = regcb_bound(p, state, round->arms[k], x, loss, 1.0);
        least = lower > least ? lower : least;
    }
    if (p->eliminates) return regcb_any(uppers, round->count, least, draw);
    return largest(uppers, round->count);
}

const posse_learner_ops learner_sgd_regcb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "sgd-regcb",
             .help = "in contexts: the largest upper bound of a linear model that learns by gradient steps, by losses",
             .params = params,
             .prepare = sgd_regcb_prepare,
             .state_size = sgd_state_size,
             .sane = sgd_sane,
             .grow = sgd_grow},
    .learn = sgd_learn,
    .act_in = sgd_regcb_act_in,
};
