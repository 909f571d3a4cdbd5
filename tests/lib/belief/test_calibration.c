/* SPDX-License-Identifier: MIT */
/*
 * Simulation-based calibration of beliefs: where the truth is drawn from the prior and rewards from the truth, the rank
 * of the truth among draws of the posterior is uniform, however the arms were picked. Here every prior is drawn and
 * every reward is paid by a few lines in this file (a *model*). B-MS with the right belief chooses each learner as
 * often as it is best (matching.h). For beliefs that approximate, the test measures the error.
 *
 * Reference: S. Talts, M. Betancourt, D. Simpson, A. Vehtari, A. Gelman, Validating Bayesian inference algorithms with
 * simulation-based calibration (2018).
 */
#include <math.h>
#include <string.h>

#include "matching.h"
#include "random/stream.h"

#define ARMS 4
#define DIM 3

/* ---------------------------------------------------- models --------------------------------------------------- */

/* An instance: the mean reward of each arm, and the noise of its rewards. */
typedef struct truth {
    double means[ARMS], noise[ARMS];
} truth;

typedef struct model {
    const char *name;
    posse_part belief;
    posse_part wrong; /* a belief that is too sure of something */
    const double *points;
    void (*draw)(posse_draw *draw, truth *out);
    double (*reward)(const truth *t, int arm, posse_draw *noise);
} model;

static double normal_reward(const truth *t, int arm, posse_draw *noise) {
    return t->means[arm] + t->noise[arm] * posse_draw_normal(noise);
}

static double coin_reward(const truth *t, int arm, posse_draw *noise) {
    return posse_draw_uniform(noise) < t->means[arm];
}

static double count_reward(const truth *t, int arm, posse_draw *noise) {
    return posse_draw_poisson(noise, t->means[arm]);
}

static void draw_gaussian(posse_draw *draw, truth *t) {
    for (int a = 0; a < ARMS; a++) {
        t->means[a] = 0.5 + 2.0 * posse_draw_normal(draw);
        t->noise[a] = 1.5;
    }
}

static void draw_beta(posse_draw *draw, truth *t) {
    for (int a = 0; a < ARMS; a++) t->means[a] = posse_draw_beta(draw, 2.0, 3.0);
}

static void draw_gamma(posse_draw *draw, truth *t) {
    for (int a = 0; a < ARMS; a++) t->means[a] = posse_draw_gamma(draw, 2.0) / 0.1;
}

static void draw_normal_gamma(posse_draw *draw, truth *t) {
    for (int a = 0; a < ARMS; a++) {
        t->noise[a] = 1.0 / sqrt(posse_draw_gamma(draw, 1.5) / 3.0);
        t->means[a] = 1.0 + t->noise[a] / sqrt(0.5) * posse_draw_normal(draw);
    }
}

static const double points[ARMS * DIM] = {0.9, 0.1, 0.0, -0.4, 0.8, 0.2, 0.1, -0.2, 0.7, 0.5, 0.5, 0.5};

static void draw_theta(posse_draw *draw, double sd, double noise, truth *t) {
    double theta[DIM];
    for (int j = 0; j < DIM; j++) theta[j] = sd * posse_draw_normal(draw);
    for (int a = 0; a < ARMS; a++) {
        t->means[a] = 0.0;
        t->noise[a] = noise;
        for (int j = 0; j < DIM; j++) t->means[a] += theta[j] * points[a * DIM + j];
    }
}

static void draw_clicks(posse_draw *draw, truth *t) {
    draw_theta(draw, sqrt(1.0 / 0.25), 0.0, t);
    for (int a = 0; a < ARMS; a++) t->means[a] = 1.0 / (1.0 + exp(-t->means[a] + 0.5));
}

static void draw_linear(posse_draw *draw, truth *t) {
    draw_theta(draw, sqrt(1.0 / 0.25), 0.7, t);
}

static void draw_linear_unsure(posse_draw *draw, truth *t) {
    double noise = sqrt(3.0 / posse_draw_gamma(draw, 1.5));
    draw_theta(draw, noise / sqrt(0.25), noise, t);
}

