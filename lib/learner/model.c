/* SPDX-License-Identifier: MIT */
#include "learner/model.h"

#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "belief/logistic.h"

double model_learned(const void *state) {
    return *(const double *)state;
}

/* ------------------------------------------------- options ------------------------------------------------- */

posse_error model_refuse(const posse_setup *setup, const posse_option settings[MODEL_OPTIONS]) {
    for (int i = MODEL_KIND; i < MODEL_OPTIONS; i++) {
        if (i == MODEL_COVARIANCE) return regressions_refuse_covariance(setup, &settings[i]);
        bool given = settings[i].key != NULL;
        if (i == MODEL_FORGET) given = settings[i].number < 1.0;
        if (i == MODEL_PRODUCTS) given = settings[i].number != 0.0;
        if (given)
            return posse_setup_refuse(setup, settings[i].key, -1,
                                      "given, but it is for rounds with features, and these have none");
    }
    return POSSE_OK;
}

static bool model_standardises(const posse_option settings[LINEAR_MODEL_OPTIONS]) {
    const posse_option *rewards = &settings[MODEL_REWARDS];
    return rewards->key != NULL && strcmp(rewards->word, "standardised") == 0;
}

posse_error linear_model_refuse(const posse_setup *setup, const posse_option settings[LINEAR_MODEL_OPTIONS]) {
    if (!model_standardises(settings)) return model_refuse(setup, settings);
    return posse_setup_refuse(setup, settings[MODEL_REWARDS].key, -1,
                              "standardised, but that is for rounds with features, and these have none");
}

double model_precision(const posse_option *setting, int dim) {
    return setting->word != NULL ? fmax(1.0, dim / 10.0) : setting->number;
}

static posse_error model_can_forget(const posse_setup *setup, const model *m) {
    if (m->forget == 1.0) return POSSE_OK;
    if (m->regressions.diagonal)
        return posse_setup_refuse(setup, "forget", -1,
                                  "a diagonal covariance cannot forget: leave it out, or make it full");
    if (products_are_used(&m->products))
        return posse_setup_refuse(setup, "forget", -1, "products cannot forget: leave it out, or the products");
    return POSSE_OK;
}

posse_error model_prepare(const posse_setup *setup, const posse_option settings[MODEL_OPTIONS], model *out) {
    int dim;
    bool disjoint = false;
    *out = (model){.forget = settings[MODEL_FORGET].number, .bias = settings[MODEL_BIAS].number};
    posse_error error = features_read(setup, &settings[MODEL_FEATURES], &dim, &out->seen);
    if (error != POSSE_OK) return error;
    error = features_model(setup, &settings[MODEL_KIND], dim, out->seen, &disjoint);
    if (error != POSSE_OK) return error;
    bool alone = regressions_are_diagonal(setup, &settings[MODEL_COVARIANCE]); /* each weight learns by itself */
    double precision = model_precision(&settings[MODEL_PRECISION], alone ? 1 : dim);
    double lost = 1.0 - out->forget, turns = ceil(10.0 * lost * dim);
    out->turns = turns < dim ? (int)turns : dim;
    out->back = out->turns > 0 ? sqrt(precision * lost * dim / out->turns) : 0.0;
    error = regressions_prepare(setup, &settings[MODEL_COVARIANCE], disjoint, dim, precision, &out->regressions);
    if (error == POSSE_OK)
        error = products_prepare(setup, &settings[MODEL_PRODUCTS], &out->regressions, &out->products);
    return error == POSSE_OK ? model_can_forget(setup, out) : error;
}

posse_error linear_model_prepare(const posse_setup *setup, const posse_option settings[LINEAR_MODEL_OPTIONS],
                                 model *out) {
    posse_error error = model_prepare(setup, settings, out);
    out->standardised = model_standardises(settings);
    if (error != POSSE_OK || !out->standardised || out->bias == 0.0) return error;
    return posse_setup_refuse(setup, settings[MODEL_BIAS].key, -1,
                              "given, but rewards are standardised, so their level is learned: leave one of them out");
}

/* --------------------------------------------- a learner's table ------------------------------------------- */

static int model_unit_count(const model *m) {
    if (!m->standardised) return 0;
    return m->regressions.disjoint ? 1 + m->regressions.count : 1;
}

/* Bytes of the zero and the units. */
static size_t model_scale_size(const model *m) {
    return m->standardised ? sizeof(double) + (size_t)model_unit_count(m) * sizeof(reward_unit) : 0;
}

static bool model_scale_sane(const model *m, const void *state) {
    bool all = !m->standardised || reward_zero_sane(*model_zero(m, state));
    for (int k = 0; k < model_unit_count(m); k++) all = all && reward_unit_sane(&model_units(m, state)[k]);
    return all;
}

