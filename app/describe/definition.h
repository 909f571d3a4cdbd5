/* SPDX-License-Identifier: MIT */
/*
 * What a posse is made of, read from the tree of a description: {prior: .., selector: .., learners: [..]}, or a learner
 * alone. The parts are read as those of experiment files are, so the keys, the checks and the messages are the same.
 */
#ifndef POSSE_DESCRIBE_DEFINITION_H
#define POSSE_DESCRIBE_DEFINITION_H

#include "describe/problems.h"

typedef struct definition {
    posse_part prior, selector; /* kind NULL: none */
    posse_part *learners;
    int learner_count;
} definition;

/*
 * Each reads a definition into memory of the tree's pool; the problems get what is wrong with it. arms: for tables.
 * files: paths in it may be followed, which is not for what comes over a network.
 * False: there are problems, or there is no memory.
 */
bool definition_read(definition *d, const node *root, pool *memory, problems *found, const posse_def *arms, bool files);
bool definition_read_learner(definition *d, const node *root, pool *memory, problems *found, const posse_def *arms,
                             bool files);

#endif
