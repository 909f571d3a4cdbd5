/* SPDX-License-Identifier: MIT */
#include "belief/belief.h"

#include "base/assert.h"
#include "belief/mixture.h"
#include "belief/robust.h"
#include "model/registry.h"
#include "model/row.h"
#include "numeric/elementary.h"

const posse_param belief_params[] = {
    {.name = "robust",
     .type = POSSE_TYPE_FLAG,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1.0,
     .help = "mix it with variants of other widths, rates or noise, all with equal weight"},
    PARAMETERS_END};

/* The coordinates that the shape of a belief must have in this space. */
static int belief_coordinates(const posse_space *space, const posse_belief *b) {
    if (b->shape.one_hot) return space->arms;
    if (!space_has_contexts(space)) return space->dim;
    return b->model.disjoint ? space->arms * space->slots : space->slots;
}

/* Worlds have as many numbers as the shape says, and are read by the arms and features that there are. */
static posse_error belief_check_shape(const part_context *context, const posse_belief *b) {
    int expected = belief_coordinates(b->space, b);
    if (b->shape.dim == expected && expected > 0) return POSSE_OK;
    complain(context->log, context->where, NULL, "kind \"%s\" has %d coordinates, and %d are needed here",
             b->part.kind->name, b->shape.dim, expected);
    return POSSE_ERROR_FIT;
}

/* Extensions were written for features in full. */
static posse_error belief_check_rows(const part_context *context, const posse_belief *b) {
    if (!space_is_sparse(b->space) || b->shape.one_hot) return POSSE_OK;
    if (registry_is_built_in(POSSE_FAMILY_BELIEF, b->part.kind->name)) return POSSE_OK;
    complain(context->log, context->where, "kind", "%s is an extension, which cannot read sparse contexts",
             b->part.kind->name);
    return POSSE_ERROR_FIT;
}

/*
 * A robust belief is first made without its variants, so that a mistake in its options is reported at their own place.
 */
posse_error belief_make_at(const part_context *context, const posse_part *description, posse_belief *out) {
    understanding understood;
    posse_error error = part_understand(context, POSSE_FAMILY_BELIEF, description, &understood);
    if (error == POSSE_OK) error = part_prepare(context, &understood, &out->part);
    if (error != POSSE_OK) return error;
    out->robust = understood.common.settings[BELIEF_ROBUST].number != 0.0;
    if (out->robust) error = robust_make(context, description, &understood, &out->part);
    if (error != POSSE_OK) return error;
    out->ops = OPS_OF(posse_belief_ops, out->part.kind);
    out->space = context->surroundings.space;
    out->carries = out->ops->next_task != NULL && (out->ops != &belief_mixture || mixture_carries(out->part.plan));
    out->moments = out->ops->moments != NULL && (out->ops != &belief_mixture || mixture_has_moments(out->part.plan));
    out->shape = out->ops->shape(out->part.plan);
    out->model = out->ops->model != NULL ? out->ops->model(out->part.plan) : (posse_belief_model){0};
    error = belief_check_shape(context, out);
    return error == POSSE_OK ? belief_check_rows(context, out) : error;
}

posse_error belief_make(const posse_setup *setup, const posse_part *description, const char *key, int index,
                        posse_belief *out) {
    part_context inner = *(const part_context *)setup->reserved;
    posse_place where = {inner.where, key, index};
    inner.where = &where;
    return belief_make_at(&inner, description, out);
}

/* The part that a setting gives, or else the prior of the environment. NULL: there is neither. */
static const posse_part *description_of(const posse_setup *setup, const posse_option *setting) {
    return setting->part != NULL ? setting->part : setup->prior;
}

static const char *key_of(const posse_option *setting) {
    return setting->part != NULL ? setting->key : "prior";
}

posse_error belief_of_setting(const posse_setup *setup, const posse_option *setting, posse_belief *out) {
    const posse_part *description = description_of(setup, setting);
    if (description == NULL)
        return posse_setup_refuse(
            setup, NULL, -1,
            "a belief is needed, because there is no prior: give the option `belief` (in C and Python also a prior: "
            "def.prior, prior=)");
    return belief_make(setup, description, key_of(setting), -1, out);
}

posse_error belief_of_setting_robust(const posse_setup *setup, const posse_option *setting, posse_belief *out) {
    posse_part robust;
    posse_error error =
        posse_part_resolve(POSSE_FAMILY_BELIEF, description_of(setup, setting), setup->prior, NULL, &robust);
    if (error != POSSE_OK) return error;
    part_find_option(&robust, belief_params[BELIEF_ROBUST].name)->number = 1.0;
    return belief_make(setup, &robust, key_of(setting), -1, out);
}

