/* SPDX-License-Identifier: MIT */
/*
 * Looking inside: functions that read what a posse has learned, without changing it.
 */
#include <math.h>
#include <string.h>

#include "belief/belief.h"
#include "belief/hierarchical.h"
#include "belief/mixture.h"
#include "object/object.h"

/*
 * What Laplace's approximation may add to the surprise of a run with a right belief. Measured: at most 9.9 in 240 runs
 * with features, of prior standard deviations from 1 to 10. tests/python/test_logistic.py has other seeds.
 */
#define LAPLACE_ERROR 10.0

int posse_arm_count(const posse *p) {
    return p != NULL ? p->space->arms : 0;
}

int posse_dim(const posse *p) {
    return p != NULL ? space_def_of(p->space).dim : 0;
}

posse_error posse_definition(const posse *p, posse_def *def, posse_part *learners) {
    if (p == NULL || def == NULL || learners == NULL) return POSSE_ERROR_ARGUMENT;
    space_def arms = space_def_of(p->space);
    *def = (posse_def){.cookie = posse_default_def().cookie,
                       .arms = arms.arms,
                       .dim = arms.dim,
                       .points = arms.points,
                       .names = p->names != NULL ? (const char *const *)p->names->list : NULL,
                       .joins = posse_joins(p),
                       .context = arms.context,
                       .nonzeros = arms.nonzeros,
                       .features = p->map != NULL ? &p->map->def : NULL,
                       .prior = recipe_part(p->prior),
                       .selector = recipe_part(p->selector_recipe),
                       .learners = learners,
                       .seed = p->seed,
                       .run = p->run,
                       .rounds = p->rounds,
                       .expire_after = p->expiry.after,
                       .expire_learns = p->expire_learns,
                       .expire_reward = p->expiry.reward,
                       .propensity_draws = p->propensity_draws,
                       .report = p->tallies != NULL,
                       .episodes = arms.episodes};
    for (int i = 0; i < p->count; i++) {
        if (!p->members[i].active) continue;
        learners[def->learner_count] = recipe_part(p->members[i].recipe);
        learners[def->learner_count++].name = p->members[i].name;
    }
    return POSSE_OK;
}

posse_rewards posse_reward_range(const posse *p) {
    return p != NULL ? p->rewards : ALL_REWARDS;
}

bool posse_unit_rewards(const posse *p) {
    return p != NULL && rewards_are_unit(p->rewards);
}

posse_error posse_plays(const posse *p, uint64_t *plays) {
    if (p == NULL || plays == NULL) return POSSE_ERROR_ARGUMENT;
    for (int i = 0; i < p->count; i++) plays[i] = p->members[i].plays;
    return POSSE_OK;
}

posse_error posse_potentials(const posse *p, double *potentials) {
    if (p == NULL || potentials == NULL) return POSSE_ERROR_ARGUMENT;
    if (p->selector.ops == NULL || p->selector.ops->potentials == NULL) return POSSE_ERROR_ABSENT;
    p->selector.ops->potentials(p->selector.part.plan, p->selector.state, p->count, potentials);
    return POSSE_OK;
}

double posse_play_weight(const posse *p, double rounds) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->play_weight == NULL) return 1.0;
    return p->selector.ops->play_weight(p->selector.part.plan, p->active, rounds);
}

double posse_charge_share(const posse *p, double rounds, double plays) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->charge_share == NULL) return 1.0;
    return p->selector.ops->charge_share(p->selector.part.plan, p->active, rounds, plays);
}

double posse_play_discount(const posse *p) {
    if (p == NULL || p->selector.ops == NULL || p->selector.ops->play_discount == NULL) return 1.0;
    return p->selector.ops->play_discount(p->selector.part.plan);
}

posse_error posse_probabilities(const posse *p, double *probabilities) {
    if (p == NULL || probabilities == NULL) return POSSE_ERROR_ARGUMENT;
    bool chosen = p->decisions > 0;
    for (int i = 0; i < p->count; i++) chosen = chosen || p->members[i].plays > 0;
    if (!chosen) return POSSE_ERROR_ABSENT;
    for (int i = 0; i < p->count; i++) probabilities[i] = i == p->current ? 1.0 : 0.0;
    const chooser *c = &p->selector;
    bool drawn = p->probability < 1.0 && c->ops != NULL && c->ops->probabilities != NULL;
    if (drawn) c->ops->probabilities(c->part.plan, c->state, p->count, probabilities);
    return POSSE_OK;
}