size_t model_state_size(const void *plan) {
    const model *m = plan;
    return sizeof(double) + regressions_size(&m->regressions) + products_size(&m->products) + model_scale_size(m);
}

void model_start(const void *plan, void *state) {
    const model *m = plan;
    *(double *)state = 0.0;
    regressions_start(&m->regressions, model_regressions(state));
    products_start(&m->products, model_product_state(m, state));
    if (m->standardised) *model_zero(m, state) = 0.0;
    for (int k = 0; k < model_unit_count(m); k++) model_units(m, state)[k] = (reward_unit){0.0, 0.0};
}

bool model_sane(const void *plan, const void *state) {
    const model *m = plan;
    double learned = model_learned(state);
    bool counts = learned >= 0.0 && learned < 0x1p53 && learned == floor(learned);
    return counts && regressions_sane(&m->regressions, model_regressions(state)) &&
           products_sane(&m->products, model_product_state(m, state)) && model_scale_sane(m, state);
}

void model_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    const model *m = plan, *n = former_plan;
    *(double *)state = model_learned(former_state);
    regressions_grow(&m->regressions, model_regressions(state), &n->regressions, model_regressions(former_state));
    products_grow(model_product_state(m, state), &n->products, model_product_state(n, former_state));
    memcpy(model_zero(m, state), model_zero(n, former_state), model_scale_size(n));
}

bool model_unit_rewards(const void *plan) {
    return ((const model *)plan)->logistic;
}

bool model_same(const void *plan, const void *other) {
    const model *m = plan, *n = other;
    const regressions *r = &m->regressions, *q = &n->regressions;
    bool same = m->logistic == n->logistic && m->bias == n->bias && m->standardised == n->standardised &&
                m->forget == n->forget && r->disjoint == q->disjoint && r->count == q->count && r->dim == q->dim &&
                r->precision == q->precision && r->diagonal == q->diagonal && products_same(&m->products, &n->products);
    if (!same || m->seen == NULL || n->seen == NULL) return same && m->seen == n->seen;
    return memcmp(m->seen, n->seen, (size_t)r->dim * sizeof *m->seen) == 0;
}

/*
 * The belief's state is the regressions, arm by arm, which those of a diagonal covariance are not. Its precision shows
 * in their start, so equal bytes are of equal precisions.
 */
const void *model_as_belief(const void *plan, const void *state, const posse_belief *belief) {
    const model *m = plan;
    bool alike = m->logistic && m->forget == 1.0 && m->seen == NULL && belief->ops == &belief_logistic_in_contexts &&
                 belief->model.bias == m->bias && belief->model.disjoint == m->regressions.disjoint &&
                 !m->regressions.diagonal && !logistic_is_diagonal(belief->part.plan);
    return alike ? model_regressions(state) : NULL;
}

/* The features that the model uses, in `room` if these are not all features. */
static const double *model_see(const model *m, const double *features, double *room) {
    if (m->seen == NULL) return features;
    for (int j = 0; j < m->regressions.dim; j++) room[j] = features[m->seen[j]];
    return room;
}

static void model_fade_regression(const model *m, double *regression, double learned) {
    int dim = m->regressions.dim;
    double x[DIM_MAX] = {0.0}, v[DIM_MAX];
    regression_scale(regression, dim, 1.0 / sqrt(m->forget));
    uint64_t first = (uint64_t)learned % (uint64_t)dim * (uint64_t)m->turns;
    for (int k = 0; k < m->turns; k++) {
        uint64_t j = (first + (uint64_t)k) % (uint64_t)dim;
        x[j] = m->back;
        regression_update(regression, dim, 1.0, x, 0.0, v);
        x[j] = 0.0;
    }
}

/* All that was learned fades, whichever arm the new reward is of. */
static void model_fade(const model *m, void *state) {
    if (m->forget == 1.0) return;
    for (int k = 0; k < m->regressions.count; k++)
        model_fade_regression(m, regressions_at(&m->regressions, model_regressions(state), k), model_learned(state));
    for (int k = 0; k < model_unit_count(m); k++) reward_unit_fade(&model_units(m, state)[k], m->forget);
}

/* Before the linear part learns: the products learn what it did not expect. */
static void model_learn_products(const model *m, void *state, int arm, const double *x, double reward, double bias) {
    if (!products_are_used(&m->products)) return;
    double beside = regressions_mean(&m->regressions, model_regressions(state), arm, x) + bias;
    if (m->logistic)
        products_logistic_learn(&m->products, model_product_state(m, state), arm, x, reward, beside);
    else
        products_learn(&m->products, model_product_state(m, state), arm, x, reward, beside);
}

