/* SPDX-License-Identifier: MIT */
/*
 * Recommended teams. What they are made of was chosen on real data sets and on simulations with one seed;
 * docs/bakeoff.md reports on other sets and other seeds.
 *
 * Clicks with features: in one pass over a real table a logistic model with a full covariance and a narrow bound errs
 * least, and a prior that is narrower the more features there are keeps it from believing in all of them. The learners
 * differ in how they explore, and have one model, which the belief shares. A linear one among them raised the error.
 * Products of features lowered it, where all arms share the features.
 * Where the scale of rewards is not known, the widths of bounds span it instead.
 */
#include <math.h>
#include <string.h>

#include "object/object.h"

/* A narrow prior for many features (learner/model.h), unless an arm has only a few of them. */
static double precision_for(const posse_def *def) {
    return def->nonzeros > 0 ? 1.0 : fmax(1.0, (def->dim + def->context) / 10.0);
}

static posse_part with_width(const char *kind, const char *name, double width) {
    return (posse_part){.kind = kind, .name = name, .options = {{.key = "width", .number = width}}};
}

static posse_part with(posse_part described, const char *key, double number) {
    int count = 0;
    while (described.options[count].key != NULL) count++;
    described.options[count] = (posse_option){.key = key, .number = number};
    return described;
}

static posse_part with_precision(posse_part described, double precision) {
    return with(described, "precision", precision);
}

/* The score before anything is known: a rate of 0.27. Clicks are rarer than misses. */
static posse_part with_bias(posse_part described) {
    return with(described, "bias", -1.0);
}

/* Only where all arms share one dense vector: nothing was measured elsewhere. */
static bool products_suit(const posse_def *def) {
    return def->context > 0 && def->dim == 0 && def->nonzeros == 0;
}

static int recommend_linear(const posse_def *def, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    double precision = precision_for(def);
    room[0] = with_precision(with_width("linear-ucb", "linear-ucb 0.25", 0.25), precision);
    room[1] = with_precision(with_width("linear-ucb", "linear-ucb 1", 1.0), precision);
    room[2] = with_precision(with_width("linear-ucb", "linear-ucb 2", 2.0), precision);
    return 3;
}

static int recommend_logistic(const posse_def *def, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    room[0] = with_width("logistic-ucb", "logistic-ucb 0.1", 0.1);
    room[1] = with_width("logistic-ucb", "logistic-ucb 0.3", 0.3);
    room[2] = with_width("logistic-thompson", "logistic-thompson 0.1", 0.1);
    for (int i = 0; i < 3; i++) {
        room[i] = with_bias(with_precision(room[i], precision_for(def)));
        if (products_suit(def)) room[i] = with(room[i], "products", 1.0);
    }
    return 3;
}

static int recommend_arms(posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    room[0] = (posse_part){.kind = "thompson", .name = "thompson"};
    room[1] = with_width("ucb", "ucb 0.3", 0.3);
    room[2] = with_width("ucb", "ucb 1", 1.0);
    return 3;
}

/* The points of the ball have no bounds by arm, which linear-ucb needs. */
static int recommend_ball(posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    room[0] = (posse_part){.kind = "thompson", .name = "thompson"};
    room[1] = with_width("linear-thompson", "linear-thompson 0.1", 0.1);
    return 2;
}

/* Rewards are linear, or a sigmoid of something linear, in features of rounds or in coordinates of arms. */
static bool recommend_has_features(const posse_def *def) {
    return def->dim > 0 || def->context > 0;
}

static posse_part recommended_belief(const posse_def *def, posse_reward_kind rewards) {
    if (!recommend_has_features(def)) {
        static const char *const kinds[] = {[POSSE_REWARDS_NUMBERS] = "normal-gamma",
                                            [POSSE_REWARDS_CLICKS] = "beta",
                                            [POSSE_REWARDS_COUNTS] = "gamma"};
        return (posse_part){.kind = kinds[rewards]};
    }
    double precision = precision_for(def);
    if (rewards != POSSE_REWARDS_CLICKS || def->arms == 0)
        return with_precision((posse_part){.kind = "linear"}, precision);
    return with_bias(with_precision((posse_part){.kind = "logistic"}, precision));
}

posse_reward_kind posse_reward_kind_of(const posse_part *belief) {
    const char *kind = belief != NULL && belief->kind != NULL ? belief->kind : "";
    if (strcmp(kind, "beta") == 0 || strcmp(kind, "logistic") == 0) return POSSE_REWARDS_CLICKS;
    return strcmp(kind, "gamma") == 0 ? POSSE_REWARDS_COUNTS : POSSE_REWARDS_NUMBERS;
}

posse_error posse_recommend(posse_def *def, posse_reward_kind rewards, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    if (def == NULL || (int)rewards < POSSE_REWARDS_NUMBERS || rewards > POSSE_REWARDS_COUNTS)
        return POSSE_ERROR_ARGUMENT;
    def->prior = recommended_belief(def, rewards);
    if (room == NULL) return POSSE_OK;
    bool clicks = rewards == POSSE_REWARDS_CLICKS;
    if (!recommend_has_features(def))
        def->learner_count = recommend_arms(room);
    else if (def->arms == 0)
        def->learner_count = recommend_ball(room);
    else
        def->learner_count = clicks ? recommend_logistic(def, room) : recommend_linear(def, room);
    def->learners = room;
    return POSSE_OK;
}
