/* SPDX-License-Identifier: MIT */
/*
 * A recorder writes down on sheets what competitors do in a run, or in several runs at once. It is told one stretch of
 * play after the other, and keeps of it what the agenda asks for.
 */
#ifndef POSSE_EXPERIMENT_RECORD_RECORDER_H
#define POSSE_EXPERIMENT_RECORD_RECORDER_H

#include "experiment/record/sheet.h"

typedef struct recorder recorder;

/* Makes a recorder, to be freed with recorder_free. entries: of a trace, at most. NULL: no memory. */
recorder *recorder_make(const agenda *a, size_t sheets, size_t entries);
void recorder_free(recorder *r);

/* A sheet, on loan. */
const sheet *recorder_sheet(const recorder *r, size_t i);

/* Looks at the instance that the environment has now: the one of the run that the i-th sheet is about. */
void recorder_meet(recorder *r, size_t i, const posse_environment *e);

/* Runs that a competitor plays at once. */
typedef struct recorder_group {
    size_t first;  /* the sheet of the first run */
    size_t width;  /* runs, and entries of a round in a trace */
    size_t wanted; /* runs that are written down, from the first; the others only fill the width */
} recorder_group;

/* A competitor (its place in the agenda) begins to play a group of runs. p, on loan, knows how a selector weighs plays.
 */
void recorder_begin(recorder *r, int who, const recorder_group *runs, const posse *p);

/*
 * How many of the next rounds, at most, it is to be told at once. Where means move, a stretch ends with a round at
 * which true charges are written down, and before the recorder is told of it, it has to meet the instance again.
 */
size_t recorder_stretch(const recorder *r, int who, size_t most);

/*
 * It has played the next rounds of them, all in one task. The trace has the regrets and, of a selector, the learners,
 * by their places in the experiment, and the arms.
 */
void recorder_take(recorder *r, int who, const posse_trace *trace, size_t rounds);

/* It has played all rounds. clipped: how many rewards of a run were outside a selector's range; NaN: it has none. */
void recorder_end(recorder *r, int who, double clipped);

/* All competitors have played the run of the i-th sheet: fills in the rest. */
void recorder_complete(recorder *r, size_t i);

#endif