static void model_learn_linear(const model *m, void *state, int arm, const double *x, double reward) {
    const regressions *r = &m->regressions;
    double *learned = model_regressions(state), noise = regressions_noise(r, 1.0, sqrt(1.0 / r->precision), x);
    double off = m->standardised ? reward - regressions_mean(r, learned, arm, x) : 0.0;
    double alpha = regressions_update(r, learned, arm, noise, x, reward);
    if (!m->standardised) return;
    reward_unit *units = model_units(m, state);
    reward_unit_learn(units, off, alpha);
    if (r->disjoint) reward_unit_learn(units + 1 + arm, off, alpha);
}

/* Returns the zero that the reward is learned with. */
static double model_see_reward(const model *m, void *state, int arm, const double *x, double reward) {
    double left = reward - regressions_mean(&m->regressions, model_regressions(state), arm, x);
    double *zero = model_zero(m, state);
    return *zero = reward_zero_after(*zero, model_units(m, state), left);
}

void model_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    const model *m = plan;
    const regressions *r = &m->regressions;
    double room[DIM_MAX], bias = m->bias;
    const double *x = model_see(m, point, room);
    model_fade(m, state);
    if (m->standardised) bias = model_see_reward(m, state, arm, x, reward);
    model_learn_products(m, state, arm, x, reward, bias);
    if (m->logistic)
        regressions_logistic_update(r, model_regressions(state), arm, bias, x, reward);
    else
        model_learn_linear(m, state, arm, x, reward - bias);
    *(double *)state += 1.0;
}

/* --------------------------------------------- values of arms ---------------------------------------------- */

/* What products add to the value of the arm at a place. x: the features that the model uses. */
static double model_products(const model *m, const void *state, const posse_round *round, int place, const double *x) {
    products_row features;
    if (!products_are_used(&m->products)) return 0.0;
    products_see(&m->products, x, &features);
    return products_value(&m->products, model_product_state(m, state), round->arms[place], &features);
}

double model_value(const model *m, const void *state, const posse_round *round, int place) {
    double room[DIM_MAX];
    const double *x = model_see(m, round_features(round, place), room);
    return regressions_mean(&m->regressions, model_regressions(state), round->arms[place], x) +
           model_products(m, state, round, place, x);
}

/* Some places of a round, the last one repeated if there are fewer: regression_moments takes that many at a time. */
enum { FEW = REGRESSIONS_ABREAST };

static void estimate_diagonal(const model *m, const void *state, const posse_round *round, int first, double *means,
                              double *deviations) {
    double room[DIM_MAX];
    const double *learned = model_regressions(state);
    for (int i = 0; i < FEW && first + i < round->count; i++) {
        const double *x = model_see(m, round_features(round, first + i), room);
        int arm = round->arms[first + i];
        means[i] = regressions_mean(&m->regressions, learned, arm, x);
        if (deviations != NULL) deviations[i] = sqrt(regressions_variance(&m->regressions, learned, arm, x));
    }
}

static void model_add_products(const model *m, const void *state, const posse_round *round, int first, double *means) {
    double room[DIM_MAX];
    products_row features;
    for (int i = 0; i < FEW && first + i < round->count; i++) {
        bool again = i > 0 && round->stride == 0; /* the same x as before */
        if (!again) products_see(&m->products, model_see(m, round_features(round, first + i), room), &features);
        means[i] += products_value(&m->products, model_product_state(m, state), round->arms[first + i], &features);
    }
}

/* The estimates without products. */
static void model_estimate_linear(const model *m, const void *state, const posse_round *round, int first, double *means,
                                  double *deviations) {
    if (m->regressions.diagonal) {
        estimate_diagonal(m, state, round, first, means, deviations);
        return;
    }
    const double *theta[FEW], *x[FEW];
    double room[FEW][DIM_MAX];
    for (int i = 0; i < FEW; i++) {
        int place = first + i < round->count ? first + i : round->count - 1;
        bool again = i > 0 && (round->stride == 0 || first + i >= round->count); /* the same x as before */
        theta[i] = regressions_of(&m->regressions, model_regressions(state), round->arms[place]);
        x[i] = again ? x[i - 1] : model_see(m, round_features(round, place), room[i]);
    }
    if (deviations == NULL) {
        regression_means(theta, m->regressions.dim, x, means);
        return;
    }
    regression_moments(theta, m->regressions.dim, x, means, deviations);
    for (int i = 0; i < FEW; i++) deviations[i] = sqrt(deviations[i]);
}

