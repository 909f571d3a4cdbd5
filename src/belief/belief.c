/* SPDX-License-Identifier: MIT */
#include "belief/belief.h"

#include "core/registry.h"

posse_error belief_make(const posse_setup *setup, const posse_part *description, const char *key, int index,
                        posse_belief *out) {
    posse_error error = part_make_inner(setup, POSSE_BELIEF, description, key, index, &out->part);
    if (error != POSSE_OK) return error;
    out->ops = OPS_OF(posse_belief_ops, out->part.kind);
    out->space = setup->space;
    out->shape = out->ops->shape(out->part.plan);
    return POSSE_OK;
}

posse_error belief_of_setting(const posse_setup *setup, const posse_option *setting, posse_belief *out) {
    const posse_part *description = setting->part != NULL ? setting->part : setup->prior;
    if (description == NULL)
        return posse_setup_refuse(
            setup, NULL, -1,
            "a belief is needed: there is no prior to start from, so give the option `belief` (or a prior, where there is no file: def.prior in C, prior= in Python)");
    return belief_make(setup, description, setting->part != NULL ? setting->key : "prior", -1, out);
}

int belief_best(const posse_belief *b, const double *world, double *value, const double **coordinates, double *point) {
    if (!b->shape.one_hot) return space_best(b->space, world, value, coordinates, point);
    int arm = largest(world, b->shape.dim);
    *value = world[arm];
    *coordinates = NULL;
    return arm;
}

posse_error belief_needs_arms(const posse_setup *setup, const char *what) {
    if (setup->space->arms > 0) return POSSE_OK;
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

bool posse_belief_unit_rewards(const posse_belief *b) {
    return part_unit_rewards(&b->part);
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

int posse_belief_best(const posse_belief *b, const double *world, double *value, double *point) {
    const double *coordinates;
    return belief_best(b, world, value, &coordinates, point);
}
