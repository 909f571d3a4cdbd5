/*
 * An experiment as it is understood: the file with every default filled in. Everything here is owned by the experiment
 * and lives until experiment_free. The options of a part are in the order of their declaration, the kind's own and then
 * the family's; absent are only those without a default and those that another one excludes. A belief that is the
 * environment's prior has the word "environment", and a selector that names no learners plays all of them.
 */
#ifndef POSSE_READ_EXPERIMENT_H
#define POSSE_READ_EXPERIMENT_H

#include <stdio.h>

#include "experiment/read/claim.h"
#include "posse.h"

/* The learners that a selector plays: their places among the experiment's, in the order in which it has them. */
typedef struct selector_team {
    const int *learners;
    int count;
} selector_team;

typedef struct experiment {
    char *path;   /* of the file, as it was given */
    char *source; /* its text */
    char *name;   /* [a-z0-9-]+ */
    char *title;  /* the name where the file has none */
    uint64_t rounds;
    uint32_t runs;
    uint64_t seed;
    bool solo;
    posse_part environment;
    posse_part *selectors; /* each with its name */
    selector_team *teams;  /* of each selector */
    int selector_count;
    posse_part *learners; /* each with its name */
    int learner_count;
    claim *claims;
    int claim_count;
    void *memory; /* the reader's own */
} experiment;

/* What the command line may say instead of the file; a zero leaves the file's. */
typedef struct experiment_changes {
    uint64_t rounds;
    uint32_t runs;
    uint64_t seed;
    bool seed_given;   /* a seed of 0 is a seed */
    double runs_scale; /* multiplies the file's runs; at least 2 runs are left */
} experiment_changes;

/*
 * Reads and checks a file, all of it: kinds, keys, types, ranges, names, claims, and that every learner and selector
 * can live in the environment. Every problem is printed to `out` as "FILE:LINE:COLUMN: message\n"
 * (without a position where it is not in the file: it cannot be read, or `changes` are wrong). Returns NULL
 * where there was any.
 */
experiment *experiment_read(const char *path, const experiment_changes *changes, FILE *out);
void experiment_free(experiment *e);

#endif
