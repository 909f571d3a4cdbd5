/* SPDX-License-Identifier: MIT */
#include "menagerie.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------- where parts live ------------------------------------------------- */

/* Points in R^3 of different lengths, all distinct. The last is close to the first. */
static const double points[] = {0.9, 0.1, 0.0,  -0.4, 0.8, 0.2, 0.1,  -0.2, 0.7, 0.5, 0.5,
                                0.5, 0.0, -0.9, 0.1,  0.3, 0.0, -0.8, 0.9,  0.1, 0.01};

const habitat habitats[HABITATS] = {
    [ARMS_5] = {.name = "arms", .arms = 5, .prior = {.kind = "gaussian"}},
    [COINS_4] = {.name = "coins", .arms = 4, .prior = {.kind = "beta"}, .unit = true},
    [COUNTS_4] = {.name = "counts", .arms = 4, .prior = {.kind = "gamma"}, .unit = true, .counts = true},
    [LOCK_6] = {.name = "lock", .arms = 6, .prior = {.kind = "information-lock"}},
    [POINTS_7] = {.name = "points", .arms = 7, .dim = 3, .points = points, .prior = {.kind = "linear"}},
    [COUPONS_7] =
        {.name = "coupons", .arms = 7, .dim = 3, .points = points, .prior = {.kind = "logistic"}, .unit = true},
    [BALL_3] = {.name = "ball", .dim = 3, .prior = {.kind = "linear"}},
    [OFFERS_6] = {.name = "offers", .arms = 6, .dim = 3, .prior = {.kind = "linear"}},
    [VISITORS_4] = {.name = "visitors", .arms = 4, .context = 3, .prior = {.kind = "linear"}},
    [CLICKS_5] = {.name = "clicks", .arms = 5, .dim = 2, .context = 1, .prior = {.kind = "logistic"}, .unit = true},
};

#define AT(place) &habitats[place]

/* Three states and two actions. It is not among the others, because no application can play there. */
static const habitat episodes_8 = {.name = "episodes",
                                   .arms = 8,
                                   .prior = {.kind = "mdp", .options = {NUMBER("states", 3), NUMBER("actions", 2)}},
                                   .episodes = true};

/* -------------------------------------------------- beliefs --------------------------------------------------- */

static const double five_means[] = {0.0, 0.5, -0.5, 1.0, 0.25}, five_sds[] = {1.0, 0.5, 2.0, 0.25, 1.5};
static const double four_alphas[] = {1.0, 0.5, 3.0, 2.0}, four_betas[] = {2.0, 0.5, 1.0, 7.0};

/* Three hypotheses of five arms, and of seven. */
const double menagerie_rows[] = {0.0, 0.5, 1.0, -0.5, 0.2, 1.0, 0.0, 0.0, 0.5, 0.1, -1.0, 0.4, 0.3, 0.2, 0.6};
static const double table_weights[] = {1.0, 2.0, 0.5};
static const double wide_table[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.5, 0.4, 0.3,
                                    0.2, 0.1, 0.0, 0.3, 0.0, 0.3, 0.0, 0.3, 0.0, 0.3};

static const double one[] = {3.0}, even[] = {1.0, 1.0}, uneven[] = {1.0, 0.5, 2.0};

static const posse_part gaussians[] = {
    {.kind = "gaussian", .options = {NUMBER("sd", 0.5)}},
    {.kind = "gaussian", .options = {NUMBER("mean", 0.5), NUMBER("noise", 2.0)}},
    {.kind = "hypotheses", .options = {LIST("table", menagerie_rows)}},
};
static const posse_part betas[] = {{.kind = "beta"}, {.kind = "beta", .options = {LIST("alpha", four_alphas)}}};
static const posse_part linears[] = {
    {.kind = "linear", .options = {NUMBER("precision", 4.0)}},
    {.kind = "linear", .options = {NUMBER("noise", 0.5)}},
};
#define COMPONENTS(parts_, weights_)                                                                                   \
    { .key = "components", .part = parts_, .list = weights_, .count = sizeof(weights_) / sizeof((weights_)[0]) }

static const double few_spreads[] = {0.2, 1.5};
static const posse_part alike_or_not[] = {{.kind = "hierarchical", .options = {NUMBER("noise", 0.8)}},
                                          {.kind = "gaussian"}};
static const posse_part gammas[] = {{.kind = "gamma"}, {.kind = "gamma", .options = {LIST("shape", four_alphas)}}};
static const double five_weights[] = {1.0, 0.5, 2.0, 5.0, 0.1}, five_shapes[] = {4.0, 7.0, 3.5, 30.0, 5.0};

/* Of rank four: the last arm is the mean of the first two. */
static const double covariance[] = {1.0, 0.5,  0.2, 0.0, 0.75, 0.5, 2.0,  0.1,  0.3,  1.25, 0.2,  0.1, 0.5,
                                    0.0, 0.15, 0.0, 0.3, 0.0,  1.5, 0.15, 0.75, 1.25, 0.15, 0.15, 1.0};
static const posse_part joints[] = {
    {.kind = "joint-gaussian", .options = {NUMBER("correlation", 0.5), NUMBER("noise", 0.5)}},
    {.kind = "joint-gaussian", .options = {LIST("mean", five_means), LIST("covariance", covariance)}},
};
static const posse_part unsure_linears[] = {
    {.kind = "linear", .options = {NUMBER("noise.shape", 5.0), NUMBER("noise.scale", 3.0)}},
    {.kind = "linear", .options = {NUMBER("precision", 4.0)}},
};

static const posse_part firm_and_robust[] = {
    {.kind = "gaussian", .options = {NUMBER("sd", 0.5), NUMBER("robust", 1)}},
    {.kind = "gaussian", .options = {NUMBER("mean", 0.5)}},
};
static const posse_part nested[] = {
    {.kind = "mixture", .options = {COMPONENTS(gaussians, even)}},
    {.kind = "gaussian"},
};

