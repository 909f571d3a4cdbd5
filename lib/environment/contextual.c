/* SPDX-License-Identifier: MIT */
/*
 * Contextual environment: every round has features, and means are linear in them.
 *
 * joint: one theta ~ N(0, sd^2 I) in R^dim for all arms. Arm a has the features
 *     x_ta = sqrt(stay) u_a + sqrt(1 - stay) v_ta,
 * u_a drawn once a run, v_ta each round, both N(0, I / dim), and the mean <theta, x_ta>. The arms of a round are the
 * first n of all arms, with n drawn uniformly from `present`.
 *
 * disjoint: a theta_a ~ N(0, sd^2 I) in R^context for each arm. All arms share the features s_t, 1/2 in the first place
 * and N(0, 1 / context) in the others; the mean of arm a is <theta_a, s_t>.
 *
 * A reward is the mean + noise z; with a logistic link it is 1 with probability sigmoid(mean + bias), else 0.
 */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "numeric/elementary.h"
#include "random/stream.h"

/* The first of the features that all arms share. It is constant, so that its weight is an intercept. */
#define INTERCEPT 0.5

/* The belief's precision 1 / sd^2 stays within its own range. */
#define SD_MIN 1e-5
#define SD_MAX 1e5

enum { MODEL, DIM, CONTEXT, ARMS, PRESENT, STAY, PRIOR_SD, NOISE, LINK, BIAS };

static const posse_param params[] = {
    {.name = "model",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "joint",
     .words = "joint|disjoint",
     .help = "joint: features of each arm, weights that all share; disjoint: shared features, weights of each arm"},
    {.name = "dim",
     .type = POSSE_TYPE_COUNT,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 1,
     .high = DIM_MAX,
     .help = "joint: d, the number of features of an arm"},
    {.name = "context",
     .type = POSSE_TYPE_COUNT,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 1,
     .high = DIM_MAX,
     .help = "disjoint: the number of features that all arms share in a round"},
    PARAMETER_ARMS,
    {.name = "present",
     .type = POSSE_TYPE_REALS,
     .flags = POSSE_PARAM_OPTIONAL,
     .low = 1,
     .high = ARMS_MAX,
     .help =
         "joint: number of available arms in a round, or its [lowest, highest]; always the first arms; default all"},
    {.name = "stay",
     .type = POSSE_TYPE_REAL,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1.0,
     .help = "joint: the share of the variance of an arm's features that stays from round to round"},
    {.name = "prior.sd",
     .type = POSSE_TYPE_REAL,
     .fallback = 1.0,
     .low = SD_MIN,
     .high = SD_MAX,
     .help = "standard deviation of each weight"},
    PARAMETER_NOISE(0, LINEAR_NOISE_MIN, LINEAR_NOISE_MAX),
    {.name = "link",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "identity",
     .words = "identity|logistic",
     .help = "identity: rewards around a mean linear in the features; logistic: clicks with log odds linear in them"},
    PARAMETER_BIAS(0),
    PARAMETERS_END};

typedef struct plan {
    bool disjoint, logistic;
    int features, arms;
    int fewest, most; /* arms in a round */
    double stay, sd, noise, bias;
    const int *first_arms; /* 0 .. arms-1; the arms of a round are the first of them */
} plan;

/* The numbers of an instance are theta, the lasting features u, the features of the round, and the means. */
typedef struct instance {
    int64_t count; /* arms in the round; 0 before the first */
    double best;   /* the largest mean of these arms */
    double numbers[];
} instance;

/* --------------------------------------------- numbers of an instance ------------------------------------------ */

static size_t theta_size(const plan *p) {
    return (size_t)p->features * (p->disjoint ? (size_t)p->arms : 1);
}

/* The features of a round: one vector, or one for each arm. */
static size_t round_size(const plan *p) {
    return (size_t)p->features * (p->disjoint ? 1 : (size_t)p->arms);
}

/* The lasting part of the arms' features, u. */
static size_t lasting_size(const plan *p) {
    return p->disjoint ? 0 : round_size(p);
}

static double *theta_of(instance *at) {
    return at->numbers;
}

static double *lasting_of(const plan *p, instance *at) {
    return at->numbers + theta_size(p);
}

static double *contextual_features_of(const plan *p, instance *at) {
    return lasting_of(p, at) + lasting_size(p);
}

static size_t means_offset(const plan *p) {
    return theta_size(p) + lasting_size(p) + round_size(p);
}

