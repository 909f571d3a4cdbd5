#include "belief/belief.h"

#include "core/registry.h"

posse_error belief_make(const posse_setup *setup, const posse_part *description, const char *key, int index,
                        belief *out) {
    posse_error error = part_make_inner(setup, POSSE_BELIEF, description, key, index, &out->part);
    if (error != POSSE_OK) return error;
    out->ops = OPS_OF(belief_ops, out->part.kind);
    out->space = setup->space;
    out->shape = out->ops->shape(out->part.plan);
    return POSSE_OK;
}

posse_error belief_of_setting(const posse_setup *setup, const posse_option *setting, belief *out) {
    const posse_part *description = setting->part != NULL ? setting->part : setup->prior;
    if (description == NULL)
        return posse_setup_refuse(
            setup,
            "a belief is needed: there is no prior to start from, so give the option `belief` (or a prior, where there is no file: def.prior in C, prior= in Python)");
    return belief_make(setup, description, setting->part != NULL ? "belief" : "prior", -1, out);
}

int belief_best(const belief *b, const double *world, double *value, const double **coordinates, double *point) {
    if (!b->shape.one_hot) return space_best(b->space, world, value, coordinates, point);
    int arm = largest(world, b->shape.dim);
    *value = world[arm];
    *coordinates = NULL;
    return arm;
}

posse_error belief_needs_arms(const posse_setup *setup, const char *what) {
    if (setup->space->arms > 0) return POSSE_OK;
    return posse_setup_refuse(setup, "%s needs separate arms; on the continuous ball only a linear belief can live",
                              what);
}
