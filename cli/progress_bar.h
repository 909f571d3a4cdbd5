/*
 * The progress of an experiment on one line of a terminal: a bar, rounds per second, time left.
 */
#ifndef PROGRESS_BAR_H
#define PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress_bar {
    const char *name;
    bool visible;
    double begin;    /* when it was first shown, */
    uint64_t before; /* and the rounds that were done by then: of an earlier process, if any */
} progress_bar;

/* Invisible where standard error is no terminal, or if quiet. */
void progress_bar_open(progress_bar *p, const char *name, bool quiet);
void progress_bar_show(progress_bar *p, uint64_t rounds, uint64_t total);

/* Wipes the line. */
void progress_bar_close(progress_bar *p);

#endif
