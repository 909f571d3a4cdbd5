/* SPDX-License-Identifier: MIT */
/*
 * The progress of an experiment on one line of a terminal: a bar, rounds per second, time left.
 */
#ifndef PROGRESS_BAR_H
#define PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress_bar {
    const char *name;
    const char *unit; /* what is counted, "rounds"; NULL: its speed has no meaning and is not shown */
    bool visible;
    double begin;    /* when it was first shown */
    uint64_t before; /* the rounds that were done by then, in an earlier process */
} progress_bar;

/* The bar is invisible if standard error is no terminal, under mpirun, or if quiet. */
void progress_bar_open(progress_bar *p, const char *name, bool quiet);
void progress_bar_show(progress_bar *p, uint64_t rounds, uint64_t total);

/* Clears the line. */
void progress_bar_close(progress_bar *p);

#endif
