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
    journal *journal; /* of what is finished */
    hdf5_file *runs;
    bool keep, keep_longer; /* the journal: until all files have their final names, and after */
    char problem[512];
} output;

typedef struct output_options {
    const char *directory; /* files go to DIRECTORY/NAME */
    uint64_t plugins;      /* their fingerprint (key.h) */
    bool fresh;            /* not to go on with what an earlier process left */
    bool keep;             /* the journal, even when all is finished: until output_forget */
} output_options;

/* Begins, or goes on. Whatever comes of it, output_close has to follow. */
bool output_open(output *o, const output_options *how, const agenda *a);

/* Takes the blocks of runs, in order. */
bool output_take(output *o, const block *b);

/* What could not be written and why, once something could not. */
const char *output_problem(output *o);

/* Writes everything else and gives the files their final names. */
bool output_finish(output *o, const results *r);

/* Frees it. What was not finished leaves its journal behind, if any of its runs are in there, and nothing else. */
void output_close(output *o);

/* Removes the journal of an experiment, if there is one that no other process is at work on. */
void output_forget(const char *directory, const char *name);

#endif
