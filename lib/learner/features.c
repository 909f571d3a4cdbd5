/* SPDX-License-Identifier: MIT */
#include "learner/features.h"

#include <math.h>

#include "belief/regression.h"

static posse_error check_feature(const posse_setup *setup, const double *list, int i) {
    double x = list[i];
    if (x != floor(x)) return posse_setup_refuse(setup, "features", i, "%.12g is not a whole number", x);
    if (x >= setup->space->features)
        return posse_setup_refuse(setup, "features", i, "there is no feature %.12g; they count from 0 to %d", x,
                                  setup->space->features - 1);
    for (int k = 0; k < i; k++)
        if (list[k] == x) return posse_setup_refuse(setup, "features", i, "feature %.12g is there twice", x);
    return POSSE_OK;
}

posse_error features_read(const posse_setup *setup, const posse_option *setting, int *count, const int **out) {
    const double *list = setting->list != NULL ? setting->list : &setting->number;
    *count = setup->space->features;
    *out = NULL;
    if (setting->key == NULL) return POSSE_OK;
    if (space_is_sparse(setup->space))
        return posse_setup_refuse(setup, setting->key, -1,
                                  "given, but contexts are sparse: a learner uses all of them");
    /* A list longer than DIM_MAX must contain duplicates. The copy is capped, and check_feature reports one. */
    *count = setting->list == NULL ? 1 : setting->count <= DIM_MAX ? (int)setting->count : DIM_MAX + 1;
    int *seen = posse_setup_allocate(setup, (size_t)*count * sizeof *seen);
    if (seen == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < *count; i++) {
        posse_error error = check_feature(setup, list, i);
        if (error != POSSE_OK) return error;
        seen[i] = (int)list[i];
    }
    *out = seen;
    return POSSE_OK;
}

/* Whether the model uses features of single arms, and not only those that all arms share. */
static bool sees_own(const posse_space *space, const int *seen, int count) {
    bool own = seen == NULL && space->features > space->shared_features;
    for (int i = 0; seen != NULL && i < count; i++) own = own || seen[i] < space->features - space->shared_features;
    return own;
}

posse_error features_model(const posse_setup *setup, const posse_option *setting, int count, const int *seen,
                           bool *disjoint) {
    posse_error error = regression_model(setup, setting, disjoint);
    if (error != POSSE_OK || sees_own(setup->space, seen, count) || *disjoint) return error;
    *disjoint = true;
    if (setting->key == NULL) return POSSE_OK;
    return posse_setup_refuse(setup, "features", -1,
                              "all of these are shared by the arms, which a joint model could not tell apart: add one "
                              "of an arm's own, or make the model disjoint");
}
