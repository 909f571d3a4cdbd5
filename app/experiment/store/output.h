/* SPDX-License-Identifier: MIT */
/*
 * All the result files of an experiment, from the first block of runs to the last rename.
 */
#ifndef POSSE_EXPERIMENT_STORE_OUTPUT_H
#define POSSE_EXPERIMENT_STORE_OUTPUT_H

#include "experiment/store/extension.h"
#include "experiment/store/folder.h"
#include "experiment/store/hdf5.h"

typedef struct output {
    folder folder;
    journal *journal;
    extension *extension; /* finished runs of the same experiment with fewer runs; NULL: there are none */
    hdf5_file *runs;
    bool keep, keep_longer; /* whether the journal is kept until all files have their final names, and after that */
    bool refused;           /* there are results or runs that must not be replaced without `fresh` */
    char problem[600];
} output;

typedef struct output_options {
    const char *directory; /* files go to DIRECTORY/NAME */
    uint64_t plugins;      /* their fingerprint (key.h) */
    bool fresh;            /* replace what an earlier process left or finished, whatever it is */
    bool keep;             /* keep the journal even when all is finished, until output_forget */
} output_options;

/* Begins, or continues. output_close has to follow in any case. */
bool output_open(output *o, const output_options *how, const agenda *a);

/* Takes the blocks of runs, in order. */
bool output_take(output *o, const block *b);

/* What could not be written, and why; empty if nothing went wrong. */
const char *output_problem(output *o);

/* Writes everything else and gives the files their final names. */
bool output_finish(output *o, const results *r);

/* Frees the output. If it was not finished, only the journal stays, and only if it has runs. */
void output_close(output *o);

/* How many runs of an earlier process need not be played again. */
uint32_t output_runs_there(const output *o, const agenda *a);

/* Moves the journal that `keep` has kept of an experiment to its results, unless another process is working on them. */
void output_forget(const char *directory, const char *name);

#endif
