/* SPDX-License-Identifier: MIT */
/*
 * A valuer writes the values of competitors on a log, in one run, on a sheet. It replaces the recorder for logs, which
 * have value and no regret. It stores the terms of every row, because intervals of differences pair the rows.
 */
#ifndef POSSE_EXPERIMENT_RECORD_VALUER_H
#define POSSE_EXPERIMENT_RECORD_VALUER_H

#include "experiment/record/sheet.h"
#include "posse_simulate.h"

typedef struct valuer valuer;

/* Makes a valuer, to be freed with valuer_free. NULL: no memory. */
valuer *valuer_make(const agenda *a);
void valuer_free(valuer *v);

/* The sheet, on loan. */
const sheet *valuer_sheet(const valuer *v);

/*
 * valuer_begin begins the run of a competitor. valuer_take adds its next rows, with learners by their places in the
 * experiment. valuer_end ends the run. clipped: as for recorder_end.
 */
void valuer_begin(valuer *v, int who);
void valuer_take(valuer *v, int who, const posse_appraisal *rows, size_t count);
void valuer_end(valuer *v, int who, double clipped);

/* The same for the policy that made the log. Its value is the mean of the logged rewards, each of weight 1. */
void valuer_take_log(valuer *v, const double *rewards, size_t count);

/* Fills in the rest of the sheet, after all competitors have ended the run. */
void valuer_complete(valuer *v);

#endif
