#include "learner/learner.h"

#include <math.h>

posse_error learner_needs_arms(const posse_setup *setup, const char *kind) {
    if (setup->space->arms > 0) return POSSE_OK;
    return posse_setup_refuse(setup, "%s needs separate arms, and the continuous ball has none", kind);
}

posse_error learner_needs_points(const posse_setup *setup, const char *kind) {
    if (setup->space->dim > 0) return POSSE_OK;
    return posse_setup_refuse(setup, "%s needs arms with coordinates, and these arms are independent", kind);
}

bool tallies_sane(const tally *tallies, int arms) {
    for (int a = 0; a < arms; a++) {
        const tally *t = &tallies[a];
        if (!(t->count >= 0.0) || !isfinite(t->count) || !isfinite(t->sum) || !isfinite(t->mean)) return false;
    }
    return true;
}
