/* SPDX-License-Identifier: MIT */
/*
 * A model of rewards in contexts, for learners: the mean reward of an arm with features x is <theta, x>, or with a
 * logistic link sigmoid(<theta, x> + bias), with one theta for all arms (joint) or one for each (disjoint). theta
 * starts as N(0, I / precision), and learns by belief/regression.h, with noise 1, or by belief/logistic_regression.h.
 * A linear model has a bias, too: its rewards are <theta, x> + bias. As all arms have it, it is left out of their
 * values. With a diagonal covariance it learns by belief/diagonal.h, and cannot forget.
 *
 * A model may also learn what products of two features add to its values (belief/products.h), and cannot
 * forget then.
 *
 * A linear model may learn the zero and the unit of rewards (reward_units.h), in place of a bias and noise 1. Its
 * regressions learn r - zero with noise 1, so deviations are in units of the noise.
 *
 * A model may use only some of the features: x then has only these, and d is their number.
 *
 * A model may forget. With `forget` g below 1, every new reward first multiplies the weight of all rewards before it by
 * g: for each theta the precision matrix becomes g P, and the covariance root S is divided by sqrt(g). The prior does
 * not fade. The part that it lost comes back in turns, as rewards of 0. With every reward, the next `turns` coordinates
 * j, cyclically, get
 *
 *     P += w e_j e_j^T,   w = precision (1 - g) d / turns,   turns = the least whole number >= 10 (1 - g) d, at most d.
 *
 * In a direction without rewards, P is thus within a fifth of the precision; with turns = d it is exact. This takes
 * O(d^2) for each theta and turn.
 */
#ifndef POSSE_LEARNER_MODEL_H
#define POSSE_LEARNER_MODEL_H

#include "belief/products.h"
#include "belief/regressions.h"
#include "learner/features.h"
#include "learner/reward_units.h"
#include "model/part.h"
#include "model/round.h"

/* The options of a learner with a model. They must follow one another in this order; the last one is of linear models.
 */
enum {
    MODEL_PRECISION,
    MODEL_BIAS,
    MODEL_KIND,
    MODEL_FEATURES,
    MODEL_FORGET,
    MODEL_PRODUCTS,
    MODEL_COVARIANCE,
    MODEL_OPTIONS,
    MODEL_REWARDS = MODEL_OPTIONS,
    LINEAR_MODEL_OPTIONS
};
#define PARAMETERS_OF_MODEL(where_, bias_)                                                                             \
    {.name = "precision",                                                                                              \
     .type = POSSE_TYPE_REAL,                                                                                          \
     .flags = POSSE_PARAM_INHERITED | POSSE_PARAM_KEPT,                                                                \
     .fallback_word = "auto",                                                                                          \
     .low = PRECISION_MIN,                                                                                             \
     .high = PRECISION_MAX,                                                                                            \
     .words = "auto",                                                                                                  \
     .help = where_ "each weight has prior variance 1 / precision; auto: a tenth of the features, at least 1"},        \
        bias_, PARAMETER_MODEL, PARAMETER_FEATURES,                                                                    \
        {.name = "forget",                                                                                             \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .fallback = 1.0,                                                                                              \
         .low = 1e-3,                                                                                                  \
         .high = 1.0,                                                                                                  \
         .help = "in contexts: factor on older rewards, applied with every new reward; 1: all count the same"},        \
        PARAMETER_PRODUCTS, PARAMETER_COVARIANCE

/* `bias` of a linear model. All arms have it, so it moves no arm before another: only what a reward teaches changes. */
#define PARAMETER_LINEAR_BIAS(where_)                                                                                  \
    {                                                                                                                  \
        .name = "bias", .type = POSSE_TYPE_REAL, .fallback = 0.0, .low = -1e6, .high = 1e6,                            \
        .help = where_ "reward that it expects of every arm before it has learned any; 0.5 for rewards of 0 and 1"     \
    }

/* The options of a learner with a linear model, of LINEAR_MODEL_OPTIONS. */
#define PARAMETERS_OF_LINEAR_MODEL(where_)                                                                             \
    PARAMETERS_OF_MODEL(where_, PARAMETER_LINEAR_BIAS(where_)), {                                                      \
        .name = "rewards", .type = POSSE_TYPE_WORD, .flags = POSSE_PARAM_OPTIONAL, .words = "plain|standardised",      \
        .help = "in contexts: standardised by their level and their noise, which are learned; default plain"           \
    }

/* What a learner asks of the estimates of a round. */
typedef enum model_asks { MODEL_ASKS_MEANS, MODEL_ASKS_DEVIATIONS, MODEL_ASKS_NOTHING } model_asks;

typedef struct model {
    regressions regressions;
    products products;
    const int *seen; /* the regressions.dim features that it uses; NULL: all */
    double forget;
    int turns;
    double back; /* sqrt(w) */
    bool logistic;
    double bias;
    bool standardised; /* rewards are, by reward_units.h */
    model_asks asks;   /* not a part of the model: learners that ask for different estimates share one */
} model;

