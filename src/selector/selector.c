#include "selector/selector.h"

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