void belief_next_task(const posse_belief *b, void *state, posse_draw *draw) {
    if (b->carries)
        b->ops->next_task(b->part.plan, state, draw);
    else
        part_start(&b->part, state);
}

double belief_surprise(const posse_belief *b, const void *state) {
    return mixture_gain(b->part.plan, state);
}

int belief_best(const posse_belief *b, const double *world, double *value, const double **coordinates, double *point) {
    if (!b->shape.one_hot) return space_best(b->space, world, value, coordinates, point);
    int arm = space_largest(b->space, world);
    *value = world[arm];
    *coordinates = NULL;
    return arm;
}

/* <w, x> of the arm at a place, where contexts are sparse (regressions.h has the order of weights). */
static double sparse_value(const posse_belief *b, const double *world, const posse_round *round, int place) {
    size_t count = b->model.disjoint ? (size_t)b->space->arms : 1,
           arm = b->model.disjoint ? (size_t)round->arms[place] : 0;
    row x = row_of_sparse(round_features(round, place));
    double sum = 0.0;
    for (int i = 0; i < x.count; i++) sum += world[(size_t)row_slot(x, i) * count + arm] * row_value(x, i);
    return sum;
}

/* The place in a world where the weights of an arm's features begin. */
static const double *belief_weights_of(const posse_belief *b, const double *world, const posse_round *round,
                                       int place) {
    return b->model.disjoint ? world + (size_t)round->arms[place] * (size_t)round->width : world;
}

int belief_values(const posse_belief *b, const double *world, const posse_round *round, double *values) {
    POSSE_ASSERT(round->count > 0 && (b->shape.one_hot || round->width == space_row_numbers(b->space)));
    bool sparse = space_is_sparse(b->space);
    for (int k = 0; k < round->count; k++)
        values[k] = b->shape.one_hot ? world[round->arms[k]]
                    : sparse         ? sparse_value(b, world, round, k)
                             : dot(belief_weights_of(b, world, round, k), round_features(round, k), round->width);
    for (int k = 0; k < round->count && b->model.logistic; k++) values[k] = sigmoid(values[k] + b->model.bias);
    return largest(values, round->count);
}

posse_error belief_needs_arms(const posse_setup *setup, const char *what) {
    if (setup->space->arms > 0) return POSSE_OK;
    if (space_is_empty(setup->space)) return posse_setup_refuse(setup, NULL, -1, "%s needs arms; there are none", what);
    return posse_setup_refuse(setup, NULL, -1, "%s needs separate arms; the continuous ball needs a linear belief",
                              what);
}

/* ------------------------------------------ beliefs inside extensions ---------------------------------------- */

posse_error posse_setup_belief(const posse_setup *setup, const posse_option *setting, const posse_belief **out) {
    posse_belief *b = posse_setup_allocate(setup, sizeof *b);
    if (b == NULL) return POSSE_ERROR_MEMORY;
    *out = b;
    return belief_of_setting(setup, setting, b);
}

size_t posse_belief_state_size(const posse_belief *b) {
    return b->part.state_size;
}

void posse_belief_start(const posse_belief *b, void *state) {
    part_start(&b->part, state);
}

bool posse_belief_sane(const posse_belief *b, const void *state) {
    return part_state_sane(&b->part, state);
}

posse_rewards posse_belief_rewards(const posse_belief *b) {
    return belief_rewards(b);
}

bool posse_belief_unit_rewards(const posse_belief *b) {
    return rewards_are_unit(belief_rewards(b));
}

void posse_belief_grow(const posse_belief *b, void *state, const posse_belief *former, const void *former_state) {
    part_grow(&b->part, state, &former->part, former_state);
}

void posse_belief_next_task(const posse_belief *b, void *state, posse_draw *draw) {
    belief_next_task(b, state, draw);
}

posse_belief_shape posse_belief_get_shape(const posse_belief *b) {
    return b->shape;
}

void posse_belief_update(const posse_belief *b, void *state, int arm, const double *point, double reward) {
    belief_update(b, state, arm, point, reward);
}

void posse_belief_draw(const posse_belief *b, const void *state, posse_draw *draw, double *world) {
    belief_draw(b, state, draw, world);
}

void posse_belief_add_mean(const posse_belief *b, const void *state, double scale, double *world) {
    belief_add_mean(b, state, scale, world);
}

double posse_belief_evidence(const posse_belief *b, const void *state, int arm, const double *point, double reward) {
    return belief_evidence(b, state, arm, point, reward);
}

int posse_belief_values(const posse_belief *b, const double *world, const posse_round *round, double *values) {
    return belief_values(b, world, round, values);
}

int posse_belief_best(const posse_belief *b, const double *world, double *value, double *point) {
    const double *coordinates;
    return belief_best(b, world, value, &coordinates, point);
}