static const posse_part walkers[] = {
    {.kind = "gaussian", .options = {NUMBER("drift", 0.1)}},
    {.kind = "gaussian", .options = {NUMBER("sd", 0.5)}},
};

static const posse_part clickers[] = {
    {.kind = "logistic"},
    {.kind = "logistic", .options = {WORD("inference", "variational"), NUMBER("precision", 0.25)}},
    {.kind = "beta"},
};

static const specimen beliefs[] = {
    {AT(ARMS_5), {.kind = "gaussian"}},
    {AT(ARMS_5),
     {.kind = "gaussian", .options = {LIST("mean", five_means), LIST("sd", five_sds), NUMBER("noise", 0.5)}}},
    {AT(POINTS_7), {.kind = "gaussian", .options = {NUMBER("mean", 0.3)}}},
    {AT(COINS_4), {.kind = "beta"}},
    {AT(COINS_4), {.kind = "beta", .options = {LIST("alpha", four_alphas), LIST("beta", four_betas)}}},
    {AT(POINTS_7), {.kind = "linear"}},
    {AT(POINTS_7), {.kind = "linear", .options = {NUMBER("precision", 0.25), NUMBER("noise", 0.5)}}},
    {AT(BALL_3), {.kind = "linear", .options = {NUMBER("precision", 2.0)}}},
    {AT(LOCK_6), {.kind = "information-lock"}},
    {AT(LOCK_6), {.kind = "information-lock", .options = {NUMBER("noise", 4.0)}}},
    {AT(ARMS_5),
     {.kind = "hypotheses",
      .options = {LIST("table", menagerie_rows), LIST("weights", table_weights), NUMBER("noise", 3.0)}}},
    {AT(POINTS_7), {.kind = "hypotheses", .options = {LIST("table", wide_table)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(gaussians, uneven)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(gaussians, one)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(nested, even)}}},
    {AT(COINS_4), {.kind = "mixture", .options = {COMPONENTS(betas, even)}}},
    {AT(POINTS_7), {.kind = "mixture", .options = {COMPONENTS(linears, even)}}},
    {AT(BALL_3), {.kind = "mixture", .options = {COMPONENTS(linears, even)}}},
    /* robust ones */
    {AT(ARMS_5),
     {.kind = "gaussian",
      .options = {LIST("mean", five_means), LIST("sd", five_sds), NUMBER("noise", 0.5), NUMBER("robust", 1)}}},
    {AT(COINS_4), {.kind = "beta", .options = {LIST("alpha", four_alphas), NUMBER("beta", 40.0), NUMBER("robust", 1)}}},
    {AT(POINTS_7), {.kind = "linear", .options = {NUMBER("precision", 4.0), NUMBER("robust", 1)}}},
    {AT(BALL_3), {.kind = "linear", .options = {NUMBER("robust", 1)}}},
    {AT(LOCK_6), {.kind = "information-lock", .options = {NUMBER("robust", 1)}}},
    {AT(ARMS_5), {.kind = "hypotheses", .options = {NUMBER("robust", 1), LIST("table", menagerie_rows)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(firm_and_robust, even)}}},
    /* that change from round to round */
    {AT(ARMS_5), {.kind = "gaussian", .options = {NUMBER("drift", 0.2)}}},
    {AT(ARMS_5),
     {.kind = "gaussian",
      .options = {LIST("mean", five_means), LIST("sd", five_sds), NUMBER("noise", 0.5), NUMBER("drift", 0.01)}}},
    {AT(POINTS_7), {.kind = "gaussian", .options = {NUMBER("drift", 0.05), NUMBER("robust", 1)}}},
    {AT(COINS_4), {.kind = "beta", .options = {LIST("alpha", four_alphas), NUMBER("forget", 0.9)}}},
    {AT(COINS_4), {.kind = "beta", .options = {NUMBER("beta", 30.0), NUMBER("forget", 0.99), NUMBER("robust", 1)}}},
    {AT(POINTS_7), {.kind = "linear", .options = {NUMBER("drift", 0.1)}}},
    {AT(BALL_3), {.kind = "linear", .options = {NUMBER("noise", 0.5), NUMBER("drift", 0.02), NUMBER("robust", 1)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(walkers, even)}}},
    /* with features */
    {AT(OFFERS_6), {.kind = "linear"}},
    {AT(OFFERS_6), {.kind = "linear", .options = {WORD("model", "disjoint"), NUMBER("precision", 4.0)}}},
    {AT(OFFERS_6), {.kind = "linear", .options = {NUMBER("drift", 0.1)}}},
    {AT(OFFERS_6), {.kind = "gaussian"}},
    {AT(VISITORS_4), {.kind = "linear", .options = {NUMBER("noise", 0.5)}}},
    {AT(VISITORS_4), {.kind = "linear", .options = {NUMBER("robust", 1)}}},
    {AT(VISITORS_4), {.kind = "mixture", .options = {COMPONENTS(linears, even)}}},
    {AT(CLICKS_5), {.kind = "logistic"}},
    {AT(CLICKS_5), {.kind = "logistic", .options = {WORD("model", "disjoint"), NUMBER("bias", -1.0)}}},
    {AT(CLICKS_5), {.kind = "beta"}},
    /* whose noise is unknown */
    {AT(ARMS_5), {.kind = "normal-gamma", .options = {NUMBER("shape", 5.0)}}},
    {AT(ARMS_5),
     {.kind = "normal-gamma",
      .options = {LIST("mean", five_means), LIST("weight", five_weights), LIST("shape", five_shapes),
                  LIST("scale", five_sds)}}},
    {AT(POINTS_7), {.kind = "normal-gamma", .options = {NUMBER("shape", 9.0), NUMBER("robust", 1)}}},
    {AT(POINTS_7), {.kind = "linear", .options = {NUMBER("noise.shape", 3.0), NUMBER("noise.scale", 1.5)}}},
    {AT(BALL_3), {.kind = "linear", .options = {NUMBER("noise.shape", 6.0), NUMBER("precision", 0.5)}}},
    {AT(POINTS_7), {.kind = "linear", .options = {NUMBER("noise.shape", 6.0), NUMBER("robust", 1)}}},
    {AT(POINTS_7), {.kind = "mixture", .options = {COMPONENTS(unsure_linears, even)}}},
    {AT(OFFERS_6), {.kind = "linear", .options = {NUMBER("noise.shape", 3.0), NUMBER("noise.scale", 1.5)}}},
    {AT(VISITORS_4), {.kind = "linear", .options = {NUMBER("noise.scale", 0.5), NUMBER("robust", 1)}}},
    /* of counts */
    {AT(COUNTS_4), {.kind = "gamma"}},
    {AT(COUNTS_4), {.kind = "gamma", .options = {LIST("shape", four_alphas), LIST("rate", four_betas)}}},
    {AT(COUNTS_4), {.kind = "gamma", .options = {NUMBER("shape", 40.0), NUMBER("rate", 30.0), NUMBER("robust", 1)}}},
    {AT(COUNTS_4), {.kind = "mixture", .options = {COMPONENTS(gammas, even)}}},
    /* of correlated arms */
    {AT(ARMS_5), {.kind = "joint-gaussian", .options = {NUMBER("correlation", 0.5), NUMBER("noise", 0.7)}}},
    {AT(ARMS_5), {.kind = "joint-gaussian", .options = {LIST("mean", five_means), LIST("covariance", covariance)}}},
    {AT(POINTS_7),
     {.kind = "joint-gaussian",
      .options = {NUMBER("mean", 0.3), NUMBER("sd", 2.0), NUMBER("correlation", 0.1), NUMBER("robust", 1)}}},
    {AT(ARMS_5), {.kind = "joint-gaussian", .options = {LIST("covariance", covariance), NUMBER("robust", 1)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(joints, even)}}},
    {AT(ARMS_5), {.kind = "particles", .options = {LIST("table", menagerie_rows)}}},
    {AT(ARMS_5), {.kind = "particles", .options = {WORD("file", TABLES_FOLDER "/rows.csv"), NUMBER("kernel", 2.0)}}},
    {AT(ARMS_5),
     {.kind = "particles",
      .options = {LIST("table", menagerie_rows), LIST("weights", table_weights), NUMBER("kernel", 0.5),
                  NUMBER("noise", 2.0)}}},
    {AT(POINTS_7),
     {.kind = "particles", .options = {LIST("table", wide_table), NUMBER("kernel", 1.0), NUMBER("robust", 1)}}},
    /* of similar tasks */
    {AT(ARMS_5), {.kind = "hierarchical"}},
    {AT(ARMS_5),
     {.kind = "hierarchical",
      .options = {LIST("mean", five_means), LIST("mean-sd", five_sds), NUMBER("spread", 0.3), NUMBER("noise", 0.5)}}},
    {AT(ARMS_5), {.kind = "hierarchical", .options = {LIST("spread", few_spreads), WORD("method", "meta")}}},
    {AT(POINTS_7), {.kind = "hierarchical", .options = {NUMBER("mean-sd", 0.4), NUMBER("robust", 1)}}},
    {AT(OFFERS_6), {.kind = "hierarchical", .options = {WORD("method", "meta"), NUMBER("robust", 1)}}},
    {AT(ARMS_5), {.kind = "mixture", .options = {COMPONENTS(alike_or_not, even)}}},
    /* of clicks on arms with points */
    {AT(COUPONS_7), {.kind = "logistic"}},
    {AT(COUPONS_7), {.kind = "logistic", .options = {NUMBER("precision", 0.1), NUMBER("bias", -1.0)}}},
    {AT(COUPONS_7), {.kind = "logistic", .options = {WORD("inference", "exact"), NUMBER("candidates", 5)}}},
    {AT(COUPONS_7), {.kind = "logistic", .options = {WORD("inference", "langevin"), NUMBER("steps", 3)}}},
    {AT(COUPONS_7), {.kind = "logistic", .options = {WORD("inference", "variational"), NUMBER("bias", 0.5)}}},
    {AT(COUPONS_7), {.kind = "logistic", .options = {NUMBER("precision", 4.0), NUMBER("robust", 1)}}},
    {AT(COUPONS_7), {.kind = "mixture", .options = {COMPONENTS(clickers, uneven)}}},
    /* of examples/plugins */
    {AT(ARMS_5), {.kind = "unknown-noise"}},
};

