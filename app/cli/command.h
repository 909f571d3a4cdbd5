/* SPDX-License-Identifier: MIT */
/*
 * The sub-commands of the program. Each takes the arguments from its own name on and returns the exit status.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdio.h>

#include "posse.h"

/* 0: it is done and no claim failed; 1: a claim failed; 2: wrong usage or a wrong file; 3: it could not finish. */
enum { EXIT_DONE = 0, EXIT_CLAIM = 1, EXIT_USAGE = 2, EXIT_UNFINISHED = 3 };

int command_run(int argc, char **argv);
int command_paper(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_report(int argc, char **argv);
int command_prior(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_export(int argc, char **argv);
int command_erase(int argc, char **argv);

/* Prints that a command has no memory. Returns its exit status. */
static inline int command_lacks_memory(const char *name) {
    fprintf(stderr, "posse %s: %s\n", name, posse_error_text(POSSE_ERROR_MEMORY));
    return EXIT_UNFINISHED;
}

#endif