/* The last arm is the sum of two others, in one of three common factors. */
static const double loadings[ARMS][3] = {{1.0, 0.0, 0.2}, {0.5, 1.0, 0.0}, {-0.3, 0.4, 0.1}, {1.5, 1.0, 0.2}};
static const double covariance[ARMS * ARMS] = {1.04,  0.50, -0.28, 1.54,  0.50, 1.25, 0.25,  1.75,
                                               -0.28, 0.25, 0.26,  -0.03, 1.54, 1.75, -0.03, 3.29};
static const double joint_means[ARMS] = {0.0, 0.5, 1.0, -1.0};

static void draw_factors(posse_draw *draw, double scale, truth *t) {
    double factors[3];
    for (int k = 0; k < 3; k++) factors[k] = posse_draw_normal(draw);
    for (int a = 0; a < ARMS; a++) {
        t->means[a] = joint_means[a];
        t->noise[a] = 0.8;
        for (int k = 0; k < 3; k++) t->means[a] += scale * loadings[a][k] * factors[k];
    }
}

static void draw_joint(posse_draw *draw, truth *t) {
    draw_factors(draw, 1.0, t);
}

static void draw_mixed_joint(posse_draw *draw, truth *t) {
    draw_factors(draw, 1.0, t);
    bool second = posse_draw_uniform(draw) < 0.25;
    double common = posse_draw_normal(draw);
    for (int a = 0; a < ARMS && second; a++)
        t->means[a] = 2.0 * (sqrt(0.5) * common + sqrt(0.5) * posse_draw_normal(draw));
}

static const double rows[3 * ARMS] = {0.0, 1.0, 2.0, 0.5, 1.0, 0.0, 0.5, 1.5, -1.0, 0.4, 0.3, 0.2};
static const double row_weights[] = {1.0, 2.0, 1.0};

static int draw_row(posse_draw *draw, truth *t) {
    double u = 4.0 * posse_draw_uniform(draw);
    int row = u < 1.0 ? 0 : u < 3.0 ? 1 : 2;
    for (int a = 0; a < ARMS; a++) {
        t->means[a] = rows[row * ARMS + a];
        t->noise[a] = 1.0;
    }
    return row;
}

static void draw_hypotheses(posse_draw *draw, truth *t) {
    draw_row(draw, t);
}

static void draw_particles(posse_draw *draw, truth *t) {
    draw_row(draw, t);
    for (int a = 0; a < ARMS; a++) {
        double mean = 0.0, square = 0.0;
        for (int i = 0; i < 3; i++) {
            mean += row_weights[i] / 4.0 * rows[i * ARMS + a];
            square += row_weights[i] / 4.0 * rows[i * ARMS + a] * rows[i * ARMS + a];
        }
        t->means[a] += 0.6 * sqrt(square - mean * mean) * posse_draw_normal(draw);
    }
}

#define JOINT(noise_)                                                                                                  \
    {                                                                                                                  \
        .kind = "joint-gaussian", .options = {                                                                         \
            LIST("mean", joint_means),                                                                                 \
            LIST("covariance", covariance),                                                                            \
            NUMBER("noise", noise_)                                                                                    \
        }                                                                                                              \
    }
#define UNLIKE(noise_)                                                                                                 \
    {                                                                                                                  \
        .kind = "joint-gaussian", .options = {                                                                         \
            NUMBER("sd", 2.0),                                                                                         \
            NUMBER("correlation", 0.5),                                                                                \
            NUMBER("noise", noise_)                                                                                    \
        }                                                                                                              \
    }
static const posse_part joints[] = {JOINT(0.8), UNLIKE(0.8)}, wrong_joints[] = {JOINT(0.4), UNLIKE(0.4)};
static const double joint_weights[] = {3.0, 1.0};
#define MIXED(parts_)                                                                                                  \
    {                                                                                                                  \
        .kind = "mixture", .options = { {.key = "components", .part = parts_, .list = joint_weights, .count = 2} }     \
    }

