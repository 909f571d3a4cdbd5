/* SPDX-License-Identifier: MIT */
/*
 * The runs of an experiment in a file without a name, so that their result files can be written later, and memory does
 * not grow with the runs. The file is deleted with the spool.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include <stdio.h>

#include "experiment/record/block.h"

typedef struct spool {
    const agenda *agenda;
    FILE *file;
    sheet shape;
} spool;

/* The folder that the file is in: the one that TMPDIR names, or /tmp. */
const char *spool_place(void);

/* False, with errno set: the file cannot be made, or there is no memory. To be closed in any case. */
bool spool_open(spool *s, const agenda *a);
void spool_close(spool *s);

/* Takes a block of runs, in order. False with errno set. */
bool spool_take(spool *s, const block *b);

/* Hands every block to `take`, in order. False: it cannot be read, or `take` returned false. */
bool spool_replay(spool *s, bool (*take)(void *context, const block *b), void *context);

#endif