/* ------------------------------------------------- making it --------------------------------------------------- */

/* Refuses a setup without the key that the model needs, or with a key of the other model. */
static posse_error check_model(const posse_setup *setup, bool disjoint) {
    const posse_option *settings = setup->settings;
    const char *model = settings[MODEL].word, *own = disjoint ? "context" : "dim",
               *other = disjoint ? "dim" : "context";
    if (settings[disjoint ? DIM : CONTEXT].key != NULL)
        return posse_setup_refuse(setup, other, -1, "model `%s` has no `%s`; its features are counted by `%s`", model,
                                  other, own);
    if (settings[disjoint ? CONTEXT : DIM].key == NULL)
        return posse_setup_refuse(setup, own, -1, "is missing; model `%s` needs the number of features", model);
    if (disjoint && settings[PRESENT].key != NULL)
        return posse_setup_refuse(setup, "present", -1, "model `disjoint` has every arm in every round");
    if (disjoint && settings[STAY].number != 0.0)
        return posse_setup_refuse(setup, "stay", -1, "model `disjoint` has no features that belong to an arm");
    if (strcmp(settings[LINK].word, "identity") == 0 && settings[BIAS].number != 0.0)
        return posse_setup_refuse(setup, "bias", -1, "goes with link `logistic`, not with `identity`");
    return strcmp(settings[LINK].word, "logistic") == 0
               ? part_refuse_idle(setup, NOISE, "it goes with link `identity`, not with `logistic`")
               : POSSE_OK;
}

static posse_error take_present(const posse_setup *setup, plan *p) {
    const posse_option *present = &setup->settings[PRESENT];
    p->fewest = p->most = p->arms;
    if (present->key == NULL) return POSSE_OK;
    if (present->list != NULL && present->count != 2)
        return posse_setup_refuse(setup, "present", -1, "a list of %zu numbers; it must be two, [lowest, highest]",
                                  present->count);
    double fewest = present->list != NULL ? present->list[0] : present->number;
    double most = present->list != NULL ? present->list[1] : present->number;
    if (fewest != floor(fewest) || most != floor(most))
        return posse_setup_refuse(setup, "present", -1, "[%.12g, %.12g]: arms are counted in whole numbers", fewest,
                                  most);
    if (fewest > most)
        return posse_setup_refuse(setup, "present", -1, "[%.12g, %.12g] is empty; the lowest comes first", fewest,
                                  most);
    if (most > p->arms)
        return posse_setup_refuse(setup, "present", -1, "%.12g arms in a round, and there are only %d in all", most,
                                  p->arms);
    p->fewest = (int)fewest;
    p->most = (int)most;
    return POSSE_OK;
}

static posse_error contextual_prepare(const posse_setup *setup, void **out) {
    const posse_option *settings = setup->settings;
    bool disjoint = strcmp(settings[MODEL].word, "disjoint") == 0;
    posse_error error = check_model(setup, disjoint);
    if (error != POSSE_OK) return error;
    int arms = (int)settings[ARMS].number;
    plan *p = posse_setup_allocate(setup, sizeof *p);
    int *first_arms = posse_setup_allocate(setup, (size_t)arms * sizeof *first_arms);
    if (p == NULL || first_arms == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < arms; a++) first_arms[a] = a;
    *p = (plan){.disjoint = disjoint,
                .logistic = strcmp(settings[LINK].word, "logistic") == 0,
                .features = (int)settings[disjoint ? CONTEXT : DIM].number,
                .arms = arms,
                .stay = settings[STAY].number,
                .sd = settings[PRIOR_SD].number,
                .noise = settings[NOISE].number,
                .bias = settings[BIAS].number,
                .first_arms = first_arms};
    *out = p;
    return take_present(setup, p);
}

static size_t contextual_state_size(const void *plan_) {
    const plan *p = plan_;
    return sizeof(instance) + (means_offset(p) + (size_t)p->arms) * sizeof(double);
}

static posse_arm_set contextual_arms(const void *plan_) {
    const plan *p = plan_;
    return (posse_arm_set){.arms = p->arms, .dim = p->features};
}

static bool contextual_shares(const void *plan_) {
    return ((const plan *)plan_)->disjoint;
}

