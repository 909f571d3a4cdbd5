/* SPDX-License-Identifier: MIT */
/*
 * All the result files of an experiment, from the first block of runs to the last rename.
 */
#ifndef POSSE_STORE_OUTPUT_H
#define POSSE_STORE_OUTPUT_H

#include "experiment/store/folder.h"
#include "experiment/store/hdf5.h"
#include "experiment/store/journal.h"

typedef struct output {
    folder folder;
    journal *journal;
    hdf5_file *runs;
    bool keep, keep_longer; /* whether the journal is kept until all files have their final names, and after that */
    char problem[512];
} output;

typedef struct output_options {
    const char *directory; /* files go to DIRECTORY/NAME */
    uint64_t plugins;      /* their fingerprint (key.h) */
    bool fresh;            /* do not continue what an earlier process left */
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

/* Frees the output. If it was not finished, the journal stays, provided that it has runs, and nothing else. */
void output_close(output *o);

/* Removes the journal of an experiment, unless another process is working on it. */
void output_forget(const char *directory, const char *name);

#endif