/* -------------------------------------------------- learners -------------------------------------------------- */

static const posse_part mixed = {.kind = "mixture", .options = {COMPONENTS(gaussians, uneven)}};
static const posse_part mixed_betas = {.kind = "mixture", .options = {COMPONENTS(betas, even)}};
static const posse_part mixed_linears = {.kind = "mixture", .options = {COMPONENTS(linears, even)}};
static const posse_part robust = {.kind = "gaussian", .options = {NUMBER("robust", 1)}};
static const posse_part tabled = {.kind = "hypotheses", .options = {LIST("table", wide_table)}};

static const posse_part robust_gamma = {.kind = "gamma", .options = {NUMBER("robust", 1)}};
static const posse_part unsure = {.kind = "normal-gamma"};
static const posse_part unsure_theta = {.kind = "linear", .options = {NUMBER("noise.shape", 3.0)}};
static const posse_part alike = {.kind = "joint-gaussian", .options = {NUMBER("correlation", 0.5)}};

static const posse_part walking = {.kind = "gaussian", .options = {NUMBER("drift", 0.1)}};
static const posse_part robust_theta = {.kind = "linear", .options = {NUMBER("robust", 1)}};
static const double two_features[] = {0.0, 2.0};
static const posse_part walking_theta = {.kind = "linear", .options = {NUMBER("drift", 0.1)}};
static const posse_part forgetful = {.kind = "beta", .options = {NUMBER("forget", 0.95)}};

