/* SPDX-License-Identifier: MIT */
/*
 * An experiment that was run, and what came of it: what posse.Results looks at.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "experiment/play/runner.h"
#include "python/src/module_state.h"
#include "python/src/spool.h"

typedef struct outcome {
    PyObject head;
    experiment *experiment;
    agenda *agenda;
    results *results;
    double *runs_regret; /* R x C: final regrets */
    spool spool;
    PyThread_type_lock saving; /* one at a time: the spool has one place to read from */
} outcome;

/* An outcome of an experiment, which it takes over, before it is run. NULL with an exception set. */
outcome *outcome_new(experiment *e);

/* Takes a block of runs, in order. Needs no lock of Python's. */
bool outcome_take(outcome *o, const block *b);

#endif