posse_error posse_clipped(const posse *p, uint64_t *rewards) {
    if (p == NULL || rewards == NULL) return POSSE_ERROR_ARGUMENT;
    const chooser *c = &p->selector;
    if (c->ops == NULL || c->ops->clipped == NULL) return POSSE_ERROR_ABSENT;
    *rewards = (uint64_t)c->ops->clipped(c->part.plan, c->state);
    return POSSE_OK;
}

posse_error posse_surprise(const posse *p, double *surprise) {
    if (p == NULL || surprise == NULL) return POSSE_ERROR_ARGUMENT;
    const chooser *c = &p->selector;
    if (c->ops == NULL || c->ops->surprise == NULL) return POSSE_ERROR_ABSENT;
    return c->ops->surprise(c->part.plan, c->state, surprise) ? POSSE_OK : POSSE_ERROR_ABSENT;
}

/* ------------------------------------------------ the belief ------------------------------------------------- */

/* The selector's belief and its state; NULL: it has none. */
static const posse_belief *belief_inside(const posse *p, const void **state) {
    const chooser *c = &p->selector;
    if (c->ops == NULL || c->ops->belief == NULL) return NULL;
    return c->ops->belief(c->part.plan, c->state, state);
}

/*
 * The surprise of all runs together is the sum of theirs. If the belief is right and its evidence exact, it exceeds
 * log(20) with a probability of at most 1 in 20, and is far below 0 as a rule.
 */
double posse_surprise_limit(const posse *p, uint32_t runs) {
    const void *state;
    const posse_belief *b = p != NULL ? belief_inside(p, &state) : NULL;
    bool approximate = b != NULL && b->model.logistic && space_has_contexts(p->space);
    return posse_log(20.0) + (approximate ? LAPLACE_ERROR * runs : 0.0);
}

/* A linear belief's theta is converted to the arms' values, except on the ball, which has no separate arms. */
static void means_of_space(const posse *p, const posse_belief *b, const void *state, double *means) {
    double theta[DIM_MAX] = {0.0};
    const posse_space *space = p->space;
    bool values = b->shape.one_hot || space->arms == 0; /* the belief's numbers need no conversion */
    double *out = values ? means : theta;
    memset(out, 0, (size_t)b->shape.dim * sizeof *out);
    belief_add_mean(b, state, 1.0, out);
    for (int a = 0; a < space->arms && !values; a++) means[a] = dot(theta, space_point(space, a), space->dim);
}

static void deviations_of_space(const posse *p, const posse_belief *b, const void *state, double *deviations) {
    for (int a = 0; a < p->space->arms; a++) {
        double mean, variance;
        b->ops->moments(b->part.plan, state, a, space_point(p->space, a), &mean, &variance);
        deviations[a] = sqrt(variance);
    }
}

/* The mean value of an arm equals its value in the mean world for linear models, but not for logistic ones. */
static posse_error mean_values(const posse *p, const posse_belief *b, const void *state, const posse_round *round,
                               double *means) {
    arena scratch = {.allocator = p->host.allocator};
    double *world = arena_allocate(&scratch, (size_t)b->shape.dim * sizeof *world);
    if (world != NULL) {
        belief_add_mean(b, state, 1.0, world);
        belief_values(b, world, round, means);
    }
    arena_release(&scratch);
    return world != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* The mean and the standard deviation of the value of each available arm. Either array may be NULL. */
static void write_moments(const posse_belief *b, const void *state, const posse_round *round, double *means,
                          double *deviations) {
    for (int k = 0; k < round->count; k++) {
        double mean, variance;
        b->ops->moments(b->part.plan, state, round->arms[k], round_features(round, k), &mean, &variance);
        if (means != NULL) means[k] = mean;
        if (deviations != NULL) deviations[k] = sqrt(variance);
    }
}

/* The means of a round, in the selector's belief. */
static posse_error means_of_round(const posse *p, const posse_round *round, double *means) {
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (!b->model.logistic || !b->moments) return mean_values(p, b, state, round, means);
    write_moments(b, state, round, means, NULL);
    return POSSE_OK;
}

posse_error posse_means(const posse *p, const posse_context *context, double *means) {
    if (p == NULL || means == NULL) return POSSE_ERROR_ARGUMENT;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b == NULL) return POSSE_ERROR_ABSENT;
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    posse_error error = context_round(p, context, &room, &round);
    if (error != POSSE_OK) return error;
    if (round != NULL)
        error = means_of_round(p, round, means);
    else
        means_of_space(p, b, state, means);
    context_forget(p, known);
    return error;
}

