/* SPDX-License-Identifier: MIT */
#include "selector/selector.h"

#include <string.h>

const posse_param selector_params[] = {{.name = "share",
                                        .type = POSSE_FLAG,
                                        .fallback = 0.0,
                                        .low = 0.0,
                                        .high = 1.0,
                                        .help = "every learner learns every reward, not only its own"},
                                       {.name = "batch",
                                        .type = POSSE_COUNT,
                                        .fallback = 1.0,
                                        .low = 1.0,
                                        .high = 1e9,
                                        .help = "the learner chosen plays this many rounds in a row"},
                                       PARAMETERS_END};

void selector_adopt_columns(double *to, int many, const double *from, int few, int columns) {
    for (int i = 0; i < columns; i++)
        memcpy(to + (size_t)i * (size_t)many, from + (size_t)i * (size_t)few, (size_t)few * sizeof *to);
}

posse_error selector_needs_rounds(const posse_setup *setup, const char *kind) {
    if (setup->rounds > 0) return POSSE_OK;
    return posse_setup_refuse(setup, NULL, -1,
                              "%s needs to know the number of rounds (def.rounds in C, rounds= in Python)", kind);
}