#define CLICKS(precision_, inference_)                                                                                 \
    {                                                                                                                  \
        .kind = "logistic", .options = {                                                                               \
            NUMBER("precision", precision_),                                                                           \
            NUMBER("bias", -0.5),                                                                                      \
            WORD("inference", inference_)                                                                              \
        }                                                                                                              \
    }

static const model models[] = {
    {"gaussian",
     {.kind = "gaussian", .options = {NUMBER("mean", 0.5), NUMBER("sd", 2.0), NUMBER("noise", 1.5)}},
     {.kind = "gaussian", .options = {NUMBER("mean", 0.5), NUMBER("sd", 2.0), NUMBER("noise", 1.0)}},
     NULL,
     draw_gaussian,
     normal_reward},
    {"beta",
     {.kind = "beta", .options = {NUMBER("alpha", 2.0), NUMBER("beta", 3.0)}},
     {.kind = "beta", .options = {NUMBER("alpha", 6.0), NUMBER("beta", 9.0)}},
     NULL,
     draw_beta,
     coin_reward},
    {"gamma",
     {.kind = "gamma", .options = {NUMBER("shape", 2.0), NUMBER("rate", 0.1)}},
     {.kind = "gamma", .options = {NUMBER("shape", 6.0), NUMBER("rate", 0.3)}},
     NULL,
     draw_gamma,
     count_reward},
    {"normal-gamma",
     {.kind = "normal-gamma",
      .options = {NUMBER("mean", 1.0), NUMBER("weight", 0.5), NUMBER("shape", 1.5), NUMBER("scale", 3.0)}},
     {.kind = "normal-gamma",
      .options = {NUMBER("mean", 1.0), NUMBER("weight", 0.5), NUMBER("shape", 1.5), NUMBER("scale", 1.0)}},
     NULL,
     draw_normal_gamma,
     normal_reward},
    {"linear",
     {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("noise", 0.7)}},
     {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("noise", 0.35)}},
     points,
     draw_linear,
     normal_reward},
    {"linear, unknown noise",
     {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("noise.shape", 1.5), NUMBER("noise.scale", 3.0)}},
     {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("noise", 1.5)}},
     points,
     draw_linear_unsure,
     normal_reward},
    {"joint-gaussian", JOINT(0.8), JOINT(0.4), NULL, draw_joint, normal_reward},
    {"mixture", MIXED(joints), MIXED(wrong_joints), NULL, draw_mixed_joint, normal_reward},
    {"hypotheses",
     {.kind = "hypotheses", .options = {LIST("table", rows), LIST("weights", row_weights)}},
     {.kind = "hypotheses", .options = {LIST("table", rows), NUMBER("noise", 0.5)}},
     NULL,
     draw_hypotheses,
     normal_reward},
    {"particles",
     {.kind = "particles", .options = {LIST("table", rows), LIST("weights", row_weights), NUMBER("kernel", 0.6)}},
     {.kind = "particles", .options = {LIST("table", rows), LIST("weights", row_weights), NUMBER("kernel", 0.3)}},
     NULL,
     draw_particles,
     normal_reward},
    {"logistic, exact", CLICKS(0.25, "exact"), CLICKS(2.25, "exact"), points, draw_clicks, coin_reward},
};

/* Beliefs that only approximate the posterior of the last model. */
static const posse_part approximations[] = {CLICKS(0.25, "laplace"), CLICKS(0.25, "langevin"),
                                            CLICKS(0.25, "variational")};

/* ----------------------------------------------------- ranks --------------------------------------------------- */

#define REPLICATIONS 10000
#define REWARDS 12
#define WORLDS 19 /* draws of the posterior; the rank of the truth is 0 .. 19 */
#define RANKS (WORLDS + 1)
#define LOOKS (ARMS + 1) /* the value of each arm, and that of the best one */

static posse_def model_def(const model *m) {
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = m->points != NULL ? DIM : 0;
    def.points = m->points;
    return def;
}

static const double *point_of(const model *m, int arm) {
    return m->points != NULL ? m->points + arm * DIM : NULL;
}

