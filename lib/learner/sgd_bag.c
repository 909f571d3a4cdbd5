/* SPDX-License-Identifier: MIT */
/*
 * A bag of linear models that learn by gradient steps (sgd_model.h), in contexts. Every model learns a reward a random
 * number of times, which is Poisson of mean 1: an online bootstrap. The learner picks a model at random and plays the
 * best arm of that model, so an arm has as its probability the share of the models that find it best. With probability
 * epsilon it plays an available arm at random instead.
 *
 * How often a reward counts is a function of the number of the reward, the model, and a key that was drawn at the last
 * pick, because learning has no stream to draw from.
 * Reference: Oza, Russell, Online bagging and boosting (2001); Eckles, Kaptein, Thompson sampling with the online
 * bootstrap (2014).
 */
#include "learner/learner.h"
#include "learner/sgd_model.h"
#include "random/philox.h"

enum { BAGS, EPSILON, MODEL };

static const posse_param params[] = {{.name = "bags",
                                      .type = POSSE_TYPE_COUNT,
                                      .fallback = 5.0,
                                      .low = 1.0,
                                      .high = SGD_MODELS_MAX,
                                      .help = "models of the bootstrap"},
                                     PARAMETER_EPSILON(0.0),
                                     PARAMETERS_OF_SGD,
                                     PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double epsilon;
} plan;

static posse_error sgd_bag_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->epsilon = setup->settings[EPSILON].number;
    return sgd_prepare(setup, "sgd-bag", setup->settings + MODEL, (int)setup->settings[BAGS].number, &p->model);
}

static int sgd_bag_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    *sgd_key(state) = posse_draw_uniform(draw);
    if (p->epsilon > 0.0 && posse_draw_uniform(draw) < p->epsilon)
        return (int)posse_draw_index(draw, (uint64_t)round->count);
    int chosen = (int)posse_draw_index(draw, (uint64_t)p->model.models);
    return sgd_best(&p->model, state, chosen, round);
}

/* A Poisson number of mean 1, by its quantile. */
static double copies_of(double key, double reward, int chosen) {
    const double inverse_e = 0.36787944117144233;
    uint64_t number = (uint64_t)reward;
    uint32_t words[4], counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)chosen, 0};
    philox((uint64_t)(key * 0x1p52), counter, words);
    double uniform = (words[0] + 0.5) * 0x1p-32, probability = inverse_e, below = inverse_e, copies = 0.0;
    while (uniform > below && copies < 20.0) {
        copies += 1.0;
        probability /= copies;
        below += probability;
    }
    return copies;
}

static void sgd_bag_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    double room[ROW_ROOM];
    row x = sgd_row(&p->model, point, room);
    for (int i = 0; i < p->model.models; i++)
        sgd_step(&p->model, state, i, arm, x, reward, copies_of(*sgd_key(state), sgd_learned(state), i));
    sgd_count(state);
}

const posse_learner_ops learner_sgd_bag = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "sgd-bag",
             .help =
                 "in contexts: the best arm of one of several linear models, a bootstrap that learns by gradient steps",
             .params = params,
             .prepare = sgd_bag_prepare,
             .state_size = sgd_state_size,
             .sane = sgd_sane,
             .grow = sgd_grow},
    .learn = sgd_bag_learn,
    .act_in = sgd_bag_act_in,
};