static const posse_part exact_clicks = {.kind = "logistic", .options = {WORD("inference", "exact")}};
static const posse_part bounded_clicks = {.kind = "logistic", .options = {WORD("inference", "variational")}};

#define BELIEF_OF(part_)                                                                                               \
    { .key = "belief", .part = &part_ }

static const specimen learners[] = {
    {AT(ARMS_5), {.kind = "fixed", .options = {NUMBER("arm", 2)}}},
    {AT(ARMS_5), {.kind = "ucb"}},
    {AT(ARMS_5), {.kind = "ucb", .options = {NUMBER("width", 0.1), NUMBER("delta", 0.5)}}},
    {AT(ARMS_5), {.kind = "thompson"}},
    {AT(ARMS_5), {.kind = "thompson", .options = {BELIEF_OF(mixed)}}},
    {AT(ARMS_5), {.kind = "thompson", .options = {BELIEF_OF(robust)}}},
    {AT(ARMS_5), {.kind = "epsilon-greedy"}},
    {AT(ARMS_5), {.kind = "ucb", .options = {NUMBER("window", 20)}}},
    {AT(ARMS_5), {.kind = "ucb", .options = {NUMBER("discount", 0.95)}}},
    {AT(ARMS_5), {.kind = "epsilon-greedy", .options = {NUMBER("window", 7)}}},
    {AT(ARMS_5), {.kind = "epsilon-greedy", .options = {NUMBER("discount", 0.8)}}},
    {AT(ARMS_5), {.kind = "thompson", .options = {BELIEF_OF(walking)}}},
    {AT(ARMS_5), {.kind = "thompson", .options = {BELIEF_OF(unsure)}}},
    {AT(ARMS_5), {.kind = "thompson", .options = {BELIEF_OF(alike)}}},
    {AT(ARMS_5), {.kind = "external"}},

    {AT(COINS_4), {.kind = "ucb"}},
    {AT(COINS_4), {.kind = "thompson"}},
    {AT(COINS_4), {.kind = "thompson", .options = {BELIEF_OF(mixed_betas)}}},
    {AT(COINS_4), {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}}},
    {AT(COINS_4), {.kind = "ucb", .options = {NUMBER("window", 1)}}},
    {AT(COINS_4), {.kind = "thompson", .options = {BELIEF_OF(forgetful)}}},

    {AT(COUNTS_4), {.kind = "ucb"}},
    {AT(COUNTS_4), {.kind = "thompson"}},
    {AT(COUNTS_4), {.kind = "thompson", .options = {BELIEF_OF(robust_gamma)}}},

    {AT(LOCK_6), {.kind = "information-lock"}},
    {AT(LOCK_6), {.kind = "ucb"}},
    {AT(LOCK_6), {.kind = "thompson"}},

    {AT(POINTS_7), {.kind = "fixed", .options = {NUMBER("arm", 6)}}},
    {AT(POINTS_7), {.kind = "linear-thompson"}},
    {AT(POINTS_7), {.kind = "linear-thompson", .options = {NUMBER("width", 0.0)}}},
    {AT(POINTS_7), {.kind = "linear-ucb"}},
    {AT(POINTS_7), {.kind = "thompson"}},
    {AT(POINTS_7), {.kind = "thompson", .options = {BELIEF_OF(tabled)}}},
    {AT(POINTS_7), {.kind = "ucb"}},
    {AT(POINTS_7), {.kind = "thompson", .options = {BELIEF_OF(walking_theta)}}},
    {AT(POINTS_7), {.kind = "thompson", .options = {BELIEF_OF(unsure_theta)}}},

    {AT(COUPONS_7), {.kind = "logistic-thompson"}},
    {AT(COUPONS_7), {.kind = "logistic-thompson", .options = {NUMBER("width", 0.0), NUMBER("bias", -1.0)}}},
    {AT(COUPONS_7), {.kind = "logistic-ucb", .options = {NUMBER("precision", 0.2)}}},
    {AT(COUPONS_7), {.kind = "thompson"}},
    {AT(COUPONS_7), {.kind = "thompson", .options = {BELIEF_OF(exact_clicks)}}},
    {AT(COUPONS_7), {.kind = "thompson", .options = {BELIEF_OF(bounded_clicks)}}},

    {AT(BALL_3), {.kind = "linear-thompson"}},
    {AT(BALL_3), {.kind = "linear-thompson", .options = {NUMBER("width", 0.1), NUMBER("precision", 3.0)}}},
    {AT(BALL_3), {.kind = "thompson"}},
    {AT(BALL_3), {.kind = "thompson", .options = {BELIEF_OF(mixed_linears)}}},

    {AT(OFFERS_6), {.kind = "linear-ucb"}},
    {AT(OFFERS_6), {.kind = "linear-ucb", .options = {LIST("features", two_features), NUMBER("width", 0.5)}}},
    {AT(OFFERS_6), {.kind = "linear-thompson", .options = {NUMBER("forget", 0.95)}}},
    {AT(OFFERS_6), {.kind = "epsilon-greedy", .options = {WORD("model", "disjoint")}}},
    {AT(OFFERS_6), {.kind = "square-cb"}},
    {AT(OFFERS_6), {.kind = "linear-thompson", .options = {WORD("covariance", "diagonal"), NUMBER("width", 0.3)}}},
    {AT(OFFERS_6), {.kind = "linear-ucb", .options = {WORD("covariance", "diagonal"), WORD("model", "disjoint")}}},
    {AT(OFFERS_6), {.kind = "linear-ucb", .options = {NUMBER("products", 1)}}},
    {AT(OFFERS_6), {.kind = "linear-ucb", .options = {WORD("rewards", "standardised"), WORD("model", "disjoint")}}},
    {AT(OFFERS_6), {.kind = "square-cb", .options = {WORD("rewards", "standardised"), NUMBER("products", 1)}}},
    {AT(OFFERS_6), {.kind = "sgd-epsilon-greedy", .options = {LIST("features", two_features)}}},
    {AT(OFFERS_6), {.kind = "sgd-softmax", .options = {WORD("model", "disjoint")}}},
    {AT(OFFERS_6), {.kind = "sgd-bag", .options = {NUMBER("bags", 3), NUMBER("epsilon", 0.1)}}},
    {AT(OFFERS_6), {.kind = "sgd-square-cb"}},
    {AT(OFFERS_6), {.kind = "sgd-regcb"}},
    {AT(OFFERS_6), {.kind = "thompson"}},
    {AT(OFFERS_6), {.kind = "ucb"}},
    {AT(OFFERS_6), {.kind = "fixed", .options = {NUMBER("arm", 4)}}},
    {AT(OFFERS_6), {.kind = "external"}},

    {AT(VISITORS_4), {.kind = "linear-ucb", .options = {NUMBER("forget", 0.9)}}},
    {AT(VISITORS_4), {.kind = "linear-thompson", .options = {WORD("rewards", "standardised"), NUMBER("forget", 0.9)}}},
    {AT(VISITORS_4), {.kind = "linear-thompson", .options = {LIST("features", two_features)}}},
    {AT(VISITORS_4), {.kind = "linear-thompson", .options = {NUMBER("products", 1)}}},
    {AT(VISITORS_4), {.kind = "epsilon-greedy"}},
    {AT(VISITORS_4), {.kind = "square-cb", .options = {NUMBER("gamma", 3.0), NUMBER("exponent", 0.25)}}},
    {AT(VISITORS_4), {.kind = "thompson", .options = {BELIEF_OF(robust_theta)}}},
    {AT(VISITORS_4), {.kind = "thompson", .options = {BELIEF_OF(walking)}}},
    {AT(VISITORS_4), {.kind = "ucb", .options = {NUMBER("window", 9)}}},
    {AT(VISITORS_4), {.kind = "sgd-cover", .options = {NUMBER("policies", 3)}}},
    {AT(VISITORS_4), {.kind = "sgd-regcb", .options = {NUMBER("eliminate", 1)}}},
    {AT(VISITORS_4), {.kind = "sgd-bag", .options = {LIST("features", two_features)}}},

    {AT(CLICKS_5), {.kind = "logistic-thompson"}},
    {AT(CLICKS_5), {.kind = "logistic-ucb", .options = {WORD("model", "disjoint"), NUMBER("bias", -1.0)}}},
    {AT(CLICKS_5), {.kind = "logistic-ucb", .options = {LIST("features", two_features), NUMBER("forget", 0.97)}}},
    {AT(CLICKS_5), {.kind = "logistic-ucb", .options = {WORD("model", "disjoint"), NUMBER("products", 1)}}},
    {AT(CLICKS_5), {.kind = "linear-ucb"}},
    {AT(CLICKS_5), {.kind = "thompson"}},
    {AT(CLICKS_5), {.kind = "ucb"}},
};