/* The values of all arms in a world of the belief, and the largest. */
static void values_in(const twin *t, const model *m, double out[LOOKS]) {
    for (int a = 0; a < ARMS; a++) out[a] = (double)twin_value(t, a, point_of(m, a));
    out[ARMS] = out[largest(out, ARMS)];
}

/* One replication: arms are picked by Thompson sampling. If the truth equals some draws, its rank among them is
 * random. */
static void rank_truth(const model *m, twin *t, uint32_t run, double ranks[LOOKS][RANKS]) {
    static posse_draw world;
    truth true_;
    double values[LOOKS], drawn[LOOKS];
    draw_open(&world, 3, run, stream_named(STREAM_INSTANCE, NULL), 0);
    twin_begin(t, run, stream_named(STREAM_SELECTOR, NULL));
    m->draw(&world, &true_);
    for (int n = 0; n < REWARDS; n++) {
        int arm = twin_draw(t);
        belief_update(&t->belief, t->state, arm, point_of(m, arm), m->reward(&true_, arm, &world));
    }
    memcpy(values, true_.means, sizeof true_.means);
    values[ARMS] = values[largest(values, ARMS)];
    int below[LOOKS] = {0}, equal[LOOKS] = {0};
    for (int n = 0; n < WORLDS; n++) {
        twin_draw(t);
        values_in(t, m, drawn);
        for (int k = 0; k < LOOKS; k++) {
            below[k] += drawn[k] < values[k];
            equal[k] += drawn[k] == values[k];
        }
    }
    for (int k = 0; k < LOOKS; k++) ranks[k][below[k] + (int)posse_draw_index(&world, (uint64_t)equal[k] + 1)] += 1.0;
}

/* The worst z score of chi-square, against ranks that are all equally likely. */
static double worst_of_ranks(const model *m, const posse_part *believed, int replications) {
    posse_def def = model_def(m);
    twin t;
    twin_open(&t, &def, believed);
    double ranks[LOOKS][RANKS] = {{0.0}}, worst = -INFINITY, expected = (double)replications / RANKS;
    for (int run = 0; run < replications; run++) rank_truth(m, &t, (uint32_t)run, ranks);
    for (int k = 0; k < LOOKS; k++) {
        double chi_square = 0.0;
        for (int r = 0; r < RANKS; r++) chi_square += (ranks[k][r] - expected) * (ranks[k][r] - expected) / expected;
        worst = fmax(worst, chi_square_z(chi_square, RANKS - 1));
    }
    twin_close(&t);
    return worst;
}

LAW(ranks_of_the_truth_are_uniform) {
    int replications = (int)(REPLICATIONS * law_effort());
    for (int i = 0; i < LENGTH(models); i++) {
        double right = worst_of_ranks(&models[i], &models[i].belief, replications);
        double wrong = worst_of_ranks(&models[i], &models[i].wrong, replications);
        print_message("%s: chi-square at %.1f sigmas, of a wrong belief at %.1f\n", models[i].name, right, wrong);
        assert_that(right < Z_MAX, "%s: %.1f sigmas", models[i].name, right);
        assert_that(wrong > 8.0, "%s: a wrong belief goes unnoticed, %.1f sigmas", models[i].name, wrong);
    }
}

/* Langevin's chains start at Laplace's draws and end near the posterior. The two normal approximations are too
 * narrow. */
LAW(approximations_miss_ranks_by_so_much) {
    const model *m = &models[LENGTH(models) - 1];
    int replications = (int)(REPLICATIONS * law_effort());
    double worst[LENGTH(approximations)];
    for (int i = 0; i < LENGTH(approximations); i++) {
        worst[i] = worst_of_ranks(m, &approximations[i], replications);
        print_message("%s: chi-square at %.1f sigmas\n", posse_part_option(&approximations[i], "inference")->word,
                      worst[i]);
    }
    if (replications == REPLICATIONS) assert_true(worst[1] < worst[0] && worst[1] < worst[2]);
}

/* -------------------------------------------- choices and the truth -------------------------------------------- */

