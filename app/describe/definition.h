/* SPDX-License-Identifier: MIT */
/*
 * The parts of a posse, read from the tree of a description: {prior: .., selector: .., learners: [..]}, or a learner
 * alone. They are read like the parts of experiment files, so the keys, the checks and the messages are the same.
 */
#ifndef POSSE_DESCRIBE_DEFINITION_H
#define POSSE_DESCRIBE_DEFINITION_H

#include "describe/reading.h"

typedef struct definition {
    posse_part prior, selector; /* kind NULL: none */
    posse_part *learners;
    int learner_count;
} definition;

/*
 * Each reads a definition into memory of the tree's pool, and adds what is wrong with it to `found`. arms: has the
 * number of arms, which rows of tables must match. priors: reads files of priors; NULL: no paths in it are
 * followed, as for descriptions that come over a network. False: there are problems, or there is no memory.
 * definition_read sets *root to the description with its sweeps written out (sweep.h); places that the library names
 * are looked up there.
 */
bool definition_read(definition *d, const node **root, pool *memory, problems *found, const posse_def *arms,
                     prior_taker *priors);
bool definition_read_learner(definition *d, const node *root, pool *memory, problems *found, const posse_def *arms,
                             prior_taker *priors);

#endif