/* ------------------------------------------- selectors, environments ------------------------------------------- */

static const double wide_range[] = {-2.0, 3.0};

/* For a kind with its own options, there is also a specimen with all of them at other values than the defaults. */
static const specimen selectors[] = {
    {AT(ARMS_5), {.kind = "bms"}},
    {AT(ARMS_5), {.kind = "bms", .options = {NUMBER("patience", 2.0), NUMBER("commitment", 0.5)}}},
    {AT(POINTS_7), {.kind = "bms", .options = {NUMBER("patience", 2.0), NUMBER("forgetting", 1.0)}}},
    {AT(ARMS_5), {.kind = "bms", .options = {NUMBER("watch", 1)}}},
    {AT(ARMS_5), {.kind = "bms", .options = {NUMBER("discount", 0.9)}}},
    {AT(ARMS_5), {.kind = "bms", .options = {NUMBER("discount", 0.99), NUMBER("patience", 2.0)}}},
    {AT(POINTS_7), {.kind = "bms", .options = {NUMBER("discount", 0.9)}}},
    {AT(POINTS_7), {.kind = "bms", .options = {NUMBER("discount", 0.4), NUMBER("patience", 0.0)}}},
    {AT(OFFERS_6),
     {.kind = "bms",
      .options = {NUMBER("memory", 4), NUMBER("recency", 2.0), NUMBER("hold", 0.1), NUMBER("hold-most", 5),
                  NUMBER("candidates", 2), NUMBER("patience", 2.0)}}},
    {AT(VISITORS_4), {.kind = "bms", .options = {WORD("memory", "all"), NUMBER("recency", 1.0), NUMBER("hold", 0.0)}}},
    {AT(CLICKS_5), {.kind = "bms", .options = {NUMBER("memory", 3), NUMBER("floor", 0.2)}}},
    {AT(ARMS_5), {.kind = "bms-plus"}},
    {AT(ARMS_5),
     {.kind = "bms-plus", .options = {NUMBER("patience", 2.0), NUMBER("commitment", 0.5), NUMBER("share", 0)}}},
    {AT(POINTS_7), {.kind = "bms-plus", .options = {NUMBER("forgetting", 1.0), NUMBER("watch", 1)}}},
    {AT(COINS_4), {.kind = "bms-plus", .options = {NUMBER("discount", 0.9), WORD("patience", "endless")}}},
    {AT(OFFERS_6),
     {.kind = "bms-plus",
      .options = {NUMBER("memory", 4), NUMBER("recency", 3.0), NUMBER("hold", 0.1), NUMBER("hold-most", 5),
                  NUMBER("candidates", 2), NUMBER("consider", 0)}}},
    {AT(VISITORS_4), {.kind = "bms-plus", .options = {NUMBER("floor", 0.2)}}},
    {AT(ARMS_5), {.kind = "d3rb"}},
    {AT(ARMS_5), {.kind = "d3rb", .options = {NUMBER("confidence", 0.1), NUMBER("delta", 0.5), NUMBER("dmin", 0.3)}}},
    {AT(ARMS_5), {.kind = "ed2rb"}},
    {AT(ARMS_5), {.kind = "ed2rb", .options = {NUMBER("confidence", 0.1), NUMBER("delta", 0.5), NUMBER("dmin", 0.3)}}},
    {AT(ARMS_5), {.kind = "bd3rb", .options = {NUMBER("best", 1.5)}}},
    {AT(ARMS_5),
     {.kind = "bd3rb",
      .options = {NUMBER("best", 0.5), NUMBER("confidence", 0.1), NUMBER("delta", 0.5), NUMBER("dmin", 0.3)}}},
    {AT(ARMS_5), {.kind = "perfect-balancing", .options = {NUMBER("best", 1.5)}}},
    {AT(ARMS_5),
     {.kind = "perfect-balancing",
      .options = {NUMBER("best", 0.5), NUMBER("confidence", 0.1), NUMBER("delta", 0.5), WORD("mode", "optimistic")}}},
    {AT(ARMS_5), {.kind = "balancing", .options = {NUMBER("coefficients", 1.5)}}},
    {AT(ARMS_5),
     {.kind = "balancing", .options = {NUMBER("coefficients", 0.5), NUMBER("confidence", 0.1), NUMBER("delta", 0.5)}}},
    {AT(ARMS_5), {.kind = "dynamic-balancing", .options = {NUMBER("coefficients", 1.5)}}},
    {AT(ARMS_5),
     {.kind = "dynamic-balancing",
      .options = {NUMBER("coefficients", 0.5), NUMBER("weights", 3), NUMBER("bias", 0.2), NUMBER("confidence", 0.1),
                  NUMBER("delta", 0.5)}}},
    {AT(ARMS_5), {.kind = "corral"}},
    {AT(ARMS_5), {.kind = "corral", .options = {NUMBER("rate", 0.5), LIST("range", wide_range)}}},
    {AT(ARMS_5), {.kind = "stochastic-corral"}},
    {AT(ARMS_5), {.kind = "stochastic-corral", .options = {NUMBER("rate", 0.5), LIST("range", wide_range)}}},
    {AT(ARMS_5), {.kind = "exp3p"}},
    {AT(ARMS_5), {.kind = "exp3p", .options = {NUMBER("delta", 0.5), LIST("range", wide_range)}}},
    {AT(ARMS_5), {.kind = "ucb"}},
    {AT(ARMS_5), {.kind = "ucb", .options = {NUMBER("width", 0.1), NUMBER("delta", 0.5)}}},
    {AT(ARMS_5), {.kind = "greedy"}},
    {AT(ARMS_5), {.kind = "thompson"}},
    {AT(ARMS_5), {.kind = "thompson", .options = {WORD("model", "normal-gamma"), NUMBER("discount", 0.9)}}},
    {AT(COINS_4), {.kind = "thompson", .options = {WORD("model", "beta"), NUMBER("discount", 0.9)}}},
    {AT(COINS_4), {.kind = "thompson", .options = {WORD("model", "gamma")}}},
    {AT(ARMS_5), {.kind = "uniform"}},
    /* of examples/plugins */
    {AT(ARMS_5), {.kind = "softmax"}},
};

