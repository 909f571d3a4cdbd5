/* SPDX-License-Identifier: MIT */
/*
 * Recommended teams. What they are made of was chosen on real data sets and on simulations with one seed;
 * docs/bakeoff.md reports on other sets and other seeds.
 *
 * Clicks with features: in one pass over a real table a logistic model with a full covariance and a narrow bound errs
 * least, and a prior that is narrower the more features there are keeps it from believing in all of them. The learners
 * differ in how they explore, and have one model, which the belief shares. A linear one among them raised the error.
 * Products of features lowered it, where all arms share the features.
 * The scale of numbers is not known. So with features, linear learners standardise rewards, and the belief has an
 * unknown noise; with coordinates the widths of bounds span the scale instead.
 */
#include <math.h>

#include "model/registry.h"
#include "object/object.h"

/* A narrow prior for many features (learner/model.h), unless an arm has only a few of them. */
static double precision_for(const posse_def *def) {
    return def->nonzeros > 0 ? 1.0 : fmax(1.0, (def->dim + def->context) / 10.0);
}

static posse_part with_width(const char *kind, const char *name, double width) {
    return (posse_part){.kind = kind, .name = name, .options = {{.key = "width", .number = width}}};
}

static posse_part recommend_with(posse_part described, const char *key, double number) {
    int count = 0;
    while (described.options[count].key != NULL) count++;
    described.options[count] = (posse_option){.key = key, .number = number};
    return described;
}

static posse_part with_precision(posse_part described, double precision) {
    return recommend_with(described, "precision", precision);
}

/* The score before anything is known: a rate of 0.27. Clicks are rarer than misses. */
static posse_part with_bias(posse_part described) {
    return recommend_with(described, "bias", -1.0);
}

/* Only where all arms share one dense vector: nothing was measured elsewhere. */
static bool products_suit(const posse_def *def) {
    return def->context > 0 && def->dim == 0 && def->nonzeros == 0;
}

/* Arms with coordinates have no features in rounds. */
static bool rounds_have_features(const posse_def *def) {
    return def->context > 0 || (def->dim > 0 && def->points == NULL && def->arms > 0);
}

static posse_part with_word(posse_part described, const char *key, const char *word) {
    described = recommend_with(described, key, 0.0);
    for (posse_option *o = described.options; o->key != NULL; o++)
        if (o->key == key) o->word = word;
    return described;
}

static int recommend_linear(const posse_def *def, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    room[0] = with_width("linear-ucb", "linear-ucb 0.25", 0.25);
    room[1] = with_width("linear-ucb", "linear-ucb 1", 1.0);
    room[2] = with_width("linear-ucb", "linear-ucb 2", 2.0);
    for (int i = 0; i < 3; i++) {
        room[i] = with_precision(room[i], precision_for(def));
        if (rounds_have_features(def)) room[i] = with_word(room[i], "rewards", "standardised");
    }
    return 3;
}

/* The prior of the noise counts as much as a few rewards, and is far below any noise, so that rewards decide whatever
 * their scale. */
static posse_part with_unknown_noise(posse_part described) {
    return recommend_with(recommend_with(described, "noise.shape", 2.0), "noise.scale", 1e-24);
}

static int recommend_logistic(const posse_def *def, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    room[0] = with_width("logistic-ucb", "logistic-ucb 0.1", 0.1);
    room[1] = with_width("logistic-ucb", "logistic-ucb 0.3", 0.3);
    room[2] = with_width("logistic-thompson", "logistic-thompson 0.1", 0.1);
    for (int i = 0; i < 3; i++) {
        room[i] = with_bias(with_precision(room[i], precision_for(def)));
        if (products_suit(def)) room[i] = recommend_with(room[i], "products", 1.0);
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

/* Learners without arms and features are judged by their rewards alone. */
static bool recommend_are_rules(const posse_def *def) {
    return def->learner_count > 0 && def->arms == 0 && !recommend_has_features(def);
}

/* The kind of belief about rewards without features, and what the selector of rules without arms calls its model. */
static const char *const recommend_models[] = {
    [POSSE_REWARDS_NUMBERS] = "normal-gamma", [POSSE_REWARDS_CLICKS] = "beta", [POSSE_REWARDS_COUNTS] = "gamma"};

static posse_part recommended_belief(const posse_def *def, posse_reward_kind rewards) {
    if (!recommend_has_features(def)) return (posse_part){.kind = recommend_models[rewards]};
    double precision = precision_for(def);
    if (rewards != POSSE_REWARDS_CLICKS || def->arms == 0) {
        posse_part linear = with_precision((posse_part){.kind = "linear"}, precision);
        return rounds_have_features(def) ? with_unknown_noise(linear) : linear;
    }
    return with_bias(with_precision((posse_part){.kind = "logistic"}, precision));
}

static bool rewards_are_known(posse_reward_kind rewards) {
    return rewards >= POSSE_REWARDS_NUMBERS && rewards <= POSSE_REWARDS_COUNTS;
}

/* The belief whose kind decides: of a mixture its first component. A description that contains itself has an end. */
static const posse_part *recommend_innermost(const posse_part *belief) {
    for (int depth = 0; depth < PART_DEPTH_MAX; depth++) {
        const posse_option *parts = posse_part_option_of_type(POSSE_FAMILY_BELIEF, belief, POSSE_TYPE_PARTS);
        if (parts == NULL || parts->count == 0 || parts->part == NULL) break;
        belief = parts->part;
    }
    return belief;
}

static const posse_kind *recommend_kind(posse_family family, const posse_part *given) {
    return registry_kind(family, given != NULL ? posse_kind_find(family, given->kind) : -1);
}

static posse_reward_kind recommend_believed(const posse_part *belief) {
    const posse_kind *kind = recommend_kind(POSSE_FAMILY_BELIEF, recommend_innermost(belief));
    return kind != NULL ? OPS_OF(posse_belief_ops, kind)->reward_kind : POSSE_REWARDS_NUMBERS;
}

static posse_reward_kind recommend_paid(const posse_part *environment) {
    const posse_kind *kind = recommend_kind(POSSE_FAMILY_ENVIRONMENT, environment);
    if (kind == NULL) return POSSE_REWARDS_UNKNOWN;
    const posse_environment_ops *ops = OPS_OF(posse_environment_ops, kind);
    posse_reward_kind paid = ops->reward_kind != NULL ? ops->reward_kind(environment) : POSSE_REWARDS_NUMBERS;
    return rewards_are_known(paid) ? paid : POSSE_REWARDS_UNKNOWN;
}

posse_reward_kind posse_reward_kind_of(posse_family family, const posse_part *given) {
    if (family == POSSE_FAMILY_BELIEF) return recommend_believed(given);
    return family == POSSE_FAMILY_ENVIRONMENT ? recommend_paid(given) : POSSE_REWARDS_UNKNOWN;
}

posse_error posse_recommend(posse_def *def, posse_reward_kind rewards, posse_part room[POSSE_RECOMMENDED_LEARNERS]) {
    if (def == NULL || !rewards_are_known(rewards)) return POSSE_ERROR_ARGUMENT;
    if (recommend_are_rules(def)) {
        def->selector =
            (posse_part){.kind = "thompson", .options = {{.key = "model", .word = recommend_models[rewards]}}};
        return POSSE_OK;
    }
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