posse_error posse_deviations(const posse *p, const posse_context *context, double *deviations) {
    if (p == NULL || deviations == NULL) return POSSE_ERROR_ARGUMENT;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b == NULL || !b->moments || p->space->arms == 0) return POSSE_ERROR_ABSENT;
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    posse_error error = context_round(p, context, &room, &round);
    if (error != POSSE_OK) return error;
    b = belief_inside(p, &state); /* it may have been made again, with room for more features */
    if (round != NULL)
        write_moments(b, state, round, NULL, deviations);
    else
        deviations_of_space(p, b, state, deviations);
    context_forget(p, known);
    return POSSE_OK;
}

int posse_component_count(const posse *p) {
    const void *state;
    const posse_belief *b = p != NULL ? belief_inside(p, &state) : NULL;
    if (b == NULL) return 0;
    if (b->ops == &belief_hierarchical) return hierarchical_count(b->part.plan);
    return b->ops == &belief_mixture ? mixture_count(b->part.plan) : 0;
}

posse_error posse_weights(const posse *p, double *weights) {
    if (p == NULL || weights == NULL) return POSSE_ERROR_ARGUMENT;
    if (posse_component_count(p) == 0) return POSSE_ERROR_ABSENT;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b->ops == &belief_hierarchical)
        hierarchical_weights(b->part.plan, state, weights);
    else
        mixture_weights(b->part.plan, state, weights);
    return POSSE_OK;
}

posse_error posse_regrets(const posse *p, double *regrets) {
    if (p == NULL || regrets == NULL) return POSSE_ERROR_ARGUMENT;
    const chooser *c = &p->selector;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b == NULL || c->ops->regrets == NULL) return POSSE_ERROR_ABSENT;
    arena scratch = {.allocator = p->host.allocator};
    double *world = arena_allocate(&scratch, (size_t)b->shape.dim * sizeof *world);
    if (world != NULL) {
        belief_add_mean(b, state, 1.0, world);
        c->ops->regrets(c->part.plan, c->state, world, p->count, regrets);
    }
    arena_release(&scratch);
    return world != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error posse_acceptance(const posse *p, uint32_t draws, double *acceptance) {
    if (p == NULL || acceptance == NULL || draws == 0) return POSSE_ERROR_ARGUMENT;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b == NULL || b->ops->acceptance == NULL) return POSSE_ERROR_ABSENT;
    arena scratch = {.allocator = p->host.allocator};
    posse_draw *draw = arena_allocate(&scratch, sizeof *draw);
    if (draw == NULL) return POSSE_ERROR_MEMORY;
    draw_open(draw, p->seed, p->run, stream_named(STREAM_INSIGHT, "acceptance"), 0);
    double sum = 0.0, share;
    bool chain = true;
    for (uint32_t i = 0; i < draws && chain; i++) {
        chain = b->ops->acceptance(b->part.plan, state, draw, &share);
        if (chain) sum += share;
    }
    arena_release(&scratch);
    if (!chain) return POSSE_ERROR_ABSENT;
    *acceptance = sum / draws;
    return POSSE_OK;
}

posse_error posse_best_probabilities(const posse *p, uint32_t draws, double *probabilities) {
    if (p == NULL || probabilities == NULL || draws == 0) return POSSE_ERROR_ARGUMENT;
    const void *state;
    const posse_belief *b = belief_inside(p, &state);
    if (b == NULL || p->space->arms == 0) return POSSE_ERROR_ABSENT;
    posse_error error = context_none(p);
    if (error != POSSE_OK) return error;
    arena scratch = {.allocator = p->host.allocator};
    double *world = arena_allocate(&scratch, (size_t)b->shape.dim * sizeof *world), best;
    posse_draw *draw = arena_allocate(&scratch, sizeof *draw);
    if (world != NULL && draw != NULL) {
        const double *coordinates;
        draw_open(draw, p->seed, p->run, stream_named(STREAM_INSIGHT, "best"), 0);
        memset(probabilities, 0, (size_t)p->space->arms * sizeof *probabilities);
        for (uint32_t i = 0; i < draws; i++) {
            belief_draw(b, state, draw, world);
            probabilities[belief_best(b, world, &best, &coordinates, NULL)] += 1.0;
        }
        for (int a = 0; a < p->space->arms; a++) probabilities[a] /= draws;
    }
    arena_release(&scratch);
    return world != NULL && draw != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}
