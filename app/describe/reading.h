/* SPDX-License-Identifier: MIT */
/*
 * What the steps from a tree to parts share: convert.h makes parts by the kinds' own declarations, and trial.h asks the
 * library whether they are right and can live.
 */
#ifndef POSSE_DESCRIBE_READING_H
#define POSSE_DESCRIBE_READING_H

#include "describe/problems.h"

typedef struct reading {
    pool *memory;
    problems *found;
    const char *folder;               /* of the file, up to its slash; "" where that is the working directory */
    bool files;                       /* paths may be followed; false for what comes over a network */
    const node *listening;            /* the part whose trial the library's messages are about */
    const posse_part *listening_part; /* where its options alone are tried: those it was given */
    bool heard;                       /* the library has said something */
    bool out_of_memory;               /* something could not be made for want of it */
    bool rounds_wrong;                /* how many rounds there are is not known, and already told */
    posse_host host;                  /* with a log that turns its messages into problems */
    posse_environment *environment;   /* NULL: there is none yet, or it is wrong */
    posse_def def;                    /* what a posse in the environment starts from */
} reading;

/* Whether memory was refused to anything that has been read. */
bool reading_failed(const reading *r);

#endif
