/* SPDX-License-Identifier: MIT */
/*
 * A recorder writes on sheets what competitors do in a run, or in several runs at once. It is given one stretch of play
 * after the other, and keeps what the agenda asks for.
 */
#ifndef POSSE_EXPERIMENT_RECORD_RECORDER_H
#define POSSE_EXPERIMENT_RECORD_RECORDER_H

#include "experiment/record/sheet.h"
#include "posse_simulate.h"

typedef struct recorder recorder;

/* Makes a recorder, to be freed with recorder_free. entries: the largest number that a trace has. NULL: no memory. */
recorder *recorder_make(const agenda *a, size_t sheets, size_t entries);
void recorder_free(recorder *r);

/* A sheet, on loan. */
const sheet *recorder_sheet(const recorder *r, size_t i);

/* Takes the means of the present instance of the environment, which must be that of the run of the i-th sheet. */
void recorder_meet(recorder *r, size_t i, const posse_environment *e);

/* Runs that a competitor plays at once. */
typedef struct recorder_group {
    size_t first;  /* the sheet of the first run */
    size_t width;  /* runs, and entries of a round in a trace */
    size_t wanted; /* runs that are recorded, from the first; the others only fill the width */
} recorder_group;

/*
 * Begins a group of runs of a competitor. `who` is its place in the agenda. p: its posse, on loan, which gives the
 * weights of plays.
 */
void recorder_begin(recorder *r, int who, const recorder_group *runs, const posse *p);

/*
 * How many of the next rounds recorder_take may get at once, at most `most`. If means move, a stretch ends with a round
 * at which true charges are recorded, and recorder_meet must be called again before recorder_take.
 */
size_t recorder_stretch(const recorder *r, int who, size_t most);

/*
 * Records the next rounds of the group, all in one task. The trace has the regrets and, for a selector, the learners,
 * by their places in the experiment, and the arms.
 */
void recorder_take(recorder *r, int who, const posse_trace *trace, size_t rounds);

/*
 * Ends the group of runs. clipped: how many rewards of a run were outside the range of a selector; NaN: it has no
 * range.
 */
void recorder_end(recorder *r, int who, double clipped);

/* Fills in the rest of the i-th sheet, after all competitors have played its run. */
void recorder_complete(recorder *r, size_t i);

#endif