/* An environment that plays one of the models; its option is the index in the list. */
static const posse_param modelled_params[] = {
    {.name = "model", .type = POSSE_TYPE_COUNT, .flags = POSSE_PARAM_REQUIRED, .low = 0, .high = 100, .help = "which"},
    {.name = NULL}};

static posse_error modelled_prepare(const posse_setup *setup, void **out) {
    *out = (void *)(uintptr_t)&models[(int)setup->settings[0].number];
    return POSSE_OK;
}

static size_t modelled_size(const void *plan) {
    (void)plan;
    return sizeof(truth);
}

static posse_arm_set modelled_arms(const void *plan) {
    const model *m = plan;
    return (posse_arm_set){ARMS, m->points != NULL ? DIM : 0, m->points};
}

static posse_part modelled_prior(const void *plan) {
    return ((const model *)plan)->belief;
}

static void modelled_begin(const void *plan, void *instance, const posse_space *space, posse_draw *draw) {
    (void)space;
    ((const model *)plan)->draw(draw, instance);
}

static double modelled_reward(const void *plan, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    return ((const model *)plan)->reward(instance, arm, noise);
}

static double modelled_regret(const void *plan, const void *instance, int arm, const double *point) {
    (void)plan, (void)point;
    const truth *t = instance;
    return t->means[largest(t->means, ARMS)] - t->means[arm];
}

static void modelled_means(const void *plan, const void *instance, const posse_space *space, double *out) {
    (void)plan, (void)space;
    memcpy(out, ((const truth *)instance)->means, ARMS * sizeof *out);
}

static const posse_environment_ops modelled = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                        .name = "modelled",
                                                        .help = "a model of this test",
                                                        .params = modelled_params,
                                                        .prepare = modelled_prepare,
                                                        .state_size = modelled_size},
                                               .arms = modelled_arms,
                                               .prior = modelled_prior,
                                               .begin = modelled_begin,
                                               .reward = modelled_reward,
                                               .regret = modelled_regret,
                                               .means = modelled_means};

static const posse_part crew[] = {{.kind = "ucb", .options = {NUMBER("width", 0.1)}},
                                  {.kind = "thompson"},
                                  {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}},
                                  {.kind = "fixed", .options = {NUMBER("arm", 2)}}};

/* A short form of choices_match_truth (test_bms.c), for beliefs that are not the prior of any environment. */
LAW(choices_match_truth_of_models) {
    if (posse_kind_find(POSSE_FAMILY_ENVIRONMENT, modelled.kind.name) < 0)
        assert_int_equal(posse_environment_register(&modelled), POSSE_OK);
    uint32_t runs = (uint32_t)(20000 * law_effort());
    for (int i = 0; i < LENGTH(models); i++) {
        posse_part environment = {.kind = "modelled", .options = {NUMBER("model", i)}};
        double worst = matching_worst(&(matching){&environment, crew, LENGTH(crew), 0, AT_ONCE}, NULL, runs);
        print_message("%s: worst |z| %.2f\n", models[i].name, worst);
        assert_that(worst < Z_MAX, "%s: worst |z| = %.2f", models[i].name, worst);
    }
}

LAW(approximations_miss_choices_by_so_much) {
    if (posse_kind_find(POSSE_FAMILY_ENVIRONMENT, modelled.kind.name) < 0)
        assert_int_equal(posse_environment_register(&modelled), POSSE_OK);
    uint32_t runs = (uint32_t)(20000 * law_effort());
    posse_part environment = {.kind = "modelled", .options = {NUMBER("model", LENGTH(models) - 1)}};
    for (int i = 0; i < LENGTH(approximations); i++) {
        double worst =
            matching_worst(&(matching){&environment, crew, LENGTH(crew), 0, AT_ONCE}, &approximations[i], runs);
        print_message("%s: worst |z| %.2f\n", posse_part_option(&approximations[i], "inference")->word, worst);
        assert_that(worst < 2.0 * Z_MAX, "worst |z| = %.2f", worst);
    }
}
