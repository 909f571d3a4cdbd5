/*
 * Running one experiment, from its file's content to its folder of results: what `posse run` and `posse paper` share.
 */
#ifndef EXECUTE_H
#define EXECUTE_H

#include <stdbool.h>

#include "experiment/read/experiment.h"

typedef struct execute_options {
    const char *directory; /* results go to DIRECTORY/NAME */
    int threads;           /* 0: as many as there are processors */
    bool quiet;            /* no progress */
    bool plots;            /* pictures and a page too */
    bool fresh;            /* not to go on with what an earlier process left */
    bool several;          /* experiments in one command: what is finished of it stays until execute_forget */
    bool brief;            /* no table of competitors and claims on standard output */
} execute_options;

/* How the claims came out, and how long it took. */
typedef struct execute_outcome {
    int holds, fails, undecided;
    double seconds;
} execute_outcome;

/*
 * Under mpirun a command is carried out by many processes, its ranks (ranks.h). They join before they read the files
 * and leave at the end; between, all of them make the calls below in the same order, and go by the worst of their
 * statuses; the program ends with that of rank 0. False: it has been said what is wrong.
 */
bool execute_join(void);
int execute_worst(int status);
int execute_leave(int status);

/* Ctrl-C and SIGTERM make execute stop cleanly; a second one ends the program at once. */
void execute_heed_signals(void);
bool execute_stopped(void);

/* All of a command is finished: there is nothing to go on with. */
void execute_forget(const experiment *e, const execute_options *o);

/* Runs, writes, prints. Returns the exit status; outcome may be NULL. */
int execute(const experiment *e, const execute_options *o, execute_outcome *outcome);

#endif
