/* SPDX-License-Identifier: MIT */
/*
 * What the steps of reading an experiment share. A file becomes a tree (document.h), the tree becomes parts by the
 * kinds' own declarations (convert.h), and the library itself is asked whether they are right and can live (trial.h).
 */
#ifndef POSSE_READ_READER_H
#define POSSE_READ_READER_H

#include "experiment/read/experiment.h"
#include "experiment/read/problems.h"

typedef struct reading {
    pool *memory;
    problems *found;
    const char *folder;               /* of the file, up to its slash; "" where that is the working directory */
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

/* experiment_read from memory. All memory comes from the allocator, NULL: the C heap. */
experiment_status experiment_read_text(const char *path, const char *text, size_t length,
                                       const experiment_changes *changes, const posse_allocator *allocator,
                                       problems *found, experiment **out);

/*
 * The same from a tree in memory of a pool, which is taken over whatever comes of it, and whose allocator also serves
 * the trials. The experiment has neither path nor source.
 */
experiment_status experiment_read_tree(const node *root, pool *memory, const experiment_changes *changes,
                                       problems *found, experiment **out);

#endif
