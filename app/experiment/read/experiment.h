/* SPDX-License-Identifier: MIT */
/*
 * An experiment as it is understood: the file with every default filled in. Everything here is owned by the experiment
 * and lives until experiment_free. The options of a part are in the order of their declaration, the kind's own and then
 * the family's; only options without a default, and options that another one excludes, are absent. A belief that is the
 * environment's prior has the word "environment", and a selector that names no learners plays all of them.
 */
#ifndef POSSE_EXPERIMENT_READ_EXPERIMENT_H
#define POSSE_EXPERIMENT_READ_EXPERIMENT_H

#include "experiment/read/claim.h"

typedef struct problems problems; /* problems.h */

#define EXPERIMENT_ROUNDS_MAX 1000000000u
#define EXPERIMENT_RUNS_MAX 100000000u
#define EXPERIMENT_TASKS_MAX 10000u

/* The learners that a selector plays: their places in the experiment, in the selector's order. */
typedef struct selector_team {
    const int *learners;
    int count;
} selector_team;

/* On a log, the name of the policy that made it, which is a competitor, too. */
#define EXPERIMENT_LOG "log"

typedef struct experiment {
    const char *path;   /* of the file, as it was given; "" where there is none */
    const char *source; /* its text */
    const char *name;   /* [a-z0-9-]+ */
    const char *title;  /* the name where the file has none */
    uint64_t rounds;    /* of a run: those of all its tasks */
    uint32_t tasks;     /* of a run, one after the other, all of the same length; 0, until it is resolved, means 1 */
    uint32_t runs;
    uint64_t seed;
    bool solo;
    posse_part environment;
    int arms, dim;         /* of the environment, as in posse_def */
    bool features;         /* its rounds have features */
    posse_part prior;      /* the environment's own belief; kind NULL: it has none */
    posse_part *selectors; /* each with its name */
    selector_team *teams;  /* of each selector */
    int selector_count;
    posse_part *learners; /* each with its name */
    int learner_count;
    bool sweeps;      /* some of the learners come from lists of values */
    bool recommended; /* learners or beliefs are recommended ones */
    claim *claims;
    int claim_count;
    pool *memory; /* has everything above */
} experiment;

/* The rounds of a task. */
static inline uint64_t experiment_task_rounds(const experiment *e) {
    return e->tasks > 1 ? e->rounds / e->tasks : e->rounds;
}

/* Values of the command line that replace those of the file; 0 keeps the value of the file. */
typedef struct experiment_changes {
    uint64_t rounds; /* of a task */
    uint32_t runs;
    uint64_t seed;
    bool seed_given;   /* a seed of 0 is a seed */
    double runs_scale; /* multiplies the file's runs; at least 2 runs are left */
} experiment_changes;

typedef enum experiment_status {
    EXPERIMENT_FINE,
    EXPERIMENT_WRONG, /* the problems have the reasons */
    EXPERIMENT_MEMORY /* not enough memory to decide; if it is known what for, that is among the problems */
} experiment_status;

/*
 * Reads and checks a file, all of it: kinds, keys, types, ranges, names, claims, and that every learner and selector
 * can play in the environment. `found`, which is open and empty, gets every problem with its place; a problem has no
 * place if the file cannot be read, or if `changes` are wrong. *out is NULL unless all is fine.
 */
experiment_status experiment_read(const char *path, const experiment_changes *changes, problems *found,
                                  experiment **out);
void experiment_free(experiment *e);

/*
 * Completes an experiment whose parts are as they were given: takes arms and prior from the definition that an
 * environment lends (posse_environment_def), and fills in the defaults of all parts. False: no memory, or a part is
 * wrong.
 */
bool experiment_resolve(experiment *e, const posse_def *lent);

#endif
