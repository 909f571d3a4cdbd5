/* SPDX-License-Identifier: MIT */
/*
 * The features that a learner uses, in contexts: the option `features`, and what it means for the option `model`.
 */
#ifndef POSSE_LEARNER_FEATURES_H
#define POSSE_LEARNER_FEATURES_H

#include "model/part.h"
#include "model/space.h"

#define PARAMETER_FEATURES                                                                                             \
    {                                                                                                                  \
        .name = "features", .type = POSSE_TYPE_REALS, .flags = POSSE_PARAM_OPTIONAL, .low = 0.0, .high = DIM_MAX - 1,  \
        .help = "in contexts: the features that it uses, counted from 0; default all"                                  \
    }

/* Reads the setting: how many features are used, and which; *out is NULL for all. */
posse_error features_read(const posse_setup *setup, const posse_option *setting, int *count, const int **out);

/*
 * Whether a setting of PARAMETER_MODEL asks for weights of each arm (regression_model), where `count` features are
 * used. A joint model of features that all arms share is refused, or disjoint if it was not asked for.
 */
posse_error features_model(const posse_setup *setup, const posse_option *setting, int count, const int *seen,
                           bool *disjoint);

#endif