static const double fixed_means[] = {0.1, 0.6, 0.4}, theta[] = {0.3, -0.2, 0.5};
static const double few[] = {2.0, 6.0};
static const double shifts[] = {2.0, 7.0, 30.0};
static const posse_part correlated = {.kind = "joint-gaussian", .options = {NUMBER("correlation", 0.5)}};
static const posse_part filed_rows = {.kind = "particles", .options = {WORD("file", TABLES_FOLDER "/rows.csv")}};

static const specimen environments[] = {
    {.part = {.kind = "gaussian", .options = {NUMBER("arms", 5)}}},
    {.part = {.kind = "gaussian", .options = {NUMBER("arms", 3), LIST("means", fixed_means)}}},
    {.part = {.kind = "bernoulli", .options = {NUMBER("arms", 4)}}},
    {.part = {.kind = "bernoulli", .options = {NUMBER("arms", 3), LIST("means", fixed_means)}}},
    {.part = {.kind = "poisson", .options = {NUMBER("arms", 4)}}},
    {.part = {.kind = "poisson", .options = {NUMBER("arms", 3), LIST("means", fixed_means)}}},
    {.part = {.kind = "worlds", .options = {NUMBER("arms", 5), {"prior", .part = &correlated}}}},
    {.part = {.kind = "worlds", .options = {NUMBER("arms", 5), {"prior", .part = &filed_rows}, NUMBER("noise", 0.3)}}},
    {.part = {.kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 9)}}},
    {.part = {.kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "sphere"), NUMBER("arms.count", 2)}}},
    {.part = {.kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "cube"), NUMBER("arms.count", 9)}}},
    {.part = {.kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), WORD("arms.count", "all")}}},
    {.part = {.kind = "linear", .options = {NUMBER("dim", 3), LIST("arms.points", points), LIST("theta", theta)}}},
    {.part = {.kind = "logistic", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 9)}}},
    {.part = {.kind = "logistic",
              .options = {NUMBER("dim", 3), LIST("arms.points", points), LIST("theta", theta), NUMBER("bias", -1.0)}}},
    {.part = {.kind = "information-lock", .options = {NUMBER("arms", 4)}}},
    {.part = {.kind = "mdp", .options = {NUMBER("states", 3), NUMBER("actions", 2)}}},
    {.part = {.kind = "drifting", .options = {NUMBER("arms", 5), NUMBER("drift", 0.1)}}},
    {.part = {.kind = "drifting", .options = {NUMBER("arms", 3), LIST("means", fixed_means), NUMBER("drift", 0.1)}}},
    {.part = {.kind = "shifting", .options = {NUMBER("arms", 5), NUMBER("every", 10)}}},
    {.part = {.kind = "shifting", .options = {NUMBER("arms", 5), LIST("at", shifts)}}},
    {.part = {.kind = "contextual", .options = {WORD("model", "joint"), NUMBER("arms", 6), NUMBER("dim", 3)}}},
    {.part = {.kind = "contextual",
              .options = {WORD("model", "joint"), NUMBER("arms", 6), NUMBER("dim", 2), LIST("present", few),
                          NUMBER("stay", 0.5), WORD("link", "logistic"), NUMBER("bias", -1.0)}}},
    {.part = {.kind = "contextual", .options = {WORD("model", "disjoint"), NUMBER("arms", 4), NUMBER("context", 3)}}},
    {.part = {.kind = "table", .options = {WORD("file", TABLES_FOLDER "/fruit.csv"), WORD("label", "kind")}}},
    {.part = {.kind = "log", .options = {WORD("file", TABLES_FOLDER "/visits.csv"), WORD("features", "*")}}},
    {.part = {.kind = "table",
              .options = {WORD("file", TABLES_FOLDER "/fruit.csv"), WORD("label", "kind"),
                          WORD("features", "length,weight"), NUMBER("shuffle", 0)}}},
    /* of examples/plugins */
    {.part = {.kind = "drifting-coins", .options = {NUMBER("arms", 4)}}},
};

