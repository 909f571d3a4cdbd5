/*
 * What the steps of reading an experiment share. A file becomes a tree (document.h), the tree becomes parts by the
 * kinds' own declarations (convert.h), and the library itself is asked whether they are right and can live (trial.h).
 */
#ifndef POSSE_READ_READER_H
#define POSSE_READ_READER_H

#include "experiment/read/document.h"
#include "experiment/read/experiment.h"

typedef struct reading {
    pool *memory;
    problems found;
    const node *listening;            /* the part whose trial the library's messages are about */
    const posse_part *listening_part; /* where its options alone are tried: those it was given */
    bool heard;                       /* the library has said something */
    posse_host host;                  /* with a log that turns its messages into problems */
    posse_environment *environment;   /* NULL: there is none yet, or it is wrong */
    posse_def def;                    /* what a posse in the environment starts from */
} reading;

/*
 * experiment_read from memory. `lent`, if not NULL, is where the trials of parts take their memory: a bound on it
 * bounds what a hostile file can ask for.
 */
experiment *experiment_read_text(const char *path, const char *text, size_t length, const experiment_changes *changes,
                                 const posse_allocator *lent, FILE *out);

#endif
