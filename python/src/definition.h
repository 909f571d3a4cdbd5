/* SPDX-License-Identifier: MIT */
/*
 * What a posse is made of, read from the tree of a description: {prior: .., selector: .., learners: [..]}, or a learner
 * alone. It is the reader of experiment files that reads it, so the keys, the checks and the messages are the same.
 */
#ifndef DEFINITION_H
#define DEFINITION_H

#include "description.h"

typedef struct definition {
    posse_part prior, selector; /* kind NULL: none */
    posse_part *learners;
    int learner_count;
} definition;

/*
 * Each reads a definition into memory of the description, whose problems get what is wrong with it. arms: for tables.
 * False: there are problems, or there is no memory.
 */
bool definition_read(definition *d, description *from, const posse_def *arms);
bool definition_read_learner(definition *d, description *from, const posse_def *arms);

#endif