static const specimen episodic_beliefs[] = {{&episodes_8, {.kind = "mdp"}}};
static const specimen episodic_learners[] = {{&episodes_8, {.kind = "q-learning"}}, {&episodes_8, {.kind = "planner"}}};

/* The specimen of a family's example plugin comes last, and is left out until the plugin is registered. */
static struct {
    const specimen *list;
    int count;
} families[POSSE_FAMILY_COUNT] = {
    [POSSE_FAMILY_ENVIRONMENT] = {environments, LENGTH(environments) - 1},
    [POSSE_FAMILY_BELIEF] = {beliefs, LENGTH(beliefs) - 1},
    [POSSE_FAMILY_LEARNER] = {learners, LENGTH(learners)},
    [POSSE_FAMILY_SELECTOR] = {selectors, LENGTH(selectors) - 1},
};

/* The tables that examples/plugins export. */
extern const posse_belief_ops *const posse_plugin_beliefs[];
extern const posse_selector_ops *const posse_plugin_selectors[];
extern const posse_environment_ops *const posse_plugin_environments[];

void menagerie_add_examples(void) {
    if (families[POSSE_FAMILY_BELIEF].count == LENGTH(beliefs)) return;
    assert_int_equal(posse_belief_register(posse_plugin_beliefs[0]), POSSE_OK);
    assert_int_equal(posse_selector_register(posse_plugin_selectors[0]), POSSE_OK);
    assert_int_equal(posse_environment_register(posse_plugin_environments[0]), POSSE_OK);
    families[POSSE_FAMILY_BELIEF].count = LENGTH(beliefs);
    families[POSSE_FAMILY_SELECTOR].count = LENGTH(selectors);
    families[POSSE_FAMILY_ENVIRONMENT].count = LENGTH(environments);
}

const specimen *menagerie(posse_family family, int *count) {
    *count = families[family].count;
    return families[family].list;
}

const specimen *menagerie_of_episodes(posse_family family, int *count) {
    *count = 0;
    if (family == POSSE_FAMILY_BELIEF) *count = LENGTH(episodic_beliefs);
    if (family == POSSE_FAMILY_LEARNER) *count = LENGTH(episodic_learners);
    return family == POSSE_FAMILY_BELIEF ? episodic_beliefs : episodic_learners;
}

const specimen *specimen_of(posse_family family, const char *kind) {
    int count;
    const specimen *list = menagerie_of_episodes(family, &count);
    for (int i = 0; i < families[family].count; i++)
        if (strcmp(families[family].list[i].part.kind, kind) == 0) return &families[family].list[i];
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].part.kind, kind) == 0) return &list[i];
    fail_msg("the menagerie has no %s of kind %s", posse_family_name(family), kind);
    return NULL;
}

bool is_restless(const posse_part *described) {
    const posse_option *drift = posse_part_option(described, "drift"), *forget = posse_part_option(described, "forget");
    if ((drift != NULL && drift->number > 0.0) || (forget != NULL && forget->number < 1.0)) return true;
    const posse_option *belief = posse_part_option(described, "belief");
    if (belief != NULL && belief->part != NULL) return is_restless(belief->part);
    const posse_option *components = posse_part_option(described, "components");
    for (size_t c = 0; components != NULL && c < components->count; c++)
        if (is_restless(&components->part[c])) return true;
    return false;
}

void assert_menagerie_complete(posse_family family) {
    for (int i = 0; i < posse_kind_count(family); i++) specimen_of(family, posse_kind_name(family, i));
}

posse_def habitat_def(const habitat *h) {
    posse_def def = posse_default_def();
    def.selector = algorithm_1;
    def.arms = h->arms;
    def.dim = h->dim;
    def.points = h->points;
    def.context = h->context;
    def.episodes = h->episodes;
    def.prior = h->prior;
    def.rounds = 1000;
    return def;
}

int habitat_team(const habitat *h, posse_part out[TEAM_MAX]) {
    int count = 0;
    for (int i = 0; i < LENGTH(learners); i++)
        if (learners[i].home == h && count < TEAM_MAX) out[count++] = learners[i].part;
    return count;
}