/* The estimates of the places from `first` on. deviations: NULL if only the means are needed. */
static void model_estimate_few(const model *m, const void *state, const posse_round *round, int first, double *means,
                               double *deviations) {
    model_estimate_linear(m, state, round, first, means, deviations);
    if (products_are_used(&m->products)) model_add_products(m, state, round, first, means);
}

/* Computes the estimates that are missing. */
static void model_estimate(const model *m, const void *state, const posse_round *round, bool deviations,
                           posse_estimates *e) {
    if (e->has_means && (e->has_deviations || !deviations)) return;
    for (int k = 0; k < round->count; k += FEW) {
        double mean[FEW], deviation[FEW];
        size_t few = (size_t)(round->count - k < FEW ? round->count - k : FEW);
        model_estimate_few(m, state, round, k, mean, deviations ? deviation : NULL);
        for (size_t i = 0; i < few; i++) e->means[((size_t)k + i) * e->stride] = mean[i];
        for (size_t i = 0; deviations && i < few; i++) e->deviations[((size_t)k + i) * e->stride] = deviation[i];
    }
    e->has_means = true;
    e->has_deviations = deviations;
}

/*
 * The place of the largest upper bound or, if draw is not NULL, of the largest value that is drawn for each arm by
 * itself.
 */
static inline int model_largest_of(const model *m, const void *state, const posse_round *round, double width,
                                   posse_draw *draw, posse_estimates *e) {
    int best = 0;
    double top = -INFINITY, room[2][FEW];
    size_t stride = e != NULL ? e->stride : 1;
    if (e != NULL) model_estimate(m, state, round, width > 0.0, e);
    for (int first = 0; first < round->count; first += FEW) {
        const double *means = e != NULL ? e->means + (size_t)first * stride : room[0];
        const double *deviations = e != NULL ? e->deviations + (size_t)first * stride : room[1];
        if (e == NULL) model_estimate_few(m, state, round, first, room[0], width > 0.0 ? room[1] : NULL);
        for (int i = 0; i < FEW && first + i < round->count; i++) {
            double unit = width > 0.0 ? width * model_noise(m, state, round->arms[first + i]) : 0.0;
            double deviation = width > 0.0 ? unit * deviations[(size_t)i * stride] : 0.0;
            double value = means[(size_t)i * stride] +
                           (draw != NULL && width > 0.0 ? deviation * posse_draw_normal(draw) : deviation);
            bool more = value > top;
            best = more ? first + i : best;
            top = more ? value : top;
        }
    }
    return best;
}

int model_largest_value(const model *m, const void *state, const posse_round *round, posse_estimates *e) {
    return model_largest_of(m, state, round, 0.0, NULL, e);
}

int model_largest_bound(const model *m, const void *state, const posse_round *round, double width, posse_estimates *e) {
    return model_largest_of(m, state, round, width, NULL, e);
}

static int largest_for(const model *m, const void *state, const double *theta, const posse_round *round) {
    int best = 0, dim = m->regressions.dim;
    double top = -INFINITY, room[DIM_MAX];
    for (int k = 0; k < round->count; k++) {
        const double *x = model_see(m, round_features(round, k), room);
        double value = dot(theta, x, dim) + model_products(m, state, round, k, x);
        bool more = value > top;
        best = more ? k : best;
        top = more ? value : top;
    }
    return best;
}

/* The weights of a joint theta with a diagonal covariance are functions of a key, which is drawn. */
static int largest_of_key(const model *m, const void *state, const posse_round *round, double scale, posse_draw *draw) {
    int best = 0;
    double top = -INFINITY, room[DIM_MAX], key = scale > 0.0 ? posse_draw_uniform(draw) : 0.0;
    for (int k = 0; k < round->count; k++) {
        const double *x = model_see(m, round_features(round, k), room);
        double value = regressions_drawn(&m->regressions, model_regressions(state), round->arms[k], scale, key, x) +
                       model_products(m, state, round, k, x);
        bool more = value > top;
        best = more ? k : best;
        top = more ? value : top;
    }
    return best;
}

int model_largest_drawn(const model *m, const void *state, const posse_round *round, double scale, posse_draw *draw,
                        posse_estimates *e) {
    if (m->regressions.disjoint) return model_largest_of(m, state, round, scale, draw, e);
    scale *= model_noise(m, state, 0);
    if (m->regressions.diagonal) return largest_of_key(m, state, round, scale, draw);
    double theta[DIM_MAX];
    regression_draw(model_regressions(state), m->regressions.dim, scale, draw, theta);
    return largest_for(m, state, theta, round);
}
