/* SPDX-License-Identifier: MIT */
#include "served/cost.h"
#include "posse_features.h"
#include "posse_inside.h"

/*
 * A unit is about one multiplication and addition. The weights were fitted to decisions of `posse serve` on one core
 * (0.6 to 1 ns a unit): 30 ms for 50 arms, 30 features and 1000 draws; 1 ms for 5 arms, beta and 1000 draws.
 */
#define PIECE_UNITS 3e6
#define CHOICE_UNITS 500.0 /* of a choice, however few arms there are */
#define ARM_UNITS 32.0     /* of a posterior sample for an arm without features */
#define ROW_UNITS 32.0     /* of a feature that is not 0, if contexts are sparse */
#define DRAWS_MOST 100
#define DRAWS_LEAST 10
#define ARM_BYTES 80.0 /* of an arm in the state of a part */
#define NUMBER_BYTES 8.0
#define SPARSE_WIDTH 64.0 /* where features come with time, a posse begins with room for few */
#define LARGE_BYTES 1048576.0
#define JOINT_ARMS 1024 /* up to this, arms may have a covariance: a matrix with each other */
#define BODY_VALUES 100 /* of a body without lists, with room to spare */
#define ROUND_VALUES 8  /* a play with its arm, its reward and its context, and the lists in that */
#define ARM_VALUES 4    /* of an arm with features, beside these: its name, and the lists and objects around them */
#define REWARD_VALUES 3 /* an object, the token and the reward */
#define PLAYS_MOST 10000

/* Of the features of an arm. Where contexts are sparse, every model takes a step per feature that is not 0. */
static double units_of_features(const posse *p) {
    double features = posse_feature_count(p);
    return posse_nonzeros(p) > 0 ? ROW_UNITS * posse_nonzeros(p) : features * features;
}

static double units_of_choice(const posse *p) {
    double arms = posse_arm_count(p), dim = posse_nonzeros(p) == 0 ? posse_dim(p) : 0.0;
    double of_arm = ARM_UNITS + dim + units_of_features(p) + (arms <= JOINT_ARMS ? arms / 8.0 : 0.0);
    return CHOICE_UNITS + arms * of_arm + dim * dim;
}

static double units_of_decision(const posse *p) {
    return units_of_choice(p) * (1.0 + posse_propensity_draws(p));
}

/* A linear model takes the square of its dimensions. With shared data, every learner and the selector learn a reward.
 */
static double units_of_reward(const posse *p) {
    double dim = posse_nonzeros(p) == 0 ? posse_dim(p) : 0.0, of_features = units_of_features(p);
    double wide = dim * dim > of_features ? dim * dim : of_features;
    return CHOICE_UNITS + (posse_learner_count(p) + 1.0) * (ARM_UNITS + wide);
}

bool cost_is_too_large(const posse *p) {
    return posse_propensity_draws(p) > 0 && units_of_decision(p) > COST_DECISION;
}

size_t cost_decisions_max(const posse *p, double units) {
    double most = units / units_of_decision(p);
    return most > 1.0 ? (size_t)most : 1;
}

size_t cost_rewards_max(const posse *p, double units) {
    double most = units / units_of_reward(p);
    return most > 1.0 ? (size_t)most : 1;
}

size_t cost_rounds_max(const posse *p, double units) {
    size_t most = cost_decisions_max(p, units);
    return most < DECISIONS_MAX ? most : DECISIONS_MAX;
}

uint32_t cost_draws(const posse *p) {
    double quick = PIECE_UNITS / units_of_choice(p), most = COST_DECISION / units_of_choice(p);
    if (posse_propensity_draws(p) > 0) return posse_propensity_draws(p);
    if (quick >= DRAWS_LEAST) return quick < DRAWS_MOST ? (uint32_t)quick : DRAWS_MOST;
    return most < DRAWS_LEAST ? (uint32_t)most : DRAWS_LEAST;
}

bool cost_is_long(const posse *p, size_t rewards, size_t decisions) {
    return (double)rewards * units_of_reward(p) + (double)decisions * units_of_decision(p) > PIECE_UNITS;
}

bool cost_is_large(const posse_def *def) {
    double arms = def->arms, wide = (double)def->dim + def->context, parts = def->learner_count + 2.0;
    double joint = arms <= JOINT_ARMS ? arms * arms : 0.0;
    if (def->nonzeros > 0 || def->features != NULL) wide = SPARSE_WIDTH;
    return parts * (ARM_BYTES * arms + NUMBER_BYTES * (wide * wide + joint)) + NUMBER_BYTES * arms * def->dim >
           LARGE_BYTES;
}

size_t cost_plays_max(const posse *p) {
    size_t most = cost_rewards_max(p, COST_DECISION);
    return most < PLAYS_MOST ? most : PLAYS_MOST;
}

/* Of a round: the numbers, texts, lists and objects of its arms. Sparse features may be given in full, too. */
static size_t cost_round_values(const posse *p) {
    size_t arms = (size_t)posse_arm_count(p) + (size_t)posse_joins(p);
    size_t shared = (size_t)posse_shared_feature_count(p), own = (size_t)posse_feature_count(p) - shared;
    if (posse_takes_names(p)) return ARM_VALUES * arms + POSSE_FEATURE_TERMS_MAX;
    if (posse_feature_count(p) == 0) return arms + (size_t)posse_dim(p);
    return ARM_VALUES * arms + shared + own * arms;
}

size_t cost_values_max(const posse *p, size_t rounds, size_t rewards) {
    return BODY_VALUES + rounds * (ROUND_VALUES + cost_round_values(p)) + REWARD_VALUES * rewards;
}

double cost_piece(void) {
    return PIECE_UNITS;
}

double cost_reward(const posse *p) {
    return units_of_reward(p);
}