bool brings_features(const habitat *h) {
    return h->context > 0 || (h->arms > 0 && h->dim > 0 && h->points == NULL);
}

bool selector_fits(const char *kind, const habitat *h) {
    return (h->arms > 0 && !brings_features(h)) || strcmp(kind, "stochastic-corral") != 0;
}

bool specimen_fits(const posse_part *selector, const habitat *h) {
    bool fades = posse_part_option(selector, "forgetting") != NULL || posse_part_option(selector, "discount") != NULL;
    bool floor_ = posse_part_option(selector, "floor") != NULL;
    bool stores = posse_part_option(selector, "memory") != NULL || posse_part_option(selector, "consider") != NULL;
    const posse_option *model = posse_part_option(selector, "model"); /* of thompson: for clicks, counts or numbers */
    bool narrow = model != NULL && strcmp(model->word, "normal-gamma") != 0;
    return selector_fits(selector->kind, h) && !(fades && brings_features(h)) && !(floor_ && h->arms == 0) &&
           !(stores && !brings_features(h)) && !(narrow && !h->unit);
}

posse_part selector_part(const char *kind, bool share, int batch) {
    posse_part selector = specimen_of(POSSE_FAMILY_SELECTOR, kind)->part;
    selector = with_option(selector, (posse_option)NUMBER("share", share));
    return with_option(selector, (posse_option)NUMBER("batch", batch));
}

posse_def team_def(const habitat *h, posse_part selector, posse_part crew[TEAM_MAX]) {
    posse_def def = habitat_def(h);
    def.selector = selector;
    def.learner_count = habitat_team(h, crew);
    def.learners = crew;
    return def;
}

posse *habitat_posse(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew);
    return posse_made(&def);
}

posse *crew_made(const habitat *h, posse_part selector, posse_host host) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew);
    def.host = host;
    def.seed = 3;
    def.run = 17;
    def.rounds = 5000;
    return posse_made(&def);
}

void register_once(const posse_learner_ops *ops) {
    posse_error error = posse_learner_register(ops);
    assert_true(error == POSSE_OK || error == POSSE_ERROR_NAME);
}

void for_every_team(void (*law)(const habitat *h, posse_part selector)) {
    menagerie_add_examples();
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
            const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s);
            if (selector_fits(kind, &habitats[h])) law(&habitats[h], specimen_of(POSSE_FAMILY_SELECTOR, kind)->part);
        }
}

posse *two_ucbs(posse_part selector) {
    static const posse_part two[] = {{.kind = "ucb", .name = "wide"},
                                     {.kind = "ucb", .name = "narrow", .options = {NUMBER("width", 0.1)}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector;
    def.learners = two;
    def.learner_count = 2;
    return posse_made(&def);
}

posse *fixed_team(posse_part selector, int count) {
    static const posse_part crew[] = {
        {.kind = "fixed", .options = {NUMBER("arm", 0)}}, {.kind = "fixed", .options = {NUMBER("arm", 1)}},
        {.kind = "fixed", .options = {NUMBER("arm", 2)}}, {.kind = "fixed", .options = {NUMBER("arm", 3)}},
        {.kind = "fixed", .options = {NUMBER("arm", 4)}}, {.kind = "fixed", .options = {NUMBER("arm", 0)}},
        {.kind = "fixed", .options = {NUMBER("arm", 1)}}, {.kind = "fixed", .options = {NUMBER("arm", 2)}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector;
    def.learners = crew;
    def.learner_count = count;
    return posse_made(&def);
}

const posse_part fixed_newcomer = {.kind = "fixed", .options = {NUMBER("arm", 4)}};

static double plain_reward(const posse_decision *d) {
    uint64_t source = d->id;
    return 0.2 * d->arm + 0.1 * random_uniform(&source);
}

void play_plainly(posse *p, int rounds) {
    for (int n = 0; n < rounds; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, plain_reward(&d)), POSSE_OK);
    }
}

posse_part with_option(posse_part base, posse_option option) {
    int at = 0;
    while (at < POSSE_OPTIONS_MAX && base.options[at].key != NULL && strcmp(base.options[at].key, option.key) != 0)
        at++;
    assert_true(at < POSSE_OPTIONS_MAX);
    base.options[at] = option;
    return base;
}

/* --------------------------------------------- worlds for learners --------------------------------------------- */

const posse_part gaussian_world = {.kind = "gaussian", .options = {NUMBER("arms", 5)}};
const posse_part bernoulli_world = {.kind = "bernoulli", .options = {NUMBER("arms", 4)}};
const posse_part lock_world = {.kind = "information-lock", .options = {NUMBER("arms", 8)}};
const posse_part wide_lock_world = {.kind = "information-lock", .options = {NUMBER("arms", 16), NUMBER("noise", 2.0)}};
const posse_part linear_world = {.kind = "linear",
                                 .options = {NUMBER("dim", 4), WORD("arms.set", "ball"), NUMBER("arms.count", 18)}};
const posse_part cube_world = {.kind = "linear",
                               .options = {NUMBER("dim", 3), WORD("arms.set", "cube"), NUMBER("arms.count", 18),
                                           NUMBER("prior.precision", 4.0), NUMBER("noise", 0.5)}};
const posse_part ball_world = {.kind = "linear",
                               .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), WORD("arms.count", "all")}};

static const posse_part click_world = {.kind = "logistic",
                                       .options = {NUMBER("dim", 3), WORD("arms.set", "sphere"),
                                                   NUMBER("arms.count", 12), NUMBER("prior.precision", 0.25)}};

const posse_part *const worlds[WORLDS] = {&gaussian_world, &bernoulli_world, &lock_world, &linear_world,
                                          &cube_world,     &ball_world,      &click_world};
