/* SPDX-License-Identifier: MIT */
#include "selector/selector.h"

const posse_param selector_params[] = {
    PARAMETER_SHARE(0.0, 0),
    {.name = "batch",
     .type = POSSE_TYPE_COUNT,
     .fallback = 1.0,
     .low = 1.0,
     .high = 1e9,
     .help = "the learner chosen plays this many rounds in a row"},
    {.name = "floor",
     .type = POSSE_TYPE_REAL,
     .flags = POSSE_PARAM_BELOW,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1.0,
     .help = "how often the arm is drawn evenly instead, so that propensities are exact"},
    PARAMETERS_END};

posse_error selector_needs_rounds(const posse_setup *setup, const char *kind) {
    if (setup->rounds > 0) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "%s needs to know the number of rounds (def.rounds in C, rounds= in Python)", kind);
}
