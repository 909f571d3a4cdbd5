/* SPDX-License-Identifier: MIT */
/*
 * What the steps from a tree to parts share: convert.h makes parts by the declarations of their kinds, and trial.h asks
 * the library whether the parts are valid and can be created.
 */
#ifndef POSSE_DESCRIBE_READING_H
#define POSSE_DESCRIBE_READING_H

#include "describe/problems.h"
#include "posse_simulate.h"

typedef struct reading reading;

/*
 * Reads the file of a prior, which the node `at` names, into memory of the reading. False: it adds the problems, at
 * that node.
 */
typedef bool prior_taker(reading *r, const node *at, const char *path, posse_part *out);

struct reading {
    pool *memory;
    problems *found;
    const char *folder;               /* of the file, up to its slash; "" where that is the working directory */
    prior_taker *priors;              /* NULL: no files are read, as for what comes over a network */
    int row_width;                    /* numbers in a row of the first table; 0: there was none */
    const node *listening;            /* the part whose trial the library's messages are about */
    const posse_part *listening_part; /* its options, if only these are tried; else NULL */
    bool heard;                       /* the library has reported something */
    bool out_of_memory;               /* something could not be made for want of memory */
    bool rounds_wrong;                /* the number of rounds is wrong, which has been reported */
    posse_host host;                  /* its log turns messages into problems */
    posse_environment *environment;   /* NULL: there is none yet, or it is wrong */
    posse_def def;                    /* what a posse in the environment starts from */
};

/* Whether memory was refused while anything was read. */
bool reading_failed(const reading *r);

#endif
