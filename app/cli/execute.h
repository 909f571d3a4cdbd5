/* SPDX-License-Identifier: MIT */
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
    int device;            /* runner_device: where runs are played */
    bool quiet;            /* show no progress */
    bool plots;            /* make pictures and a page, too */
    bool fresh;            /* replace what an earlier process left or finished, whatever it is */
    bool several;          /* of several experiments, the journals of finished ones stay until execute_forget */
    bool brief;            /* print no table of competitors and claims */
} execute_options;

/* How many claims hold, fail or are undecided, and how long the runs took. */
typedef struct execute_outcome {
    int holds, fails, undecided;
    double seconds;
} execute_outcome;

/*
 * Under mpirun many processes, the ranks (experiment/play/ranks.h), carry out one command. They join before they read
 * the files and leave at the end. In between all of them make the calls below in the same order and use the worst of
 * their statuses. The program ends with the status of rank 0. execute_join returns false after printing what is wrong.
 */
bool execute_join(void);
int execute_worst(int status);
int execute_leave(int status);

/* Ctrl-C and SIGTERM make execute stop cleanly; a second one ends the program at once. */
void execute_heed_signals(void);
bool execute_stopped(void);

/* Moves the journal of a finished experiment to its results. It is called when the whole command is finished. */
void execute_forget(const experiment *e, const execute_options *o);

/* Runs an experiment, writes its results and prints them. Returns the exit status; outcome may be NULL. */
int execute(const experiment *e, const execute_options *o, execute_outcome *outcome);

#endif