/* Reads the options. The link is linear, and means are asked for; learners set something else afterwards. */
posse_error model_prepare(const posse_setup *setup, const posse_option settings[MODEL_OPTIONS], model *out);

/* The same with the option of linear models. */
posse_error linear_model_prepare(const posse_setup *setup, const posse_option settings[LINEAR_MODEL_OPTIONS],
                                 model *out);

/*
 * The number that a setting of `precision` means for `dim` weights that are learned together. The more weights, the
 * less each of them may explain before there are as many rewards.
 */
double model_precision(const posse_option *setting, int dim);

/* Refuses the options of rounds with features if these have none. Points of arms have a precision and a bias, too. */
posse_error model_refuse(const posse_setup *setup, const posse_option settings[MODEL_OPTIONS]);
posse_error linear_model_refuse(const posse_setup *setup, const posse_option settings[LINEAR_MODEL_OPTIONS]);

/* How many features the model uses. Where contexts are sparse, DIM_MAX stands for any larger number. */
static inline int model_dim(const model *m) {
    const posse_space *space = m->regressions.space;
    if (!space_is_sparse(space)) return m->regressions.dim;
    return space->features < DIM_MAX ? space->features : DIM_MAX;
}

/* Learners of this width ask for deviations. With `drawn`, they sample: a joint model then samples its weights. */
static inline model_asks model_asks_for(const model *m, double width, bool drawn) {
    if (drawn && !m->regressions.disjoint) return MODEL_ASKS_NOTHING;
    return width > 0.0 ? MODEL_ASKS_DEVIATIONS : MODEL_ASKS_MEANS;
}

/* The state is the number of rewards learned, then the regressions, the products, the zero of rewards and their units.
 */
static inline double *model_regressions(const void *state) {
    return (double *)(uintptr_t)state + 1;
}

static inline double *model_product_state(const model *m, const void *state) {
    return (double *)((char *)model_regressions(state) + regressions_size(&m->regressions));
}

static inline double *model_zero(const model *m, const void *state) {
    return (double *)((char *)model_product_state(m, state) + products_size(&m->products));
}

/* The unit of all rewards, and of a disjoint model also that of each arm behind it. */
static inline reward_unit *model_units(const model *m, const void *state) {
    return (reward_unit *)(model_zero(m, state) + 1);
}

/*
 * The unit in which deviations of an arm are: the noise of its own rewards or that of all, whichever is larger. An arm
 * that does nothing has no noise, and must not make others look certain; rewards that were equal so far may not stay
 * so.
 */
static inline double model_noise(const model *m, const void *state, int arm) {
    if (!m->standardised) return 1.0;
    const reward_unit *units = model_units(m, state);
    double all = reward_unit_noise(units), own = m->regressions.disjoint ? reward_unit_noise(units + 1 + arm) : all;
    double noise = own > all ? own : all;
    return noise > 0.0 ? noise : 1.0; /* all rewards were equal, and so are all estimates: any unit is right */
}

/* ---- for the table of a learner whose plan begins with a model, and whose state is that of the model ---- */

size_t model_state_size(const void *plan);
void model_start(const void *plan, void *state);
bool model_sane(const void *plan, const void *state);
void model_grow(const void *plan, void *state, const void *former_plan, const void *former_state);
bool model_unit_rewards(const void *plan); /* true if the link is logistic */
void model_learn(const void *plan, void *state, int arm, const double *point, double reward);
bool model_same(const void *plan, const void *other);
const void *model_as_belief(const void *plan, const void *state, const posse_belief *belief); /* a logistic one */
void model_estimate_rounds(const void *plan, const void *state, const posse_round *rounds, int count, double *room,
                           posse_estimates *e);

/*
 * ---- values of available arms; model_largest_* return the place of the largest, the first among equals. They read the
 * estimates of the round, and compute those that are missing; NULL: the learner shares its state with no other. ----
 */

/* <mean, x> of the arm at a place. */
double model_value(const model *m, const void *state, const posse_round *round, int place);

int model_largest_value(const model *m, const void *state, const posse_round *round, posse_estimates *e);

/* <mean, x> + width noise sqrt(x^T Sigma x), where noise is the arm's model_noise */
int model_largest_bound(const model *m, const void *state, const posse_round *round, double width, posse_estimates *e);

/*
 * <theta, x> with theta ~ N(mean, scale^2 noise^2 Sigma). Where each arm has its own theta, the values are independent,
 * and each is drawn directly. A scale of 0 draws nothing.
 */
int model_largest_drawn(const model *m, const void *state, const posse_round *round, double scale, posse_draw *draw,
                        posse_estimates *e);

/* Rewards learned so far. */
double model_learned(const void *state);

#endif
