/*
 * All the result files of an experiment, from the first block of runs to the last rename.
 */
#ifndef POSSE_EXPERIMENT_OUTPUT_H
#define POSSE_EXPERIMENT_OUTPUT_H

#include "experiment/folder.h"
#include "experiment/hdf5.h"

typedef struct output {
    folder folder;
    hdf5_file *runs;
    char problem[512]; /* what could not be written and why, once something could not */
} output;

/* Begins. Whatever comes of it, output_close has to follow. */
bool output_open(output *o, const char *directory, const agenda *a);

/* Takes the blocks of runs, in order. */
bool output_take(output *o, const block *b);

/* Writes everything else and gives the files their final names. */
bool output_finish(output *o, const results *r);

/* Frees it. What was not finished leaves nothing behind. */
void output_close(output *o);

#endif
