/*
 * What a posse is made of, read from the text that posse.document writes: {prior: .., selector: .., learners: [..]}. It
 * is the reader of experiment files that reads it, so the keys, the checks and the messages are the same.
 */
#ifndef DEFINITION_H
#define DEFINITION_H

#include <stddef.h>

#include "posse.h"

typedef struct definition {
    posse_part prior, selector; /* kind NULL: none */
    posse_part *learners;
    int learner_count;
    char *problems; /* a line each, ":LINE:COLUMN: message"; NULL: none */
    void *memory;
} definition;

/* Reads it; to be closed whatever comes of it. False: there are problems, or there is no memory. arms: for tables. */
bool definition_read(definition *d, const char *text, size_t length, const posse_def *arms);
void definition_close(definition *d);

#endif
