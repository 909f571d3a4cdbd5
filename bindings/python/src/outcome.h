/* SPDX-License-Identifier: MIT */
/*
 * An experiment that was run, and its results, which posse.Results shows.
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
    char refusal[512];   /* why no GPU played, though one was asked for; or empty */
    spool spool;
    PyThread_type_lock saving; /* one reader at a time, because the spool has one file position */
} outcome;

/* Makes the outcome of an experiment before it is run, and takes over the experiment. NULL with an exception set. */
outcome *outcome_new(experiment *e);

/* Takes a block of runs, in order. Python's lock is not needed. */
bool outcome_take(outcome *o, const block *b);

#endif
