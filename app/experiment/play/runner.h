/* SPDX-License-Identifier: MIT */
/*
 * Runs an experiment: crews, one per process, play blocks of runs. In the process of rank 0, the thread that called
 * takes the finished blocks in order and turns them into results. The bits do not depend on the number of threads or
 * processes, nor on which of them finishes first.
 */
#ifndef POSSE_EXPERIMENT_PLAY_RUNNER_H
#define POSSE_EXPERIMENT_PLAY_RUNNER_H

#include <signal.h>

#include "experiment/record/block.h"
#include "experiment/record/results.h"
#include "experiment/store/extension.h"

typedef enum runner_status {
    RUNNER_DONE,
    RUNNER_STOPPED, /* because `stop` was set */
    RUNNER_REFUSED, /* because `take` returned false, or the journal has an error */
    RUNNER_FAILED   /* with a message */
} runner_status;

/* Where runs are played. */
typedef enum runner_device {
    DEVICE_CPU,
    DEVICE_GPU, /* on a GPU where that is possible; else here, and the reason is given */
    DEVICE_AUTO /* on a GPU where that is possible and saves time */
} runner_device;

/* The device that "cpu", "gpu" or "auto" means; -1: none. */
int runner_device_named(const char *name);

/* All may be left zero. The functions are called by the thread that called experiment_run. */
typedef struct runner_options {
    int threads;                                                      /* 0: as many as there are processors */
    const volatile sig_atomic_t *stop;                                /* stop as soon as it is not 0 */
    void (*progress)(void *context, uint64_t rounds, uint64_t total); /* a few times a second */
    bool (*take)(void *context, const block *b);                      /* every block, in the order of runs */
    void (*explain)(void *context, const char *text);                 /* why no GPU plays, though one was asked for */
    void *context;
    runner_device device;
    bool once;            /* learners play each run once, so no run is played again to watch beliefs */
    journal *journal;     /* the run continues after its blocks, and adds the new ones; NULL: nothing is kept */
    extension *extension; /* where the journal has no blocks: the run continues after these; NULL: there are none */
} runner_options;

typedef struct runner_message {
    char text[512];
} runner_message;

/*
 * Fills *out, to be freed with results_free, when it is done; otherwise, and in processes other than rank 0, *out is
 * NULL. All ranks call it at the same point and get the same status; only rank 0 has a journal and a message.
 */
runner_status experiment_run(const agenda *a, const runner_options *o, results **out, runner_message *why);

#endif