static posse_part contextual_prior(const void *plan_) {
    const plan *p = plan_;
    posse_option precision = {.key = "precision", .number = 1.0 / (p->sd * p->sd)};
    posse_option model = {.key = "model", .word = p->disjoint ? "disjoint" : "joint"};
    if (p->logistic)
        return (posse_part){.kind = "logistic", .options = {precision, {.key = "bias", .number = p->bias}, model}};
    return (posse_part){.kind = "linear", .options = {precision, {.key = "noise", .number = p->noise}, model}};
}

/* ------------------------------------------------- playing it -------------------------------------------------- */

static void contextual_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    instance *at = instance_;
    double *theta = theta_of(at), *lasting = lasting_of(p, at), scale = sqrt(p->stay / p->features);
    memset(at, 0, contextual_state_size(p));
    for (size_t j = 0; j < theta_size(p); j++) theta[j] = p->sd * draw_normal(draw);
    for (size_t j = 0; j < lasting_size(p); j++) lasting[j] = scale * draw_normal(draw);
}

static void draw_joint(const plan *p, instance *at, posse_draw *draw) {
    double *x = contextual_features_of(p, at), scale = sqrt((1.0 - p->stay) / p->features);
    const double *lasting = lasting_of(p, at);
    size_t count = (size_t)at->count * (size_t)p->features;
    posse_draw_normals(draw, x, count);
    for (size_t j = 0; j < count; j++) x[j] = lasting[j] + scale * x[j];
}

static void draw_shared(const plan *p, instance *at, posse_draw *draw) {
    double *x = contextual_features_of(p, at), scale = 1.0 / sqrt(p->features);
    x[0] = INTERCEPT;
    for (int j = 1; j < p->features; j++) x[j] = scale * draw_normal(draw);
}

static void find_means(const plan *p, instance *at) {
    const double *theta = theta_of(at), *x = contextual_features_of(p, at);
    size_t own = (size_t)p->features;
    double *means = at->numbers + means_offset(p);
    for (size_t a = 0; a < (size_t)at->count; a++) {
        double value = dot(p->disjoint ? theta + a * own : theta, p->disjoint ? x : x + a * own, p->features);
        means[a] = p->logistic ? sigmoid(value + p->bias) : value;
    }
    at->best = largest_value(means, (int)at->count);
}

static void contextual_bring(const void *plan_, void *instance_, posse_draw *draw, posse_round *round) {
    const plan *p = plan_;
    instance *at = instance_;
    uint64_t choices = (uint64_t)(p->most - p->fewest) + 1;
    at->count = p->fewest + (choices > 1 ? (int64_t)posse_draw_index(draw, choices) : 0);
    if (p->disjoint)
        draw_shared(p, at, draw);
    else
        draw_joint(p, at, draw);
    find_means(p, at);
    *round = (posse_round){.count = (int)at->count,
                           .arms = p->first_arms,
                           .width = p->features,
                           .stride = p->disjoint ? 0 : (size_t)p->features,
                           .features = contextual_features_of(p, at)};
}

static double contextual_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)point;
    const plan *p = plan_;
    double mean = ((const instance *)instance_)->numbers[means_offset(p) + (size_t)arm];
    return p->logistic ? (posse_draw_uniform(noise) < mean ? 1.0 : 0.0) : mean + p->noise * draw_normal(noise);
}

static double contextual_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)point;
    const instance *at = instance_;
    return at->best - at->numbers[means_offset(plan_) + (size_t)arm];
}

static void contextual_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    const instance *at = instance_;
    const double *known = at->numbers + means_offset(plan_);
    for (int a = 0; a < space->arms; a++) out[a] = a < at->count ? known[a] : NAN;
}

static posse_reward_kind contextual_reward_kind(const posse_part *given) {
    const posse_option *link = posse_part_option(given, "link");
    bool logistic = link != NULL && link->word != NULL && strcmp(link->word, "logistic") == 0;
    return logistic ? POSSE_REWARDS_CLICKS : POSSE_REWARDS_NUMBERS;
}

const posse_environment_ops environment_contextual = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "contextual",
             .help = "rounds with features, of each arm or shared by all; means or log odds are linear in them",
             .params = params,
             .prepare = contextual_prepare,
             .state_size = contextual_state_size},
    .arms = contextual_arms,
    .prior = contextual_prior,
    .begin = contextual_begin,
    .reward = contextual_reward,
    .regret = contextual_regret,
    .means = contextual_means,
    .bring = contextual_bring,
    .shares = contextual_shares,
    .reward_kind = contextual_reward_kind,
};
