/* SPDX-License-Identifier: MIT */
#include "learner/learner.h"

#include <math.h>

posse_error learner_needs_arms(const posse_setup *setup, const char *kind) {
    if (setup->space->arms > 0) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1, "%s needs separate arms, and the continuous ball has none", kind);
}

void learner_retire_tallies(const posse_space *space, tally *tallies) {
    for (int a = 0; a < space->arms; a++)
        if (!space_has(space, a)) tallies[a].due = INFINITY;
}

posse_error learner_needs_points(const posse_setup *setup, const char *kind) {
    if (setup->space->dim > 0) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1, "%s needs arms with coordinates, and these arms are independent", kind);
}

posse_error learner_needs_contexts(const posse_setup *setup, const char *kind) {
    if (space_has_contexts(setup->space)) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1, "%s needs rounds with features, and these have none", kind);
}
