/* SPDX-License-Identifier: MIT */
/*
 * Online cover over linear models that learn by gradient steps (sgd_model.h), where all arms share their features.
 * There are n policies, each the best arm of its model. With K arms and t one more than the rewards learned,
 *
 *     e = min(1 / K, 1 / sqrt(K t)),   p_i(a) = e + (1 - K e) (share of the policies 0 .. i-1 that play a),
 *
 * and the learner plays arm a with probability p_n(a). Policy 0 learns rewards. Policy i learns rewards plus a bonus
 * for arms that the policies before it play seldom, so that together they cover the arms that may be good:
 *
 *     r + psi e / p_i(a)
 *
 * Vowpal Wabbit's --cover learns such costs for all arms, by importance weights. Here a policy learns that of the arm
 * played.
 * Reference: Agarwal, Hsu, Kale, Langford, Li, Schapire, Taming the monster (2014), section 6.
 */
#include <math.h>

#include "learner/learner.h"
#include "learner/sgd_model.h"

enum { POLICIES, PSI, MODEL };

static const posse_param params[] = {{.name = "policies",
                                      .type = POSSE_TYPE_COUNT,
                                      .fallback = 4.0,
                                      .low = 1.0,
                                      .high = SGD_MODELS_MAX,
                                      .help = "policies of the cover"},
                                     {.name = "psi",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.1,
                                      .low = 0.0,
                                      .high = SCALE_MAX,
                                      .help = "bonus of an arm that no policy before plays"},
                                     PARAMETERS_OF_SGD,
                                     PARAMETERS_END};

typedef struct plan {
    sgd_model model;
    double psi;
} plan;

static posse_error sgd_cover_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    p->psi = setup->settings[PSI].number;
    posse_error error =
        sgd_prepare(setup, "sgd-cover", setup->settings + MODEL, (int)setup->settings[POLICIES].number, &p->model);
    if (error != POSSE_OK || setup->space->features == setup->space->shared_features) return error;
    return posse_setup_refuse(setup, NULL, -1,
                              "sgd-cover needs features that all arms share: when it learns, it asks what its policies "
                              "would have played");
}

/* e, with this number of arms. */
static double cover_least(const void *state, int arms) {
    double least = 1.0 / sqrt(arms * (1.0 + sgd_learned(state)));
    return least < 1.0 / arms ? least : 1.0 / arms;
}

static int sgd_cover_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    const plan *p = plan_;
    double least = cover_least(state, round->count);
    if (posse_draw_uniform(draw) < round->count * least) return (int)posse_draw_index(draw, (uint64_t)round->count);
    int chosen = (int)posse_draw_index(draw, (uint64_t)p->model.models);
    return sgd_best(&p->model, state, chosen, round);
}

/* Whether a policy plays an arm among all that are not retired. */
static bool cover_plays(const plan *p, const void *state, int policy, int arm, row x) {
    const posse_space *space = p->model.space;
    double value = sgd_value(&p->model, state, policy, arm, x);
    for (int k = 0; k < space->active_count; k++) {
        int other = space->active != NULL ? space->active[k] : k;
        double beside = other != arm ? sgd_value(&p->model, state, policy, other, x) : value;
        if (beside > value || (beside == value && other < arm)) return false;
    }
    return true;
}

static void sgd_cover_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    double room[ROW_ROOM], arms = p->model.space->active_count,
                           least = cover_least(state, p->model.space->active_count);
    row x = sgd_row(&p->model, point, room);
    int playing = 0;
    for (int i = 0; i < p->model.models; i++) {
        double share = i > 0 ? (double)playing / i : 0.0,
               bonus = p->psi * least / (least + (1.0 - arms * least) * share);
        playing += cover_plays(p, state, i, arm, x);
        sgd_step(&p->model, state, i, arm, x, i > 0 ? reward + bonus : reward, 1.0);
    }
    sgd_count(state);
}

const posse_learner_ops learner_sgd_cover = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "sgd-cover",
             .help = "in contexts: the best arm of one of several linear models, which learn to play different arms",
             .params = params,
             .prepare = sgd_cover_prepare,
             .state_size = sgd_state_size,
             .sane = sgd_sane,
             .grow = sgd_grow},
    .learn = sgd_cover_learn,
    .act_in = sgd_cover_act_in,
};
